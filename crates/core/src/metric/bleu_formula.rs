//! The formula of BLEU: the geometric mean of the precisions times the brevity penalty.

use std::borrow::Cow;

use super::Scope;
use super::bleu_row::Row;
use super::logarithm::{exp, ln};
use super::remembered;
use super::smoothing::{Rule, Smoothing};
use crate::memory::with_room;

/// The brevity penalty: 1 for a hypothesis at least as long as its reference, 0 for an empty one,
/// else `e^(1 − r/c)` (Papineni et al. 2002, section 2.2.2).
///
/// Lengths are floats because the reference length may be a mean.
#[must_use]
pub fn brevity_penalty(hyp_len: f64, ref_len: f64) -> f64 {
    if hyp_len >= ref_len {
        1.0
    } else if hyp_len <= 0.0 {
        0.0
    } else {
        exp(1.0 - ref_len / hyp_len)
    }
}

/// How to compute a score from a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// The highest n-gram order of the score.
    pub max_order: usize,
    /// The smoothing.
    pub smoothing: Smoothing,
    /// Whether to skip the orders for which the hypothesis is too short. None: in single segments.
    pub effective_order: Option<bool>,
    /// Whether output that is shorter than its reference is penalized.
    pub brevity_penalty: bool,
    /// Weights of the orders, one list for each score; without any, weights are uniform.
    pub weights: Vec<Vec<f64>>,
}

/// A score and its parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// From 0 to 100, one for each list of weights.
    pub scores: Vec<f64>,
    /// Smoothed precisions in percent, one for each order.
    pub precisions: Vec<f64>,
    /// From 0 to 1.
    pub brevity_penalty: f64,
    /// Number of precisions used; with effective order, possibly fewer than all.
    pub orders: usize,
}

impl Formula {
    /// Number of n-gram orders that a row needs.
    #[must_use]
    pub fn counted_orders(&self) -> usize {
        self.max_order + usize::from(self.smoothing.needs_next_order())
    }

    /// The brevity penalty; 1 if there is to be none.
    #[must_use]
    pub fn penalty(&self, hyp_len: f64, ref_len: f64) -> f64 {
        if self.brevity_penalty {
            brevity_penalty(hyp_len, ref_len)
        } else {
            1.0
        }
    }

    fn skips_orders(&self, scope: Scope) -> bool {
        self.effective_order.unwrap_or(scope == Scope::Segment)
    }

    /// Scores a row with [`Formula::counted_orders`] orders.
    ///
    /// By default (uniform weights), this repeats sacreBLEU's operations (on percentages, adding
    /// logarithms from the left), so that scores agree to the last bit.
    ///
    /// # Panics
    ///
    /// If the row has fewer orders.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
    pub fn score(&self, row: &[i64], scope: Scope) -> Score {
        let row = Row::new(row);
        let matches = |n: usize| row.matches[n] as f64;
        self.score_expected(row.hyp_len, row.ref_len as f64, matches, row.totals, scope)
    }

    /// Scores a hypothesis given the mean length of several references and the expected number of
    /// matches, a function of the order minus 1.
    ///
    /// # Panics
    ///
    /// If `totals` has fewer than [`Formula::counted_orders`] elements.
    pub fn score_expected(
        &self,
        hyp_len: i64,
        ref_len: f64,
        matches: impl Fn(usize) -> f64,
        totals: &[i64],
        scope: Scope,
    ) -> Score {
        let mut precisions = vec![0.0; self.max_order];
        let mut scores = Vec::with_capacity(self.weights.len().max(1));
        let counts = Counts {
            hyp_len,
            ref_len,
            matches,
            totals,
        };
        let (brevity_penalty, orders) = self.compute(&counts, scope, &mut precisions, &mut scores);
        Score {
            scores,
            precisions,
            brevity_penalty,
            orders,
        }
    }

    /// The score of a row under the first list of weights, as [`Formula::score`] computes it.
    ///
    /// # Panics
    ///
    /// If the row has fewer than [`Formula::counted_orders`] orders.
    #[must_use]
    pub fn first_score(&self, row: &[i64], scope: Scope) -> f64 {
        if let Some(score) = self.quick_score(row, scope) {
            return score;
        }
        // Allocating memory would take as long as computing the score.
        let mut short = [0.0; 8];
        let mut long = Vec::new();
        let precisions = if let Some(precisions) = short.get_mut(..self.max_order) {
            precisions
        } else {
            long.resize(self.max_order, 0.0);
            &mut long[..]
        };
        let mut first = First(None);
        self.compute(&Counts::of_row(row), scope, precisions, &mut first);
        first.0.unwrap_or(0.0)
    }

