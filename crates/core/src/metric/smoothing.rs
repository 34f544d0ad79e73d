//! Smoothing of precisions. All smoothings, with their names and properties, are in this file.

use super::logarithm::ln;
use crate::error::Error;

/// How to compute precisions from counts. The letter k is the value of the smoothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Precisions of zero stay zero.
    None,
    /// Zero matches become k matches.
    Floor,
    /// k is added to matches and totals above order 1.
    AddK,
    /// 1 is added to matches and totals of all orders.
    AddOne,
    /// The i-th order without a match gets `2^-i` matches.
    Exp,
    /// Zero matches become the smallest normal double.
    Method0,
    /// 1 is added to matches and totals above order 1.
    Method2,
    /// Like [`Rule::Exp`], scaled by `ln(hypothesis length) / k`.
    Method4,
    /// The mean of three precisions: the smoothed one of the order below, and those of this and the
    /// next order.
    Method5,
    /// Interpolation, with weight k, with a prior from the two orders below.
    Method6,
    /// Method 4, then method 5.
    Method7,
}

/// A smoothing: its name, its rule and its properties.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "a table of yes and no")]
pub struct Facts {
    /// The name in settings.
    pub name: &'static str,
    /// The rule.
    pub rule: Rule,
    /// The default k of the rule.
    pub value: f64,
    /// Whether another k can be set.
    pub takes_value: bool,
    /// Whether the rule divides by k.
    pub divides_by_value: bool,
    /// Whether the rule needs counts of one order more than the score uses.
    pub needs_next_order: bool,
    /// Whether the rule makes sense only for single sentences.
    pub sentence_only: bool,
    /// Whether precisions of 0 are left out of the mean, as if they were 100%.
    pub skips_zeros: bool,
    /// Whether a text without any match has a score above 0.
    pub scores_without_match: bool,
    /// Whether an order without n-grams counts as 0 of 1, as in NLTK. In sacreBLEU, its precision
    /// and those of all higher orders are 0.
    pub counts_empty_orders: bool,
    /// Whether sacreBLEU has it, possibly under another name.
    pub in_sacrebleu: bool,
}

/// The properties that most smoothings share.
const PLAIN: Facts = Facts {
    name: "none",
    rule: Rule::None,
    value: 0.0,
    takes_value: false,
    divides_by_value: false,
    needs_next_order: false,
    sentence_only: false,
    skips_zeros: false,
    scores_without_match: false,
    counts_empty_orders: false,
    in_sacrebleu: false,
};

/// Those of sacreBLEU's smoothings.
const SACREBLEU: Facts = Facts {
    in_sacrebleu: true,
    ..PLAIN
};

/// Those of NLTK's `SmoothingFunction` (after Chen and Cherry 2014), with NLTK's names.
const NLTK: Facts = Facts {
    counts_empty_orders: true,
    ..PLAIN
};

/// All smoothings.
///
/// The first four are sacreBLEU's, `lin-och` is that of Lin and Och (2004), `add-one` that of
/// TensorFlow's NMT tutorial (`smooth=True` of evaluate), `nist` that of `mteval-v13a.pl`, `skip-zero` that of many tutorials (`if p` in a sum of logarithms),
/// `compare-mt` that of compare-mt; `method0` to `method7` are NLTK's.
#[rustfmt::skip]
pub static SMOOTHINGS: &[Facts] = &[
    Facts { name: "none", ..SACREBLEU },
    Facts { name: "floor", rule: Rule::Floor, value: 0.1, takes_value: true, ..SACREBLEU },
    Facts { name: "add-k", rule: Rule::AddK, value: 1.0, takes_value: true, ..SACREBLEU },
    Facts { name: "exp", rule: Rule::Exp, ..SACREBLEU },
    Facts { name: "lin-och", rule: Rule::AddK, value: 1.0, ..SACREBLEU },
    Facts { name: "add-one", rule: Rule::AddOne, scores_without_match: true, ..PLAIN },
    Facts { name: "nist", rule: Rule::Exp, skips_zeros: true, scores_without_match: true, ..PLAIN },
    Facts { name: "skip-zero", skips_zeros: true, scores_without_match: true, ..PLAIN },
    Facts { name: "compare-mt", skips_zeros: true, ..PLAIN },
    Facts { name: "method0", rule: Rule::Method0, ..NLTK },
    Facts { name: "method1", rule: Rule::Floor, value: 0.1, takes_value: true, ..NLTK },
    Facts { name: "method2", rule: Rule::Method2, ..NLTK },
    Facts { name: "method3", rule: Rule::Exp, ..NLTK },
    Facts { name: "method4", rule: Rule::Method4, value: 5.0, takes_value: true, divides_by_value: true, ..NLTK },
    Facts { name: "method5", rule: Rule::Method5, needs_next_order: true, sentence_only: true, ..NLTK },
    Facts { name: "method6", rule: Rule::Method6, value: 5.0, takes_value: true, sentence_only: true, ..NLTK },
    Facts { name: "method7", rule: Rule::Method7, value: 5.0, takes_value: true, divides_by_value: true, needs_next_order: true, sentence_only: true, ..NLTK },
];

