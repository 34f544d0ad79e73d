//! Soft pairwise accuracy of two metrics after their scores have changed places.

use std::ops::Range;

use super::hybrids::{LANES, Lanes, Value, chosen, for_hybrids};
use super::pairs::pairs_of;
use super::swaps::{Accuracies, Swaps};
use crate::error::Error;
use crate::memory::zeros;

impl Swaps {
    /// One minus the average distance of the p-values of pairs of systems from those of the gold
    /// scores, which are `expected`, in the order (1, 0), (2, 0), (2, 1) and so on. Pairs for which
    /// NaN is expected are left out.
    ///
    /// `systems` has the system of each output. Groups are segments. P-values are those of the
    /// normal distribution with the mean and variance of random swaps of segments.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if there is not one system per output, and one p-value per pair; those of
    /// [`Swaps::at`].
    pub fn soft(
        &self,
        systems: &[usize],
        expected: &[f64],
        seed: u64,
        blocks: Range<u64>,
        threads: usize,
    ) -> Result<Accuracies, Error> {
        let last = systems.iter().max();
        let count = last.map_or(0, |last| last.saturating_add(1));
        if systems.len() != self.gold.len() || expected.len() != pairs_of(count) {
            return Err(Error::BadTable);
        }
        Self::in_blocks(blocks, threads, |block| {
            let value = Soft {
                swaps: self,
                systems,
                expected,
                moments: zeros(expected.len()),
                scores: zeros(count),
                known: zeros(count),
            };
            for_hybrids(&self.swaps(seed, block), value)
        })
    }
}

/// Segments whose scores stay in the fastest cache.
const TOGETHER: usize = 16;

/// Soft pairwise accuracy.
struct Soft<'a> {
    swaps: &'a Swaps,
    systems: &'a [usize],
    expected: &'a [f64],
    /// For each pair of systems, the sum of their differences, and that of the squares.
    moments: Vec<[Lanes; 2]>,
    /// Those of each system, for some segments.
    scores: Vec<[Lanes; TOGETHER]>,
    /// Of which of these segments each system has an output, as bits.
    known: Vec<u32>,
}

impl Value for Soft<'_> {
    #[inline(always)]
    fn of(&mut self, metric: usize, bits: &[u32]) -> Lanes {
        self.moments.fill([[0.0; LANES]; 2]);
        let [own, swapped] = [metric, 1 - metric].map(|metric| &self.swaps.scores[metric]);
        for segments in self.swaps.groups.chunks(TOGETHER) {
            self.known.fill(0);
            for (place, outputs) in segments.iter().enumerate() {
                for output in outputs.clone() {
                    let system = self.systems[output];
                    self.known[system] |= 1 << place;
                    self.scores[system][place] = chosen(bits[output], own[output], swapped[output]);
                }
            }
            let mut moments = self.moments.iter_mut();
            for (one, scores) in self.scores.iter().enumerate() {
                for ((other, known), moments) in
                    self.scores[..one].iter().zip(&self.known).zip(&mut moments)
                {
                    let [mut sums, mut squares] = *moments;
                    let mut common = self.known[one] & known;
                    while common != 0 {
                        let place = common.trailing_zeros() as usize % TOGETHER;
                        common &= common - 1;
                        for lane in 0..LANES {
                            let difference = other[place][lane] - scores[place][lane];
                            sums[lane] += difference;
                            squares[lane] += difference * difference;
                        }
                    }
                    *moments = [sums, squares];
                }
            }
        }
        // Beside NaN there is no p-value: the pair has no segment in common.
        let (mut distances, mut count) = ([0.0; LANES], 0.0);
        for ([sums, squares], expected) in self.moments.iter().zip(self.expected) {
            if !expected.is_nan() {
                for lane in 0..LANES {
                    distances[lane] += (p_value(sums[lane], squares[lane]) - expected).abs();
                }
                count += 1.0;
            }
        }
        distances.map(|distances| 1.0 - distances / count)
    }
}

/// The probability that random signs of some differences give at least their sum, in the normal
/// approximation; 1 if all are 0.
#[inline(always)]
pub(super) fn p_value(sum: f64, squares: f64) -> f64 {
    if squares > 0.0 {
        normal_tail(sum / squares.sqrt())
    } else {
        1.0
    }
}

/// The probability of more than `z`, to within 1e-7 (Abramowitz and Stegun, 7.1.26).
#[inline(always)]
fn normal_tail(z: f64) -> f64 {
    let x = z.abs() * std::f64::consts::FRAC_1_SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let series = (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429)) * t - 0.284_496_736;
    // The coefficients add up to 0.999999999: without the last digits, 0 would have more than half.
    let tail = 0.500_000_000_5 * t * (0.254_829_592 + t * series) * (-x * x).exp();
    if z >= 0.0 { tail } else { 1.0 - tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Systems, p-values and blocks that do not fit are errors, also if their numbers would wrap.
    #[test]
    fn numbers_that_do_not_fit() {
        let scores = || vec![0.0, 1.0, 2.0];
        let swaps = Swaps::new(&[2, 1], scores(), scores(), scores()).expect("a table");
        let drawn = |systems: &[usize], expected: &[f64], blocks| {
            let found = swaps.soft(systems, expected, 1, blocks, 3);
            found.map(|found| found.len())
        };
        assert_eq!(drawn(&[0, 1, 0], &[0.5], 1..3), Ok(1024));
        let backward = Range { start: 3, end: 1 };
        assert_eq!(drawn(&[0, 0, 0], &[], backward), Ok(0));
        for most in [2, 1 << 32, usize::MAX - 1, usize::MAX] {
            for expected in [&[][..], &[0.5], &[0.5; 2]] {
                assert_eq!(drawn(&[0, most, 0], expected, 0..1), Err(Error::BadTable));
            }
        }
        assert_eq!(drawn(&[0, 1], &[0.5], 0..1), Err(Error::BadTable));
        for blocks in [0..u64::MAX, 9..1 << 50] {
            let found = drawn(&[0, 1, 0], &[0.5], blocks);
            assert!(matches!(found, Err(Error::OutOfMemory(_))));
        }
    }
}
