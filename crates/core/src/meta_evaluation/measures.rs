//! Measures, and what they are computed for.

use rand_xoshiro::rand_core::Rng;

use super::accuracy::Accuracy;
use super::correlations::{Differences, Pearson};
use super::kendall::Kendall;
use super::soft::Soft;
use super::table::Table;
use super::variants::{Agreement, LANES, Lanes, Variants};
use crate::error::{Error, by_name};
use crate::memory::{extend, listed, with_room, zeros};
use crate::processor::{Level, Work, run_at};
use crate::resample::random::generator;
use crate::resample::threads::{on_threads, split};
use crate::stop::{Stop, stop_here};

/// Swaps that come from one random generator.
const DRAWS: usize = 512;

/// What is asked of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Pearson's r, averaged over groups.
    Pearson,
    /// Pearson's r of all differences within groups.
    Differences,
    /// Kendall's tau-b, averaged over groups.
    Kendall,
    /// The share of pairs within a group that are ordered as people order them, averaged over groups.
    Accuracy,
    /// The same at the threshold for ties at which it is highest.
    BestAccuracy,
    /// Soft pairwise accuracy: one minus the average distance of the p-values of two systems. They are
    /// those of the normal distribution with the mean and variance of random swaps of segments.
    Soft,
}

impl Measure {
    /// The measure of this name.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownName`] if there is none.
    pub fn named(name: &str) -> Result<Self, Error> {
        let all = [
            ("pearson", Self::Pearson),
            ("differences", Self::Differences),
            ("kendall", Self::Kendall),
            ("accuracy", Self::Accuracy),
            ("best-accuracy", Self::BestAccuracy),
            ("soft", Self::Soft),
        ];
        by_name(&all, "measure", name)
    }
}

/// What a measure is computed for.
#[derive(Clone, Copy, Debug)]
pub enum How<'a> {
    /// The scores of the first metric: one value.
    Once,
    /// The same in samples, which have each of so many segments as often as a weight says, sample by
    /// sample: a value for each.
    Samples(&'a [f64], usize),
    /// The scores of both metrics, after so many random swaps of some outputs: two values for each.
    Drawn(u64, usize),
    /// The same after all swaps.
    AllSwaps,
}

impl Table {
    /// The values of a measure, NaN where it is undefined. They do not depend on `threads`.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if there is not one weight per segment and sample, or there are too many
    /// outputs for all swaps; [`Error::OutOfMemory`] if there are too many pairs or swaps,
    /// [`Error::Internal`] instead of a panic.
    pub fn values(
        &self,
        measure: Measure,
        how: How<'_>,
        threads: usize,
    ) -> Result<Vec<f64>, Error> {
        let is_swapped = matches!(how, How::Drawn(..) | How::AllSwaps);
        match measure {
            Measure::Pearson => self.found(&Pearson, how, threads),
            Measure::Differences => self.found(&Differences, how, threads),
            Measure::Kendall => self.found(&Kendall, how, threads),
            Measure::Soft => self.found(&Soft::new(self)?, how, threads),
            Measure::Accuracy | Measure::BestAccuracy => {
                let is_best = measure == Measure::BestAccuracy;
                self.found(&Accuracy::new(self, is_best, is_swapped)?, how, threads)
            }
        }
    }

    fn found(
        &self,
        measure: &impl Agreement,
        how: How<'_>,
        threads: usize,
    ) -> Result<Vec<f64>, Error> {
        let outputs = self.gold.len();
        let unchanged = zeros::<u32>(outputs);
        match how {
            How::Once => Ok(vec![
                at::<_, false>(measure, &self.variants(&unchanged, 0, &[]))[0],
            ]),
            How::Samples(weights, segments) => {
                let are_known = self.segments.iter().all(|&segment| segment < segments);
                if !are_known || segments == 0 || !weights.len().is_multiple_of(segments) {
                    return Err(Error::BadTable);
                }
                let count = weights.len() / segments;
                in_parts(count.div_ceil(LANES), threads, count, |part| {
                    let mut lanes = zeros::<Lanes>(segments);
                    let samples = weights.chunks_exact(segments).skip(part * LANES);
                    for (lane, sample) in samples.take(LANES).enumerate() {
                        for (lanes, &weight) in lanes.iter_mut().zip(sample) {
                            lanes[lane] = weight;
                        }
                    }
                    let variants = self.variants(&unchanged, 0, &lanes);
                    at::<_, true>(measure, &variants).to_vec()
                })
            }
            How::Drawn(seed, count) => self.swapped(measure, Some(seed), count, threads),
            How::AllSwaps if outputs < 20 => self.swapped(measure, None, 1 << outputs, threads),
            How::AllSwaps => Err(Error::BadTable),
        }
    }

