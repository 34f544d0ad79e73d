//! The columns of an edit distance that sacreBLEU and Tercom compute.
//!
//! Row i has the distances of the first i words of the hypothesis from the first j words of the
//! reference, for j = 0, 1, … Only columns near the diagonal are computed: the others count as
//! unreachable.

use std::ops::Range;

use wide::{i8x16, i16x8, i32x8};

use crate::memory::reserve;

/// How far from the diagonal columns are computed.
const BEAM: usize = 25;

/// The columns of a row that are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Band {
    pub first: usize,
    /// The column after the last one.
    pub end: usize,
}

/// The bands of all rows.
///
/// They depend on the lengths alone, so they are those of every permutation of the hypothesis.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bands {
    /// Number of columns for each row.
    ratio: f64,
    beam: usize,
    /// The last row.
    rows: usize,
    columns: usize,
}

impl Bands {
    /// Those of a hypothesis, which must not be empty, and a reference of so many words. The products
    /// and quotients are doubles, as in sacreBLEU.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "texts have fewer than 2^32 words, and nothing is negative"
    )]
    pub fn new(hypothesis: usize, reference: usize) -> Self {
        let ratio = reference as f64 / hypothesis as f64;
        let half = ratio / 2.0;
        let beam = if half > BEAM as f64 {
            (half + BEAM as f64).ceil() as usize
        } else {
            BEAM
        };
        Self {
            ratio,
            beam,
            rows: hypothesis,
            columns: reference + 1,
        }
    }

    /// Whether the beam is as narrow as usual.
    pub fn are_narrow(self) -> bool {
        self.beam == BEAM
    }

    /// The band of a row. The first row and the last one reach the last column.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "texts have fewer than 2^32 words, and nothing is negative"
    )]
    pub fn of(self, row: usize) -> Band {
        let diagonal = (f64::from(row as u32) * self.ratio) as u32 as usize;
        let end = if row == 0 || row == self.rows {
            self.columns
        } else {
            self.columns.min(diagonal + self.beam)
        };
        Band {
            first: diagonal.saturating_sub(self.beam),
            end,
        }
    }
}

/// What stands for a word where there is none: neither [`UNKNOWN`](super::UNKNOWN) nor a number.
const NO_WORD: u32 = u32::MAX - 1;

/// Number of columns that are compared at a time.
const COMPARED: usize = 64;

/// The words of a reference by column: column 0 has none, and column j has word j − 1.
#[derive(Debug, Default)]
pub struct Columns {
    /// These, and some without words.
    words: Vec<u32>,
}

impl Columns {
    /// Takes a reference.
    pub fn list(&mut self, reference: &[u32]) {
        self.words.clear();
        reserve(&mut self.words, 1 + reference.len() + COMPARED);
        self.words.push(NO_WORD);
        self.words.extend_from_slice(reference);
        self.words.extend([NO_WORD; COMPARED]);
    }

    /// Those from a column on, and some without words.
    pub fn from(&self, column: usize) -> &[u32] {
        &self.words[column..]
    }

    /// Which columns from `first` on have a word, as bits.
    #[inline(always)]
    pub fn with(&self, word: u32, first: usize) -> u64 {
        let near = self.words.get(first..).unwrap_or_default();
        let Some(near) = near.first_chunk::<COMPARED>() else {
            return 0;
        };
        let word = i32x8::splat(word.cast_signed());
        let (parts, _) = near.as_chunks::<16>();
        let equal = |part: &[u32; 16]| {
            let halves: [i32x8; 2] = bytemuck::cast(*part);
            let halves = halves.map(|words| i16x8::from_i32x8_saturate(words.simd_eq(word)));
            i8x16::from_i16x16_saturate(bytemuck::cast(halves)).to_bitmask()
        };
        let parts = parts.iter().rev();
        parts.fold(0, |bits, part| bits << 16 | u64::from(equal(part)))
    }
}

/// What turns a word of the hypothesis into what the reference has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Nothing: the words are equal.
    Match,
    /// A word of the hypothesis is replaced by one of the reference.
    Substitution,
    /// A word of the hypothesis is removed.
    Deletion,
    /// A word of the reference is added.
    Insertion,
}

/// The rows of an edit distance from a reference, kept so that similar hypotheses need not compute them
/// again.
pub trait Rows {
    /// Computes the rows of the words that have changed, and those after them if they change;
    /// returns the distance. At first, all have.
    fn compute(&mut self, reference: &Columns, hypothesis: &[u32], changed: Range<usize>) -> usize;

    /// The distance if the words from position `from` on were `words` instead, followed by the rest
    /// of the hypothesis. `distance` is that of the hypothesis itself.
    fn distance_with(
        &self,
        reference: &Columns,
        hypothesis: &[u32],
        from: usize,
        words: &[u32],
        distance: usize,
    ) -> usize;

    /// The last edit on the best path to a cell, neither in row 0 nor in column 0; `matches` tells
    /// whether its words are equal. Of equal paths, that with a match or a substitution is preferred,
    /// then that with a deletion.
    fn edit(&self, row: usize, column: usize, matches: bool) -> Edit;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All room is made before anything is added: what has no room then cannot fail.
    #[test]
    fn room_for_columns() {
        let mut columns = Columns::default();
        columns.list(&[7; 1000]);
        assert_eq!(columns.words.len(), columns.words.capacity());
    }
}
