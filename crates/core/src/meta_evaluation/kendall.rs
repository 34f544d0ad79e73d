//! Kendall's tau-b, of outputs that count as often as their weights say.

use crate::error::Error;
use crate::memory::{listed, zeros};
use crate::processor::{Level, Work, run_at};
use crate::stop::stop_here;

/// The ranks of outputs by two scores.
#[derive(Debug)]
pub struct Ranks {
    /// The outputs by their first scores, then by their second.
    order: Vec<u32>,
    /// The rank of each by the first scores and by the second, from 0.
    ranks: [Vec<u32>; 2],
}

impl Ranks {
    /// The ranks by two scores of each output.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if there are not as many of each, or more than 2<sup>32</sup>.
    pub fn new(one: &[f64], other: &[f64]) -> Result<Self, Error> {
        if one.len() != other.len() {
            return Err(Error::BadTable);
        }
        let ranks = [ranked(one)?, ranked(other)?];
        let mut order = by(one)?;
        // Sorts that keep the order of what is equal take memory.
        order.sort_unstable_by_key(|&output| {
            (ranks[0][output as usize], ranks[1][output as usize], output)
        });
        Ok(Self { order, ranks })
    }

    /// Tau-b in each of some samples, whose weights of outputs are one after another; NaN if it is
    /// undefined, because all outputs have the same rank by one of the scores.
    ///
    /// Counts pairs by a tree of sums over ranks (Fenwick 1994), in the order of the first scores.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if there is not one weight per output and sample.
    pub fn tau_b(&self, weights: &[f64]) -> Result<Vec<f64>, Error> {
        let outputs = self.order.len();
        if outputs == 0 || !weights.len().is_multiple_of(outputs) {
            return Err(Error::BadTable);
        }
        if weights.len() == outputs {
            return Ok(self.side_by_side::<1>(weights).to_vec());
        }
        let parts = weights.chunks(outputs * LANES);
        let mut found = listed(parts.flat_map(|part| self.side_by_side::<LANES>(part)));
        found.truncate(weights.len() / outputs);
        Ok(found)
    }

    /// Tau-b of up to `L` samples.
    fn side_by_side<const L: usize>(&self, weights: &[f64]) -> [f64; L] {
        struct Counting<'a, const L: usize>(&'a Ranks, Vec<[f64; L]>);
        impl<const L: usize> Work for Counting<'_, L> {
            type Output = [f64; L];

            #[inline(always)]
            fn run(self) -> [f64; L] {
                self.0.counted(&self.1)
            }
        }
        let mut lanes = zeros::<[f64; L]>(self.order.len());
        for (lane, sample) in weights.chunks_exact(self.order.len()).enumerate() {
            for (lanes, &weight) in lanes.iter_mut().zip(sample) {
                lanes[lane] = weight;
            }
        }
        stop_here();
        run_at(Level::current(), Counting(self, lanes))
    }

    #[inline(always)]
    fn counted<const L: usize>(&self, weights: &[[f64; L]]) -> [f64; L] {
        let mut lower = Sums::new(weights.len());
        let (mut all, mut before, mut gap) = (Pairs::NONE, [0.0; L], [0.0; L]);
        let (mut tied_one, mut tied_both) = (Pairs::NONE, Pairs::NONE);
        let mut ties = [[0.0; L]; 2];
        let mut of_second = listed(weights.iter().map(|_| Pairs::NONE));
        let mut start = 0;
        for (place, &output) in self.order.iter().enumerate() {
            let weight = weights[output as usize];
            let [first, second] = self.ranks_of(output);
            all.add(weight);
            of_second[second].add(weight);
            tied_one.add(weight);
            tied_both.add(weight);
            // Of the outputs with a lower first score, those with a lower second one agree.
            let (below, up_to) = (lower.before(second), lower.before(second + 1));
            for lane in 0..L {
                gap[lane] += weight[lane] * (below[lane] - (before[lane] - up_to[lane]));
            }
            let next = self.order.get(place + 1).map(|&next| self.ranks_of(next));
            if next != Some([first, second]) {
                add(&mut ties[1], tied_both.count());
                tied_both = Pairs::NONE;
            }
            if next.is_none_or(|next| next[0] != first) {
                add(&mut ties[0], tied_one.count());
                tied_one = Pairs::NONE;
                for &output in &self.order[start..=place] {
                    lower.add(self.ranks_of(output)[1], weights[output as usize]);
                    add(&mut before, weights[output as usize]);
                }
                start = place + 1;
            }
        }
        let mut tied_other = [0.0; L];
        for pairs in of_second {
            add(&mut tied_other, pairs.count());
        }
        let all = all.count();
        std::array::from_fn(|lane| {
            let untied = [ties[0][lane], tied_other[lane]].map(|tied| all[lane] - tied);
            if untied.iter().any(|&pairs| pairs <= 0.0) {
                return f64::NAN;
            }
            gap[lane] / untied[0].sqrt() / untied[1].sqrt()
        })
    }

    fn ranks_of(&self, output: u32) -> [usize; 2] {
        [0, 1].map(|which| self.ranks[which][output as usize] as usize)
    }
}

