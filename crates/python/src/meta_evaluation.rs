//! How well metrics agree with people, also in samples, and after their scores have changed places.

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use super::arguments::{copied, floats, items};
use super::errors::OrRaise;
use super::interrupt::{detached, watched};
use truebleu_core::meta_evaluation::{How, Measure, Table};

/// Scores of outputs in groups of these sizes.
#[pyclass(frozen, module = "truebleu._core")]
pub struct JudgedTable {
    table: Table,
    outputs: usize,
}

#[pymethods]
impl JudgedTable {
    #[new]
    fn new(
        py: Python<'_>,
        sizes: &Bound<'_, PyList>,
        segments: &Bound<'_, PyList>,
        systems: &Bound<'_, PyList>,
        gold: PyBuffer<f64>,
        one: PyBuffer<f64>,
        other: PyBuffer<f64>,
    ) -> PyResult<Self> {
        let sizes = items(sizes)?;
        let places = [items(segments)?, items(systems)?];
        let [gold, one, other] = [gold, one, other].map(|scores| copied(py, &scores));
        let (gold, scores) = (gold?, [one?, other?]);
        let outputs = gold.len();
        let table = detached(py, || Table::new(&sizes, places, gold, scores))?;
        Ok(Self { table, outputs })
    }

    /// The value of the first metric; NaN if it is undefined.
    fn value(&self, py: Python<'_>, measure: &str) -> PyResult<f64> {
        let measure = Measure::named(measure).or_raise()?;
        let found = watched(py, self.outputs.saturating_mul(256), || {
            self.table.values(measure, How::Once, 1)
        })?;
        Ok(found.first().copied().unwrap_or(f64::NAN))
    }

    /// Its value in each sample, as little-endian float64; a sample has one weight per segment.
    fn sampled<'py>(
        &self,
        py: Python<'py>,
        measure: &str,
        weights: PyBuffer<f64>,
        segments: usize,
        threads: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let measure = Measure::named(measure).or_raise()?;
        let weights = copied(py, &weights)?;
        let found = watched(py, self.outputs.saturating_mul(weights.len()), || {
            self.table
                .values(measure, How::Samples(&weights, segments), threads)
        })?;
        floats(py, &found)
    }

    /// The values of both metrics after each of some random swaps, or of all swaps.
    fn swapped<'py>(
        &self,
        py: Python<'py>,
        measure: &str,
        seed: Option<u64>,
        count: usize,
        threads: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let measure = Measure::named(measure).or_raise()?;
        let how = seed.map_or(How::AllSwaps, |seed| How::Drawn(seed, count));
        let found = watched(
            py,
            self.outputs.saturating_mul(64).saturating_mul(count),
            || self.table.values(measure, how, threads),
        )?;
        floats(py, &found)
    }
}
