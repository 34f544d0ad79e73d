//! Correlations and p-values of two metrics after their scores have changed places, draw by draw.

use std::ops::Range;

use super::counter::Bits;
use super::kendall::Ranks;
use super::pairs::{pairs_of, relation};
use super::swaps::{Accuracies, DRAWS, Swaps};
use crate::error::{Error, by_name};
use crate::processor::{Level, Work, run_at};
use crate::stop::stop_here;

/// Which correlation, averaged over groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Correlation {
    /// Pearson's r.
    Pearson,
    /// Kendall's tau-b.
    Kendall,
}

impl Correlation {
    /// The correlation of this name.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownName`] if there is none.
    pub fn named(name: &str) -> Result<Self, Error> {
        let all = [("pearson", Self::Pearson), ("kendall", Self::Kendall)];
        by_name(&all, "correlation", name)
    }
}

impl Swaps {
    /// The correlations of both metrics with the gold scores, for [`DRAWS`] draws of each block; NaN
    /// where none is defined.
    ///
    /// # Errors
    ///
    /// [`Error::Internal`] instead of a panic.
    pub fn correlations(
        &self,
        which: Correlation,
        seed: u64,
        blocks: Range<u64>,
        threads: usize,
    ) -> Result<Accuracies, Error> {
        let groups: Vec<_> = self
            .groups
            .iter()
            .map(|outputs| self.group(outputs))
            .collect();
        Self::in_blocks(blocks, threads, |block| {
            let value = Averaged {
                groups: &groups,
                which,
            };
            self.for_hybrids(&self.swaps(seed, block), value)
        })
    }

    /// One minus the average distance of the p-values of pairs of systems from those of the gold
    /// scores, which are `expected`, in the order (1, 0), (2, 0), (2, 1) and so on. Pairs for which
    /// NaN is expected are left out.
    ///
    /// `systems` has the system of each output. Groups are segments. P-values are those of the
    /// normal distribution with the mean and variance of random swaps of segments.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if there is not one system per output, and one p-value per pair.
    pub fn soft(
        &self,
        systems: &[usize],
        expected: &[f64],
        seed: u64,
        blocks: Range<u64>,
        threads: usize,
    ) -> Result<Accuracies, Error> {
        let count = systems.iter().max().map_or(0, |last| last + 1);
        if systems.len() != self.gold.len() || expected.len() != pairs_of(count) {
            return Err(Error::BadTable);
        }
        Self::in_blocks(blocks, threads, |block| {
            let value = Soft {
                swaps: self,
                systems,
                count,
                expected,
                moments: vec![(0.0, 0.0); expected.len()],
            };
            self.for_hybrids(&self.swaps(seed, block), value)
        })
    }

    /// The value of the scores of both metrics after each draw of a block.
    fn for_hybrids(&self, bits: &[Bits], value: impl Value) -> Accuracies {
        struct Drawing<'a, V>(&'a Swaps, &'a [Bits], V);
        impl<V: Value> Work for Drawing<'_, V> {
            type Output = Accuracies;

            #[inline(always)]
            fn run(self) -> Accuracies {
                self.0.for_hybrids_here(self.1, self.2)
            }
        }
        run_at(Level::current(), Drawing(self, bits, value))
    }

    #[inline(always)]
    fn for_hybrids_here(&self, swaps: &[Bits], mut value: impl Value) -> Accuracies {
        let mut values = vec![[0.0; 2]; DRAWS];
        let mut hybrid = vec![0.0; self.gold.len()];
        let mut bits = vec![0; self.gold.len()];
        for (draw, values) in values.iter_mut().enumerate() {
            stop_here();
            if draw % 64 == 0 {
                // Close together, they stay in a fast cache.
                bits.clear();
                bits.extend(swaps.iter().map(|swap| swap[draw / 64]));
            }
            for (metric, value_of_metric) in values.iter_mut().enumerate() {
                let [own, swapped] = [metric, 1 - metric].map(|each| &self.scores[each]);
                let scores = own.iter().zip(swapped).zip(&bits);
                for (hybrid, ((&own, &swapped), bits)) in hybrid.iter_mut().zip(scores) {
                    *hybrid = if bits >> (draw % 64) & 1 == 1 {
                        swapped
                    } else {
                        own
                    };
                }
                *value_of_metric = value.of(&hybrid);
            }
        }
        values
    }

    /// Adds the differences between systems, and their squares, of all segments.
    #[inline(always)]
    fn add_moments(
        &self,
        scores: &[f64],
        systems: &[usize],
        count: usize,
        moments: &mut [(f64, f64)],
    ) {
        for outputs in &self.groups {
            let (scores, systems) = (&scores[outputs.clone()], &systems[outputs.clone()]);
            for place in 1..scores.len() {
                let row = &mut moments[pairs_of(systems[place])..];
                let mut add = |other: usize, score: f64| {
                    let difference = score - scores[place];
                    row[other].0 += difference;
                    row[other].1 += difference * difference;
                };
                if scores.len() == count {
                    // Then the systems are 0, 1 and so on, and the pairs are side by side.
                    for (other, &score) in scores[..place].iter().enumerate() {
                        add(other, score);
                    }
                } else {
                    for (&other, &score) in systems.iter().zip(&scores[..place]) {
                        add(other, score);
                    }
                }
            }
        }
    }

    fn group(&self, outputs: &Range<usize>) -> Group {
        let gold = &self.gold[outputs.clone()];
        #[expect(clippy::cast_precision_loss, reason = "there are fewer than 2^53")]
        let mean = gold.iter().sum::<f64>() / gold.len() as f64;
        let deviations: Vec<_> = gold.iter().map(|gold| gold - mean).collect();
        let relations = if gold.len() > MOST_PAIRED {
            Vec::new()
        } else {
            let with_lower = |one: usize| {
                gold[..one]
                    .iter()
                    .map(move |&other| i32::from(relation(gold[one], other, 0.0)))
            };
            (0..gold.len()).flat_map(with_lower).collect()
        };
        Group {
            outputs: outputs.clone(),
            gold: gold.to_vec(),
            squares: deviations.iter().map(|gold| gold * gold).sum(),
            deviations,
            untied: relations.iter().map(|relation| relation * relation).sum(),
            relations,
        }
    }
}

