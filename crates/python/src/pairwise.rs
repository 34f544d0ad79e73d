//! Many texts against many: texts are added once, and scored in blocks.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};

use super::arguments::{Held, floats, items, to_bytes};
use super::engine::Engine;
use super::errors::caught;
use super::ids::Ids;
use super::interrupt::{interruptible, watched};
use super::total::CHUNK;
use truebleu_core::error::Error;
use truebleu_core::many::{pairwise, self_bleu, texts};
use truebleu_core::metric::any::AnyMetric;

/// Evaluates an expression with a metric of n-grams; others are refused.
macro_rules! with_ngrams {
    ($any:expr, $metric:ident => $body:expr) => {
        match $any {
            AnyMetric::Bleu($metric) => $body,
            AnyMetric::Chrf($metric) => $body,
            _ => Err(Error::BadTable),
        }
    };
}

/// Texts, split into tokens for one metric.
#[pyclass(frozen, module = "truebleu._core")]
pub struct Texts {
    texts: Mutex<texts::Texts>,
}

impl Texts {
    fn lock(&self) -> MutexGuard<'_, texts::Texts> {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Texts {
    #[new]
    fn new() -> Self {
        Self {
            texts: Mutex::default(),
        }
    }

    /// Appends a list of str.
    fn push(&self, py: Python<'_>, engine: &Engine, texts: &Bound<'_, PyList>) -> PyResult<()> {
        let none = PyTuple::empty(py).into_any();
        for start in (0..texts.len()).step_by(CHUNK) {
            py.check_signals()?;
            let held = caught(py, || {
                let mut held = Held::with_capacity(1, CHUNK.min(texts.len() - start));
                for index in start..texts.len().min(start + CHUNK) {
                    held.push(texts.get_item(index)?, none.clone())?;
                }
                Ok(held)
            })?;
            let batch = held.batch();
            watched(py, batch.weight(), || {
                let mut all = self.lock();
                with_ngrams!(&engine.metric, metric => {
                    (0..batch.len()).try_for_each(|text| all.push(metric, batch.segment(text).0))
                })
            })?;
        }
        Ok(())
    }

    /// Appends texts of token ids: arrays of values, of any integer type, and of int64 offsets into
    /// them.
    fn push_ids(
        &self,
        py: Python<'_>,
        engine: &Engine,
        values: &Bound<'_, PyAny>,
        offsets: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        caught(py, || {
            let ids = Ids::read(values, offsets)?;
            let mut buffer = Vec::new();
            for start in (0..ids.len()).step_by(CHUNK) {
                py.check_signals()?;
                let end = ids.len().min(start + CHUNK);
                let mut texts = ids.segments(start..end, &mut buffer)?;
                let weight = ids.weight(start..end);
                watched(py, weight, || {
                    let mut all = self.lock();
                    with_ngrams!(&engine.metric, metric => {
                        texts.try_for_each(|text| all.push(metric, text))
                    })
                })?;
            }
            Ok(())
        })
    }

    /// Matches the first `hypotheses` texts with the others or, if these are all texts, with each
    /// other.
    fn pairs(&self, py: Python<'_>, engine: &Engine, hypotheses: usize) -> PyResult<Pairs> {
        let pairs = interruptible(py, |pause| {
            let texts = self.lock();
            with_ngrams!(&engine.metric, metric => {
                pairwise::Pairs::new(&texts, hypotheses, metric, pause)
            })
        })?;
        Ok(Pairs { pairs })
    }

    /// A row of statistics for each text, with all others as its references. If `chosen` is not
    /// empty, only the rows of chosen texts need to have matches.
    fn against_others<'py>(
        &self,
        py: Python<'py>,
        engine: &Engine,
        chosen: &Bound<'py, PyList>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let chosen: Vec<bool> = items(chosen)?;
        let rows = interruptible(py, |pause| {
            let texts = self.lock();
            let (AnyMetric::Bleu(bleu), [index]) = (&engine.metric, texts.streams()) else {
                return Err(Error::BadTable);
            };
            self_bleu::against_others(index, bleu, &chosen, threads, pause)
        })?;
        to_bytes(py, &rows)
    }
}

/// Hypotheses and references with the n-grams that they share.
#[pyclass(frozen, module = "truebleu._core")]
pub struct Pairs {
    pairs: pairwise::Pairs,
}

#[pymethods]
impl Pairs {
    /// Scores of hypotheses `start..stop` against all references, as little-endian float64.
    fn block<'py>(
        &self,
        py: Python<'py>,
        engine: &Engine,
        start: usize,
        stop: usize,
        threads: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let scores = interruptible(py, |pause| {
            with_ngrams!(&engine.metric, metric => {
                self.pairs.block(metric, start..stop, threads, pause)
            })
        })?;
        floats(py, &scores)
    }

    /// Scores of all hypotheses against the weighted mean of the references.
    fn expected<'py>(
        &self,
        py: Python<'py>,
        engine: &Engine,
        weights: &Bound<'py, PyList>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let weights: Vec<f64> = items(weights)?;
        let scores = interruptible(
            py,
            |pause| with_ngrams!(&engine.metric, metric => self.pairs.expected(metric, &weights, pause)),
        )?;
        floats(py, &scores)
    }
}
