//! Correlations of two metrics after their scores have changed places, some draws side
//! by side.

use std::ops::Range;

use super::counter::Bits;
use super::swaps::{Accuracies, DRAWS, Swaps};
use crate::error::{Error, by_name};
use crate::memory::{listed, zeros};
use crate::processor::{Level, Work, run_at};
use crate::stop::stop_here;

/// Which correlation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Correlation {
    /// Pearson's r, averaged over groups.
    Pearson,
    /// Kendall's tau-b, averaged over groups.
    Kendall,
    /// Pearson's r of all differences within groups.
    Differences,
}

impl Correlation {
    /// The correlation of this name.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownName`] if there is none.
    pub fn named(name: &str) -> Result<Self, Error> {
        let all = [
            ("pearson", Self::Pearson),
            ("kendall", Self::Kendall),
            ("differences", Self::Differences),
        ];
        by_name(&all, "correlation", name)
    }
}

impl Swaps {
    /// The correlations of both metrics with the gold scores, for [`DRAWS`] draws of each block; NaN
    /// where none is defined.
    ///
    /// # Errors
    ///
    /// Those of [`Swaps::at`].
    pub fn correlations(
        &self,
        which: Correlation,
        seed: u64,
        blocks: Range<u64>,
        threads: usize,
    ) -> Result<Accuracies, Error> {
        if which == Correlation::Kendall {
            return self.taus(seed, blocks, threads);
        }
        let groups = listed(self.groups.iter().map(|outputs| self.group(outputs)));
        Self::in_blocks(blocks, threads, |block| {
            let value = Correlated {
                swaps: self,
                groups: &groups,
                which,
            };
            for_hybrids(&self.swaps(seed, block), value)
        })
    }

    fn group(&self, outputs: &Range<usize>) -> Group {
        let gold = &self.gold[outputs.clone()];
        #[expect(clippy::cast_precision_loss, reason = "there are fewer than 2^53")]
        let mean = gold.iter().sum::<f64>() / gold.len() as f64;
        let deviations = listed(gold.iter().map(|gold| gold - mean));
        Group {
            outputs: outputs.clone(),
            squares: deviations.iter().map(|gold| gold * gold).sum(),
            deviations,
        }
    }
}

/// Draws that are computed side by side.
pub(super) const LANES: usize = 16;

pub(super) type Lanes = [f64; LANES];

/// For each of these draws, the one or the other, as its bit says.
#[inline(always)]
pub(super) fn chosen<T: Copy>(bits: u32, own: T, swapped: T) -> [T; LANES] {
    std::array::from_fn(|lane| if bits >> lane & 1 == 1 { swapped } else { own })
}

/// What scores are measured by. `of` must be inlined always.
pub(super) trait Value {
    /// The value of a metric after some draws: an output has the other metric's score where its bit
    /// is 1.
    fn of(&mut self, metric: usize, bits: &[u32]) -> Lanes;
}

/// The value of the scores of both metrics after each draw of a block.
pub(super) fn for_hybrids(swaps: &[Bits], value: impl Value) -> Accuracies {
    struct Drawing<'a, V>(&'a [Bits], V);
    impl<V: Value> Work for Drawing<'_, V> {
        type Output = Accuracies;

        #[inline(always)]
        fn run(self) -> Accuracies {
            for_hybrids_here(self.0, self.1)
        }
    }
    run_at(Level::current(), Drawing(swaps, value))
}

#[inline(always)]
fn for_hybrids_here(swaps: &[Bits], mut value: impl Value) -> Accuracies {
    let mut values = zeros::<[f64; 2]>(DRAWS);
    for (part, values) in values.chunks_exact_mut(LANES).enumerate() {
        stop_here();
        let (word, shift) = (part * LANES / 64, part * LANES % 64);
        #[expect(clippy::cast_possible_truncation, reason = "there are as many lanes")]
        // Close together, they stay in a fast cache.
        let bits = listed(swaps.iter().map(|bits| (bits[word] >> shift) as u32));
        for metric in 0..2 {
            for (values, found) in values.iter_mut().zip(value.of(metric, &bits)) {
                values[metric] = found;
            }
        }
    }
    values
}

/// A correlation.
struct Correlated<'a> {
    swaps: &'a Swaps,
    groups: &'a [Group],
    which: Correlation,
}

