//! The edits of translation edit rate (Snover et al., 2006), exactly as sacreBLEU finds them.
//!
//! Blocks of words are shifted as long as that brings the hypothesis nearer to the reference; each
//! shift costs 1. What remains is the edit distance in a beam. Which shifts are tried, in which
//! order, and how many, decides the result, so all of it follows sacreBLEU, which follows Tercom.

mod beam;
mod bits;
mod shifts;
#[cfg(test)]
mod tests;
mod trace;
mod wide;

pub use beam::Edit;
pub use trace::{MadeShift, Trace};

use beam::{Bands, Columns, Rows};
use bits::BitRows;
use shifts::{Alignment, MAX_CANDIDATES, MAX_LENGTH, Shift, list_shifts};
use trace::Observer;
use wide::WideRows;

use crate::memory::{extend, reserve};
use crate::stop::{stop_here, stop_in};

/// A word of the hypothesis that the reference does not have.
pub const UNKNOWN: u32 = u32::MAX;

/// How many shifts are tried between two looks at whether to stop.
const BETWEEN_STOPS: usize = 256;

/// Number of words of a hypothesis above which each shift may take milliseconds.
const LONG: usize = 1 << 12;

/// Numbers of edits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edits {
    /// Words of the reference that the hypothesis lacks.
    pub insertions: usize,
    /// Words of the hypothesis that the reference lacks.
    pub deletions: usize,
    /// Words that are replaced by others.
    pub substitutions: usize,
    /// Blocks of words that are shifted.
    pub shifts: usize,
}

impl Edits {
    /// All edits.
    #[must_use]
    pub fn total(&self) -> usize {
        self.insertions + self.deletions + self.substitutions + self.shifts
    }
}

/// Counts the edits of segments, one after the other, with buffers that are reused.
#[derive(Debug, Default)]
pub struct EditCounter {
    /// Whether blocks of 9 words are the longest that are shifted, instead of 10.
    pub short_blocks: bool,
    hypothesis: Vec<u32>,
    reference: Columns,
    bits: BitRows,
    wide: WideRows,
    alignment: Alignment,
    shifts: Vec<Shift>,
    moved: Vec<u32>,
    left: Vec<u32>,
}

impl EditCounter {
    /// Counts the edits that turn a hypothesis into a reference, whose words are numbered from 0 to
    /// `words`; all words of the hypothesis that the reference does not have are [`UNKNOWN`].
    pub fn count(&mut self, hypothesis: &[u32], reference: &[u32], words: usize) -> Edits {
        self.observed(hypothesis, reference, words, &mut ())
    }

    /// Counts like [`EditCounter::count`], and tells how.
    pub fn trace(&mut self, hypothesis: &[u32], reference: &[u32], words: usize) -> (Edits, Trace) {
        let mut trace = Trace::default();
        let edits = self.observed(hypothesis, reference, words, &mut trace);
        trace.edits.reverse();
        (edits, trace)
    }

    fn observed(
        &mut self,
        hypothesis: &[u32],
        reference: &[u32],
        words: usize,
        observer: &mut impl Observer,
    ) -> Edits {
        if hypothesis.is_empty() || reference.is_empty() {
            for _ in hypothesis {
                observer.edit(Edit::Deletion);
            }
            for _ in reference {
                observer.edit(Edit::Insertion);
            }
            return Edits {
                insertions: reference.len(),
                deletions: hypothesis.len(),
                ..Edits::default()
            };
        }
        self.hypothesis.clear();
        extend(&mut self.hypothesis, hypothesis);
        self.reference.list(reference);
        let nearest = self.nearest(reference, words);
        let lengths = [hypothesis.len(), reference.len()];
        let bands = Bands::new(lengths[0], lengths[1]);
        if bands.are_narrow() {
            self.bits.start(bands, lengths);
            let mut rows = std::mem::take(&mut self.bits);
            let edits = self.shift(&mut rows, reference.len(), nearest, observer);
            self.bits = rows;
            edits
        } else {
            self.wide.start(bands, lengths);
            let mut rows = std::mem::take(&mut self.wide);
            let edits = self.shift(&mut rows, reference.len(), nearest, observer);
            self.wide = rows;
            edits
        }
    }

    /// A distance below which no permutation of the hypothesis can be.
    fn nearest(&mut self, reference: &[u32], words: usize) -> usize {
        self.left.clear();
        reserve(&mut self.left, words);
        self.left.resize(words, 0);
        for (step, &word) in reference.iter().enumerate() {
            stop_in(step);
            self.left[word as usize] += 1;
        }
        let mut common = 0;
        for &word in &self.hypothesis {
            if let Some(left @ 1..) = self.left.get_mut(word as usize) {
                *left -= 1;
                common += 1;
            }
        }
        self.hypothesis.len().max(reference.len()) - common
    }

