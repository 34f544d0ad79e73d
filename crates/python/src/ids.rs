//! Token ids of many segments in arrays of any integer type: one after the other, or padded.

use std::ops::Range;

use bytemuck::NoUninit;
use pyo3::buffer::{Element, PyBuffer, PyUntypedBuffer};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::arguments::{integers, to_bytes};
use super::errors::{caught, with_message};
use super::objects;
use truebleu_core::memory;
use truebleu_core::text::Segment;
use truebleu_core::text::padding::push_unpadded;

/// A contiguous array of integers of any type, in the machine's byte order.
trait Integers {
    fn len(&self) -> usize;

    /// Copies a range of the integers.
    ///
    /// The copy is what the core reads while the interpreter is released: others may write to the
    /// array meanwhile.
    fn copy(&self, range: Range<usize>, copy: &mut [i64]) -> PyResult<()>;

    /// The integers of rows of this width that come before `end` and are none of `pads`, as bytes;
    /// and the offsets of the rows among them.
    fn unpadded(
        &self,
        py: Python<'_>,
        width: usize,
        pads: &[i128],
        end: Option<i128>,
    ) -> PyResult<Unpadded>;
}

/// Bytes of values of the same type, and of int64 offsets.
type Unpadded = (Py<PyBytes>, Py<PyBytes>);

impl<T: Element + NoUninit + PartialEq + TryInto<i64> + TryFrom<i128>> Integers for PyBuffer<T> {
    fn len(&self) -> usize {
        self.item_count()
    }

    fn copy(&self, range: Range<usize>, copy: &mut [i64]) -> PyResult<()> {
        for (copy, value) in copy.iter_mut().zip(values(self, range)?) {
            let Ok(value) = value.try_into() else {
                return Err(with_message::<PyOverflowError>(
                    "an id does not fit into 64 bits",
                ));
            };
            *copy = value;
        }
        Ok(())
    }

    fn unpadded(
        &self,
        py: Python<'_>,
        width: usize,
        pads: &[i128],
        end: Option<i128>,
    ) -> PyResult<Unpadded> {
        // An id that does not fit equals no other.
        let fitting = |&id: &i128| T::try_from(id).ok();
        let pads: Vec<T> = pads.iter().filter_map(fitting).collect();
        let end = end.as_ref().and_then(fitting);
        let (mut kept, mut offsets) = (Vec::new(), vec![0]);
        let mut row = memory::with_room(width.min(self.len()));
        let mut table = values(self, 0..self.len())?;
        while table.len() > 0 {
            row.clear();
            row.extend(table.by_ref().take(width.max(1)));
            push_unpadded(&row, &pads, end, &mut kept);
            memory::push(&mut offsets, i64::try_from(kept.len())?);
        }
        let kept = objects::copy(py, bytemuck::cast_slice(&kept))?;
        Ok((kept.unbind(), to_bytes(py, &offsets)?.unbind()))
    }
}

/// The integers in a range of a buffer.
fn values<T: Element>(
    buffer: &PyBuffer<T>,
    range: Range<usize>,
) -> PyResult<impl ExactSizeIterator<Item = T>> {
    let values = buffer.as_slice_ptr();
    let values =
        values.ok_or_else(|| with_message::<PyValueError>("a contiguous array is needed"))?;
    if range.end > values.len() {
        return Err(outside());
    }
    // SAFETY: the index is within the buffer, which is exported as long as it is borrowed, and any
    // bits are an integer. If another thread writes to the array meanwhile, what is copied is
    // undetermined, as it is for PyO3's own copies, but nothing else is.
    Ok(range.map(move |index| unsafe { values.cast::<T>().add(index).read() }))
}

/// Reads the buffer of an array.
fn read(array: &Bound<'_, PyAny>) -> PyResult<Box<dyn Integers>> {
    // PyO3 rejects unaligned pointers, and that of an empty array may be; that of bytes never is.
    let buffer = if array.len()? == 0 {
        PyUntypedBuffer::get(objects::copy(array.py(), &[])?.as_any())?
    } else {
        PyUntypedBuffer::get(array)?
    };
    macro_rules! try_types {
        ($($type:ty),*) => {$(
            if buffer.as_typed::<$type>().is_ok() {
                return Ok(Box::new(buffer.into_typed::<$type>()?));
            }
        )*};
    }
    try_types!(i64, i32, u16, u32, i16, u8, i8, u64);
    Err(with_message::<PyTypeError>(
        "an array of integers is needed",
    ))
}

/// The token ids of many segments in one array.
pub struct Ids {
    values: Box<dyn Integers>,
    offsets: Vec<usize>,
}

impl Ids {
    /// Reads an array of values, and one of int64 offsets into them.
    pub fn read(values: &Bound<'_, PyAny>, offsets: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (values, offsets) = (read(values)?, indices(offsets)?);
        if offsets.last().is_some_and(|&last| last > values.len()) || !offsets.is_sorted() {
            return Err(outside());
        }
        Ok(Self { values, offsets })
    }

    /// Number of segments.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// The size of some segments in bytes.
    pub fn weight(&self, segments: Range<usize>) -> usize {
        let offset = |segment| self.offsets.get(segment).copied().unwrap_or(0);
        size_of::<i64>() * (offset(segments.end) - offset(segments.start))
    }

    /// Copies some segments to a buffer, which grows as needed.
    pub fn segments<'a>(
        &self,
        segments: Range<usize>,
        buffer: &'a mut Vec<i64>,
    ) -> PyResult<impl ExactSizeIterator<Item = Segment<'a>>> {
        let offsets = if segments.is_empty() {
            &[]
        } else {
            let offsets = self.offsets.get(segments.start..=segments.end);
            offsets.ok_or_else(outside)?
        };
        let start = offsets.first().copied().unwrap_or(0);
        let end = offsets.last().copied().unwrap_or(0);
        if buffer.len() < end - start {
            *buffer = memory::zeros(end - start);
        }
        self.values.copy(start..end, &mut buffer[..end - start])?;
        let buffer: &'a [i64] = buffer;
        Ok(offsets
            .windows(2)
            .map(move |pair| Segment::Ids(&buffer[pair[0] - start..pair[1] - start])))
    }
}

/// The ids of a padded array with rows of this width that come before `end_of_sequence` and are none
/// of `pads`, which differ, as bytes of the same type; and the offsets of the rows among them, as
/// int64.
#[pyfunction]
#[pyo3(signature = (table, width, *, pads, end_of_sequence))]
pub fn unpadded(
    table: &Bound<'_, PyAny>,
    width: usize,
    pads: Vec<i128>,
    end_of_sequence: Option<i128>,
) -> PyResult<Unpadded> {
    let py = table.py();
    caught(py, || {
        read(table)?.unpadded(py, width, &pads, end_of_sequence)
    })
}

/// Numbers from 0 up from a contiguous int64 buffer.
pub fn indices(buffer: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    let numbers = integers(buffer)?;
    let numbers = numbers.into_iter().map(usize::try_from);
    numbers.collect::<Result<_, _>>().map_err(|_| outside())
}

fn outside() -> PyErr {
    with_message::<PyValueError>("offsets point outside the values")
}