/// What scores are measured by. `of` must be inlined always.
trait Value {
    fn of(&mut self, scores: &[f64]) -> f64;
}

/// A correlation, averaged over groups.
struct Averaged<'a> {
    groups: &'a [Group],
    which: Correlation,
}

impl Value for Averaged<'_> {
    #[inline(always)]
    fn of(&mut self, scores: &[f64]) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for group in self.groups {
            let value = match self.which {
                Correlation::Pearson => group.pearson(scores),
                Correlation::Kendall => group.kendall(scores),
            };
            if let Some(value) = value {
                sum += value;
                count += 1.0;
            }
        }
        sum / count
    }
}

/// Soft pairwise accuracy.
struct Soft<'a> {
    swaps: &'a Swaps,
    systems: &'a [usize],
    count: usize,
    expected: &'a [f64],
    moments: Vec<(f64, f64)>,
}

impl Value for Soft<'_> {
    #[inline(always)]
    fn of(&mut self, scores: &[f64]) -> f64 {
        self.moments.fill((0.0, 0.0));
        self.swaps
            .add_moments(scores, self.systems, self.count, &mut self.moments);
        // Beside NaN there is no p-value: the pair has no segment in common.
        let (mut sum, mut count) = (0.0, 0.0);
        for (&(difference, squares), expected) in self.moments.iter().zip(self.expected) {
            if !expected.is_nan() {
                sum += (p_value(difference, squares) - expected).abs();
                count += 1.0;
            }
        }
        1.0 - sum / count
    }
}

/// In larger groups, ranks are faster than all pairs.
const MOST_PAIRED: usize = 64;

/// Beside the sum of their squares, deviations whose squares sum up to less are rounding.
const CONSTANT: f64 = 1e-12;

/// What correlations need to know of the gold scores of a group.
struct Group {
    outputs: Range<usize>,
    gold: Vec<f64>,
    /// From their mean.
    deviations: Vec<f64>,
    squares: f64,
    /// For each pair, -1, 0 or 1; nothing if there are many.
    relations: Vec<i32>,
    untied: i32,
}

impl Group {
    #[inline(always)]
    #[expect(clippy::cast_precision_loss, reason = "there are fewer than 2^53")]
    fn pearson(&self, scores: &[f64]) -> Option<f64> {
        const LANES: usize = 8;
        let scores = &scores[self.outputs.clone()];
        // Sums in lanes, which processors add at once.
        let mut sums = [[0.0; LANES]; 3];
        let mut add = |lane: usize, score: f64, deviation: f64| {
            sums[0][lane] += score;
            sums[1][lane] += score * score;
            sums[2][lane] += score * deviation;
        };
        let (whole, rest) = scores.as_chunks::<LANES>();
        let (whole_gold, rest_gold) = self.deviations.as_chunks::<LANES>();
        for (scores, gold) in whole.iter().zip(whole_gold) {
            for lane in 0..LANES {
                add(lane, scores[lane], gold[lane]);
            }
        }
        for (lane, (&score, &gold)) in rest.iter().zip(rest_gold).enumerate() {
            add(lane, score, gold);
        }
        let [sum, squares, products] = sums.map(|lanes| lanes.iter().sum::<f64>());
        let own = squares - sum * sum / scores.len() as f64;
        let vary = own > CONSTANT * squares && self.squares > 0.0;
        vary.then(|| products / own.sqrt() / self.squares.sqrt())
    }

    #[inline(always)]
    fn kendall(&self, scores: &[f64]) -> Option<f64> {
        let scores = &scores[self.outputs.clone()];
        if scores.len() > MOST_PAIRED {
            let ranks = Ranks::new(&self.gold, scores).ok()?;
            return ranks.tau_b(&vec![1.0; scores.len()]).ok()?;
        }
        let mut relations = self.relations.as_slice();
        let (mut gap, mut untied) = (0, 0);
        for (place, &score) in scores.iter().enumerate() {
            let (row, rest) = relations.split_at(place);
            relations = rest;
            for (&other, expected) in scores[..place].iter().zip(row) {
                let found = i32::from(score > other) - i32::from(score < other);
                gap += found * expected;
                untied += found * found;
            }
        }
        let defined = untied > 0 && self.untied > 0;
        defined.then(|| f64::from(gap) / f64::from(untied).sqrt() / f64::from(self.untied).sqrt())
    }
}

/// The probability that random signs of some differences give at least their sum, in the normal
/// approximation; 1 if all are 0.
#[inline(always)]
fn p_value(sum: f64, squares: f64) -> f64 {
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
    use rand_xoshiro::rand_core::Rng;

    use super::*;
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
                    let tau = |(gold, own): (&[f64], &[f64])| {
                        let ranks = Ranks::new(gold, own).expect("ranks");
                        ranks.tau_b(&vec![1.0; own.len()]).expect("weights")
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
