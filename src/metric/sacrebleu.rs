//! sacreBLEU's score of resampled statistics, step by step, with the arithmetic that it has there.
//!
//! Its intervals come from statistics in single precision, and its swapped systems from arrays of
//! whole numbers. Both leave traces in the last digits, and so in p-values. This is only for who
//! must have the same ones; everything else is scored by [`Formula`].

use super::bleu_formula::{Formula, brevity_penalty};
use super::bleu_row::{field_name, row_width};
use super::smoothing::Rule;
use crate::count::rows::add_row;
use crate::error::Error;

/// What happens to the result of every operation on counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Double precision, as for the score itself.
    Double,
    /// Single precision, as for bootstrap samples.
    Single,
    /// Double precision, but counts stay whole when smoothing adds to them, as for random swaps.
    Whole,
}

impl Arithmetic {
    /// A result. One operation on numbers of single precision is exact enough in double precision
    /// that rounding it afterwards gives what single precision gives.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "rounding is what is wanted"
    )]
    fn round(self, value: f64) -> f64 {
        if self == Self::Single {
            f64::from(value as f32)
        } else {
            value
        }
    }

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
/// A perfect score of four orders is 100.00000000000004 there.
///
/// # Errors
///
/// [`Error::InvalidSetting`] if sacreBLEU has no such setting, [`Error::BadTable`] if the row has
/// another width.
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
    // sacreBLEU reads whole lengths.
    let penalty = brevity_penalty(hyp_len.trunc(), ref_len.trunc());
    #[expect(clippy::cast_precision_loss, reason = "orders are few")]
    Ok(penalty * (sum / effective as f64).exp())
}

/// The scores of bootstrap samples: rows picked by `indices`, as many for each sample as there
/// are, and added in single precision in that order.
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

/// The scores of two systems whose segments have been swapped: a byte for each trial and segment,
/// not 0 where a segment of the first stays.
///
/// Returns the scores of the first and of the second in turn.
///
/// # Errors
///
/// Those of [`score`] and of [`add_row`], and [`Error::BadTable`] if the sizes do not
/// fit.
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
    let mut found = Vec::with_capacity(2 * (stays.len() / segments));
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
            found.push(score(&row, formula, Arithmetic::Whole)?);
        }
    }
    Ok(found)
}
