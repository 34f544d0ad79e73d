//! Counting the n-grams of up to six characters that two texts share: by lists, for each pair of
//! characters, of what follows it in the hypothesis.
//!
//! A line of the cache has fifteen places of a list, with the four characters that follow the pair
//! at each. So one comparison with the four that follow it in the reference tells at which places
//! longer n-grams begin, too. Of each order, one place is confirmed that was not confirmed yet: each
//! occurrence in the reference confirms at most one, and each in the hypothesis is confirmed at most
//! once. Single characters and pairs are only counted.
//!
//! Who uses it: paragraphs, which are the segments of WMT from 2024 on. Without it, chrF of documents
//! of eight sentences takes 3.0 times as long.

use bytemuck::Zeroable;
use wide::u8x16;

use super::lines::Lines;
use crate::memory::{self, reserve};
use crate::processor::Level;

/// The longest n-grams that are counted.
const ORDERS: usize = 6;

/// Number of lines: a hypothesis with fewer characters cannot need more.
const LINES: usize = 1 << 12;

/// Maximum number of characters of a reference: nothing stops the work on them.
const LONGEST_REFERENCE: usize = 1 << 14;

/// Number of slots of a line. The last one stays empty.
const SLOTS: usize = 16;

/// The same, as a number of a slot.
const IN_LINE: u16 = 16;

/// How often a hypothesis may have a pair whose list needs more than a line: what is repetitive is
/// sorted.
const MOST: u16 = 256;

/// The largest number of a character of the hypothesis. 0 is that of characters that only the
/// reference has, and of what is behind it.
const LAST: u32 = 253;

/// What is behind the hypothesis, and where a line has no place.
const END: u8 = 254;

/// Number of characters that are read at once: a pair, the four behind it, and two more.
const WINDOW: usize = 8;

/// The lowest bit, for each order from the third on, of those of a line: one for each place.
const EACH: u64 = 0x0001_0001_0001_0001;

/// The highest ones, which no place has.
const HIGHEST: u64 = EACH << 15;

/// Of these bits, that which tells whether the list has another line.
const CONTINUED: u64 = 1 << 15;

/// Counts the n-grams that two texts share.
#[derive(Debug)]
pub struct PairLists {
    level: Level,
    /// For each character, its number in the hypothesis.
    numbers: Box<[u8; 1 << 16]>,
    /// How often the hypothesis has each pair; then, how often it still has it.
    left: Box<[u16; 1 << 16]>,
    /// For each pair, and two bits of the number behind it, the first slot of its list that is free.
    free: Box<[u16; 1 << 18]>,
    lines: Lines<LINES>,
    /// Of each line, the places that are not confirmed yet.
    unconfirmed: Box<[u64; LINES]>,
    /// Where the list of a line continues.
    next: Box<[u16; LINES]>,
    hypothesis: Vec<u8>,
    reference: Vec<u8>,
}

impl Default for PairLists {
    fn default() -> Self {
        Self::at(Level::current())
    }
}

/// Memory that is not touched before it is used.
#[expect(clippy::unnecessary_box_returns, reason = "these are many")]
fn zeros<T: Zeroable, const N: usize>() -> Box<[T; N]> {
    let Ok(zeros) = memory::zeros(N).into_boxed_slice().try_into() else {
        unreachable!("there are as many")
    };
    zeros
}

impl PairLists {
    /// Lists that are compared at this level.
    #[must_use]
    pub fn at(level: Level) -> Self {
        Self {
            level,
            numbers: zeros(),
            left: zeros(),
            free: zeros(),
            lines: Lines::default(),
            unconfirmed: zeros(),
            next: zeros(),
            hypothesis: Vec::new(),
            reference: Vec::new(),
        }
    }

