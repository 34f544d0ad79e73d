//! Random swaps: units of two systems change places, each with probability one half.

use std::ops::Range;

use rand_xoshiro::rand_core::Rng;

use super::random::generator;
use super::statistic::{Statistic, Tally};
use super::threads::{on_threads, split, split_sums, zeros};
use super::units::{Count, Rows, Units, add, widen};
use crate::error::Error;

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
        statistic: Statistic<'_>,
        pairs: &[(usize, usize)],
        seed: u64,
        trials: Range<u64>,
        threads: usize,
    ) -> Result<Vec<Tally>, Error> {
        self.check(pairs)?;
        let parts = on_threads(split(trials, threads), |trials| {
            let observed = self.observed(statistic, pairs);
            let mut tallies = vec![Tally::default(); pairs.len()];
            self.for_swaps(pairs, seed, trials, |pair, first, second| {
                tallies[pair].count(statistic(first) - statistic(second), observed[pair]);
            });
            tallies
        })?;
        let mut sums = vec![Tally::default(); pairs.len()];
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
        let parts = split_sums(trials, threads, size, &mut all);
        on_threads(parts, |(trials, part)| {
            let mut rows = part.chunks_exact_mut(self.width);
            self.for_swaps(pairs, seed, trials, |_, first, second| {
                for (sum, row) in [first, second].into_iter().zip(rows.by_ref()) {
                    row.copy_from_slice(sum);
                }
            });
        })?;
        Ok(all)
    }

    /// The differences of pairs without any swap.
    pub(super) fn observed(&self, statistic: Statistic<'_>, pairs: &[(usize, usize)]) -> Vec<f64> {
        let totals = self.totals();
        let total = |system: usize| statistic(self.row(&totals, system));
        pairs
            .iter()
            .map(|&(one, other)| total(one) - total(other))
            .collect()
    }

    /// Swaps units at random and passes on, for each trial and pair, the index of the pair and the
    /// sums of its two systems.
    fn for_swaps(
        &self,
        pairs: &[(usize, usize)],
        seed: u64,
        trials: Range<u64>,
        take: impl FnMut(usize, &[i64], &[i64]),
    ) {
        match &self.rows {
            Rows::Narrow(rows) => self.swap(rows, pairs, seed, trials, take),
            Rows::Wide(rows) => self.swap(rows, pairs, seed, trials, take),
        }
    }

    fn swap<T: Count>(
        &self,
        rows: &[T],
        pairs: &[(usize, usize)],
        seed: u64,
        trials: Range<u64>,
        mut take: impl FnMut(usize, &[i64], &[i64]),
    ) {
        let line = self.line();
        let totals = self.totals();
        let mut sum = vec![T::default(); line];
        let mut wide = vec![0; line];
        let (mut first, mut second) = (vec![0; self.width], vec![0; self.width]);
        for trial in trials {
            let mut random = generator(seed, trial);
            sum.fill(T::default());
            for block in rows.chunks(64 * line) {
                let mut chosen = random.next_u64();
                if block.len() < 64 * line {
                    chosen &= (1 << (block.len() / line)) - 1;
                }
                while chosen != 0 {
                    let unit = chosen.trailing_zeros() as usize;
                    add(&mut sum, &block[unit * line..][..line]);
                    chosen &= chosen - 1;
                }
            }
            widen(&sum, &mut wide);
            for (pair, &(one, other)) in pairs.iter().enumerate() {
                for column in 0..self.width {
                    let change = self.row(&wide, other)[column] - self.row(&wide, one)[column];
                    first[column] = self.row(&totals, one)[column] + change;
                    second[column] = self.row(&totals, other)[column] - change;
                }
                take(pair, &first, &second);
            }
        }
    }
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
                        counted[pair].count(difference, observed[pair]);
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
