//! Swaps of what units contribute to the scores of two systems: random ones, and all.
//!
//! A score that is linear near the observed one is a sum of contributions: the influence of each
//! unit on it, and the unit's share of it. Swapping the outputs of two systems in a unit then
//! changes the sign of the difference of their contributions there, so a trial needs no scores.

use std::ops::Range;

use rand_xoshiro::rand_core::Rng;

use super::random::generator;
use super::threads::{on_threads, split};
use crate::error::Error;
use crate::memory::{listed, zeros};
use crate::processor::Level;

/// The largest number of units that are swapped in all ways: 2^20 ways take a moment, and each
/// further unit doubles it.
pub const MOST_PERMUTED: usize = 20;

/// Units whose ways are in one table; the others choose what is added to it.
const LOW: usize = 10;

/// Numbers that are added at the same time, in registers.
const LANES: usize = 8;

/// Trials that are drawn together.
const TOGETHER: usize = 128;

/// Bits of a random number, which is drawn for so many units.
const BITS: usize = 64;

/// Units whose sums, of all ways to choose some of them, are in one table; and how many these are.
const CHOSEN: usize = 4;
const WAYS: usize = 1 << CHOSEN;
const ALL: u64 = WAYS as u64 - 1;

type Sums = [f64; LANES];

/// The influences of units on the scores of systems, and their shares of these.
#[derive(Debug)]
pub struct Contributions {
    systems: usize,
    /// Lanes of a unit, in groups: the influences, then the shares.
    groups: usize,
    /// The lanes of each unit, filled up with zeros, and so are the units.
    rows: Vec<Sums>,
    /// The sums of all units.
    totals: Vec<Sums>,
}

/// Two systems, and how far from 0 a difference of theirs is as extreme as the observed one.
#[derive(Clone, Copy, Debug)]
pub struct Tested {
    /// The first system.
    pub one: usize,
    /// The second system.
    pub other: usize,
    /// The observed difference of their scores.
    pub difference: f64,
    /// Differences that are smaller by no more than this are as extreme.
    pub tie: f64,
}

impl Contributions {
    /// Takes the influences, and the shares, on one system after the other.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if they are not as many for each system.
    pub fn new(influences: &[f64], shares: &[f64], systems: usize) -> Result<Self, Error> {
        let units = influences.len().checked_div(systems).unwrap_or(0);
        if units == 0 || units * systems != influences.len() || shares.len() != influences.len() {
            return Err(Error::BadTable);
        }
        let groups = (2 * systems).div_ceil(LANES);
        let mut rows = zeros::<Sums>(units.next_multiple_of(BITS) * groups);
        for (first, values) in [(0, influences), (systems, shares)] {
            for (place, &value) in values.iter().enumerate() {
                let (lane, unit) = (first + place / units, place % units);
                rows[unit * groups + lane / LANES][lane % LANES] = value;
            }
        }
        let mut totals = zeros::<Sums>(groups);
        for row in rows.chunks_exact(groups) {
            totals
                .iter_mut()
                .zip(row)
                .for_each(|(sum, row)| add(sum, row));
        }
        Ok(Self {
            systems,
            groups,
            rows,
            totals,
        })
    }

    /// Swaps units at random, each with probability one half, and compares the differences with the
    /// observed ones: returns how many are at least as large for each pair. In each trial, all pairs
    /// swap the same units.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if a pair names a system that does not exist, [`Error::Internal`]
    /// instead of a panic.
    pub fn swap(
        &self,
        pairs: &[Tested],
        seed: u64,
        trials: Range<u64>,
        threads: usize,
    ) -> Result<Vec<u64>, Error> {
        if (pairs.iter()).any(|pair| pair.one.max(pair.other) >= self.systems) {
            return Err(Error::BadTable);
        }
        let level = Level::current();
        let parts = on_threads(split(trials, threads), |trials| {
            let mut found = zeros::<u64>(pairs.len());
            let mut start = trials.start;
            while start < trials.end {
                let end = trials.end.min(start + TOGETHER as u64);
                self.swap_at(level, pairs, seed, start..end, &mut found);
                start = end;
            }
            found
        })?;
        let mut found = zeros::<u64>(pairs.len());
        for part in parts {
            for (count, more) in found.iter_mut().zip(part) {
                *count += more;
            }
        }
        Ok(found)
    }

