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

    fn drawn(seed: u64, sample: u64, count: u32) -> Vec<u32> {
        let mut numbers = Vec::new();
        fill(&mut generator(seed, sample), &mut numbers, count);
        numbers
    }

    /// What a seed draws never changes: it is in published numbers. These were computed in Python,
    /// from the definitions of `SplitMix64` and xoshiro256++ and Lemire's Algorithm 5.
    #[test]
    fn a_seed_draws_the_same_for_ever() {
        let first = [
            1, 7, 10, 17, 12, 3, 1, 19, 6, 17, 3, 7, 4, 4, 5, 17, 11, 5, 4, 0,
        ];
        assert_eq!(drawn(12345, 0, 20), first);
        assert_eq!(drawn(12345, 3, 20)[..5], [6, 15, 16, 6, 17]);
        assert_eq!(drawn(12345, 0, 5000)[..5], [1818, 4305, 837, 4824, 4354]);
        // Of these, one of the first numbers is rejected, or is just not.
        assert_eq!(drawn(4, 0, 3000)[..5], [2323, 173, 1210, 2557, 1697]);
        assert_eq!(drawn(629, 0, 3000)[..5], [1124, 881, 1225, 2224, 152]);
        let many = drawn(2700, 0, 1_000_000);
        assert_eq!(many[..4], [221_347, 51_008, 206_788, 407_827]);
    }

    /// Without rejection, some of 3000 units would be drawn 4% less often than others.
    #[test]
    fn every_unit_is_equally_likely() {
        for (limit, times) in [(3, 10_000), (3000, 20_000), (5000, 4000)] {
            let mut drawn = vec![0; limit];
            let mut random = generator(0, 0);
            let mut numbers = Vec::new();
            for _ in 0..times {
                fill(
                    &mut random,
                    &mut numbers,
                    u32::try_from(limit).expect("small"),
                );
                assert_eq!(numbers.len(), limit);
                for &unit in &numbers {
                    drawn[unit as usize] += 1;
                }
            }
            assert_eq!(drawn.iter().sum::<usize>(), limit * times);
            // Five standard deviations.
            let far = |&&count: &&usize| count.abs_diff(times).pow(2) > 25 * times;
            assert_eq!(drawn.iter().filter(far).count(), 0);
        }
    }

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
