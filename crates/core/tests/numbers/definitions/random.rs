//! Pseudo-random numbers for cases that are the same in every run.

/// A linear congruential generator (Knuth's MMIX), of which the high bits are used.
pub struct Random(pub u64);

impl Random {
    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % limit
    }

    /// One of some values.
    pub fn of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    /// `length` numbers below `distinct`.
    pub fn ids(&mut self, length: usize, distinct: usize) -> Vec<i64> {
        let id = |_| i64::try_from(self.below(distinct)).expect("31 bits");
        (0..length).map(id).collect()
    }
}
