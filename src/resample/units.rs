//! The rows of systems side by side, as they are resampled.

use std::ops::AddAssign;

use crate::error::{Error, Field};

/// The largest sum: twice that, from the sums of two systems, still fits into 64 bits.
const MOST: u64 = 1 << 61;

/// The rows of all systems side by side, one line for each unit.
#[derive(Debug)]
pub struct Units {
    pub(super) systems: usize,
    pub(super) width: usize,
    pub(super) count: usize,
    pub(super) rows: Rows,
}

/// 32 bits where no sum can overflow: twice as many numbers fit into a register.
#[derive(Debug)]
pub(super) enum Rows {
    /// 32 bits.
    Narrow(Vec<i32>),
    /// 64 bits.
    Wide(Vec<i64>),
}

impl Units {
    /// Puts the tables of systems side by side.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if they do not consist of rows of `width`, or differ in length,
    /// [`Error::Overflow`] if sums of them could exceed 64 bits.
    pub fn new(tables: &[Vec<i64>], width: usize) -> Result<Self, Error> {
        let length = tables.first().map_or(0, Vec::len);
        if width == 0
            || length == 0
            || !length.is_multiple_of(width)
            || tables.iter().any(|table| table.len() != length)
        {
            return Err(Error::BadTable);
        }
        let count = length / width;
        let side_by_side = || {
            (0..count).flat_map(move |unit| {
                tables
                    .iter()
                    .flat_map(move |table| &table[unit * width..][..width])
                    .copied()
            })
        };
        // A sample may consist of the largest unit alone.
        let largest = side_by_side().map(i64::unsigned_abs).max().unwrap_or(0);
        let sum = largest.saturating_mul(count as u64);
        let rows = if i32::try_from(sum).is_ok() {
            let narrow: Result<_, _> = side_by_side().map(i32::try_from).collect();
            Rows::Narrow(narrow.map_err(|_| Error::Internal)?)
        } else if sum <= MOST {
            Rows::Wide(side_by_side().collect())
        } else {
            return Err(Error::Overflow(Field::Named(
                "a resampled field".to_owned(),
            )));
        };
        Ok(Self {
            systems: tables.len(),
            width,
            count,
            rows,
        })
    }

    /// Number of units.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The units in which two systems differ.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if there is no such system.
    pub fn differing(&self, one: usize, other: usize) -> Result<Vec<usize>, Error> {
        self.check(&[(one, other)])?;
        let differ = |&unit: &usize| {
            (0..self.width)
                .any(|column| self.value(unit, one, column) != self.value(unit, other, column))
        };
        Ok((0..self.count).filter(differ).collect())
    }

    /// Rejects pairs of systems that do not exist.
    pub(super) fn check(&self, pairs: &[(usize, usize)]) -> Result<(), Error> {
        if pairs.iter().any(|pair| pair.0.max(pair.1) >= self.systems) {
            return Err(Error::BadTable);
        }
        Ok(())
    }

    /// A field of a system's row for a unit.
    pub(super) fn value(&self, unit: usize, system: usize, column: usize) -> i64 {
        let place = (unit * self.systems + system) * self.width + column;
        match &self.rows {
            Rows::Narrow(rows) => rows[place].into(),
            Rows::Wide(rows) => rows[place],
        }
    }

    /// Numbers in the line of a unit: the rows of all systems.
    pub(super) fn line(&self) -> usize {
        self.systems * self.width
    }

    /// The row of a system in a line of sums.
    pub(super) fn row<'a>(&self, line: &'a [i64], system: usize) -> &'a [i64] {
        &line[system * self.width..][..self.width]
    }

    /// The sums of all units, system after system.
    pub(super) fn totals(&self) -> Vec<i64> {
        let line = self.line();
        let mut totals = vec![0; line];
        match &self.rows {
            Rows::Narrow(rows) => rows.chunks_exact(line).for_each(|row| {
                for (total, &value) in totals.iter_mut().zip(row) {
                    *total += i64::from(value);
                }
            }),
            Rows::Wide(rows) => rows
                .chunks_exact(line)
                .for_each(|row| add(&mut totals, row)),
        }
        totals
    }
}

/// A number in 32 or 64 bits.
pub(super) trait Count: Copy + Default + AddAssign + Into<i64> + Sync {}

impl Count for i32 {}
impl Count for i64 {}

/// Adds a line to a sum.
pub(super) fn add<T: Count>(sum: &mut [T], row: &[T]) {
    for (sum, &value) in sum.iter_mut().zip(row) {
        *sum += value;
    }
}

/// Converts a sum to 64 bits.
pub(super) fn widen<T: Count>(sum: &[T], wide: &mut [i64]) {
    for (wide, &value) in wide.iter_mut().zip(sum) {
        *wide = value.into();
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples;
    use super::*;

    #[test]
    fn tables_must_fit() {
        assert_eq!(Units::new(&[], 2).err(), Some(Error::BadTable));
        let uneven = [vec![1, 2], vec![1, 2, 3, 4]];
        assert_eq!(Units::new(&uneven, 2).err(), Some(Error::BadTable));
        let overflowing = [vec![i64::MAX, 1, 1, 1]];
        assert!(matches!(
            Units::new(&overflowing, 2),
            Err(Error::Overflow(_))
        ));
    }

    #[test]
    fn sums_decide_how_many_bits() {
        assert!(matches!(examples::units().rows, Rows::Narrow(_)));
        assert!(matches!(examples::wide_units().rows, Rows::Wide(_)));
    }

    #[test]
    fn units_that_differ() {
        assert_eq!(examples::units().differing(0, 1), Ok(vec![0, 2]));
        assert_eq!(examples::units().differing(0, 3), Err(Error::BadTable));
    }
}
