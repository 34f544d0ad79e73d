//! Kendall's tau-b, averaged over groups.

use std::ops::Range;

use super::variants::{Agreement, Average, LANES, Lanes, Variants};
use crate::memory::{listed, zeros};
use crate::stop::stop_here;

/// In larger groups, ranks take less time than all pairs; tests need no such groups.
const MOST_PAIRED: usize = if cfg!(test) { 16 } else { 256 };

/// Tau-b; pairs are counted as often as the product of the weights of their outputs.
pub struct Kendall;

impl Agreement for Kendall {
    #[inline(always)]
    fn of<const WEIGHTED: bool>(&self, variants: &Variants<'_>) -> Lanes {
        let mut average = Average::new();
        for group in &variants.table.groups {
            let tau = if group.len() > MOST_PAIRED {
                ranked::<WEIGHTED>(variants, group)
            } else {
                paired::<WEIGHTED>(variants, group)
            };
            average.add(&tau, &variants.weight_of::<WEIGHTED>(group));
        }
        average.value()
    }
}

/// Tau-b of a group, by all of its pairs.
#[inline(always)]
fn paired<const WEIGHTED: bool>(variants: &Variants<'_>, group: &Range<usize>) -> Lanes {
    let gold = &variants.table.gold[group.clone()];
    let scores = listed(group.clone().map(|output| variants.score(output)));
    let [mut gap, mut untied, mut of_gold] = [[0.0; LANES]; 3];
    let mut unweighted = 0.0;
    for one in 0..gold.len() {
        let weights = variants.weight::<WEIGHTED>(group.start + one);
        for other in 0..one {
            let other_weights = variants.weight::<WEIGHTED>(group.start + other);
            let expected = sign(gold[one], gold[other]);
            for lane in 0..LANES {
                let found = sign(scores[one][lane], scores[other][lane]);
                let weight = weights[lane] * other_weights[lane];
                gap[lane] += weight * expected * found;
                untied[lane] += weight * found * found;
                if WEIGHTED {
                    of_gold[lane] += weight * expected * expected;
                }
            }
            unweighted += expected * expected;
        }
    }
    if !WEIGHTED {
        of_gold = [unweighted; LANES];
    }
    std::array::from_fn(|lane| tau_b(gap[lane], untied[lane], of_gold[lane]))
}

/// -1, 0 or 1 as one score is lower, tied with, or higher than the other.
#[inline(always)]
fn sign(one: f64, other: f64) -> f64 {
    if one > other {
        1.0
    } else if one < other {
        -1.0
    } else {
        0.0
    }
}

/// Tau-b of differences between pairs that agree and pairs that do not, and of pairs that are not tied;
/// NaN if all are.
#[inline(always)]
fn tau_b(gap: f64, untied: f64, of_gold: f64) -> f64 {
    if untied > 0.0 && of_gold > 0.0 {
        gap / untied.sqrt() / of_gold.sqrt()
    } else {
        f64::NAN
    }
}

/// Tau-b of a large group.
#[inline(always)]
fn ranked<const WEIGHTED: bool>(variants: &Variants<'_>, group: &Range<usize>) -> Lanes {
    let gold = &variants.table.gold[group.clone()];
    std::array::from_fn(|lane| {
        stop_here();
        let scores = listed(group.clone().map(|output| variants.score(output)[lane]));
        let weight = |output| variants.weight::<WEIGHTED>(output)[lane];
        tau_by_ranks(gold, &scores, &listed(group.clone().map(weight)))
    })
}

/// Tau-b by a tree of sums over ranks (Fenwick 1994), in the order of the gold scores.
fn tau_by_ranks(gold: &[f64], scores: &[f64], weights: &[f64]) -> f64 {
    let ranks = [ranks(gold), ranks(scores)];
    let mut order = listed(0..gold.len());
    order.sort_unstable_by_key(|&output| (ranks[0][output], ranks[1][output]));
    let mut lower = zeros::<f64>(gold.len() + 1);
    let (mut gap, mut before) = (0.0, 0.0);
    for tied in order.chunk_by(|&one, &other| ranks[0][one] == ranks[0][other]) {
        // Of the outputs with a lower gold score, those with a lower score agree.
        for &output in tied {
            let rank = ranks[1][output];
            let agree = sum_before(&lower, rank);
            gap += weights[output] * (agree - (before - sum_before(&lower, rank + 1)));
        }
        for &output in tied {
            let mut place = ranks[1][output] + 1;
            while place < lower.len() {
                lower[place] += weights[output];
                place += place & place.wrapping_neg();
            }
            before += weights[output];
        }
    }
    let [of_gold, untied] = ranks.map(|ranks| {
        let (mut sums, mut squares, mut sum) = (zeros::<f64>(ranks.len()), 0.0, 0.0);
        for (&rank, weight) in ranks.iter().zip(weights) {
            sums[rank] += weight;
            sum += weight;
        }
        for sum in sums {
            squares += sum * sum;
        }
        (sum * sum - squares) / 2.0
    });
    tau_b(gap, untied, of_gold)
}

/// The sum of what has a lower rank.
fn sum_before(tree: &[f64], mut rank: usize) -> f64 {
    let mut sum = 0.0;
    while rank > 0 {
        sum += tree[rank];
        rank &= rank - 1;
    }
    sum
}

/// The rank of each score, from 0; equal scores have the same.
fn ranks(scores: &[f64]) -> Vec<usize> {
    let mut order = listed(0..scores.len());
    order.sort_unstable_by(|&one, &other| scores[one].total_cmp(&scores[other]));
    let mut ranks = zeros(scores.len());
    let mut rank = 0;
    for (place, &output) in order.iter().enumerate() {
        if place > 0 && scores[order[place - 1]] < scores[output] {
            rank += 1;
        }
        ranks[output] = rank;
    }
    ranks
}
