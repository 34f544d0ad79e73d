//! The columns of a batch, text by text.

use std::sync::Arc;

use arrow_array::{ArrayRef, ListArray, NullArray, StringArray};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field};

use crate::error::Error;
use crate::memory::{extend, push};
use crate::text::arrow::Column;

/// Maximum number of rows of a batch.
pub(super) const ROWS: usize = 1 << 16;

/// A batch of at least so many bytes is full.
pub(super) const BYTES: usize = 1 << 24;

/// Maximum number of bytes of a row, so that those of a batch can be counted in 32 bits.
const LONGEST: usize = 1 << 30;

/// The rows of a batch.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) columns: Vec<Texts>,
    pub(super) rows: usize,
    /// Maximum number of bytes of a row.
    pub(super) longest: usize,
}

impl Batch {
    /// No rows, each of at most so many bytes.
    pub(super) fn new(columns: Vec<Texts>, longest: usize) -> Self {
        Self {
            columns,
            rows: 0,
            longest: longest.min(LONGEST),
        }
    }

    /// Takes the columns of all rows.
    pub(super) fn take(&mut self) -> Result<Vec<Column>, Error> {
        let rows = std::mem::take(&mut self.rows);
        let columns = self.columns.iter_mut();
        columns.map(|column| column.take(rows)).collect()
    }

    /// Whether there is no room for another row.
    pub(super) fn is_full(&self) -> bool {
        self.rows >= ROWS || self.columns.iter().map(Texts::size).sum::<usize>() >= BYTES
    }
}

/// The error of a row.
pub(super) fn bad_row(line: u64, problem: &'static str, value: String) -> Error {
    Error::BadRow {
        line,
        column: None,
        problem,
        value,
    }
}

/// What the rows of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Not known, as all were null so far.
    Unknown,
    /// Texts.
    Texts,
    /// Lists of texts.
    Lists,
}

/// A column that grows.
#[derive(Debug)]
pub struct Texts {
    /// What its rows are.
    pub(super) kind: Kind,
    bytes: Vec<u8>,
    /// Where each text ends.
    ends: Ends,
    /// Where each list of texts ends, in `ends`.
    lists: Ends,
}

impl Texts {
    /// A column of this kind.
    #[must_use]
    pub fn new(kind: Kind) -> Self {
        Self {
            kind,
            bytes: Vec::new(),
            ends: Ends::default(),
            lists: Ends::default(),
        }
    }

    /// About how many bytes it takes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.len() + 4 * (self.ends.len() + self.lists.len())
    }

    /// The text that has been begun, and all before it.
    pub fn bytes(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Appends to the text that has been begun.
    #[inline]
    pub fn append(&mut self, part: &[u8]) {
        extend(&mut self.bytes, part);
    }

    /// Ends the text that has been begun.
    ///
    /// # Errors
    ///
    /// [`Error::Internal`] if it is larger than 32 bits can count.
    #[inline]
    pub fn end_text(&mut self) -> Result<(), Error> {
        self.ends.push(Some(self.bytes.len()))
    }

    /// Appends a null to the list that has been begun.
    ///
    /// # Errors
    ///
    /// [`Error::Internal`] if it is larger than 32 bits can count.
    pub fn null_text(&mut self) -> Result<(), Error> {
        self.ends.push(None)
    }

    /// Ends the list that has been begun.
    ///
    /// # Errors
    ///
    /// [`Error::Internal`] if it is larger than 32 bits can count.
    pub fn end_list(&mut self) -> Result<(), Error> {
        self.lists.push(Some(self.ends.len()))
    }

    /// Appends a row that is null.
    ///
    /// # Errors
    ///
    /// [`Error::Internal`] if it is larger than 32 bits can count.
    pub fn null_row(&mut self) -> Result<(), Error> {
        match self.kind {
            Kind::Unknown => Ok(()),
            Kind::Texts => self.ends.push(None),
            Kind::Lists => self.lists.push(None),
        }
    }

    /// Lets the rows be of this kind, after so many nulls.
    ///
    /// # Errors
    ///
    /// [`Error::Internal`] if it is larger than 32 bits can count.
    pub fn become_known(&mut self, kind: Kind, nulls: usize) -> Result<(), Error> {
        self.kind = kind;
        (0..nulls).try_for_each(|_| self.null_row())
    }

    /// Takes all rows.
    ///
    /// # Errors
    ///
    /// [`Error::Internal`] if it is larger than 32 bits can count, or invalid.
    pub fn take(&mut self, rows: usize) -> Result<Column, Error> {
        let Self {
            kind,
            bytes,
            ends,
            lists,
        } = std::mem::replace(self, Self::new(self.kind));
        let texts = |ends: Ends| {
            let (offsets, nulls) = ends.finished();
            StringArray::try_new(offsets, Buffer::from_vec(bytes), nulls)
        };
        let array: ArrayRef = match kind {
            Kind::Unknown => Arc::new(NullArray::new(rows)),
            Kind::Texts => Arc::new(texts(ends).map_err(|_| Error::Internal)?),
            Kind::Lists => {
                let texts = texts(ends).map_err(|_| Error::Internal)?;
                let field = Arc::new(Field::new_list_field(DataType::Utf8, true));
                let (offsets, nulls) = lists.finished();
                let lists = ListArray::try_new(field, offsets, Arc::new(texts), nulls);
                Arc::new(lists.map_err(|_| Error::Internal)?)
            }
        };
        let mut column = Column::default();
        column.push(&array)?;
        Ok(column)
    }
}

/// Where items end, and which of them are null.
#[derive(Debug, Default)]
struct Ends {
    /// A zero, and where each ends.
    offsets: Vec<i32>,
    /// A bit for each that is not null.
    valid: Vec<u8>,
    nulls: usize,
}

impl Ends {
    fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Adds an item that ends there; None is a null.
    #[inline]
    fn push(&mut self, end: Option<usize>) -> Result<(), Error> {
        let number = self.len();
        if self.offsets.is_empty() {
            push(&mut self.offsets, 0);
        }
        if number.is_multiple_of(8) {
            push(&mut self.valid, 0);
        }
        let last = self.offsets[number];
        // What a row may have and what makes a batch full are less than that together.
        let end = end.map(i32::try_from).transpose();
        let end = end.map_err(|_| Error::Internal)?;
        push(&mut self.offsets, end.unwrap_or(last));
        self.valid[number / 8] |= u8::from(end.is_some()) << (number % 8);
        self.nulls += usize::from(end.is_none());
        Ok(())
    }

    fn finished(mut self) -> (OffsetBuffer<i32>, Option<NullBuffer>) {
        let count = self.len();
        if self.offsets.is_empty() {
            push(&mut self.offsets, 0);
        }
        let nulls = (self.nulls > 0).then(|| {
            let bits = BooleanBuffer::new(Buffer::from_vec(self.valid), 0, count);
            NullBuffer::new(bits)
        });
        (OffsetBuffer::new(ScalarBuffer::from(self.offsets)), nulls)
    }
}
