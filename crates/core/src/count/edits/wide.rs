//! Rows of numbers: for a beam of any width.

use std::ops::Range;

use super::beam::{Band, Bands, Columns, Edit, Rows};
use crate::memory::{listed, reserve};
use crate::stop::{stop_here, stop_in};

/// The distance of a cell that cannot be reached.
const UNREACHABLE: u32 = u32::MAX / 2;

/// The computed cells of all rows.
#[derive(Debug, Default)]
pub struct WideRows {
    bands: Bands,
    columns: usize,
    rows: Vec<Vec<u32>>,
}

impl WideRows {
    /// Starts a pair.
    pub fn start(&mut self, bands: Bands, [hypothesis, reference]: [usize; 2]) {
        self.bands = bands;
        self.columns = reference;
        let more = (hypothesis + 1).saturating_sub(self.rows.len());
        reserve(&mut self.rows, more);
        self.rows.resize_with(hypothesis + 1, Vec::new);
        self.rows[0] = listed((0..).take(reference + 1));
    }

    fn cell(&self, row: usize, column: usize) -> u32 {
        cell(&self.rows[row], self.bands.of(row), column)
    }

    /// Computes a row from the one above.
    fn next_row(
        &self,
        reference: &Columns,
        row: usize,
        above: &[u32],
        word: u32,
        cells: &mut Vec<u32>,
    ) {
        let (band_above, band) = (self.bands.of(row - 1), self.bands.of(row));
        cells.clear();
        reserve(cells, band.end - band.first);
        let mut left = UNREACHABLE;
        for (column, &other) in (band.first..band.end).zip(reference.from(band.first)) {
            let from_above = cell(above, band_above, column) + 1;
            left = if column == 0 {
                from_above
            } else {
                let differs = u32::from(other != word);
                let diagonal = cell(above, band_above, column - 1) + differs;
                diagonal.min(from_above).min(left + 1).min(UNREACHABLE)
            };
            cells.push(left);
        }
    }
}

fn cell(cells: &[u32], band: Band, column: usize) -> u32 {
    let index = column.checked_sub(band.first);
    let cell = index.and_then(|index| cells.get(index));
    cell.copied().unwrap_or(UNREACHABLE)
}

impl Rows for WideRows {
    fn compute(&mut self, reference: &Columns, hypothesis: &[u32], changed: Range<usize>) -> usize {
        let from = changed.start;
        for (row, &word) in (from + 1..).zip(&hypothesis[from..]) {
            stop_here();
            let mut cells = std::mem::take(&mut self.rows[row]);
            self.next_row(reference, row, &self.rows[row - 1], word, &mut cells);
            self.rows[row] = cells;
        }
        self.cell(hypothesis.len(), self.columns) as usize
    }

    fn distance_with(
        &self,
        reference: &Columns,
        hypothesis: &[u32],
        from: usize,
        words: &[u32],
        _distance: usize,
    ) -> usize {
        let mut above = listed(self.rows[from].iter().copied());
        let mut cells = Vec::new();
        let rest = &hypothesis[from + words.len()..];
        for (row, &word) in (from + 1..).zip(words.iter().chain(rest)) {
            stop_in(row);
            self.next_row(reference, row, &above, word, &mut cells);
            std::mem::swap(&mut above, &mut cells);
        }
        let last = self.bands.of(hypothesis.len());
        cell(&above, last, self.columns) as usize
    }

    fn edit(&self, row: usize, column: usize, matches: bool) -> Edit {
        let differs = u32::from(!matches);
        let distance = self.cell(row, column);
        if self.cell(row - 1, column - 1) + differs == distance {
            [Edit::Match, Edit::Substitution][differs as usize]
        } else if self.cell(row - 1, column) + 1 == distance {
            Edit::Deletion
        } else {
            Edit::Insertion
        }
    }
}
