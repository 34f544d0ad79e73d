//! Resampling, in ranges of samples, so that the caller can show progress and be interrupted.

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::arguments::{copied, floats, from_bytes, to_bytes};
use super::engine::Engine;
use super::errors::{OrRaise, exception};
use super::interrupt::{detached, interruptible};
use truebleu_core::error::Error;
use truebleu_core::metric::Metric;
use truebleu_core::metric::any::with_metric;
use truebleu_core::resample;

/// The rows of some systems side by side. An engine scores their sums.
#[pyclass(frozen, module = "truebleu._core")]
pub struct Units {
    units: resample::Units,
    width: usize,
}

#[pymethods]
impl Units {
    #[new]
    fn new(py: Python<'_>, tables: Vec<PyBackedBytes>, width: usize) -> PyResult<Self> {
        let tables: PyResult<Vec<_>> = tables.iter().map(|table| from_bytes(table)).collect();
        let tables = tables?;
        let units = detached(py, || resample::Units::new(&tables, width))?;
        Ok(Self { units, width })
    }

    /// The scores of bootstrap samples `start..stop` as little-endian float64: for each sample, one
    /// score per system.
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
        let scores = detached(py, || {
            self.units
                .bootstrap(&engine.metric, seed, start..stop, threads)
        })?;
        floats(py, &scores)
    }

    /// The sums of the same samples as little-endian int64: for each sample, one row per system.
    fn bootstrap_sums<'py>(
        &self,
        py: Python<'py>,
        seed: u64,
        start: u64,
        stop: u64,
        threads: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let sums = detached(py, || self.units.bootstrap_sums(seed, start..stop, threads))?;
        to_bytes(py, &sums)
    }
}

impl Units {
    /// Rejects an engine whose rows have another width.
    fn check(&self, engine: &Engine) -> PyResult<()> {
        if self.width != with_metric!(&engine.metric, metric => metric.width()) {
            return Err(exception(Error::BadTable));
        }
        Ok(())
    }
}

/// What units contribute to the scores of systems, whose outputs are swapped.
#[pyclass(frozen, module = "truebleu._core")]
pub struct Contributions(resample::Contributions);

#[pymethods]
impl Contributions {
    #[new]
    fn new(
        py: Python<'_>,
        influences: PyBuffer<f64>,
        shares: PyBuffer<f64>,
        systems: usize,
    ) -> PyResult<Self> {
        let (influences, shares) = (copied(py, &influences)?, copied(py, &shares)?);
        let work = || resample::Contributions::new(&influences, &shares, systems);
        Ok(Self(detached(py, work)?))
    }

    /// Trials `start..stop` of random swaps: for each pair, which has two systems, the observed
    /// difference and what is a tie, how many differences were at least as large in absolute value.
    fn swap(
        &self,
        py: Python<'_>,
        pairs: Vec<(usize, usize, f64, f64)>,
        seed: u64,
        start: u64,
        stop: u64,
        threads: usize,
    ) -> PyResult<Vec<u64>> {
        let tested = |(one, other, difference, tie)| resample::Tested {
            one,
            other,
            difference,
            tie,
        };
        let pairs: Vec<_> = pairs.into_iter().map(tested).collect();
        let work = || self.0.swap(&pairs, seed, start..stop, threads);
        detached(py, work)
    }
}

/// The same counts for all ways to swap units, and the number of ways.
#[pyfunction]
pub fn swap_all(
    py: Python<'_>,
    values: PyBuffer<f64>,
    difference: f64,
    tie: f64,
) -> PyResult<(u64, u64)> {
    let values = copied(py, &values)?;
    let work = || resample::swap_all(&values, difference, tie);
    detached(py, work)
}

/// The sums of autocorrelations of influences of segments on each score (float64, one score after
/// the other). Then in how many random orders of the segments, up to `enough`, the largest of these
/// sums is as large.
#[pyfunction]
pub fn neighbors(
    py: Python<'_>,
    influences: PyBuffer<f64>,
    scores: usize,
    seed: u64,
    orders: u64,
    enough: u64,
) -> PyResult<(Vec<f64>, u64)> {
    let values = copied(py, &influences)?;
    if scores > values.len() {
        return Err(exception(Error::BadTable));
    }
    interruptible(py, |pause| {
        resample::Influences::new(&values, scores)?.compare(seed, orders, enough, pause)
    })
}

/// The quantile of Student's t distribution at a probability, which is not too small, for degrees of
/// freedom from 0.001 to 1,000.
#[pyfunction]
pub fn student_t_quantile(probability: f64, freedom: f64) -> PyResult<f64> {
    // Beyond these, the crate statrs panics, or does not end.
    if !(1e-100..1.0).contains(&probability) || !(0.001..=1000.0).contains(&freedom) {
        let message = format!("no quantile at {probability} for {freedom} degrees of freedom");
        return Err(exception(Error::InvalidSetting(message)));
    }
    let distribution = StudentsT::new(0.0, 1.0, freedom)
        .map_err(|error| Error::InvalidSetting(error.to_string()))
        .or_raise()?;
    Ok(distribution.inverse_cdf(probability))
}

/// The probability that Student's t is at least a value, for degrees of freedom from
/// 0.001 to 1,000,000.
#[pyfunction]
pub fn student_t_tail(value: f64, freedom: f64) -> PyResult<f64> {
    if value.is_nan() || !(0.001..=1e6).contains(&freedom) {
        let message = format!("no tail from {value} on for {freedom} degrees of freedom");
        return Err(exception(Error::InvalidSetting(message)));
    }
    let distribution = StudentsT::new(0.0, 1.0, freedom)
        .map_err(|error| Error::InvalidSetting(error.to_string()))
        .or_raise()?;
    Ok(distribution.sf(value))
}
