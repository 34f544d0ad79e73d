//! Resampling for Python: samples and swaps in pieces, so that the caller can show how far it is
//! and be interrupted in between.

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use super::arguments::{floats, from_bytes, integers};
use super::engine::Engine;
use crate::error::Error;
use crate::metric::{Metric, sacrebleu};
use crate::resample;

/// The statistics of systems side by side. What they count as is up to the engine.
#[pyclass(frozen, module = "truebleu._core")]
pub struct Units {
    units: resample::Units,
    width: usize,
}

#[pymethods]
impl Units {
    #[new]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over a list so")]
    fn new(tables: Vec<PyBackedBytes>, width: usize) -> PyResult<Self> {
        let tables: PyResult<Vec<_>> = tables.iter().map(|table| from_bytes(table)).collect();
        Ok(Self {
            units: resample::Units::new(&tables?, width)?,
            width,
        })
    }

    /// Scores of bootstrap samples `start..stop` as little-endian float64: for each sample one for
    /// each system.
    fn bootstrap<'py>(
        &self,
        py: Python<'py>,
        engine: &Engine,
        seed: u64,
        start: u64,
        stop: u64,
        threads: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        self.check(engine)?;
        let found = py.detach(|| {
            let statistic = |row: &[i64]| engine.metric.score(row);
            self.units.bootstrap(&statistic, seed, start..stop, threads)
        })?;
        Ok(floats(py, &found))
    }

    /// Trials `start..stop` of random swaps; for each pair how many differences were at least as
    /// large, and how many at least as high as the observed one.
    #[expect(
        clippy::too_many_arguments,
        clippy::needless_pass_by_value,
        reason = "the piece of work, and whose it is"
    )]
    #[pyo3(name = "randomise")]
    fn randomize(
        &self,
        py: Python<'_>,
        engine: &Engine,
        pairs: Vec<(usize, usize)>,
        seed: u64,
        start: u64,
        stop: u64,
        threads: usize,
    ) -> PyResult<Vec<(u64, u64)>> {
        self.check(engine)?;
        let found = py.detach(|| {
            let statistic = |row: &[i64]| engine.metric.score(row);
            self.units
                .randomize(&statistic, &pairs, seed, start..stop, threads)
        })?;
        Ok(found
            .into_iter()
            .map(|tally| (tally.either, tally.higher))
            .collect())
    }

    /// The same for all swaps that there are, and how many.
    fn permute(
        &self,
        py: Python<'_>,
        engine: &Engine,
        one: usize,
        other: usize,
    ) -> PyResult<(u64, u64, u64)> {
        self.check(engine)?;
        let (tally, ways) = py.detach(|| {
            let statistic = |row: &[i64]| engine.metric.score(row);
            self.units.permute(&statistic, one, other)
        })?;
        Ok((tally.either, tally.higher, ways))
    }

    /// In how many units two systems differ.
    fn differing(&self, one: usize, other: usize) -> PyResult<usize> {
        Ok(self.units.differing(one, other)?.len())
    }
}

impl Units {
    fn check(&self, engine: &Engine) -> PyResult<()> {
        if self.width != engine.metric.width() {
            return Err(Error::BadTable.into());
        }
        Ok(())
    }
}

/// The scores that sacreBLEU gives bootstrap samples with these indices (an int64 buffer).
#[pyfunction]
pub fn legacy_bootstrap<'py>(
    py: Python<'py>,
    engine: &Engine,
    table: &[u8],
    indices: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let table = from_bytes(table)?;
    let indices = integers(indices)?;
    let found = py.detach(|| sacrebleu::resampled(&table, &indices, &engine.metric.formula))?;
    Ok(floats(py, &found))
}

/// The scores that sacreBLEU gives two systems after swaps: for each trial that of the first and
/// that of the second. A byte for each trial and segment is 1 where a segment stays.
#[pyfunction]
pub fn legacy_swaps<'py>(
    py: Python<'py>,
    engine: &Engine,
    first: &[u8],
    second: &[u8],
    stays: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    let (first, second) = (from_bytes(first)?, from_bytes(second)?);
    let found = py.detach(|| sacrebleu::swapped(&first, &second, stays, &engine.metric.formula))?;
    Ok(floats(py, &found))
}

/// The score that sacreBLEU gives a row.
#[pyfunction]
pub fn legacy_score(engine: &Engine, row: &[u8]) -> PyResult<f64> {
    #[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
    let row: Vec<f64> = from_bytes(row)?.iter().map(|&count| count as f64).collect();
    let arithmetic = sacrebleu::Arithmetic::Double;
    Ok(sacrebleu::score(&row, &engine.metric.formula, arithmetic)?)
}
