//! sacreBLEU's TER of resampled statistics: the edits, and the mean length of the references.

use super::{Arithmetic, Number};
use crate::error::Error;
use crate::metric::ter::words;

/// Appends the statistics of a row: its edits, and the mean length.
#[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
pub fn statistics(row: &[i64], numbers: &mut Vec<f64>) {
    let edits: i64 = row[..4].iter().sum();
    numbers.extend([edits as f64, words(row[4] as f64)]);
}

/// The score of statistics.
///
/// # Errors
///
/// [`Error::BadTable`] if these are not two.
#[expect(clippy::cast_possible_truncation, reason = "rounding is the purpose")]
pub fn score(numbers: &[f64], arithmetic: Arithmetic) -> Result<Number, Error> {
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
