//! Kendall's tau-b, of outputs that count as often as their weights say.

use crate::error::Error;

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
        order.sort_by_key(|&output| (ranks[0][output as usize], ranks[1][output as usize]));
        Ok(Self { order, ranks })
    }

    /// Tau-b; None if it is undefined, because all outputs have the same rank by one of the scores.
    ///
    /// Counts pairs by a tree of sums over ranks (Fenwick 1994), in the order of the first scores.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if there is not one weight per output.
    pub fn tau_b(&self, weights: &[f64]) -> Result<Option<f64>, Error> {
        if weights.len() != self.order.len() {
            return Err(Error::BadTable);
        }
        let mut lower = Sums::new(weights.len());
        let (mut all, mut before, mut gap) = (Pairs::default(), 0.0, 0.0);
        let (mut tied_one, mut tied_both) = (Pairs::default(), Pairs::default());
        let mut ties = [0.0; 2];
        let mut of_second = vec![Pairs::default(); weights.len()];
        let mut start = 0;
        for (place, &output) in self.order.iter().enumerate() {
            let weight = weights[output as usize];
            let [first, second] = self.ranks_of(output);
            all.add(weight);
            of_second[second].add(weight);
            tied_one.add(weight);
            tied_both.add(weight);
            // Of the outputs with a lower first score, those with a lower second one agree.
            gap += weight * (lower.before(second) - (before - lower.before(second + 1)));
            let next = self.order.get(place + 1).map(|&next| self.ranks_of(next));
            if next != Some([first, second]) {
                ties[1] += std::mem::take(&mut tied_both).count();
            }
            if next.is_none_or(|next| next[0] != first) {
                ties[0] += std::mem::take(&mut tied_one).count();
                for &output in &self.order[start..=place] {
                    lower.add(self.ranks_of(output)[1], weights[output as usize]);
                    before += weights[output as usize];
                }
                start = place + 1;
            }
        }
        let tied_other: f64 = of_second.iter().map(Pairs::count).sum();
        let untied = [all.count() - ties[0], all.count() - tied_other];
        if untied.iter().any(|&pairs| pairs <= 0.0) {
            return Ok(None);
        }
        Ok(Some(gap / untied[0].sqrt() / untied[1].sqrt()))
    }

    fn ranks_of(&self, output: u32) -> [usize; 2] {
        [0, 1].map(|which| self.ranks[which][output as usize] as usize)
    }
}

/// The outputs in the order of their scores.
fn by(scores: &[f64]) -> Result<Vec<u32>, Error> {
    let count = u32::try_from(scores.len()).map_err(|_| Error::BadTable)?;
    let mut order: Vec<_> = (0..count).collect();
    order.sort_by(|&one, &other| scores[one as usize].total_cmp(&scores[other as usize]));
    Ok(order)
}

/// The rank of each output, from 0; equal scores have the same.
fn ranked(scores: &[f64]) -> Result<Vec<u32>, Error> {
    let mut ranks = vec![0; scores.len()];
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

/// The pairs of some outputs, each of which counts as often as the product of their weights.
#[derive(Clone, Copy, Default)]
struct Pairs {
    sum: f64,
    squares: f64,
}

impl Pairs {
    fn add(&mut self, weight: f64) {
        self.sum += weight;
        self.squares += weight * weight;
    }

    fn count(&self) -> f64 {
        (self.sum * self.sum - self.squares) / 2.0
    }
}

/// Sums of weights over ranks.
struct Sums(Vec<f64>);

impl Sums {
    fn new(ranks: usize) -> Self {
        Self(vec![0.0; ranks + 1])
    }

    fn add(&mut self, rank: usize, weight: f64) {
        let mut place = rank + 1;
        while let Some(sum) = self.0.get_mut(place) {
            *sum += weight;
            place += place & place.wrapping_neg();
        }
    }

    /// The weights of all ranks below this one.
    fn before(&self, rank: usize) -> f64 {
        let (mut place, mut sum) = (rank, 0.0);
        while place > 0 {
            sum += self.0[place];
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
        for (count, values) in [(0, 1), (1, 1), (2, 2), (5, 1), (9, 3), (40, 7), (60, 1000)] {
            for _ in 0..20 {
                let scores = [drawn(count, values), drawn(count, values)];
                let ranks = Ranks::new(&scores[0], &scores[1]).expect("a table");
                for most in [2, 4] {
                    let weights = drawn(count, most);
                    let found = ranks.tau_b(&weights).expect("weights");
                    match expected([&scores[0], &scores[1]], &weights) {
                        None => assert_eq!(found, None),
                        Some(tau) => assert!((found.expect("tau") - tau).abs() < 1e-12),
                    }
                }
            }
        }
        assert!(Ranks::new(&[1.0], &[]).is_err());
    }
}
