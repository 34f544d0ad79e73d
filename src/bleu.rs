//! The one formula that turns a row of statistics into a score.

use std::borrow::Cow;

use crate::error::Error;
use crate::rows::{row_width, rows};
use crate::smoothing::Smoothing;

/// Which length of several references counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReferenceLength {
    /// The closest to the hypothesis; of two, the shorter.
    Closest,
    /// The closest to the hypothesis; of two, that of the earlier reference.
    ClosestFirst,
    /// The shortest.
    Shortest,
    /// The longest.
    Longest,
    /// The mean, rounded down to whole tokens as Moses' tuning does.
    Average,
}

impl ReferenceLength {
    /// Every rule under its name.
    pub const ALL: [(&str, Self); 5] = [
        ("closest", Self::Closest),
        ("closest-first", Self::ClosestFirst),
        ("shortest", Self::Shortest),
        ("longest", Self::Longest),
        ("average", Self::Average),
    ];

    /// The rule of that name.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownName`] if there is none.
    pub fn named(name: &str) -> Result<Self, Error> {
        Self::ALL
            .iter()
            .find(|(known, _)| *known == name)
            .map(|&(_, rule)| rule)
            .ok_or_else(|| Error::UnknownName {
                what: "reference_length",
                name: name.to_owned(),
            })
    }

    /// The length that counts. 0 if there are no references.
    #[must_use]
    pub fn choose(self, hypothesis: usize, references: &[usize]) -> usize {
        let lengths = references.iter().copied();
        let distance = |length: &usize| length.abs_diff(hypothesis);
        match self {
            Self::Closest => lengths.min_by_key(|length| (distance(length), *length)),
            // `min_by_key` returns the first of equals.
            Self::ClosestFirst => lengths.min_by_key(distance),
            Self::Shortest => lengths.min(),
            Self::Longest => lengths.max(),
            Self::Average => lengths.sum::<usize>().checked_div(references.len()),
        }
        .unwrap_or(0)
    }
}

/// 1 for a hypothesis at least as long as its reference, else `e^(1 − r/c)`, and 0 for an empty
/// one (Papineni et al. 2002, section 2.2.2).
///
/// Lengths are floats because one of them may be a mean.
#[must_use]
pub fn brevity_penalty(hyp_len: f64, ref_len: f64) -> f64 {
    if hyp_len >= ref_len {
        1.0
    } else if hyp_len <= 0.0 {
        0.0
    } else {
        (1.0 - ref_len / hyp_len).exp()
    }
}

/// How a row becomes a score.
#[derive(Clone, Debug, PartialEq)]
pub struct Scoring {
    /// The highest n-gram order of the score.
    pub max_order: usize,
    /// The smoothing.
    pub smoothing: Smoothing,
    /// Leave out the orders for which the hypothesis is too short.
    pub effective_order: bool,
    /// Weights of the orders, a list for each score; no list at all means uniform weights.
    pub weights: Vec<Vec<f64>>,
}

/// A score with the parts that it is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// 0 to 100, one for each list of weights.
    pub scores: Vec<f64>,
    /// In percent, smoothed, one for each order.
    pub precisions: Vec<f64>,
    /// 0 to 1.
    pub brevity_penalty: f64,
    /// How many of the precisions count; fewer than all with effective order only.
    pub orders: usize,
}

impl Scoring {
    /// The n-gram orders that a row needs for this.
    #[must_use]
    pub fn counted_orders(&self) -> usize {
        self.max_order + usize::from(self.smoothing.needs_next_order())
    }

    /// Scores a row of [`row_width`]`(`[`Scoring::counted_orders`]`())` numbers.
    ///
    /// The default (uniform weights, percentages, logarithms added from the left) is sacreBLEU's
    /// computation step by step, so that the last bit agrees.
    ///
    /// # Panics
    ///
    /// If the row is shorter than that.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
    pub fn score(&self, row: &[i64]) -> Score {
        let (matches, totals) = row[2..].split_at(self.counted_orders());
        self.score_expected(row[0], row[1] as f64, |n| matches[n] as f64, totals)
    }

