//! Counting n-grams order by order, in time that no repetition can spoil.
//!
//! An n-gram is named by the ids of the two (n−1)-grams that it consists of, two 32-bit numbers in
//! one exact 64-bit key, whatever its order. Order n looks only at places where both (n−1)-grams
//! are shared.

use std::ops::Range;

use super::hash_table::{NONE, Seeds, Table};

/// A token of a reference that the hypothesis has, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// Its position in the reference.
    pub position: u32,
    /// The first position in the hypothesis.
    pub first: u32,
}

/// An n-gram at its place; equal ids, equal n-grams.
#[derive(Clone, Copy, Debug)]
struct Gram {
    position: u32,
    id: u32,
}

/// Clipped matches of order 1, 2, …, as [`Counter::clipped_matches`](super::ngrams::Counter::clipped_matches) defines them.
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
    let mut names = Table::default();
    for (order, matched) in matches.iter_mut().enumerate() {
        if order > 0 {
            extend(&mut hypothesis, &mut references, &mut names);
        }
        let occurring = counts(&hypothesis, next.len());
        let mut best = vec![0; next.len()];
        for reference in &references {
            for (most, count) in best.iter_mut().zip(counts(reference, next.len())) {
                *most = count.max(*most);
            }
        }
        *matched = occurring
            .iter()
            .zip(&best)
            .map(|(count, best)| count.min(best))
            .sum();
        if *matched == 0 {
            return;
        }
        hypothesis.retain(|gram| best[gram.id as usize] > 0);
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

/// Joins neighboring n-grams to (n+1)-grams; of the references only those that the hypothesis
/// has.
fn extend(hypothesis: &mut Vec<Gram>, references: &mut [Vec<Gram>], names: &mut Table<u64>) {
    let seeds = Seeds::random();
    let find = |names: &Table<u64>, name| names.find(seeds.mix(name, 0), |known| known ^ name);
    names.reset(hypothesis.len());
    let mut unused = 0;
    *hypothesis = neighbors(hypothesis)
        .map(|(name, position)| {
            let mut id = find(names, name);
            if id == NONE {
                id = unused;
                unused += 1;
                names.replace(seeds.mix(name, 0), name, id, |known| known ^ name);
            }
            Gram { position, id }
        })
        .collect();
    for reference in references {
        *reference = neighbors(reference)
            .map(|(name, position)| Gram {
                position,
                id: find(names, name),
            })
            .filter(|gram| gram.id != NONE)
            .collect();
    }
}

/// The exact name and the position of each pair of n-grams that follow one another.
fn neighbors(grams: &[Gram]) -> impl Iterator<Item = (u64, u32)> {
    grams
        .windows(2)
        .filter(|pair| pair[0].position + 1 == pair[1].position)
        .map(|pair| {
            let name = u64::from(pair[0].id) << 32 | u64::from(pair[1].id);
            (name, pair[0].position)
        })
}

/// How often each id occurs; ids are smaller than the hypothesis is long.
fn counts(grams: &[Gram], ids: usize) -> Vec<i64> {
    let mut counts = vec![0; ids];
    for gram in grams {
        counts[gram.id as usize] += 1;
    }
    counts
}
