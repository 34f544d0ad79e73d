//! Swaps by importance sampling, for p-values far below one over the number of trials.
//!
//! Swaps with probability one half hardly ever make a difference that one of a million ways makes.
//! Here, each unit is swapped with a probability that favors large differences, and a trial counts
//! with its weight: its probability under equal swaps, divided by that of being drawn. The p-value
//! is that of Harrison (2012), *Conservative hypothesis tests and confidence intervals using
//! importance sampling*: the weights of the trials that are at least as extreme, and that of the
//! observed data, divided by the number of trials + 1. It is valid with any number of trials if
//! probabilities do not depend on which outputs are whose. They follow from both rows of each unit.

use std::f64::consts::LN_2;

use bytemuck::cast;
use rand_xoshiro::rand_core::Rng;
use wide::i16x8;

use super::random::generator;
use super::statistic::{Observed, Statistic};
use super::swaps::{as_f64, list_bits};
use super::threads::on_threads;
use super::units::Units;
use crate::error::Error;
use crate::memory::{extend, listed, push, with_room, zeros};

/// How units are swapped, and which of the trials are extreme.
#[derive(Clone, Copy, Debug)]
pub struct Importance {
    /// Most trials make a difference of about so many standard errors.
    pub errors: f64,
    /// Whether only trials in favor of the first system are extreme.
    pub one_sided: bool,
    /// Number of trials.
    pub trials: u64,
}

/// Trials of swaps with equal probability do not use the random numbers from here on.
const FIRST: u64 = 1 << 48;

/// Probabilities are multiples of one in so many.
const STEPS: f64 = 65_536.0;

/// Logarithms of odds are multiples of one in so many.
const ONE: f64 = 1_099_511_627_776.0;

/// Smaller p-values are as good as this one, and are hard to write.
const SMALLEST: f64 = 1e-300;

/// Rows that are scored together: their columns stay in the fastest caches.
const TOGETHER: usize = 128;

