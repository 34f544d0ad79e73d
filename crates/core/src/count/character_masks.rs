//! Counting n-grams of characters, where the hypothesis is not very long: its positions are
//! [bits](super::positions), and each character has a mask of its own, so that nothing is searched.

use super::positions::{ByOrder, ORDERS, Positions, confirm, number_confirmed, prepend};
use crate::processor::Level;

/// Number of integers of a mask.
const WORDS: usize = 8;

/// Maximum number of characters of a hypothesis.
const LONGEST: usize = 64 * WORDS;

/// Number of code points that have a mask: those of the Basic Multilingual Plane.
const MASKS: usize = 1 << 16;

/// Counts the n-grams of up to `ORDERS` characters that a hypothesis shares with a reference.
#[derive(Debug)]
pub struct CharacterMasks {
    level: Level,
    /// For each code point, the positions at which the hypothesis has it. Most of this memory is
    /// never touched.
    masks: Box<[Positions<WORDS>; MASKS]>,
    hypothesis: Vec<u16>,
}

impl Default for CharacterMasks {
    fn default() -> Self {
        Self::at(Level::current())
    }
}

impl CharacterMasks {
    /// Masks that are compiled for this level.
    fn at(level: Level) -> Self {
        let masks = vec![[0; WORDS]; MASKS].into_boxed_slice();
        let Ok(masks) = masks.try_into() else {
            unreachable!("it has this length")
        };
        Self {
            level,
            masks,
            hypothesis: Vec::new(),
        }
    }

    /// Starts a hypothesis; returns false if it is too long, or if so many orders cannot be counted.
    pub fn start(&mut self, hypothesis: &[u16], orders: usize) -> bool {
        for &c in &self.hypothesis {
            self.masks[usize::from(c)] = [0; WORDS];
        }
        self.hypothesis.clear();
        if hypothesis.len() > LONGEST || orders > ORDERS {
            return false;
        }
        self.hypothesis.extend_from_slice(hypothesis);
        for (position, &c) in hypothesis.iter().enumerate() {
            self.masks[usize::from(c)][position / 64 % WORDS] |= 1 << (position % 64);
        }
        true
    }