    /// The same with [`remembered`] logarithms, if weights are uniform, for `exp` and `none`.
    #[inline]
    #[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
    fn quick_score(&self, row: &[i64], scope: Scope) -> Option<f64> {
        let halves = match self.smoothing.rule() {
            Rule::Exp => true,
            Rule::None => false,
            _ => return None,
        };
        let uniform = |weights: &Vec<f64>| weights.len() == self.max_order && is_uniform(weights);
        if !self.smoothing.in_sacrebleu() || !self.weights.first().is_none_or(uniform) {
            return None;
        }
        let row = Row::new(row);
        let brevity_penalty = if self.brevity_penalty {
            remembered::penalty(row.hyp_len, row.ref_len, || {
                brevity_penalty(row.hyp_len as f64, row.ref_len as f64)
            })
        } else {
            1.0
        };
        let (mut sum, mut orders, mut zeros) = (0.0, 0, 0);
        let (mut some_match, mut all_match) = (false, true);
        for (&matched, &total) in row.matches.iter().zip(row.totals).take(self.max_order) {
            if total == 0 {
                break;
            }
            if matched < 0 || total < 0 {
                return None;
            }
            orders += 1;
            some_match |= matched > 0;
            all_match &= matched == total;
            sum += if matched > 0 {
                remembered::ln_percentage(matched, total)
            } else if halves {
                zeros += 1;
                remembered::ln_halved(zeros, total)
            } else {
                return Some(0.0);
            };
        }
        // Without a match, or with an order without n-grams, the score is 0.
        if !some_match || orders < self.max_order && !self.skips_orders(scope) {
            return Some(0.0);
        }
        if all_match && brevity_penalty == 1.0 {
            return Some(100.0);
        }
        Some((brevity_penalty * exp(sum / orders as f64)).min(100.0))
    }

    /// Fills in the precisions and appends the scores; returns the brevity penalty and the number
    /// of orders used.
    #[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
    fn compute(
        &self,
        counts: &Counts<'_, impl Fn(usize) -> f64>,
        scope: Scope,
        precisions: &mut [f64],
        scores: &mut impl Extend<f64>,
    ) -> (f64, usize) {
        let matches = &counts.matches;
        let brevity_penalty = self.penalty(counts.hyp_len as f64, counts.ref_len);
        if self.is_zero(matches, counts.hyp_len) {
            precisions.fill(0.0);
            scores.extend(std::iter::repeat_n(0.0, self.weights.len().max(1)));
            return (brevity_penalty, self.max_order);
        }
        let orders =
            self.smoothing
                .precisions(100.0, matches, counts.totals, counts.hyp_len, precisions);
        let skips_orders = self.skips_orders(scope);
        let orders = if skips_orders { orders } else { self.max_order };
        let used = self.without_zeros(100.0, &precisions[..orders]);
        let uniform = self.weights.iter().all(|weights| is_uniform(weights));
        let fractions = if uniform {
            Vec::new()
        } else {
            self.fractions(matches, counts.totals, counts.hyp_len)
        };
        let fractions = self.without_zeros(1.0, &fractions[..orders.min(fractions.len())]);
        let score = |mean: f64| (brevity_penalty * mean).min(100.0);
        // sacreBLEU's quotient of two equal numbers is 100, unless k is a fraction.
        let adds = self.smoothing.rule() == Rule::AddK;
        let all_match = |n| used[n] == 100.0 || adds && matches(n) == counts.totals[n] as f64;
        // With a penalty below 1, logarithms are used even so, to agree with sacreBLEU.
        let is_perfect = |kept| brevity_penalty == 1.0 && (0..kept).all(all_match);
        if self.weights.is_empty() {
            scores.extend([score(uniform_mean(&used, is_perfect(orders)))]);
        }
        scores.extend(self.weights.iter().map(|weights| {
            let kept = orders.min(weights.len());
            score(if is_uniform(weights) {
                uniform_mean(&used[..kept], is_perfect(kept))
            } else {
                weighted_mean(&fractions[..kept], weights, skips_orders)
            })
        }));
        (brevity_penalty, orders)
    }

    /// The precisions of a row, from 0 to 1.
    ///
    /// # Panics
    ///
    /// If the row has fewer than [`Formula::counted_orders`] orders.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
    pub fn precision_fractions(&self, row: &[i64]) -> Vec<f64> {
        let row = Row::new(row);
        let matches = |n: usize| row.matches[n] as f64;
        if self.is_zero(matches, row.hyp_len) {
            return vec![0.0; self.max_order];
        }
        self.fractions(matches, row.totals, row.hyp_len)
    }

    fn fractions(&self, matches: impl Fn(usize) -> f64, totals: &[i64], hyp_len: i64) -> Vec<f64> {
        let mut fractions = vec![0.0; self.max_order];
        let _ = self
            .smoothing
            .precisions(1.0, matches, totals, hyp_len, &mut fractions);
        fractions
    }

    /// Whether the score is 0 before smoothing.
    fn is_zero(&self, matches: impl Fn(usize) -> f64, hyp_len: i64) -> bool {
        let no_match = (0..self.max_order).all(|n| matches(n) == 0.0);
        no_match && !(self.smoothing.scores_without_match() && hyp_len > 0)
    }

