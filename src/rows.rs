//! Rows of statistics: what stands where, how they add up, and what no text has.
//!
//! A row is `[hyp_len, ref_len, match_1..match_N, total_1..total_N]`.

use crate::error::Error;

/// Width of a row of statistics up to order `orders`.
#[must_use]
pub fn row_width(orders: usize) -> usize {
    2 + 2 * orders
}

/// The name of a column of rows of statistics, as messages and tables have it.
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

/// Adds a row to a sum.
///
/// # Errors
///
/// [`Error::Overflow`] if a number of the sum does not fit into 64 bits.
pub fn add_row(sum: &mut [i64], row: &[i64]) -> Result<(), Error> {
    let width = sum.len();
    for (column, (sum, &value)) in sum.iter_mut().zip(row).enumerate() {
        let added = sum.checked_add(value);
        *sum = added.ok_or_else(|| Error::Overflow(field_name(column, width)))?;
    }
    Ok(())
}

/// Adds the rows of a table up.
///
/// # Errors
///
/// [`Error::BadTable`] if the table does not consist of rows of `width`, [`Error::Overflow`] if
/// the sum does not fit into 64 bits.
pub fn add_rows(table: &[i64], width: usize) -> Result<Vec<i64>, Error> {
    let mut sum = vec![0; width];
    for row in rows(table, width)? {
        add_row(&mut sum, row)?;
    }
    Ok(sum)
}

/// Adds the rows of groups to `sums`, a row for each; row `i` belongs to group `groups[i]`.
///
/// # Errors
///
/// As [`add_rows`], and [`Error::BadTable`] if there is not one known group for each row.
pub fn add_groups(
    table: &[i64],
    width: usize,
    groups: &[i64],
    sums: &mut [i64],
) -> Result<(), Error> {
    let rows = rows(table, width)?;
    if rows.len() != groups.len() {
        return Err(Error::BadTable);
    }
    for (row, &group) in rows.zip(groups) {
        let sum = usize::try_from(group)
            .ok()
            .and_then(|group| sums.get_mut(group.checked_mul(width)?..)?.get_mut(..width))
            .ok_or(Error::BadTable)?;
        add_row(sum, row)?;
    }
    Ok(())
}

/// Refuses rows that are neither the counts of any text nor a sum of such counts.
///
/// Only what follows from the definition for every text is asked for, whatever the tokenizer, the
/// rule for the reference length and the number of references. A segment of `h` tokens has
/// `max(h − n + 1, 0)` n-grams of order n, or, with `phantom` n-grams, at least one. So
///
/// - no number is negative, and no order has more matches than n-grams;
/// - there are as many n-grams of order 1 as tokens (phantom n-grams: at least as many);
/// - the next order has fewer n-grams, by as many as there are segments with n-grams of this order
///   (of a longer one, with phantom n-grams); so what is lost does not grow from order to order;
/// - an n-gram that matches consists of shorter ones that match.
///
/// More matches of a higher order than of a lower one are possible: several references may each
/// confirm another bigram of the same word.
///
/// # Errors
///
/// [`Error::ImpossibleRow`] for the first such row, [`Error::BadTable`] if the table does not
/// consist of rows of `width`.
pub fn check_rows(table: &[i64], width: usize, phantom: bool) -> Result<(), Error> {
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
    let (matches, totals) = row[2..].split_at((width - 2) / 2);
    let tokens = row[0];
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
                "match_{order} is {}, but match_{n} is 0: a part of what matches also matches",
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
                "total_{} to total_{order} are {}, {} and {}: from one order to the next no more \
                 n-grams are lost than before",
                n - 1,
                totals[n - 2],
                totals[n - 1],
                totals[n]
            ));
        }
    }
    Ok(())
}

/// The rows of a table.
///
/// # Errors
///
/// [`Error::BadTable`] if they are not whole.
pub(crate) fn rows(table: &[i64], width: usize) -> Result<std::slice::ChunksExact<'_, i64>, Error> {
    if width < 4 || !table.len().is_multiple_of(width) {
        return Err(Error::BadTable);
    }
    Ok(table.chunks_exact(width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_whole_rows() {
        assert_eq!(
            add_rows(&[1, 2, 3, 4, 5, 6, 7, 8], 4),
            Ok(vec![6, 8, 10, 12])
        );
        assert_eq!(add_rows(&[1, 2, 3], 4), Err(Error::BadTable));
    }

    #[test]
    fn sums_that_do_not_fit_are_errors() {
        let half = i64::MAX / 2 + 1;
        let overflow = Err(Error::Overflow("total_1".to_owned()));
        let table = [1, 2, 3, half, 1, 2, 3, half];
        assert_eq!(add_rows(&table, 4), overflow);
        let mut sums = [0; 8];
        assert_eq!(
            add_groups(&table, 4, &[1, 1], &mut sums),
            overflow.map(drop)
        );
        let mut apart = [0; 8];
        assert_eq!(add_groups(&table, 4, &[1, 0], &mut apart), Ok(()));
        assert_eq!(apart, [&table[4..], &table[..4]].concat()[..]);
        for groups in [&[0, 2][..], &[0, i64::MAX], &[0, -1], &[0]] {
            let mut sums = [0; 8];
            let refused = add_groups(&table, 4, groups, &mut sums);
            assert_eq!(refused, Err(Error::BadTable));
        }
    }
}
