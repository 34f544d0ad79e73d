//! Random numbers: one generator per sample, so that samples can be drawn in any order.

use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};
use wide::u16x8;

use crate::memory::reserve;

/// The generator of a sample. The seed is mixed first, so that neighboring seeds do not share
/// samples.
pub fn generator(seed: u64, sample: u64) -> Xoshiro256PlusPlus {
    let mixed = SplitMix64::seed_from_u64(seed).next_u64();
    Xoshiro256PlusPlus::seed_from_u64(mixed.wrapping_add(sample))
}

/// Writes `count` numbers below `count`, each equally likely (Lemire 2019, *Fast random integer
/// generation in an interval*).
pub fn fill(random: &mut Xoshiro256PlusPlus, numbers: &mut Vec<u32>, count: u32) {
    numbers.clear();
    // The last draws may be of a few more.
    reserve(numbers, count as usize + u16x8::LANES as usize);
    match u16::try_from(count) {
        Ok(count) if count <= MOST_OF_16_BITS => fill_16(random, numbers, count),
        _ => fill_32(random, numbers, count),
    }
    // The last ones were drawn together with others.
    numbers.truncate(count as usize);
}

/// With more, numbers of 16 bits would be rejected too often.
const MOST_OF_16_BITS: u16 = 1 << 12;

fn fill_16(random: &mut Xoshiro256PlusPlus, numbers: &mut Vec<u32>, count: u16) {
    // Lemire's rejection threshold, 2^16 mod `count`: without rejection, some numbers would be more
    // likely than others.
    let uneven = count.wrapping_neg() % count;
    let (range, least) = (u16x8::splat(count), u16x8::splat(uneven));
    while numbers.len() < usize::from(count) {
        let bits: u16x8 = bytemuck::cast([random.next_u64(), random.next_u64()]);
        let (low, high) = (bits * range, bits.mul_keep_high(range));
        if low.max(least) == low {
            numbers.extend(high.to_array().map(u32::from));
        } else {
            let drawn = low.to_array().into_iter().zip(high.to_array());
            let accepted = drawn.filter(|&(low, _)| low >= uneven);
            numbers.extend(accepted.map(|(_, high)| u32::from(high)));
        }
    }
}

fn fill_32(random: &mut Xoshiro256PlusPlus, numbers: &mut Vec<u32>, count: u32) {
    let uneven = count.wrapping_neg() % count;
    while numbers.len() < count as usize {
        for bits in halves(random.next_u64()) {
            let [low, high] = halves(u64::from(bits) * u64::from(count));
            if low >= uneven {
                numbers.push(high);
            }
        }
    }
}

/// Puts items in a random order, each equally likely (Fisher and Yates, with Lemire's numbers).
pub fn shuffle<T>(random: &mut Xoshiro256PlusPlus, items: &mut [T]) {
    for last in (1..items.len()).rev() {
        let count = last as u64 + 1;
        let place = loop {
            let drawn = u128::from(random.next_u64()) * u128::from(count);
            #[expect(clippy::cast_possible_truncation, reason = "the halves of 128 bits")]
            let (high, low) = ((drawn >> 64) as usize, drawn as u64);
            // The threshold is below `count`, and a division takes as long as many draws.
            if low >= count || low >= count.wrapping_neg() % count {
                break high;
            }
        };
        items.swap(last, place);
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the halves of 64 bits")]
fn halves(bits: u64) -> [u32; 2] {
    [bits as u32, (bits >> 32) as u32]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each of the 24 orders of four items is equally likely.
    #[test]
    fn every_order_is_equally_likely() {
        let times = 10_000;
        let mut drawn = std::collections::HashMap::new();
        for sample in 0..24 * times {
            let mut items = [0, 1, 2, 3];
            shuffle(&mut generator(0, sample), &mut items);
            *drawn.entry(items).or_insert(0_u64) += 1;
        }
        assert_eq!(drawn.len(), 24);
        assert!((drawn.values()).all(|count| count.abs_diff(times).pow(2) < 25 * times));
    }
}
