//! Counting the n-grams that two very long texts share, in little memory.
//!
//! One order is counted after the other, and the n-grams of an order in parts: the hash of an n-gram
//! decides to which part it belongs, and for each part both texts are read again. Clipped matches of
//! parts add up, so that only the table of one part is in memory.
//!
//! Texts are numbers of a few bits, such as code points. A key is made of all numbers of an n-gram,
//! so that equal keys are equal n-grams.

use super::seeds::Seeds;
use crate::stop::{make_room, stop_in};

/// Number of tokens of both texts together from which on they are counted in parts.
pub const LONG: usize = 1 << 20;

/// Number of tokens of both texts for each n-gram of a part.
const TOKENS_PER_GRAM: usize = 16;

/// Number of n-grams of a part, if there are as many.
const SMALLEST_PART: usize = 1 << 16;

/// A token as a number.
pub trait Unit: Copy {
    /// The number.
    fn number(self) -> u64;

    /// The number of a code point as an index.
    #[expect(clippy::cast_possible_truncation, reason = "code points have 21 bits")]
    fn index(self) -> usize {
        self.number() as usize
    }
}

impl Unit for u8 {
    fn number(self) -> u64 {
        self.into()
    }
}

impl Unit for u16 {
    fn number(self) -> u64 {
        self.into()
    }
}

impl Unit for u32 {
    fn number(self) -> u64 {
        self.into()
    }
}

impl Unit for i64 {
    fn number(self) -> u64 {
        self.cast_unsigned()
    }
}

/// All numbers of an n-gram, one beside the other.
trait Key: Copy + Default + Eq {
    const BITS: u32;

    /// The key of the lowest `bits` bits.
    fn lowest(bits: u32) -> Self;

    /// Appends a number, and removes what is not in the mask.
    fn append(self, number: u64, bits: u32, mask: Self) -> Self;

    fn hash(self, seeds: Seeds) -> u64;
}

impl Key for u64 {
    const BITS: u32 = Self::BITS;

    fn lowest(bits: u32) -> Self {
        Self::MAX >> (Self::BITS - bits)
    }

    #[inline(always)]
    fn append(self, number: u64, bits: u32, mask: Self) -> Self {
        (self << bits | number) & mask
    }

    #[inline(always)]
    fn hash(self, seeds: Seeds) -> u64 {
        seeds.mix(self, 0)
    }
}

impl Key for u128 {
    const BITS: u32 = Self::BITS;

    fn lowest(bits: u32) -> Self {
        Self::MAX >> (Self::BITS - bits)
    }