impl Value for Correlated<'_> {
    #[inline(always)]
    fn of(&mut self, metric: usize, bits: &[u32]) -> Lanes {
        let both = [metric, 1 - metric].map(|metric| self.swaps.scores[metric].as_slice());
        if self.which == Correlation::Differences {
            return self.of_differences(both, bits);
        }
        let (mut sums, mut counts) = ([0.0; LANES], [0.0; LANES]);
        for group in self.groups {
            let found = group.pearson(both, bits);
            for lane in 0..LANES {
                let defined = !found[lane].is_nan();
                sums[lane] += if defined { found[lane] } else { 0.0 };
                counts[lane] += if defined { 1.0 } else { 0.0 };
            }
        }
        std::array::from_fn(|lane| sums[lane] / counts[lane])
    }
}

impl Correlated<'_> {
    /// Sums over all differences, in both directions, from sums over outputs.
    #[inline(always)]
    fn of_differences(&self, both: [&[f64]; 2], bits: &[u32]) -> Lanes {
        let (mut own, mut products, mut scale) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        let mut of_gold = 0.0;
        for group in self.groups {
            let [sums, squares, with_gold] = group.sums(both, bits);
            let count = group.count();
            for lane in 0..LANES {
                own[lane] += count * squares[lane] - sums[lane] * sums[lane];
                products[lane] += count * with_gold[lane];
                scale[lane] += count * squares[lane];
            }
            of_gold += count * group.squares;
        }
        let roots = of_gold.sqrt();
        std::array::from_fn(|lane| {
            if own[lane] > CONSTANT * scale[lane] && of_gold > 0.0 {
                products[lane] / own[lane].sqrt() / roots
            } else {
                f64::NAN
            }
        })
    }
}

/// Beside the sum of their squares, deviations whose squares sum up to less are rounding.
const CONSTANT: f64 = 1e-12;

/// What correlations need to know of a group.
struct Group {
    outputs: Range<usize>,
    /// Those of the gold scores from their mean.
    deviations: Vec<f64>,
    squares: f64,
}

impl Group {
    #[expect(clippy::cast_precision_loss, reason = "there are fewer than 2^53")]
    const fn count(&self) -> f64 {
        self.deviations.len() as f64
    }

    /// The sums of scores, of their squares, and of their products with the gold scores.
    #[inline(always)]
    fn sums(&self, [own, swapped]: [&[f64]; 2], bits: &[u32]) -> [Lanes; 3] {
        let [mut sums, mut squares, mut products] = [[0.0; LANES]; 3];
        let scores = own[self.outputs.clone()]
            .iter()
            .zip(&swapped[self.outputs.clone()]);
        let bits = &bits[self.outputs.clone()];
        for (((&own, &swapped), &bits), gold) in scores.zip(bits).zip(&self.deviations) {
            let score = chosen(bits, own, swapped);
            for lane in 0..LANES {
                sums[lane] += score[lane];
                squares[lane] += score[lane] * score[lane];
                products[lane] += score[lane] * gold;
            }
        }
        [sums, squares, products]
    }

