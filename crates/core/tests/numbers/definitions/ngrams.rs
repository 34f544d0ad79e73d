//! The n-grams that texts share, by definition.

use std::collections::HashMap;
use std::hash::Hash;

/// How often each n-gram of a text occurs.
pub fn counts<T: Eq + Hash>(text: &[T], n: usize) -> HashMap<&[T], i64> {
    let mut counts = HashMap::new();
    for ngram in text.windows(n) {
        *counts.entry(ngram).or_default() += 1;
    }
    counts
}

/// The clipped matches of an order: each n-gram counts at most as often as it occurs in the one
/// reference that has it most (Papineni et al. 2002, section 2.1).
pub fn clipped_matches<T: Eq + Hash>(hypothesis: &[T], references: &[Vec<T>], n: usize) -> i64 {
    let references: Vec<_> = references.iter().map(|text| counts(text, n)).collect();
    let clipped = counts(hypothesis, n).into_iter().map(|(ngram, count)| {
        let most = references.iter().filter_map(|counts| counts.get(ngram));
        count.min(most.max().copied().unwrap_or(0))
    });
    clipped.sum()
}
