//! Tokens as numbers, and n-grams as numbers of one token beside the other.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "code points and numbers of words fit, and only the lowest bits of keys are meant"
)]

use std::ops::{BitOr, BitXor, Shl, Shr};

use crate::stop::stop_here;

/// A token as a number: a code point, or the number of a word.
pub trait Unit: Copy {
    /// The number.
    fn index(self) -> usize;
}

/// The numbers of an n-gram, one beside the other, above a bit that tells whether it is of the
/// reference.
pub trait Key:
    Copy
    + Default
    + Ord
    + From<u32>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    const MAX: Self;

    /// The lowest bits.
    fn low(self) -> usize;

    /// The number of its highest bit; it is not 0.
    fn highest_bit(self) -> u32;
}

macro_rules! units {
    ($($type:ty)*) => {$(
        impl Unit for $type {
            #[inline(always)]
            fn index(self) -> usize {
                self as usize
            }
        }
    )*};
}

macro_rules! keys {
    ($($type:ty)*) => {$(
        impl Key for $type {
            const MAX: Self = Self::MAX;

            #[inline(always)]
            fn low(self) -> usize {
                self as usize
            }

            #[inline(always)]
            fn highest_bit(self) -> u32 {
                self.ilog2()
            }
        }
    )*};
}

units!(u8 u16 u32 i64);
keys!(u64 u128);

/// Maximum number of bits by which keys are distributed at a time, and that of few keys, for which
/// counting the digits would take longer than another pass.
const DIGIT: u32 = 11;
const DIGIT_OF_FEW: u32 = 8;
const FEW: usize = 5 << 9;

/// Sorts keys by so many bits above the lowest, with a second buffer.
#[inline(always)]
pub fn sort<'a, K: Key>(mut keys: &'a mut [K], mut others: &'a mut [K], bits: u32) -> &'a [K] {
    let most = if keys.len() < FEW {
        DIGIT_OF_FEW
    } else {
        DIGIT
    };
    let passes = bits.div_ceil(most).max(1);
    let digit = bits.div_ceil(passes);
    let mut ends = [0_u32; 1 << DIGIT];
    let ends = &mut ends[..1 << digit];
    for pass in 0..passes {
        stop_here();
        let shift = 1 + digit * pass;
        let of = |key: K| (key >> shift).low() & ((1 << digit) - 1);
        ends.fill(0);
        for &key in &*keys {
            ends[of(key)] += 1;
        }
        let mut before = 0;
        for end in &mut *ends {
            before += std::mem::replace(end, before);
        }
        for &key in &*keys {
            let at = &mut ends[of(key)];
            others[*at as usize] = key;
            *at += 1;
        }
        std::mem::swap(&mut keys, &mut others);
    }
    keys
}
