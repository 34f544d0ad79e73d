//! Scores in some samples, or after some swaps, side by side.

use std::ops::Range;

use super::table::Table;

/// Samples or swaps that are computed side by side.
pub const LANES: usize = 16;

/// A number for each of them.
pub type Lanes = [f64; LANES];

/// The scores of a metric in some samples, or after some swaps.
pub struct Variants<'a> {
    pub table: &'a Table,
    metric: usize,
    /// For each output, a bit per swap: where it is 1, the output has the other metric's score.
    pub swaps: &'a [u32],
    /// For each segment, how often a sample has it.
    weights: &'a [Lanes],
}

impl Table {
    /// The scores of a metric: after these swaps, or in samples with these weights.
    pub(super) const fn variants<'a>(
        &'a self,
        swaps: &'a [u32],
        metric: usize,
        weights: &'a [Lanes],
    ) -> Variants<'a> {
        Variants {
            table: self,
            metric,
            swaps,
            weights,
        }
    }
}

impl Variants<'_> {
    /// Whether the score of the first metric is where the swap is 1.
    pub const fn is_second(&self) -> bool {
        self.metric == 1
    }

    #[inline(always)]
    pub fn score(&self, output: usize) -> Lanes {
        let [own, swapped] = [self.metric, 1 - self.metric]
            .map(|metric| self.table.scores[metric][output].to_bits());
        let masks = masks(self.swaps[output]);
        masks.map(|mask| f64::from_bits(own ^ (own ^ swapped) & mask))
    }

    #[inline(always)]
    pub fn weight<const WEIGHTED: bool>(&self, output: usize) -> Lanes {
        if WEIGHTED {
            self.weights[self.table.segments[output]]
        } else {
            [1.0; LANES]
        }
    }

    /// How often a group counts: as often as its segment, if it has only one.
    #[inline(always)]
    pub fn weight_of<const WEIGHTED: bool>(&self, group: &Range<usize>) -> Lanes {
        if self.table.is_by_segment {
            self.weight::<WEIGHTED>(group.start)
        } else {
            [1.0; LANES]
        }
    }
}

/// For each lane, all bits if its bit is 1, and else none: compilers turn that into vectors.
#[inline(always)]
pub fn masks(bits: u32) -> [u64; LANES] {
    std::array::from_fn(|lane| (u64::from(bits) >> lane & 1).wrapping_neg())
}

/// How a measure is computed. `of` must be inlined always.
pub trait Agreement: Sync {
    /// The value in each lane, NaN where it is undefined; without weights, all are 1.
    fn of<const WEIGHTED: bool>(&self, variants: &Variants<'_>) -> Lanes;
}

/// Averages over groups, of what is defined.
pub struct Average {
    sums: Lanes,
    weights: Lanes,
}

impl Average {
    pub const fn new() -> Self {
        Self {
            sums: [0.0; LANES],
            weights: [0.0; LANES],
        }
    }

    #[inline(always)]
    pub fn add(&mut self, values: &Lanes, weights: &Lanes) {
        for lane in 0..LANES {
            let defined = !values[lane].is_nan();
            self.sums[lane] += if defined {
                values[lane] * weights[lane]
            } else {
                0.0
            };
            self.weights[lane] += if defined { weights[lane] } else { 0.0 };
        }
    }

    #[inline(always)]
    pub fn value(&self) -> Lanes {
        std::array::from_fn(|lane| self.sums[lane] / self.weights[lane])
    }
}
