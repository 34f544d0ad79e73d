//! Adding rows of statistics. The metric defines the fields of a row.

use crate::error::{Error, Field};

/// Adds a row to a sum.
///
/// # Errors
///
/// [`Error::Overflow`] if a number of the sum does not fit into 64 bits.
pub fn add_row(sum: &mut [i64], row: &[i64]) -> Result<(), Error> {
    // One check for all numbers, because this runs for every segment.
    let mut overflow = false;
    for (sum, &value) in sum.iter_mut().zip(row) {
        let (added, wrapped) = sum.overflowing_add(value);
        *sum = added;
        overflow |= wrapped;
    }
    if overflow {
        let mut pairs = sum.iter().zip(row);
        let column = pairs.position(|(sum, &value)| sum.overflowing_sub(value).1);
        return Err(Error::Overflow(Field::Column(column.unwrap_or(0))));
    }
    Ok(())
}

/// Adds up the rows of a table.
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

/// Adds up the rows of each of `count` groups; row `i` belongs to group `groups[i]`.
///
/// # Errors
///
/// Those of [`add_rows`], [`Error::BadTable`] if there is not one group below `count` for each row,
/// and [`Error::OutOfMemory`] if the sums do not fit into memory.
pub fn add_groups(
    table: &[i64],
    width: usize,
    groups: &[i64],
    count: usize,
) -> Result<Vec<i64>, Error> {
    let length = count.saturating_mul(width);
    let mut sums = Vec::new();
    if sums.try_reserve_exact(length).is_err() {
        return Err(Error::OutOfMemory(format!("the sums of {count} groups")));
    }
    sums.resize(length, 0);
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
    Ok(sums)
}

/// Rejects rows with negative counts; `fields` has the name of each column.
///
/// # Errors
///
/// [`Error::ImpossibleRow`] for the first such row, [`Error::BadTable`] if the table does not
/// consist of rows of this width.
pub fn check_counts(table: &[i64], fields: &[String]) -> Result<(), Error> {
    for (index, row) in rows(table, fields.len())?.enumerate() {
        if let Some(column) = row.iter().position(|&count| count < 0) {
            let (name, count) = (&fields[column], row[column]);
            let why = format!("{name} is {count}, but counts are not negative");
            return Err(Error::ImpossibleRow { index, why });
        }
    }
    Ok(())
}

/// The rows of a table.
///
/// # Errors
///
/// [`Error::BadTable`] if the table does not consist of rows of `width`.
pub fn rows(table: &[i64], width: usize) -> Result<std::slice::ChunksExact<'_, i64>, Error> {
    if width == 0 || !table.len().is_multiple_of(width) {
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
        let overflow = Err(Error::Overflow(Field::Column(3)));
        let table = [1, 2, 3, half, 1, 2, 3, half];
        assert_eq!(add_rows(&table, 4), overflow);
        assert_eq!(add_groups(&table, 4, &[1, 1], 2), overflow);
        let apart = [&table[4..], &table[..4]].concat();
        assert_eq!(add_groups(&table, 4, &[1, 0], 2), Ok(apart));
        for groups in [&[0, 2][..], &[0, i64::MAX], &[0, -1], &[0]] {
            let refused = add_groups(&table, 4, groups, 2);
            assert_eq!(refused, Err(Error::BadTable));
        }
    }

    #[test]
    fn negative_counts_are_named() {
        let fields = ["a", "b"].map(str::to_owned);
        assert_eq!(check_counts(&[0, 1, 2, 3], &fields), Ok(()));
        assert_eq!(check_counts(&[0, 1, 2], &fields), Err(Error::BadTable));
        let why = "b is -3, but counts are not negative".to_owned();
        let refused = Err(Error::ImpossibleRow { index: 1, why });
        assert_eq!(check_counts(&[0, 1, 2, -3], &fields), refused);
    }

    #[test]
    fn sums_need_memory() {
        let refused = add_groups(&[], 4, &[], usize::MAX);
        assert!(matches!(refused, Err(Error::OutOfMemory(_))));
    }
}
