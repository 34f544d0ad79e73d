//! Exact counts of the n-grams that a hypothesis shares with its references.
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

use super::hash_table::{NONE, Seeds, Table, Word};
use super::repetitive::{self, Shared};
use crate::text::Scratch;
use crate::tokenize::Token;

/// Maximum order that fits into a mask; with higher orders, segments are left to [`repetitive`].
const MASK_ORDERS: usize = u64::BITS as usize;

/// Maximum number of steps through lists, per token.
const STEPS_PER_TOKEN: usize = 16;

/// Maximum number of entries that a list keeps from one segment to the next.
const KEEP: usize = 1 << 16;

/// The tokens of one text.
#[derive(Clone, Copy, Debug)]
pub enum Tokens<'a> {
    /// Ranges of bytes in a scratch buffer.
    Text(&'a Scratch, &'a [Token]),
    /// Token ids.
    Ids(&'a [i64]),
}

impl Tokens<'_> {
    /// Number of tokens.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Text(_, tokens) => tokens.len(),
            Self::Ids(ids) => ids.len(),
        }
    }

    /// Whether there are no tokens.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The longest match that starts at a position of the hypothesis and at one of a reference.
#[derive(Clone, Copy, Debug, Default)]
struct Match {
    /// The position in the reference. Positions are numbered across references, so that none is
    /// mistaken for one in an earlier reference.
    reference: u32,
    length: u32,
}

/// Counts the matches of segments, one after the other, with buffers that are reused.
#[derive(Debug)]
pub struct Counter {
    seeds: Seeds,
    words: Table<Word>,
    numbers: Table<i64>,
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

impl Default for Counter {
    fn default() -> Self {
        Self {
            seeds: Seeds::random(),
            words: Table::default(),
            numbers: Table::default(),
            orders: 0,
            length: 0,
            kept: 0,
            next: Vec::new(),
            matches: Vec::new(),
            confirmed: Vec::new(),
            now_confirmed: Vec::new(),
            shared: Vec::new(),
            bounds: Vec::new(),
            references: 0,
            repetitive: false,
        }
    }
}

impl Counter {
    /// Starts a segment with its hypothesis, to be counted in orders up to `orders`.
    pub fn start(&mut self, hypothesis: Tokens<'_>, orders: usize) {
        let length = hypothesis.len();
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
        let seeds = self.seeds;
        // From the end, so that the lists are in ascending order.
        match hypothesis {
            Tokens::Text(scratch, tokens) => {
                let bytes = scratch.bytes();
                self.words.reset(length);
                for (position, &token) in tokens.iter().enumerate().rev() {
                    let word = Word::new(bytes, token);
                    let hash = word.hash(bytes, seeds);
                    let differs = |known: &Word| known.differs(word, bytes);
                    self.next[position] = self.words.replace(hash, word, as_u32(position), differs);
                }
            }
            Tokens::Ids(ids) => {
                self.numbers.reset(length);
                for (position, &id) in ids.iter().enumerate().rev() {
                    let hash = seeds.scatter(id.cast_unsigned());
                    let differs = |known: &i64| (known ^ id).cast_unsigned();
                    self.next[position] = self.numbers.replace(hash, id, as_u32(position), differs);
                }
            }
        }
    }

