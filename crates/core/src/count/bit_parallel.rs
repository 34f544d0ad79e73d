//! Counting all orders at once where the hypothesis has few tokens: its positions are the
//! [bits](super::positions) of one, two or four 64-bit integers.
//!
//! For each token of a reference, one lookup gives the mask of the positions at which the
//! hypothesis has it.
//!
//! No branch in the loops over tokens depends on the text, except for tokens of more than 15 bytes.
//! `benches/kernel.rs` checks that compilers keep it so.

use std::hint::black_box;

use super::keys::Keys;
use super::positions::{ByOrder, Confirm, ORDERS, Positions, number_confirmed};
use super::seeds::Seeds;

/// Seeds that are tried before a hypothesis is refused.
const TRIES: usize = 4;

/// Number of entries: so many that a byte as index needs no check.
const ENTRIES: usize = 256;

/// A token of the hypothesis.
#[derive(Clone, Copy, Debug)]
struct Entry<K, const WORDS: usize> {
    key: K,
    /// The positions at which the hypothesis has it.
    positions: Positions<WORDS>,
}

impl<K: Default, const WORDS: usize> Entry<K, WORDS> {
    fn unused() -> Self {
        Self {
            key: K::default(),
            positions: [0; WORDS],
        }
    }
}

/// A hypothesis, and what its references have confirmed of it.
///
/// Each slot belongs to at most one token: if two tokens of a hypothesis share a slot, other seeds
/// are tried.
///
/// Slots are never cleared. What an earlier hypothesis has left in a slot leads to an entry of
/// another token, or to one without positions.
// Aligned so that no entry of 32 bytes spans two lines of the cache.
#[derive(Debug)]
#[repr(align(64))]
pub struct BitParallel<K, const WORDS: usize, const SLOTS: usize> {
    /// For each slot, the entry of its token, or any other.
    slots: [u8; SLOTS],
    /// For each token of the hypothesis, its key. The last of equal tokens has the positions of all;
    /// all other entries have none.
    entries: [Entry<K, WORDS>; ENTRIES],
    /// Number of tokens of the hypothesis.
    length: usize,
    /// The slot of each.
    slot_of: [u16; ENTRIES],
    confirmed: ByOrder<WORDS, ORDERS>,
    seeds: Seeds,
}

impl<K: Copy + Default, const WORDS: usize, const SLOTS: usize> Default
    for BitParallel<K, WORDS, SLOTS>
{
    fn default() -> Self {
        Self {
            slots: [0; SLOTS],
            entries: [Entry::unused(); ENTRIES],
            length: 0,
            slot_of: [0; ENTRIES],
            confirmed: [[0; ORDERS]; WORDS],
            seeds: Seeds::random(),
        }
    }
}

impl<K: Copy + Default, const WORDS: usize, const SLOTS: usize> BitParallel<K, WORDS, SLOTS> {
    /// Number of tokens that a hypothesis may have.
    const POSITIONS: usize = 64 * WORDS;

    /// Starts a hypothesis, unless it is too long or no seeds are found for it: then it returns
    /// false, and another way must be used.
    #[inline(always)]
    pub fn start(&mut self, hypothesis: impl Keys<Key = K>) -> bool {
        if hypothesis.iter().len() > Self::POSITIONS {
            return false;
        }
        self.confirmed = [[0; ORDERS]; WORDS];
        for _ in 0..TRIES {
            if self.try_start(hypothesis) {
                return true;
            }
            self.seeds = self.seeds.other();
        }
        false
    }

    /// The slot of a key.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "fewer than 2^16 slots")]
    fn slot<S: Keys<Key = K>>(&self, key: K) -> usize {
        const { assert!(SLOTS.is_power_of_two() && SLOTS <= 1 << 16) };
        (S::quick_hash(key, self.seeds) >> (64 - SLOTS.ilog2())) as usize
    }

    /// Enters the tokens; returns whether no two of them share a slot.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "there are fewer than 2^16 slots, and entries fit into a byte"
    )]
    fn try_start<S: Keys<Key = K>>(&mut self, hypothesis: S) -> bool {
        const { assert!(Self::POSITIONS <= ENTRIES) };
        let length = hypothesis.iter().len().min(Self::POSITIONS);
        if let Some(left) = self.entries.get_mut(length..self.length) {
            left.fill(Entry::unused());
        }
        self.length = length;
        // Nothing that the first loop writes is read in it, and the second writes no slot: waiting
        // for what has just been written takes longer than the work itself.
        for (position, key) in hypothesis.iter().take(Self::POSITIONS).enumerate() {
            let slot = self.slot::<S>(key);
            let positions = [0; WORDS];
            self.entries[position] = Entry { key, positions };
            self.slot_of[position] = slot as u16;
            self.slots[slot] = position as u8;
        }
        let mut difference = K::default();
        let mut long_again = false;
        for (position, &slot) in self.slot_of[..length].iter().enumerate() {
            let last = self.slots[slot as usize & (SLOTS - 1)] as usize;
            let key = &self.entries[position].key;
            long_again |= S::is_long(key) & (last != position);
            S::add_difference(&mut difference, &self.entries[last].key, key);
            self.entries[last].positions[position / 64 % WORDS] |= 1 << (position % 64);
        }
        S::quickly_differs(&difference, &K::default()) == 0
            && !(long_again && self.some_long_differ(hypothesis))
    }

    /// Whether two long tokens that share a slot differ.
    #[cold]
    fn some_long_differ<S: Keys<Key = K>>(&self, hypothesis: S) -> bool {
        let mut tokens = self.slot_of[..self.length].iter().zip(&self.entries);
        tokens.any(|(&slot, entry)| {
            let last = self.slots[slot as usize & (SLOTS - 1)] as usize;
            hypothesis.differs(&self.entries[last].key, &entry.key) != 0
        })
    }

    /// Confirms n-grams of up to `N` tokens by those of a reference.
    #[inline(always)]
    pub fn reference<const N: usize, S: Keys<Key = K>>(
        &mut self,
        mut how: impl Confirm<WORDS, N>,
        reference: S,
    ) {
        for key in reference.iter().rev() {
            let entry = &self.entries[self.slots[self.slot::<S>(key)] as usize];
            let differs = S::quickly_differs(&entry.key, &key);
            // Without the black box, compilers branch on whether the token is found.
            let found = black_box(u64::from(differs != 0).wrapping_sub(1));
            let mut positions = entry.positions.map(|word| word & found);
            if S::is_long(&key)
                && positions != [0; WORDS]
                && reference.differs(&entry.key, &key) != 0
            {
                positions = [0; WORDS];
            }
            how.token(positions);
        }
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
