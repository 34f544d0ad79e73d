//! The share of pairs that a metric orders as the gold scores do, and the threshold for ties at
//! which it is highest.

use std::ops::Range;

use crate::error::Error;
use crate::memory::{listed, with_room, zeros};
use crate::stop::{sort_by_number, stop_here};

/// The pairs of outputs within groups, by the difference of their scores.
#[derive(Debug)]
pub struct Pairs {
    groups: Vec<Range<usize>>,
    pairs: Vec<Pair>,
}

#[derive(Debug)]
struct Pair {
    difference: f64,
    one: u32,
    other: u32,
    group: u32,
    /// Whether it is right while its scores are tied only if they are equal.
    right: bool,
    /// Whether it is right once its scores are tied.
    right_if_tied: bool,
}

/// How often each output counts.
#[derive(Clone, Copy, Debug)]
pub enum Weights<'a> {
    /// All outputs of a group together, as in samples of groups: one weight per group.
    OfGroups(&'a [f64]),
    /// Each output by itself; a pair counts as often as the product of its two outputs.
    OfOutputs(&'a [f64]),
}

/// The highest accuracy, and the lowest threshold that has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Best {
    /// From 0 to 1.
    pub accuracy: f64,
    /// Scores that differ by no more are tied.
    pub threshold: f64,
}

/// The groups of these sizes, one after another.
///
/// # Errors
///
/// [`Error::BadTable`] if they do not have this number of outputs together, or there are more than
/// 2<sup>32</sup>.
pub fn groups_of(sizes: &[usize], outputs: usize) -> Result<Vec<Range<usize>>, Error> {
    let mut start = 0_usize;
    let mut groups = with_room(sizes.len());
    for &size in sizes {
        let end = start.checked_add(size).ok_or(Error::BadTable)?;
        groups.push(start..end);
        start = end;
    }
    if start != outputs || u32::try_from(outputs).is_err() {
        return Err(Error::BadTable);
    }
    Ok(groups)
}

/// The number of pairs of `size` outputs; of more than 2<sup>32</sup>, more than memory holds.
#[must_use]
pub const fn pairs_of(size: usize) -> usize {
    size.saturating_mul(size.saturating_sub(1)) / 2
}

/// -1, 0 or 1 as one score is lower, tied with, or higher than the other.
pub fn relation(one: f64, other: f64, threshold: f64) -> i8 {
    if (one - other).abs() <= threshold {
        return 0;
    }
    if one > other { 1 } else { -1 }
}

impl Pairs {
    /// The pairs of groups of these sizes: `gold` and `scores` have a number for each output, group
    /// by group.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if the numbers do not fit together, [`Error::OutOfMemory`] if there are
    /// too many pairs.
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2^32")]
    pub fn new(sizes: &[usize], gold: &[f64], scores: &[f64]) -> Result<Self, Error> {
        let groups = groups_of(sizes, gold.len())?;
        if scores.len() != gold.len() {
            return Err(Error::BadTable);
        }
        let count = sizes.iter().map(|&size| pairs_of(size)).sum();
        let mut pairs = Vec::new();
        pairs
            .try_reserve_exact(count)
            .map_err(|_| Error::OutOfMemory(format!("{count} pairs of outputs")))?;
        for (group, outputs) in groups.iter().enumerate() {
            for one in outputs.clone() {
                stop_here();
                for other in outputs.start..one {
                    let expected = relation(gold[one], gold[other], 0.0);
                    pairs.push(Pair {
                        difference: (scores[one] - scores[other]).abs(),
                        one: one as u32,
                        other: other as u32,
                        group: group as u32,
                        right: relation(scores[one], scores[other], 0.0) == expected,
                        right_if_tied: expected == 0,
                    });
                }
            }
        }
        sort_by_number(&mut pairs, &|pair: &Pair| pair.difference);
        Ok(Self { groups, pairs })
    }

    /// The accuracy at a threshold, averaged over the groups that have pairs; None if none has.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if there is not one weight for each.
    pub fn accuracy(&self, threshold: f64, weights: Weights<'_>) -> Result<Option<f64>, Error> {
        let Some(shares) = self.shares(weights)? else {
            return Ok(None);
        };
        let mut right = zeros::<f64>(self.groups.len());
        for pair in &self.pairs {
            let tied = pair.difference <= threshold;
            if if tied { pair.right_if_tied } else { pair.right } {
                right[pair.group as usize] += shares.weight(pair);
            }
        }
        let shares = right.iter().zip(&shares.of_groups);
        Ok(Some(shares.map(|(right, share)| right * share).sum()))
    }

