//! What only the drop-ins need: scores of sentences as sacreBLEU and NLTK have them, and text that is
//! tokenized as for TER.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyString, PyTuple};

use super::arguments::{Held, to_bytes};
use super::errors::caught;
use super::interrupt::watched;
use super::objects::to_str;
use super::sentence::{Sentence, with_text, with_tokens};
use truebleu_core::memory;
use truebleu_core::metric::any::{AnyMetric, with_metric};
use truebleu_core::metric::bleu::Bleu;
use truebleu_core::metric::bleu_row::Row;
use truebleu_core::metric::ter::{MOST_REFERENCES, words};
use truebleu_core::metric::{Metric, Scope, nltk};
use truebleu_core::text::Scratch;
use truebleu_core::tokenize::{Tercom, TokenList};

/// The score of one sentence of text under BLEU as the drop-in for sacreBLEU has it; None where
/// [`score_of_bleu`] and [`with_text`] say so, and for references that are a str.
pub fn bleu_sentence<'py>(
    bleu: &Bleu,
    context: &Bound<'py, PyTuple>,
    hypothesis: &Bound<'py, PyAny>,
    references: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    if references.is_instance_of::<PyString>() {
        return Ok(None);
    }
    let score = |_, sentence: &Sentence<'_>| score_of_bleu(bleu, context, sentence);
    Ok(with_text(bleu, hypothesis, references, score)?.flatten())
}

/// The same for another metric; for the context, see [`score_with_attributes`]. None for what the
/// drop-in has to look at: references that are a str, and more of them than a row of TER has room
/// for.
pub fn sentence<'py>(
    metric: &AnyMetric,
    context: &Bound<'py, PyTuple>,
    hypothesis: &Bound<'py, PyAny>,
    references: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let few = !matches!(metric, AnyMetric::Ter(_))
        || references.len().is_ok_and(|count| count <= MOST_REFERENCES);
    if references.is_instance_of::<PyString>() || !few {
        return Ok(None);
    }
    with_metric!(metric, counted => {
        with_text(counted, hypothesis, references, |_, sentence| {
            score_with_attributes(metric, context, sentence)
        })
    })
}

/// NLTK's score of a sentence of tokens, from 0 to 1, with uniform weights; an order without a match
/// counts as `epsilon` matches. The int 0 if no token matches. None also if `epsilon` is not a float,
/// or NLTK does something else.
pub fn nltk_sentence<'py>(
    bleu: &Bleu,
    hypothesis: &Bound<'py, PyAny>,
    references: &Bound<'py, PyAny>,
    epsilon: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let epsilon = epsilon
        .cast_exact::<PyFloat>()
        .ok()
        .map(PyFloatMethods::value);
    let score = |py: Python<'py>, counted: &Sentence<'_>| {
        if Row::new(counted.row).matches.first() == Some(&0) {
            return Ok(Some(0_i64.into_pyobject(py)?.into_any()));
        }
        let score = nltk::score(counted.row, epsilon);
        Ok(score.map(|score| PyFloat::new(py, score).into_any()))
    };
    Ok(with_tokens(bleu, hypothesis, references, false, score)?.flatten())
}

/// The drop-in's `BLEUScore` of a sentence, which computes its parts from the row when they are
/// needed.
///
/// The context is a triple: the class, the settings that the score keeps, and sacreBLEU's perfect
/// scores for 1, 2, … orders, which are slightly above 100. None if the score is perfect and the
/// last is None.
fn score_of_bleu<'py>(
    bleu: &Bleu,
    context: &Bound<'py, PyTuple>,
    sentence: &Sentence<'_>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = context.py();
    let score = bleu.score(sentence.row, Scope::Segment);
    let score = if score == 100.0 {
        let perfect = context.get_item(2)?;
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
    let made = instance(&context.get_item(0)?)?;
    made.setattr(intern!(py, "_row"), to_bytes(py, sentence.row)?)?;
    made.setattr(intern!(py, "_settings"), context.get_item(1)?)?;
    made.setattr(intern!(py, "score"), score)?;
    Ok(Some(made))
}

/// The drop-in's `CHRFScore` or `TERScore` of a sentence.
///
/// The context is a pair: the class, and what all its scores of sentences have in common, as a dict
/// of attributes.
fn score_with_attributes<'py>(
    metric: &AnyMetric,
    context: &Bound<'py, PyTuple>,
    sentence: &Sentence<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = context.py();
    let score = with_metric!(metric, metric => metric.score(sentence.row, Scope::Segment));
    let common = context.get_item(1)?.cast_into::<PyDict>()?;
    let attributes = common.copy()?;
    attributes.set_item(intern!(py, "score"), score)?;
    if let (AnyMetric::Ter(_), [edits @ .., length]) = (metric, sentence.row) {
        attributes.set_item(intern!(py, "num_edits"), edits.iter().sum::<i64>())?;
        #[expect(clippy::cast_precision_loss, reason = "a sentence has few words")]
        attributes.set_item(intern!(py, "ref_length"), words(*length as f64))?;
    }
    let made = instance(&context.get_item(0)?)?;
    made.setattr(intern!(py, "__dict__"), attributes)?;
    Ok(made)
}

/// A new instance of a class, without calling its `__init__`.
fn instance<'py>(class: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    class.call_method1(intern!(class.py(), "__new__"), (class,))
}

/// Splits a str into words as TER does, joined by spaces.
#[pyfunction]
#[pyo3(signature = (text, *, normalized, no_punct, asian_support, case_sensitive))]
pub fn tercom<'py>(
    text: &Bound<'py, PyAny>,
    normalized: bool,
    no_punct: bool,
    asian_support: bool,
    case_sensitive: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = text.py();
    let held = caught(py, || Held::one(text))?;
    let (text, _) = held.batch().segment(0);
    let tokenizer = Tercom {
        case_sensitive,
        normalized,
        no_punct,
        asian_support,
    };
    let joined = watched(py, text.weight(), || {
        let mut scratch = Scratch::default();
        let mut words = TokenList::default();
        let range = scratch.push(text);
        tokenizer.tokenize(&mut scratch, range, &mut words);
        let words = words.as_slice().iter();
        Ok(memory::separated(
            words.map(|word| word.bytes(&scratch)),
            b' ',
        ))
    })?;
    to_str(py, &joined)
}
