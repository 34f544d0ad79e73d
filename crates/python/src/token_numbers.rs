//! The tokens of one sentence in lists: equal tokens become equal numbers.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyString, PyTuple};

use super::arguments::segment;
use truebleu_core::memory::{reserve_entries, with_room};
use truebleu_core::text::Segment;

/// The tokens of a hypothesis and of its references, as numbers.
pub struct TokenNumbers {
    values: Vec<i64>,
    /// Where the hypothesis and each reference end.
    ends: Vec<usize>,
}

impl TokenNumbers {
    /// Numbers the tokens of a hypothesis, and of a list or tuple of references and None. With
    /// `flat`, the references may also be one reference.
    ///
    /// None if a text is not exactly a list or tuple, if the tokens are neither all exactly str nor
    /// all exactly int of 63 bits without a sign, or if there is no reference. Only for these types
    /// does the core know what Python considers equal.
    pub fn read(
        hypothesis: &Bound<'_, PyAny>,
        references: &Bound<'_, PyAny>,
        flat: bool,
    ) -> PyResult<Option<Self>> {
        let Some(texts) = texts(hypothesis, references, flat) else {
            return Ok(None);
        };
        let tokens = texts.iter().map(PyTupleMethods::len).sum();
        let mut numbers = Self {
            values: with_room(tokens),
            ends: with_room(texts.len()),
        };
        let first = texts.iter().find_map(|text| text.as_slice().first());
        let are_words = first.is_some_and(Bound::is_exact_instance_of::<PyString>);
        let mut known = Known::default();
        if are_words {
            reserve_entries(&mut known, tokens);
        }
        for text in &texts {
            for token in text.as_slice() {
                let number = if are_words {
                    let Ok(word) = token.cast_exact::<PyString>() else {
                        return Ok(None);
                    };
                    let next = i64::try_from(known.len())?;
                    *known.entry(Word::new(word)?).or_insert(next)
                } else {
                    let number = token.cast_exact::<PyInt>().ok();
                    let number = number.and_then(|number| number.extract().ok());
                    let Some(number) = number.filter(|&number: &i64| number >= 0) else {
                        return Ok(None);
                    };
                    number
                };
                numbers.values.push(number);
            }
            numbers.ends.push(numbers.values.len());
        }
        Ok(Some(numbers))
    }

    /// The hypothesis and the references.
    pub fn segments(&self) -> (Segment<'_>, Vec<Segment<'_>>) {
        let mut start = 0;
        let mut segments = self.ends.iter().map(|&end| {
            let ids = &self.values[start..end];
            start = end;
            Segment::Ids(ids)
        });
        let hypothesis = segments.next().unwrap_or(Segment::Ids(&[]));
        (hypothesis, segments.collect())
    }
}

/// The hypothesis and its references, as they are now: other threads cannot change the copies.
fn texts<'py>(
    hypothesis: &Bound<'py, PyAny>,
    references: &Bound<'py, PyAny>,
    flat: bool,
) -> Option<Vec<Bound<'py, PyTuple>>> {
    let references = copied(references)?;
    let parts = references.as_slice().iter().filter(|part| !part.is_none());
    let first = parts.clone().next()?;
    let mut texts = vec![copied(hypothesis)?];
    if first.is_instance_of::<PyList>() || first.is_instance_of::<PyTuple>() {
        for part in parts {
            texts.push(copied(part)?);
        }
    } else if flat {
        texts.push(references);
    } else {
        return None;
    }
    Some(texts)
}

fn copied<'py>(list: &Bound<'py, PyAny>) -> Option<Bound<'py, PyTuple>> {
    if let Ok(list) = list.cast_exact::<PyList>() {
        return Some(list.to_tuple());
    }
    list.cast_exact::<PyTuple>().ok().cloned()
}

/// The numbers of the words so far.
type Known<'a> = HashMap<Word<'a>, i64, BuildHasherDefault<PythonHash>>;

/// The characters of a str. Python keeps them in the narrowest type, so equal characters have equal
/// bytes of the same width.
#[derive(PartialEq, Eq)]
struct Word<'a> {
    width: u8,
    bytes: &'a [u8],
    hash: u64,
}

impl<'a> Word<'a> {
    fn new(word: &'a Bound<'_, PyString>) -> PyResult<Self> {
        let (width, bytes) = match segment(word)? {
            Segment::Latin1(text) | Segment::Utf8(text) => (1, text),
            Segment::Ucs2(text) => (2, bytemuck::cast_slice(text)),
            Segment::Ucs4(text) => (4, bytemuck::cast_slice(text)),
            Segment::Ids(ids) => (8, bytemuck::cast_slice(ids)),
        };
        // A str computes its hash once.
        let hash = word.hash()?.cast_unsigned() as u64;
        Ok(Self { width, bytes, hash })
    }
}

impl Hash for Word<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

/// Passes on the hash that Python has computed, with a secret of the process.
#[derive(Default)]
struct PythonHash(u64);

impl Hasher for PythonHash {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
