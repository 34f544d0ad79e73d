//! Corpora in chunks, and what the chunks come to.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::batch::{Batch, statistics};
use crate::rows::add_row;

use super::Engine;
use super::arguments::{self, Held, to_bytes};
use super::observe::Observed;

/// Segments between two looks at Ctrl-C.
pub const CHUNK: usize = 1 << 13;

/// How many items of a list ahead of the one that is read memory is asked for.
const AHEAD: usize = 12;

/// Statistics (little-endian int64), and the smallest and largest number of references.
pub type Counted<'py> = (Bound<'py, PyBytes>, usize, usize);

/// Reads lists of str and of references in chunks, between which Ctrl-C is looked for.
pub fn for_chunks(
    py: Python<'_>,
    hypotheses: &Bound<'_, PyList>,
    references: &Bound<'_, PyList>,
    mut take: impl FnMut(&Batch<'_>) -> PyResult<()>,
) -> PyResult<()> {
    let segments = hypotheses.len().min(references.len());
    for start in (0..segments).step_by(CHUNK) {
        py.check_signals()?;
        let end = segments.min(start + CHUNK);
        let mut held = Held::with_capacity(end - start);
        for index in start..end {
            arguments::prefetch(hypotheses, index + AHEAD);
            arguments::prefetch(references, index + AHEAD);
            held.push(hypotheses.get_item(index)?, references.get_item(index)?)?;
        }
        take(held.batch())?;
    }
    Ok(())
}

/// What the chunks of one call come to.
pub struct Total<'a> {
    engine: &'a Engine,
    each: bool,
    rows: Vec<i64>,
    observed: Option<&'a Observed>,
    fewest: usize,
    most: usize,
}

impl<'a> Total<'a> {
    pub fn new(engine: &'a Engine, each: bool, observed: Option<&'a Observed>) -> Self {
        let width = if each { 0 } else { engine.row_width() };
        Self {
            engine,
            each,
            rows: vec![0; width],
            observed,
            fewest: usize::MAX,
            most: 0,
        }
    }

    /// Counts a batch without the interpreter.
    pub fn add(&mut self, py: Python<'_>, batch: &Batch<'_>, threads: usize) -> PyResult<()> {
        let counting = &self.engine.counting;
        let observed = self.observed.map(|observed| &observed.0);
        let part = py.detach(|| statistics(batch, counting, threads, self.each, observed))?;
        if self.each {
            self.rows
                .try_reserve(part.len())
                .map_err(|error| PyMemoryError::new_err(error.to_string()))?;
            self.rows.extend(part);
        } else {
            add_row(&mut self.rows, &part)?;
        }
        let (fewest, most) = batch.reference_counts();
        self.fewest = self.fewest.min(fewest);
        self.most = self.most.max(most);
        Ok(())
    }

    pub fn into_python(self, py: Python<'_>) -> Counted<'_> {
        (to_bytes(py, &self.rows), self.fewest, self.most)
    }
}
