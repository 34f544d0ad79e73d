//! Counting all orders at once where the hypothesis has few tokens: its positions are the
//! [bits](super::positions) of one, two or four 64-bit integers.
//!
//! For each token of a reference, one lookup gives the mask of the positions at which the
//! hypothesis has it.
//!
//! No branch in the loops over tokens depends on the text, except for tokens of more than 15 bytes.
//! `benches/kernel.rs` checks that compilers keep it so.

use std::borrow::Borrow;
use std::hint::black_box;

use super::keyed::ENTRIES;
use super::keys::Keys;
use super::positions::{ByOrder, Confirm, ORDERS, Positions, number_confirmed};

/// A hypothesis, and what its references have confirmed of it.
///
/// Each slot belongs to at most one token: if two tokens of a hypothesis share a slot, other seeds
/// are tried.
///
/// Slots are never cleared. What an earlier hypothesis has left in a slot leads to another token, or
/// to one without positions.
#[derive(Debug)]
#[repr(align(64))]
pub struct BitParallel<const WORDS: usize, const SLOTS: usize> {
    /// For each slot, the position of its token, or any other.
    slots: [u8; SLOTS],
    /// For each token, the positions at which the hypothesis has it, if it is the last of equal ones;
    /// all others have none.
    positions: [Positions<WORDS>; ENTRIES],
    /// Number of tokens of the hypothesis.
    length: usize,
    confirmed: ByOrder<WORDS, ORDERS>,
}

impl<const WORDS: usize, const SLOTS: usize> Default for BitParallel<WORDS, SLOTS> {
    fn default() -> Self {
        Self {
            slots: [0; SLOTS],
            positions: [[0; WORDS]; ENTRIES],
            length: 0,
            confirmed: [[0; ORDERS]; WORDS],
        }
    }
}

impl<const WORDS: usize, const SLOTS: usize> BitParallel<WORDS, SLOTS> {
    /// Number of tokens that a hypothesis may have.
    pub const POSITIONS: usize = 64 * WORDS;

    /// The slot of a hash.
    #[inline(always)]
    fn slot(hash: u16) -> usize {
        const { assert!(SLOTS.is_power_of_two() && SLOTS <= 1 << 16) };
        usize::from(hash) >> (16 - SLOTS.ilog2())
    }

    /// Starts a hypothesis of not more tokens than there are positions, given its keys and hashes;
    /// returns false if two of its tokens share a slot.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "positions fit into a byte")]
    pub fn start<S: Keys>(&mut self, text: S, keys: &[S::Key; ENTRIES], hashes: &[u16]) -> bool {
        const { assert!(Self::POSITIONS <= ENTRIES) };
        self.confirmed = [[0; ORDERS]; WORDS];
        let before = &mut self.positions.as_chunks_mut::<8>().0[..self.length.div_ceil(8)];
        before.fill([[0; WORDS]; 8]);
        let length = hashes.len().min(Self::POSITIONS);
        self.length = length;
        // Nothing that the first loop writes is read in it, and the second writes no slot: waiting
        // for what has just been written takes longer than the work itself.
        for (position, &hash) in hashes[..length].iter().enumerate() {
            self.slots[Self::slot(hash)] = position as u8;
        }
        let mut difference = S::Key::default();
        let mut long_again = false;
        for (position, (&hash, key)) in hashes[..length].iter().zip(keys).enumerate() {
            let last = usize::from(self.slots[Self::slot(hash)]);
            long_again |= S::is_long(key) & (last != position);
            S::add_difference(&mut difference, &keys[last], key);
            self.positions[last][position / 64 % WORDS] |= 1 << (position % 64);
        }
        S::quickly_differs(&difference, &S::Key::default()) == 0
            && !(long_again && self.some_long_differ(text, keys, hashes))
    }

    /// Whether two long tokens that share a slot differ.
    #[cold]
    fn some_long_differ<S: Keys>(&self, text: S, keys: &[S::Key; ENTRIES], hashes: &[u16]) -> bool {
        let mut tokens = hashes.iter().zip(keys);
        tokens.any(|(&hash, key)| {
            let last = usize::from(self.slots[Self::slot(hash)]);
            text.differs(&keys[last], key) != 0
        })
    }

    /// Confirms n-grams of up to `N` tokens by those of a reference, given the keys of the hypothesis
    /// and the tokens of the reference: their keys and hashes.
    #[inline(always)]
    pub fn reference<const N: usize, S: Keys>(
        &mut self,
        how: &mut impl Confirm<WORDS, N>,
        text: S,
        hypothesis: &[S::Key; ENTRIES],
        tokens: impl DoubleEndedIterator<Item = (impl Borrow<S::Key>, u16)>,
    ) {
        for (key, hash) in tokens.rev() {
            let key = key.borrow();
            let at = usize::from(self.slots[Self::slot(hash)]);
            let known = &hypothesis[at];
            let differs = S::quickly_differs(known, key);
            // Without the black box, compilers branch on whether the token is found.
            let found = black_box(u64::from(differs != 0).wrapping_sub(1));
            let mut positions = self.positions[at].map(|word| word & found);
            if S::is_long(key) && positions != [0; WORDS] && text.differs(known, key) != 0 {
                positions = [0; WORDS];
            }
            how.token(positions);
        }
    }

    /// Adds what a reference has confirmed.
    #[inline(always)]
    pub fn add<const N: usize>(&mut self, how: impl Confirm<WORDS, N>) {
        for (all, confirmed) in self.confirmed.iter_mut().zip(how.confirmed()) {
            for (all, confirmed) in all.iter_mut().zip(confirmed) {
                *all |= confirmed;
            }
        }
    }

    /// Number of confirmed n-grams of each order.
    #[inline(always)]
    pub fn clipped_matches(&self, matches: &mut [i64]) {
        for (matched, number) in matches.iter_mut().zip(number_confirmed(&self.confirmed)) {
            *matched = number;
        }
    }
}
