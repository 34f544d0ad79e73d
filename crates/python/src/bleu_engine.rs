//! The engine of BLEU: what the other metrics do not have.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyType};

use super::arguments::{floats, from_bytes};
use super::engine::{Engine, Takes, check_orders, form, scope};
use super::errors::{OrRaise, caught, made};
use super::ids::{Ids, indices};
use super::lines::Lines;
use super::objects;
use super::sentence::ScoreClass;
use super::tokens::spanned;
use super::total::{CHUNK, Total};
use truebleu_core::count::ReferenceLength;
use truebleu_core::error::{Error, catch_panic};
use truebleu_core::memory;
use truebleu_core::metric::any::AnyMetric;
use truebleu_core::metric::bleu::Bleu;
use truebleu_core::metric::bleu_formula::Formula;
use truebleu_core::metric::smoothing::Smoothing;
use truebleu_core::text::Batch;
use truebleu_core::tokenize::{Preprocessing, Tokenizer, spans};

/// Number of segments of ids that are copied at a time for a single thread, so that the copies stay
/// in the cache. Several threads take more, because they must be started for each piece.
const CACHED: usize = 1 << 10;

/// An engine whose metric is known to be BLEU.
#[pyclass(frozen, extends = Engine, module = "truebleu._core")]
pub struct BleuEngine {
    /// The metric of the base class.
    pub metric: Bleu,
}

/// Three tables of float64.
type Parts<'py> = (
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
);

#[pymethods]
impl BleuEngine {
    #[new]
    #[pyo3(signature = (*, tokenizer, unicode_form, lowercase, max_order, reference_length, smoothing, smooth_value, weights, effective_order, brevity_penalty, phantom_ngrams, takes="native", score_type=None))]
    fn new(
        tokenizer: &str,
        unicode_form: Option<&str>,
        lowercase: bool,
        max_order: usize,
        reference_length: &str,
        smoothing: &str,
        smooth_value: Option<f64>,
        weights: Vec<Vec<f64>>,
        effective_order: Option<bool>,
        brevity_penalty: bool,
        phantom_ngrams: bool,
        takes: &str,
        score_type: Option<&Bound<'_, PyType>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        check_orders(max_order)?;
        let formula = Formula {
            max_order,
            smoothing: Smoothing::named(smoothing, smooth_value).or_raise()?,
            effective_order,
            brevity_penalty,
            weights,
        };
        let preprocessing = Preprocessing {
            unicode_form: form(unicode_form)?,
            lowercase,
            tokenizer: Tokenizer::named(tokenizer).or_raise()?,
        };
        let metric = Bleu {
            preprocessing,
            reference_length: ReferenceLength::named(reference_length).or_raise()?,
            phantom_ngrams,
            formula,
        };
        let base = Engine {
            metric: AnyMetric::Bleu(metric.clone()),
            takes: match takes {
                "native" => Takes::Text,
                "pretokenized" => Takes::Tokens,
                _ => Takes::OtherText,
            },
            scores: score_type.map(ScoreClass::of).transpose()?,
        };
        Ok(PyClassInitializer::from(base).add_subclass(Self { metric }))
    }

    /// Counts token ids as `count` counts text: arrays of values, of any integer type, and of int64
    /// offsets into them. Segment `i` has the references `reference_ends[i - 1]..reference_ends[i]`.
    fn count_ids<'py>(
        &self,
        py: Python<'py>,
        values: &Bound<'py, PyAny>,
        offsets: &Bound<'py, PyAny>,
        reference_values: &Bound<'py, PyAny>,
        reference_offsets: &Bound<'py, PyAny>,
        reference_ends: &Bound<'py, PyAny>,
        threads: usize,
        each: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        made(py, || {
            let hypotheses = Ids::read(values, offsets)?;
            let references = Ids::read(reference_values, reference_offsets)?;
            let ends = indices(reference_ends)?;
            let mut total = Total::new(&self.metric, 1, each, Vec::new());
            total.reserve(ends.len());
            let (mut values, mut reference_values) = (Vec::new(), Vec::new());
            let (mut start, mut first) = (0, 0);
            for ends in ends.chunks(if threads == 1 { CACHED } else { CHUNK }) {
                py.check_signals()?;
                let last = ends.last().copied().unwrap_or(first);
                let own = hypotheses.segments(start..start + ends.len(), &mut values)?;
                let mut others = references.segments(first..last, &mut reference_values)?;
                let mut batch = Batch::with_capacity(ends.len());
                for (hypothesis, &end) in own.zip(ends) {
                    let count = end.checked_sub(first).ok_or(Error::BadTable).or_raise()?;
                    batch.push(hypothesis, others.by_ref().take(count));
                    first = end;
                }
                total.add(py, &batch, threads)?;
                start += ends.len();
            }
            total.into_python(py)
        })
    }

    /// Scores, precisions in percent, brevity penalty and number of orders used, of one row.
    #[pyo3(signature = (row, *, segment=false))]
    fn score(&self, row: &[u8], segment: bool) -> PyResult<(Vec<f64>, Vec<f64>, f64, usize)> {
        let score = self
            .metric
            .parts(&from_bytes(row)?, scope(segment))
            .or_raise()?;
        Ok((
            score.scores,
            score.precisions,
            score.brevity_penalty,
            score.orders,
        ))
    }

    /// The precisions of one row, from 0 to 1.
    fn precision_fractions(&self, row: &[u8]) -> PyResult<Vec<f64>> {
        self.metric
            .precision_fractions(&from_bytes(row)?)
            .or_raise()
    }

    /// Whether precisions of 0 are left out of the mean.
    #[getter]
    fn skips_zeros(&self) -> bool {
        self.metric.formula.smoothing.skips_zeros()
    }

    /// The scores of all rows as little-endian float64: for each row, one score per list of
    /// weights.
    #[pyo3(signature = (rows, *, segment=false))]
    fn score_lists<'py>(
        &self,
        py: Python<'py>,
        rows: &[u8],
        segment: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        caught(py, || {
            let rows = from_bytes(rows)?;
            let scores = py.detach(|| self.metric.score_lists(&rows, scope(segment)));
            floats(py, &scores.or_raise()?)
        })
    }

    /// The parts of the scores of all rows as little-endian float64, in three tables: for each row
    /// the precisions in percent, the brevity penalty, and how many orders count.
    #[pyo3(signature = (rows, *, segment=false))]
    fn parts_of_rows<'py>(
        &self,
        py: Python<'py>,
        rows: &[u8],
        segment: bool,
    ) -> PyResult<Parts<'py>> {
        caught(py, || {
            let rows = from_bytes(rows)?;
            let parts = py.detach(|| self.metric.parts_of_rows(&rows, scope(segment)));
            let [precisions, penalties, orders] = parts.or_raise()?;
            Ok((
                floats(py, &precisions)?,
                floats(py, &penalties)?,
                floats(py, &orders)?,
            ))
        })
    }

    /// The tokens of a str, each with its start and end.
    fn tokens<'py>(&self, text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        caught(text.py(), || spanned(self.metric.preprocessing, text))
    }

    /// The tokens of each line, separated by spaces, with a line feed after each line.
    fn tokenize_lines<'py>(
        &self,
        py: Python<'py>,
        lines: &Lines,
        threads: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let guard = lines.lock(py);
        let lines = &*guard;
        let out = py.detach(|| {
            catch_panic(|| {
                let lines = memory::listed(lines.iter());
                spans::join(self.metric.preprocessing, &lines, threads)
            })
        });
        let out = out
            .map_err(|error| error.after(lines.dropped()))
            .or_raise()?;
        objects::copy(py, &out)
    }
}
