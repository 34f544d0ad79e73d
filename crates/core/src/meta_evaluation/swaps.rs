//! Accuracies of two metrics after their scores of some outputs have changed places.
//!
//! Each output has a bit that says whether its scores change places. Whether a pair is right is then
//! a polynomial over two bits, which is evaluated for many draws at once.

use std::ops::Range;

use rand_xoshiro::rand_core::Rng;

use super::counter::{Bits, Counter, LANES, place_of};
use super::pairs::{groups_of, pairs_of, relation};
use super::polynomial::Polynomial;
use super::thresholds::{Event, improve, improve_equal};
use crate::error::Error;
use crate::memory::{extend, listed, zeros};
use crate::processor::{Level, Work, run_at};
use crate::resample::random::generator;
use crate::resample::threads::{on_threads, split};
use crate::stop::{Stop, sort_by_number, stop_here};

/// Draws of one block, whose swaps come from one random generator.
pub const DRAWS: usize = LANES;

/// The scores of two metrics, of outputs in groups.
#[derive(Debug)]
pub struct Swaps {
    /// The smallest first.
    pub(super) groups: Vec<Range<usize>>,
    pub(super) gold: Vec<f64>,
    pub(super) scores: [Vec<f64>; 2],
}

/// The accuracy of the first metric and of the second, for each draw.
pub type Accuracies = Vec<[f64; 2]>;

impl Swaps {
    /// Scores of outputs in groups of these sizes, group by group. Groups without pairs are left
    /// out.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if the numbers do not fit together.
    pub fn new(
        sizes: &[usize],
        gold: Vec<f64>,
        one: Vec<f64>,
        other: Vec<f64>,
    ) -> Result<Self, Error> {
        let mut groups = groups_of(sizes, gold.len())?;
        if one.len() != gold.len() || other.len() != gold.len() {
            return Err(Error::BadTable);
        }
        groups.retain(|outputs| outputs.len() > 1);
        // A sort that keeps the order of what is equal takes memory.
        groups.sort_unstable_by_key(|outputs| (outputs.len(), outputs.start));
        Ok(Self {
            groups,
            gold,
            scores: [one, other],
        })
    }

    /// The accuracies at a threshold for ties, averaged over groups, for [`DRAWS`] draws of each
    /// block.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`] if there are too many pairs or blocks, [`Error::Internal`] instead of a
    /// panic.
    pub fn at(
        &self,
        threshold: f64,
        seed: u64,
        blocks: Range<u64>,
        threads: usize,
    ) -> Result<Accuracies, Error> {
        let polynomials = self.polynomials(threshold)?;
        Self::in_blocks(blocks, threads, |block| {
            self.counted(&polynomials, &self.swaps(seed, block), &self.shares())
        })
    }

    /// The accuracies, each at its own best threshold.
    ///
    /// # Errors
    ///
    /// Those of [`Swaps::at`].
    pub fn best(&self, seed: u64, blocks: Range<u64>, threads: usize) -> Result<Accuracies, Error> {
        let polynomials = self.polynomials(0.0)?;
        let (weights, scale) = self.weights();
        let events = self.events(&weights)?;
        Self::in_blocks(blocks, threads, |block| {
            let swaps = self.swaps(seed, block);
            let mut accuracies = self.counted(&polynomials, &swaps, &weights);
            if weights.first() == weights.last() {
                let weight = weights.first().copied().unwrap_or_default();
                improve_equal(&events, &swaps, &mut accuracies, weight);
            } else if scale <= f64::from(i32::MAX) {
                improve::<i32>(&events, &swaps, &mut accuracies);
            } else {
                improve::<f64>(&events, &swaps, &mut accuracies);
            }
            for accuracy in accuracies.as_flattened_mut() {
                *accuracy /= scale;
            }
            accuracies
        })
    }

    pub(super) fn in_blocks(
        blocks: Range<u64>,
        threads: usize,
        work: impl Fn(u64) -> Accuracies + Sync,
    ) -> Result<Accuracies, Error> {
        let count = blocks.end.saturating_sub(blocks.start);
        let draws = usize::try_from(count).unwrap_or(usize::MAX);
        let mut all = Accuracies::new();
        if all.try_reserve_exact(draws.saturating_mul(DRAWS)).is_err() {
            return Err(Error::OutOfMemory(format!("{count} blocks of swaps")));
        }
        let stop = Stop::here();
        let parts = on_threads(split(blocks, threads), |blocks| {
            stop.heeded(|| {
                let mut accuracies = Accuracies::new();
                blocks.for_each(|block| extend(&mut accuracies, &work(block)));
                accuracies
            })
        })?;
        all.extend(parts.into_iter().flatten());
        Ok(all)
    }

