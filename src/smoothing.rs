//! What to do about precisions of zero. Every smoothing, and its name, is in this file.

use crate::error::Error;

/// A rule that turns counts into precisions.
///
/// The first four are sacreBLEU's, `lin-och` is that of Lin and Och (2004), `nist` that of
/// `mteval-v13a.pl`, `skip-zero` that of many tutorials, `compare-mt` that of compare-mt; the others
/// are NLTK's `SmoothingFunction` (after Chen and Cherry 2014), under NLTK's names. NLTK counts an
/// order without any n-gram as 0 of 1; so do they.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Smoothing {
    /// Zero stays zero.
    None,
    /// Zero matches become the given number of matches.
    Floor(f64),
    /// The given number is added to matches and totals above order 1.
    AddK(f64),
    /// The k-th order without a match counts `2^-k` matches.
    Exp,
    /// The same from order 1 on, and orders without n-grams count as perfect.
    Nist,
    /// Orders without a match count as perfect: `if p` in the tutorials' sum of logarithms.
    SkipZero,
    /// The same, but 0 if no word matches.
    CompareMt,
    /// Zero matches become the smallest normal double.
    Method0,
    /// Zero matches become epsilon matches.
    Method1(f64),
    /// 1 is added to matches and totals above order 1.
    Method2,
    /// The k-th order without a match counts `2^-k` matches.
    Method3,
    /// As 3, scaled by `ln(hypothesis length) / K`.
    Method4(f64),
    /// The mean of the smoothed precision before, the own, and the next order's.
    Method5,
    /// Interpolation with a prior from the two orders before, of weight alpha.
    Method6(f64),
    /// 4, then 5; with the K of 4.
    Method7(f64),
}

impl Smoothing {
    /// Every smoothing: its name, and the value it takes if none is given.
    pub const ALL: [(&str, Option<f64>); 16] = [
        ("none", None),
        ("floor", Some(0.1)),
        ("add-k", Some(1.0)),
        ("exp", None),
        ("lin-och", None),
        ("nist", None),
        ("skip-zero", None),
        ("compare-mt", None),
        ("method0", None),
        ("method1", Some(0.1)),
        ("method2", None),
        ("method3", None),
        ("method4", Some(5.0)),
        ("method5", None),
        ("method6", Some(5.0)),
        ("method7", Some(5.0)),
    ];

    /// The smoothing of that name, with `value` or its usual value.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownName`], or [`Error::InvalidSetting`] if the smoothing takes no value or
    /// not this one.
    pub fn named(name: &str, value: Option<f64>) -> Result<Self, Error> {
        let unknown = || Error::UnknownName {
            what: "smoothing",
            name: name.to_owned(),
        };
        let (_, usual) = Self::ALL
            .iter()
            .find(|(known, _)| *known == name)
            .ok_or_else(unknown)?;
        let value = match (usual, value) {
            (None, Some(value)) => {
                return Err(Error::InvalidSetting(format!(
                    "smoothing {name:?} takes no smooth_value, but {value} was given"
                )));
            }
            (_, Some(value)) if !(value.is_finite() && value >= 0.0) => {
                return Err(Error::InvalidSetting(format!(
                    "smooth_value is {value}; a finite number from 0 up is needed"
                )));
            }
            (Some(usual), value) => value.unwrap_or(*usual),
            (None, None) => 0.0,
        };
        if matches!(name, "method4" | "method7") && value == 0.0 {
            return Err(Error::InvalidSetting(format!(
                "smooth_value is 0; smoothing {name:?} divides by it"
            )));
        }
        Ok(match name {
            "none" => Self::None,
            "floor" => Self::Floor(value),
            "add-k" => Self::AddK(value),
            "exp" => Self::Exp,
            "lin-och" => Self::AddK(1.0),
            "nist" => Self::Nist,
            "skip-zero" => Self::SkipZero,
            "compare-mt" => Self::CompareMt,
            "method0" => Self::Method0,
            "method1" => Self::Method1(value),
            "method2" => Self::Method2,
            "method3" => Self::Method3,
            "method4" => Self::Method4(value),
            "method5" => Self::Method5,
            "method6" => Self::Method6(value),
            "method7" => Self::Method7(value),
            _ => return Err(unknown()),
        })
    }