/// The outputs in the order of their scores.
fn by(scores: &[f64]) -> Result<Vec<u32>, Error> {
    let count = u32::try_from(scores.len()).map_err(|_| Error::BadTable)?;
    let mut order = listed(0..count);
    order.sort_unstable_by(|&one, &other| {
        let scores = scores[one as usize].total_cmp(&scores[other as usize]);
        scores.then(one.cmp(&other))
    });
    Ok(order)
}

/// The rank of each output, from 0; equal scores have the same.
fn ranked(scores: &[f64]) -> Result<Vec<u32>, Error> {
    let mut ranks = zeros(scores.len());
    let mut rank = 0;
    let order = by(scores)?;
    for (place, &output) in order.iter().enumerate() {
        let score = scores[output as usize];
        if place > 0 && scores[order[place - 1] as usize] < score {
            rank += 1;
        }
        ranks[output as usize] = rank;
    }
    Ok(ranks)
}

/// Samples that are counted side by side.
const LANES: usize = 8;

#[inline(always)]
fn add<const L: usize>(sums: &mut [f64; L], more: [f64; L]) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += more;
    }
}

/// The pairs of some outputs, each of which counts as often as the product of their weights.
#[derive(Clone, Copy)]
struct Pairs<const L: usize> {
    sum: [f64; L],
    squares: [f64; L],
}

impl<const L: usize> Pairs<L> {
    const NONE: Self = Self {
        sum: [0.0; L],
        squares: [0.0; L],
    };

    #[inline(always)]
    fn add(&mut self, weights: [f64; L]) {
        add(&mut self.sum, weights);
        add(&mut self.squares, weights.map(|weight| weight * weight));
    }

    #[inline(always)]
    fn count(&self) -> [f64; L] {
        std::array::from_fn(|lane| (self.sum[lane] * self.sum[lane] - self.squares[lane]) / 2.0)
    }
}

/// Sums of weights over ranks.
struct Sums<const L: usize>(Vec<[f64; L]>);

impl<const L: usize> Sums<L> {
    fn new(ranks: usize) -> Self {
        Self(zeros(ranks + 1))
    }

    #[inline(always)]
    fn add(&mut self, rank: usize, weights: [f64; L]) {
        let mut place = rank + 1;
        while let Some(sum) = self.0.get_mut(place) {
            add(sum, weights);
            place += place & place.wrapping_neg();
        }
    }

    /// The weights of all ranks below this one.
    #[inline(always)]
    fn before(&self, rank: usize) -> [f64; L] {
        let (mut place, mut sum) = (rank, [0.0; L]);
        while place > 0 {
            add(&mut sum, self.0[place]);
            place &= place - 1;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::rand_core::Rng;

    use super::*;

    /// The definition, over all pairs.
    fn expected(scores: [&[f64]; 2], weights: &[f64]) -> Option<f64> {
        let (mut gap, mut untied) = (0.0, [0.0; 2]);
        for one in 0..weights.len() {
            for other in 0..one {
                let weight = weights[one] * weights[other];
                let [x, y] = scores.map(|scores| {
                    let order = scores[one].partial_cmp(&scores[other]).expect("numbers");
                    f64::from(order as i8)
                });
                gap += weight * x * y;
                untied[0] += weight * x * x;
                untied[1] += weight * y * y;
            }
        }
        (untied[0] > 0.0 && untied[1] > 0.0).then(|| gap / untied[0].sqrt() / untied[1].sqrt())
    }

    #[test]
    fn tau_b_is_that_of_all_pairs() {
        let mut random = crate::resample::random::generator(3, 0);
        let mut drawn = |count: usize, most: u64| -> Vec<f64> {
            #[expect(clippy::cast_precision_loss, reason = "small numbers")]
            let draw = || (random.next_u64() % most) as f64;
            std::iter::repeat_with(draw).take(count).collect()
        };
        for (count, values) in [(1, 1), (2, 2), (5, 1), (9, 3), (40, 7), (60, 1000)] {
            for _ in 0..20 {
                let scores = [drawn(count, values), drawn(count, values)];
                let ranks = Ranks::new(&scores[0], &scores[1]).expect("a table");
                for most in [2, 4] {
                    let samples = drawn(11 * count, most);
                    let found = ranks.tau_b(&samples).expect("weights");
                    assert_eq!(found.len(), 11);
                    for (weights, &found) in samples.chunks(count).zip(&found) {
                        match expected([&scores[0], &scores[1]], weights) {
                            None => assert!(found.is_nan()),
                            Some(tau) => assert!((found - tau).abs() < 1e-12),
                        }
                        let [alone] = ranks.tau_b(weights).expect("weights")[..] else {
                            panic!("one sample")
                        };
                        assert_eq!(alone.to_bits(), found.to_bits());
                    }
                }
            }
        }
        assert!(Ranks::new(&[1.0], &[]).is_err());
        assert!(Ranks::new(&[], &[]).expect("ranks").tau_b(&[]).is_err());
    }
}