    /// Counts the n-grams that the hypothesis shares with a reference: for each order, the clipped
    /// matches.
    #[must_use]
    pub fn matches(&self, reference: &[u16]) -> [i64; ORDERS] {
        match self.level {
            // SAFETY: the level proves the features.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(_) => unsafe {
                match self.hypothesis.len().div_ceil(64) {
                    0 | 1 => self.matches_avx512::<1>(reference),
                    2 => self.matches_avx512::<2>(reference),
                    3 => self.matches_avx512::<3>(reference),
                    4 => self.matches_avx512::<4>(reference),
                    _ => self.matches_avx512::<WORDS>(reference),
                }
            },
            // SAFETY: the level proves the features.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(_) => unsafe { self.matches_avx2(reference) },
            _ => self.any_matches(reference),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn matches_avx2(&self, reference: &[u16]) -> [i64; ORDERS] {
        self.any_matches(reference)
    }

    #[inline(always)]
    fn any_matches(&self, reference: &[u16]) -> [i64; ORDERS] {
        match self.hypothesis.len().div_ceil(64) {
            0 | 1 => self.matches_in::<1>(reference),
            2 => self.matches_in::<2>(reference),
            3 => self.matches_in::<3>(reference),
            4 => self.matches_in::<4>(reference),
            _ => self.matches_in::<WORDS>(reference),
        }
    }

    /// Counts with the first `N` integers of each mask.
    #[inline(always)]
    fn matches_in<const N: usize>(&self, reference: &[u16]) -> [i64; ORDERS] {
        let mut confirmed: ByOrder<N, ORDERS> = [[0; ORDERS]; N];
        // The n-grams that start at the current character.
        let mut starting = [[0; ORDERS]; N];
        for &c in reference.iter().rev() {
            let mask = &self.masks[usize::from(c)];
            prepend(
                &mut starting,
                std::array::from_fn::<_, N, _>(|word| mask[word]),
            );
            confirm(&mut confirmed, &starting);
        }
        number_confirmed(&confirmed)
    }
    /// The same, with the integers of all orders in one vector: what the functions of
    /// [`positions`](super::positions) do, in half their time.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,avx2,bmi1,bmi2,popcnt")]
    #[expect(clippy::cast_possible_wrap, reason = "these are bits")]
    fn matches_avx512<const N: usize>(&self, reference: &[u16]) -> [i64; ORDERS] {
        use std::arch::x86_64::{
            _mm512_alignr_epi64 as align, _mm512_and_si512 as and, _mm512_andnot_si512 as and_not,
            _mm512_mask_or_epi64 as mask_or, _mm512_or_si512 as or, _mm512_set1_epi64 as set1,
            _mm512_shrdi_epi64 as shift_right, _mm512_sub_epi64 as subtract,
            _mm512_testn_epi64_mask as which_are_zero,
        };
        let (none, all, one) = (set1(0), set1(-1), set1(1));
        // Order 1 needs nothing behind it: its integers are all ones, also beyond the last one.
        let beyond = align::<7>(none, all);
        let mut confirmed = [none; N];
        let mut starting = [none; N];
        for &c in reference.iter().rev() {
            let mask = &self.masks[usize::from(c)];
            // Each order gets what the order below it had.
            let behind = starting.map(|word| align::<7>(word, all));
            let mut none_before = 0xFF;
            for word in 0..N {
                let after = behind.get(word + 1).copied().unwrap_or(beyond);
                let behind = shift_right::<1>(behind[word], after);
                starting[word] = and(behind, set1(mask[word] as i64));
                let new = and_not(confirmed[word], starting[word]);
                let lowest = and_not(subtract(new, one), new);
                confirmed[word] = if word == 0 {
                    or(confirmed[word], lowest)
                } else {
                    mask_or(confirmed[word], none_before, confirmed[word], lowest)
                };
                none_before &= which_are_zero(new, new);
            }
        }
        number_confirmed(&confirmed.map(bytemuck::cast::<_, [u64; ORDERS]>))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::{Counter, Tokens};

    /// For all levels of the processor, and around the lengths at which the number of integers
    /// changes: as many matches as the counter of tokens finds.
    #[test]
    fn equal_to_the_counter() {
        let mut random: u64 = 7;
        let mut text = |length: usize, distinct: u64| -> Vec<u16> {
            let character = |_| {
                random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(3);
                // From both ends of the plane.
                let c = u16::try_from((random >> 33) % distinct).expect("few");
                if c % 2 == 0 { c } else { u16::MAX - c }
            };
            (0..length).map(character).collect()
        };
        let mut all: Vec<_> = Level::available()
            .into_iter()
            .map(CharacterMasks::at)
            .collect();
        let mut counter = Counter::default();
        let ids = |text: &[u16]| text.iter().map(|&c| i64::from(c)).collect::<Vec<_>>();
        for length in [
            0, 1, 2, 63, 64, 65, 127, 128, 129, 192, 193, 255, 256, 257, 500, 511, 512,
        ] {
            for distinct in [1, 2, 3, 20, 1000] {
                let hypothesis = text(length, distinct);
                let mut rotated = hypothesis.clone();
                rotated.rotate_left(length / 3);
                let references = [
                    rotated,
                    text(length + 5, distinct),
                    text(length / 2, distinct),
                ];
                for masks in &mut all {
                    assert!(masks.start(&hypothesis, ORDERS));
                    for reference in &references {
                        let mut expected = [0; ORDERS];
                        let (hypothesis, ids) = (ids(&hypothesis), ids(reference));
                        counter.start(Tokens::Ids(&hypothesis), ORDERS);
                        counter.reference(Tokens::Ids(&ids));
                        counter.clipped_matches(&mut expected);
                        assert_eq!(masks.matches(reference), expected);
                    }
                }
            }
        }
    }

    #[test]
    fn long_hypotheses_and_high_orders_are_refused() {
        let mut masks = CharacterMasks::default();
        assert!(masks.start(&[7; LONGEST], ORDERS));
        assert!(!masks.start(&[7; LONGEST + 1], ORDERS));
        assert!(!masks.start(&[7], ORDERS + 1));
        // Nothing is left of what came before.
        assert!(masks.start(&[8], 1));
        assert_eq!(masks.matches(&[7, 7]), [0; ORDERS]);
    }
}
