//! Scoring one sentence, from the caller's objects to a score, without Python code in between.

use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyFloat, PyList, PyString, PyTuple, PyType};

use super::arguments::{Held, segment, to_bytes};
use super::errors::{OrRaise, exception};
use super::interrupt::interruptible;
use super::token_numbers::TokenNumbers;
use truebleu_core::corpus::{HUGE, count_batch_while, count_segment};
use truebleu_core::error::{Error, catch_panic};
use truebleu_core::metric::Metric;
use truebleu_core::metric::any::{AnyMetric, with_metric};
use truebleu_core::metric::bleu::Bleu;
use truebleu_core::metric::bleu_row::Row;
use truebleu_core::metric::ter::words;
use truebleu_core::text::{Batch, Segment};

/// Minimum size in bytes of a sentence for which releasing the interpreter pays off.
const LONG: usize = 1 << 16;

/// Number of counts of a row that need no memory of their own.
const SHORT_ROW: usize = 16;

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
        return counted(py, metric, segment(text)?, &[segment(reference)?], take).map(Some);
    }
    let mut held = Held::with_capacity(1, 1);
    if held.push(hypothesis.clone(), references.clone()).is_err() {
        return Ok(None);
    }
    let (text, references) = held.batch().segment(0);
    if references.is_empty() {
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

/// The class of a metric's scores, in Python.
#[derive(Clone, Copy, Debug)]
pub enum ScoreClass {
    /// `BleuScore`.
    Bleu,
    /// `ChrfScore`.
    Chrf,
    /// `TerScore`.
    Ter,
}

impl From<&AnyMetric> for ScoreClass {
    fn from(metric: &AnyMetric) -> Self {
        match metric {
            AnyMetric::Bleu(_) => Self::Bleu,
            AnyMetric::Chrf(_) => Self::Chrf,
            AnyMetric::Ter(_) => Self::Ter,
        }
    }
}

impl ScoreClass {
    fn slotted(self, py: Python<'_>) -> PyResult<&'static Slotted<5>> {
        static CLASSES: [PyOnceLock<Slotted<5>>; 3] = [const { PyOnceLock::new() }; 3];
        let (module, name) = match self {
            Self::Bleu => ("truebleu.metrics.bleu.score", "BleuScore"),
            Self::Chrf => ("truebleu.metrics.chrf.score", "ChrfScore"),
            Self::Ter => ("truebleu.metrics.ter.score", "TerScore"),
        };
        CLASSES[self as usize].get_or_try_init(py, || {
            let slots = ["_metric", "score", "_row", "_references", "_segment"];
            Slotted::find(py, module, name, slots)
        })
    }
}

/// The score of a sentence, with this value, computed by the metric `owner`.
pub fn score<'py>(
    class: ScoreClass,
    value: f64,
    owner: &Bound<'py, PyAny>,
    sentence: &Sentence<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = owner.py();
    class.slotted(py)?.make([
        owner.clone(),
        PyFloat::new(py, value).into_any(),
        to_bytes(py, sentence.row)?.into_any(),
        sentence.references.into_pyobject(py)?.into_any(),
        PyBool::new(py, true).to_owned().into_any(),
    ])
}

/// The drop-in's `BLEUScore` of a sentence, which computes its parts from the row when they are
/// needed.
///
/// The context is a pair: the settings that the score keeps, and sacreBLEU's perfect scores for
/// 1, 2, … orders, which are slightly above 100. None if the score is perfect and the second is
/// None.
pub fn sacrebleu_score<'py>(
    bleu: &Bleu,
    context: &Bound<'py, PyTuple>,
    sentence: &Sentence<'_>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    static CLASS: PyOnceLock<Slotted<2>> = PyOnceLock::new();
    let py = context.py();
    let class = CLASS.get_or_try_init(py, || {
        let slots = ["_row", "_settings"];
        Slotted::find(
            py,
            "truebleu.compat.sacrebleu.metrics.score",
            "BLEUScore",
            slots,
        )
    })?;
    let score = bleu.score(sentence.row);
    let score = if score == 100.0 {
        let perfect = context.get_item(1)?;
        if perfect.is_none() {
            return Ok(None);
        }
        let orders = Row::new(sentence.row)
            .totals
            .iter()
            .filter(|&&total| total > 0);
        perfect.get_item(orders.count().saturating_sub(1))?
    } else {
        PyFloat::new(py, score).into_any()
    };
    let made = class.make([to_bytes(py, sentence.row)?.into_any(), context.get_item(0)?])?;
    made.setattr(intern!(py, "score"), score)?;
    Ok(Some(made))
}