    /// The swaps of a block: for each output, a bit for each draw.
    pub(super) fn swaps(&self, seed: u64, block: u64) -> Vec<Bits> {
        let mut random = generator(seed, block);
        let draw = || std::array::from_fn(|_| random.next_u64());
        listed(std::iter::repeat_with(draw).take(self.gold.len()))
    }

    /// Calls `take` for each pair, group by group.
    pub(super) fn for_pairs(groups: &[Range<usize>], mut take: impl FnMut(usize, usize)) {
        for outputs in groups {
            for one in outputs.clone() {
                stop_here();
                for other in outputs.start..one {
                    take(one, other);
                }
            }
        }
    }

    /// The number of pairs of outputs within groups.
    #[must_use]
    pub fn pairs(&self) -> usize {
        self.groups.iter().map(|group| pairs_of(group.len())).sum()
    }

    /// Room for some items for each pair, of which there are fewer than 2<sup>32</sup>.
    pub(super) fn room<T>(groups: &[Range<usize>], each: usize) -> Result<Vec<T>, Error> {
        let pairs: usize = groups.iter().map(|group| pairs_of(group.len())).sum();
        let mut room = Vec::new();
        let reserved = room.try_reserve_exact(each.saturating_mul(pairs));
        if reserved.is_err() || u32::try_from(pairs).is_err() {
            return Err(Error::OutOfMemory(format!("{pairs} pairs of outputs")));
        }
        Ok(room)
    }

    /// For each pair, whether it is right.
    fn polynomials(&self, threshold: f64) -> Result<Vec<Polynomial>, Error> {
        let mut polynomials = Self::room(&self.groups, 1)?;
        Self::for_pairs(&self.groups, |one, other| {
            let expected = relation(self.gold[one], self.gold[other], 0.0);
            polynomials.push(Polynomial::of(|first, second| {
                let (one, other) = (self.scores[first][one], self.scores[second][other]);
                relation(one, other, threshold) == expected
            }));
        });
        Ok(polynomials)
    }

    /// The share of the accuracy of each pair, by the size of its group.
    #[expect(clippy::cast_precision_loss, reason = "there are fewer than 2^53")]
    fn shares(&self) -> Vec<f64> {
        let share = |group: &Range<usize>| 1.0 / (pairs_of(group.len()) * self.groups.len()) as f64;
        listed(self.groups.iter().map(share))
    }

    /// The same shares multiplied by a scale, and the scale: whole numbers if they can be, so that
    /// adding them is exact.
    #[expect(clippy::cast_precision_loss, reason = "there are fewer than 2^53")]
    fn weights(&self) -> (Vec<f64>, f64) {
        let sizes = || self.groups.iter().map(|group| pairs_of(group.len()) as u64);
        let multiple = sizes().try_fold(1_u64, |multiple, pairs| {
            let least = multiple / common_divisor(multiple, pairs);
            least.checked_mul(pairs).filter(|&least| least < 1 << 52)
        });
        match multiple {
            Some(multiple) => (
                listed(sizes().map(|pairs| (multiple / pairs) as f64)),
                multiple as f64 * self.groups.len() as f64,
            ),
            None => (
                listed(sizes().map(|pairs| 1.0 / pairs as f64)),
                self.groups.len() as f64,
            ),
        }
    }