    /// Scores a hypothesis against a reference of which only the mean is known: its length, and
    /// for each order minus 1 how many matches there are.
    ///
    /// # Panics
    ///
    /// If `totals` has fewer than [`Scoring::counted_orders`].
    pub fn score_expected(
        &self,
        hyp_len: i64,
        ref_len: f64,
        matches: impl Fn(usize) -> f64,
        totals: &[i64],
    ) -> Score {
        let mut precisions = vec![0.0; self.max_order];
        let mut scores = Vec::with_capacity(self.weights.len().max(1));
        let counts = Counts {
            hyp_len,
            ref_len,
            matches,
            totals,
        };
        let (brevity_penalty, orders) = self.compute(&counts, &mut precisions, &mut scores);
        Score {
            scores,
            precisions,
            brevity_penalty,
            orders,
        }
    }

    /// Fills in the precisions and appends the scores; returns the penalty and how many orders
    /// count.
    #[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
    fn compute(
        &self,
        counts: &Counts<'_, impl Fn(usize) -> f64>,
        precisions: &mut [f64],
        scores: &mut Vec<f64>,
    ) -> (f64, usize) {
        let matches = &counts.matches;
        let brevity_penalty = brevity_penalty(counts.hyp_len as f64, counts.ref_len);
        if self.is_nothing(matches, counts.hyp_len) {
            precisions.fill(0.0);
            scores.extend(std::iter::repeat_n(0.0, self.weights.len().max(1)));
            return (brevity_penalty, self.max_order);
        }
        let orders =
            self.smoothing
                .precisions(100.0, matches, counts.totals, counts.hyp_len, precisions);
        let orders = if self.effective_order {
            orders
        } else {
            self.max_order
        };
        let used = self.without_zeros(100.0, &precisions[..orders]);
        let uniform = self.weights.iter().all(|weights| is_uniform(weights));
        let fractions = if uniform {
            Vec::new()
        } else {
            self.fractions(matches, counts.totals, counts.hyp_len)
        };
        let fractions = self.without_zeros(1.0, &fractions[..orders.min(fractions.len())]);
        let score = |mean: f64| (brevity_penalty * mean).min(100.0);
        if self.weights.is_empty() {
            scores.push(score(uniform_mean(&used, brevity_penalty)));
        }
        scores.extend(self.weights.iter().map(|weights| {
            let kept = orders.min(weights.len());
            score(if is_uniform(weights) {
                uniform_mean(&used[..kept], brevity_penalty)
            } else {
                weighted_mean(&fractions[..kept], weights, self.effective_order)
            })
        }));
        (brevity_penalty, orders)
    }

    /// The precisions of a row from 0 to 1.
    ///
    /// # Panics
    ///
    /// If the row is shorter than [`Scoring::score`] needs.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
    pub fn precision_fractions(&self, row: &[i64]) -> Vec<f64> {
        let (matches, totals) = row[2..].split_at(self.counted_orders());
        let matches = |n: usize| matches[n] as f64;
        if self.is_nothing(matches, row[0]) {
            return vec![0.0; self.max_order];
        }
        self.fractions(matches, totals, row[0])
    }

    fn fractions(&self, matches: impl Fn(usize) -> f64, totals: &[i64], hyp_len: i64) -> Vec<f64> {
        let mut fractions = vec![0.0; self.max_order];
        let _ = self
            .smoothing
            .precisions(1.0, matches, totals, hyp_len, &mut fractions);
        fractions
    }

    /// Whether the score is 0 before any smoothing is asked.
    fn is_nothing(&self, matches: impl Fn(usize) -> f64, hyp_len: i64) -> bool {
        let no_match = (0..self.max_order).all(|n| matches(n) == 0.0);
        no_match && !(self.smoothing.needs_no_match() && hyp_len > 0)
    }

    /// Makes zeros perfect if the smoothing says so.
    fn without_zeros<'a>(&self, perfect: f64, precisions: &'a [f64]) -> Cow<'a, [f64]> {
        let mut used = Cow::Borrowed(precisions);
        if self.smoothing.skips_zeros() {
            for precision in used.to_mut().iter_mut().filter(|p| **p == 0.0) {
                *precision = perfect;
            }
        }
        used
    }

    /// The scores of every row of a table, one after the other.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if the table does not consist of rows of these orders.
    #[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
    pub fn score_rows(&self, table: &[i64]) -> Result<Vec<f64>, Error> {
        let orders = self.counted_orders();
        let rows = rows(table, row_width(orders))?;
        let mut precisions = vec![0.0; self.max_order];
        let mut scores = Vec::with_capacity(rows.len() * self.weights.len().max(1));
        for row in rows {
            let (matches, totals) = row[2..].split_at(orders);
            let counts = Counts {
                hyp_len: row[0],
                ref_len: row[1] as f64,
                matches: |n: usize| matches[n] as f64,
                totals,
            };
            self.compute(&counts, &mut precisions, &mut scores);
        }
        Ok(scores)
    }
}

