//! Accuracies over pairs of outputs, and what they become when scores change places.

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use super::arguments::{copied, floats, items};
use super::errors::OrRaise;
use super::interrupt::{detached, watched};
use truebleu_core::error::Error;
use truebleu_core::meta_evaluation;
use truebleu_core::meta_evaluation::{Accuracies, Correlation, Weights, pairs_of};

/// Pairs of outputs within groups of these sizes.
#[pyclass(frozen, module = "truebleu._core")]
pub struct RankedPairs(meta_evaluation::Pairs);

#[pymethods]
impl RankedPairs {
    #[new]
    fn new(
        py: Python<'_>,
        sizes: &Bound<'_, PyList>,
        gold: PyBuffer<f64>,
        scores: PyBuffer<f64>,
    ) -> PyResult<Self> {
        let sizes = items(sizes)?;
        let (gold, scores) = (copied(py, &gold)?, copied(py, &scores)?);
        let pairs = sizes
            .iter()
            .fold(0, |sum: usize, &size| sum.saturating_add(pairs_of(size)));
        let work = || meta_evaluation::Pairs::new(&sizes, &gold, &scores);
        Ok(Self(watched(py, pairs.saturating_mul(32), work)?))
    }

    /// The accuracy if scores that differ by at most `threshold` are tied; None without pairs.
    /// There is one weight per group, or, with `of_outputs`, one per output.
    fn accuracy(
        &self,
        py: Python<'_>,
        threshold: f64,
        weights: PyBuffer<f64>,
        of_outputs: bool,
    ) -> PyResult<Option<f64>> {
        let weights = copied(py, &weights)?;
        detached(py, || {
            self.0.accuracy(threshold, kind(&weights, of_outputs))
        })
    }

    /// The best accuracy, and the lowest threshold that has it; None without pairs.
    fn best(
        &self,
        py: Python<'_>,
        weights: PyBuffer<f64>,
        of_outputs: bool,
    ) -> PyResult<Option<(f64, f64)>> {
        let weights = copied(py, &weights)?;
        let best = detached(py, || self.0.best(kind(&weights, of_outputs)))?;
        Ok(best.map(|best| (best.accuracy, best.threshold)))
    }
}

const fn kind(weights: &[f64], of_outputs: bool) -> Weights<'_> {
    if of_outputs {
        Weights::OfOutputs(weights)
    } else {
        Weights::OfGroups(weights)
    }
}

/// The ranks of outputs by two scores.
#[pyclass(frozen, module = "truebleu._core")]
pub struct Ranks(meta_evaluation::Ranks);

#[pymethods]
impl Ranks {
    #[new]
    fn new(py: Python<'_>, one: PyBuffer<f64>, other: PyBuffer<f64>) -> PyResult<Self> {
        let (one, other) = (copied(py, &one)?, copied(py, &other)?);
        let ranks = detached(py, || meta_evaluation::Ranks::new(&one, &other));
        Ok(Self(ranks?))
    }

    /// Kendall's tau-b in each sample, as little-endian float64, with a weight per output; NaN if it
    /// is undefined.
    fn tau_b<'py>(&self, py: Python<'py>, weights: PyBuffer<f64>) -> PyResult<Bound<'py, PyBytes>> {
        let weights = copied(py, &weights)?;
        let found = watched(py, weights.len().saturating_mul(16), || {
            self.0.tau_b(&weights)
        })?;
        floats(py, &found)
    }
}

/// How often random signs of segments give a difference of columns, with a row of bits per draw.
#[pyfunction]
pub fn signs_reaching(
    py: Python<'_>,
    columns: PyBuffer<f64>,
    width: usize,
    pairs: Vec<(usize, usize)>,
    draws: PyBuffer<u8>,
) -> PyResult<Vec<u64>> {
    let (columns, draws) = (copied(py, &columns)?, copied(py, &draws)?);
    watched(py, draws.len().saturating_mul(width), || {
        meta_evaluation::reached(&columns, width, &pairs, &draws)
    })
}

/// The scores of two metrics, of outputs in groups of these sizes.
#[pyclass(frozen, module = "truebleu._core")]
pub struct ScoreSwaps(meta_evaluation::Swaps);

#[pymethods]
impl ScoreSwaps {
    #[new]
    fn new(
        py: Python<'_>,
        sizes: &Bound<'_, PyList>,
        gold: PyBuffer<f64>,
        one: PyBuffer<f64>,
        other: PyBuffer<f64>,
    ) -> PyResult<Self> {
        let sizes = items(sizes)?;
        let [gold, one, other] = [gold, one, other].map(|scores| copied(py, &scores));
        let (gold, one, other) = (gold?, one?, other?);
        let swaps = detached(py, || meta_evaluation::Swaps::new(&sizes, gold, one, other));
        Ok(Self(swaps?))
    }

    /// The accuracies of both metrics after random swaps, 512 draws for each block, as little-endian
    /// float64: at a threshold for ties, or each at its best one.
    fn accuracies<'py>(
        &self,
        py: Python<'py>,
        threshold: Option<f64>,
        seed: u64,
        start: u64,
        stop: u64,
        threads: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        self.drawn(py, stop, || match threshold {
            Some(threshold) => self.0.at(threshold, seed, start..stop, threads),
            None => self.0.best(seed, start..stop, threads),
        })
    }

    /// Correlations with the gold scores, averaged over groups, after the same swaps.
    fn correlations<'py>(
        &self,
        py: Python<'py>,
        which: &str,
        seed: u64,
        start: u64,
        stop: u64,
        threads: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let which = Correlation::named(which).or_raise()?;
        self.drawn(py, stop, || {
            self.0.correlations(which, seed, start..stop, threads)
        })
    }

    /// Soft pairwise accuracies after the same swaps, with the p-values of the gold scores.
    fn soft<'py>(
        &self,
        py: Python<'py>,
        systems: &Bound<'_, PyList>,
        expected: PyBuffer<f64>,
        seed: u64,
        start: u64,
        stop: u64,
        threads: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let systems = items(systems)?;
        let expected = copied(py, &expected)?;
        self.drawn(py, stop, || {
            self.0.soft(&systems, &expected, seed, start..stop, threads)
        })
    }
}

impl ScoreSwaps {
    /// Draws, and checks for Ctrl-C meanwhile.
    fn drawn<'py>(
        &self,
        py: Python<'py>,
        blocks: u64,
        work: impl FnOnce() -> Result<Accuracies, Error> + Send,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let blocks = usize::try_from(blocks).unwrap_or(usize::MAX);
        let weight = self.0.pairs().saturating_mul(64).saturating_mul(blocks);
        let drawn = watched(py, weight, work)?;
        floats(py, drawn.as_flattened())
    }
}