    /// Counts the clipped matches of order 1, 2, … of a hypothesis and a reference.
    ///
    /// Returns false, and counts nothing, if there are too many orders, characters or different
    /// characters, or if the hypothesis has a pair too often.
    pub fn clipped_matches(&mut self, texts: [&[u16]; 2], matches: &mut [i64]) -> bool {
        let [hypothesis, reference] = texts;
        // Each character needs one line, at most, and another one is prepared.
        if hypothesis.len() > LINES - 2
            || reference.len() > LONGEST_REFERENCE
            || matches.len() > ORDERS
        {
            return false;
        }
        let numbered = self.number(texts);
        let entered = numbered.is_some() && self.enter();
        if entered {
            let found = match self.level {
                // SAFETY: the level proves the features.
                #[cfg(target_arch = "x86_64")]
                Level::Avx512(_) => unsafe { x86::confirm_avx512(self) },
                // SAFETY: the level proves the features.
                #[cfg(target_arch = "x86_64")]
                Level::Avx2(_) => unsafe { x86::confirm_avx2(self) },
                _ => self.confirm(equal),
            };
            for (matches, found) in matches.iter_mut().zip(numbered.into_iter().chain(found)) {
                *matches = found;
            }
        }
        for &c in hypothesis {
            self.numbers[usize::from(c)] = 0;
        }
        for window in windows(&self.hypothesis) {
            self.left[pair(window)] = 0;
            self.free[list(window)] = 0;
        }
        entered
    }

    /// Numbers the characters; returns how many single ones both texts have, unless there are too
    /// many different ones.
    fn number(&mut self, [hypothesis, reference]: [&[u16]; 2]) -> Option<i64> {
        let mut counts = [[0_u32; 0x100]; 2];
        let mut last = 0;
        self.hypothesis.clear();
        reserve(&mut self.hypothesis, hypothesis.len() + WINDOW - 1);
        self.hypothesis.resize(hypothesis.len() + WINDOW - 1, END);
        for (place, &c) in self.hypothesis.iter_mut().zip(hypothesis) {
            let number = &mut self.numbers[usize::from(c)];
            // Which characters are new is unpredictable, so that nothing here is a branch.
            let new = *number == 0;
            last += u32::from(new);
            *number |= last.to_le_bytes()[0] & u8::from(new).wrapping_neg();
            *place = *number;
            counts[0][usize::from(*number)] += 1;
        }
        if last > LAST {
            // No lists are to be emptied.
            self.hypothesis.clear();
            return None;
        }
        self.reference.clear();
        reserve(&mut self.reference, reference.len() + WINDOW - 1);
        self.reference.resize(reference.len() + WINDOW - 1, 0);
        for (place, &c) in self.reference.iter_mut().zip(reference) {
            *place = self.numbers[usize::from(c)];
            counts[1][usize::from(*place)] += 1;
        }
        let [ones, others] = counts;
        let smaller = ones.iter().zip(others).map(|(&one, other)| one.min(other));
        Some(i64::from(smaller.sum::<u32>()))
    }

    /// Enters the pairs of the hypothesis into their lists; returns false if it has one too often.
    fn enter(&mut self) -> bool {
        let lines: &mut [Line; LINES] = bytemuck::cast_mut(self.lines.all_mut());
        let few = self.hypothesis.len().min(LINES);
        self.unconfirmed[1..few].fill(EACH * 0x7FFF);
        // Line 0 is that of pairs that the hypothesis does not have.
        let mut last = 0;
        lines[0][0] = [END; SLOTS];
        lines[1][0] = [END; SLOTS];
        for window in windows(&self.hypothesis) {
            let left = &mut self.left[pair(window)];
            *left += 1;
            let free = &mut self.free[list(window)];
            // Which pairs are new is unpredictable, too.
            let known = *free;
            let new = known == 0;
            last += u16::from(new);
            lines[usize::from(last + 1) % LINES][0] = [END; SLOTS];
            let mut slot = known | (last * IN_LINE) & u16::from(new).wrapping_neg();
            if slot % IN_LINE == IN_LINE - 1 {
                if *left > MOST {
                    return false;
                }
                last += 1;
                lines[usize::from(last + 1) % LINES][0] = [END; SLOTS];
                self.unconfirmed[usize::from(last) % LINES] |= CONTINUED;
                self.next[usize::from(last) % LINES] = slot / IN_LINE;
                slot = last * IN_LINE;
            }
            *free = slot + 1;
            let line = &mut lines[usize::from(slot) / SLOTS];
            let behind = window.to_le_bytes();
            for (bytes, byte) in line.iter_mut().zip(&behind[2..]) {
                bytes[usize::from(slot) % SLOTS] = *byte;
            }
        }
        true
    }

