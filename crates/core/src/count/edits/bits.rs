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

use super::beam::{Band, Edit, Positions, Rows};
use crate::stop::{STEPS, make_room, stop_here, stop_in};

/// A row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Row {
    /// The columns whose cell is one more than that to the left, and one less.
    more: u64,
    less: u64,
    /// The first cell.
    distance: i64,
}

/// How a row follows from the one above.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    /// The columns whose words match.
    matches: u64,
    /// Those whose cell equals that to the upper left.
    diagonal: u64,
    /// Those whose cell is one more than that above.
    below: u64,
}

/// The rows of a pair.
#[derive(Debug, Default)]
pub struct BitRows {
    pub bands: Vec<Band>,
    pub positions: Positions,
    columns: usize,
    /// For each word of the reference, the columns in which it is, in `blocks` words of bits; empty
    /// if these would be too many.
    places: Vec<u64>,
    blocks: usize,
    rows: Vec<Row>,
    /// Those of the first rows.
    steps: Vec<Step>,
}

/// Maximum number of words of bits in [`BitRows::places`]. They would grow with the square of the
/// text.
const MOST_PLACES: usize = 1 << 16;

/// Maximum number of [`BitRows::steps`], which take as much memory as the rows; few in tests, so that
/// others are tested.
const MOST_STEPS: usize = if cfg!(test) { 8 } else { 1 << 16 };

/// The lowest bits, as many as there are columns.
#[inline(always)]
fn lowest(columns: usize) -> u64 {
    if columns < 64 {
        (1 << columns) - 1
    } else {
        u64::MAX
    }
}

/// The bits from a column on, given those of its block and of the next.
#[inline(always)]
fn window(low: u64, high: u64, first: usize) -> u64 {
    let offset = first % 64;
    low >> offset | high << 1 << (63 - offset)
}

/// The sum of the differences in some columns.
#[inline(always)]
fn sum(row: &Row, columns: u64) -> i64 {
    i64::from((row.more & columns).count_ones()) - i64::from((row.less & columns).count_ones())
}

impl BitRows {
    /// Starts a pair, whose bands have been computed, and the positions of so many words.
    pub fn start(&mut self, reference: &[u32], words: usize) {
        self.columns = reference.len();
        // One more, so that a window can be read across two.
        self.blocks = (self.columns + 1) / 64 + 2;
        self.places.clear();
        if words * self.blocks <= MOST_PLACES {
            self.places.resize(words * self.blocks, 0);
            for (column, &word) in (1..).zip(reference) {
                self.places[word as usize * self.blocks + column / 64] |= 1 << (column % 64);
            }
        }
        make_room(&mut self.rows, self.bands.len());
        make_room(&mut self.steps, self.bands.len().min(MOST_STEPS));
        self.rows[0] = Row {
            more: u64::MAX,
            ..Row::default()
        };
    }

    /// The row for the next word.
    #[inline(always)]
    fn next_row(&self, row: usize, mut above: Row, word: u32) -> (Row, Step) {
        let (band_above, band) = (self.bands[row - 1], self.bands[row]);
        let moved = band.first() - band_above.first();
        let matches =
            self.matches(word, band.first()) & lowest(band_above.end() + 1 - band.first());
        // The first cell is to come from the upper left: the cell before the window.
        above.distance += sum(&above, lowest(moved) & !1);
        above.more = above.more >> moved | !(u64::MAX >> moved);
        above.less >>= moved;
        if moved == 0 {
            above.more &= !1;
            above.less |= 1;
        }
        let Row { more, less, .. } = above;
        let vertical = matches | less;
        let carried = ((matches & more).wrapping_add(more) ^ more) | matches;
        let diagonal = carried | less;
        let below = less | !(carried | more);
        let above_is_more = more & carried;
        let distance = if moved == 0 {
            above.distance + 1
        } else {
            above.distance + 1 - (diagonal & 1).cast_signed()
        };
        let shifted = below << 1 | 1;
        let inside = lowest(band.end() - band.first());
        let next = Row {
            more: above_is_more << 1 | !(vertical | shifted) | !inside,
            less: shifted & vertical & inside,
            distance,
        };
        let step = Step {
            matches,
            diagonal,
            below,
        };
        (next, step)
    }

