//! BLEU of many rows at once, for comparisons: to within rounding of what the formula gives.

use super::bleu::Bleu;
use super::bleu_formula::brevity_penalty;
use crate::resample::{Statistic, sum_at};

impl Statistic for Bleu {
    fn exact(&self, sum: &[i64]) -> f64 {
        self.formula.score(sum).scores[0]
    }

    /// Takes one root of a product where the formula adds logarithms, and leaves rows in which an
    /// order has no match to the formula.
    fn compared(&self, columns: &[f64], numbers: &mut [f64]) {
        let count = numbers.len();
        let column = |field: usize| &columns[field * count..][..count];
        let formula = &self.formula;
        let direct = formula.smoothing.only_replaces_zeros() && formula.weights.is_empty();
        // Products of more counts than these might overflow.
        if !direct || formula.max_order > 8 {
            for (index, number) in numbers.iter_mut().enumerate() {
                *number = self.exact(&sum_at(columns, count, index));
            }
            return;
        }
        let mut totals = vec![1.0; count];
        numbers.fill(1.0);
        for order in 0..formula.max_order {
            multiply(numbers, column(2 + order));
            multiply(&mut totals, column(2 + formula.counted_orders() + order));
        }
        let orders = i32::try_from(formula.max_order).unwrap_or(i32::MAX);
        for (number, total) in numbers.iter_mut().zip(&totals) {
            let product = *number / total;
            *number = match orders {
                1 => product,
                2 => product.sqrt(),
                4 => product.sqrt().sqrt(),
                _ => product.powf(1.0 / f64::from(orders)),
            };
        }
        let lengths = column(0).iter().zip(column(1));
        for (index, (number, (&hyp_len, &ref_len))) in numbers.iter_mut().zip(lengths).enumerate() {
            *number = if *number > 0.0 {
                (100.0 * *number * brevity_penalty(hyp_len, ref_len)).min(100.0)
            } else {
                self.exact(&sum_at(columns, count, index))
            };
        }
    }
}

fn multiply(products: &mut [f64], factors: &[f64]) {
    for (product, factor) in products.iter_mut().zip(factors) {
        *product *= factor;
    }
}

#[cfg(test)]
mod tests {
    use super::super::bleu_formula::Formula;
    use super::super::smoothing::{SMOOTHINGS, Smoothing};
    use super::*;
    use crate::count::ReferenceLength;
    use crate::tokenize::{Preprocessing, Tokenizer};

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
                let bleu = Bleu {
                    preprocessing: Preprocessing {
                        unicode_form: None,
                        lowercase: false,
                        tokenizer: Tokenizer::named("13a").expect("known"),
                    },
                    reference_length: ReferenceLength::Closest,
                    phantom_ngrams: false,
                    formula: Formula {
                        max_order,
                        smoothing: Smoothing::named(facts.name, None).expect("known"),
                        effective_order: false,
                        weights,
                    },
                };
                let orders = i64::try_from(bleu.formula.counted_orders()).expect("few");
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
                bleu.compared(&columns, &mut scores);
                for (row, score) in rows.iter().zip(scores) {
                    let exact = bleu.exact(row);
                    assert!((score - exact).abs() <= 1e-14 * exact, "{row:?}");
                }
            }
        }
    }
}
