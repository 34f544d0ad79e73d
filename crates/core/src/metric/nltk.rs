//! NLTK's score of one sentence, with the same floating-point operations.
//!
//! NLTK adds up logarithms exactly and rounds once (`math.fsum`), so the last digit of its scores
//! differs from that of [`Formula`](super::bleu_formula::Formula).

use super::bleu_formula::brevity_penalty;
use super::bleu_row::Row;
use super::logarithm::{exp, ln};

/// The score of a row of phantom n-grams from 0 to 1, with uniform weights.
///
/// An order without a match counts as `epsilon` matches (NLTK's method 1). None if no token
/// matches, or if any order has no match and there is no `epsilon`: NLTK has rules and warnings for
/// these. None also if a number is too large for a float.
///
/// # Panics
///
/// If the row has fewer than two fields.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
pub fn score(row: &[i64], epsilon: Option<f64>) -> Option<f64> {
    let row = Row::new(row);
    let weight = 1.0 / row.matches.len() as f64;
    let mut logs = ExactSum::default();
    for (n, (&matches, &total)) in row.matches.iter().zip(row.totals).enumerate() {
        let precision = match matches {
            0 if n == 0 => return None,
            0 => epsilon.filter(|k| k.is_finite())? / total as f64,
            _ => matches as f64 / total as f64,
        };
        if precision > 0.0 {
            logs.add(weight * ln(precision));
        }
    }
    let penalty = brevity_penalty(row.hyp_len as f64, row.ref_len as f64);
    let score = penalty * exp(logs.rounded());
    score.is_finite().then_some(score)
}

/// A sum of finite numbers without rounding errors: numbers of which no two overlap, in ascending
/// order (Shewchuk 1997), as in Python's `math.fsum`.
#[derive(Default)]
struct ExactSum(Vec<f64>);

impl ExactSum {
    fn add(&mut self, mut number: f64) {
        let mut kept = 0;
        for index in 0..self.0.len() {
            let (sum, error) = add_exactly(number, self.0[index]);
            if error != 0.0 {
                self.0[kept] = error;
                kept += 1;
            }
            number = sum;
        }
        self.0.truncate(kept);
        self.0.push(number);
    }

    /// The float nearest to the sum; on a tie, the even one.
    fn rounded(&self) -> f64 {
        let mut parts = self.0.iter().rev().copied();
        let mut sum = parts.next().unwrap_or(0.0);
        let mut error = 0.0;
        for part in parts.by_ref() {
            (sum, error) = add_exactly(sum, part);
            if error != 0.0 {
                break;
            }
        }
        // A tie was rounded to even, but the parts below break it.
        let below = parts.next().unwrap_or(0.0);
        if (error < 0.0 && below < 0.0) || (error > 0.0 && below > 0.0) {
            let doubled = 2.0 * error;
            let up = sum + doubled;
            if up - sum == doubled {
                sum = up;
            }
        }
        sum
    }
}

/// The rounded sum of two numbers, and what rounding took away.
fn add_exactly(one: f64, other: f64) -> (f64, f64) {
    let (large, small) = if one.abs() < other.abs() {
        (other, one)
    } else {
        (one, other)
    };
    let sum = large + small;
    (sum, small - (sum - large))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(numbers: &[f64]) -> f64 {
        let mut sum = ExactSum::default();
        for &number in numbers {
            sum.add(number);
        }
        sum.rounded()
    }

    /// The examples of Python's tests of `math.fsum` that are finite.
    #[test]
    fn sums_are_rounded_once() {
        let tiny = f64::EPSILON;
        assert_eq!(sum(&[]), 0.0);
        assert_eq!(
            sum(&[1e100, 1.0, -1e100, 1e-100, 1e50, -1.0, -1e50]),
            1e-100
        );
        assert_eq!(sum(&[1.0, tiny / 2.0, tiny * tiny]), 1.0 + tiny);
        assert_eq!(sum(&[1.0, -tiny / 4.0, -tiny * tiny]), 1.0 - tiny / 2.0);
        assert_eq!(sum(&[1.0, tiny / 2.0]), 1.0);
        assert_eq!(sum(&[0.1; 10]), 1.0);
    }

    /// What NLTK treats in its own way is left to it.
    #[test]
    fn orders_without_a_match() {
        assert_eq!(score(&[2, 2, 2, 1, 2, 1], None), Some(1.0));
        assert_eq!(score(&[2, 2, 2, 0, 2, 1], None), None);
        assert_eq!(score(&[2, 2, 0, 0, 2, 1], Some(0.1)), None);
        let found = score(&[2, 2, 2, 0, 2, 1], Some(0.25)).expect("a word matches");
        assert!((found - 0.5).abs() < 1e-15);
    }
}
