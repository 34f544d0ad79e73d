//! sacreBLEU's TER of resampled statistics: the edits, and the mean length of the references.

use super::{Arithmetic, Number, Resampled};
use crate::error::Error;
use crate::metric::ter::{Ter, UNITS};

impl Resampled for Ter {
    fn statistics(&self, row: &[i64], numbers: &mut Vec<f64>) {
        let edits: i64 = row[..4].iter().sum();
        #[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
        numbers.extend([edits as f64, row[4] as f64 / UNITS as f64]);
    }

    #[expect(clippy::cast_possible_truncation, reason = "rounding is the purpose")]
    fn score_of(&self, numbers: &[f64], arithmetic: Arithmetic) -> Result<Number, Error> {
        let &[edits, length] = numbers else {
            return Err(Error::BadTable);
        };
        Ok(if length > 0.0 {
            let score = arithmetic.round(100.0 * arithmetic.round(edits / length));
            if arithmetic == Arithmetic::Single {
                Number::Single(score as f32)
            } else {
                Number::Python(score)
            }
        } else if edits > 0.0 {
            Number::Python(100.0)
        } else {
            Number::Python(0.0)
        })
    }
}
