//! Counting n-grams and clipping them by the references, exactly.
//!
//! Tokens of a segment get small ids in order of appearance. An n-gram is named by the id of its
//! first n−1 tokens and the id of its last, two 32-bit numbers in one exact 64-bit key, whatever
//! its order. A hash finds the slot; the key decides.
//!
//! Most n-grams of a hypothesis occur in no reference, and then none of those that contain them
//! does. So orders are taken one at a time, on both sides together, and order n looks only at
//! positions where both (n−1)-grams inside are known to match.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::ops::Range;

use crate::text::Scratch;
use crate::tokenize::Token;

/// The id of a token or n-gram that cannot match.
const NONE: u32 = u32::MAX;

/// Slots that a table keeps from one segment to the next at the most.
const KEEP: usize = 1 << 16;

/// Two random numbers a process: nobody can prepare a text whose tokens collide.
#[derive(Clone, Copy, Debug)]
struct Seeds(u64, u64);

impl Seeds {
    fn random() -> Self {
        let state = RandomState::new();
        Self(state.hash_one(0), state.hash_one(1) | 1)
    }

    /// The two halves of a product, folded: every bit of the input reaches every bit.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
    fn mix(self, key: u64) -> u64 {
        let product = u128::from(key ^ self.0) * u128::from(self.1);
        (product >> 64) as u64 ^ product as u64
    }
}

/// Keys to dense ids, by open addressing with linear probing.
///
/// A slot counts as empty unless it carries the table's generation, so forgetting everything
/// costs one addition.
#[derive(Debug)]
struct Table<K> {
    slots: Vec<Slot<K>>,
    /// Slots in use minus 1; a power of two minus 1.
    mask: usize,
    generation: u32,
    entries: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot<K> {
    key: K,
    generation: u32,
    id: u32,
}

impl<K: Copy + Default> Table<K> {
    fn new() -> Self {
        Self {
            slots: Vec::new(),
            mask: 0,
            generation: 0,
            entries: 0,
        }
    }

    /// Empties the table and makes room for `keys` keys.
    fn reset(&mut self, keys: usize) {
        let wanted = (2 * keys).next_power_of_two().max(16);
        if self.slots.len() > KEEP.max(wanted) {
            self.slots = Vec::new();
        }
        if self.slots.len() < wanted {
            self.slots.resize(wanted, Slot::default());
        }
        self.mask = wanted - 1;
        self.entries = 0;
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.slots.fill(Slot::default());
            self.generation = 1;
        }
    }

    /// The slot of the key for which `same` holds, or the free one where it would go.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "masked to the table")]
    fn probe(&self, hash: u64, same: impl Fn(&K) -> bool) -> (usize, bool) {
        let mut at = hash as usize & self.mask;
        loop {
            let slot = &self.slots[at];
            if slot.generation != self.generation {
                return (at, false);
            }
            if same(&slot.key) {
                return (at, true);
            }
            at = (at + 1) & self.mask;
        }
    }

    #[inline]
    fn find(&self, hash: u64, same: impl Fn(&K) -> bool) -> u32 {
        let (at, found) = self.probe(hash, same);
        if found { self.slots[at].id } else { NONE }
    }

    #[inline]
    fn insert(&mut self, hash: u64, key: K, same: impl Fn(&K) -> bool) -> u32 {
        let (at, found) = self.probe(hash, same);
        if !found {
            self.slots[at] = Slot {
                key,
                generation: self.generation,
                id: self.entries,
            };
            self.entries += 1;
        }
        self.slots[at].id
    }
}

/// A token's bytes: the first eight in one number, the rest by position.
#[derive(Clone, Copy, Debug, Default)]
struct Word {
    head: u64,
    start: u32,
    length: u32,
}

impl Word {
    #[inline]
    fn new(bytes: &[u8], token: Token) -> Self {
        Self {
            head: word_at(bytes, token.start as usize, token.length as usize),
            start: token.start,
            length: token.length,
        }
    }

    #[inline]
    fn hash(self, bytes: &[u8], seeds: Seeds) -> u64 {
        let length = self.length as usize;
        let mut hash = seeds.mix(self.head ^ u64::from(self.length).rotate_left(56));
        let mut done = 8;
        while done < length {
            let next = word_at(bytes, self.start as usize + done, length - done);
            hash = seeds.mix(hash.rotate_left(32) ^ next);
            done += 8;
        }
        hash
    }

    #[inline]
    fn same(self, other: Self, bytes: &[u8]) -> bool {
        let rest = |word: Self| &bytes[word.start as usize..][8..word.length as usize];
        self.head == other.head
            && self.length == other.length
            && (self.length <= 8 || rest(self) == rest(other))
    }
}

