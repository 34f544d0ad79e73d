//! Counting all orders at once in hypotheses of any length.
//!
//! Only tokens are hashed. The positions of each token in the hypothesis form a list. A reference
//! is read from its end. At each position, the list of its token is walked; the longest match that
//! starts there is one token longer than the match at the next position, if there is one. A match
//! of length l contains one n-gram of each order up to l that starts there. So all orders are
//! counted at once, and n-grams that are not shared cost nothing.
//!
//! In a text that repeats one word a million times, the whole list would be walked a million times.
//! Such segments are left to [`repetitive`].

use std::ops::Range;

use super::hash_table::{NONE, Table};
use super::keys::Keys;
use super::repetitive::{self, Shared};
use super::seeds::Seeds;
use crate::stop::{make_room, stop_here, stop_in};

/// Maximum order that fits into a mask; with higher orders, segments are left to [`repetitive`].
const MASK_ORDERS: usize = u64::BITS as usize;

/// Maximum number of steps through lists, per token.
const STEPS_PER_TOKEN: usize = 16;

/// Number of steps, and of tokens, between two calls of [`stop_here`].
const BETWEEN_STOPS: usize = 1 << 14;

/// Number of tokens above which lists do not fit into the cache, so that steps through them take
/// much longer.
const CACHED: usize = 1 << 17;

/// The longest match that starts at a position of the hypothesis and at one of a reference.
#[derive(Clone, Copy, Debug, Default)]
struct Match {
    /// The position in the reference. Positions are numbered across references, so that none is
    /// mistaken for one in an earlier reference.
    reference: u32,
    length: u32,
}

/// A hypothesis, and what its references have confirmed of it.
#[derive(Debug)]
pub struct PositionLists<K> {
    seeds: Seeds,
    table: Table<K>,
    orders: usize,
    /// Number of tokens of the hypothesis. The lists below may be longer.
    length: usize,
    /// For each position of the hypothesis, the next position with the same token.
    next: Vec<u32>,
    /// For each position of the hypothesis, the last match that starts there.
    matches: Vec<Match>,
    /// For each position of the hypothesis, one bit per order: whether any reference so far
    /// confirms the n-gram of this order that starts there.
    confirmed: Vec<u64>,
    /// The same for the current reference alone.
    now_confirmed: Vec<u64>,
    /// The shared tokens of all references, those of each from last to first.
    shared: Vec<Shared>,
    /// Number of entries of `shared` in use.
    kept: usize,
    /// The range of each reference in `shared`.
    bounds: Vec<Range<usize>>,
    /// Number of positions of all references so far, with a gap of two between references.
    references: u32,
    /// Whether the segment is left to [`repetitive`].
    repetitive: bool,
}

impl<K: Copy + Default> Default for PositionLists<K> {
    fn default() -> Self {
        Self {
            seeds: Seeds::random(),
            table: Table::default(),
            orders: 0,
            length: 0,
            next: Vec::new(),
            matches: Vec::new(),
            confirmed: Vec::new(),
            now_confirmed: Vec::new(),
            shared: Vec::new(),
            kept: 0,
            bounds: Vec::new(),
            references: 0,
            repetitive: false,
        }
    }
}

impl<K: Copy + Default> PositionLists<K> {
    /// Starts a hypothesis, to be counted in orders up to `orders`.
    #[inline(always)]
    pub fn start(&mut self, hypothesis: impl Keys<Key = K>, orders: usize) {
        let keys = hypothesis.iter();
        let length = keys.len();
        self.orders = orders;
        self.repetitive = orders > MASK_ORDERS;
        self.length = length;
        self.bounds.clear();
        self.kept = 0;
        make_room(&mut self.next, length);
        make_room(&mut self.confirmed, length);
        make_room(&mut self.now_confirmed, length);
        // One more, so that every position has a successor.
        make_room(&mut self.matches, length + 1);
        self.confirmed[..length].fill(0);
        self.table.reset(hypothesis.most_distinct());
        // From the end, so that the lists are in ascending order.
        for (position, key) in keys.enumerate().rev() {
            stop_in(position);
            let hash = hypothesis.hash(key, self.seeds);
            let differs = |known: &K| hypothesis.differs(known, &key);
            self.next[position] = self.table.replace(hash, key, as_u32(position), differs);
        }
    }

