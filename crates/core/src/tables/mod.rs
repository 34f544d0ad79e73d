//! Tables in files of text, CSV, TSV and JSON Lines, as columns in Arrow's layout.
//!
//! Rows are read from [`Lines`], which are UTF-8 and have numbers, so every error has a line. All
//! cells are text, and no types are guessed. Only the columns that are asked for are kept.
//!
//! Neither form is read by a crate. `csv-core` accepts a quote that is never closed, and text after
//! a closing one. `serde_json` accepts a key twice, and refuses what Python's `json` reads in fields
//! that nobody asks for: NaN, 1e999, half a surrogate pair, and more than 128 levels.

mod columns;
mod json;
mod literals;
mod objects;
mod separated;

use crate::error::{Error, Pause};
use crate::text::arrow::Column;
use crate::text::lines::Lines;

use columns::Batch;
pub use columns::{Kind, Texts};
pub use json::Json;
pub use separated::Separated;

/// Number of bytes that are read between two calls of a [`Pause`].
const BETWEEN_PAUSES: usize = 1 << 22;

/// How lines become rows.
#[derive(Debug)]
enum Form {
    Separated(Separated),
    Json(Json),
}

/// Reads the rows of a table in batches.
#[derive(Debug)]
pub struct Rows {
    form: Form,
    batch: Batch,
}

impl Rows {
    /// The rows of CSV or TSV. A row of more than `longest` bytes is refused.
    #[must_use]
    pub fn separated(form: Separated, longest: usize) -> Self {
        let columns = form.columns();
        Self::new(Form::Separated(form), columns, longest)
    }

    /// The rows of JSON Lines.
    #[must_use]
    pub fn json(form: Json, longest: usize) -> Self {
        let columns = form.columns();
        Self::new(Form::Json(form), columns, longest)
    }

    fn new(form: Form, columns: Vec<Texts>, longest: usize) -> Self {
        let batch = Batch::new(columns, longest);
        Self { form, batch }
    }

    /// Reads lines that are ready, and drops them; stops when the batch is full, and returns whether
    /// it is.
    ///
    /// # Errors
    ///
    /// [`Error::BadRow`] if a row cannot be read, and those of `pause`.
    pub fn push(&mut self, lines: &mut Lines, pause: Pause<'_>) -> Result<bool, Error> {
        let (mut read, mut since_pause) = (0, 0);
        let mut number = lines.dropped() as u64;
        for line in lines.iter() {
            if self.batch.is_full() {
                break;
            }
            (read, number) = (read + 1, number + 1);
            match &mut self.form {
                Form::Separated(form) => form.read(line, number, &mut self.batch)?,
                Form::Json(form) => form.read(line, number, &mut self.batch, pause)?,
            }
            since_pause += line.len() + 1;
            if since_pause >= BETWEEN_PAUSES {
                pause()?;
                since_pause = 0;
            }
        }
        lines.drop_front(read);
        Ok(self.batch.is_full())
    }

    /// Ends the table.
    ///
    /// # Errors
    ///
    /// [`Error::BadRow`] if a quote is open.
    pub fn finish(&self) -> Result<(), Error> {
        match &self.form {
            Form::Separated(form) => form.finish(),
            Form::Json(_) => Ok(()),
        }
    }

    /// Number of rows that have been read since the last batch was taken.
    #[must_use]
    pub fn len(&self) -> usize {
        self.batch.rows
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// For each column of JSON whether any row so far has it.
    #[must_use]
    pub fn seen(&self) -> &[bool] {
        match &self.form {
            Form::Separated(_) => &[],
            Form::Json(form) => form.seen(),
        }
    }

    /// Takes the columns of the rows that have been read.
    ///
    /// # Errors
    ///
    /// [`Error::Internal`] if they are no valid columns, which is a bug.
    pub fn take(&mut self) -> Result<Vec<Column>, Error> {
        self.batch.take()
    }
}

#[cfg(test)]
mod tests {
    use super::columns::{BYTES, ROWS};
    use super::*;

    /// A batch that is full is taken before more is read.
    #[test]
    fn batches() {
        let mut rows = Rows::separated(Separated::new(b'\t', false, false, Some(&[1])), 1 << 26);
        let mut lines = Lines::default();
        let long = format!("a\t{}\n", "x".repeat(BYTES / 2));
        lines.push(long.repeat(3).as_bytes()).expect("UTF-8");
        let mut sizes = Vec::new();
        while rows.push(&mut lines, &|| Ok(())).expect("rows") {
            sizes.push(rows.take().expect("columns")[0].len());
        }
        assert_eq!((sizes, rows.len()), (vec![2], 1));
        rows.take().expect("columns");
        lines
            .push("a\tb\n".repeat(ROWS + 1).as_bytes())
            .expect("UTF-8");
        assert!(rows.push(&mut lines, &|| Ok(())).expect("rows"));
        assert_eq!((rows.len(), lines.available()), (ROWS, 1));
        let long = format!("{}\tb\n", "a".repeat(BETWEEN_PAUSES));
        rows.take().expect("columns");
        lines.push(long.as_bytes()).expect("UTF-8");
        let stopped = rows.push(&mut lines, &|| Err(Error::Interrupted));
        assert_eq!(stopped, Err(Error::Interrupted));
    }
}