/// Up to eight bytes as a number, zeros behind the last.
#[inline]
fn word_at(bytes: &[u8], start: usize, length: usize) -> u64 {
    let Some(chunk) = bytes[start..].first_chunk() else {
        unreachable!("every text is followed by padding")
    };
    let word = u64::from_le_bytes(*chunk);
    if length >= 8 {
        word
    } else {
        word & ((1 << (8 * length)) - 1)
    }
}

/// How often one n-gram occurs.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    hypothesis: u32,
    /// The most in any one reference so far.
    best: u32,
    /// In the reference that is being read, and which one that is (from 1).
    current: u32,
    reference: u32,
}

/// One side of the comparison: token ids, and at each position the id of the n-gram that begins
/// there.
#[derive(Debug, Default)]
struct Side {
    tokens: Vec<u32>,
    grams: Vec<u32>,
}

impl Side {
    fn clear(&mut self) {
        for ids in [&mut self.tokens, &mut self.grams] {
            if ids.capacity() > KEEP {
                *ids = Vec::new();
            }
            ids.clear();
        }
    }
}

/// The tokens of one segment, as the caller has them.
#[derive(Clone, Copy, Debug)]
pub enum Tokens<'a> {
    /// Ranges of bytes in a scratch buffer.
    Text(&'a Scratch, &'a [Token]),
    /// Integers.
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

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Counts the matches of one segment after the other; owns the tables that they share.
#[derive(Debug)]
pub struct Counter {
    seeds: Seeds,
    words: Table<Word>,
    numbers: Table<u64>,
    tallies: Vec<Tally>,
    hypothesis: Side,
    references: Side,
    /// Where each reference stands in `references`.
    bounds: Vec<Range<usize>>,
}

impl Default for Counter {
    fn default() -> Self {
        Self {
            seeds: Seeds::random(),
            words: Table::new(),
            numbers: Table::new(),
            tallies: Vec::new(),
            hypothesis: Side::default(),
            references: Side::default(),
            bounds: Vec::new(),
        }
    }
}

impl Counter {
    /// Begins a segment: takes the hypothesis in.
    pub fn start(&mut self, hypothesis: Tokens<'_>) {
        self.hypothesis.clear();
        self.references.clear();
        self.bounds.clear();
        let ids = &mut self.hypothesis.tokens;
        let seeds = self.seeds;
        let entries = match hypothesis {
            Tokens::Text(scratch, tokens) => {
                let bytes = scratch.bytes();
                self.words.reset(tokens.len());
                ids.extend(tokens.iter().map(|&token| {
                    let word = Word::new(bytes, token);
                    let hash = word.hash(bytes, seeds);
                    self.words.insert(hash, word, |known| known.same(word, bytes))
                }));
                self.words.entries
            }
            Tokens::Ids(numbers) => {
                self.numbers.reset(numbers.len());
                ids.extend(numbers.iter().map(|number| {
                    let key = number.cast_unsigned();
                    self.numbers.insert(seeds.mix(key), key, |&known| known == key)
                }));
                self.numbers.entries
            }
        };
        self.reset_tallies(entries);
    }

    /// Takes a reference in. All references come after [`Counter::start`], and are tokens of the
    /// same kind.
    pub fn reference(&mut self, reference: Tokens<'_>) {
        let ids = &mut self.references.tokens;
        let start = ids.len();
        let seeds = self.seeds;
        match reference {
            Tokens::Text(scratch, tokens) => {
                let bytes = scratch.bytes();
                ids.extend(tokens.iter().map(|&token| {
                    let word = Word::new(bytes, token);
                    let hash = word.hash(bytes, seeds);
                    self.words.find(hash, |known| known.same(word, bytes))
                }));
            }
            Tokens::Ids(numbers) => ids.extend(numbers.iter().map(|number| {
                let key = number.cast_unsigned();
                self.numbers.find(seeds.mix(key), |&known| known == key)
            })),
        }
        self.bounds.push(start..ids.len());
    }

    /// Counts the n-grams of the hypothesis that the references confirm, for n = 1, 2, …
    ///
    /// Each n-gram is credited at most as often as it occurs in the one reference that has it
    /// most: the *clipped* count of Papineni et al. (2002), section 2.1. Repeating a good word
    /// therefore earns nothing. `matches[n - 1]` is 0 if there is no reference or the hypothesis
    /// is shorter than n.
    ///
    /// Takes expected `O(N (h + r))` time and `O(h + r)` space, where N is the length of
    /// `matches`, h that of the hypothesis, and r that of all references together.
    pub fn clipped_matches(&mut self, matches: &mut [i64]) {
        matches.fill(0);
        self.hypothesis.grams.clone_from(&self.hypothesis.tokens);
        self.references.grams.clone_from(&self.references.tokens);
        for order in 1..=matches.len() {
            if order > 1 {
                self.extend(order);
            }
            let matched = self.tally(order);
            matches[order - 1] = matched;
            if matched == 0 {
                return;
            }
            self.forget_unmatched(order);
        }
    }

