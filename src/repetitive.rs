//! Counting n-grams order by order, in time that no repetition can spoil.
//!
//! An n-gram is named by the ids of the two (n−1)-grams that it consists of, two 32-bit numbers in
//! one exact 64-bit key, whatever its order. Order n looks only at places where both (n−1)-grams
//! are shared.

use std::collections::HashMap;
use std::ops::Range;

use crate::ngram::Shared;
use crate::table::NONE;

/// An n-gram at its place; equal ids, equal n-grams.
#[derive(Clone, Copy, Debug)]
struct Gram {
    position: u32,
    id: u32,
}

/// Clipped matches of order 1, 2, …, as [`crate::ngram::Counter::clipped_matches`] defines them.
///
/// `next` links the positions of equal tokens in the hypothesis, ascending; `shared` holds the
/// tokens of the references that the hypothesis has, those of one reference within its `bounds`
/// from the last to the first.
pub fn clipped_matches(
    next: &[u32],
    shared: &[Shared],
    bounds: &[Range<usize>],
    matches: &mut [i64],
) {
    let mut hypothesis = unigrams(next);
    let mut references: Vec<Vec<Gram>> = bounds
        .iter()
        .map(|bounds| {
            let shared = shared[bounds.clone()].iter().rev();
            shared
                .map(|token| Gram {
                    position: token.position,
                    id: token.first,
                })
                .collect()
        })
        .collect();
    matches.fill(0);
    for (order, matched) in matches.iter_mut().enumerate() {
        if order > 0 {
            extend(&mut hypothesis, &mut references);
        }
        let counts = counts(&hypothesis);
        let mut best: HashMap<u32, i64> = HashMap::new();
        for reference in &references {
            for (id, count) in self::counts(reference) {
                let most = best.entry(id).or_default();
                *most = count.max(*most);
            }
        }
        *matched = counts
            .iter()
            .map(|(id, count)| *count.min(best.get(id).unwrap_or(&0)))
            .sum();
        if *matched == 0 {
            return;
        }
        hypothesis.retain(|gram| best.contains_key(&gram.id));
    }
}

/// The tokens of the hypothesis, each named by the first position of its kind.
fn unigrams(next: &[u32]) -> Vec<Gram> {
    let mut ids = vec![NONE; next.len()];
    for first in 0..next.len() {
        let mut position = first;
        while ids[position] == NONE {
            ids[position] = position_of(first);
            if next[position] == NONE {
                break;
            }
            position = next[position] as usize;
        }
    }
    (0..)
        .zip(ids)
        .map(|(position, id)| Gram { position, id })
        .collect()
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "positions are 32 bits wide"
)]
fn position_of(index: usize) -> u32 {
    index as u32
}

/// Joins neighbouring n-grams to (n+1)-grams; of the references only those that the hypothesis
/// has.
fn extend(hypothesis: &mut Vec<Gram>, references: &mut [Vec<Gram>]) {
    let mut ids: HashMap<(u32, u32), u32> = HashMap::new();
    *hypothesis = neighbours(hypothesis)
        .map(|(name, position)| {
            let unused = position_of(ids.len());
            Gram {
                position,
                id: *ids.entry(name).or_insert(unused),
            }
        })
        .collect();
    for reference in references {
        *reference = neighbours(reference)
            .filter_map(|(name, position)| ids.get(&name).map(|&id| Gram { position, id }))
            .collect();
    }
}

/// The name and the position of each pair of n-grams that follow one another.
fn neighbours(grams: &[Gram]) -> impl Iterator<Item = ((u32, u32), u32)> {
    grams
        .windows(2)
        .filter(|pair| pair[0].position + 1 == pair[1].position)
        .map(|pair| ((pair[0].id, pair[1].id), pair[0].position))
}

fn counts(grams: &[Gram]) -> HashMap<u32, i64> {
    let mut counts = HashMap::new();
    for gram in grams {
        *counts.entry(gram.id).or_default() += 1;
    }
    counts
}