    fn swapped(
        &self,
        measure: &impl Agreement,
        seed: Option<u64>,
        count: usize,
        threads: usize,
    ) -> Result<Vec<f64>, Error> {
        in_parts(count.div_ceil(DRAWS), threads, 2 * count, |block| {
            let swaps = self.swaps(seed, block);
            let mut found = with_room(2 * DRAWS);
            for part in 0..DRAWS / LANES {
                stop_here();
                #[expect(clippy::cast_possible_truncation, reason = "there are as many lanes")]
                // Close together, they stay in a fast cache.
                let swaps = listed(
                    swaps
                        .iter()
                        .map(|bits| (bits[part * LANES / 64] >> (part * LANES % 64)) as u32),
                );
                let [one, other] = [0, 1]
                    .map(|metric| at::<_, false>(measure, &self.variants(&swaps, metric, &[])));
                found.extend(one.into_iter().zip(other).flat_map(<[f64; 2]>::from));
            }
            found
        })
    }

    /// The swaps of a block: for each output, a bit for each. Without a seed, swap `s` of all has the
    /// bits of the number s.
    pub(super) fn swaps(&self, seed: Option<u64>, block: usize) -> Vec<[u64; DRAWS / 64]> {
        let mut random = generator(seed.unwrap_or_default(), block as u64);
        let bits = |output: usize| -> [u64; DRAWS / 64] {
            if seed.is_some() {
                return std::array::from_fn(|_| random.next_u64());
            }
            let is_swapped = |swap: usize| (block * DRAWS + swap) >> output & 1;
            std::array::from_fn(|word| {
                (0..64).fold(0, |bits, place| {
                    bits | (is_swapped(64 * word + place) as u64) << place
                })
            })
        };
        listed((0..self.gold.len()).map(bits))
    }
}

/// Computes a measure at the level of this processor.
fn at<A: Agreement, const WEIGHTED: bool>(measure: &A, variants: &Variants<'_>) -> Lanes {
    struct Computing<'a, A, const WEIGHTED: bool>(&'a A, &'a Variants<'a>);
    impl<A: Agreement, const WEIGHTED: bool> Work for Computing<'_, A, WEIGHTED> {
        type Output = Lanes;

        #[inline(always)]
        fn run(self) -> Lanes {
            self.0.of::<WEIGHTED>(self.1)
        }
    }
    run_at(
        Level::current(),
        Computing::<_, WEIGHTED>(measure, variants),
    )
}

/// Computes parts on some threads; returns the first `count` of all numbers.
fn in_parts(
    parts: usize,
    threads: usize,
    count: usize,
    work: impl Fn(usize) -> Vec<f64> + Sync,
) -> Result<Vec<f64>, Error> {
    let mut all = Vec::new();
    if all.try_reserve_exact(count).is_err() {
        return Err(Error::OutOfMemory(format!("{count} values")));
    }
    let stop = Stop::here();
    let found = on_threads(split(0..parts as u64, threads), |parts| {
        stop.heeded(|| {
            let mut found = Vec::new();
            for part in parts {
                stop_here();
                extend(
                    &mut found,
                    &work(usize::try_from(part).unwrap_or(usize::MAX)),
                );
            }
            found
        })
    })?;
    all.extend(found.into_iter().flatten().take(count));
    Ok(all)
}
