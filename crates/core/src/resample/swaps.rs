//! Random swaps: units of two systems change places, each with probability one half.

use std::ops::Range;

use rand_xoshiro::rand_core::Rng;

use super::random::generator;
use super::statistic::{Observed, Statistic, Tally};
use super::threads::{on_threads, split, split_sums, zeros};
use super::units::Units;
use crate::error::Error;
use crate::memory::{self, listed, push, with_room};

impl Units {
    /// Swaps the units of two systems at random, and compares the differences with the observed
    /// one. In each trial, all pairs swap the same units.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if a pair names a system that does not exist, [`Error::Internal`]
    /// instead of a panic.
    pub fn randomize(
        &self,
        statistic: &dyn Statistic,
        pairs: &[(usize, usize)],
        seed: u64,
        trials: Range<u64>,
        threads: usize,
    ) -> Result<Vec<Tally>, Error> {
        self.check(pairs)?;
        let observed = self.observed(statistic, pairs);
        let parts = on_threads(split(trials, threads), |trials| {
            let mut swapped = Swapped::new(self, pairs);
            let mut tallies = listed(pairs.iter().map(|_| Tally::default()));
            self.for_chosen(seed, trials, |chosen| {
                swapped.score(statistic, chosen, |pair, first, second| {
                    tallies[pair].add(observed[pair].tally(first - second));
                });
            });
            tallies
        })?;
        let mut sums = listed(pairs.iter().map(|_| Tally::default()));
        for part in parts {
            for (sum, tally) in sums.iter_mut().zip(part) {
                sum.add(tally);
            }
        }
        Ok(sums)
    }

    /// The sums after the swaps of [`Units::randomize`]: for each trial and pair, the row of the
    /// first system and that of the second.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if a pair names a system that does not exist, [`Error::OutOfMemory`] if
    /// the sums do not fit into memory, [`Error::Internal`] instead of a panic.
    pub fn swap_sums(
        &self,
        pairs: &[(usize, usize)],
        seed: u64,
        trials: Range<u64>,
        threads: usize,
    ) -> Result<Vec<i64>, Error> {
        self.check(pairs)?;
        let size = 2 * pairs.len() * self.width;
        let mut all = zeros(&trials, size)?;
        let totals = self.totals();
        let parts = split_sums(trials, threads, size, &mut all);
        on_threads(parts, |(trials, part)| {
            let mut rows = part.chunks_exact_mut(2 * self.width);
            self.for_chosen(seed, trials, |chosen| {
                for (&(one, other), rows) in pairs.iter().zip(rows.by_ref()) {
                    let (first, second) = rows.split_at_mut(self.width);
                    let systems = [(first, one, other), (second, other, one)];
                    for (row, own, swapped) in systems {
                        let parts = [(totals.as_slice(), own), (chosen, swapped), (chosen, own)];
                        let [total, gained, lost] =
                            parts.map(|(line, system)| self.row(line, system));
                        for (field, value) in row.iter_mut().enumerate() {
                            *value = total[field] + gained[field] - lost[field];
                        }
                    }
                }
            });
        })?;
        Ok(all)
    }

    /// The scores of pairs without any swap, with which those after swaps are compared.
    pub(super) fn observed(
        &self,
        statistic: &dyn Statistic,
        pairs: &[(usize, usize)],
    ) -> Vec<Observed> {
        let mut swapped = Swapped::new(self, pairs);
        let unchanged = memory::zeros::<i64>(self.line());
        let mut observed = with_room(pairs.len());
        swapped.score(statistic, &unchanged, |_, first, second| {
            push(&mut observed, Observed::new(first, second));
        });
        observed
    }

    /// Chooses units at random and passes on, for each trial, the sums of the chosen ones: the rows
    /// of all systems.
    fn for_chosen(&self, seed: u64, trials: Range<u64>, take: impl FnMut(&[i64])) {
        self.for_sums(
            trials,
            |trial, units| {
                let mut random = generator(seed, trial);
                units.clear();
                memory::reserve(units, self.count() + 64);
                for first in (0..self.count).step_by(64) {
                    list_bits(random.next_u64(), first, units);
                }
                // The last number may have chosen units that do not exist.
                while units.last().is_some_and(|&unit| unit >= self.count) {
                    units.pop();
                }
            },
            take,
        );
    }
}

/// Pairs whose rows are scored together: their columns stay in the fastest cache.
const TOGETHER: usize = 128;

/// Scores pairs of systems after some of their units are swapped.
struct Swapped<'a> {
    pairs: &'a [(usize, usize)],
    systems: usize,
    /// The sums of all units, and those of the chosen ones: for each field, one number per system.
    totals: Vec<f64>,
    chosen: Vec<f64>,
    columns: Vec<f64>,
    scores: Vec<f64>,
}

