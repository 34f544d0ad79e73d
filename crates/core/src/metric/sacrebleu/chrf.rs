//! sacreBLEU's chrF of resampled statistics.

use super::Arithmetic;
use super::Number::{self, Python, Single};
use crate::error::Error;
use crate::metric::Metric;
use crate::metric::chrf::Chrf;
use crate::metric::chrf_formula::{ChrfFormula, EPSILON, FIELDS};

/// The score of counts; only in single precision does it differ from the formula.
///
/// # Errors
///
/// [`Error::BadTable`] if there is another number of them.
pub fn score(chrf: &Chrf, counts: &[f64], arithmetic: Arithmetic) -> Result<Number, Error> {
    if counts.len() != chrf.width() {
        return Err(Error::BadTable);
    }
    Ok(if arithmetic == Arithmetic::Single {
        chrf.formula.score_in_single_precision(counts)
    } else {
        Python(chrf.formula.score(|column| counts[column]))
    })
}

impl ChrfFormula {
    /// The score of single-precision counts; a number of Python if no count takes part in it.
    fn score_in_single_precision(&self, counts: &[f64]) -> Number {
        let factor = self.squared_beta;
        let weighted = |p: Number, r: Number| {
            let product = Python(1.0 + factor).times(p).times(r);
            let sum = Python(factor).times(p).plus(r);
            (product, sum)
        };
        let zero = Python(0.0);
        let (mut sum, mut precision, mut recall, mut defined) = (zero, zero, zero, 0.0);
        for order in counts.as_chunks::<FIELDS>().0 {
            let &[hyp, reference, matched] = order;
            let of = |total| {
                if total > 0.0 {
                    single(matched).over(single(total))
                } else {
                    Python(EPSILON)
                }
            };
            let (p, r) = (of(hyp), of(reference));
            let (product, denominator) = weighted(p, r);
            sum = sum.plus(if denominator.value() > 0.0 {
                product.over(denominator)
            } else {
                Python(EPSILON)
            });
            if hyp > 0.0 && reference > 0.0 {
                precision = precision.plus(p);
                recall = recall.plus(r);
                defined += 1.0;
            }
        }
        if self.eps_smoothing {
            #[expect(clippy::cast_precision_loss, reason = "orders are few")]
            let orders = self.orders() as f64;
            return Python(100.0).times(sum).over(Python(orders));
        }
        if defined == 0.0 {
            return zero;
        }
        let (p, r) = (
            precision.over(Python(defined)),
            recall.over(Python(defined)),
        );
        if p.plus(r).value() == 0.0 {
            return zero;
        }
        let (product, denominator) = weighted(p, r);
        Python(100.0).times(product.over(denominator))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "rounding is the purpose")]
fn single(value: f64) -> Number {
    Single(value as f32)
}

impl Number {
    #[expect(clippy::cast_possible_truncation, reason = "rounding is the purpose")]
    fn combined(
        self,
        other: Self,
        double: fn(f64, f64) -> f64,
        single: fn(f32, f32) -> f32,
    ) -> Self {
        match (self, other) {
            (Python(one), Python(two)) => Python(double(one, two)),
            (one, two) => Single(single(one.value() as f32, two.value() as f32)),
        }
    }

    fn plus(self, other: Self) -> Self {
        self.combined(other, |a, b| a + b, |a, b| a + b)
    }

    fn times(self, other: Self) -> Self {
        self.combined(other, |a, b| a * b, |a, b| a * b)
    }

    fn over(self, other: Self) -> Self {
        self.combined(other, |a, b| a / b, |a, b| a / b)
    }
}