/// A smoothing with its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Smoothing {
    facts: &'static Facts,
    value: f64,
}

impl Smoothing {
    /// The smoothing with this name, with `value` or its default.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownName`] if there is none, [`Error::InvalidSetting`] if it does not take this
    /// value.
    pub fn named(name: &str, value: Option<f64>) -> Result<Self, Error> {
        let facts = SMOOTHINGS.iter().find(|facts| facts.name == name);
        let facts = facts.ok_or_else(|| Error::UnknownName {
            what: "smoothing",
            name: name.to_owned(),
        })?;
        let problem = match value {
            Some(value) if !facts.takes_value => Some(format!(
                "smoothing {name:?} takes no smooth_value, but {value} was given"
            )),
            Some(value) if !(value.is_finite() && value >= 0.0) => Some(format!(
                "smooth_value is {value}; a finite number from 0 up is needed"
            )),
            Some(0.0) if facts.divides_by_value => Some(format!(
                "smooth_value is 0; smoothing {name:?} divides by it"
            )),
            _ => None,
        };
        match problem {
            Some(problem) => Err(Error::InvalidSetting(problem)),
            None => Ok(Self {
                facts,
                value: value.unwrap_or(facts.value),
            }),
        }
    }

    /// The rule.
    #[must_use]
    pub fn rule(self) -> Rule {
        self.facts.rule
    }

    /// The k of the rule.
    #[must_use]
    pub fn value(self) -> f64 {
        self.value
    }

    /// Whether it makes sense only for single sentences.
    #[must_use]
    pub fn sentence_only(self) -> bool {
        self.facts.sentence_only
    }

    /// Whether the rule needs counts of one order more than the score uses.
    #[must_use]
    pub fn needs_next_order(self) -> bool {
        self.facts.needs_next_order
    }

    /// Whether precisions change only if some order has no match.
    #[must_use]
    pub fn only_replaces_zeros(&self) -> bool {
        let rules = [Rule::None, Rule::Floor, Rule::Exp, Rule::Method0];
        rules.contains(&self.facts.rule)
    }

    /// Whether precisions of 0 are left out of the mean, as if they were 100%.
    #[must_use]
    pub fn skips_zeros(self) -> bool {
        self.facts.skips_zeros
    }

    /// Whether a text without any match has a score above 0.
    #[must_use]
    pub fn scores_without_match(self) -> bool {
        self.facts.scores_without_match
    }

    /// Whether sacreBLEU has it.
    #[must_use]
    pub fn in_sacrebleu(self) -> bool {
        self.facts.in_sacrebleu
    }

