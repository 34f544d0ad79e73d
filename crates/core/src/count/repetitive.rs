//! Counting n-grams order by order, in time that does not depend on repetitions.
//!
//! The key of an n-gram consists of the ids of its two (n−1)-grams: two 32-bit numbers in one exact
//! 64-bit key, for any order. Order n examines only positions where both (n−1)-grams are shared.

use std::iter::repeat_n;
use std::ops::Range;

use super::hash_table::{NONE, Table};
use super::seeds::Seeds;
use crate::memory::{listed, zeros};
use crate::stop::stop_in;

/// A token of a reference that also occurs in the hypothesis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// Its position in the reference.
    pub position: u32,
    /// Its first position in the hypothesis.
    pub first: u32,
}

/// An occurrence of an n-gram. Equal ids mean equal n-grams.
#[derive(Clone, Copy, Debug)]
struct Gram {
    position: u32,
    id: u32,
}

/// Counts the clipped matches of order 1, 2, …; see
/// [`Counter::clipped_matches`](super::Counter::clipped_matches).
///
/// `next` links the positions of equal tokens in the hypothesis in ascending order. `shared` has
/// the shared tokens of all references: those of one reference are within its `bounds`, from last
/// to first.
pub fn clipped_matches(
    next: &[u32],
    shared: &[Shared],
    bounds: &[Range<usize>],
    matches: &mut [i64],
) {
    let (mut hypothesis, mut distinct) = unigrams(next);
    let mut references: Vec<Vec<Gram>> = bounds
        .iter()
        .map(|bounds| {
            let shared = shared[bounds.clone()].iter().rev();
            listed(shared.map(|token| Gram {
                position: token.position,
                id: token.first,
            }))
        })
        .collect();
    matches.fill(0);
    let mut ids = Table::default();
    for (order, matched) in matches.iter_mut().enumerate() {
        if order > 0 {
            distinct = extend(&mut hypothesis, &mut references, distinct, &mut ids);
        }
        let occurrences = counts(&hypothesis, next.len());
        let mut best = zeros(next.len());
        for reference in &references {
            for (most, count) in best.iter_mut().zip(counts(reference, next.len())) {
                *most = count.max(*most);
            }
        }
        *matched = occurrences
            .iter()
            .zip(&best)
            .map(|(count, best)| count.min(best))
            .sum();
        if *matched == 0 {
            return;
        }
        hypothesis.retain(|gram| {
            stop_in(gram.position as usize);
            best[gram.id as usize] > 0
        });
    }
}

/// The tokens of the hypothesis, and how many are distinct; the id of each is the first position of
/// an equal token.
fn unigrams(next: &[u32]) -> (Vec<Gram>, usize) {
    let mut distinct = 0;
    let mut ids = listed(repeat_n(NONE, next.len()));
    for first in 0..next.len() {
        let mut position = first;
        distinct += usize::from(ids[first] == NONE);
        while ids[position] == NONE {
            stop_in(position);
            ids[position] = position_of(first);
            if next[position] == NONE {
                break;
            }
            position = next[position] as usize;
        }
    }
    let grams = (0..).zip(ids);
    let grams = grams.map(|(position, id)| Gram { position, id });
    (listed(grams), distinct)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "positions are 32 bits wide"
)]
fn position_of(index: usize) -> u32 {
    index as u32
}

/// Joins neighboring n-grams to (n+1)-grams; in the references, only those that are in the
/// hypothesis. Takes the number of distinct n-grams, and returns that of the (n+1)-grams.
fn extend(
    hypothesis: &mut Vec<Gram>,
    references: &mut [Vec<Gram>],
    distinct: usize,
    ids: &mut Table<u64>,
) -> usize {
    let seeds = Seeds::random();
    let find = |ids: &Table<u64>, key| ids.find(seeds.mix(key, 0), |known| known ^ key);
    ids.reset(distinct.saturating_mul(distinct).min(hypothesis.len()));
    let mut unused = 0;
    *hypothesis = listed(neighbors(hypothesis).map(|(key, position)| {
        stop_in(position as usize);
        let mut id = find(ids, key);
        if id == NONE {
            id = unused;
            unused += 1;
            ids.replace(seeds.mix(key, 0), key, id, |known| known ^ key);
        }
        Gram { position, id }
    }));
    for reference in references {
        let grams = neighbors(reference).map(|(key, position)| {
            stop_in(position as usize);
            let id = find(ids, key);
            Gram { position, id }
        });
        *reference = listed(grams.filter(|gram| gram.id != NONE));
    }
    unused as usize
}

/// The key and the position of each two n-grams that follow one another.
fn neighbors(grams: &[Gram]) -> impl Iterator<Item = (u64, u32)> {
    grams
        .windows(2)
        .filter(|pair| pair[0].position + 1 == pair[1].position)
        .map(|pair| {
            let key = u64::from(pair[0].id) << 32 | u64::from(pair[1].id);
            (key, pair[0].position)
        })
}

/// The number of occurrences of each id below `ids`.
fn counts(grams: &[Gram], ids: usize) -> Vec<i64> {
    let mut counts = zeros(ids);
    for gram in grams {
        stop_in(gram.position as usize);
        counts[gram.id as usize] += 1;
    }
    counts
}
