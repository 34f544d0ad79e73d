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
