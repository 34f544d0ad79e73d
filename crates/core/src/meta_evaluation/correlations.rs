//! Pearson's correlation of scores, and of their differences.

use std::ops::Range;

use super::variants::{Agreement, Average, LANES, Lanes, Variants};

/// Beside the sum of their squares, deviations whose squares sum up to less are rounding.
const CONSTANT: f64 = 1e-12;

/// Pearson's r, averaged over groups.
pub struct Pearson;

impl Agreement for Pearson {
    #[inline(always)]
    fn of<const WEIGHTED: bool>(&self, variants: &Variants<'_>) -> Lanes {
        let mut average = Average::new();
        for group in &variants.table.groups {
            let r = Sums::of::<WEIGHTED>(variants, group).pearson();
            average.add(&r, &variants.weight_of::<WEIGHTED>(group));
        }
        average.value()
    }
}

/// Pearson's r of all differences within groups, in both directions.
pub struct Differences;

impl Agreement for Differences {
    #[inline(always)]
    fn of<const WEIGHTED: bool>(&self, variants: &Variants<'_>) -> Lanes {
        // Of differences, which have a mean of 0: their squares and products.
        let mut all = Sums::default();
        for group in &variants.table.groups {
            let own = Sums::of::<false>(variants, group);
            let weights = variants.weight_of::<WEIGHTED>(group);
            for lane in 0..LANES {
                let [n, x, y] = [own.n, own.x, own.y].map(|sums| sums[lane]);
                all.xx[lane] += weights[lane] * (n * own.xx[lane] - x * x);
                all.yy[lane] += weights[lane] * (n * own.yy[lane] - y * y);
                all.xy[lane] += weights[lane] * (n * own.xy[lane] - x * y);
                // Beside these, rounding is small.
                all.x[lane] += weights[lane] * n * own.xx[lane];
                all.y[lane] += weights[lane] * n * own.yy[lane];
            }
        }
        std::array::from_fn(|lane| {
            let of = |sums: &Lanes| sums[lane];
            let limits = [CONSTANT * of(&all.x), CONSTANT * of(&all.y)];
            r(of(&all.xy), [of(&all.xx), of(&all.yy)], limits)
        })
    }
}

/// The sums of weights, of gold scores x and others y, and of their products.
struct Sums {
    n: Lanes,
    x: Lanes,
    y: Lanes,
    xx: Lanes,
    yy: Lanes,
    xy: Lanes,
}

impl Default for Sums {
    fn default() -> Self {
        let [n, x, y, xx, yy, xy] = [[0.0; LANES]; 6];
        Self {
            n,
            x,
            y,
            xx,
            yy,
            xy,
        }
    }
}

impl Sums {
    #[inline(always)]
    fn of<const WEIGHTED: bool>(variants: &Variants<'_>, group: &Range<usize>) -> Self {
        let mut sums = Self::default();
        for output in group.clone() {
            let x = variants.table.gold[output];
            let (y, weights) = (variants.score(output), variants.weight::<WEIGHTED>(output));
            for lane in 0..LANES {
                let (weight, y) = (weights[lane], y[lane]);
                sums.n[lane] += weight;
                sums.x[lane] += weight * x;
                sums.y[lane] += weight * y;
                sums.xx[lane] += weight * (x * x);
                sums.yy[lane] += weight * (y * y);
                sums.xy[lane] += weight * (x * y);
            }
        }
        sums
    }

    #[inline(always)]
    fn pearson(&self) -> Lanes {
        std::array::from_fn(|lane| {
            let [n, x, y] = [self.n, self.x, self.y].map(|sums| sums[lane]);
            let [xx, yy, xy] = [self.xx, self.yy, self.xy].map(|sums| n * sums[lane]);
            let limits = [CONSTANT * xx, CONSTANT * yy];
            r(xy - x * y, [xx - x * x, yy - y * y], limits)
        })
    }
}

/// Pearson's r of squares and products; NaN if squares are no more than rounding.
#[inline(always)]
fn r(products: f64, [xx, yy]: [f64; 2], [x_limit, y_limit]: [f64; 2]) -> f64 {
    if xx > x_limit && yy > y_limit {
        (products / xx.sqrt() / yy.sqrt()).clamp(-1.0, 1.0)
    } else {
        f64::NAN
    }
}
