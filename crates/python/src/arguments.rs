//! Conversion between Python objects and the core's types.

use std::borrow::Cow;
use std::ops::Range;

use bytemuck::Zeroable;
use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::critical_section::with_critical_section;
use pyo3::types::string::PyStringData;
use pyo3::types::{PyBool, PyBytes, PyInt, PyList, PyString, PyTuple};

use super::errors::{OrRaise, caught, exception, made, with_message};
use super::objects::to_str;
use truebleu_core::error::{Error, catch_panic};
use truebleu_core::memory;
use truebleu_core::text::{Batch, Form, Scratch, Segment};

/// Prefetches the beginning of a string in a list, which will be read soon.
///
/// Strings are scattered over memory; waiting for each would take longer than reading it.
#[inline]
pub fn prefetch(list: &Bound<'_, PyList>, index: usize) {
    // No other thread changes the list meanwhile. With a GIL, the critical section does nothing.
    let item = with_critical_section(list, || {
        if index >= list.len() {
            return std::ptr::null_mut();
        }
        // SAFETY: the index is within the list, and no other thread can change the list.
        unsafe { ffi::PyList_GET_ITEM(list.as_ptr(), index.cast_signed()) }
    });
    for line in 0..PREFETCH_LINES {
        truebleu_core::text::prefetch(item.cast::<u8>().wrapping_add(64 * line));
    }
}

/// Cache lines to prefetch: the header of a str, and half of a short sentence.
const PREFETCH_LINES: usize = 3;

/// A batch of strings, kept alive while the core reads them.
pub struct Held<'py> {
    owners: Vec<Bound<'py, PyString>>,
    /// Borrows from `owners`, despite its lifetime; see [`Held::batch`].
    batch: Batch<'static>,
    /// The texts of the segment being added.
    hypotheses: Vec<Segment<'static>>,
    references: Vec<Segment<'static>>,
}

impl<'py> Held<'py> {
    /// An empty batch of several systems, with room for `segments` segments.
    pub fn with_capacity(systems: usize, segments: usize) -> Self {
        Self {
            owners: memory::with_room((systems + 1) * segments),
            batch: Batch::of_systems(systems, segments),
            hypotheses: Vec::new(),
            references: Vec::new(),
        }
    }

    /// A batch of one hypothesis without references.
    pub fn one(text: &Bound<'py, PyAny>) -> PyResult<Self> {
        let mut held = Self::with_capacity(1, 1);
        held.push(text.clone(), PyTuple::empty(text.py()).into_any())?;
        Ok(held)
    }

    /// Adds a segment of one system: a str, and its references.
    pub fn push(
        &mut self,
        hypothesis: Bound<'py, PyAny>,
        references: Bound<'py, PyAny>,
    ) -> PyResult<()> {
        self.hypothesis(hypothesis)?;
        self.references(references)
    }

    /// Begins a segment: adds the str of the next system.
    #[inline]
    pub fn hypothesis(&mut self, hypothesis: Bound<'py, PyAny>) -> PyResult<()> {
        let hypothesis = self.hold(hypothesis)?;
        memory::push(&mut self.hypotheses, hypothesis);
        Ok(())
    }

    /// Completes a segment: its references are a str or a list or tuple of str and None.
    #[inline]
    pub fn references(&mut self, references: Bound<'py, PyAny>) -> PyResult<()> {
        if references.is_instance_of::<PyString>() {
            let reference = self.hold(references)?;
            self.batch
                .push_systems(self.hypotheses.drain(..), [reference]);
            return Ok(());
        }
        self.references.clear();
        if let Ok(references) = references.cast::<PyList>() {
            self.hold_all(references.iter())?;
        } else if let Ok(references) = references.cast::<PyTuple>() {
            self.hold_all(references.iter())?;
        } else {
            return Err(with_message::<PyTypeError>(
                "references must be a str, a list or a tuple",
            ));
        }
        self.batch
            .push_systems(self.hypotheses.drain(..), self.references.drain(..));
        Ok(())
    }

    fn hold_all(&mut self, references: impl Iterator<Item = Bound<'py, PyAny>>) -> PyResult<()> {
        for reference in references {
            if !reference.is_none() {
                let reference = self.hold(reference)?;
                memory::push(&mut self.references, reference);
            }
        }
        Ok(())
    }

    /// Keeps a str alive and borrows its characters.
    fn hold(&mut self, text: Bound<'py, PyAny>) -> PyResult<Segment<'static>> {
        let text = text.cast_into::<PyString>()?;
        // SAFETY: the characters are alive as long as `owners`, and segments are accessible only
        // through a borrow of `self`.
        let segment = unsafe { forever(segment(&text)?) };
        memory::push(&mut self.owners, text);
        Ok(segment)
    }

    /// The batch as the core reads it.
    pub fn batch(&self) -> &Batch<'_> {
        &self.batch
    }
}

/// The characters of a str.
pub fn segment<'a>(text: &'a Bound<'_, PyString>) -> PyResult<Segment<'a>> {
    // SAFETY: the characters of a str neither change nor move while it is alive.
    Ok(match unsafe { text.data()? } {
        PyStringData::Ucs1(text) => Segment::Latin1(text),
        PyStringData::Ucs2(text) => Segment::Ucs2(text),
        PyStringData::Ucs4(text) => Segment::Ucs4(text),
    })
}

