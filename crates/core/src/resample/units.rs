//! The rows of systems as they are resampled.

use crate::error::{Error, Field};
use crate::memory::{push, with_room};

/// The largest sum: twice that, from the sums of two systems, still fits into 64 bits.
const MOST: u64 = 1 << 61;

/// The rows of all systems side by side, one line for each unit.
#[derive(Debug)]
pub struct Units {
    pub(super) systems: usize,
    pub(super) width: usize,
    pub(super) count: u32,
    pub(super) rows: Rows,
}

/// Lines are padded with zeros to a multiple of so many numbers.
pub(super) const LANES: usize = 16;

/// 16 bits where the values are small: sixteen numbers are added at once.
#[derive(Debug)]
pub(super) enum Rows {
    /// 16 bits, in which the values of `room` units can be added up.
    Narrow {
        /// The lines.
        rows: Vec<i16>,
        /// Number of units whose sum fits into 16 bits.
        room: usize,
    },
    /// 64 bits.
    Wide(Vec<i64>),
}

/// With less room, sums are widened so often that 64 bits are as fast.
const LEAST_ROOM: u64 = 8;

impl Units {
    /// Puts the tables of systems side by side.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if they do not consist of rows of `width`, or differ in length,
    /// [`Error::Overflow`] if sums of them could exceed 64 bits, [`Error::OutOfMemory`] if there
    /// are more than 2^32 units.
    pub fn new(tables: &[impl AsRef<[i64]>], width: usize) -> Result<Self, Error> {
        let length = tables.first().map_or(0, |table| table.as_ref().len());
        if width == 0
            || length == 0
            || !length.is_multiple_of(width)
            || tables.iter().any(|table| table.as_ref().len() != length)
        {
            return Err(Error::BadTable);
        }
        let count = length / width;
        let Ok(units) = u32::try_from(count) else {
            return Err(Error::OutOfMemory(format!("samples of {count} units")));
        };
        let padding = (tables.len() * width).next_multiple_of(LANES) - tables.len() * width;
        let numbers = count * (tables.len() * width + padding);
        let side_by_side = || {
            (0..count).flat_map(move |unit| {
                let rows = tables
                    .iter()
                    .flat_map(move |table| &table.as_ref()[unit * width..][..width]);
                rows.copied().chain(std::iter::repeat_n(0, padding))
            })
        };
        let largest = side_by_side().map(i64::unsigned_abs).max().unwrap_or(0);
        let room = u64::from(i16::MAX.unsigned_abs()) / largest.max(1);
        let rows = if room >= LEAST_ROOM {
            let mut rows = with_room(numbers);
            for value in side_by_side() {
                push(
                    &mut rows,
                    i16::try_from(value).map_err(|_| Error::Internal)?,
                );
            }
            Rows::Narrow {
                rows,
                room: usize::try_from(room).map_err(|_| Error::Internal)?,
            }
        // A sample may consist of the largest unit alone.
        } else if largest.saturating_mul(count as u64) <= MOST {
            let mut rows = with_room(numbers);
            rows.extend(side_by_side());
            Rows::Wide(rows)
        } else {
            return Err(Error::Overflow(Field::Named(
                "a resampled field".to_owned(),
            )));
        };
        Ok(Self {
            systems: tables.len(),
            width,
            count: units,
            rows,
        })
    }

    /// Number of units.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count as usize
    }

    /// Numbers in a line of sums: the rows of all systems.
    pub(super) fn line(&self) -> usize {
        self.systems * self.width
    }

    /// The same with its padding.
    pub(super) fn padded(&self) -> usize {
        self.line().next_multiple_of(LANES)
    }
}
