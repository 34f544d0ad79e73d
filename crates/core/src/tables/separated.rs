//! CSV with quotes, and TSV without.

use memchr::memchr;

use super::columns::{Batch, Kind, Texts, bad_row};
use crate::error::Error;
use crate::memory::{reserve_exact, with_room};

const QUOTE: u8 = b'"';

/// Reads cells between separators.
///
/// A cell that begins with a quote ends with the next one that is not doubled, and may have line
/// breaks, each of which becomes a line feed. Empty lines outside of quotes are skipped.
#[derive(Debug)]
pub struct Separated {
    separator: u8,
    quoted: bool,
    /// Whether the first row has the names of columns.
    header: bool,
    /// The column that each cell goes to; None if a row is a list of its cells.
    places: Option<Vec<Option<usize>>>,
    /// Number of cells of the first row, 0 before it.
    cells: usize,
    row: Row,
}

/// The row that is being read.
#[derive(Debug, Default)]
struct Row {
    /// The line that it begins on.
    line: u64,
    /// Number of cells so far.
    cells: usize,
    /// Number of bytes of it that were kept so far.
    bytes: usize,
    /// The line of the quote that is open, or 0.
    open: u64,
}

impl Separated {
    /// Reads the cells with these numbers, from 0 on, each once; or all, as a column of lists.
    #[must_use]
    pub fn new(separator: u8, quoted: bool, header: bool, places: Option<&[usize]>) -> Self {
        let places = places.map(|places| {
            let count = places.iter().max().map_or(0, |&last| last + 1);
            let mut columns = with_room(count);
            columns.resize(count, None);
            for (column, &place) in places.iter().enumerate() {
                columns[place] = Some(column);
            }
            columns
        });
        Self {
            separator,
            quoted,
            header,
            places,
            cells: 0,
            row: Row::default(),
        }
    }

    /// The columns to fill.
    pub(super) fn columns(&self) -> Vec<Texts> {
        let Some(places) = &self.places else {
            return vec![Texts::new(Kind::Lists)];
        };
        let count = places.iter().flatten().count();
        let mut columns = Vec::new();
        reserve_exact(&mut columns, count);
        columns.resize_with(count, || Texts::new(Kind::Texts));
        columns
    }

    /// Reads a line.
    pub(super) fn read(
        &mut self,
        line: &[u8],
        number: u64,
        batch: &mut Batch,
    ) -> Result<(), Error> {
        let mut rest = line;
        if self.row.open > 0 {
            self.keep(b"\n", batch)?;
        } else if line.is_empty() {
            return Ok(());
        } else {
            self.row = Row {
                line: number,
                ..Row::default()
            };
        }
        loop {
            if self.row.open == 0 && self.quoted && rest.first() == Some(&QUOTE) {
                self.row.open = number;
                rest = &rest[1..];
            }
            let stop = if self.row.open > 0 {
                QUOTE
            } else {
                self.separator
            };
            let Some(at) = memchr(stop, rest) else {
                self.keep(rest, batch)?;
                if self.row.open > 0 {
                    return Ok(());
                }
                self.end_cell(batch)?;
                break;
            };
            let (part, after) = (&rest[..at], &rest[at + 1..]);
            if self.row.open == 0 {
                self.keep(part, batch)?;
                rest = after;
            } else if after.first() == Some(&QUOTE) {
                self.keep(&rest[..=at], batch)?;
                rest = &after[1..];
                continue;
            } else {
                self.keep(part, batch)?;
                let opened = std::mem::take(&mut self.row.open);
                match after.split_first() {
                    None => {
                        self.end_cell(batch)?;
                        break;
                    }
                    Some((&byte, after)) if byte == self.separator => rest = after,
                    Some(_) => return Err(bad_row(number, "after quote", opened.to_string())),
                }
            }
            self.end_cell(batch)?;
        }
        self.end_row(line, batch)
    }

    /// The column that the present cell goes to.
    #[inline]
    fn column(&self) -> Option<usize> {
        if self.header {
            return None;
        }
        match &self.places {
            None => Some(0),
            Some(places) => places.get(self.row.cells).copied().flatten(),
        }
    }

    #[inline]
    fn keep(&mut self, part: &[u8], batch: &mut Batch) -> Result<(), Error> {
        if let Some(column) = self.column() {
            self.row.bytes += part.len();
            if self.row.bytes > batch.longest {
                return Err(bad_row(self.row.line, "long", batch.longest.to_string()));
            }
            batch.columns[column].append(part);
        }
        Ok(())
    }

    #[inline]
    fn end_cell(&mut self, batch: &mut Batch) -> Result<(), Error> {
        if let Some(column) = self.column() {
            batch.columns[column].end_text()?;
        }
        self.row.cells += 1;
        Ok(())
    }

    fn end_row(&mut self, last_line: &[u8], batch: &mut Batch) -> Result<(), Error> {
        let Row { line, cells, .. } = self.row;
        if self.cells == 0 {
            self.cells = cells;
        }
        if cells != self.cells {
            if cells == 1 && last_line.trim_ascii().is_empty() {
                return Err(bad_row(line, "empty", String::new()));
            }
            return Err(bad_row(line, "cells", format!("{cells} {}", self.cells)));
        }
        if std::mem::take(&mut self.header) {
            return Ok(());
        }
        if self.places.is_none() {
            batch.columns[0].end_list()?;
        }
        batch.rows += 1;
        Ok(())
    }

    /// Ends the table.
    pub(super) fn finish(&self) -> Result<(), Error> {
        match self.row.open {
            0 => Ok(()),
            line => Err(bad_row(line, "open quote", String::new())),
        }
    }
}
