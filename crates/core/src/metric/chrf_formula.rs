//! chrF's row of statistics, and its formula.
//!
//! A row has for each order, those of characters before those of words, the number of n-grams of the
//! hypothesis, of the reference, and of both: `[hyp, ref, match]`. Popović (2015, 2017).

use crate::count::rows::rows;
use crate::error::Error;

/// Numbers per order.
pub const FIELDS: usize = 3;

/// Stands for what is undefined if the smoothing is that of chrF++.py.
const EPSILON: f64 = 1e-16;

/// How a row becomes a score.
#[derive(Clone, Debug, PartialEq)]
pub struct ChrfFormula {
    /// Highest order of n-grams of characters.
    pub char_order: usize,
    /// Highest order of n-grams of words.
    pub word_order: usize,
    /// How many times as much recall counts as precision, squared.
    pub squared_beta: f64,
    /// Average F over all orders, with tiny numbers for what is undefined, like chrF++.py; else take
    /// F of the averages over those orders that both sides have.
    pub eps_smoothing: bool,
}

impl ChrfFormula {
    /// Number of orders.
    #[must_use]
    pub fn orders(&self) -> usize {
        self.char_order + self.word_order
    }

    /// The score of a row, or of a sum of rows, from 0 to 100, given its fields by column.
    ///
    /// The operations and their order are sacreBLEU's, so that the last bit is, too.
    pub fn score(&self, field: impl Fn(usize) -> f64) -> f64 {
        let factor = self.squared_beta;
        let (mut sum, mut precision, mut recall, mut defined) = (0.0, 0.0, 0.0, 0.0);
        for order in 0..self.orders() {
            let [hyp, reference, matched] = [0, 1, 2].map(|part| field(FIELDS * order + part));
            let of = |total| {
                if total > 0.0 {
                    matched / total
                } else {
                    EPSILON
                }
            };
            let (p, r) = (of(hyp), of(reference));
            if self.eps_smoothing {
                let denominator = factor * p + r;
                sum += if denominator > 0.0 {
                    (1.0 + factor) * p * r / denominator
                } else {
                    EPSILON
                };
            } else if hyp > 0.0 && reference > 0.0 {
                precision += p;
                recall += r;
                defined += 1.0;
            }
        }
        if self.eps_smoothing {
            #[expect(clippy::cast_precision_loss, reason = "orders are few")]
            let orders = self.orders() as f64;
            return 100.0 * sum / orders;
        }
        if defined == 0.0 {
            return 0.0;
        }
        let (p, r) = (precision / defined, recall / defined);
        if p + r == 0.0 {
            return 0.0;
        }
        100.0 * ((1.0 + factor) * p * r / (factor * p + r))
    }
}

/// The name of a field, as in messages and tables.
#[must_use]
pub fn field_name(column: usize, char_order: usize) -> String {
    let order = column / FIELDS;
    let (unit, n) = if order < char_order {
        ("char", order + 1)
    } else {
        ("word", order + 1 - char_order)
    };
    format!("{unit}_{n}_{}", ["hyp", "ref", "match"][column % FIELDS])
}

/// Rejects rows that no text has, if the fields are those of chrF; any other fields pass.
///
/// A segment with several references has the counts of one of them. Therefore
///
/// - n-grams that match are in the hypothesis, and in the reference;
/// - n-grams of the hypothesis only count where the reference has some, too;
/// - no order has more n-grams, or more matches, than the one below: each n-gram begins with a
///   shorter one.
///
/// # Errors
///
/// [`Error::ImpossibleRow`] for the first such row, [`Error::BadTable`] if the table does not
/// consist of rows of this width.
pub fn check_rows(table: &[i64], fields: &[String]) -> Result<(), Error> {
    let char_order = fields.iter().take_while(|name| name.starts_with("char_"));
    let char_order = char_order.count() / FIELDS;
    let mut names = fields.iter().enumerate();
    if !fields.len().is_multiple_of(FIELDS)
        || !names.all(|(column, name)| *name == field_name(column, char_order))
    {
        return Ok(());
    }
    for (index, row) in rows(table, fields.len())?.enumerate() {
        if let Err(why) = check_row(row, char_order) {
            return Err(Error::ImpossibleRow { index, why });
        }
    }
    Ok(())
}

fn check_row(row: &[i64], char_order: usize) -> Result<(), String> {
    let violated = |column: usize, other: usize, reason: &str| {
        let [one, two] = [column, other].map(|column| field_name(column, char_order));
        Err(format!(
            "{one} is {}, but {two} is {}: {reason}",
            row[column], row[other]
        ))
    };
    for start in (0..row.len()).step_by(FIELDS) {
        let [hyp, reference, matched] = [start, start + 1, start + 2];
        if row[matched] > row[hyp] {
            return violated(matched, hyp, "only n-grams of the hypothesis match");
        }
        if row[matched] > row[reference] {
            return violated(matched, reference, "only n-grams of the reference match");
        }
        if row[hyp] > 0 && row[reference] == 0 {
            return violated(
                hyp,
                reference,
                "without a reference, there is nothing to count",
            );
        }
        if start == 0 || start == FIELDS * char_order {
            continue;
        }
        for column in [hyp, reference, matched] {
            if row[column] > row[column - FIELDS] {
                return violated(
                    column,
                    column - FIELDS,
                    "each n-gram begins with a shorter one",
                );
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of other metrics are not looked at, whatever they hold.
    #[test]
    fn only_rows_of_chrf_are_checked() {
        let names = |char_order: usize, count: usize| -> Vec<String> {
            let names = (0..count).map(|column| field_name(column, char_order));
            names.collect()
        };
        let row = [3, 3, 4, 2, 2, 1];
        for char_order in 0..=2 {
            let refused = check_rows(&row, &names(char_order, 6));
            assert!(matches!(
                refused,
                Err(Error::ImpossibleRow { index: 0, .. })
            ));
        }
        assert_eq!(check_rows(&row[..4], &names(2, 4)), Ok(()));
        let mut others = names(2, 6);
        others.swap(0, 1);
        assert_eq!(check_rows(&row, &others), Ok(()));
        assert_eq!(check_rows(&row[..5], &names(2, 6)), Err(Error::BadTable));
        // A word may match more often than a character.
        assert_eq!(check_rows(&[1, 1, 0, 2, 2, 2], &names(1, 6)), Ok(()));
    }
}
