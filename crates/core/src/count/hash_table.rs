//! An exact hash table of the tokens of one hypothesis. It is cleared in O(1), and seeded so that
//! input cannot force collisions.

use std::hint::select_unpredictable;

use crate::stop::make_room;

/// No position: the end of a list, or a token that is not in the hypothesis.
pub const NONE: u32 = u32::MAX;

/// Number of slots that fit into the cache.
const CACHED: usize = 1 << 16;

/// Maps keys to positions, by open addressing with linear probing.
///
/// A slot is empty unless it has the table's generation, so clearing the table is one addition.
///
/// Whether a token is in the table is unpredictable, so the code does not branch on it; only the
/// rare second step of a search is a branch.
#[derive(Debug)]
pub struct Table<K> {
    slots: Vec<Slot<K>>,
    /// Slots in use minus 1; a power of two minus 1.
    mask: usize,
    generation: u32,
}

// Aligned so that no slot spans two cache lines.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
struct Slot<K> {
    key: K,
    generation: u32,
    position: u32,
}

impl<K: Copy + Default> Default for Table<K> {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            mask: 0,
            generation: 0,
        }
    }
}

impl<K: Copy + Default> Table<K> {
    /// Clears the table and makes room for `keys` keys. While they fit into the cache, there are
    /// enough slots that most keys need a single probe.
    pub fn reset(&mut self, keys: usize) {
        let slots = if keys <= CACHED / 8 {
            8 * keys
        } else {
            2 * keys
        };
        let needed = slots.next_power_of_two().max(16);
        if self.slots.len() < needed {
            // Nothing of the smaller table is needed.
            self.slots = Vec::new();
            self.generation = 0;
            make_room(&mut self.slots, needed);
        }
        self.mask = needed - 1;
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.slots.fill(Slot::default());
            self.generation = 1;
        }
    }

    /// The slot of the key for which `differs` is 0, or the empty slot where it would go; and
    /// whether the slot is full.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "masked, or folded on purpose"
    )]
    fn probe(&self, hash: u64, differs: impl Fn(&K) -> u64) -> (usize, bool) {
        let mut at = hash as usize & self.mask;
        loop {
            let slot = &self.slots[at];
            let stale = slot.generation ^ self.generation;
            let difference = differs(&slot.key);
            let difference = difference as u32 | (difference >> 32) as u32;
            // `difference == 0 || stale != 0` in one comparison, and so one branch.
            if u64::from(difference) <= u64::from(stale).wrapping_neg() {
                return (at, stale == 0);
            }
            at = (at + 1) & self.mask;
        }
    }

    /// Sets the position of a key; returns its previous position, or [`NONE`].
    #[inline(always)]
    pub fn replace(
        &mut self,
        hash: u64,
        key: K,
        position: u32,
        differs: impl Fn(&K) -> u64,
    ) -> u32 {
        let (at, full) = self.probe(hash, differs);
        let slot = &mut self.slots[at];
        let before = select_unpredictable(full, slot.position, NONE);
        *slot = Slot {
            key,
            generation: self.generation,
            position,
        };
        before
    }

    /// The position of a key, or [`NONE`].
    #[inline(always)]
    pub fn find(&self, hash: u64, differs: impl Fn(&K) -> u64) -> u32 {
        let (at, full) = self.probe(hash, differs);
        select_unpredictable(full, self.slots[at].position, NONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cleared table is empty, also when the generation wraps around.
    #[test]
    fn generations_wrap_around() {
        let mut table = Table::<u64>::default();
        let find = |table: &Table<u64>| table.find(1, |&k| k ^ 1);
        table.reset(4);
        assert_eq!(table.replace(1, 1, 7, |&k| k ^ 1), NONE);
        assert_eq!(table.replace(1, 1, 5, |&k| k ^ 1), 7);
        assert_eq!(find(&table), 5);
        table.generation = u32::MAX;
        table.reset(4);
        assert_eq!(table.generation, 1);
        assert_eq!(find(&table), NONE);
        // A larger table starts empty.
        table.reset(100);
        assert_eq!(find(&table), NONE);
    }

    /// Keys with the same hash are distinguished.
    #[test]
    fn colliding_keys_are_distinguished() {
        let mut table = Table::<u64>::default();
        table.reset(64);
        let keys = || (0_u32..64).map(|position| (position, u64::from(position) << 32));
        for (position, key) in keys() {
            assert_eq!(table.replace(0, key, position, |k| k ^ key), NONE);
        }
        for (position, key) in keys() {
            assert_eq!(table.find(0, |k| k ^ key), position);
        }
        assert_eq!(table.find(0, |k| k ^ 0x99), NONE);
    }
}
