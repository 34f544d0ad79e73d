//! The words of one text, or of very many, as numbers, in little memory.

use std::hint::select_unpredictable;

use super::keys::{Keys, Words};
use super::seeds::Seeds;
use crate::memory::{extend, push, reserve};
use crate::stop::{make_room, stop_in};

/// Number of slots at first.
const FEW: usize = 1 << 6;

/// Number of slots that fit into the cache: up to here, they grow faster, and more are empty.
const CACHED: usize = 1 << 16;

/// Distinct words, numbered as they first occur.
///
/// The text itself need not be kept. Whether a word is new is unpredictable, so the code does not
/// branch on it.
#[derive(Debug)]
pub struct Vocabulary {
    seeds: Seeds,
    /// One more than the number of a word, or 0. At least a quarter of the slots are empty.
    slots: Vec<u32>,
    /// Number of words.
    count: u32,
    /// What words are compared by, at one more than the number of each. There may be more.
    heads: Vec<[u64; 2]>,
    /// What long words have behind that, one after the other.
    rests: Vec<u8>,
    /// One more than the number of each long word, and where its rest starts.
    long: Vec<(u32, usize)>,
}

impl Default for Vocabulary {
    fn default() -> Self {
        Self {
            seeds: Seeds::random(),
            slots: vec![0; FEW],
            count: 0,
            heads: vec![[0; 2]],
            rests: Vec::new(),
            long: Vec::new(),
        }
    }
}

impl Vocabulary {
    /// Forgets all words, and the memory of many.
    pub fn clear(&mut self) {
        if self.slots.len().max(self.rests.len()) > CACHED {
            *self = Self::default();
        }
        self.slots.truncate(FEW);
        self.slots.fill(0);
        self.count = 0;
        self.rests.clear();
        self.long.clear();
    }

    /// Number of distinct words.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Appends the numbers of all words of a text, which are added if they are new. All texts must
    /// have one encoding.
    pub fn add(&mut self, text: Words<'_>, to: &mut Vec<u32>) {
        let more = text.iter().len();
        reserve(to, more);
        // One behind the last is written, too.
        let room = self.len() + more + 2;
        if self.heads.len() < room {
            let more = room - self.heads.len();
            reserve(&mut self.heads, more);
            self.heads.resize(room, [0; 2]);
        }
        let most = (2 * (self.len() + more)).min(CACHED);
        if self.slots.len() < most {
            self.grow(most.next_power_of_two());
        }
        for (step, word) in text.iter().enumerate() {
            stop_in(step);
            let (head, rest) = (word.head(), text.rest(&word));
            let (at, found) = self.look_up(head, rest);
            let is_new = found == 0;
            if is_new && !rest.is_empty() {
                push(&mut self.long, (self.count + 1, self.rests.len()));
                extend(&mut self.rests, rest);
            }
            let next = self.count + 1;
            self.heads[next as usize] = head;
            let slot = select_unpredictable(is_new, next, found);
            self.slots[at] = slot;
            self.count += u32::from(is_new);
            to.push(slot - 1);
            if self.len() > self.slots.len() / 4 * 3 {
                self.grow(2 * self.slots.len());
            }
        }
    }

    /// Appends the numbers of all words of a text, of which new ones have the number `unknown`.
    pub fn find(&self, text: Words<'_>, unknown: u32, to: &mut Vec<u32>) {
        reserve(to, text.iter().len());
        to.extend(text.iter().enumerate().map(|(step, word)| {
            stop_in(step);
            let (_, found) = self.look_up(word.head(), text.rest(&word));
            select_unpredictable(found == 0, unknown, found.wrapping_sub(1))
        }));
    }

    /// Where the slot of a word is or, if it is new, would be; and what is in it.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "masked")]
    fn look_up(&self, head: [u64; 2], rest: &[u8]) -> (usize, u32) {
        let mask = self.slots.len() - 1;
        let mut hash = self.seeds.mix(head[0], head[1]);
        if !rest.is_empty() {
            hash = self.seeds.mix_all(hash, rest);
        }
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            let known = self.heads[slot as usize];
            let difference = (known[0] ^ head[0]) | (known[1] ^ head[1]);
            // One branch.
            if ((slot == 0) | (difference == 0))
                && (rest.is_empty() || slot == 0 || self.rest(slot) == rest)
            {
                return (at, slot);
            }
            at = (at + 1) & mask;
        }
    }

    /// What a long word has behind its head.
    #[cold]
    fn rest(&self, slot: u32) -> &[u8] {
        let place = self.long.partition_point(|&(other, _)| other < slot);
        let start_of = |place: usize| self.long.get(place).map_or(self.rests.len(), |long| long.1);
        &self.rests[start_of(place)..start_of(place + 1)]
    }

    #[cold]
    fn grow(&mut self, slots: usize) {
        self.slots.clear();
        make_room(&mut self.slots, slots);
        let mut long = self.long.iter().peekable();
        for slot in 1..=self.count {
            stop_in(slot as usize);
            let is_long = long.next_if(|long| long.0 == slot).is_some();
            let rest = if is_long { self.rest(slot) } else { &[] };
            let (at, _) = self.look_up(self.heads[slot as usize], rest);
            self.slots[at] = slot;
        }
    }
}
