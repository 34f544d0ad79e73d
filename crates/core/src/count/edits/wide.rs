//! Rows of numbers: for a beam of any width.

use super::beam::{Band, Edit, Positions, Rows};
use crate::stop::{stop_here, stop_in};

/// The distance of a cell that cannot be reached.
const UNREACHABLE: u32 = u32::MAX / 2;

/// The computed cells of all rows.
#[derive(Debug, Default)]
pub struct WideRows {
    pub bands: Vec<Band>,
    pub positions: Positions,
    reference: Vec<u32>,
    rows: Vec<Vec<u32>>,
}

impl WideRows {
    /// Starts a pair, whose bands have been computed.
    pub fn start(&mut self, reference: &[u32]) {
        self.reference.clear();
        self.reference.extend_from_slice(reference);
        self.rows.resize_with(self.bands.len(), Vec::new);
        self.rows[0] = (0..).take(reference.len() + 1).collect();
    }

    fn cell(&self, row: usize, column: usize) -> u32 {
        cell(&self.rows[row], self.bands[row], column)
    }

    /// Computes a row from the one above.
    fn next_row(&self, row: usize, above: &[u32], word: u32, cells: &mut Vec<u32>) {
        let (band_above, band) = (self.bands[row - 1], self.bands[row]);
        cells.clear();
        let mut left = UNREACHABLE;
        for column in band.first()..band.end() {
            let from_above = cell(above, band_above, column) + 1;
            left = if column == 0 {
                from_above
            } else {
                let differs = u32::from(self.reference[column - 1] != word);
                let diagonal = cell(above, band_above, column - 1) + differs;
                diagonal.min(from_above).min(left + 1).min(UNREACHABLE)
            };
            cells.push(left);
        }
    }
}

fn cell(cells: &[u32], band: Band, column: usize) -> u32 {
    let index = column.checked_sub(band.first());
    let cell = index.and_then(|index| cells.get(index));
    cell.copied().unwrap_or(UNREACHABLE)
}

impl Rows for WideRows {
    fn compute(&mut self, hypothesis: &[u32], from: usize) -> usize {
        for (row, &word) in (from + 1..).zip(&hypothesis[from..]) {
            stop_here();
            let mut cells = std::mem::take(&mut self.rows[row]);
            self.next_row(row, &self.rows[row - 1], word, &mut cells);
            self.rows[row] = cells;
        }
        self.cell(hypothesis.len(), self.reference.len()) as usize
    }

    fn distance_with(
        &self,
        hypothesis: &[u32],
        from: usize,
        words: &[u32],
        _distance: usize,
    ) -> usize {
        let mut above = self.rows[from].clone();
        let mut cells = Vec::new();
        let rest = &hypothesis[from + words.len()..];
        for (row, &word) in (from + 1..).zip(words.iter().chain(rest)) {
            stop_in(row);
            self.next_row(row, &above, word, &mut cells);
            std::mem::swap(&mut above, &mut cells);
        }
        let last = self.bands[hypothesis.len()];
        cell(&above, last, self.reference.len()) as usize
    }

    fn positions(&self) -> &Positions {
        &self.positions
    }

    fn edit(&self, hypothesis: &[u32], row: usize, column: usize) -> Edit {
        let differs = u32::from(self.reference[column - 1] != hypothesis[row - 1]);
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
