//! Columns of strings, or of lists of strings, in Arrow's memory layout, read without a copy.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, FixedSizeListArray, GenericListArray, GenericListViewArray, OffsetSizeTrait,
};
use arrow_schema::DataType;
use memchr::memchr2;

use super::arrow_texts::{PAST, Texts};
use super::batch::Batch;
use super::segment::Segment;
use crate::error::Error;
use crate::memory::{extend, listed, push};

/// A chunked column of strings, or of lists of strings. All of them may be null.
#[derive(Debug, Default)]
pub struct Column {
    chunks: Vec<Chunk>,
    /// The number of rows up to the end of each chunk.
    ends: Vec<usize>,
    arrays: Vec<ArrayRef>,
}

/// A chunk of strings, or of lists of strings.
#[derive(Debug)]
enum Chunk {
    Texts(Texts),
    /// The range of each row's texts, or None for a null row.
    Lists(Vec<Option<Range<usize>>>, Texts),
}

impl Column {
    /// Appends a chunk.
    ///
    /// # Errors
    ///
    /// [`Error::WrongType`] if it is not text, [`Error::BadColumn`] if its offsets are invalid.
    pub fn push(&mut self, array: &ArrayRef) -> Result<(), Error> {
        let chunk = match array.data_type() {
            DataType::List(_) => lists(array.as_list::<i32>())?,
            DataType::LargeList(_) => lists(array.as_list::<i64>())?,
            DataType::ListView(_) => list_views(array.as_list_view::<i32>())?,
            DataType::LargeListView(_) => list_views(array.as_list_view::<i64>())?,
            DataType::FixedSizeList(..) => fixed_size_lists(array.as_fixed_size_list())?,
            _ => Chunk::Texts(Texts::new(array)?),
        };
        self.ends.push(self.len() + array.len());
        self.chunks.push(chunk);
        self.arrays.push(Arc::clone(array));
        Ok(())
    }

    /// The array that was appended, if it is one.
    #[must_use]
    pub fn array(&self) -> Option<&ArrayRef> {
        match &*self.arrays {
            [array] => Some(array),
            _ => None,
        }
    }

    /// Validates all texts.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidUtf8`] (with the row as the line, from 1) if a text is not valid UTF-8,
    /// [`Error::BadColumn`] if its offsets are invalid.
    pub fn check(&self) -> Result<(), Error> {
        let mut before = 0;
        for (chunk, &end) in self.chunks.iter().zip(&self.ends) {
            let (Chunk::Texts(texts) | Chunk::Lists(_, texts)) = chunk;
            texts.check().map_err(|error| match error {
                Error::InvalidUtf8 { line, byte } => Error::InvalidUtf8 {
                    line: before + chunk.row_of(line),
                    byte,
                },
                other => other,
            })?;
            before = end as u64;
        }
        Ok(())
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Whether the column has no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether rows are lists.
    #[must_use]
    pub fn has_lists(&self) -> bool {
        matches!(self.chunks.first(), Some(Chunk::Lists(..)))
    }

    /// The texts of each row from `start` on: none for a null row, any number for a list.
    pub fn rows(&self, start: usize) -> impl Iterator<Item = Row<'_>> {
        let first = self.ends.partition_point(|&end| end <= start);
        let skipped = start - first.checked_sub(1).map_or(0, |before| self.ends[before]);
        let chunks = self.chunks[first.min(self.chunks.len())..].iter();
        chunks.enumerate().flat_map(move |(index, chunk)| {
            let skipped = if index == 0 { skipped } else { 0 };
            (skipped..chunk.len()).map(move |row| chunk.row(row))
        })
    }

    /// The texts as lines of a file; a line break within a text is a space, and a null an empty line.
    #[must_use]
    pub fn lines(&self) -> Vec<u8> {
        let mut lines = Vec::new();
        for text in self.rows(0).map(|row| row.texts().next()) {
            let mut parts = text.unwrap_or_default();
            while let Some(at) = memchr2(b'\n', b'\r', parts) {
                extend(&mut lines, &parts[..at]);
                push(&mut lines, b' ');
                parts = &parts[at + 1 + usize::from(parts[at..].starts_with(b"\r\n"))..];
            }
            extend(&mut lines, parts);
            push(&mut lines, b'\n');
        }
        lines
    }

    /// The first row that is null or contains a null.
    #[must_use]
    pub fn first_null(&self) -> Option<usize> {
        self.rows(0).position(|row| !row.is_complete())
    }
}

/// The texts of one row.
#[derive(Clone, Debug)]
pub struct Row<'a> {
    texts: &'a Texts,
    range: Range<usize>,
    null: bool,
}

