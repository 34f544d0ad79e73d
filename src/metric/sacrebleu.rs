//! sacreBLEU's score of resampled statistics, with the same floating-point operations.
//!
//! sacreBLEU computes confidence intervals from statistics in single precision, and scores swapped
//! systems with integer arrays. Both change the last digits of scores, and so p-values. This module
//! reproduces them; everything else is scored by [`Formula`].

use super::bleu_formula::{Formula, brevity_penalty};
use super::bleu_row::{field_name, row_width};
use super::smoothing::Rule;
use crate::count::rows::add_row;
use crate::error::Error;

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

/// The score of a row as sacreBLEU 2.6.0 computes it.
///
/// There, a perfect score is 100.00000000000004 with four orders.
///
/// # Errors
///
/// [`Error::InvalidSetting`] if sacreBLEU does not support the settings, [`Error::BadTable`] if the
/// row has another width.
pub fn score(row: &[f64], formula: &Formula, arithmetic: Arithmetic) -> Result<f64, Error> {
    let (rule, value) = (formula.smoothing.rule(), formula.smoothing.value());
    if !formula.smoothing.in_sacrebleu() || !formula.weights.is_empty() {
        return Err(Error::InvalidSetting(
            "sacreBLEU has the smoothings none, floor, add-k and exp, and uniform weights".into(),
        ));
    }
    let orders = formula.max_order;
    let (&[hyp_len, ref_len], counts) = row.split_first_chunk().ok_or(Error::BadTable)?;
    if counts.len() != 2 * orders {
        return Err(Error::BadTable);
    }
    let (matches, totals) = counts.split_at(orders);
    if matches.iter().all(|&count| count == 0.0) {
        return Ok(0.0);
    }
    let round = |value| arithmetic.round(value);
    let mut precisions = vec![0.0; orders];
    let mut halvings = 1.0;
    let mut effective = orders;
    for n in 0..orders {
        let (mut matched, mut total) = (matches[n], totals[n]);
        if rule == Rule::AddK && n > 0 {
            matched = arithmetic.count(matched + round(value));
            total = arithmetic.count(total + round(value));
        }
        if total == 0.0 {
            break;
        }
        if formula.effective_order {
            effective = n + 1;
        }
        precisions[n] = match rule {
            _ if matched != 0.0 => round(round(100.0 * matched) / total),
            Rule::Exp => {
                halvings *= 2.0;
                round(100.0 / round(halvings * total))
            }
            Rule::Floor => round(round(100.0 * value) / total),
            _ => 0.0,
        };
    }
    let logarithm = |&precision: &f64| match precision {
        0.0 => -9_999_999_999.0,
        _ => precision.ln(),
    };
    let sum: f64 = precisions[..effective].iter().map(logarithm).sum();
    // sacreBLEU truncates lengths.
    let penalty = brevity_penalty(hyp_len.trunc(), ref_len.trunc());
    #[expect(clippy::cast_precision_loss, reason = "orders are few")]
    Ok(penalty * (sum / effective as f64).exp())
}

/// The scores of bootstrap samples: the rows at `indices` (for each sample as many as the table has
/// rows), added in that order in single precision.
///
/// # Errors
///
/// Those of [`score`], and [`Error::BadTable`] if an index is out of range.
pub fn resampled(table: &[i64], indices: &[i64], formula: &Formula) -> Result<Vec<f64>, Error> {
    let width = row_width(formula.max_order);
    if table.is_empty() || !table.len().is_multiple_of(width) {
        return Err(Error::BadTable);
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "sacreBLEU keeps counts in single precision"
    )]
    let table: Vec<f32> = table.iter().map(|&count| count as f32).collect();
    let segments = table.len() / width;
    if !indices.len().is_multiple_of(segments) {
        return Err(Error::BadTable);
    }
    let mut sum = vec![0.0_f32; width];
    indices
        .chunks_exact(segments)
        .map(|sample| {
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
            score(&row, formula, Arithmetic::Single)
        })
        .collect()
}

/// The scores of two systems after swaps: for each trial, that of the first and that of the second.
///
/// `stays` has one byte for each trial and segment: 0 where the segment is swapped.
///
/// # Errors
///
/// Those of [`score`] and of [`add_row`], and [`Error::BadTable`] if the sizes do not match.
pub fn swapped(
    first: &[i64],
    second: &[i64],
    stays: &[u8],
    formula: &Formula,
) -> Result<Vec<f64>, Error> {
    let width = row_width(formula.max_order);
    let segments = first.len() / width;
    if first.len() != second.len() || segments == 0 || !stays.len().is_multiple_of(segments) {
        return Err(Error::BadTable);
    }
    let add = |sum: &mut [i64], row: &[i64]| {
        add_row(sum, row).map_err(|error| error.named(|column| field_name(column, width)))
    };
    let mut scores = Vec::with_capacity(2 * (stays.len() / segments));
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
            #[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
            let row: Vec<f64> = sum.iter().map(|&count| count as f64).collect();
            scores.push(score(&row, formula, Arithmetic::Whole)?);
        }
    }
    Ok(scores)
}
