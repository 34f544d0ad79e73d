//! Statistics of sums, and how often a random difference is as extreme as the observed one.

/// Computes a number from a sum of rows.
pub trait Statistic: Sync {
    /// The number for one sum, as everywhere else in the package.
    fn exact(&self, sum: &[i64]) -> f64;

    /// The numbers for many sums, to within a hundredth of what counts as a tie; faster.
    ///
    /// Sums are in columns: field `f` of sum `i` is at `f * numbers.len() + i`.
    fn compared(&self, columns: &[f64], numbers: &mut [f64]) {
        let count = numbers.len();
        for (index, number) in numbers.iter_mut().enumerate() {
            *number = self.exact(&sum_at(columns, count, index));
        }
    }
}

/// The sum at an index of `count` sums in columns.
#[expect(clippy::cast_possible_truncation, reason = "they are whole numbers")]
#[must_use]
pub fn sum_at(columns: &[f64], count: usize, index: usize) -> Vec<i64> {
    let column = columns.iter().skip(index).step_by(count);
    column.map(|&value| value as i64).collect()
}

impl<F: Fn(&[i64]) -> f64 + Sync> Statistic for F {
    fn exact(&self, sum: &[i64]) -> f64 {
        self(sum)
    }
}

/// Differences whose distance is at most this part of the two scores are tied: it allows for
/// rounding.
const TIE: f64 = 1e-12;

/// The observed scores of two systems, with which those of random swaps are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observed {
    difference: f64,
    tie: f64,
}

impl Observed {
    /// Of the scores of the first system and the second.
    pub fn new(first: f64, second: f64) -> Self {
        Self {
            difference: first - second,
            tie: TIE * (first.abs() + second.abs()),
        }
    }

    /// Whether a difference is at least as extreme: 1 if it is.
    pub fn tally(self, difference: f64) -> Tally {
        Tally {
            either: u64::from(difference.abs() >= self.difference.abs() - self.tie),
            higher: u64::from(difference >= self.difference - self.tie),
        }
    }
}

/// How many random differences are at least as extreme as the observed one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// In either direction.
    pub either: u64,
    /// In favor of the first system.
    pub higher: u64,
}

impl Tally {
    /// Adds the tally of other samples.
    pub fn add(&mut self, other: Self) {
        self.either += other.either;
        self.higher += other.higher;
    }
}