    /// Adds a reference.
    #[inline(always)]
    pub fn reference(&mut self, reference: impl Keys<Key = K>) {
        let keys = reference.iter();
        let start = self.kept;
        let length = keys.len();
        if self.shared.len() < start + length {
            // Twice as much as before, so that few of many references need more room.
            make_room(&mut self.shared, (start + length).max(2 * start));
        }
        for (position, key) in keys.enumerate().rev() {
            stop_in(position);
            let hash = reference.hash(key, self.seeds);
            let first = self
                .table
                .find(hash, |known| reference.differs(known, &key));
            self.shared[self.kept] = Shared {
                position: as_u32(position),
                first,
            };
            self.kept += usize::from(first != NONE);
        }
        self.bounds.push(start..self.kept);
        if !self.repetitive {
            self.confirm(start, length);
        }
    }

    /// Confirms n-grams of the hypothesis by those of the reference whose shared tokens start at
    /// `start`.
    ///
    /// Each occurrence in the reference confirms at most one in the hypothesis, and each occurrence
    /// in the hypothesis is confirmed at most once: that is clipping. Occurrences are confirmed in
    /// order of position, so of two references, the one with more occurrences of an n-gram confirms
    /// all that the other does.
    fn confirm(&mut self, start: usize, length: usize) {
        let tokens = length + self.length;
        let mut steps = if tokens > CACHED {
            tokens
        } else {
            STEPS_PER_TOKEN * tokens
        };
        let Some(base) = self.references.checked_add(as_u32(length) + 2) else {
            self.matches.fill(Match::default());
            self.references = 0;
            return self.confirm(start, length);
        };
        let base = std::mem::replace(&mut self.references, base) + 1;
        self.now_confirmed[..self.length].fill(0);
        let most_steps = steps;
        let mut asked = 0;
        // None for chrF without n-grams of characters.
        let all_orders = u64::MAX.unbounded_shr(as_u32(MASK_ORDERS - self.orders));
        for (index, shared) in self.shared[start..self.kept].iter().enumerate() {
            let done = index + most_steps - steps;
            if done - asked >= BETWEEN_STOPS {
                asked = done;
                stop_here();
            }
            let reference = base + shared.position;
            let mut unmatched = all_orders;
            let mut position = shared.first as usize;
            loop {
                let after = self.matches[position + 1];
                let continues = after.reference == reference + 1;
                let length = u32::from(continues) * after.length + 1;
                self.matches[position] = Match { reference, length };
                let confirmed = &mut self.now_confirmed[position];
                let orders = u64::MAX >> (u64::BITS - length.min(u64::BITS));
                let new = orders & unmatched & !*confirmed;
                *confirmed |= new;
                unmatched &= !new;
                let next = self.next[position];
                if next == NONE {
                    break;
                }
                position = next as usize;
                steps -= 1;
                if steps == 0 {
                    self.repetitive = true;
                    return;
                }
            }
        }
        if start == 0 {
            std::mem::swap(&mut self.confirmed, &mut self.now_confirmed);
        } else {
            let now = &self.now_confirmed[..self.length];
            for (all, now) in self.confirmed.iter_mut().zip(now) {
                *all |= now;
            }
        }
    }

    /// Whether the segment is left to [`repetitive`].
    #[cfg(test)]
    pub fn is_repetitive(&self) -> bool {
        self.repetitive
    }

    /// Number of confirmed n-grams of each order.
    pub fn clipped_matches(&self, matches: &mut [i64]) {
        if self.repetitive {
            repetitive::clipped_matches(
                &self.next[..self.length],
                &self.shared,
                &self.bounds,
                matches,
            );
            return;
        }
        let confirmed = &self.confirmed[..self.length];
        for (order, matched) in matches.iter_mut().enumerate() {
            *matched = confirmed
                .iter()
                .map(|mask| (mask >> order & 1).cast_signed())
                .sum();
        }
    }
}

/// A position in 32 bits.
#[expect(
    clippy::cast_possible_truncation,
    reason = "checked by `Preprocessing`"
)]
fn as_u32(position: usize) -> u32 {
    position as u32
}
