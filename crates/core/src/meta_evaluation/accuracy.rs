//! The share of pairs of outputs that a metric orders as people do, ties included; scores that differ
//! by no more than a threshold are tied (Deutsch, Foster and Freitag 2023, *Ties Matter*).
//!
//! At the largest threshold, all pairs are tied. From there, the differences of scores are passed in
//! descending order: each ends a tie, which makes a pair right or wrong.

use super::table::{Table, pairs_of};
use super::variants::{Agreement, LANES, Lanes, Variants, masks};
use crate::error::Error;
use crate::memory::{listed, with_room};
use crate::stop::{stop_here, stop_in};

/// The end of a tie of two outputs.
struct Untied {
    difference: f64,
    outputs: [u32; 2],
    group: u32,
    /// It is where the scores of the two outputs are those of the second metric, or of the first.
    second: [bool; 2],
    /// What it adds to the sum of right pairs.
    gain: f64,
}

/// The accuracy, averaged over groups.
pub struct Accuracy {
    is_best: bool,
    /// From the largest difference on.
    untied: Vec<Untied>,
    /// The sum of right pairs when all are tied, and what the sum is divided by.
    tied: f64,
    scale: f64,
}

impl Accuracy {
    /// The accuracy at threshold 0 or at the best one, of the first metric or of both.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`] if there are too many pairs.
    pub fn new(table: &Table, is_best: bool, of_both: bool) -> Result<Self, Error> {
        let (weights, scale) = weights(table);
        let metrics: &[bool] = if of_both { &[false, true] } else { &[false] };
        let mut untied = table.room(metrics.len() * metrics.len())?;
        let mut tied = 0.0;
        for_pairs(table, |group, [one, other]| {
            let expected = relation(table.gold[one], table.gold[other]);
            tied += if expected == 0 { weights[group] } else { 0.0 };
            for &of_one in metrics {
                for &of_other in metrics {
                    let score = table.scores[usize::from(of_one)][one];
                    let other_score = table.scores[usize::from(of_other)][other];
                    let found = relation(score, other_score);
                    if found != 0 && (expected == 0 || found == expected) {
                        untied.push(Untied {
                            difference: (score - other_score).abs(),
                            outputs: [one, other].map(as_u32),
                            group: as_u32(group),
                            second: [of_one, of_other],
                            gain: if expected == 0 {
                                -weights[group]
                            } else {
                                weights[group]
                            },
                        });
                    }
                }
            }
        });
        let mut step = 0;
        untied.sort_unstable_by(|one, other| {
            step += 1;
            stop_in(step);
            // Of equal differences, those that lower the sum are first, so that it is highest before
            // or after all of them.
            let descending = other.difference.total_cmp(&one.difference);
            descending.then(one.gain.total_cmp(&other.gain))
        });
        Ok(Self {
            is_best,
            untied,
            tied,
            scale,
        })
    }
}

impl Agreement for Accuracy {
    #[inline(always)]
    fn of<const WEIGHTED: bool>(&self, variants: &Variants<'_>) -> Lanes {
        let (mut sums, mut scales, mut shares) = ([self.tied; LANES], [self.scale; LANES], vec![]);
        if WEIGHTED {
            (shares, scales) = weighted_shares(variants);
            sums = weighted_ties(variants, &shares);
        }
        let mut most = sums;
        for (place, untied) in self.untied.iter().enumerate() {
            stop_in(place);
            let outputs = untied.outputs.map(|output| output as usize);
            let [one, other] = [0, 1].map(|which| {
                let is_swapped = untied.second[which] ^ variants.is_second();
                variants.swaps[outputs[which]] ^ u32::from(is_swapped).wrapping_sub(1)
            });
            let masks = masks(one & other);
            if WEIGHTED {
                let [one, other] = outputs.map(|output| variants.weight::<WEIGHTED>(output));
                let shares = &shares[untied.group as usize];
                for lane in 0..LANES {
                    let gain = untied.gain.signum() * shares[lane] * one[lane] * other[lane];
                    sums[lane] += f64::from_bits(gain.to_bits() & masks[lane]);
                }
            } else {
                for lane in 0..LANES {
                    sums[lane] += f64::from_bits(untied.gain.to_bits() & masks[lane]);
                }
            }
            for lane in 0..LANES {
                most[lane] = if sums[lane] > most[lane] {
                    sums[lane]
                } else {
                    most[lane]
                };
            }
        }
        let found = if self.is_best { most } else { sums };
        std::array::from_fn(|lane| found[lane] / scales[lane])
    }
}

/// What a pair of weight 1 stands for, for each group, and the sum of the weights of groups.
#[inline(always)]
fn weighted_shares(variants: &Variants<'_>) -> (Vec<Lanes>, Lanes) {
    let mut scales = [0.0; LANES];
    let shares = listed(variants.table.groups.iter().map(|group| {
        let [mut sums, mut squares] = [[0.0; LANES]; 2];
        for output in group.clone() {
            let weights = variants.weight::<true>(output);
            for lane in 0..LANES {
                sums[lane] += weights[lane];
                squares[lane] += weights[lane] * weights[lane];
            }
        }
        let weights = variants.weight_of::<true>(group);
        std::array::from_fn(|lane| {
            let pairs = (sums[lane] * sums[lane] - squares[lane]) / 2.0;
            if pairs <= 0.0 {
                return 0.0;
            }
            scales[lane] += weights[lane];
            weights[lane] / pairs
        })
    }));
    (shares, scales)
}

/// The sum of the shares of pairs that people tie.
#[inline(always)]
fn weighted_ties(variants: &Variants<'_>, shares: &[Lanes]) -> Lanes {
    let mut ties = [0.0; LANES];
    for_pairs(variants.table, |group, outputs| {
        let [one, other] = outputs.map(|output| variants.table.gold[output]);
        if relation(one, other) == 0 {
            let [one, other] = outputs.map(|output| variants.weight::<true>(output));
            for lane in 0..LANES {
                ties[lane] += shares[group][lane] * one[lane] * other[lane];
            }
        }
    });
    ties
}

/// Calls `take` for each pair within a group.
#[inline(always)]
fn for_pairs(table: &Table, mut take: impl FnMut(usize, [usize; 2])) {
    for (group, outputs) in table.groups.iter().enumerate() {
        for one in outputs.clone() {
            stop_here();
            for other in outputs.start..one {
                take(group, [one, other]);
            }
        }
    }
}

/// What each pair of a group adds to the sum of right pairs, and what that is divided by: whole numbers
/// if they can be, so that adding them is exact.
#[expect(clippy::cast_precision_loss, reason = "there are fewer than 2^53")]
fn weights(table: &Table) -> (Vec<f64>, f64) {
    let sizes = || {
        table
            .groups
            .iter()
            .map(|group| pairs_of(group.len()) as u64)
    };
    let multiple = sizes().try_fold(1_u64, |multiple, pairs| {
        let least = multiple / common_divisor(multiple, pairs);
        least.checked_mul(pairs).filter(|&least| least < 1 << 52)
    });
    let multiple = multiple.map_or(1.0, |multiple| multiple as f64);
    let mut weights = with_room(table.groups.len());
    weights.extend(sizes().map(|pairs| multiple / pairs as f64));
    (weights, multiple * table.groups.len() as f64)
}

fn common_divisor(mut one: u64, mut other: u64) -> u64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// -1, 0 or 1 as one score is lower, tied with, or higher than the other.
fn relation(one: f64, other: f64) -> i8 {
    i8::from(one > other) - i8::from(one < other)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "there are fewer than 2^32 outputs"
)]
const fn as_u32(number: usize) -> u32 {
    number as u32
}
