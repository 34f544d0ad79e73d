//! sacreBLEU's BLEU of resampled statistics.

use super::Arithmetic;
use crate::error::Error;
use crate::metric::bleu_formula::{Formula, brevity_penalty};
use crate::metric::logarithm::{exp, ln};
use crate::metric::smoothing::Rule;

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
    if !(formula.smoothing.in_sacrebleu() && formula.weights.is_empty() && formula.brevity_penalty)
    {
        return Err(Error::InvalidSetting(
            "sacreBLEU has the smoothings none, floor, add-k and exp, uniform weights, and a brevity \
             penalty"
                .into(),
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
        if formula.effective_order == Some(true) {
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
        _ => ln(precision),
    };
    let sum: f64 = precisions[..effective].iter().map(logarithm).sum();
    // sacreBLEU truncates lengths.
    let penalty = brevity_penalty(hyp_len.trunc(), ref_len.trunc());
    #[expect(clippy::cast_precision_loss, reason = "orders are few")]
    Ok(penalty * exp(sum / effective as f64))
}
