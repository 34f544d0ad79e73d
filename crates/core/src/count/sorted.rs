//! Counting the n-grams of characters that two long texts share: by sorting.
//!
//! Each position of both texts gets a key, made of the characters of the longest n-gram that starts
//! there, the first one highest. In sorted order, equal n-grams of *every* order are neighbours, so
//! one pass counts all orders, in time that does not depend on how often a character occurs.

use super::parts::{self, Unit};
use super::positions::ORDERS;
use crate::processor::Level;
use crate::stop::{make_room, stop_here, stop_in};

/// Number of code points.
const CODE_POINTS: usize = 0x11_0000;

/// What stands for a character that only the hypothesis has, and for the end of the hypothesis.
const ONLY_HYPOTHESIS: u16 = 0;

/// What stands for a character that only the reference has, and for the end of the reference.
const ONLY_REFERENCE: u16 = 1;

/// Number of shared characters that are numbered.
const MOST_SHARED: u16 = u16::MAX - ONLY_REFERENCE;

/// The bit of a key that tells whether it is of the reference. The n-gram is above it.
const IS_REFERENCE: u64 = 1;

/// Number of bits by which keys are distributed at a time.
const DIGIT: u32 = 11;

/// Counts the n-grams of up to `ORDERS` characters that two texts share.
#[derive(Debug)]
pub struct Sorted {
    level: Level,
    /// The number of each code point that both texts have. Most of this memory is never touched.
    numbers: Box<[u16]>,
    keys: Vec<u64>,
    /// Where keys are distributed to.
    others: Vec<u64>,
}

impl Default for Sorted {
    fn default() -> Self {
        Self::at(Level::current())
    }
}

impl Sorted {
    /// With loops that are compiled for this level.
    #[must_use]
    pub fn at(level: Level) -> Self {
        Self {
            level,
            numbers: vec![0; CODE_POINTS].into_boxed_slice(),
            keys: Vec::new(),
            others: Vec::new(),
        }
    }

    /// Counts the clipped matches of order 1, 2, … of a hypothesis and a reference.
    ///
    /// Returns false, and counts nothing, if the texts share so many characters that the longest
    /// n-grams do not fit into a key: few positions have the same character, then.
    pub fn clipped_matches<U: Unit>(&mut self, texts: [&[U]; 2], matches: &mut [i64]) -> bool {
        let shared = self.number(texts);
        let orders = u32::try_from(matches.len()).unwrap_or(u32::MAX);
        let bits = u16::BITS - (shared + ONLY_REFERENCE).leading_zeros();
        let fits = (1..=ORDERS).contains(&matches.len()) && bits * orders < u64::BITS;
        if fits {
            let all = texts[0].len() + texts[1].len();
            make_room(&mut self.keys, all);
            make_room(&mut self.others, all);
            let (first, second) = self.keys[..all].split_at_mut(texts[0].len());
            write_keys(
                texts[0],
                &self.numbers,
                ONLY_HYPOTHESIS,
                [bits, orders],
                first,
            );
            write_keys(
                texts[1],
                &self.numbers,
                ONLY_REFERENCE,
                [bits, orders],
                second,
            );
            self.sort(all, bits * orders);
            match self.level {
                // SAFETY: the level proves the features.
                #[cfg(target_arch = "x86_64")]
                Level::Avx2(_) | Level::Avx512(_) => unsafe {
                    count_avx2(&self.keys[..all], bits, matches);
                },
                _ => count(&self.keys[..all], bits, matches),
            }
        }
        for text in texts {
            for (step, &unit) in text.iter().enumerate() {
                stop_in(step);
                self.numbers[unit.index()] = 0;
            }
        }
        fits
    }

    /// The same, or in parts if that does not work, or where memory matters.
    pub fn matches_or_in_parts<U: Unit>(&mut self, texts: [&[U]; 2], matches: &mut [i64]) -> bool {
        let few = texts[0].len() + texts[1].len() < parts::LONG;
        few && self.clipped_matches(texts, matches) || parts::clipped_matches(texts, matches)
    }

    /// Numbers the characters that both texts have, from 2 on; returns how many there are.
    fn number<U: Unit>(&mut self, [hypothesis, reference]: [&[U]; 2]) -> u16 {
        for (step, &unit) in reference.iter().enumerate() {
            stop_in(step);
            self.numbers[unit.index()] = ONLY_REFERENCE;
        }
        let mut shared = 0;
        for (step, &unit) in hypothesis.iter().enumerate() {
            stop_in(step);
            let number = &mut self.numbers[unit.index()];
            // With more, no key has room.
            if *number == ONLY_REFERENCE && shared < MOST_SHARED {
                shared += 1;
                *number = ONLY_REFERENCE + shared;
            }
        }
        shared
    }

    /// Sorts the first keys by so many bits above the lowest.
    fn sort(&mut self, all: usize, bits: u32) {
        for shift in (1..=bits).step_by(DIGIT as usize) {
            stop_here();
            let (keys, others) = (&mut self.keys[..all], &mut self.others[..all]);
            #[expect(clippy::cast_possible_truncation, reason = "a digit is short")]
            let digit = |key: u64| (key >> shift) as usize % (1 << DIGIT);
            let mut ends = [0_usize; 1 << DIGIT];
            for &key in &*keys {
                ends[digit(key)] += 1;
            }
            let mut before = 0;
            for end in &mut ends {
                before += std::mem::replace(end, before);
            }
            for &key in &*keys {
                let at = &mut ends[digit(key)];
                others[*at] = key;
                *at += 1;
            }
            std::mem::swap(&mut self.keys, &mut self.others);
        }
    }
}