    /// Turns (n−1)-grams into n-grams: those of the hypothesis get ids, those of the references
    /// are looked up.
    fn extend(&mut self, order: usize) {
        let seeds = self.seeds;
        let Side { tokens, grams } = &mut self.hypothesis;
        let positions = grams.len().saturating_sub(order - 1);
        self.numbers.reset(positions);
        for at in 0..positions {
            if grams[at] != NONE && grams[at + 1] != NONE {
                let key = name(grams[at], tokens[at + order - 1]);
                grams[at] = self.numbers.insert(seeds.mix(key), key, |&known| known == key);
            } else {
                grams[at] = NONE;
            }
        }
        let entries = self.numbers.entries;
        let Side { tokens, grams } = &mut self.references;
        for bounds in &self.bounds {
            let tokens = &tokens[bounds.clone()];
            let grams = &mut grams[bounds.clone()];
            for at in 0..grams.len().saturating_sub(order - 1) {
                if grams[at] != NONE && grams[at + 1] != NONE {
                    let key = name(grams[at], tokens[at + order - 1]);
                    grams[at] = self.numbers.find(seeds.mix(key), |&known| known == key);
                } else {
                    grams[at] = NONE;
                }
            }
        }
        self.reset_tallies(entries);
    }

    fn reset_tallies(&mut self, entries: u32) {
        if self.tallies.capacity() > KEEP {
            self.tallies = Vec::new();
        }
        self.tallies.clear();
        self.tallies.resize(entries as usize, Tally::default());
    }

    /// Counts both sides and returns the clipped matches of this order.
    fn tally(&mut self, order: usize) -> i64 {
        let positions = |grams: usize| grams.saturating_sub(order - 1);
        let grams = &self.hypothesis.grams;
        for &gram in &grams[..positions(grams.len())] {
            if gram != NONE {
                self.tallies[gram as usize].hypothesis += 1;
            }
        }
        let mut matched = 0;
        for (number, bounds) in (1..).zip(&self.bounds) {
            let grams = &self.references.grams[bounds.clone()];
            for &gram in &grams[..positions(grams.len())] {
                if gram == NONE {
                    continue;
                }
                let tally = &mut self.tallies[gram as usize];
                if tally.reference != number {
                    tally.reference = number;
                    tally.current = 0;
                }
                tally.current += 1;
                if tally.current > tally.best {
                    tally.best = tally.current;
                    matched += i64::from(tally.best <= tally.hypothesis);
                }
            }
        }
        matched
    }

    /// Leaves out of the next order what no reference has.
    fn forget_unmatched(&mut self, order: usize) {
        let grams = &mut self.hypothesis.grams;
        let positions = grams.len().saturating_sub(order - 1);
        for gram in &mut grams[..positions] {
            if *gram != NONE && self.tallies[*gram as usize].best == 0 {
                *gram = NONE;
            }
        }
    }
}

/// The exact name of an n-gram: its first n−1 tokens, and its last.
#[inline]
fn name(prefix: u32, last: u32) -> u64 {
    u64::from(prefix) << 32 | u64::from(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Counting as the definition has it.
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

    /// Every short hypothesis over three tokens against two references: what the definition says.
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
            let references = [sequence(number * 7 + 5, 9), sequence(number * 11 + 3, 4), vec![]];
            counter.start(Tokens::Ids(&hypothesis));
            for reference in &references {
                counter.reference(Tokens::Ids(reference));
            }
            let mut matches = [0; 6];
            counter.clipped_matches(&mut matches);
            for order in 1..=6 {
                assert_eq!(
                    matches[order - 1],
                    by_definition(&hypothesis, &references, order),
                    "{hypothesis:?} {references:?} {order}"
                );
            }
        }
    }

    /// A table that has forgotten, however often, has forgotten.
    #[test]
    fn generations_wrap_around() {
        let mut table = Table::<u64>::new();
        table.reset(4);
        table.insert(1, 1, |&k| k == 1);
        table.generation = u32::MAX;
        table.reset(4);
        assert_eq!(table.generation, 1);
        assert_eq!(table.find(1, |&k| k == 1), NONE);
    }
}