    /// Shifts blocks while that helps.
    fn shift(
        &mut self,
        rows: &mut impl Rows,
        reference: usize,
        nearest: usize,
        observer: &mut impl Observer,
    ) -> Edits {
        let (mut checked, mut shifts) = (0, 0);
        let mut changed = 0..self.hypothesis.len();
        loop {
            let distance = rows.compute(&self.reference, &self.hypothesis, changed);
            observer.round(distance);
            let mut edits =
                self.alignment
                    .trace(rows, &self.hypothesis, &self.reference, reference, observer);
            edits.shifts = shifts;
            if distance == nearest {
                return edits;
            }
            self.shifts.clear();
            checked += list_shifts(
                &self.hypothesis,
                &self.reference,
                &self.alignment,
                MAX_LENGTH - usize::from(self.short_blocks),
                MAX_CANDIDATES - checked,
                &mut self.shifts,
            );
            // At the limit, sacreBLEU stops without the best shift that it has found.
            if checked >= MAX_CANDIDATES {
                return edits;
            }
            let Some(best) = self.best_shift(rows, distance) else {
                return edits;
            };
            shifts += 1;
            observer.shift(&best, self.hypothesis.len());
            let (range, by) = best.rotation(self.hypothesis.len());
            self.hypothesis[range.clone()].rotate_left(by);
            changed = range;
        }
    }

    /// The shift that brings the hypothesis nearest to the reference, if any brings it nearer: of
    /// equal ones the longest, then the one that starts first, then the one that ends first.
    fn best_shift(&mut self, rows: &impl Rows, distance: usize) -> Option<Shift> {
        self.shifts.sort_unstable_by_key(Shift::rank);
        self.shifts.dedup();
        let (mut best, mut smallest) = (None, distance);
        for (index, &shift) in self.shifts.iter().enumerate() {
            if index % BETWEEN_STOPS == 0 || self.hypothesis.len() > LONG {
                stop_here();
            }
            let (range, by) = shift.rotation(self.hypothesis.len());
            let mut from = range.start;
            self.moved.clear();
            extend(&mut self.moved, &self.hypothesis[range.clone()]);
            self.moved.rotate_left(by);
            let before = &self.hypothesis[range];
            let same = |pair: &(&u32, &u32)| pair.0 == pair.1;
            let start = before.iter().zip(&self.moved).take_while(same).count();
            let end = before.iter().rev().zip(self.moved.iter().rev());
            let end = self.moved.len() - end.take_while(same).count();
            if start >= end {
                continue;
            }
            from += start;
            let words = &self.moved[start..end];
            let now = rows.distance_with(&self.reference, &self.hypothesis, from, words, distance);
            if now < smallest {
                (best, smallest) = (Some(shift), now);
            }
        }
        best
    }
}

impl Alignment {
    /// Follows the best path back from the last cell.
    fn trace(
        &mut self,
        rows: &impl Rows,
        hypothesis: &[u32],
        reference: &Columns,
        columns: usize,
        observer: &mut impl Observer,
    ) -> Edits {
        let mut edits = Edits::default();
        let words = reference.from(0);
        let (mut row, mut column) = (hypothesis.len(), columns);
        self.clear(row, column);
        while row > 0 || column > 0 {
            stop_in(row);
            let edit = match (row, column) {
                (_, 0) => Edit::Deletion,
                (0, _) => Edit::Insertion,
                _ => rows.edit(row, column, words[column] == hypothesis[row - 1]),
            };
            observer.edit(edit);
            match edit {
                Edit::Match => (row, column) = (row - 1, column - 1),
                Edit::Substitution => {
                    (row, column) = (row - 1, column - 1);
                    edits.substitutions += 1;
                    self.hypothesis_errors[row] = true;
                    self.reference_errors[column] = true;
                }
                Edit::Deletion => {
                    row -= 1;
                    edits.deletions += 1;
                    self.hypothesis_errors[row] = true;
                }
                Edit::Insertion => {
                    column -= 1;
                    edits.insertions += 1;
                    self.reference_errors[column] = true;
                }
            }
            if edit != Edit::Deletion {
                // The position after the word of the hypothesis that this word is aligned to.
                let aligned = row + usize::from(edit != Edit::Insertion);
                self.ends[column] = u32::try_from(aligned).unwrap_or(u32::MAX);
            }
        }
        edits
    }
}
