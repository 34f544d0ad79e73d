//! Classifying 64 bytes at once.

mod baseline;
mod definition;
#[cfg(test)]
pub mod plain;
#[cfg(target_arch = "x86_64")]
mod x86;

use baseline::Baseline;
pub use definition::{BLOCK, Blocks};

use crate::processor::Level;
#[cfg(target_arch = "x86_64")]
use crate::processor::{Avx2, Avx512};

/// Work on blocks, compiled for each level. For that, `run` must be inlined always.
pub trait Work {
    /// What the work results in.
    type Output;

    /// Does the work.
    fn run(self, blocks: impl Blocks) -> Self::Output;
}

/// Does work as it is compiled for a level.
pub fn run<W: Work>(level: Level, work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn avx2<W: Work>(proof: Avx2, work: W) -> W::Output {
        work.run(proof)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,avx2,bmi1,bmi2,popcnt")]
    fn avx512<W: Work>(proof: Avx512, work: W) -> W::Output {
        work.run(proof)
    }

    match level {
        // SAFETY: `proof` proves the features.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(proof) => unsafe { avx512(proof, work) },
        // SAFETY: `proof` proves the features.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(proof) => unsafe { avx2(proof, work) },
        _ => work.run(Baseline),
    }
}

#[cfg(test)]
mod tests {
    use super::plain::Plain;
    use super::*;

    fn every_byte<const LATIN1: bool, B: Blocks>(blocks: B) {
        for byte in 0..=u8::MAX {
            for position in 0..BLOCK {
                for others in [b'x', b'.', 0xE2, 0xFF] {
                    let mut block = [others; BLOCK];
                    block[position] = byte;
                    assert_eq!(
                        blocks.marks::<LATIN1>(&block),
                        Plain.marks::<LATIN1>(&block),
                        "{byte:#x} at {position}"
                    );
                    assert_eq!(blocks.letters(&block), Plain.letters(&block));
                }
            }
        }
    }

    struct EveryByte;

    impl Work for EveryByte {
        type Output = ();

        fn run(self, blocks: impl Blocks) {
            every_byte::<false, _>(blocks);
            every_byte::<true, _>(blocks);
        }
    }

    #[test]
    fn every_byte_is_classified_at_every_position() {
        for level in Level::available() {
            run(level, EveryByte);
        }
    }

    struct ManyMasks;

    impl Work for ManyMasks {
        type Output = ();

        fn run(self, blocks: impl Blocks) {
            let mut bits: u64 = 1;
            let mut masks = vec![0, 1, u64::MAX, 1 << 63, 0xFFFF, 0x1_FFFF, u64::MAX << 47];
            for round in 0..2000 {
                bits = bits.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
                masks.push(bits);
                // Few bits, and many.
                masks.push(bits & bits.rotate_left(round % 64) & bits.rotate_left(7));
                masks.push(bits | bits.rotate_left(round % 64));
            }
            for bits in masks {
                let (mut found, mut expected) = ([0; BLOCK], [0; BLOCK]);
                blocks.positions(bits, 1 << 20, &mut found);
                Plain.positions(bits, 1 << 20, &mut expected);
                let count = bits.count_ones() as usize;
                assert_eq!(found[..count], expected[..count], "{bits:#x}");
            }
        }
    }

    #[test]
    fn positions_are_those_of_the_bits() {
        for level in Level::available() {
            run(level, ManyMasks);
        }
    }
}
