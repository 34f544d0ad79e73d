//! Many texts against many for Python: texts go in once, blocks of scores and rows come out.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};

use super::arguments::{Held, Ids, floats, to_bytes};
use super::engine::Engine;
use super::total::CHUNK;
use crate::error::{Error, catch_panic};
use crate::many::index::{Index, Pause};
use crate::many::{pairwise, self_bleu};
use crate::metric::NgramMetric;

/// Runs work without the interpreter that asks from time to time whether Ctrl-C was pressed.
fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(Pause<'_>) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let stopped: Mutex<Option<PyErr>> = Mutex::default();
    let found = py.detach(|| {
        let pause = || {
            Python::attach(|py| {
                py.check_signals().map_err(|error| {
                    *stopped.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    Error::Interrupted
                })
            })
        };
        catch_panic(|| work(&pause))
    });
    match stopped.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(found?),
    }
}

/// Texts, split once.
#[pyclass(frozen, module = "truebleu._core")]
pub struct Texts {
    index: Mutex<Index>,
}

#[pymethods]
impl Texts {
    #[new]
    fn new() -> Self {
        Self {
            index: Mutex::default(),
        }
    }

    /// Appends a list of str.
    fn push(&self, py: Python<'_>, engine: &Engine, texts: &Bound<'_, PyList>) -> PyResult<()> {
        let preprocessing = engine.metric.preprocessing();
        let none = PyTuple::empty(py).into_any();
        for start in (0..texts.len()).step_by(CHUNK) {
            py.check_signals()?;
            let mut held = Held::with_capacity(CHUNK.min(texts.len() - start));
            for index in start..texts.len().min(start + CHUNK) {
                held.push(texts.get_item(index)?, none.clone())?;
            }
            let batch = held.batch();
            py.detach(|| {
                let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
                catch_panic(|| {
                    (0..batch.len())
                        .try_for_each(|text| index.push(preprocessing, batch.segment(text).0))
                })
            })?;
        }
        Ok(())
    }

    /// Appends token ids: int64 buffers of values and of offsets into them.
    fn push_ids(
        &self,
        py: Python<'_>,
        engine: &Engine,
        values: &Bound<'_, PyAny>,
        offsets: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let ids = Ids::read(values, offsets)?;
        let texts: PyResult<Vec<_>> = (0..ids.len()).map(|text| ids.segment(text)).collect();
        let texts = texts?;
        let preprocessing = engine.metric.preprocessing();
        py.detach(|| {
            let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
            catch_panic(|| {
                texts
                    .iter()
                    .try_for_each(|&text| index.push(preprocessing, text))
            })
        })?;
        Ok(())
    }

    /// What the first `hypotheses` texts share with the others, or all with each other.
    fn pairs(&self, py: Python<'_>, engine: &Engine, hypotheses: usize) -> PyResult<Pairs> {
        let pairs = interruptible(py, |pause| {
            let index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
            pairwise::Pairs::new(&index, hypotheses, engine.metric.longest_ngram(), pause)
        })?;
        Ok(Pairs { pairs })
    }

    /// A row of statistics for each text, all others being its references; with matches for those
    /// that are chosen, or, if nothing is, for all.
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over a list so")]
    fn against_others<'py>(
        &self,
        py: Python<'py>,
        engine: &Engine,
        chosen: Vec<bool>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let rows = interruptible(py, |pause| {
            let index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
            self_bleu::against_others(&index, &engine.metric, &chosen, threads, pause)
        })?;
        Ok(to_bytes(py, &rows))
    }
}

/// Hypotheses and references, ready to be matched.
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
        let scores = py.detach(|| self.pairs.block(&engine.metric, start..stop, threads))?;
        Ok(floats(py, &scores))
    }

    /// Scores of all hypotheses against the mean of the references, weighted.
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over a list so")]
    fn expected<'py>(
        &self,
        py: Python<'py>,
        engine: &Engine,
        weights: Vec<f64>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let scores = py.detach(|| self.pairs.expected(&engine.metric, &weights))?;
        Ok(floats(py, &scores))
    }
}
