//! sacreBLEU's score of resampled statistics, with the same floating-point operations.
//!
//! sacreBLEU computes confidence intervals from statistics in single precision, and scores swapped
//! systems with integer arrays. Both change the last digits of scores, and so p-values. This module
//! reproduces them; everything else is scored by [`Metric::score`].

mod bleu;
mod chrf;
mod ter;

use super::Metric;
use super::any::{AnyMetric, with_metric};
use crate::count::rows::add_row;
use crate::error::Error;
use crate::memory::{listed, reserve, with_room};

/// How the result of each operation on counts is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Double precision, as for the score itself.
    Double,
    /// Single precision, as for bootstrap samples.
    Single,
    /// Double precision, but counts are truncated to integers after smoothing adds to them, as for
    /// random swaps.
    Whole,
}

impl Arithmetic {
    /// Rounds a result. A single operation on single-precision numbers, computed in double
    /// precision and then rounded, gives the same result as in single precision.
    #[expect(clippy::cast_possible_truncation, reason = "rounding is the purpose")]
    fn round(self, value: f64) -> f64 {
        if self == Self::Single {
            f64::from(value as f32)
        } else {
            value
        }
    }

    /// Rounds a count to which smoothing has added.
    fn count(self, value: f64) -> f64 {
        if self == Self::Whole {
            value.trunc()
        } else {
            self.round(value)
        }
    }
}

/// A number of Python or of `NumPy`, whose types decide how operations round.
///
/// An operation on two numbers of Python is in double precision, any other in single precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A float of Python.
    Python(f64),
    /// A float32 of `NumPy`.
    Single(f32),
}

impl Number {
    /// The number in double precision.
    #[must_use]
    pub fn value(self) -> f64 {
        match self {
            Self::Python(value) => value,
            Self::Single(value) => value.into(),
        }
    }
}

/// The scores of bootstrap samples.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleScores {
    /// One score per sample.
    pub scores: Vec<f64>,
    /// Whether all are in single precision; `NumPy` makes an array of double precision of them
    /// otherwise.
    pub single: bool,
}

/// Appends sacreBLEU's statistics of a segment, or of a sum of segments, given its row: the row
/// itself, unless sacreBLEU has others.
fn statistics(metric: &AnyMetric, row: &[i64], numbers: &mut Vec<f64>) {
    match metric {
        AnyMetric::Ter(_) => ter::statistics(row, numbers),
        #[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
        _ => numbers.extend(row.iter().map(|&count| count as f64)),
    }
}

/// The score of sacreBLEU's statistics, as sacreBLEU 2.6.0 computes it.
fn score_of(metric: &AnyMetric, numbers: &[f64], arithmetic: Arithmetic) -> Result<Number, Error> {
    if let AnyMetric::Bleu(bleu) = metric {
        // Always a number of Python, as its `exp` returns it.
        bleu::score(numbers, &bleu.formula, arithmetic).map(Number::Python)
    } else if let AnyMetric::Chrf(chrf) = metric {
        chrf::score(chrf, numbers, arithmetic)
    } else if let AnyMetric::Ter(_) = metric {
        ter::score(numbers, arithmetic)
    } else {
        Err(Error::InvalidSetting(
            "sacreBLEU has no such metric".to_owned(),
        ))
    }
}

/// The score of a row.
///
/// # Errors
///
/// [`Error::InvalidSetting`] if sacreBLEU does not support the settings, [`Error::BadTable`] if the
/// row has another width.
pub fn score(metric: &AnyMetric, row: &[i64], arithmetic: Arithmetic) -> Result<f64, Error> {
    if row.len() != with_metric!(metric, metric => metric.width()) {
        return Err(Error::BadTable);
    }
    let mut numbers = Vec::with_capacity(row.len());
    statistics(metric, row, &mut numbers);
    Ok(score_of(metric, &numbers, arithmetic)?.value())
}

/// The scores of bootstrap samples: the rows at `indices` (for each sample as many as the table has
/// rows), added in that order in single precision.
///
/// # Errors
///
/// Those of [`score`], and [`Error::BadTable`] if an index is out of range.
pub fn resampled(
    metric: &AnyMetric,
    table: &[i64],
    indices: &[i64],
) -> Result<SampleScores, Error> {
    let width = with_metric!(metric, metric => metric.width());
    if table.is_empty() || !table.len().is_multiple_of(width) {
        return Err(Error::BadTable);
    }
    let segments = table.len() / width;
    if !indices.len().is_multiple_of(segments) {
        return Err(Error::BadTable);
    }
    let mut numbers = Vec::new();
    // TER has fewer numbers than fields.
    reserve(&mut numbers, table.len());
    for row in table.chunks_exact(width) {
        statistics(metric, row, &mut numbers);
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "sacreBLEU keeps statistics in single precision"
    )]
    let table = listed(numbers.iter().map(|&number| number as f32));
    let width = table.len() / segments;
    let mut sum = vec![0.0_f32; width];
    let mut samples = SampleScores {
        scores: with_room(indices.len() / segments),
        single: true,
    };
    for sample in indices.chunks_exact(segments) {
        sum.fill(0.0);
        for &index in sample {
            let row = usize::try_from(index)
                .ok()
                .and_then(|index| table.get(index * width..)?.get(..width))
                .ok_or(Error::BadTable)?;
            for (sum, value) in sum.iter_mut().zip(row) {
                *sum += value;
            }
        }
        let row: Vec<f64> = sum.iter().copied().map(f64::from).collect();
        let score = score_of(metric, &row, Arithmetic::Single)?;
        samples.single &= matches!(score, Number::Single(_));
        samples.scores.push(score.value());
    }
    Ok(samples)
}

/// The scores of two systems after swaps: for each trial, that of the first and that of the second.
///
/// `stays` has one byte for each trial and segment: 0 where the segment is swapped.
///
/// # Errors
///
/// Those of [`score`] and of [`add_row`], and [`Error::BadTable`] if the sizes do not match.
pub fn swapped(
    metric: &AnyMetric,
    first: &[i64],
    second: &[i64],
    stays: &[u8],
) -> Result<Vec<f64>, Error> {
    let width = with_metric!(metric, metric => metric.width());
    let segments = first.len() / width;
    if first.len() != second.len() || segments == 0 || !stays.len().is_multiple_of(segments) {
        return Err(Error::BadTable);
    }
    let add = |sum: &mut [i64], row: &[i64]| {
        add_row(sum, row).map_err(|error| {
            error.named(|column| with_metric!(metric, metric => metric.field(column)))
        })
    };
    let mut scores = with_room(2 * (stays.len() / segments));
    for trial in stays.chunks_exact(segments) {
        let mut sums = [vec![0; width], vec![0; width]];
        for ((&stays, in_first), in_second) in trial
            .iter()
            .zip(first.chunks_exact(width))
            .zip(second.chunks_exact(width))
        {
            let (one, two) = if stays == 0 {
                (in_second, in_first)
            } else {
                (in_first, in_second)
            };
            add(&mut sums[0], one)?;
            add(&mut sums[1], two)?;
        }
        for sum in sums {
            scores.push(score(metric, &sum, Arithmetic::Whole)?);
        }
    }
    Ok(scores)
}
