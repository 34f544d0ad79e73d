//! Whether something holds for two outputs, for many draws at once: a polynomial over their bits.

use super::counter::Bits;

/// A function of the bits that say whether the scores of two outputs change places, as a polynomial
/// modulo 2: the coefficients of 1, of each bit, and of their product are its bits 0 to 3.
#[derive(Clone, Copy, Debug)]
pub struct Polynomial(u8);

impl Polynomial {
    /// The polynomial with the value of `holds` for each of the four cases.
    #[inline(always)]
    pub fn of(holds: impl Fn(usize, usize) -> bool) -> Self {
        let value = |one, other| u8::from(holds(one, other));
        let (none, one, other, both) = (value(0, 0), value(1, 0), value(0, 1), value(1, 1));
        Self(none | (none ^ one) << 1 | (none ^ other) << 2 | (none ^ one ^ other ^ both) << 3)
    }

    /// Its values for the first metric and for the second, whose scores are the others.
    #[inline(always)]
    pub fn values(self, one: &Bits, other: &Bits) -> [Bits; 2] {
        let [free, by_one, by_other, by_both] = MASKS[usize::from(self.0 & 15)];
        let value = |x: u64, y: u64| free ^ (x & by_one) ^ (y & (by_other ^ (x & by_both)));
        [
            std::array::from_fn(|word| value(one[word], other[word])),
            std::array::from_fn(|word| value(!one[word], !other[word])),
        ]
    }
}

/// For all coefficients: all ones where it is 1.
const MASKS: [[u64; 4]; 16] = {
    let mut masks = [[0; 4]; 16];
    let mut place = 0;
    while place < 64 {
        if (place / 4) >> (place % 4) & 1 == 1 {
            masks[place / 4][place % 4] = u64::MAX;
        }
        place += 1;
    }
    masks
};