impl<'a> Row<'a> {
    /// The texts that are not null.
    pub fn texts(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let texts = self.texts;
        self.range.clone().filter_map(|index| texts.get(index))
    }

    /// All texts, with None for nulls.
    pub fn items(&self) -> impl Iterator<Item = Option<&'a [u8]>> + use<'a> {
        let texts = self.texts;
        self.range.clone().map(|index| texts.get(index))
    }

    /// Whether neither the row nor any of its texts is null.
    fn is_complete(&self) -> bool {
        !self.null && self.items().all(|text| text.is_some())
    }
}

impl Chunk {
    fn len(&self) -> usize {
        match self {
            Self::Texts(texts) => texts.len(),
            Self::Lists(rows, _) => rows.len(),
        }
    }

    fn row(&self, row: usize) -> Row<'_> {
        let (texts, range) = match self {
            Self::Texts(texts) => (texts, Some(row..row + 1)),
            Self::Lists(rows, texts) => (texts, rows[row].clone()),
        };
        let null = range.is_none();
        Row {
            texts,
            range: range.unwrap_or(0..0),
            null,
        }
    }

    /// The row that contains a text. Both count from 1.
    fn row_of(&self, text: u64) -> u64 {
        let Self::Lists(rows, _) = self else {
            return text;
        };
        let holds =
            |range: &Range<usize>| (range.start as u64..range.end as u64).contains(&(text - 1));
        let row = rows.iter().position(|row| row.as_ref().is_some_and(holds));
        1 + row.unwrap_or(0) as u64
    }
}

fn lists<O: OffsetSizeTrait>(array: &GenericListArray<O>) -> Result<Chunk, Error> {
    let ends = array.value_offsets().windows(2);
    let ranges = ends.map(|ends| ends[0].as_usize()..ends[1].as_usize());
    ranges_of(array, array.values(), ranges)
}

fn list_views<O: OffsetSizeTrait>(array: &GenericListViewArray<O>) -> Result<Chunk, Error> {
    let rows = array.offsets().iter().zip(array.sizes().iter());
    // Negative numbers become large ones.
    let ranges = rows.map(|(start, size)| {
        let start = start.as_usize();
        start..start.saturating_add(size.as_usize())
    });
    ranges_of(array, array.values(), ranges)
}

fn fixed_size_lists(array: &FixedSizeListArray) -> Result<Chunk, Error> {
    let size = usize::try_from(array.value_length()).map_err(|_| Error::BadColumn(PAST))?;
    let ranges = (0..array.len()).map(|row| row * size..(row + 1) * size);
    ranges_of(array, array.values(), ranges)
}

/// Lists of the texts in these ranges of `values`, one for each row of `array`.
fn ranges_of(
    array: &dyn Array,
    values: &ArrayRef,
    ranges: impl Iterator<Item = Range<usize>>,
) -> Result<Chunk, Error> {
    let ranges = ranges.enumerate();
    let mut rows = listed(ranges.map(|(row, range)| array.is_valid(row).then_some(range)));
    // In a slice of a table, only the visible part is validated.
    let (mut first, mut last) = (values.len(), 0);
    for range in rows.iter().flatten() {
        if range.start > range.end || range.end > values.len() {
            return Err(Error::BadColumn(PAST));
        }
        if !range.is_empty() {
            first = first.min(range.start);
            last = last.max(range.end);
        }
    }
    let first = first.min(last);
    let texts = Texts::new(&values.slice(first, last - first))?;
    for range in rows.iter_mut().flatten() {
        // An empty list may be anywhere.
        *range = range.start.saturating_sub(first)..range.end.saturating_sub(first);
    }
    Ok(Chunk::Lists(rows, texts))
}

/// A batch of rows of a column of hypotheses and of columns of references.
///
/// A null hypothesis has no tokens. A null reference is skipped.
#[must_use]
pub fn batch<'a>(
    hypotheses: &'a Column,
    references: &[&'a Column],
    range: Range<usize>,
) -> Batch<'a> {
    let mut batch = Batch::with_capacity(range.len());
    let mut columns: Vec<_> = references.iter().map(|c| c.rows(range.start)).collect();
    for hypothesis in hypotheses.rows(range.start).take(range.len()) {
        let hypothesis = hypothesis.texts().next().unwrap_or_default();
        let references = columns.iter_mut().filter_map(Iterator::next);
        let references = references.flat_map(|row| row.texts());
        batch.push(Segment::Utf8(hypothesis), references.map(Segment::Utf8));
    }
    batch
}
