//! BLEU of many rows at once, for comparisons: to within rounding of what the formula gives.

use super::Scope;
use super::bleu_formula::Formula;
use crate::resample::{Statistic, sum_at};

/// The scores of many rows; see [`Statistic::compared`].
///
/// Takes one root of a product where the formula adds logarithms, and leaves rows in which an order
/// has no match to the formula.
pub fn compared(formula: &Formula, columns: &[f64], scores: &mut [f64]) {
    let count = scores.len();
    let column = |field: usize| &columns[field * count..][..count];
    let direct = formula.smoothing.only_replaces_zeros() && formula.weights.is_empty();
    // Products of more counts than these might overflow.
    if !direct || formula.max_order > 8 {
        return (|sum: &[i64]| formula.first_score(sum, Scope::Corpus)).compared(columns, scores);
    }
    let mut totals = vec![1.0; count];
    scores.fill(1.0);
    for order in 0..formula.max_order {
        multiply(scores, column(2 + order));
        multiply(&mut totals, column(2 + formula.counted_orders() + order));
    }
    let orders = i32::try_from(formula.max_order).unwrap_or(i32::MAX);
    for (score, total) in scores.iter_mut().zip(&totals) {
        let product = *score / total;
        *score = match orders {
            1 => product,
            2 => product.sqrt(),
            4 => product.sqrt().sqrt(),
            _ => product.powf(1.0 / f64::from(orders)),
        };
    }
    let lengths = column(0).iter().zip(column(1));
    for (index, (score, (&hyp_len, &ref_len))) in scores.iter_mut().zip(lengths).enumerate() {
        *score = if *score > 0.0 {
            (100.0 * *score * formula.penalty(hyp_len, ref_len)).min(100.0)
        } else {
            formula.first_score(&sum_at(columns, count, index), Scope::Corpus)
        };
    }
}

fn multiply(products: &mut [f64], factors: &[f64]) {
    for (product, factor) in products.iter_mut().zip(factors) {
        *product *= factor;
    }
}

#[cfg(test)]
mod tests {
    use super::super::smoothing::{SMOOTHINGS, Smoothing};
    use super::*;

    /// Rows with and without matches, short and long, scored both ways.
    #[test]
    fn both_ways_agree() {
        for facts in SMOOTHINGS {
            for (max_order, weights) in [
                (1, vec![]),
                (2, vec![]),
                (3, vec![]),
                (4, vec![]),
                (4, vec![vec![0.4, 0.3, 0.2, 0.1]]),
                (9, vec![]),
            ] {
                let formula = Formula {
                    max_order,
                    smoothing: Smoothing::named(facts.name, None).expect("known"),
                    effective_order: None,
                    brevity_penalty: max_order != 2,
                    weights,
                };
                let orders = i64::try_from(formula.counted_orders()).expect("few");
                let row = |length: i64, lost: i64| -> Vec<i64> {
                    let total = |n: i64| (length - n).max(0);
                    let matches = (0..orders).map(|n| (total(n) - lost * (n + 1)).max(0));
                    let totals = (0..orders).map(total);
                    [length, 30]
                        .into_iter()
                        .chain(matches)
                        .chain(totals)
                        .collect()
                };
                let rows: Vec<_> = [0, 3, 12, 29, 30, 47, 100_000]
                    .into_iter()
                    .flat_map(|length| [0, 1, 5, 50].map(|lost| row(length, lost)))
                    .collect();
                #[expect(clippy::cast_precision_loss, reason = "small numbers")]
                let columns: Vec<f64> = (0..rows[0].len())
                    .flat_map(|field| rows.iter().map(move |row| row[field] as f64))
                    .collect();
                let mut scores = vec![0.0; rows.len()];
                compared(&formula, &columns, &mut scores);
                for (row, score) in rows.iter().zip(scores) {
                    let exact = formula.first_score(row, Scope::Corpus);
                    assert!((score - exact).abs() <= 1e-14 * exact, "{row:?}");
                }
            }
        }
    }
}
