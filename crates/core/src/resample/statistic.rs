//! Statistics of sums.

/// Computes a number from a sum of rows.
pub trait Statistic: Sync {
    /// The number for one sum.
    fn of(&self, sum: &[i64]) -> f64;
}

impl<F: Fn(&[i64]) -> f64 + Sync> Statistic for F {
    fn of(&self, sum: &[i64]) -> f64 {
        self(sum)
    }
}
