//! Bootstrap samples: units drawn with replacement.

use std::ops::Range;

use super::random::{fill, generator};
use super::statistic::Statistic;
use super::threads::{on_threads, split, split_sums, zeros};
use super::units::Units;
use crate::error::Error;
use crate::memory::{joined, push};

impl Units {
    /// The statistic of samples with replacement: for each sample, one number per system.
    ///
    /// # Errors
    ///
    /// [`Error::Internal`] instead of a panic.
    pub fn bootstrap(
        &self,
        statistic: &dyn Statistic,
        seed: u64,
        samples: Range<u64>,
        threads: usize,
    ) -> Result<Vec<f64>, Error> {
        let parts = on_threads(split(samples, threads), |samples| {
            let mut scores = Vec::new();
            self.for_samples(seed, samples, |sums| {
                for row in sums.chunks_exact(self.width) {
                    push(&mut scores, statistic.of(row));
                }
            });
            scores
        })?;
        Ok(joined(&parts))
    }

    /// The sums of the samples that [`Units::bootstrap`] draws: for each sample, one row per
    /// system.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`] if they do not fit into memory, [`Error::Internal`] instead of a
    /// panic.
    pub fn bootstrap_sums(
        &self,
        seed: u64,
        samples: Range<u64>,
        threads: usize,
    ) -> Result<Vec<i64>, Error> {
        let size = self.line();
        let mut all = zeros(&samples, size)?;
        let parts = split_sums(samples, threads, size, &mut all);
        on_threads(parts, |(samples, part)| {
            let mut lines = part.chunks_exact_mut(size);
            self.for_samples(seed, samples, |sums| {
                if let Some(line) = lines.next() {
                    line.copy_from_slice(sums);
                }
            });
        })?;
        Ok(all)
    }

    /// Draws samples and passes on the sums of each: the rows of all systems.
    fn for_samples(&self, seed: u64, samples: Range<u64>, take: impl FnMut(&[i64])) {
        let draw = |sample, units: &mut Vec<u32>| {
            fill(&mut generator(seed, sample), units, self.count);
        };
        self.for_sums(samples, draw, take);
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::{ratio, units, wide_units};
    use super::*;

    #[test]
    fn threads_and_chunks_change_nothing() {
        let units = units();
        let all = units.bootstrap(&ratio, 7, 0..50, 1).expect("no panic");
        assert_eq!(all.len(), 150);
        assert_eq!(units.bootstrap(&ratio, 7, 0..50, 3), Ok(all.clone()));
        let mut parts = units.bootstrap(&ratio, 7, 0..20, 1).expect("no panic");
        parts.extend(units.bootstrap(&ratio, 7, 20..50, 2).expect("no panic"));
        assert_eq!(parts, all);
        assert_ne!(units.bootstrap(&ratio, 8, 0..50, 1), Ok(all));
    }

    #[test]
    fn wide_rows_give_what_narrow_ones_give() {
        assert_eq!(
            units().bootstrap(&ratio, 1, 0..99, 2),
            wide_units().bootstrap(&ratio, 1, 0..99, 1)
        );
    }

    /// The scores of the sums are the bootstrap scores, for any number of threads and any range.
    #[test]
    fn sums_are_those_of_the_scored_samples() {
        for units in [units(), wide_units()] {
            for samples in [0..50, 13..20, 5..5] {
                let scores = units.bootstrap(&ratio, 7, samples.clone(), 1);
                for threads in [1, 3, 64] {
                    let sums = units
                        .bootstrap_sums(7, samples.clone(), threads)
                        .expect("enough memory");
                    let scored = sums.chunks_exact(2).map(ratio).collect();
                    assert_eq!(scores, Ok(scored));
                }
            }
        }
    }

    #[test]
    fn too_many_sums_are_an_error() {
        let sums = units().bootstrap_sums(7, 0..u64::MAX, 2);
        assert!(matches!(sums, Err(Error::OutOfMemory(_))));
    }

    #[test]
    fn a_panic_stays_inside() {
        let bad = |_: &[i64]| -> f64 { panic!("on purpose") };
        assert_eq!(units().bootstrap(&bad, 0, 0..4, 2), Err(Error::Internal));
    }
}
