//! Soft pairwise accuracy (Thompson et al. 2024): how far the p-values of two metrics agree, on average
//! over pairs of systems.

use std::iter::repeat_n;
use std::ops::Range;

use super::table::{Table, pairs_of};
use super::variants::{Agreement, Average, LANES, Lanes, Variants};
use crate::error::Error;
use crate::memory::{listed, push, zeros};

/// Groups are segments.
pub struct Soft {
    /// Number of systems.
    count: usize,
    /// The p-values of the gold scores.
    expected: Vec<f64>,
}

/// For each pair of systems, in the order (1, 0), (2, 0), (2, 1) and so on: the sum of their
/// differences, and that of the squares; and, in samples, how many there are.
type Moments = (Vec<[Lanes; 2]>, Vec<Lanes>);

impl Soft {
    /// The p-values of pairs of systems.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if there are more systems than outputs, or those of a group are not in
    /// ascending order.
    pub fn new(table: &Table) -> Result<Self, Error> {
        let last = table.systems.iter().max();
        let count = last.map_or(0, |last| last.saturating_add(1));
        let mut groups = table.groups.iter();
        let are_ascending = |group: &Range<usize>| {
            let systems = &table.systems[group.clone()];
            systems.is_sorted_by(|one, other| one < other)
        };
        if count > table.gold.len() || !groups.all(are_ascending) {
            return Err(Error::BadTable);
        }
        let segments = table.segments.iter().max().map_or(0, |last| last + 1);
        let ones = listed(repeat_n([1.0; LANES], segments));
        let unchanged = zeros(table.gold.len());
        let variants = table.variants(&unchanged, 0, &ones);
        let mut soft = Self {
            count,
            expected: Vec::new(),
        };
        soft.expected = listed(soft.of_gold(&variants).into_iter().map(|p| p[0]));
        Ok(soft)
    }

    /// The p-values of the gold scores; NaN where two systems have no segment in common.
    #[inline(always)]
    fn of_gold(&self, variants: &Variants<'_>) -> Vec<Lanes> {
        let gold = |output| [variants.table.gold[output]; LANES];
        let (moments, counts) = self.moments::<true>(variants, gold);
        listed(moments.iter().zip(counts).map(|([sums, squares], counts)| {
            std::array::from_fn(|lane| {
                if counts[lane] > 0.0 {
                    p_value(sums[lane], squares[lane])
                } else {
                    f64::NAN
                }
            })
        }))
    }

    #[inline(always)]
    fn moments<const WEIGHTED: bool>(
        &self,
        variants: &Variants<'_>,
        score: impl Fn(usize) -> Lanes,
    ) -> Moments {
        let pairs = pairs_of(self.count);
        let mut moments = zeros::<[Lanes; 2]>(pairs);
        let mut counts = zeros::<Lanes>(if WEIGHTED { pairs } else { 0 });
        let mut scores = Vec::new();
        for group in &variants.table.groups {
            scores.clear();
            group
                .clone()
                .for_each(|output| push(&mut scores, score(output)));
            let systems = &variants.table.systems[group.clone()];
            let weights = variants.weight::<WEIGHTED>(group.start);
            for (one, &system) in systems.iter().enumerate() {
                for (other, &other_system) in systems[..one].iter().enumerate() {
                    let pair = pairs_of(system) + other_system;
                    let [sums, squares] = &mut moments[pair];
                    for lane in 0..LANES {
                        let difference = scores[other][lane] - scores[one][lane];
                        sums[lane] += weights[lane] * difference;
                        squares[lane] += weights[lane] * (difference * difference);
                    }
                    if WEIGHTED {
                        for (count, weight) in counts[pair].iter_mut().zip(weights) {
                            *count += weight;
                        }
                    }
                }
            }
        }
        (moments, counts)
    }
}

impl Agreement for Soft {
    #[inline(always)]
    fn of<const WEIGHTED: bool>(&self, variants: &Variants<'_>) -> Lanes {
        let (moments, _) = self.moments::<WEIGHTED>(variants, |output| variants.score(output));
        let of_gold = if WEIGHTED {
            self.of_gold(variants)
        } else {
            Vec::new()
        };
        let mut average = Average::new();
        for (pair, [sums, squares]) in moments.iter().enumerate() {
            let expected = of_gold.get(pair).copied();
            let expected = expected.unwrap_or([self.expected[pair]; LANES]);
            let distances = std::array::from_fn(|lane| {
                (p_value(sums[lane], squares[lane]) - expected[lane]).abs()
            });
            average.add(&distances, &[1.0; LANES]);
        }
        average.value().map(|distance| 1.0 - distance)
    }
}

/// The probability that random signs of some differences give at least their sum, in the normal
/// approximation; 1 if all are 0.
#[inline(always)]
pub fn p_value(sum: f64, squares: f64) -> f64 {
    if squares > 0.0 {
        normal_tail(sum / squares.sqrt())
    } else {
        1.0
    }
}

/// The probability of more than `z`, to within 1e-7 (Abramowitz and Stegun, 7.1.26).
#[inline(always)]
fn normal_tail(z: f64) -> f64 {
    let x = z.abs() * std::f64::consts::FRAC_1_SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let series = (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429)) * t - 0.284_496_736;
    // The coefficients add up to 0.999999999: without the last digits, 0 would have more than half.
    let tail = 0.500_000_000_5 * t * (0.254_829_592 + t * series) * (-x * x).exp();
    if z >= 0.0 { tail } else { 1.0 - tail }
}
