//! All swaps: every way to exchange the units in which two systems differ.

use std::ops::Range;

use super::statistic::{Statistic, Tally};
use super::threads::{on_threads, split, zeros};
use super::units::Units;
use crate::error::{Error, catch_panic};
use crate::memory;

/// The largest number of units that are swapped in all ways: 2^20 ways take a moment, and each
/// further unit doubles it.
pub const MOST_PERMUTED: usize = 20;

/// Units whose ways are in one table; the others choose which table. Its columns stay in the
/// fastest caches.
const LOW: usize = 8;

impl Units {
    /// Swaps the units in which two systems differ in all 2^d ways, where d is their number.
    ///
    /// Returns the tally and the number of ways.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if there is no such system, [`Error::InvalidSetting`] if more than
    /// [`MOST_PERMUTED`] units differ, [`Error::Internal`] instead of a panic.
    pub fn permute(
        &self,
        statistic: &dyn Statistic,
        one: usize,
        other: usize,
        threads: usize,
    ) -> Result<(Tally, u64), Error> {
        if self.differing(one, other)?.is_empty() {
            return Ok((
                Tally {
                    either: 1,
                    higher: 1,
                },
                1,
            ));
        }
        let ways = Ways::new(self, one, other)?;
        let observed = self.observed(statistic, &[(one, other)])[0];
        let parts = on_threads(split(0..ways.tables(), threads), |tables| {
            let mut tally = Tally::default();
            ways.score(statistic, tables, |first, second| {
                tally.add(observed.tally(first - second));
                // To swap the other units instead exchanges the two sums.
                tally.add(observed.tally(second - first));
            });
            tally
        })?;
        let mut tally = Tally::default();
        for part in parts {
            tally.add(part);
        }
        Ok((tally, 2 * ways.half()))
    }

    /// The sums of two systems after some of the swaps of [`Units::permute`]: for each way, the row
    /// of the first system and that of the second.
    ///
    /// Way `w` swaps the differing unit `i` if bit `i` of `w` is set. Only the first half of all
    /// ways exists: the others exchange the sums of these.
    ///
    /// # Errors
    ///
    /// Those of [`Units::permute`], [`Error::InvalidSetting`] if a way does not exist,
    /// [`Error::OutOfMemory`] if the sums do not fit into memory.
    pub fn permute_sums(
        &self,
        one: usize,
        other: usize,
        ways: Range<u64>,
    ) -> Result<Vec<i64>, Error> {
        let all = Ways::new(self, one, other)?;
        if ways.start > ways.end || ways.end > all.half() {
            let message = format!(
                "ways {}..{} are not within 0..{}",
                ways.start,
                ways.end,
                all.half()
            );
            return Err(Error::InvalidSetting(message));
        }
        let mut sums = zeros(&ways, 2 * self.width)?;
        catch_panic(|| {
            for (way, rows) in ways.zip(sums.chunks_exact_mut(2 * self.width)) {
                let (first, second) = rows.split_at_mut(self.width);
                let change = all.change(way);
                for (field, change) in change.into_iter().enumerate() {
                    first[field] = all.first[field] + change;
                    second[field] = all.second[field] - change;
                }
            }
            Ok(())
        })?;
        Ok(sums)
    }
}

/// The ways to swap all differing units but the last. Swapping the complementary set of units only
/// exchanges the two sums, so these ways are enough.
struct Ways {
    /// The sums of the two systems without a swap.
    first: Vec<i64>,
    second: Vec<i64>,
    /// What the swap of a unit adds to the sums of the first system.
    gaps: Vec<Vec<i64>>,
}

impl Ways {
    fn new(units: &Units, one: usize, other: usize) -> Result<Self, Error> {
        let mut differing = units.differing(one, other)?;
        if differing.len() > MOST_PERMUTED {
            return Err(Error::InvalidSetting(format!(
                "{} units differ: at most {MOST_PERMUTED} can be swapped in all ways",
                differing.len()
            )));
        }
        differing.pop();
        let gap = |&unit: &usize| {
            (0..units.width)
                .map(|field| units.value(unit, other, field) - units.value(unit, one, field))
                .collect()
        };
        let totals = units.totals();
        Ok(Self {
            first: units.row(&totals, one).to_vec(),
            second: units.row(&totals, other).to_vec(),
            gaps: differing.iter().map(gap).collect(),
        })
    }

    /// Number of ways: half of those of all differing units.
    fn half(&self) -> u64 {
        1 << self.gaps.len()
    }

    /// Number of tables of ways.
    fn tables(&self) -> u64 {
        1 << self.gaps.len().saturating_sub(LOW)
    }

    /// What a way adds to the sums of the first system, and takes from those of the second.
    fn change(&self, way: u64) -> Vec<i64> {
        let mut change = vec![0; self.first.len()];
        for (place, gap) in self.gaps.iter().enumerate() {
            if way >> place & 1 == 1 {
                change
                    .iter_mut()
                    .zip(gap)
                    .for_each(|(sum, gap)| *sum += gap);
            }
        }
        change
    }