    /// Confirms what the reference has of the hypothesis; returns the numbers for all orders but
    /// the first.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "four characters")]
    fn confirm(&mut self, equal: impl Fn(&Line, u32) -> u64) -> [i64; ORDERS - 1] {
        let lines: &[Line; LINES] = bytemuck::cast_ref(self.lines.all());
        let mut pairs = 0;
        let mut longer = 0;
        for window in windows(&self.reference) {
            let left = &mut self.left[pair(window)];
            pairs += i64::from(*left > 0);
            *left = left.saturating_sub(1);
            let mut line = usize::from(self.free[list(window)]) / SLOTS;
            let mut needed = u64::MAX;
            loop {
                // For each order, the places at which all characters so far are equal.
                let mut places = equal(&lines[line], (window >> 16) as u32);
                places &= places << 16 | 0xFFFF;
                places &= places << 32 | 0xFFFF_FFFF;
                let unconfirmed = self.unconfirmed[line];
                let new = places & unconfirmed & needed;
                // Of each order, the lowest of these bits gives way to all bits below it; if there is
                // none, the highest bit does.
                let below = (new | HIGHEST) - EACH;
                self.unconfirmed[line] = unconfirmed ^ new & !below;
                longer += below >> 15 & EACH;
                if unconfirmed & CONTINUED == 0 {
                    break;
                }
                let missing = !below & HIGHEST;
                needed &= missing - (missing >> 15);
                line = usize::from(self.next[line]);
            }
        }
        let longer = [0, 16, 32, 48].map(|shift| (longer >> shift & 0xFFFF).cast_signed());
        [pairs, longer[0], longer[1], longer[2], longer[3]]
    }
}

/// The places of a list: the first of the characters behind each pair, then the second ones, …
type Line = [[u8; SLOTS]; 4];

/// The bits of a line that are set where a character is equal to that of these four.
#[inline(always)]
fn equal(line: &Line, four: u32) -> u64 {
    let mut all = 0;
    for (order, (&characters, c)) in line.iter().zip(four.to_le_bytes()).enumerate() {
        let equal = u8x16::new(characters).simd_eq(u8x16::splat(c));
        all |= u64::from(equal.to_bitmask()) << (16 * order);
    }
    all
}

/// For each character of a text, the numbers of it and of those behind it, from the lowest byte on.
fn windows(text: &[u8]) -> impl Iterator<Item = u64> {
    let windows = text.windows(WINDOW);
    windows.map(|bytes| bytes.try_into().map_or(0, u64::from_le_bytes))
}

/// Two characters.
fn pair(window: u64) -> usize {
    (window & 0xFFFF) as usize
}

/// Two characters, and the two bits of the next one that differ most often.
fn list(window: u64) -> usize {
    (window & 0x3_FFFF) as usize
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        _mm512_cmpeq_epi8_mask, _mm512_set_epi64, _mm512_set1_epi32, _mm512_shuffle_epi8,
    };

    use super::{Line, ORDERS, PairLists, equal};

    /// The same, compiled for AVX2.
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    pub fn confirm_avx2(lists: &mut PairLists) -> [i64; ORDERS - 1] {
        lists.confirm(equal)
    }

    /// The same with AVX-512, which compares a line at once.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,avx2,bmi1,bmi2,popcnt")]
    pub fn confirm_avx512(lists: &mut PairLists) -> [i64; ORDERS - 1] {
        const ONES: i64 = 0x0101_0101_0101_0101;
        let bytes = _mm512_set_epi64(3 * ONES, 3 * ONES, 2 * ONES, 2 * ONES, ONES, ONES, 0, 0);
        lists.confirm(|line: &Line, four| {
            let four = _mm512_shuffle_epi8(_mm512_set1_epi32(four.cast_signed()), bytes);
            _mm512_cmpeq_epi8_mask(bytemuck::cast(*line), four)
        })
    }
}
