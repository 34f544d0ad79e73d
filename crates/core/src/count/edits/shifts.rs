//! Which blocks of words may be shifted where.

use std::cmp::Reverse;
use std::ops::Range;

use super::beam::Columns;
use crate::memory::{push, reserve};
use crate::stop::stop_in;

/// Number of shifts after which no more are tried, in all rounds of a pair together.
pub const MAX_CANDIDATES: usize = 1000;

/// Maximum number of words in a block.
pub const MAX_LENGTH: usize = 10;

/// Maximum distance of a block from the same words in the reference.
const MAX_DISTANCE: usize = 50;

/// How the words of hypothesis and reference correspond on the best path.
#[derive(Debug, Default)]
pub struct Alignment {
    /// For each word of the reference, the end in the hypothesis of what corresponds to the reference
    /// up to here.
    pub ends: Vec<u32>,
    /// Whether each word is edited.
    pub hypothesis_errors: Vec<bool>,
    pub reference_errors: Vec<bool>,
}

impl Alignment {
    /// Makes room for two texts of so many words, of which none is edited.
    pub fn clear(&mut self, hypothesis: usize, reference: usize) {
        self.ends.clear();
        reserve(&mut self.ends, reference);
        self.ends.resize(reference, 0);
        for (errors, length) in [
            (&mut self.hypothesis_errors, hypothesis),
            (&mut self.reference_errors, reference),
        ] {
            errors.clear();
            reserve(errors, length);
            errors.resize(length, false);
        }
    }
}

/// A block of words of the hypothesis, and the position before which it is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shift {
    start: u32,
    length: u32,
    target: u32,
}

impl Shift {
    /// Of two shifts that gain as much, the one with the lower rank is better.
    pub fn rank(&self) -> (Reverse<u32>, u32, u32) {
        (Reverse(self.length), self.start, self.target)
    }

    /// The block, and where it begins after the shift, in a hypothesis of this length.
    pub fn block(&self, hypothesis: usize) -> (Range<usize>, usize) {
        let [start, length] = [self.start, self.length].map(|number| number as usize);
        let (rotated, _) = self.rotation(hypothesis);
        let to = if self.target < self.start {
            rotated.start
        } else {
            rotated.end - length
        };
        (start..start + length, to)
    }

    /// The shift as words that are rotated to the left, and by how many, in a hypothesis of this
    /// length.
    ///
    /// A target within the block, or at its end, means as many words to the right of its start.
    pub fn rotation(&self, hypothesis: usize) -> (Range<usize>, usize) {
        let [start, length, target] = [self.start, self.length, self.target].map(|n| n as usize);
        let end = start + length;
        if target < start {
            (target..end, start - target)
        } else if target > end {
            (start..target, length)
        } else {
            (start..hypothesis.min(length + target), length)
        }
    }
}

/// Lists the shifts of one round; returns how many sacreBLEU checks, duplicates and shifts that
/// change nothing included.
///
/// A block has the same words as a part of the reference. Both must have an error, and the block must
/// not be where the part is aligned to, nor have more than `longest` words. It may go to each position
/// that a word of the part, or the one before it, is aligned to. After a block with which `limit` is
/// reached, no more are looked for.
pub fn list_shifts(
    hypothesis: &[u32],
    reference: &Columns,
    alignment: &Alignment,
    longest: usize,
    limit: usize,
    shifts: &mut Vec<Shift>,
) -> usize {
    let (mut checked, mut after) = (0, 0);
    for (error, &is_error) in alignment.hypothesis_errors.iter().enumerate() {
        stop_in(error);
        if !is_error {
            continue;
        }
        // Blocks that start after the last error, and extend to this one. By start, from there back:
        // how far the places of parts that extend as far are from it, as bits.
        let first = after.max((error + 1).saturating_sub(longest));
        after = error + 1;
        let mut places = [0; MAX_LENGTH];
        let mut equal = u128::MAX;
        let mut starts = 0;
        for (start, places) in (first..=error).rev().zip(&mut places) {
            equal &= near(reference, hypothesis[start], start);
            if equal == 0 {
                break;
            }
            *places = equal;
            starts += 1;
        }
        for (start, &places) in (after - starts..).zip(places[..starts].iter().rev()) {
            let mut left = places;
            while left != 0 {
                let place = start + left.trailing_zeros() as usize - MAX_DISTANCE;
                left &= left - 1;
                let mut reference_error = false;
                let pairs = hypothesis[start..].iter().zip(reference.from(place + 1));
                for (index, _) in pairs.take(longest).take_while(|(a, b)| a == b).enumerate() {
                    let length = index + 1;
                    reference_error |= alignment.reference_errors[place + index];
                    let end = alignment.ends[place] as usize;
                    let aligned = start < end && end <= start + length;
                    if start + length <= error || !reference_error || aligned {
                        continue;
                    }
                    let mut previous = None;
                    for before in place..=place + length {
                        let target = before.checked_sub(1).map_or(0, |last| alignment.ends[last]);
                        if previous == Some(target) {
                            continue;
                        }
                        previous = Some(target);
                        checked += 1;
                        if target as usize != start {
                            push(shifts, Shift::new(start, length, target));
                        }
                    }
                    if checked >= limit {
                        return checked;
                    }
                }
            }
        }
    }
    checked
}

/// Where a reference has a word near a position, as bits; bit [`MAX_DISTANCE`] is that of the
/// position itself.
fn near(reference: &Columns, word: u32, position: usize) -> u128 {
    let first = (position + 1).saturating_sub(MAX_DISTANCE);
    let missing = first + MAX_DISTANCE - (position + 1);
    let columns = [first, first + 64].map(|first| u128::from(reference.with(word, first)));
    (columns[0] | columns[1] << 64) << missing & ((2 << (2 * MAX_DISTANCE)) - 1)
}

impl Shift {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "texts have fewer than 2^32 words"
    )]
    fn new(start: usize, length: usize, target: u32) -> Self {
        Self {
            start: start as u32,
            length: length as u32,
            target,
        }
    }
}
