//! Rows of bits: for a beam that fits into a word.
//!
//! The cells of a row differ from their neighbors to the left by −1, 0 or 1, so that two bits per
//! column tell all but the first cell (Myers, 1999; Hyyrö, 2003). The bits are those of a window of
//! 64 columns that moves with the beam. What is outside of the beam must never win:
//!
//! - If the window stays, its first column can only be reached from above. The cell to the upper left
//!   of it counts as one more than the cell above.
//! - If it moves, its first column is reached from the upper left at best.
//! - Columns on the right, which the row above does not have, count as one more than those to the left
//!   of them, and words do not match there.

use std::ops::Range;

use super::beam::{Band, Bands, Columns, Edit, Rows};
use crate::stop::{make_room, stop_in};
use crate::text::prefetch;

/// A row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Row {
    /// The columns whose cell is one more than that to the left, and one less.
    more: u64,
    less: u64,
    /// The first cell.
    distance: i64,
}

/// The rows of a pair.
#[derive(Debug, Default)]
pub struct BitRows {
    bands: Bands,
    columns: usize,
    rows: Vec<Row>,
}

/// How many rows ahead of those that are read others are prefetched.
const AHEAD: usize = 32;

/// The lowest bits, as many as there are columns.
#[inline(always)]
fn lowest(columns: usize) -> u64 {
    if columns < 64 {
        (1 << columns) - 1
    } else {
        u64::MAX
    }
}

/// The sum of the differences in some columns.
#[inline(always)]
fn sum(row: &Row, columns: u64) -> i64 {
    i64::from((row.more & columns).count_ones()) - i64::from((row.less & columns).count_ones())
}

/// The row after `above`, for a word that is in the columns `matches`.
#[inline(always)]
fn next_row([band_above, band]: [Band; 2], mut above: Row, matches: u64) -> Row {
    let moved = band.first - band_above.first;
    let matches = matches & lowest(band_above.end + 1 - band.first);
    // The first cell is to come from the upper left: the cell before the window.
    if moved > 1 {
        above.distance += sum(&above, lowest(moved) & !1);
    }
    above.more = above.more >> moved | !(u64::MAX >> moved);
    above.less >>= moved;
    if moved == 0 {
        above.more &= !1;
        above.less |= 1;
    }
    let Row { more, less, .. } = above;
    let vertical = matches | less;
    let carried = ((matches & more).wrapping_add(more) ^ more) | matches;
    // The columns whose cell equals that to the upper left, and those whose cell is one more than that
    // above.
    let diagonal = carried | less;
    let below = less | !(carried | more);
    let above_is_more = more & carried;
    let distance = if moved == 0 {
        above.distance + 1
    } else {
        above.distance + 1 - (diagonal & 1).cast_signed()
    };
    let shifted = below << 1 | 1;
    let inside = lowest(band.end - band.first);
    Row {
        more: above_is_more << 1 | !(vertical | shifted) | !inside,
        less: shifted & vertical & inside,
        distance,
    }
}

impl BitRows {
    /// Starts a pair whose beam is as narrow as usual.
    pub fn start(&mut self, bands: Bands, [hypothesis, reference]: [usize; 2]) {
        self.bands = bands;
        self.columns = reference;
        make_room(&mut self.rows, hypothesis + 1);
        self.rows[0] = Row {
            more: u64::MAX,
            ..Row::default()
        };
    }

    /// The last cell of the last row.
    #[inline(always)]
    fn last(&self, rows: usize, row: &Row) -> usize {
        let first = self.bands.of(rows).first;
        let distance = row.distance + sum(row, lowest(self.columns - first + 1) & !1);
        usize::try_from(distance).unwrap_or(0)
    }

    /// A cell.
    #[inline(always)]
    fn cell(&self, row: usize, column: usize) -> i64 {
        if row == 0 {
            return i64::try_from(column).unwrap_or(i64::MAX);
        }
        let first = self.bands.of(row).first;
        let row = &self.rows[row];
        row.distance + sum(row, lowest(column - first + 1) & !1)
    }
}

/// Whether all rows after two equal ones are equal, apart from their distances: if they are equal
/// apart from those, and from the difference before the first cell, which is never looked at.
#[inline(always)]
fn same(row: &Row, other: &Row) -> bool {
    (row.more ^ other.more) | (row.less ^ other.less) <= 1
}

impl Rows for BitRows {
    fn compute(&mut self, reference: &Columns, hypothesis: &[u32], changed: Range<usize>) -> usize {
        let Range { start, end } = changed;
        let mut row = self.rows[start];
        let mut above = self.bands.of(start);
        for (number, &word) in (start + 1..).zip(&hypothesis[start..]) {
            stop_in(number);
            let band = self.bands.of(number);
            row = next_row([above, band], row, reference.with(word, band.first));
            above = band;
            let known = std::mem::replace(&mut self.rows[number], row);
            if number >= end && same(&row, &known) {
                let more = row.distance - known.distance;
                for row in &mut self.rows[number + 1..=hypothesis.len()] {
                    row.distance += more;
                }
                break;
            }
        }
        self.last(hypothesis.len(), &self.rows[hypothesis.len()])
    }

    fn distance_with(
        &self,
        reference: &Columns,
        hypothesis: &[u32],
        from: usize,
        words: &[u32],
        distance: usize,
    ) -> usize {
        let mut row = self.rows[from];
        let mut above = self.bands.of(from);
        let rest = from + words.len();
        let words = words.iter().chain(&hypothesis[rest..]);
        for (number, &word) in (from + 1..).zip(words) {
            stop_in(number);
            let band = self.bands.of(number);
            row = next_row([above, band], row, reference.with(word, band.first));
            above = band;
            let known = &self.rows[number];
            if number >= rest && same(&row, known) {
                let more = row.distance - known.distance;
                return usize::try_from(distance.cast_signed() as i64 + more).unwrap_or(0);
            }
        }
        self.last(hypothesis.len(), &row)
    }

    fn edit(&self, row: usize, column: usize, matches: bool) -> Edit {
        // Most edits are matches, so that few rows are read, and the processor does not foresee which.
        prefetch(
            self.rows
                .as_ptr()
                .wrapping_add(row)
                .wrapping_sub(AHEAD)
                .cast(),
        );
        let (above, band) = (self.bands.of(row - 1), self.bands.of(row));
        if column == band.first && band.first == above.first {
            Edit::Deletion
        } else if column > above.end {
            Edit::Insertion
        } else if matches {
            Edit::Match
        } else if self.cell(row, column) > self.cell(row - 1, column - 1) {
            Edit::Substitution
        } else if self.cell(row, column) > self.cell(row - 1, column) {
            Edit::Deletion
        } else {
            Edit::Insertion
        }
    }
}
