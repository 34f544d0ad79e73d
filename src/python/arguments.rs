//! Python objects as the core's columns, and back.

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::string::PyStringData;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};

use crate::batch::Batch;
use crate::error::Error;
use crate::text::Segment;

/// Strings of a batch, kept alive while the core reads them.
#[derive(Default)]
pub struct Held<'py> {
    hypotheses: Vec<Bound<'py, PyString>>,
    references: Vec<Bound<'py, PyString>>,
    ends: Vec<usize>,
}

impl<'py> Held<'py> {
    /// Takes a segment in: a str, and a str or a list or tuple of str and None.
    pub fn push(
        &mut self,
        hypothesis: Bound<'py, PyAny>,
        references: Bound<'py, PyAny>,
    ) -> PyResult<()> {
        self.hypotheses.push(hypothesis.cast_into()?);
        if references.is_instance_of::<PyString>() {
            self.references.push(references.cast_into()?);
        } else if let Ok(references) = references.cast::<PyList>() {
            self.push_references(references.iter())?;
        } else if let Ok(references) = references.cast::<PyTuple>() {
            self.push_references(references.iter())?;
        } else {
            return Err(PyTypeError::new_err("not a reference"));
        }
        self.ends.push(self.references.len());
        Ok(())
    }

    fn push_references(
        &mut self,
        references: impl Iterator<Item = Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        for reference in references {
            if !reference.is_none() {
                self.references.push(reference.cast_into()?);
            }
        }
        Ok(())
    }

    /// The strings as the core reads them.
    pub fn batch(&self) -> PyResult<Batch<'_>> {
        let mut batch = Batch::with_capacity(self.hypotheses.len());
        let mut first = 0;
        for (hypothesis, &end) in self.hypotheses.iter().zip(&self.ends) {
            let references = &self.references[first..end];
            if let [reference] = references {
                batch.push(segment(hypothesis)?, [segment(reference)?]);
            } else {
                let references: PyResult<Vec<_>> = references.iter().map(segment).collect();
                batch.push(segment(hypothesis)?, references?);
            }
            first = end;
        }
        Ok(batch)
    }
}

/// The one segment that is held.
pub fn held_pair<'a>(held: &'a Held<'_>) -> PyResult<(Segment<'a>, Vec<Segment<'a>>)> {
    let [hypothesis] = &held.hypotheses[..] else {
        return Err(Error::Internal.into());
    };
    let references: PyResult<Vec<_>> = held.references.iter().map(segment).collect();
    Ok((segment(hypothesis)?, references?))
}

/// The characters of a str where they are.
fn segment<'a>(text: &'a Bound<'_, PyString>) -> PyResult<Segment<'a>> {
    // SAFETY: the characters of a str never change nor move, and the borrow keeps it alive.
    Ok(match unsafe { text.data() }? {
        PyStringData::Ucs1(text) => Segment::Latin1(text),
        PyStringData::Ucs2(text) => Segment::Ucs2(text),
        PyStringData::Ucs4(text) => Segment::Ucs4(text),
    })
}

/// A str of UTF-8 in which surrogates are allowed.
pub fn to_str(py: Python<'_>, bytes: &[u8]) -> PyResult<Py<PyAny>> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(PyString::new(py, text).into_any().unbind());
    }
    let length = ffi::Py_ssize_t::try_from(bytes.len())?;
    // SAFETY: the pointer and length are those of `bytes`; the call returns a new reference or
    // null with an exception set, which is what `from_owned_ptr_or_err` expects.
    unsafe {
        let text =
            ffi::PyUnicode_DecodeUTF8(bytes.as_ptr().cast(), length, c"surrogatepass".as_ptr());
        Bound::from_owned_ptr_or_err(py, text).map(Bound::unbind)
    }
}

/// Integers as little-endian bytes.
pub fn to_bytes<'py>(py: Python<'py>, numbers: &[i64]) -> Bound<'py, PyBytes> {
    let mut bytes = Vec::with_capacity(8 * numbers.len());
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    PyBytes::new(py, &bytes)
}

/// And back.
pub fn from_bytes(bytes: &[u8]) -> PyResult<Vec<i64>> {
    let (numbers, []) = bytes.as_chunks() else {
        return Err(Error::BadTable.into());
    };
    Ok(numbers
        .iter()
        .map(|bytes| i64::from_le_bytes(*bytes))
        .collect())
}

/// Integers out of a contiguous int64 buffer.
pub fn integers(buffer: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    PyBuffer::<i64>::get(buffer)?.to_vec(buffer.py())
}

/// A ragged array of token ids.
pub struct Ids {
    values: Vec<i64>,
    offsets: Vec<i64>,
}

impl Ids {
    pub fn read(values: &Bound<'_, PyAny>, offsets: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self {
            values: integers(values)?,
            offsets: integers(offsets)?,
        })
    }

    pub fn segment(&self, index: usize) -> PyResult<Segment<'_>> {
        let offset = |index: usize| {
            let offset = self.offsets.get(index)?;
            usize::try_from(*offset).ok()
        };
        offset(index)
            .zip(offset(index + 1))
            .and_then(|(start, end)| self.values.get(start..end))
            .map(Segment::Ids)
            .ok_or_else(|| PyValueError::new_err("offsets point outside the values"))
    }
}