    /// For each draw and metric, the sum of the weights of pairs that are right.
    fn counted(&self, polynomials: &[Polynomial], swaps: &[Bits], weights: &[f64]) -> Accuracies {
        struct Counting<'a>(&'a Swaps, &'a [Polynomial], &'a [Bits], &'a [f64]);
        impl Work for Counting<'_> {
            type Output = Accuracies;

            #[inline(always)]
            fn run(self) -> Accuracies {
                self.0.counted_here(self.1, self.2, self.3)
            }
        }
        run_at(
            Level::current(),
            Counting(self, polynomials, swaps, weights),
        )
    }

    #[inline(always)]
    fn counted_here(
        &self,
        polynomials: &[Polynomial],
        swaps: &[Bits],
        weights: &[f64],
    ) -> Accuracies {
        let mut accuracies = zeros::<[f64; 2]>(DRAWS);
        let mut polynomials = polynomials.iter();
        let mut groups = self.groups.iter().zip(weights).peekable();
        let (mut first, mut second) = (Counter::new(), Counter::new());
        while let Some((outputs, &weight)) = groups.next() {
            for one in outputs.clone() {
                stop_here();
                let x = &swaps[one];
                let pairs = swaps[outputs.start..one].iter().zip(polynomials.by_ref());
                for (y, right) in pairs {
                    let [of_first, of_second] = right.values(x, y);
                    first.add(of_first);
                    second.add(of_second);
                }
            }
            if groups
                .peek()
                .is_none_or(|(next, _)| next.len() != outputs.len())
            {
                for (metric, counter) in [&mut first, &mut second].into_iter().enumerate() {
                    let counts = counter.counts();
                    for (draw, accuracy) in accuracies.iter_mut().enumerate() {
                        accuracy[metric] += f64::from(counts[place_of(draw)]) * weight;
                    }
                    *counter = Counter::new();
                }
            }
        }
        accuracies
    }

    /// What changes when a threshold grows, in that order.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "there are fewer than 2^32 outputs"
    )]
    fn events(&self, weights: &[f64]) -> Result<Vec<Event>, Error> {
        let mut events = Self::room(&self.groups, 4)?;
        for (outputs, &weight) in self.groups.iter().zip(weights) {
            for one in outputs.clone() {
                stop_here();
                for other in outputs.start..one {
                    let expected = relation(self.gold[one], self.gold[other], 0.0);
                    for swapped in [[false, false], [true, false], [false, true], [true, true]] {
                        let score = self.scores[usize::from(swapped[0])][one];
                        let other_score = self.scores[usize::from(swapped[1])][other];
                        let right = relation(score, other_score, 0.0) == expected;
                        let gain = i8::from(expected == 0) - i8::from(right);
                        if gain != 0 {
                            events.push(Event {
                                difference: (score - other_score).abs(),
                                outputs: [one as u32, other as u32],
                                swapped,
                                gain: f64::from(gain) * weight,
                            });
                        }
                    }
                }
            }
        }
        sort_by_number(&mut events, &|event: &Event| event.difference);
        for tied in events.chunk_by_mut(|one, other| one.difference >= other.difference) {
            stop_here();
            tied.sort_unstable_by(|one, other| one.gain.total_cmp(&other.gain));
        }
        Ok(events)
    }
}

fn common_divisor(mut one: u64, mut other: u64) -> u64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meta_evaluation::{Pairs, Weights};

    /// Numbers below `most`, with ties.
    fn drawn(seed: u64, count: usize, most: u64) -> Vec<f64> {
        let mut random = generator(seed, 0);
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let draw = || (random.next_u64() % most) as f64 / 8.0;
        std::iter::repeat_with(draw).take(count).collect()
    }

    /// Each draw has the accuracies that single scores have after its swaps, at any threshold and at
    /// the best one, at every level and for any number of threads.
    #[test]
    fn draws_are_those_of_single_scores() {
        let shapes: [&[usize]; 4] = [&[3; 4], &[1, 2, 7, 2, 5, 0], &[40], &[97, 89, 83, 79, 73]];
        for (seed, sizes) in (1..).zip(shapes) {
            let outputs = sizes.iter().sum();
            let gold = drawn(seed, outputs, 5);
            let scores = [drawn(seed + 10, outputs, 30), drawn(seed + 20, outputs, 30)];
            let [one, other] = scores.clone();
            let swaps = Swaps::new(sizes, gold.clone(), one, other).expect("a table");
            let fixed = swaps.at(0.25, 7, 0..2, 2).expect("accuracies");
            let best = swaps.best(7, 0..2, 1).expect("accuracies");
            assert_eq!(best, swaps.best(7, 0..2, 2).expect("accuracies"));
            for draw in [0, 1, 63, 64, 511, 512, 1023] {
                let bits = swaps.swaps(7, (draw / DRAWS) as u64);
                for metric in 0..2 {
                    let hybrid: Vec<_> = (0..outputs)
                        .map(|output| {
                            let bit = bits[output][draw % DRAWS / 64] >> (draw % 64) & 1 == 1;
                            scores[usize::from(bit) ^ metric][output]
                        })
                        .collect();
                    let pairs = Pairs::new(sizes, &gold, &hybrid).expect("a table");
                    let ones = vec![1.0; sizes.len()];
                    let weights = Weights::OfGroups(&ones);
                    let expected = pairs.accuracy(0.25, weights).expect("weights");
                    let close = |found: f64, expected: f64| (found - expected).abs() < 1e-12;
                    assert!(close(fixed[draw][metric], expected.expect("pairs")));
                    let expected = pairs.best(weights).expect("weights").expect("pairs");
                    assert!(close(best[draw][metric], expected.accuracy));
                }
            }
        }
    }

    /// Without pairs, there is nothing to compare.
    #[test]
    fn no_pairs() {
        let swaps = Swaps::new(&[1, 1], vec![0.0; 2], vec![0.0; 2], vec![0.0; 2]);
        let found = swaps
            .expect("a table")
            .best(1, 0..1, 1)
            .expect("accuracies");
        assert!(found.iter().flatten().all(|accuracy| accuracy.is_nan()));
        assert!(Swaps::new(&[3], vec![0.0; 2], vec![0.0; 2], vec![0.0; 2]).is_err());
    }
}