impl Units {
    /// The p-value of each pair by importance sampling.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if a pair names a system that does not exist, [`Error::Overflow`] if
    /// sums of changes could exceed 64 bits, [`Error::Internal`] instead of a panic.
    pub fn importance(
        &self,
        statistic: &dyn Statistic,
        pairs: &[(usize, usize)],
        how: Importance,
        seed: u64,
        threads: usize,
    ) -> Result<Vec<f64>, Error> {
        self.check(pairs)?;
        let totals = self.totals();
        let tested: Vec<_> = pairs.iter().zip(self.observed(statistic, pairs)).collect();
        let size = pairs.len().div_ceil(threads.max(1)).max(1);
        let parts = on_threads(tested.chunks(size).collect(), |part| {
            part.iter()
                .map(|&(&(one, other), observed)| {
                    let rows = [one, other].map(|system| self.row(&totals, system));
                    let changes = self.changes(one, other)?;
                    p_value(statistic, rows, &changes, observed, how, seed)
                })
                .collect::<Result<Vec<_>, _>>()
        })?;
        Ok(parts.into_iter().collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// What a swap adds to the row of the first system, for each unit in which the two differ.
    fn changes(&self, one: usize, other: usize) -> Result<Vec<i64>, Error> {
        let differing = self.differing(one, other)?;
        let mut changes = with_room(differing.len() * self.width);
        for unit in differing {
            let change = |field| self.value(unit, other, field) - self.value(unit, one, field);
            changes.extend((0..self.width).map(change));
        }
        Ok(changes)
    }
}

fn p_value(
    statistic: &dyn Statistic,
    [first, second]: [&[i64]; 2],
    changes: &[i64],
    observed: Observed,
    how: Importance,
    seed: u64,
) -> Result<f64, Error> {
    if changes.is_empty() {
        return Ok(1.0);
    }
    let width = first.len();
    let tilted = Tilted::new(statistic, [first, second], changes, how.errors);
    let (mut likelihoods, mut sums) = (Vec::new(), Vec::new());
    Units::new(&[changes], width)?.for_sums(
        0..how.trials,
        |trial, units| push(&mut likelihoods, tilted.draw(seed, trial, units)),
        |sum| extend(&mut sums, sum),
    );
    // Nothing is swapped in the data, which count as one of the trials.
    let mut weight = tilted.weight(tilted.unchanged, how.one_sided);
    let found = differences(statistic, first, second, &sums);
    for (&likelihood, difference) in likelihoods.iter().zip(found) {
        let tally = observed.tally(difference);
        if (if how.one_sided {
            tally.higher
        } else {
            tally.either
        }) > 0
        {
            weight += tilted.weight(likelihood, how.one_sided);
        }
    }
    let trials = as_f64(how.trials.cast_signed()) + 1.0;
    Ok((weight / trials).clamp(SMALLEST, 1.0))
}

/// Random swaps in favor of the first system.
struct Tilted {
    /// Of the units, eight by eight: the probability that the system that is better in a unit, as
    /// far as that is its doing, is the second one after the swaps. A random number is below it.
    bounds: Vec<i16x8>,
    /// The units that are swapped if they favor the first system after that.
    flips: Vec<u64>,
    /// The logarithm of the odds that each unit is not swapped, in parts of [`ONE`]: whole numbers
    /// have the same sum in any order.
    odds: Vec<i64>,
    /// That of how much likelier the data are in favor of the first system than of the second.
    unchanged: i64,
    /// The logarithm of the weight of swaps that are as likely in favor of either.
    even: f64,
}

impl Tilted {
    fn new(statistic: &dyn Statistic, rows: [&[i64]; 2], changes: &[i64], errors: f64) -> Self {
        let width = rows[0].len();
        let sum: Vec<i64> = rows[0]
            .iter()
            .zip(rows[1])
            .map(|(one, other)| one + other)
            .collect();
        // The score if both systems had the row of the first one in a unit, minus that if they had
        // the row of the second.
        let mut favors = differences(statistic, &sum, &sum, changes);
        for favor in &mut favors {
            *favor = if favor.is_finite() { -*favor } else { 0.0 };
        }
        let spread = favors.iter().map(|favor| favor * favor).sum::<f64>().sqrt();
        let tilt = if spread > 0.0 { errors / spread } else { 0.0 };
        let count = favors.len();
        let groups = count.next_multiple_of(64) / 8;
        let mut bounds = listed(std::iter::repeat_n([i16::MIN; 8], groups));
        let mut flips = zeros::<u64>(count.div_ceil(64));
        let (mut odds, mut even) = (with_room(count), 0.0);
        for (unit, (favor, change)) in favors.iter().zip(changes.chunks_exact(width)).enumerate() {
            let against = 1.0 / (1.0 + (2.0 * tilt * favor.abs()).exp());
            let against = (STEPS * against).round().max(1.0) / STEPS;
            bounds[unit / 8][unit % 8] = bound(against);
            even -= LN_2 + 0.5 * (against * (1.0 - against)).ln();
            // Whichever system is the first, the same random numbers make the same difference.
            let first_change = change.iter().find(|&&value| value != 0);
            let flips_it = *favor < 0.0 || (*favor == 0.0 && first_change > Some(&0));
            flips[unit / 64] |= u64::from(flips_it) << (unit % 64);
            let log = whole(ONE * ((1.0 - against) / against).ln());
            odds.push(if flips_it { -log } else { log });
        }
        Self {
            bounds: listed(bounds.into_iter().map(i16x8::new)),
            flips,
            unchanged: odds.iter().sum(),
            odds,
            even,
        }
    }

    /// Lists the units that a trial swaps. Returns the logarithm of how much likelier these swaps
    /// are in favor of the first system than of the second.
    fn draw(&self, seed: u64, trial: u64, units: &mut Vec<u32>) -> i64 {
        let mut random = generator(seed, FIRST + trial);
        units.clear();
        for ((bounds, flips), first) in self
            .bounds
            .chunks_exact(8)
            .zip(&self.flips)
            .zip((0..).step_by(64))
        {
            let mut swapped = *flips;
            for (part, bounds) in bounds.iter().enumerate() {
                let drawn: i16x8 = cast([random.next_u64(), random.next_u64()]);
                swapped ^= u64::from(drawn.simd_lt(*bounds).to_bitmask()) << (8 * part);
            }
            list_bits(swapped, first, units);
        }
        let odds = units.iter().map(|&unit| self.odds[unit as usize]);
        self.unchanged - 2 * odds.sum::<i64>()
    }

    /// The weight of swaps. One-sided, all trials are in favor of the first system; otherwise, each
    /// stands for the one that exchanges the systems as well, and makes the opposite difference.
    fn weight(&self, likelihood: i64, one_sided: bool) -> f64 {
        let half = as_f64(likelihood) / (2.0 * ONE);
        // The logarithm of the hyperbolic cosine.
        let both = half.abs() + (-2.0 * half.abs()).exp().ln_1p() - LN_2;
        (self.even - if one_sided { half } else { both }).exp()
    }
}

/// The score of the first row after each change, minus that of the second after the opposite.
fn differences(
    statistic: &dyn Statistic,
    first: &[i64],
    second: &[i64],
    changes: &[i64],
) -> Vec<f64> {
    let width = first.len();
    let mut found = with_room(changes.len() / width);
    let (mut columns, mut scores) = (Vec::new(), Vec::new());
    for changes in changes.chunks(TOGETHER * width) {
        let count = changes.len() / width;
        columns.resize(2 * count * width, 0.0);
        scores.resize(2 * count, 0.0);
        for (index, change) in changes.chunks_exact(width).enumerate() {
            for (field, change) in change.iter().enumerate() {
                let place = 2 * count * field + index;
                columns[place] = as_f64(first[field] + change);
                columns[place + count] = as_f64(second[field] - change);
            }
        }
        statistic.compared(&columns, &mut scores);
        let (one, other) = scores.split_at(count);
        found.extend(one.iter().zip(other).map(|(one, other)| one - other));
    }
    found
}

/// What a share of all 16-bit numbers is below.
#[expect(clippy::cast_possible_truncation, reason = "a share of at most a half")]
fn bound(share: f64) -> i16 {
    (STEPS * (share - 0.5)) as i16
}

#[expect(clippy::cast_possible_truncation, reason = "at most 12 of ONE")]
fn whole(number: f64) -> i64 {
    number.round() as i64
}

#[cfg(test)]
mod tests {
    use super::super::examples::{ratio, tables, units, wide_units};
    use super::*;

    const PAIRS: [(usize, usize); 3] = [(0, 1), (1, 2), (0, 2)];

    fn how(errors: f64, one_sided: bool, trials: u64) -> Importance {
        Importance {
            errors,
            one_sided,
            trials,
        }
    }

    /// The share of all swaps, for any tilt.
    #[test]
    fn p_values_are_those_of_all_swaps() {
        for units in [units(), wide_units()] {
            for (one_sided, errors) in [false, true]
                .into_iter()
                .flat_map(|one| [0.0, 1.0, 3.0].map(|errors| (one, errors)))
            {
                let found = units.importance(&ratio, &PAIRS, how(errors, one_sided, 40_000), 1, 2);
                for (pair, p) in PAIRS.iter().zip(found.expect("known systems")) {
                    let (tally, ways) =
                        units.permute(&ratio, pair.0, pair.1, 1).expect("few units");
                    let extreme = if one_sided {
                        tally.higher
                    } else {
                        tally.either
                    };
                    let expected = as_f64(extreme.cast_signed()) / as_f64(ways.cast_signed());
                    assert!((p - expected).abs() < 0.03, "{p} {expected}");
                }
            }
        }
    }

    /// A p-value of 2^-39 from a thousand trials; the same for the other order and any threads.
    #[test]
    fn tiny_p_values() {
        let rows = |value: i64| [value, 7].repeat(40);
        let units = Units::new(&[rows(3), rows(1)], 2).expect("whole rows");
        let test = |pairs: &[_], one_sided, threads| {
            let found = units.importance(&ratio, pairs, how(6.3, one_sided, 1000), 1, threads);
            found.expect("known systems")
        };
        let [either, other, _] = test(&[(0, 1), (1, 0), (0, 1)], false, 2)[..] else {
            panic!("three pairs")
        };
        assert_eq!(either.to_bits(), other.to_bits());
        let expected = 0.5_f64.powi(39);
        assert!((0.7..1.4).contains(&(either / expected)), "{either}");
        let [better, worse] = test(&[(0, 1), (1, 0)], true, 9)[..] else {
            panic!("two pairs")
        };
        assert!((0.7..1.4).contains(&(2.0 * better / expected)), "{better}");
        assert!(worse > 0.1, "{worse}");
    }

    #[test]
    fn equal_systems_and_unknown_ones() {
        let table = tables().swap_remove(0);
        let equal = Units::new(&[table.clone(), table], 2).expect("whole rows");
        let test = |pair| equal.importance(&ratio, &[pair], how(4.0, false, 99), 1, 2);
        assert_eq!(test((0, 1)), Ok(vec![1.0]));
        assert_eq!(test((0, 2)), Err(Error::BadTable));
        assert_eq!(
            equal.importance(&ratio, &[], how(4.0, false, 99), 1, 2),
            Ok(vec![])
        );
    }
}
