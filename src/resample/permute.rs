//! All swaps: every way to exchange the units in which two systems differ.

use std::ops::Range;

use super::statistic::{Statistic, Tally};
use super::threads::zeros;
use super::units::Units;
use crate::error::{Error, catch_panic};

/// The largest number of units that are swapped in all ways: 2^20 sums take a moment, and each
/// further unit doubles it.
pub const MOST_PERMUTED: usize = 20;

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
        statistic: Statistic<'_>,
        one: usize,
        other: usize,
    ) -> Result<(Tally, u64), Error> {
        let units = self.permutable(one, other)?;
        let ways = 1 << units.len();
        catch_panic(|| {
            let observed = self.observed(statistic, &[(one, other)])[0];
            let mut tally = Tally::default();
            self.for_ways(&units, (one, other), 0..ways, |first, second| {
                tally.count(statistic(first) - statistic(second), observed);
            });
            Ok((tally, ways))
        })
    }

    /// The sums of two systems after some of the swaps of [`Units::permute`]: for each way, the row
    /// of the first system and that of the second.
    ///
    /// Way `w` swaps the differing unit `i` if bit `i` of the Gray code `w ^ (w >> 1)` is set.
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
        let units = self.permutable(one, other)?;
        let all = 1 << units.len();
        if ways.start > ways.end || ways.end > all {
            let message = format!("ways {}..{} are not within 0..{all}", ways.start, ways.end);
            return Err(Error::InvalidSetting(message));
        }
        let mut sums = zeros(&ways, 2 * self.width)?;
        catch_panic(|| {
            let mut rows = sums.chunks_exact_mut(self.width);
            self.for_ways(&units, (one, other), ways, |first, second| {
                for (sum, row) in [first, second].into_iter().zip(rows.by_ref()) {
                    row.copy_from_slice(sum);
                }
            });
            Ok(())
        })?;
        Ok(sums)
    }

    /// The units in which two systems differ, unless there are too many to swap in all ways.
    fn permutable(&self, one: usize, other: usize) -> Result<Vec<usize>, Error> {
        let units = self.differing(one, other)?;
        if units.len() > MOST_PERMUTED {
            return Err(Error::InvalidSetting(format!(
                "{} units differ: at most {MOST_PERMUTED} can be swapped in all ways",
                units.len()
            )));
        }
        Ok(units)
    }

    /// Swaps `units` in a range of all ways, and passes on the sums of the two systems.
    fn for_ways(
        &self,
        units: &[usize],
        pair: (usize, usize),
        ways: Range<u64>,
        mut take: impl FnMut(&[i64], &[i64]),
    ) {
        let mut swapping = Swapping::new(self, pair);
        let code = ways.start ^ (ways.start >> 1);
        for (place, &unit) in units.iter().enumerate() {
            if code >> place & 1 == 1 {
                swapping.flip(place, unit);
            }
        }
        for way in ways {
            take(&swapping.first, &swapping.second);
            // A Gray code: from one way to the next, one unit is swapped or swapped back. There is
            // none to swap after the last way.
            let place = (way + 1).trailing_zeros() as usize;
            if let Some(&unit) = units.get(place) {
                swapping.flip(place, unit);
            }
        }
    }
}

/// The sums of two systems, some of whose units are swapped.
struct Swapping<'a> {
    units: &'a Units,
    pair: (usize, usize),
    first: Vec<i64>,
    second: Vec<i64>,
    swapped: [bool; MOST_PERMUTED],
}

impl<'a> Swapping<'a> {
    fn new(units: &'a Units, pair: (usize, usize)) -> Self {
        let totals = units.totals();
        Self {
            units,
            pair,
            first: units.row(&totals, pair.0).to_vec(),
            second: units.row(&totals, pair.1).to_vec(),
            swapped: [false; MOST_PERMUTED],
        }
    }

    /// Swaps a unit, or swaps it back; `place` is its index among the differing units.
    fn flip(&mut self, place: usize, unit: usize) {
        let (one, other) = self.pair;
        for column in 0..self.units.width {
            let gap = self.units.value(unit, other, column) - self.units.value(unit, one, column);
            let change = if self.swapped[place] { -gap } else { gap };
            self.first[column] += change;
            self.second[column] -= change;
        }
        self.swapped[place] = !self.swapped[place];
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
        let (tally, ways) = units.permute(&ratio, 0, 1).expect("few units differ");
        assert_eq!(ways, 4);
        assert_eq!((tally.either, tally.higher), (4, 3));
        let (tally, ways) = units.permute(&ratio, 2, 2).expect("no unit differs");
        assert_eq!((tally.either, ways), (1, 1));
        assert_eq!(units.permute(&ratio, 0, 3), Err(Error::BadTable));
    }

    /// Counting over the sums gives the tally, and sums do not depend on the pieces that they are
    /// computed in.
    #[test]
    fn sums_are_those_of_the_tallied_swaps() {
        for units in [units(), wide_units()] {
            for (one, other) in [(0, 1), (1, 2), (0, 2), (2, 2)] {
                let (tally, ways) = units.permute(&ratio, one, other).expect("few differ");
                let observed = units.observed(&ratio, &[(one, other)])[0];
                let whole = units
                    .permute_sums(one, other, 0..ways)
                    .expect("few units differ");
                let mut counted = Tally::default();
                for rows in whole.chunks_exact(4) {
                    counted.count(ratio(&rows[..2]) - ratio(&rows[2..]), observed);
                }
                assert_eq!((counted, whole.len() as u64), (tally, 4 * ways));
                for length in [1, 3] {
                    let pieces = (0..ways).step_by(length).map(|start| {
                        let stop = ways.min(start + length as u64);
                        units
                            .permute_sums(one, other, start..stop)
                            .expect("within the ways")
                    });
                    assert_eq!(pieces.collect::<Vec<_>>().concat(), whole);
                }
            }
        }
    }

    /// Each way occurs once: the units differ by distinct powers of two, so sums identify ways.
    #[test]
    fn every_way_occurs_once() {
        let powers: Vec<i64> = (0..10).map(|unit| 1 << unit).collect();
        let units = Units::new(&[powers, vec![0; 10]], 1).expect("whole rows");
        let sums = units.permute_sums(0, 1, 0..1024).expect("few units differ");
        let mut first: Vec<i64> = sums.iter().copied().step_by(2).collect();
        assert!(sums.chunks_exact(2).all(|pair| pair[0] + pair[1] == 1023));
        assert_eq!(first[0], 1023);
        first.sort_unstable();
        assert!(first.into_iter().eq(0..1024));
    }

    #[test]
    fn ways_that_do_not_exist() {
        let units = units();
        for ways in [0..5, 5..5, 0..u64::MAX] {
            let sums = units.permute_sums(0, 1, ways);
            assert!(matches!(sums, Err(Error::InvalidSetting(_))));
        }
        assert_eq!(units.permute_sums(0, 1, 4..4), Ok(vec![]));
        assert_eq!(units.permute_sums(0, 3, 0..1), Err(Error::BadTable));
        let many = [vec![0; MOST_PERMUTED + 1], vec![1; MOST_PERMUTED + 1]];
        let units = Units::new(&many, 1).expect("whole rows");
        let refused = Error::InvalidSetting(
            "21 units differ: at most 20 can be swapped in all ways".to_owned(),
        );
        assert_eq!(units.permute_sums(0, 1, 0..1), Err(refused.clone()));
        let count: Statistic<'_> = &|row| if row[0] > 0 { 1.0 } else { 0.0 };
        assert_eq!(units.permute(count, 0, 1), Err(refused));
    }
}