/// Writes the keys of a text, from its end on.
fn write_keys<U: Unit>(
    text: &[U],
    numbers: &[u16],
    end: u16,
    [bits, orders]: [u32; 2],
    keys: &mut [u64],
) {
    let place = |order| 1 + bits * order;
    let origin = if end == ONLY_REFERENCE {
        IS_REFERENCE
    } else {
        0
    };
    let mut ngram = (0..orders).fold(0, |ngram, order| ngram | u64::from(end) << place(order));
    for (step, (key, unit)) in keys.iter_mut().zip(text).rev().enumerate() {
        stop_in(step);
        let first = u64::from(numbers[unit.index()]) << place(orders - 1);
        ngram = first | ngram >> bits & !IS_REFERENCE;
        *key = ngram | origin;
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn count_avx2(keys: &[u64], bits: u32, matches: &mut [i64]) {
    count(keys, bits, matches);
}

/// Counts what neighbours have in common.
///
/// Where an n-gram ends, the smaller of the numbers of its occurrences in the hypothesis and in the
/// reference is its clipped count.
#[inline(always)]
fn count(keys: &[u64], bits: u32, matches: &mut [i64]) {
    let orders = matches.len();
    // By the highest bit in which neighbours differ: for each order, whether its n-grams differ.
    let mut differing = [[0_u32; ORDERS]; u64::BITS as usize];
    for (bit, differing) in differing.iter_mut().enumerate().skip(1) {
        let same = (orders - 1).saturating_sub((bit - 1) / bits as usize);
        differing[same..].fill(u32::MAX);
    }
    let mut before = Before::default();
    let (mut all, mut references) = (0, 0);
    for (index, &key) in keys.iter().enumerate() {
        stop_in(index);
        all += 1;
        references += (key & IS_REFERENCE) as u32;
        let difference = keys.get(index + 1).map_or(u64::MAX, |next| key ^ next);
        before.end(
            all,
            references,
            &differing[(difference | IS_REFERENCE).ilog2() as usize],
        );
    }
    for (total, matched) in matches.iter_mut().zip(before.matched) {
        *total = matched.into();
    }
}

/// For each order, what was counted before the present n-gram began.
#[derive(Default)]
struct Before {
    all: [u32; ORDERS],
    references: [u32; ORDERS],
    matched: [u32; ORDERS],
}

impl Before {
    /// Ends the n-grams of the orders that have all bits set in `ends`.
    #[inline(always)]
    fn end(&mut self, all: u32, references: u32, ends: &[u32; ORDERS]) {
        for (n, ends) in ends.iter().enumerate() {
            let of_reference = references - self.references[n];
            let of_hypothesis = all - self.all[n] - of_reference;
            self.matched[n] += of_hypothesis.min(of_reference) & ends;
            self.all[n] += (all - self.all[n]) & ends;
            self.references[n] += of_reference & ends;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::{Counter, Tokens};

    /// At all levels, with few and many characters, at every order: as many matches as the counter of
    /// tokens finds, or none where keys have no room.
    #[test]
    fn equal_to_the_counter() {
        let mut all: Vec<_> = Level::available().into_iter().map(Sorted::at).collect();
        let mut counter = Counter::default();
        let mut random: u64 = 7;
        let mut text = |length: usize, distinct: u64| -> Vec<i64> {
            let mut c = 0;
            let character = |_| {
                random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(3);
                // Two of three continue as the alphabet does, so that long n-grams are shared.
                c = if random >> 63 == 0 {
                    (random >> 33) % distinct
                } else {
                    (c + 1) % distinct
                };
                // From both ends of what there is.
                (if c.is_multiple_of(2) {
                    c
                } else {
                    0x10_FFFF - c
                })
                .cast_signed()
            };
            (0..length).map(character).collect()
        };
        for distinct in [1, 2, 3, 61, 62, 63, 300, 2000, 70_000] {
            for (length, other) in [
                (0, 0),
                (0, 9),
                (9, 0),
                (1, 1),
                (5, 700),
                (700, 650),
                (9000, 8000),
            ] {
                let texts = [text(length, distinct), text(other, distinct)];
                for orders in 1..=ORDERS + 1 {
                    let mut expected = vec![0; orders];
                    counter.start(Tokens::Ids(&texts[0]), orders);
                    counter.reference(Tokens::Ids(&texts[1]));
                    counter.clipped_matches(&mut expected);
                    for sorted in &mut all {
                        let mut matches = vec![-1; orders];
                        let texts = texts.each_ref().map(Vec::as_slice);
                        if sorted.clipped_matches(texts, &mut matches) {
                            assert_eq!(matches, expected, "{distinct} {length} {other}");
                        } else {
                            assert!(orders > ORDERS || distinct >= 63, "{distinct} {orders}");
                        }
                        assert!(sorted.numbers.iter().all(|&number| number == 0));
                    }
                }
            }
        }
        assert!(!all[0].clipped_matches::<i64>([&[], &[]], &mut []));
    }
}
