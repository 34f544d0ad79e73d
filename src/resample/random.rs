//! Random numbers: one generator per sample, so that samples can be drawn in any order.

use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

/// The generator of a sample. The seed is mixed first, so that neighboring seeds do not share
/// samples.
pub fn generator(seed: u64, sample: u64) -> Xoshiro256PlusPlus {
    let mixed = SplitMix64::seed_from_u64(seed).next_u64();
    Xoshiro256PlusPlus::seed_from_u64(mixed.wrapping_add(sample))
}

/// A number below `limit`, each equally likely (Lemire 2019, *Fast random integer generation in an
/// interval*).
#[expect(
    clippy::cast_possible_truncation,
    reason = "the halves of the product; the upper one is below `limit`"
)]
#[inline]
pub fn below(random: &mut Xoshiro256PlusPlus, limit: usize) -> usize {
    let limit = limit as u64;
    loop {
        let product = u128::from(random.next_u64()) * u128::from(limit);
        let (high, low) = ((product >> 64) as u64, product as u64);
        if low >= limit || low >= limit.wrapping_neg() % limit {
            return high as usize;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_is_equally_likely() {
        let mut drawn = [0; 3];
        let mut random = generator(0, 0);
        for _ in 0..30_000 {
            drawn[below(&mut random, 3)] += 1;
        }
        assert!(
            drawn
                .iter()
                .all(|&count: &i32| (count - 10_000).abs() < 300)
        );
    }
}