    /// The columns from `first` on in which the reference has a word.
    #[inline(always)]
    fn matches(&self, word: u32, first: usize) -> u64 {
        let start = word as usize * self.blocks + first / 64;
        let Some(&[low, high]) = self.places.get(start..).and_then(<[u64]>::first_chunk) else {
            // A word that the reference does not have, or a long text.
            return self.some_matches(word, first);
        };
        window(low, high, first)
    }

    /// The same as [`BitRows::matches`] if there are no places.
    #[cold]
    fn some_matches(&self, word: u32, first: usize) -> u64 {
        let places = self.positions.of(word);
        let column = |&place: &u32| place as usize + 1;
        let start = places.partition_point(|place| column(place) < first);
        let near = places[start..].iter().map(|place| column(place) - first);
        near.take_while(|&bit| bit < 64)
            .fold(0, |bits, bit| bits | 1 << bit)
    }

    /// The last cell of the last row.
    #[inline(always)]
    fn last(&self, row: &Row) -> usize {
        let first = self.bands[self.bands.len() - 1].first();
        let distance = row.distance + sum(row, lowest(self.columns - first + 1) & !1);
        usize::try_from(distance).unwrap_or(0)
    }
}

impl Rows for BitRows {
    fn compute(&mut self, hypothesis: &[u32], from: usize) -> usize {
        let mut row = self.rows[from];
        let parts = hypothesis[from..].chunks(STEPS);
        for (above, part) in (from..).step_by(STEPS).zip(parts) {
            stop_here();
            for (number, &word) in (above + 1..).zip(part) {
                let (next, step) = self.next_row(number, row, word);
                self.rows[number] = next;
                if let Some(kept) = self.steps.get_mut(number) {
                    *kept = step;
                }
                row = next;
            }
        }
        self.last(&row)
    }

    fn distance_with(
        &self,
        hypothesis: &[u32],
        from: usize,
        words: &[u32],
        distance: usize,
    ) -> usize {
        let mut row = self.rows[from];
        for (number, &word) in (from + 1..).zip(words) {
            (row, _) = self.next_row(number, row, word);
        }
        let rest = from + words.len();
        for (number, &word) in (rest + 1..).zip(&hypothesis[rest..]) {
            stop_in(number);
            let known = &self.rows[number - 1];
            // The difference before the first cell is never looked at.
            if (row.more ^ known.more) | (row.less ^ known.less) <= 1 {
                let more = row.distance - known.distance;
                return usize::try_from(distance.cast_signed() as i64 + more).unwrap_or(0);
            }
            (row, _) = self.next_row(number, row, word);
        }
        self.last(&row)
    }

    fn positions(&self) -> &Positions {
        &self.positions
    }

    fn edit(&self, hypothesis: &[u32], row: usize, column: usize) -> Edit {
        let (band_above, band) = (self.bands[row - 1], self.bands[row]);
        let step = match self.steps.get(row) {
            Some(&kept) => kept,
            None => {
                self.next_row(row, self.rows[row - 1], hypothesis[row - 1])
                    .1
            }
        };
        let bit = column - band.first();
        let has = |columns: u64| columns >> bit & 1 == 1;
        if bit == 0 && band.first() == band_above.first() {
            Edit::Deletion
        } else if column > band_above.end() {
            Edit::Insertion
        } else if has(step.matches) {
            Edit::Match
        } else if !has(step.diagonal) {
            Edit::Substitution
        } else if has(step.below) {
            Edit::Deletion
        } else {
            Edit::Insertion
        }
    }
}