    #[inline(always)]
    fn append(self, number: u64, bits: u32, mask: Self) -> Self {
        (self << bits | Self::from(number)) & mask
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
    fn hash(self, seeds: Seeds) -> u64 {
        seeds.mix(seeds.mix(self as u64, 0), (self >> 64) as u64)
    }
}

/// Counts the clipped matches of order 1, 2, … of a hypothesis and one reference.
///
/// Returns false, and counts nothing, if the numbers of the longest n-grams do not fit into a key.
pub fn clipped_matches<U: Unit>(texts: [&[U]; 2], matches: &mut [i64]) -> bool {
    let largest_part = (texts[0].len() + texts[1].len()) / TOKENS_PER_GRAM;
    clipped_matches_in(texts, matches, largest_part.max(SMALLEST_PART))
}

/// The same, with about `part` n-grams in each part.
fn clipped_matches_in<U: Unit>(texts: [&[U]; 2], matches: &mut [i64], part: usize) -> bool {
    let all = |text: &[U]| {
        let numbers = text.iter().enumerate();
        numbers.fold(0, |all, (step, unit)| {
            stop_in(step);
            all | unit.number()
        })
    };
    let bits = u64::BITS - (all(texts[0]) | all(texts[1]) | 1).leading_zeros();
    let orders = u32::try_from(matches.len()).unwrap_or(u32::MAX);
    if bits > u32::BITS || bits.saturating_mul(orders) > <u128 as Key>::BITS {
        return false;
    }
    matches.fill(0);
    let (mut tokens, mut most) = (0, 1_usize << bits);
    for (order, matched) in (1..).zip(matches) {
        let parts = most.min(texts[0].len()).div_ceil(part);
        let distinct;
        (*matched, distinct) = if bits * order <= <u64 as Key>::BITS {
            count::<u64, U>(texts, order, bits, parts, part)
        } else {
            count::<u128, U>(texts, order, bits, parts, part)
        };
        if *matched == 0 {
            break;
        }
        if order == 1 {
            tokens = distinct;
        }
        most = distinct.saturating_mul(tokens);
    }
    true
}

/// The matches of one order, and how many distinct n-grams of it the hypothesis has.
fn count<K: Key, U: Unit>(
    [hypothesis, reference]: [&[U]; 2],
    order: u32,
    bits: u32,
    parts: usize,
    part: usize,
) -> (i64, usize) {
    let seeds = Seeds::random();
    let mask = K::lowest(bits * order);
    let (mut matched, mut distinct) = (0, 0);
    let mut table = Table::default();
    for current in 0..parts {
        table.reset(part);
        let mut each = |text: &[U], take: &mut dyn FnMut(&mut Table<K>, K, u64)| {
            let mut key = K::default();
            for (step, unit) in text.iter().enumerate() {
                stop_in(step);
                key = key.append(unit.number(), bits, mask);
                let (its_part, hash) = scale(key.hash(seeds), parts);
                if its_part == current && step + 1 >= order as usize {
                    take(&mut table, key, hash);
                }
            }
        };
        each(hypothesis, &mut |table, key, hash| {
            table.add(key, hash);
            table.grow_if_full(|key| scale(key.hash(seeds), parts).1);
        });
        each(reference, &mut |table, key, hash| {
            matched += i64::from(table.take(key, hash));
        });
        distinct += table.keys;
    }
    (matched, distinct)
}

/// Divides the hashes into `count` equal ranges; returns the number of the range, and where in it a
/// hash is, as another hash.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the two halves")]
fn scale(hash: u64, count: usize) -> (usize, u64) {
    let product = u128::from(hash) * count as u128;
    ((product >> 64) as usize, product as u64)
}

/// How often the hypothesis has each n-gram of a part that is not matched yet.
#[derive(Default)]
struct Table<K> {
    slots: Vec<Slot<K>>,
    /// Number of slots in use.
    keys: usize,
}

// Packed, because memory is what matters here.
#[derive(Clone, Copy, Default)]
#[repr(C, packed(4))]
struct Slot<K> {
    key: K,
    /// One more than what is not matched; 0 if the slot is empty.
    left: u32,
}

impl<K: Key> Table<K> {
    /// Clears the table, and makes room for so many keys.
    fn reset(&mut self, keys: usize) {
        self.keys = 0;
        self.slots.clear();
        make_room(&mut self.slots, keys + keys / 2 + 2);
    }

    /// The slot of a key, or the empty slot where it would go.
    #[inline(always)]
    fn slot(&mut self, key: K, hash: u64) -> &mut Slot<K> {
        let count = self.slots.len();
        let mut at = scale(hash, count).0;
        loop {
            let Slot { key: known, left } = self.slots[at];
            if left == 0 || known == key {
                return &mut self.slots[at];
            }
            at = if at + 1 == count { 0 } else { at + 1 };
        }
    }

    /// Adds an n-gram of the hypothesis.
    #[inline(always)]
    fn add(&mut self, key: K, hash: u64) {
        let slot = self.slot(key, hash);
        let is_new = slot.left == 0;
        let left = slot.left.max(1) + 1;
        *slot = Slot { key, left };
        self.keys += usize::from(is_new);
    }

    /// Matches an n-gram of the reference; returns whether one was left.
    #[inline(always)]
    fn take(&mut self, key: K, hash: u64) -> bool {
        let slot = self.slot(key, hash);
        let matched = slot.left > 1;
        slot.left -= u32::from(matched);
        matched
    }