    /// Fills in precisions from 0 to `scale`, one for each order; returns the number of orders that
    /// have n-grams.
    ///
    /// A scale of 100 gives sacreBLEU's floats. A scale of 1 gives the quotient of the counts to
    /// the last bit, which differs from a hundredth of the percentage for 2 of 7, for example.
    ///
    /// `matches` (a function of the order minus 1) and `totals` need as many orders, and one more
    /// if [`Smoothing::needs_next_order`]. With sacreBLEU's rules, precisions are 0 from the first
    /// order without n-grams (after smoothing) on.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
    pub fn precisions(
        self,
        scale: f64,
        matches: impl Fn(usize) -> f64,
        totals: &[i64],
        hyp_len: i64,
        precisions: &mut [f64],
    ) -> usize {
        let (rule, value) = (self.facts.rule, self.value);
        let counts_empty_orders = self.facts.counts_empty_orders;
        let max_order = precisions.len();
        precisions.fill(0.0);
        let mut halvings = 1.0;
        let mut orders = 0;
        for n in 0..max_order {
            let (mut matched, mut total) = (matches(n), totals[n] as f64);
            if rule == Rule::AddK && n > 0 {
                matched += value;
                total += value;
            }
            if rule == Rule::AddOne {
                matched += 1.0;
                total += 1.0;
            }
            if total == 0.0 && !counts_empty_orders {
                break;
            }
            if totals[n] > 0 || total > 0.0 {
                orders = n + 1;
            }
            if counts_empty_orders {
                total = total.max(1.0);
            }
            if matched == 0.0 {
                halvings *= 2.0;
            }
            precisions[n] = match rule {
                Rule::Exp if matched == 0.0 => scale / (halvings * total),
                Rule::Floor if matched == 0.0 => scale * value / total,
                Rule::Method0 if matched == 0.0 => scale * f64::MIN_POSITIVE,
                Rule::Method2 if n > 0 => scale * (matched + 1.0) / (total + 1.0),
                Rule::Method4 | Rule::Method7 if matched == 0.0 && hyp_len > 1 => {
                    scale * ln(hyp_len as f64) / (halvings * value * total)
                }
                _ => scale * matched / total,
            };
        }
        match rule {
            Rule::Method5 | Rule::Method7 => {
                let next = scale * matches(max_order) / (totals[max_order] as f64).max(1.0);
                average_neighbors(precisions, scale, next);
            }
            Rule::Method6 => interpolate_prior(precisions, hyp_len, value),
            _ => {}
        }
        orders
    }
}

/// Method 5: from left to right, each precision becomes the mean of three.
fn average_neighbors(precisions: &mut [f64], scale: f64, next: f64) {
    let Some(first) = precisions.first() else {
        return;
    };
    let mut before = first + scale;
    for n in 0..precisions.len() {
        let after = precisions.get(n + 1).copied().unwrap_or(next);
        precisions[n] = (before + precisions[n] + after) / 3.0;
        before = precisions[n];
    }
}

/// Method 6: from order 3 up, adds alpha virtual n-grams, with the precision predicted by the ratio
/// of the two orders below. The n-grams of the sentence are counted without phantoms, as in NLTK.
#[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
fn interpolate_prior(precisions: &mut [f64], hyp_len: i64, alpha: f64) {
    let mut total = hyp_len - 1;
    for n in 2..precisions.len() {
        total -= 1;
        let (two_below, below) = (precisions[n - 2], precisions[n - 1]);
        let prior = if two_below == 0.0 {
            0.0
        } else {
            below * below / two_below
        };
        let weight = total.max(0) as f64 + alpha;
        if weight > 0.0 {
            precisions[n] += (prior - precisions[n]) * (alpha / weight);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names are unique, and values are accepted as the table says.
    #[test]
    fn values_are_accepted_as_the_table_says() {
        for facts in SMOOTHINGS {
            let named = |value| Smoothing::named(facts.name, value);
            assert_eq!(named(None).map(|smoothing| smoothing.facts), Ok(facts));
            assert_eq!(named(Some(2.5)).is_ok(), facts.takes_value);
            let zero = facts.takes_value && !facts.divides_by_value;
            assert_eq!(named(Some(0.0)).is_ok(), zero, "{}", facts.name);
            assert!(named(Some(-1.0)).is_err() && named(Some(f64::NAN)).is_err());
        }
        assert!(Smoothing::named("flor", None).is_err());
    }
}