/// What a score is made of; matches by order minus 1.
struct Counts<'a, M> {
    hyp_len: i64,
    ref_len: f64,
    matches: M,
    totals: &'a [i64],
}

/// The geometric mean; of nothing but 100 % it is exactly that, which logarithms would miss.
#[expect(clippy::cast_precision_loss, reason = "orders are few")]
fn uniform_mean(precisions: &[f64], brevity_penalty: f64) -> f64 {
    if precisions.contains(&0.0) {
        return 0.0;
    }
    // With a penalty below 1 the detour by logarithms stays, because sacreBLEU takes it.
    if brevity_penalty == 1.0 && precisions.iter().all(|&p| p == 100.0) {
        return 100.0;
    }
    let sum = precisions.iter().fold(0.0, |sum, p| sum + p.ln());
    (sum / precisions.len() as f64).exp()
}

/// Whether a list of weights says no more than that it is uniform.
#[expect(clippy::cast_precision_loss, reason = "orders are few")]
fn is_uniform(weights: &[f64]) -> bool {
    weights
        .iter()
        .all(|&weight| weight == 1.0 / weights.len() as f64)
}

/// `100 exp(Σ w ln p)` of precisions from 0 to 1. Orders of weight 0 do not count; the effective orders share the weight of
/// those that are left out.
fn weighted_mean(precisions: &[f64], weights: &[f64], renormalise: bool) -> f64 {
    let used = || precisions.iter().zip(weights).filter(|(_, w)| **w > 0.0);
    if used().any(|(p, _)| *p == 0.0) {
        return 0.0;
    }
    let sum = used().fold(0.0, |sum, (p, w)| sum + w * p.ln());
    let (kept, all) = (
        used().map(|(_, w)| w).sum::<f64>(),
        weights.iter().sum::<f64>(),
    );
    if renormalise && kept < all {
        if kept == 0.0 {
            return 0.0;
        }
        return 100.0 * (sum * all / kept).exp();
    }
    100.0 * sum.exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_between_reference_lengths() {
        let rule = |name| {
            ReferenceLength::named(name)
                .expect("known")
                .choose(10, &[11, 9, 20])
        };
        assert_eq!(rule("closest"), 9);
        assert_eq!(rule("closest-first"), 11);
        assert_eq!(rule("shortest"), 9);
        assert_eq!(rule("longest"), 20);
        assert_eq!(rule("average"), 13);
        assert!(ReferenceLength::named("nearest").is_err());
    }

    #[test]
    fn penalty_of_the_paper() {
        assert_eq!(brevity_penalty(12.0, 12.0), 1.0);
        assert_eq!(brevity_penalty(2.0, 16.0), 0.000_911_881_965_554_516_2);
        assert_eq!(brevity_penalty(0.0, 3.0), 0.0);
        assert_eq!(brevity_penalty(0.0, 0.0), 1.0);
    }

    #[test]
    fn every_named_smoothing_exists() {
        for (name, _) in Smoothing::ALL {
            assert!(Smoothing::named(name, None).is_ok(), "{name}");
        }
        assert!(Smoothing::named("exp", Some(1.0)).is_err());
        assert!(Smoothing::named("floor", Some(-1.0)).is_err());
    }

    #[test]
    fn perfect_is_exactly_one_hundred() {
        for max_order in 1..=8 {
            let scoring = Scoring {
                max_order,
                smoothing: Smoothing::Exp,
                effective_order: false,
                weights: Vec::new(),
            };
            let counts: Vec<i64> = (0..8).map(|n| 20 - n).take(max_order).collect();
            let row: Vec<i64> = [20, 20].into_iter().chain(counts.repeat(2)).collect();
            assert_eq!(scoring.score(&row).scores, [100.0]);
        }
    }
}