/// The drop-in's `CHRFScore` or `TERScore` of a sentence.
///
/// The context is a pair: the class, and what all its scores of sentences have in common, as a dict
/// of attributes.
pub fn sacrebleu_score_with_attributes<'py>(
    metric: &AnyMetric,
    context: &Bound<'py, PyTuple>,
    sentence: &Sentence<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = context.py();
    let score = with_metric!(metric, metric => metric.score(sentence.row));
    let common = context.get_item(1)?.cast_into::<PyDict>()?;
    let attributes = common.copy()?;
    attributes.set_item(intern!(py, "score"), score)?;
    if let (AnyMetric::Ter(_), [edits @ .., length]) = (metric, sentence.row) {
        attributes.set_item(intern!(py, "num_edits"), edits.iter().sum::<i64>())?;
        #[expect(clippy::cast_precision_loss, reason = "a sentence has few words")]
        attributes.set_item(intern!(py, "ref_length"), words(*length as f64))?;
    }
    let made = instance(context.get_item(0)?.cast::<PyType>()?)?;
    made.setattr(intern!(py, "__dict__"), attributes)?;
    Ok(made)
}

/// A new instance of a class, made by its `__new__` without arguments.
fn instance<'py>(class: &Bound<'py, PyType>) -> PyResult<Bound<'py, PyAny>> {
    let py = class.py();
    let class = class.as_type_ptr();
    // SAFETY: the class is alive, and this is its `__new__`, called without arguments. It returns a
    // new reference, or null with an exception set.
    let made = unsafe {
        let new = (*class).tp_new.ok_or(Error::Internal).or_raise()?;
        let nothing = PyTuple::empty(py);
        Bound::from_owned_ptr_or_err(py, new(class, nothing.as_ptr(), std::ptr::null_mut()))?
    };
    if made.get_type_ptr() != class {
        return Err(exception(Error::Internal));
    }
    Ok(made)
}

/// A class in Python with `__slots__`, of which instances are made without running Python code.
struct Slotted<const N: usize> {
    class: Py<PyType>,
    /// Where an instance has the references of these slots, in bytes.
    offsets: [usize; N],
}

impl<const N: usize> Slotted<N> {
    fn find(py: Python<'_>, module: &str, name: &str, slots: [&str; N]) -> PyResult<Self> {
        let class = py.import(module)?.getattr(name)?.cast_into::<PyType>()?;
        let mut offsets = [0; N];
        for (offset, slot) in offsets.iter_mut().zip(slots) {
            *offset = offset_of_slot(&class, &class.getattr(slot)?)?;
        }
        Ok(Self {
            class: class.unbind(),
            offsets,
        })
    }

    /// A new instance with these values in its slots.
    fn make<'py>(&self, values: [Bound<'py, PyAny>; N]) -> PyResult<Bound<'py, PyAny>> {
        let made = instance(self.class.bind(values[0].py()))?;
        for (offset, value) in self.offsets.into_iter().zip(values) {
            // SAFETY: by `offset_of_slot`, an instance has an owned reference or null there. It is
            // null in a new instance, which nothing but the garbage collector knows.
            unsafe {
                let slot = made.as_ptr().byte_add(offset).cast::<*mut ffi::PyObject>();
                slot.write(value.into_ptr());
            }
        }
        Ok(made)
    }
}

/// Where the instances of a class with `__slots__` have the reference of a slot, given the
/// descriptor of the slot.
fn offset_of_slot(class: &Bound<'_, PyType>, descriptor: &Bound<'_, PyAny>) -> PyResult<usize> {
    // SAFETY: the type is compared first. Its objects are of this struct, and the member that they
    // describe is part of the class or of a base of it, which is checked, and which is alive.
    let member = unsafe {
        if ffi::Py_TYPE(descriptor.as_ptr()) != &raw mut ffi::PyMemberDescr_Type {
            return Err(exception(Error::Internal));
        }
        let descriptor = descriptor.as_ptr().cast::<ffi::PyMemberDescrObject>();
        let owner = (*descriptor).d_common.d_type;
        if ffi::PyType_IsSubtype(class.as_type_ptr(), owner) == 0 {
            return Err(exception(Error::Internal));
        }
        &*(*descriptor).d_member.cast::<ffi::PyMemberDef>()
    };
    if member.type_code != ffi::Py_T_OBJECT_EX {
        return Err(exception(Error::Internal));
    }
    Ok(usize::try_from(member.offset)?)
}