    /// Whether the rule looks one order further than the score goes.
    #[must_use]
    pub fn needs_next_order(self) -> bool {
        matches!(self, Self::Method5 | Self::Method7(_))
    }

    /// Whether precisions of 0 are left out of the mean, as if they were 100 %.
    #[must_use]
    pub fn skips_zeros(self) -> bool {
        matches!(self, Self::Nist | Self::SkipZero | Self::CompareMt)
    }

    /// Whether the rule makes something of a text of which no word matches.
    #[must_use]
    pub fn needs_no_match(self) -> bool {
        matches!(self, Self::Nist | Self::SkipZero)
    }

    /// Fills in precisions from 0 to `scale`, one for each order; returns how many of them have
    /// n-grams.
    ///
    /// 100 gives sacreBLEU's floats. 1 gives the quotient of the counts to the last bit, which a
    /// hundredth of the percentage misses for 2 of 7.
    ///
    /// `matches` (a function of the order minus 1) and `totals` know as many orders, and one more
    /// if [`Smoothing::needs_next_order`]. From the first order on that is without n-grams (after
    /// smoothing), sacreBLEU's rules leave the precisions at 0.
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
        let max_order = precisions.len();
        precisions.fill(0.0);
        let mut halvings = 1.0;
        let mut orders = 0;
        for n in 0..max_order {
            let (mut matched, mut total) = (matches(n), totals[n] as f64);
            if let Self::AddK(k) = self
                && n > 0
            {
                matched += k;
                total += k;
            }
            if total == 0.0 && !self.is_nltk() {
                break;
            }
            if totals[n] > 0 || total > 0.0 {
                orders = n + 1;
            }
            if self.is_nltk() {
                total = total.max(1.0);
            }
            if matched == 0.0 {
                halvings *= 2.0;
            }
            precisions[n] = match self {
                Self::Exp | Self::Nist | Self::Method3 if matched == 0.0 => {
                    scale / (halvings * total)
                }
                Self::Floor(value) if matched == 0.0 => scale * value / total,
                Self::Method0 if matched == 0.0 => scale * f64::MIN_POSITIVE,
                Self::Method1(epsilon) if matched == 0.0 => scale * epsilon / total,
                Self::Method2 if n > 0 => scale * (matched + 1.0) / (total + 1.0),
                Self::Method4(k) | Self::Method7(k) if matched == 0.0 && hyp_len > 1 => {
                    scale * (hyp_len as f64).ln() / (halvings * k * total)
                }
                // Dividing a sum by itself would do for whole numbers only.
                _ if matched == total => scale,
                _ => scale * matched / total,
            };
        }
        match self {
            Self::Method5 | Self::Method7(_) => {
                let next = scale * matches(max_order) / (totals[max_order] as f64).max(1.0);
                average_neighbours(precisions, scale, next);
            }
            Self::Method6(alpha) => interpolate_prior(precisions, totals, alpha),
            _ => {}
        }
        orders
    }

    fn is_nltk(self) -> bool {
        !matches!(
            self,
            Self::None
                | Self::Floor(_)
                | Self::AddK(_)
                | Self::Exp
                | Self::Nist
                | Self::SkipZero
                | Self::CompareMt
        )
    }
}

/// Method 5: from left to right, each precision becomes the mean of three.
fn average_neighbours(precisions: &mut [f64], scale: f64, next: f64) {
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

/// Method 6: from order 3 up, alpha virtual n-grams at the precision that the ratio of the two
/// orders below predicts.
#[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
fn interpolate_prior(precisions: &mut [f64], totals: &[i64], alpha: f64) {
    for n in 2..precisions.len() {
        let (two_below, below) = (precisions[n - 2], precisions[n - 1]);
        let prior = if two_below == 0.0 {
            0.0
        } else {
            below * below / two_below
        };
        let weight = totals[n] as f64 + alpha;
        if weight > 0.0 {
            precisions[n] += (prior - precisions[n]) * (alpha / weight);
        }
    }
}
