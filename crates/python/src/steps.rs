//! How a segment is counted, for explanations: what is compared, and the edits of TER.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::arguments::Held;
use super::engine::Engine;
use super::errors::{made, with_message};
use super::interrupt::watched;
use super::objects::{listed, spanned, to_str};
use truebleu_core::count::Whitespace;
use truebleu_core::count::edits::Edit;
use truebleu_core::memory;
use truebleu_core::metric::any::AnyMetric;
use truebleu_core::metric::ter_steps::TerSteps;
use truebleu_core::text::Scratch;
use truebleu_core::tokenize::chrf_spans::{Unit, chrf_spans};

/// The characters and the words of a str that an engine of chrF counts, each with its start and end
/// in the text, in characters.
#[pyfunction]
pub fn chrf_units<'py>(engine: &Engine, text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let AnyMetric::Chrf(chrf) = &engine.metric else {
        return Err(with_message::<PyTypeError>("an engine of chrF is needed"));
    };
    let py = text.py();
    made(py, || {
        let held = Held::one(text)?;
        let (text, _) = held.batch().segment(0);
        let keep_whitespace = chrf.whitespace == Whitespace::Kept;
        let mut scratch = Scratch::default();
        let [characters, words] = watched(py, text.weight(), || {
            chrf_spans(&mut scratch, text, chrf.preprocessing, keep_whitespace)
        })?;
        let all = |units: Vec<Unit>| {
            let units = units.into_iter();
            let bytes = scratch.bytes();
            listed(
                py,
                units.map(|(unit, span)| spanned(py, &bytes[unit], span)),
            )
        };
        Ok((all(characters)?, all(words)?))
    })
}

/// How an engine of TER turns a hypothesis into a reference: the words of both; the blocks that are
/// shifted, each with its first word before the shift, number of words, first word after the shift,
/// and gain; and the names of the edits after them.
#[pyfunction]
pub fn ter_steps<'py>(
    engine: &Engine,
    hypothesis: &Bound<'py, PyAny>,
    reference: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let AnyMetric::Ter(ter) = engine.metric else {
        return Err(with_message::<PyTypeError>("an engine of TER is needed"));
    };
    let py = hypothesis.py();
    made(py, || {
        let mut held = Held::with_capacity(1, 1);
        held.push(hypothesis.clone(), reference.clone())?;
        let (hypothesis, references) = held.batch().segment(0);
        let &[reference] = references else {
            return Err(with_message::<PyTypeError>("one reference is needed"));
        };
        let weight = hypothesis.weight() + reference.weight();
        let steps = watched(py, weight, || TerSteps::of(ter, hypothesis, reference))?;
        let [own, other] = steps
            .words()
            .map(|words| listed(py, words.map(|word| to_str(py, word))));
        let shifts = steps.trace.shifts.iter();
        let shifts = shifts.map(|shift| (shift.start, shift.length, shift.target, shift.gain));
        let edits = steps.trace.edits.iter();
        Ok((
            own?,
            other?,
            memory::listed(shifts),
            listed(py, edits.map(|&edit| to_str(py, name(edit).as_bytes())))?,
        ))
    })
}

fn name(edit: Edit) -> &'static str {
    match edit {
        Edit::Match => "match",
        Edit::Substitution => "substitution",
        Edit::Deletion => "deletion",
        Edit::Insertion => "insertion",
    }
}
