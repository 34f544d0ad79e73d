//! Counting n-grams order by order: of any order, in any number of references.
//!
//! An n-gram consists of two (n−1)-grams, whose numbers are its key. Sorted by their keys, equal
//! n-grams are neighbors, and get a number of their own. Order n examines only places where both
//! (n−1)-grams are shared.

use crate::memory::{push, with_room};
use crate::stop::stop_in;

/// Stands for what is not shared, and for the end of a text.
const NONE: u32 = u32::MAX;

/// Counts the clipped matches of order 1, 2, … of a hypothesis; its tokens are numbers below
/// `u32::MAX`.
pub fn clipped_matches(hypothesis: &[u32], references: &[Vec<u32>], matches: &mut [i64]) {
    matches.fill(0);
    let texts = || std::iter::once(hypothesis).chain(references.iter().map(Vec::as_slice));
    // All texts, one after the other: the number of the n-gram that starts at each place.
    let mut numbers = with_room(texts().map(|text| text.len() + 1).sum());
    let mut ends = Vec::new();
    for text in texts() {
        numbers.extend_from_slice(text);
        numbers.push(NONE);
        push(&mut ends, numbers.len());
    }
    let text_of = |place: usize| ends.partition_point(|&end| end <= place);
    // The key of each n-gram, and where it starts.
    let mut ngrams: Vec<(u64, usize)> = with_room(numbers.len());
    for (order, matched) in matches.iter_mut().enumerate() {
        ngrams.clear();
        for (place, pair) in numbers.windows(2).enumerate() {
            let (first, next) = (pair[0], if order == 0 { 0 } else { pair[1] });
            if first != NONE && next != NONE {
                ngrams.push((u64::from(first) << 32 | u64::from(next), place));
            }
        }
        let mut step = 0;
        ngrams.sort_unstable_by(|one, other| {
            step += 1;
            stop_in(step);
            one.cmp(other)
        });
        numbers.fill(NONE);
        let mut shared = 0;
        for equal in ngrams.chunk_by(|one, other| one.0 == other.0) {
            let own = equal.partition_point(|&(_, place)| place < ends[0]);
            let by_text = equal[own..].chunk_by(|one, other| text_of(one.1) == text_of(other.1));
            let most = by_text.map(<[_]>::len).max().unwrap_or(0);
            if own.min(most) > 0 {
                *matched += i64::try_from(own.min(most)).unwrap_or(i64::MAX);
                for &(_, place) in equal {
                    numbers[place] = shared;
                }
                shared += 1;
            }
        }
        if shared == 0 {
            return;
        }
    }
}