    /// The best accuracy, averaged over the groups that have pairs; None if none has.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if there is not one weight for each.
    pub fn best(&self, weights: Weights<'_>) -> Result<Option<Best>, Error> {
        let Some(shares) = self.shares(weights)? else {
            return Ok(None);
        };
        let right = self.pairs.iter().filter(|pair| pair.right);
        let mut accuracy: f64 = right.map(|pair| shares.of(pair)).sum();
        let mut best = Best {
            accuracy,
            threshold: 0.0,
        };
        let mut rest = self.pairs.as_slice();
        while let [first, ..] = rest {
            // In the order of the sort, so that NaN, which is not <= NaN, ends the loop, too.
            let tied =
                rest.partition_point(|pair| pair.difference.total_cmp(&first.difference).is_le());
            for pair in &rest[..tied] {
                let gain = i8::from(pair.right_if_tied) - i8::from(pair.right);
                accuracy += f64::from(gain) * shares.of(pair);
            }
            // What only rounding makes better is no better.
            if accuracy > best.accuracy + ROUNDING {
                best = Best {
                    accuracy,
                    threshold: first.difference,
                };
            }
            rest = &rest[tied..];
        }
        // Without the rounding of a hundred thousand additions.
        let accuracy = self.accuracy(best.threshold, weights)?;
        Ok(accuracy.map(|accuracy| Best { accuracy, ..best }))
    }

    /// The part of the accuracy that each pair stands for; None if there are no pairs.
    fn shares<'a>(&self, weights: Weights<'a>) -> Result<Option<Shares<'a>>, Error> {
        let expected = match weights {
            Weights::OfGroups(weights) => (weights.len(), self.groups.len()),
            Weights::OfOutputs(weights) => (weights.len(), self.outputs()),
        };
        if expected.0 != expected.1 {
            return Err(Error::BadTable);
        }
        let of_groups = self.groups.iter().enumerate();
        let of_groups = of_groups.map(|(group, outputs)| match weights {
            #[expect(clippy::cast_precision_loss, reason = "there are fewer than 2^53")]
            Weights::OfGroups(weights) => (weights[group], pairs_of(outputs.len()) as f64),
            Weights::OfOutputs(weights) => {
                let own = &weights[outputs.clone()];
                let sum: f64 = own.iter().sum();
                let squares: f64 = own.iter().map(|weight| weight * weight).sum();
                (1.0, (sum * sum - squares) / 2.0)
            }
        });
        let mut of_groups = listed(of_groups.map(|(weight, pairs)| {
            if pairs > 0.0 {
                (weight, weight / pairs)
            } else {
                (0.0, 0.0)
            }
        }));
        let sum: f64 = of_groups.iter().map(|&(weight, _)| weight).sum();
        if sum <= 0.0 {
            return Ok(None);
        }
        for (_, share) in &mut of_groups {
            *share /= sum;
        }
        let of_groups = listed(of_groups.into_iter().map(|(_, share)| share));
        Ok(Some(Shares { weights, of_groups }))
    }

    fn outputs(&self) -> usize {
        self.groups.last().map_or(0, |group| group.end)
    }
}

/// Accuracies that differ by less are equal.
const ROUNDING: f64 = 1e-12;

struct Shares<'a> {
    weights: Weights<'a>,
    /// For each group, the share of a pair of weight 1.
    of_groups: Vec<f64>,
}

impl Shares<'_> {
    /// How often a pair counts within its group.
    #[inline]
    fn weight(&self, pair: &Pair) -> f64 {
        match self.weights {
            Weights::OfGroups(_) => 1.0,
            Weights::OfOutputs(weights) => {
                weights[pair.one as usize] * weights[pair.other as usize]
            }
        }
    }

    /// The part of the accuracy that a pair stands for.
    #[inline]
    fn of(&self, pair: &Pair) -> f64 {
        self.of_groups[pair.group as usize] * self.weight(pair)
    }
}
