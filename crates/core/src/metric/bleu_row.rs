//! BLEU's row of statistics: its fields, and which rows are impossible.
//!
//! A row is `[hyp_len, ref_len, match_1..match_N, total_1..total_N]`.

use crate::count::rows::rows;
use crate::error::Error;

/// Width of a row with n-gram orders up to `orders`.
#[must_use]
pub fn row_width(orders: usize) -> usize {
    2 + 2 * orders
}

/// The name of a field, as in messages and tables.
#[must_use]
pub fn field_name(column: usize, width: usize) -> String {
    let orders = width.saturating_sub(2) / 2;
    match column {
        0 => "hyp_len".to_owned(),
        1 => "ref_len".to_owned(),
        _ if column < 2 + orders => format!("match_{}", column - 1),
        _ => format!("total_{}", column - 1 - orders),
    }
}

/// The fields of a row by name.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Tokens of the hypothesis.
    pub hyp_len: i64,
    /// Tokens of the reference.
    pub ref_len: i64,
    /// Clipped matches, by order.
    pub matches: &'a [i64],
    /// N-grams of the hypothesis, by order.
    pub totals: &'a [i64],
}

impl<'a> Row<'a> {
    /// The fields of a row.
    ///
    /// # Panics
    ///
    /// If it has fewer than two fields.
    #[must_use]
    pub fn new(row: &'a [i64]) -> Self {
        let (matches, totals) = row[2..].split_at((row.len() - 2) / 2);
        Self {
            hyp_len: row[0],
            ref_len: row[1],
            matches,
            totals,
        }
    }
}

/// Rejects rows that are neither the counts of a segment nor a sum of such counts.
///
/// The conditions hold for any tokenizer, any rule for the reference length and any number of
/// references. A segment of `h` tokens has `max(h − n + 1, 0)` n-grams of order n or, with
/// `phantom` n-grams, at least one. Therefore
///
/// - no number is negative, and no order has more matches than n-grams;
/// - there are as many n-grams of order 1 as tokens (with phantom n-grams, at least as many);
/// - each order has fewer n-grams than the one below, by the number of segments that have n-grams
///   of the lower order (with phantom n-grams, of the higher order), so the difference does not
///   grow from order to order;
/// - if an n-gram matches, so do the shorter n-grams within it.
///
/// A higher order may have more matches than a lower one, because several references may each
/// confirm a different bigram with the same word.
///
/// # Errors
///
/// [`Error::ImpossibleRow`] for the first such row, [`Error::BadTable`] if the table does not
/// consist of rows of `width`, or if BLEU has no rows of this width.
pub fn check_rows(table: &[i64], width: usize, phantom: bool) -> Result<(), Error> {
    if width < row_width(1) || !width.is_multiple_of(2) {
        return Err(Error::BadTable);
    }
    for (index, row) in rows(table, width)?.enumerate() {
        if let Err(why) = check_row(row, phantom) {
            return Err(Error::ImpossibleRow { index, why });
        }
    }
    Ok(())
}

fn check_row(row: &[i64], phantom: bool) -> Result<(), String> {
    let width = row.len();
    let name = |column| field_name(column, width);
    let negative = row.iter().position(|&value| value < 0);
    if let Some(column) = negative {
        return Err(format!(
            "{} is {}, but counts are not negative",
            name(column),
            row[column]
        ));
    }
    let Row {
        hyp_len: tokens,
        matches,
        totals,
        ..
    } = Row::new(row);
    if totals[0] < tokens || (totals[0] > tokens && !phantom) {
        return Err(format!(
            "total_1 is {}, but hyp_len is {tokens}: every token is an n-gram of order 1",
            totals[0]
        ));
    }
    for n in 0..matches.len() {
        let order = n + 1;
        if matches[n] > totals[n] {
            return Err(format!(
                "match_{order} is {}, but total_{order} is {}: only n-grams of the hypothesis match",
                matches[n], totals[n]
            ));
        }
        if n == 0 {
            continue;
        }
        if matches[n] > 0 && matches[n - 1] == 0 {
            return Err(format!(
                "match_{order} is {}, but match_{n} is 0: shorter n-grams of a match also match",
                matches[n]
            ));
        }
        let lost = totals[n - 1] - totals[n];
        if lost < 0 || (lost == 0 && totals[n] > 0 && !phantom) {
            return Err(format!(
                "total_{order} is {}, but total_{n} is {}: a segment has fewer n-grams of the \
                 higher order",
                totals[n],
                totals[n - 1]
            ));
        }
        if n > 1 && lost > totals[n - 2] - totals[n - 1] {
            return Err(format!(
                "total_{} to total_{order} are {}, {} and {}: from one order to the next, the \
                 difference cannot grow",
                n - 1,
                totals[n - 2],
                totals[n - 1],
                totals[n]
            ));
        }
    }
    Ok(())
}
