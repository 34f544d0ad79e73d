//! Scoring one sentence, from the caller's objects to a score, without Python code in between.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyList, PyString, PyTuple, PyType};

use super::arguments::{Held, segment, to_bytes};
use super::errors::{OrRaise, exception};
use super::interrupt::interruptible;
use super::token_numbers::TokenNumbers;
use truebleu_core::corpus::{HUGE, count_batch_while, count_segment, is_left_over};
use truebleu_core::error::{Error, catch_panic};
use truebleu_core::metric::Metric;
use truebleu_core::metric::bleu::Bleu;
use truebleu_core::text::{Batch, Segment};

/// Minimum size in bytes of a sentence for which releasing the interpreter pays off.
const LONG: usize = 1 << 16;

/// Number of counts of a row that need no memory of their own.
const SHORT_ROW: usize = 16;

/// Of calls for single sentences, the first so many are looked at, and then one in so many.
const LOOKED_AT: usize = 16;

/// Left-overs in so many sentences, and in one of so many that were looked at, are no accident.
const ENOUGH: usize = 3;
const ONE_OF: usize = 20;

/// The numbers of calls, of those that were looked at, and of those with left-overs.
static CALLS: AtomicUsize = AtomicUsize::new(0);
static LOOKED: AtomicUsize = AtomicUsize::new(0);
static LEFT_OVER: AtomicUsize = AtomicUsize::new(0);

/// Whether it has been said, and whether the last call was left to Python, which says it.
static SAID: AtomicBool = AtomicBool::new(false);
static UNSAID: AtomicBool = AtomicBool::new(false);

/// Whether Python has to say now that sentences have left-overs, which it is asked to once.
fn has_left_overs(hypothesis: Segment<'_>, references: &[Segment<'_>]) -> bool {
    let number = CALLS.fetch_add(1, Ordering::Relaxed);
    if number >= LOOKED_AT && !number.is_multiple_of(LOOKED_AT) {
        return false;
    }
    let looked = 1 + LOOKED.fetch_add(1, Ordering::Relaxed);
    if !is_left_over(hypothesis) && !references.iter().any(|&text| is_left_over(text)) {
        return false;
    }
    let found = 1 + LEFT_OVER.fetch_add(1, Ordering::Relaxed);
    let now = found >= ENOUGH && ONE_OF * found >= looked && !SAID.swap(true, Ordering::Relaxed);
    if now {
        UNSAID.store(true, Ordering::Relaxed);
    }
    now
}

/// Whether a call was left to Python because of what its text has; false the next time.
#[pyfunction]
pub fn take_left_over() -> bool {
    UNSAID.swap(false, Ordering::Relaxed)
}

/// A sentence that the core has counted.
pub struct Sentence<'a> {
    /// Its counts.
    pub row: &'a [i64],
    references: usize,
}

/// Counts a sentence of text, and passes the result to `take`; None if an argument is neither str
/// nor a list or tuple of str and None, or if there is no reference.
pub fn with_text<'py, T>(
    metric: &impl Metric,
    hypothesis: &Bound<'py, PyAny>,
    references: &Bound<'py, PyAny>,
    take: impl FnOnce(Python<'py>, &Sentence<'_>) -> PyResult<T>,
) -> PyResult<Option<T>> {
    let py = hypothesis.py();
    let Ok(text) = hypothesis.cast::<PyString>() else {
        return Ok(None);
    };
    // Most sentences have one reference, which needs no lists of what is kept alive.
    let only = if references.is_instance_of::<PyString>() {
        Some(references.clone())
    } else if let Ok(list) = references.cast::<PyList>() {
        (list.len() == 1).then(|| list.get_item(0).ok()).flatten()
    } else if let Ok(tuple) = references.cast::<PyTuple>() {
        (tuple.len() == 1).then(|| tuple.get_item(0).ok()).flatten()
    } else {
        return Ok(None);
    };
    if let Some(reference) = only {
        let Ok(reference) = reference.cast::<PyString>() else {
            return Ok(None);
        };
        let (text, references) = (segment(text)?, [segment(reference)?]);
        if has_left_overs(text, &references) {
            return Ok(None);
        }
        return counted(py, metric, text, &references, take).map(Some);
    }
    let mut held = Held::with_capacity(1, 1);
    if held.push(hypothesis.clone(), references.clone()).is_err() {
        return Ok(None);
    }
    let (text, references) = held.batch().segment(0);
    if references.is_empty() || has_left_overs(text, references) {
        return Ok(None);
    }
    counted(py, metric, text, references, take).map(Some)
}