/// A segment with its lifetime extended.
///
/// # Safety
///
/// The text must outlive the result.
unsafe fn forever(segment: Segment<'_>) -> Segment<'static> {
    // SAFETY: the two types differ only in the lifetime, and the text lives long enough by the
    // caller's promise.
    unsafe { std::mem::transmute(segment) }
}

/// Integers as little-endian bytes.
pub fn to_bytes<'py>(py: Python<'py>, numbers: &[i64]) -> PyResult<Bound<'py, PyBytes>> {
    bytes_of(py, numbers, i64::to_le_bytes)
}

/// Floats as little-endian bytes.
pub fn floats<'py>(py: Python<'py>, numbers: &[f64]) -> PyResult<Bound<'py, PyBytes>> {
    bytes_of(py, numbers, f64::to_le_bytes)
}

fn bytes_of<'py, T: Copy>(
    py: Python<'py>,
    numbers: &[T],
    convert: impl Fn(T) -> [u8; 8],
) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, 8 * numbers.len(), |bytes| {
        let (bytes, _) = bytes.as_chunks_mut();
        for (bytes, &number) in bytes.iter_mut().zip(numbers) {
            *bytes = convert(number);
        }
        Ok(())
    })
}

/// Integers from little-endian bytes, which are copied only if they must be.
pub fn from_bytes(bytes: &[u8]) -> PyResult<Cow<'_, [i64]>> {
    if cfg!(target_endian = "little")
        && let Ok(numbers) = bytemuck::try_cast_slice(bytes)
    {
        return Ok(Cow::Borrowed(numbers));
    }
    let (numbers, []) = bytes.as_chunks() else {
        return Err(exception(Error::BadTable));
    };
    let numbers = numbers.iter().map(|bytes| i64::from_le_bytes(*bytes));
    catch_panic(|| Ok(Cow::Owned(memory::listed(numbers)))).or_raise()
}

/// Integers from a contiguous int64 buffer.
pub fn integers(buffer: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    // The pointer of an empty array may be unaligned, which PyO3 rejects.
    if buffer.len()? == 0 {
        return Ok(Vec::new());
    }
    copied(buffer.py(), &PyBuffer::get(buffer)?)
}

/// The numbers in a buffer.
pub fn copied<T: Element + Zeroable>(py: Python<'_>, buffer: &PyBuffer<T>) -> PyResult<Vec<T>> {
    caught(py, || {
        let mut numbers = memory::zeros(buffer.item_count());
        buffer.copy_to_slice(py, &mut numbers)?;
        Ok(numbers)
    })
}

/// The items of a list; where `PyO3` converts it, too little memory ends the process.
pub fn items<'py, T>(list: &Bound<'py, PyList>) -> PyResult<Vec<T>>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    caught(list.py(), || {
        let mut items = memory::with_room(list.len());
        for item in list {
            memory::push(&mut items, item.extract()?);
        }
        Ok(items)
    })
}

/// The numbers in lists of int and bool as one array of values and one of offsets, both
/// little-endian int64; None if there is anything else in them, or a number does not fit or is
/// negative.
#[pyfunction]
pub fn whole_numbers<'py>(
    lists: &Bound<'py, PyList>,
) -> PyResult<Option<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)>> {
    let py = lists.py();
    caught(py, || {
        let (mut values, mut offsets) = (Vec::new(), vec![0]);
        for list in lists {
            let Ok(list) = list.cast_exact::<PyList>() else {
                return Ok(None);
            };
            for item in list {
                let plain = item.is_exact_instance_of::<PyInt>() || item.is_instance_of::<PyBool>();
                let number = plain.then(|| item.extract::<i64>().ok()).flatten();
                let Some(number) = number.filter(|&number| number >= 0) else {
                    return Ok(None);
                };
                memory::push(&mut values, number);
            }
            memory::push(&mut offsets, i64::try_from(values.len())?);
        }
        Ok(Some((to_bytes(py, &values)?, to_bytes(py, &offsets)?)))
    })
}

/// Lowercases a str, by the core's Unicode version.
#[pyfunction]
pub fn lowercase<'py>(text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    changed(text, Scratch::push_lowercase)
}

/// Normalizes a str to a Unicode normal form, by the core's tables.
#[pyfunction]
pub fn normalize<'py>(text: &Bound<'py, PyAny>, form: &str) -> PyResult<Bound<'py, PyAny>> {
    let form = Form::named(form).or_raise()?;
    changed(text, |scratch, range| scratch.push_normalized(range, form))
}

/// Applies a step of the preprocessing to a str.
fn changed<'py>(
    text: &Bound<'py, PyAny>,
    change: impl FnOnce(&mut Scratch, Range<usize>) -> Range<usize> + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let py = text.py();
    made(py, || {
        let held = Held::one(text)?;
        let (segment, _) = held.batch().segment(0);
        let mut scratch = Scratch::default();
        let range = py.detach(|| {
            let range = scratch.push(segment);
            change(&mut scratch, range)
        });
        to_str(py, &scratch.bytes()[range])
    })
}
