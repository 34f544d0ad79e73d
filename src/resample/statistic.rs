//! Statistics of sums, and how often a random difference is as extreme as the observed one.

/// Computes a number from a sum of rows.
pub type Statistic<'a> = &'a (dyn Fn(&[i64]) -> f64 + Sync);

/// Two differences closer than this are tied: rounding error, on a scale of 100.
const TIE: f64 = 1e-10;

/// How many random differences are at least as extreme as the observed one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// In either direction.
    pub either: u64,
    /// In favor of the first system.
    pub higher: u64,
}

impl Tally {
    /// Compares a random difference with the observed one.
    pub fn count(&mut self, difference: f64, observed: f64) {
        self.either += u64::from(difference.abs() >= observed.abs() - TIE);
        self.higher += u64::from(difference >= observed - TIE);
    }

    /// Adds the tally of other samples.
    pub fn add(&mut self, other: Self) {
        self.either += other.either;
        self.higher += other.higher;
    }
}