impl<'a> Swapped<'a> {
    fn new(units: &Units, pairs: &'a [(usize, usize)]) -> Self {
        let mut totals = memory::zeros(units.line());
        transpose(&units.totals(), units.systems, &mut totals);
        Self {
            pairs,
            systems: units.systems,
            chosen: memory::zeros(totals.len()),
            totals,
            columns: Vec::new(),
            scores: Vec::new(),
        }
    }

    /// Passes on each pair's index, and the scores of its two systems after the chosen units, whose
    /// sums are given, are swapped.
    fn score(
        &mut self,
        statistic: &dyn Statistic,
        chosen: &[i64],
        mut take: impl FnMut(usize, f64, f64),
    ) {
        transpose(chosen, self.systems, &mut self.chosen);
        let width = chosen.len() / self.systems;
        for (number, pairs) in self.pairs.chunks(TOGETHER).enumerate() {
            let count = pairs.len();
            self.scores.resize(2 * count, 0.0);
            self.columns.resize(2 * count * width, 0.0);
            let fields = self
                .totals
                .chunks_exact(self.systems)
                .zip(self.chosen.chunks_exact(self.systems));
            for ((totals, chosen), column) in fields.zip(self.columns.chunks_exact_mut(2 * count)) {
                let (first, second) = column.split_at_mut(count);
                for ((&(one, other), first), second) in pairs.iter().zip(first).zip(second) {
                    let change = chosen[other] - chosen[one];
                    *first = totals[one] + change;
                    *second = totals[other] - change;
                }
            }
            statistic.compared(&self.columns, &mut self.scores);
            let (first, second) = self.scores.split_at(count);
            for (index, (&first, &second)) in first.iter().zip(second).enumerate() {
                take(number * TOGETHER + index, first, second);
            }
        }
    }
}

/// Turns the rows of systems into a column for each field.
fn transpose(rows: &[i64], systems: usize, columns: &mut [f64]) {
    let width = rows.len() / systems;
    for (system, row) in rows.chunks_exact(width).enumerate() {
        for (column, &value) in columns.chunks_exact_mut(systems).zip(row) {
            column[system] = as_f64(value);
        }
    }
}

/// Adds the places of the bits that are set, from `first` on.
pub fn list_bits(mut bits: u64, first: u32, places: &mut Vec<u32>) {
    while bits != 0 {
        places.push(first + bits.trailing_zeros());
        bits &= bits - 1;
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "beyond 2^53, in units of that many n-grams, ties may be missed"
)]
pub fn as_f64(value: i64) -> f64 {
    value as f64
}

#[cfg(test)]
mod tests {
    use super::super::examples::{ratio, units, wide_units};
    use super::*;

    const PAIRS: [(usize, usize); 3] = [(0, 1), (1, 2), (0, 2)];

    #[test]
    fn wide_rows_give_what_narrow_ones_give() {
        assert_eq!(
            units().randomize(&ratio, &PAIRS, 1, 0..99, 2),
            wide_units().randomize(&ratio, &PAIRS, 1, 0..99, 1)
        );
    }

    /// Counting over the sums gives the tallies, for any number of threads and any range.
    #[test]
    fn sums_are_those_of_the_tallied_swaps() {
        for units in [units(), wide_units()] {
            let observed = units.observed(&ratio, &PAIRS);
            for trials in [0..99, 13..20, 5..5] {
                let tallies = units.randomize(&ratio, &PAIRS, 1, trials.clone(), 1);
                for threads in [1, 3, 64] {
                    let sums = units
                        .swap_sums(&PAIRS, 1, trials.clone(), threads)
                        .expect("enough memory");
                    let mut counted = vec![Tally::default(); PAIRS.len()];
                    for (index, rows) in sums.chunks_exact(4).enumerate() {
                        let difference = ratio(&rows[..2]) - ratio(&rows[2..]);
                        let pair = index % PAIRS.len();
                        counted[pair].add(observed[pair].tally(difference));
                    }
                    assert_eq!(tallies, Ok(counted));
                }
            }
        }
    }

    #[test]
    fn no_pairs_have_no_sums() {
        assert_eq!(units().swap_sums(&[], 1, 0..9, 2), Ok(vec![]));
    }

    #[test]
    fn impossible_sums_are_errors() {
        let unknown = units().swap_sums(&[(0, 3)], 1, 0..9, 2);
        assert_eq!(unknown, Err(Error::BadTable));
        let endless = units().swap_sums(&PAIRS, 1, 0..u64::MAX, 2);
        assert!(matches!(endless, Err(Error::OutOfMemory(_))));
    }
}