    /// Doubles the table if it is nearly full, which parts of many n-grams hardly ever are.
    #[inline(always)]
    fn grow_if_full(&mut self, hash: impl Fn(K) -> u64) {
        if self.keys >= self.slots.len() - self.slots.len() / 8 - 1 {
            self.grow(hash);
        }
    }

    #[cold]
    fn grow(&mut self, hash: impl Fn(K) -> u64) {
        let mut larger = Self::default();
        larger.reset(2 * self.slots.len());
        for (step, &slot) in self.slots.iter().enumerate() {
            stop_in(step);
            if slot.left > 0 {
                *larger.slot(slot.key, hash(slot.key)) = slot;
            }
        }
        larger.keys = self.keys;
        *self = larger;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::{Counter, Tokens};

    /// As many matches as the counter of tokens finds, whatever the size of the parts.
    fn check<U: Unit + Into<i64>>(counter: &mut Counter, texts: [&[U]; 2], orders: usize) {
        let ids = texts.map(|text| text.iter().map(|&unit| unit.into()).collect::<Vec<i64>>());
        let mut expected = vec![-1; orders];
        counter.start(Tokens::Ids(&ids[0]), orders);
        counter.reference(Tokens::Ids(&ids[1]));
        counter.clipped_matches(&mut expected);
        for part in [1, 2, 5, 1000] {
            let mut matches = vec![-1; orders];
            assert!(clipped_matches_in(texts, &mut matches, part));
            assert_eq!(matches, expected, "{ids:?} in parts of {part}");
        }
    }

    fn sequence(mut number: u32, tokens: u32, length: usize) -> Vec<u32> {
        (0..length)
            .map(|_| {
                let token = number % tokens;
                number /= tokens;
                token
            })
            .collect()
    }

    /// For all short sequences over three tokens, empty ones and such with large numbers.
    #[test]
    fn equal_to_the_counter() {
        let mut counter = Counter::default();
        for number in 0..3_u32.pow(6) {
            let hypothesis = sequence(number, 3, 6);
            let reference = sequence(number * 7 + 5, 3, 9);
            check(&mut counter, [&hypothesis, &reference], 6);
            let large = |text: &[u32]| text.iter().map(|c| 0x10_FFFF - c).collect::<Vec<_>>();
            check(&mut counter, [&large(&hypothesis), &large(&reference)], 6);
            check(&mut counter, [&hypothesis[..2], &reference], 3);
            check(&mut counter, [&hypothesis, &[]], 2);
            check(&mut counter, [&[], &reference], 2);
        }
    }

    /// For texts of all numbers of distinct tokens, at every width of a key.
    #[test]
    fn long_texts() {
        let mut counter = Counter::default();
        let mut random: u64 = 5;
        let mut text = |length: usize, distinct: u64| -> Vec<u32> {
            let token = |_| {
                random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(3);
                u32::try_from((random >> 33) % distinct).expect("few")
            };
            (0..length).map(token).collect()
        };
        for bits in [1, 8, 10, 11, 16, 21] {
            let mut texts = [text(3000, 1 << bits), text(2900, 1 << bits)];
            let shared = texts[0][100..800].to_vec();
            texts[1][1000..1700].copy_from_slice(&shared);
            check(&mut counter, texts.each_ref().map(Vec::as_slice), 6);
        }
        // Much longer than a part, and one n-gram of each order.
        let texts = [vec![7_u32; 3000], vec![7; 2000]];
        check(&mut counter, texts.each_ref().map(Vec::as_slice), 6);
    }

    /// What does not fit into a key is not counted.
    #[test]
    fn other_numbers_are_refused() {
        for (large, orders, fits) in [
            (u32::MAX.into(), 4, true),
            (u32::MAX.into(), 5, false),
            (1 << 32, 1, false),
            (-1, 1, false),
            (1, 128, true),
            (1, 129, false),
        ] {
            let text = [0_i64, large];
            let mut matches = vec![-1; orders];
            assert_eq!(clipped_matches([&text, &text], &mut matches), fits);
            assert_eq!(matches[0], if fits { 2 } else { -1 });
        }
    }
}