    /// Passes on the scores of both systems for every way of some tables.
    #[expect(
        clippy::cast_precision_loss,
        reason = "beyond 2^53, in units of that many n-grams, ties may be missed"
    )]
    fn score(&self, statistic: &dyn Statistic, tables: Range<u64>, mut take: impl FnMut(f64, f64)) {
        let low = self.gaps.len().min(LOW);
        let size = 1 << low;
        let width = self.first.len();
        // In columns: for each field, what each way of the low units adds.
        let mut changes = memory::zeros(width * size);
        for way in 0..size {
            for (field, change) in self.change(way as u64).into_iter().enumerate() {
                changes[field * size + way] = change as f64;
            }
        }
        let mut columns = memory::zeros(2 * changes.len());
        let mut scores = vec![0.0; 2 * size];
        for table in tables {
            let base = self.change(table << low);
            let fields = columns
                .chunks_exact_mut(2 * size)
                .zip(changes.chunks_exact(size));
            for (field, (column, changes)) in fields.enumerate() {
                let (first, second) = column.split_at_mut(size);
                let start = (self.first[field] + base[field]) as f64;
                let end = (self.second[field] - base[field]) as f64;
                for ((first, second), change) in first.iter_mut().zip(second).zip(changes) {
                    *first = start + change;
                    *second = end - change;
                }
            }
            statistic.compared(&columns, &mut scores);
            let (first, second) = scores.split_at(size);
            for (&first, &second) in first.iter().zip(second) {
                take(first, second);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::{ratio, units, wide_units};
    use super::*;

    #[test]
    fn all_swaps() {
        let units = units();
        // The four differences are -2/25, -4/25, 4/25, 2/25.
        let (tally, ways) = units.permute(&ratio, 0, 1, 1).expect("few units differ");
        assert_eq!(ways, 4);
        assert_eq!((tally.either, tally.higher), (4, 3));
        let (tally, ways) = units.permute(&ratio, 2, 2, 1).expect("no unit differs");
        assert_eq!((tally.either, tally.higher, ways), (1, 1, 1));
        assert_eq!(units.permute(&ratio, 0, 3, 1), Err(Error::BadTable));
    }

    /// Counting over the sums gives the tally, for any number of threads, and sums do not depend on
    /// the pieces that they are computed in.
    #[test]
    fn sums_are_those_of_the_tallied_swaps() {
        for units in [units(), wide_units(), many(13)] {
            for (one, other) in [(0, 1), (1, 0)] {
                let (tally, ways) = units.permute(&ratio, one, other, 1).expect("few differ");
                assert_eq!(units.permute(&ratio, one, other, 3), Ok((tally, ways)));
                let observed = units.observed(&ratio, &[(one, other)])[0];
                let whole = units
                    .permute_sums(one, other, 0..ways / 2)
                    .expect("few units differ");
                let mut counted = Tally::default();
                for rows in whole.chunks_exact(4) {
                    let difference = ratio(&rows[..2]) - ratio(&rows[2..]);
                    counted.add(observed.tally(difference));
                    counted.add(observed.tally(-difference));
                }
                assert_eq!((counted, whole.len() as u64), (tally, 2 * ways));
                for length in [1, 3] {
                    let pieces = (0..ways / 2).step_by(length).map(|start| {
                        let stop = (ways / 2).min(start + length as u64);
                        units
                            .permute_sums(one, other, start..stop)
                            .expect("within the ways")
                    });
                    assert_eq!(pieces.collect::<Vec<_>>().concat(), whole);
                }
            }
        }
    }

    /// Two systems that differ in so many units, by amounts of their own.
    fn many(count: i64) -> Units {
        let table = |step: i64| {
            let rows = (0..count).map(|unit| [unit * step % 7 + 1, 9]);
            rows.flatten().collect::<Vec<i64>>()
        };
        Units::new(&[table(3), table(2)], 2).expect("whole rows")
    }

    /// Each way occurs once: the units differ by distinct powers of two, so sums identify ways.
    #[test]
    fn every_way_occurs_once() {
        let powers: Vec<i64> = (0..10).map(|unit| 1 << unit).collect();
        let units = Units::new(&[powers, vec![0; 10]], 1).expect("whole rows");
        let sums = units.permute_sums(0, 1, 0..512).expect("few units differ");
        // The ways of the other half exchange the sums of these.
        assert!(sums.chunks_exact(2).all(|pair| pair[0] + pair[1] == 1023));
        let mut all = sums.clone();
        all.sort_unstable();
        assert_eq!(sums[..2], [1023, 0]);
        assert!(all.into_iter().eq(0..1024));
    }

    #[test]
    fn ways_that_do_not_exist() {
        let units = units();
        for ways in [0..3, 3..3, 0..u64::MAX] {
            let sums = units.permute_sums(0, 1, ways);
            assert!(matches!(sums, Err(Error::InvalidSetting(_))));
        }
        assert_eq!(units.permute_sums(0, 1, 2..2), Ok(vec![]));
        assert_eq!(units.permute_sums(0, 3, 0..1), Err(Error::BadTable));
        let many = [vec![0; MOST_PERMUTED + 1], vec![1; MOST_PERMUTED + 1]];
        let units = Units::new(&many, 1).expect("whole rows");
        let refused = Error::InvalidSetting(
            "21 units differ: at most 20 can be swapped in all ways".to_owned(),
        );
        assert_eq!(units.permute_sums(0, 1, 0..1), Err(refused.clone()));
        let count = |row: &[i64]| if row[0] > 0 { 1.0 } else { 0.0 };
        assert_eq!(units.permute(&count, 0, 1, 1), Err(refused));
    }
}