    /// Replaces precisions of 0 by `perfect` if the smoothing skips them.
    fn without_zeros<'a>(&self, perfect: f64, precisions: &'a [f64]) -> Cow<'a, [f64]> {
        let mut used = Cow::Borrowed(precisions);
        if self.smoothing.skips_zeros() {
            for precision in used.to_mut().iter_mut().filter(|p| **p == 0.0) {
                *precision = perfect;
            }
        }
        used
    }

    /// The scores of all rows: for each row, one score per list of weights.
    ///
    /// # Panics
    ///
    /// If a row has fewer than [`Formula::counted_orders`] orders.
    #[must_use]
    pub fn score_lists<'a>(
        &self,
        rows: impl ExactSizeIterator<Item = &'a [i64]>,
        scope: Scope,
    ) -> Vec<f64> {
        let mut precisions = vec![0.0; self.max_order];
        let mut scores = with_room(rows.len() * self.weights.len().max(1));
        for row in rows {
            self.compute(&Counts::of_row(row), scope, &mut precisions, &mut scores);
        }
        scores
    }
}

/// The counts of a score; `matches` is a function of the order minus 1.
struct Counts<'a, M> {
    hyp_len: i64,
    ref_len: f64,
    matches: M,
    totals: &'a [i64],
}

impl<'a> Counts<'a, ()> {
    /// Those of a row.
    #[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
    fn of_row(row: &'a [i64]) -> Counts<'a, impl Fn(usize) -> f64> {
        let row = Row::new(row);
        Counts {
            hyp_len: row.hyp_len,
            ref_len: row.ref_len as f64,
            matches: |n: usize| row.matches[n] as f64,
            totals: row.totals,
        }
    }
}

/// The first of some scores.
struct First(Option<f64>);

impl Extend<f64> for First {
    fn extend<T: IntoIterator<Item = f64>>(&mut self, scores: T) {
        let mut scores = scores.into_iter();
        self.0 = self.0.or_else(|| scores.next());
    }
}

/// The geometric mean of percentages. If these are `perfect`, it is exactly 100, which logarithms
/// would miss.
#[expect(clippy::cast_precision_loss, reason = "orders are few")]
fn uniform_mean(precisions: &[f64], perfect: bool) -> f64 {
    if precisions.contains(&0.0) {
        return 0.0;
    }
    if perfect {
        return 100.0;
    }
    let sum = precisions.iter().fold(0.0, |sum, &p| sum + ln(p));
    exp(sum / precisions.len() as f64)
}

/// Whether every weight is 1 / n, where n is their number.
#[expect(clippy::cast_precision_loss, reason = "orders are few")]
fn is_uniform(weights: &[f64]) -> bool {
    weights
        .iter()
        .all(|&weight| weight == 1.0 / weights.len() as f64)
}

/// `100 exp(Σ w ln p)` for precisions from 0 to 1. Orders of weight 0 are ignored. With
/// `renormalize`, the weight of skipped orders is distributed among the others.
fn weighted_mean(precisions: &[f64], weights: &[f64], renormalize: bool) -> f64 {
    let used = || precisions.iter().zip(weights).filter(|(_, w)| **w > 0.0);
    if used().any(|(p, _)| *p == 0.0) {
        return 0.0;
    }
    let sum = used().fold(0.0, |sum, (p, w)| sum + w * ln(*p));
    let (kept, all) = (
        used().map(|(_, w)| w).sum::<f64>(),
        weights.iter().sum::<f64>(),
    );
    if renormalize && kept < all {
        if kept == 0.0 {
            return 0.0;
        }
        return 100.0 * exp(sum * all / kept);
    }
    100.0 * exp(sum)
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_wrap,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "small numbers"
    )]

    use super::*;

    /// Scores from memory are those of the formula, to the last bit: of short rows and long ones,
    /// whatever matches.
    #[test]
    fn remembered_scores_are_computed_ones() {
        let mut random: u64 = 1;
        let mut below = |limit: i64| {
            random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(3);
            (random >> 33).cast_signed() % limit
        };
        for facts in super::super::smoothing::SMOOTHINGS {
            for max_order in [1, 2, 4, 8, 9] {
                let formula = Formula {
                    max_order,
                    smoothing: Smoothing::named(facts.name, None).expect("known"),
                    effective_order: [None, Some(false), Some(true)][max_order % 3],
                    brevity_penalty: max_order != 2,
                    weights: vec![vec![1.0 / max_order as f64; max_order]; max_order % 2],
                };
                let orders = formula.counted_orders() as i64;
                for case in 0..600 {
                    let limit = [6, 40, 130, 200][case % 4];
                    let (hyp_len, ref_len) = (below(limit), below(limit));
                    let totals: Vec<_> = (0..orders).map(|n| (hyp_len - n).max(0)).collect();
                    let lost = [0, below(limit), below(limit), hyp_len][below(4) as usize];
                    let matched = totals.iter().zip(1..).map(|(t, n)| (t - lost * n).max(0));
                    let row: Vec<_> = [hyp_len, ref_len].into_iter().chain(matched).collect();
                    let row = [row, totals].concat();
                    for scope in [Scope::Segment, Scope::Corpus] {
                        let computed = formula.score(&row, scope).scores[0];
                        for _ in 0..2 {
                            let found = formula.first_score(&row, scope);
                            assert_eq!(found.to_bits(), computed.to_bits(), "{facts:?} {row:?}");
                        }
                    }
                }
            }
        }
    }
}
