//! How a segment is counted, for explanations: what is compared, and the edits of TER.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::arguments::{self, Held};
use super::engine::Engine;
use super::interrupt::{listed, watched};
use truebleu_core::count::Whitespace;
use truebleu_core::count::edits::Edit;
use truebleu_core::metric::any::AnyMetric;
use truebleu_core::metric::ter_steps::TerSteps;
use truebleu_core::text::Scratch;
use truebleu_core::tokenize::chrf_spans::{Unit, chrf_spans};

/// A block that was shifted: its first word before the shift, number of words, first word after the
/// shift, and gain.
type Shifted = (usize, usize, usize, usize);

/// The words of a hypothesis and of a reference, the shifts, and the names of the edits after them.
type Steps<'py> = (
    Bound<'py, PyList>,
    Bound<'py, PyList>,
    Vec<Shifted>,
    Bound<'py, PyList>,
);

/// The characters and the words of a str that an engine of chrF counts, each with its start and end
/// in the text, in characters.
#[pyfunction]
pub fn chrf_units<'py>(
    engine: &Engine,
    text: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyList>, Bound<'py, PyList>)> {
    let AnyMetric::Chrf(chrf) = &engine.metric else {
        return Err(PyTypeError::new_err("an engine of chrF is needed"));
    };
    let py = text.py();
    let held = Held::one(text)?;
    let (text, _) = held.batch().segment(0);
    let keep_whitespace = chrf.whitespace == Whitespace::Kept;
    let mut scratch = Scratch::default();
    let [characters, words] = watched(py, text.weight(), || {
        chrf_spans(&mut scratch, text, chrf.preprocessing, keep_whitespace)
    })?;
    let spanned = |units: Vec<Unit>| {
        let units = units.into_iter().map(|(bytes, span)| {
            let unit = arguments::to_str(py, &scratch.bytes()[bytes])?;
            Ok((unit, span.start, span.end))
        });
        listed(py, units)
    };
    Ok((spanned(characters)?, spanned(words)?))
}

/// How an engine of TER turns a hypothesis into a reference.
#[pyfunction]
pub fn ter_steps<'py>(
    engine: &Engine,
    hypothesis: &Bound<'py, PyAny>,
    reference: &Bound<'py, PyAny>,
) -> PyResult<Steps<'py>> {
    let AnyMetric::Ter(ter) = engine.metric else {
        return Err(PyTypeError::new_err("an engine of TER is needed"));
    };
    let py = hypothesis.py();
    let mut held = Held::with_capacity(1, 1);
    held.push(hypothesis.clone(), reference.clone())?;
    let (hypothesis, references) = held.batch().segment(0);
    let &[reference] = references else {
        return Err(PyTypeError::new_err("one reference is needed"));
    };
    let weight = hypothesis.weight() + reference.weight();
    let steps = watched(py, weight, || TerSteps::of(ter, hypothesis, reference))?;
    let [own, other] = steps
        .words()
        .map(|words| listed(py, words.map(|word| arguments::to_str(py, word))));
    let shifts = steps.trace.shifts.iter();
    let edits = steps.trace.edits.iter();
    Ok((
        own?,
        other?,
        shifts
            .map(|shift| (shift.start, shift.length, shift.target, shift.gain))
            .collect(),
        listed(py, edits.map(|&edit| Ok(name(edit))))?,
    ))
}

fn name(edit: Edit) -> &'static str {
    match edit {
        Edit::Match => "match",
        Edit::Substitution => "substitution",
        Edit::Deletion => "deletion",
        Edit::Insertion => "insertion",
    }
}
