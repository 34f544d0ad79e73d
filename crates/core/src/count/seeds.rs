//! Hashing with random seeds, so that no input can force collisions.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

/// Two random odd numbers.
#[derive(Clone, Copy, Debug)]
pub struct Seeds(u64, u64);

impl Seeds {
    /// Draws both numbers.
    #[must_use]
    pub fn random() -> Self {
        let state = RandomState::new();
        Self(state.hash_one(0) | 1, state.hash_one(1) | 1)
    }

    /// Other seeds, always the same ones for these.
    #[must_use]
    pub fn other(self) -> Self {
        Self(self.mix(1, 2) | 1, self.mix(3, 4) | 1)
    }

    /// Both numbers.
    #[must_use]
    pub fn numbers(self) -> (u64, u64) {
        (self.0, self.1)
    }

    /// Hashes two numbers quickly: the highest bits depend on every bit of both, the lowest do not.
    #[inline(always)]
    #[must_use]
    pub fn scatter(self, a: u64, b: u64) -> u64 {
        a.wrapping_mul(self.0).wrapping_add(b.wrapping_mul(self.1))
    }

    /// Hashes two numbers: the two halves of a product, folded, so that every bit of both affects
    /// every bit.
    #[inline(always)]
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
    pub fn mix(self, a: u64, b: u64) -> u64 {
        let product = u128::from(a ^ self.0) * u128::from(b ^ self.1);
        (product >> 64) as u64 ^ product as u64
    }

    /// Hashes a number and bytes.
    // Not inlined, to keep loops small: about one word in 50 is long.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn mix_all(self, number: u64, bytes: &[u8]) -> u64 {
        bytes.chunks(8).fold(number, |hash, chunk| {
            let mut bytes = [0; 8];
            bytes[..chunk.len()].copy_from_slice(chunk);
            self.mix(hash, u64::from_le_bytes(bytes))
        })
    }
}

/// The highest bits of a hash.
#[inline(always)]
pub fn highest(hash: u64) -> u16 {
    (hash >> 48) as u16
}

#[cfg(test)]
mod tests {
    use super::Seeds;

    #[test]
    fn small_numbers_have_hashes_of_their_own() {
        let seeds = Seeds(0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03);
        let mut hashes: Vec<u64> = (0..1 << 16)
            .map(|both| seeds.mix(both >> 8, both & 0xFF))
            .collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), 1 << 16);
    }
}