    fn swap_at(
        &self,
        level: Level,
        pairs: &[Tested],
        seed: u64,
        trials: Range<u64>,
        found: &mut [u64],
    ) {
        match level {
            // SAFETY: the level proves the feature.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(_) | Level::Avx512(_) => unsafe {
                self.swap_avx2(pairs, seed, trials, found);
            },
            _ => self.swap_together(pairs, seed, trials, found),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn swap_avx2(&self, pairs: &[Tested], seed: u64, trials: Range<u64>, found: &mut [u64]) {
        self.swap_together(pairs, seed, trials, found);
    }

    /// Draws some trials, and adds to what was found of each pair.
    #[inline(always)]
    fn swap_together(&self, pairs: &[Tested], seed: u64, trials: Range<u64>, found: &mut [u64]) {
        let columns = self.columns(seed, trials);
        for (pair, found) in pairs.iter().zip(found) {
            let [one, other] = [pair.one, pair.other].map(|system| &columns[system]);
            let [own, their] = [pair.one, pair.other].map(|system| &columns[self.systems + system]);
            let half = pair.difference / 2.0;
            let least = pair.difference.abs() - pair.tie;
            let mut extreme = 0_u64;
            for trial in 0..TOGETHER {
                let difference = (one[trial] - other[trial]) + half * (own[trial] + their[trial]);
                extreme += u64::from(difference.abs() >= least);
            }
            *found += extreme;
        }
    }

    /// The sums of each lane after the swaps of some trials; those that are missing are no numbers.
    #[inline(always)]
    fn columns(&self, seed: u64, trials: Range<u64>) -> Vec<[f64; TOGETHER]> {
        let mut random = listed(trials.map(|trial| generator(seed, trial)));
        let mut words = zeros::<u64>(random.len());
        let mut chosen = zeros::<Sums>(self.groups * random.len());
        for rows in self.rows.chunks_exact(BITS * self.groups) {
            for (word, random) in words.iter_mut().zip(&mut random) {
                *word = random.next_u64();
            }
            for (group, chosen) in chosen.chunks_exact_mut(words.len()).enumerate() {
                let mut tables = [[[0.0; LANES]; WAYS]; BITS / CHOSEN];
                for (number, table) in tables.iter_mut().enumerate() {
                    for bit in 0..CHOSEN {
                        let row = rows[(CHOSEN * number + bit) * self.groups + group];
                        for way in 0..1 << bit {
                            table[way | 1 << bit] = table[way];
                            add(&mut table[way | 1 << bit], &row);
                        }
                    }
                }
                for (word, chosen) in words.iter().zip(chosen) {
                    let mut sum = *chosen;
                    for (number, table) in tables.iter().enumerate() {
                        add(&mut sum, &table[(word >> (CHOSEN * number) & ALL) as usize]);
                    }
                    *chosen = sum;
                }
            }
        }
        let mut columns = listed((0..LANES * self.groups).map(|_| [f64::NAN; TOGETHER]));
        let groups = columns.chunks_exact_mut(LANES).zip(&self.totals);
        for ((columns, totals), chosen) in groups.zip(chosen.chunks_exact(words.len())) {
            for (trial, chosen) in chosen.iter().enumerate() {
                for (column, (total, chosen)) in columns.iter_mut().zip(totals.iter().zip(chosen)) {
                    column[trial] = total - 2.0 * chosen;
                }
            }
        }
        columns
    }
}

#[inline(always)]
fn add(sums: &mut Sums, numbers: &Sums) {
    // Iterators would keep the sums out of registers, depending on the profile.
    for lane in 0..LANES {
        sums[lane] += numbers[lane];
    }
}

/// Swaps units in all ways: these are what each contributes to the difference of two systems, which
/// was observed. Returns how many differences are at least as large, and the number of ways.
///
/// # Errors
///
/// [`Error::InvalidSetting`] if there are more than [`MOST_PERMUTED`] units.
pub fn swap_all(values: &[f64], difference: f64, tie: f64) -> Result<(u64, u64), Error> {
    if values.len() > MOST_PERMUTED {
        return Err(Error::InvalidSetting(format!(
            "{} units differ: at most {MOST_PERMUTED} can be swapped in all ways",
            values.len()
        )));
    }
    // Swapping the complementary set of units changes the sign: the last one stays.
    let Some((last, others)) = values.split_last() else {
        return Ok((1, 1));
    };
    let (low, high) = others.split_at(others.len().min(LOW));
    let table = listed((0..1 << low.len()).map(|way| signed(low, way)));
    let least = difference.abs() - tie;
    let mut extreme = 0;
    for way in 0..1_u64 << high.len() {
        let base = last + signed(high, way);
        for sum in &table {
            extreme += 2 * u64::from((base + sum).abs() >= least);
        }
    }
    Ok((extreme, 1 << values.len()))
}

/// The sum of values, of which those are negative whose bits are set.
fn signed(values: &[f64], way: u64) -> f64 {
    let sign = |(place, value): (usize, &f64)| {
        if way >> place & 1 == 1 {
            -value
        } else {
            *value
        }
    };
    values.iter().enumerate().map(sign).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of several systems, which add up to 0, and shares, which add up to 1.
    fn contributions(units: usize, systems: usize) -> (Vec<f64>, Vec<f64>) {
        let mut random = generator(3, 0);
        let mut draw = || f64::from(u32::try_from(random.next_u64() >> 32).expect("32 bits"));
        let mut tables = [Vec::new(), Vec::new()];
        for _ in 0..systems {
            let values: Vec<f64> = (0..units).map(|_| draw()).collect();
            let sizes: Vec<f64> = (0..units).map(|_| draw()).collect();
            let [mean, size] = [&values, &sizes].map(|each| each.iter().sum::<f64>());
            #[expect(clippy::cast_precision_loss, reason = "few units")]
            tables[0].extend(values.iter().map(|value| value - mean / units as f64));
            tables[1].extend(sizes.iter().map(|value| value / size));
        }
        let [influences, shares] = tables;
        (influences, shares)
    }

    /// In each trial, the units are swapped whose bits are set: for any number of units, threads
    /// and trials, and at every level of the processor.
    #[test]
    fn counts_are_those_of_the_definition() {
        for units in [1, 3, 63, 64, 65, 200] {
            let (influences, shares) = contributions(units, 5);
            let found = Contributions::new(&influences, &shares, 5).expect("five systems");
            let pair = |one, other, difference| Tested {
                one,
                other,
                difference,
                tie: 1.0,
            };
            let pairs = [pair(0, 1, 4e8), pair(4, 2, -2e9), pair(3, 3, 0.0)];
            let mut expected = vec![0; pairs.len()];
            for trial in 7..300 {
                let mut random = generator(9, trial);
                let bits: Vec<u64> = (0..units.div_ceil(64)).map(|_| random.next_u64()).collect();
                for (pair, expected) in pairs.iter().zip(&mut expected) {
                    let value = |unit: usize| {
                        let [one, other] = [pair.one, pair.other].map(|each| each * units + unit);
                        let share = f64::midpoint(shares[one], shares[other]);
                        let gap = influences[one] - influences[other] + pair.difference * share;
                        if bits[unit / 64] >> (unit % 64) & 1 == 1 {
                            -gap
                        } else {
                            gap
                        }
                    };
                    let sum: f64 = (0..units).map(value).sum();
                    *expected += u64::from(sum.abs() >= pair.difference.abs() - 1.0);
                }
            }
            for threads in [1, 3, 64] {
                assert_eq!(
                    found.swap(&pairs, 9, 7..300, threads).as_ref(),
                    Ok(&expected)
                );
            }
            for level in Level::available() {
                let mut extreme = vec![0; pairs.len()];
                for start in (7..300).step_by(100) {
                    found.swap_at(level, &pairs, 9, start..300.min(start + 100), &mut extreme);
                }
                assert_eq!(extreme, expected);
            }
        }
    }

    /// A pair has the same count in any company.
    #[test]
    fn other_systems_change_nothing() {
        let (influences, shares) = contributions(70, 40);
        let all = Contributions::new(&influences, &shares, 40).expect("forty systems");
        let pair = |one, other| Tested {
            one,
            other,
            difference: 5e9,
            tie: 1.0,
        };
        for (one, other) in [(0, 39), (17, 3)] {
            let [first, second] = [one, other].map(|system| system * 70..(system + 1) * 70);
            let of_both = |table: &[f64]| [&table[first.clone()], &table[second.clone()]].concat();
            let alone = Contributions::new(&of_both(&influences), &of_both(&shares), 2);
            assert_eq!(
                alone
                    .expect("two systems")
                    .swap(&[pair(0, 1)], 1, 0..500, 1),
                all.swap(&[pair(one, other)], 1, 0..500, 2)
            );
        }
    }

    /// All ways to change signs, whether or not they fit into one table.
    #[test]
    fn all_swaps() {
        for units in [1, 2, 3, 10, 11, 12, 13] {
            let (influences, _) = contributions(units, 1);
            let values: Vec<f64> = influences.iter().map(|value| value + 1e8).collect();
            let difference: f64 = values.iter().sum();
            let (extreme, ways) = swap_all(&values, difference, 1.0).expect("few units");
            assert_eq!(ways, 1 << units);
            let sums: Vec<f64> = (0..ways).map(|way| signed(&values, way)).collect();
            let least = difference.abs() - 1.0;
            let found = sums.iter().filter(|sum| sum.abs() >= least).count();
            assert_eq!(extreme, found as u64);
        }
        assert_eq!(swap_all(&[], 0.0, 0.0).expect("no unit").1, 1);
        assert!(swap_all(&[1.0; MOST_PERMUTED], 20.0, 0.0).is_ok());
        let refused = swap_all(&[1.0; MOST_PERMUTED + 1], 21.0, 0.0);
        assert!(matches!(refused, Err(Error::InvalidSetting(_))));
    }

    #[test]
    fn tables_must_fit() {
        for (influences, shares, systems) in [(4, 3, 2), (3, 3, 2), (0, 0, 1), (1, 1, 0)] {
            let [influences, shares] = [influences, shares].map(|count| vec![0.0; count]);
            assert!(Contributions::new(&influences, &shares, systems).is_err());
        }
        let units = Contributions::new(&[0.0; 4], &[0.5; 4], 2).expect("two systems");
        let unknown = Tested {
            one: 0,
            other: 2,
            difference: 0.0,
            tie: 0.0,
        };
        assert_eq!(units.swap(&[unknown], 1, 0..9, 1), Err(Error::BadTable));
    }
}