    /// Adds a reference. Its tokens must be of the same kind as those of the hypothesis.
    pub fn reference(&mut self, reference: Tokens<'_>) {
        let start = self.kept;
        let length = reference.len();
        if start == 0 {
            make_room(&mut self.shared, length);
        } else if self.shared.len() < start + length {
            self.shared.resize(start + length, Shared::default());
        }
        let shared = &mut self.shared[start..start + length];
        let seeds = self.seeds;
        let mut kept = 0;
        let mut keep = |position: usize, first: u32| {
            shared[kept] = Shared {
                position: as_u32(position),
                first,
            };
            kept += usize::from(first != NONE);
        };
        match reference {
            Tokens::Text(scratch, tokens) => {
                let bytes = scratch.bytes();
                for (position, &token) in tokens.iter().enumerate().rev() {
                    let word = Word::new(bytes, token);
                    let hash = word.hash(bytes, seeds);
                    keep(
                        position,
                        self.words.find(hash, |known| known.differs(word, bytes)),
                    );
                }
            }
            Tokens::Ids(ids) => {
                for (position, &id) in ids.iter().enumerate().rev() {
                    let hash = seeds.scatter(id.cast_unsigned());
                    let differs = |known: &i64| (known ^ id).cast_unsigned();
                    keep(position, self.numbers.find(hash, differs));
                }
            }
        }
        self.kept += kept;
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
        let mut steps = STEPS_PER_TOKEN * (length + self.length);
        let Some(base) = self.references.checked_add(as_u32(length) + 2) else {
            self.matches.fill(Match::default());
            self.references = 0;
            return self.confirm(start, length);
        };
        let base = std::mem::replace(&mut self.references, base) + 1;
        self.now_confirmed[..self.length].fill(0);
        for shared in &self.shared[start..self.kept] {
            let reference = base + shared.position;
            let mut unmatched = u64::MAX >> (MASK_ORDERS - self.orders);
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

    /// Counts the n-grams of the hypothesis that the references confirm, for n = 1, 2, …
    ///
    /// Each n-gram is credited at most as often as it occurs in the one reference that has it most:
    /// the *clipped* count of Papineni et al. (2002), section 2.1. Repeating a good word therefore
    /// earns nothing. `matches` has one element for each order given to [`Counter::start`];
    /// `matches[n - 1]` is 0 if there is no reference or the hypothesis is shorter than n.
    ///
    /// Takes expected `O(N (h + r))` time and `O(h + r)` space, where N is the number of orders,
    /// h the length of the hypothesis, and r that of all references together.
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

/// Makes room for `length` entries with arbitrary values, and frees memory if a huge segment has
/// enlarged the list.
fn make_room<T: Clone + Default>(list: &mut Vec<T>, length: usize) {
    if list.len() < length || list.len() > KEEP.max(length) {
        *list = vec![T::default(); length];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Counts by the definition.
    fn by_definition(hypothesis: &[i64], references: &[Vec<i64>], order: usize) -> i64 {
        fn counts(tokens: &[i64], order: usize) -> HashMap<&[i64], i64> {
            let mut counts = HashMap::new();
            for gram in tokens.windows(order) {
                *counts.entry(gram).or_default() += 1;
            }
            counts
        }
        let references: Vec<_> = references.iter().map(|r| counts(r, order)).collect();
        counts(hypothesis, order)
            .into_iter()
            .map(|(gram, count)| {
                let best = references.iter().filter_map(|r| r.get(gram)).max();
                count.min(best.copied().unwrap_or(0))
            })
            .sum()
    }

    /// Both ways of counting follow the definition, for short sequences over three tokens.
    #[test]
    fn clipped_counts_follow_the_definition() {
        let sequence = |mut number: i64, length: usize| -> Vec<i64> {
            (0..length)
                .map(|_| {
                    let token = number % 3;
                    number /= 3;
                    token - 1
                })
                .collect()
        };
        let mut counter = Counter::default();
        for number in 0..3_i64.pow(7) {
            let hypothesis = sequence(number, 7);
            let references = [
                sequence(number * 7 + 5, 9),
                sequence(number * 11 + 3, 4),
                vec![],
            ];
            let expected: Vec<i64> = (1..=8)
                .map(|order| by_definition(&hypothesis, &references, order))
                .collect();
            for repetitive in [false, true] {
                counter.start(Tokens::Ids(&hypothesis), 8);
                counter.repetitive = repetitive;
                for reference in &references {
                    counter.reference(Tokens::Ids(reference));
                }
                let mut matches = [0; 8];
                counter.clipped_matches(&mut matches);
                assert_eq!(
                    matches[..],
                    expected,
                    "{hypothesis:?} {references:?} {repetitive}"
                );
            }
        }
    }

    /// High orders, and a word repeated so often that only the second way is fast enough.
    #[test]
    fn long_repetitions_are_counted_too() {
        let hypothesis = vec![7; 5000];
        let reference = vec![7; 4000];
        let mut counter = Counter::default();
        for orders in [4, 64, 65, 100] {
            counter.start(Tokens::Ids(&hypothesis), orders);
            counter.reference(Tokens::Ids(&reference));
            assert!(counter.repetitive);
            let mut matches = vec![0; orders];
            counter.clipped_matches(&mut matches);
            let expected: Vec<i64> = (0..orders).map(|n| 4000 - n.cast_signed() as i64).collect();
            assert_eq!(matches, expected);
        }
    }
}