    #[inline(always)]
    fn pearson(&self, both: [&[f64]; 2], bits: &[u32]) -> Lanes {
        let [sums, squares, products] = self.sums(both, bits);
        let root = self.squares.sqrt();
        std::array::from_fn(|lane| {
            let own = squares[lane] - sums[lane] * sums[lane] / self.count();
            if own > CONSTANT * squares[lane] && self.squares > 0.0 {
                products[lane] / own.sqrt() / root
            } else {
                f64::NAN
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::rand_core::Rng;

    use super::*;
    use crate::meta_evaluation::kendall::Ranks;
    use crate::meta_evaluation::pairs::pairs_of;
    use crate::meta_evaluation::soft::p_value;
    use crate::resample::random::generator;

    fn drawn(seed: u64, count: usize, most: u64) -> Vec<f64> {
        let mut random = generator(seed, 0);
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let draw = || (random.next_u64() % most) as f64 / 8.0;
        std::iter::repeat_with(draw).take(count).collect()
    }

    /// Mean of what is defined.
    fn mean(values: impl Iterator<Item = Option<f64>>) -> f64 {
        let values: Vec<_> = values.flatten().collect();
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let count = values.len() as f64;
        values.iter().sum::<f64>() / count
    }

    fn pearson(one: &[f64], other: &[f64]) -> Option<f64> {
        let centered = |scores: &[f64]| -> Vec<f64> {
            let average = mean(scores.iter().copied().map(Some));
            scores.iter().map(|score| score - average).collect()
        };
        let (one, other) = (centered(one), centered(other));
        let product = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        let squares = product(&one, &one) * product(&other, &other);
        (squares > 1e-12).then(|| product(&one, &other) / squares.sqrt())
    }

    /// Each draw has what the scores have that its swaps leave, with small and large groups, gaps,
    /// and scores that are all equal.
    #[test]
    fn draws_are_those_of_single_scores() {
        let shapes: [&[usize]; 4] = [&[4; 9], &[1, 3, 2, 4, 0, 4], &[90], &[70, 2, 65]];
        for (seed, sizes) in (1..).zip(shapes) {
            let outputs: usize = sizes.iter().sum();
            let (gold, one, other) = (
                drawn(seed, outputs, 4),
                drawn(seed + 10, outputs, 9),
                drawn(seed + 20, outputs, 9),
            );
            let scores = [one.clone(), other.clone()];
            let swaps = Swaps::new(sizes, gold.clone(), one, other).expect("a table");
            let systems: Vec<_> = sizes.iter().flat_map(|&size| 0..size).collect();
            let count = sizes.iter().max().copied().unwrap_or_default();
            let mut expected = vec![0.25; pairs_of(count)];
            expected
                .iter_mut()
                .skip(1)
                .step_by(3)
                .for_each(|expected| *expected = f64::NAN);
            let soft = swaps.soft(&systems, &expected, 7, 0..2, 2).expect("values");
            let of = |which| swaps.correlations(which, 7, 0..2, 2).expect("values");
            let (pearsons, kendalls) = (of(Correlation::Pearson), of(Correlation::Kendall));
            let of_differences = of(Correlation::Differences);
            for draw in [0, 63, 64, 511, 512, 1000] {
                let bits = swaps.swaps(7, (draw / DRAWS) as u64);
                for metric in 0..2 {
                    let hybrid: Vec<_> = (0..outputs)
                        .map(|output| {
                            let bit = bits[output][draw % DRAWS / 64] >> (draw % 64) & 1 == 1;
                            scores[usize::from(bit) ^ metric][output]
                        })
                        .collect();
                    let parts = || {
                        let parts = swaps.groups.iter();
                        parts.map(|group| (&gold[group.clone()], &hybrid[group.clone()]))
                    };
                    let close = |found: f64, expected: f64| {
                        (found - expected).abs() < 1e-9 || found.is_nan() && expected.is_nan()
                    };
                    let pearson = mean(parts().map(|(gold, own)| pearson(gold, own)));
                    assert!(close(pearsons[draw][metric], pearson));
                    let differences = |scores: &[f64]| -> Vec<f64> {
                        let with = |&one: &f64| scores.iter().map(move |other| one - other);
                        scores.iter().flat_map(with).collect()
                    };
                    let [of_gold, of_own]: [Vec<_>; 2] = [
                        parts().flat_map(|(gold, _)| differences(gold)).collect(),
                        parts().flat_map(|(_, own)| differences(own)).collect(),
                    ];
                    let pearson = mean(std::iter::once(self::pearson(&of_gold, &of_own)));
                    assert!(close(of_differences[draw][metric], pearson));
                    let tau = |(gold, own): (&[f64], &[f64])| {
                        let ranks = Ranks::new(gold, own).expect("ranks");
                        let found = ranks.tau_b(&vec![1.0; own.len()]).expect("weights")[0];
                        (!found.is_nan()).then_some(found)
                    };
                    assert!(close(kendalls[draw][metric], mean(parts().map(tau))));
                    let mut distances = Vec::new();
                    for one in 0..count {
                        for other in 0..one {
                            let (mut sum, mut squares) = (0.0, 0.0);
                            for (_, own) in parts().filter(|(_, own)| own.len() > one) {
                                sum += own[other] - own[one];
                                squares += (own[other] - own[one]).powi(2);
                            }
                            let left_out = expected[distances.len()].is_nan();
                            let distance = (p_value(sum, squares) - 0.25).abs();
                            distances.push((!left_out).then_some(distance));
                        }
                    }
                    assert!(close(soft[draw][metric], 1.0 - mean(distances.into_iter())));
                }
            }
        }
    }
}
