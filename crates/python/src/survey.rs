//! What a list of texts has in it, for callers that accept more than the core does.

use pyo3::prelude::*;
use pyo3::types::{PyFrozenSet, PyList, PyString, PyTuple, PyType};

use super::arguments::{prefetch, segment};
use truebleu_core::text::{Segment, is_space};

/// Number of items between two checks for Ctrl-C.
const STEPS: usize = 1 << 16;

/// Number of items to prefetch ahead of the one being read.
const AHEAD: usize = 12;

/// What [`survey`] returns.
type Found<'py> = (
    Bound<'py, PyFrozenSet>,
    Bound<'py, PyFrozenSet>,
    usize,
    usize,
    bool,
);

/// In one pass over a list: the types of its items, and those of what is in lists and tuples among
/// them; the fewest and the most texts that an item has, where a str is one text, and only lists and
/// tuples have others; and whether any text ends in whitespace.
#[pyfunction]
pub fn survey<'py>(items: &Bound<'py, PyList>) -> PyResult<Found<'py>> {
    let py = items.py();
    let (mut outer, mut inner) = (Seen::default(), Seen::default());
    let (mut fewest, mut most) = (usize::MAX, 0);
    for (index, item) in items.iter().enumerate() {
        if index.is_multiple_of(STEPS) {
            py.check_signals()?;
        }
        prefetch(items, index + AHEAD);
        let mut count = outer.add(&item)?;
        if let Ok(list) = item.cast::<PyList>() {
            count = list.len();
            for text in list {
                inner.add(&text)?;
            }
        } else if let Ok(tuple) = item.cast::<PyTuple>() {
            count = tuple.len();
            for text in tuple {
                inner.add(&text)?;
            }
        }
        fewest = fewest.min(count);
        most = most.max(count);
    }
    Ok((
        PyFrozenSet::new(py, outer.types)?,
        PyFrozenSet::new(py, inner.types)?,
        fewest.min(most),
        most,
        outer.is_spaced || inner.is_spaced,
    ))
}

/// What has been seen of some objects.
#[derive(Default)]
struct Seen<'py> {
    /// There are few.
    types: Vec<Bound<'py, PyType>>,
    is_spaced: bool,
}

impl<'py> Seen<'py> {
    /// Looks at an object, and returns the number of texts that it is.
    fn add(&mut self, item: &Bound<'py, PyAny>) -> PyResult<usize> {
        let kind = item.get_type_ptr();
        if !self.types.iter().any(|each| each.as_type_ptr() == kind) {
            self.types.push(item.get_type());
        }
        let Ok(text) = item.cast::<PyString>() else {
            return Ok(0);
        };
        let last = match segment(text)? {
            Segment::Latin1(text) | Segment::Utf8(text) => text.last().map(|&c| c.into()),
            Segment::Ucs2(text) => text.last().map(|&c| c.into()),
            Segment::Ucs4(text) => text.last().copied(),
            Segment::Ids(_) => None,
        };
        self.is_spaced |= last.is_some_and(is_space);
        Ok(1)
    }
}