/// The same for a sentence of tokens; None where [`TokenNumbers::read`] says so.
pub fn with_tokens<'py, T>(
    bleu: &Bleu,
    hypothesis: &Bound<'py, PyAny>,
    references: &Bound<'py, PyAny>,
    flat: bool,
    take: impl FnOnce(Python<'py>, &Sentence<'_>) -> PyResult<T>,
) -> PyResult<Option<T>> {
    let Some(numbers) = TokenNumbers::read(hypothesis, references, flat)? else {
        return Ok(None);
    };
    let (ids, references) = numbers.segments();
    counted(hypothesis.py(), bleu, ids, &references, take).map(Some)
}

fn counted<'py, T>(
    py: Python<'py>,
    metric: &impl Metric,
    hypothesis: Segment<'_>,
    references: &[Segment<'_>],
    take: impl FnOnce(Python<'py>, &Sentence<'_>) -> PyResult<T>,
) -> PyResult<T> {
    let width = metric.width();
    let mut short = [0; SHORT_ROW];
    let mut long = Vec::new();
    let row = if let Some(row) = short.get_mut(..width) {
        row
    } else {
        long.resize(width, 0);
        &mut long[..]
    };
    let weight = references.iter().map(Segment::weight).sum::<usize>() + hypothesis.weight();
    if weight > HUGE {
        let mut batch = Batch::with_capacity(1);
        batch.push(hypothesis, references.iter().copied());
        let rows = interruptible(py, |pause| {
            count_batch_while(metric, &batch, 1, true, &[], |finish| finish(pause))
        })?;
        row.copy_from_slice(&rows);
    } else {
        let mut count = || catch_panic(|| count_segment(metric, hypothesis, references, row));
        if weight > LONG {
            py.detach(count).or_raise()?;
        } else {
            count().or_raise()?;
        }
    }
    let counted = Sentence {
        row,
        references: references.len(),
    };
    take(py, &counted)
}

/// Makes the scores of a metric: instances of a class in Python that is a float, and that keeps
/// what it was computed from in the slot `_parts`.
pub struct ScoreClass {
    /// It derives from float.
    class: Py<PyType>,
}

impl ScoreClass {
    /// # Errors
    ///
    /// If the class is no float.
    pub fn of(class: &Bound<'_, PyType>) -> PyResult<Self> {
        if !class.is_subclass_of::<PyFloat>()? {
            return Err(exception(Error::Internal));
        }
        Ok(Self {
            class: class.clone().unbind(),
        })
    }

    /// The score of a sentence, with this value, computed by the metric `owner`.
    pub fn make<'py>(
        &self,
        value: f64,
        owner: &Bound<'py, PyAny>,
        sentence: &Sentence<'_>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = owner.py();
        let value = (value,).into_pyobject(py)?;
        let row = to_bytes(py, sentence.row)?;
        let parts = (owner, row, sentence.references, true).into_pyobject(py)?;
        let slot = intern!(py, "_parts");
        // SAFETY: the class derives from float, so float can make an instance of it, which is a new
        // reference, or null with an exception set; all arguments are alive. Making it and setting
        // the slot by calls of Python's own would take a fifth of the time of a short sentence: both
        // go past methods of the class, which run Python code or refuse.
        unsafe {
            let new = ffi::PyFloat_Type.tp_new.ok_or(Error::Internal).or_raise()?;
            let class = self.class.bind(py).as_type_ptr();
            let made = new(class, value.as_ptr(), std::ptr::null_mut());
            let made = Bound::from_owned_ptr_or_err(py, made)?;
            match ffi::PyObject_GenericSetAttr(made.as_ptr(), slot.as_ptr(), parts.as_ptr()) {
                0 => Ok(made),
                _ => Err(PyErr::fetch(py)),
            }
        }
    }
}
