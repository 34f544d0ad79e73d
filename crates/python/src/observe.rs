//! Facts about a corpus, collected while it is counted.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyDict, PyList};

use super::errors::{caught, exception};
use super::lines::Lines;
use super::total::for_chunks;
use truebleu_core::corpus;
use truebleu_core::error::Error;
use truebleu_core::text::{Batch, lines};

/// See [`corpus::Observed`].
#[pyclass(frozen, module = "truebleu._core")]
#[derive(Default)]
pub struct Observed(pub Mutex<corpus::Observed>);

#[pymethods]
impl Observed {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Examines the corpus of one system, which is counted in another form. The arguments are those
    /// of `Engine.count`.
    fn look(
        &self,
        py: Python<'_>,
        hypotheses: &Bound<'_, PyList>,
        references: &Bound<'_, PyList>,
    ) -> PyResult<()> {
        let systems = std::slice::from_ref(hypotheses);
        caught(py, || {
            for_chunks(py, systems, references, |batch, _| {
                py.detach(|| self.look_at(batch));
                Ok(())
            })
        })
    }

    /// The same for lines. The arguments are those of `Engine.count_lines`.
    fn look_lines(
        &self,
        py: Python<'_>,
        hypothesis: &Lines,
        references: Vec<PyRef<'_, Lines>>,
        segments: usize,
    ) -> PyResult<()> {
        let guards: Vec<_> = references.iter().map(|lines| lines.lock(py)).collect();
        let references: Vec<_> = guards.iter().map(|guard| guard.ready()).collect();
        let hypotheses = hypothesis.lock(py);
        if (guards.iter().chain([&hypotheses])).any(|lines| lines.available() < segments) {
            return Err(exception(Error::BadTable));
        }
        caught(py, || {
            let batch = lines::batch(&[hypotheses.ready()], &references, segments);
            py.detach(|| self.look_at(&batch));
            Ok(())
        })
    }

    /// The facts by name.
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let observed = self
            .0
            .lock_py_attached(py)
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let facts = PyDict::new(py);
        facts.set_item("segments", observed.segments)?;
        facts.set_item("tokenized", observed.tokenized)?;
        facts.set_item("different", observed.different)?;
        facts.set_item("markup", observed.markup)?;
        facts.set_item("empty", observed.empty)?;
        facts.set_item("characters", observed.characters)?;
        facts.set_item("scripts", observed.scripts)?;
        facts.set_item("pieces", observed.pieces)?;
        facts.set_item("looked", observed.looked)?;
        facts.set_item("decomposed", observed.decomposed)?;
        let signs = PyDict::new(py);
        for (sign, found) in observed.signs.found {
            signs.set_item(
                corpus::SIGNS[sign],
                (found.counts, found.segment, found.marker),
            )?;
        }
        facts.set_item("signs", signs)?;
        facts.set_item("sampled", observed.signs.looked)?;
        facts.set_item("sample", observed.signs.sample)?;
        Ok(facts)
    }
}

impl Observed {
    fn look_at(&self, batch: &Batch<'_>) {
        let mut observed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for segment in 0..batch.len() {
            let (hypothesis, references) = batch.segment(segment);
            observed.look(segment, hypothesis, references);
        }
        observed.signs.look(batch, 0);
    }
}
