//! Counting n-grams and clipping them by the references, exactly.
//!
//! Tokens of a segment get small ids in order of appearance. An n-gram is named by the ids of the
//! two (n−1)-grams that it consists of, two 32-bit numbers in one exact 64-bit key, whatever its
//! order. A hash finds the slot; the key decides.
//!
//! Most n-grams of a hypothesis occur in no reference, and then none of those that contain them
//! does. So orders are taken one at a time, on both sides together, and order n looks only at
//! places where both (n−1)-grams are known to match.
//!
//! Whether something matches is a coin toss that no processor predicts. The inner loops therefore
//! write first and decide by how much to advance: they have no branch that depends on it.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::ops::Range;

use crate::text::Scratch;
use crate::tokenize::Token;

/// The id of all tokens and n-grams that the hypothesis does not have; others count from 1.
const NONE: u32 = 0;

/// Entries that a table or list keeps from one segment to the next at the most.
const KEEP: usize = 1 << 16;

/// Two random numbers a process: nobody can prepare a text whose tokens collide.
#[derive(Clone, Copy, Debug)]
struct Seeds(u64, u64);

impl Seeds {
    fn random() -> Self {
        let state = RandomState::new();
        Self(state.hash_one(0), state.hash_one(1))
    }

    /// The two halves of a product, folded: every bit of the input reaches every bit.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
    fn mix(self, a: u64, b: u64) -> u64 {
        let product = u128::from(a ^ self.0) * u128::from(b ^ self.1);
        (product >> 64) as u64 ^ product as u64
    }
}

/// The tokens or n-grams of a hypothesis and how often they occur, by open addressing with linear
/// probing. An id is the number of a slot.
///
/// A slot counts as empty unless it carries the table's generation, so forgetting everything
/// costs one addition. Slot [`NONE`] stands for what the hypothesis does not have.
#[derive(Debug)]
struct Table<K> {
    slots: Vec<Slot<K>>,
    /// Slots in use (without that of `NONE`) minus 1; a power of two minus 1.
    mask: usize,
    generation: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot<K> {
    key: K,
    generation: u32,
    /// Occurrences in the hypothesis.
    hypothesis: u32,
    /// The most in any one reference so far.
    best: u32,
    /// In the reference that is being read, and which one that is (from 1).
    current: u32,
    reference: u32,
}

impl<K: Copy + Default> Table<K> {
    fn new() -> Self {
        Self {
            slots: Vec::new(),
            mask: 0,
            generation: 0,
        }
    }

    /// Empties the table and makes room for `keys` keys, in so many slots that most keys find
    /// theirs at once.
    fn reset(&mut self, keys: usize) {
        let wanted = (8 * keys).next_power_of_two().max(16);
        if self.slots.len() <= wanted || self.slots.len() > KEEP.max(wanted + 1) {
            self.slots = vec![Slot::default(); wanted + 1];
            self.generation = 0;
        }
        self.mask = wanted - 1;
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.slots.fill(Slot::default());
            self.generation = 1;
        }
    }

    /// The slot of the key for which `differs` is 0, or else the empty one where it would go.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "masked to the table, folded to 32 bits")]
    fn probe(&self, hash: u64, differs: impl Fn(&K) -> u64) -> (usize, bool) {
        let mut at = hash as usize & self.mask;
        loop {
            let slot = &self.slots[at + 1];
            let stale = slot.generation ^ self.generation;
            let difference = differs(&slot.key);
            let difference = difference as u32 | (difference >> 32) as u32;
            // Whether the slot is empty or the key's is the coin toss, and either ends the
            // search. `difference != 0 && stale == 0`, in one comparison:
            if u64::from(difference) <= u64::from(stale).wrapping_neg() {
                return (at + 1, stale == 0);
            }
            at = (at + 1) & self.mask;
        }
    }

    /// Counts one more occurrence in the hypothesis.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "tables stay below 2^32 slots")]
    fn insert(&mut self, hash: u64, key: K, differs: impl Fn(&K) -> u64) -> u32 {
        let (at, found) = self.probe(hash, differs);
        let slot = &mut self.slots[at];
        *slot = Slot {
            key,
            generation: self.generation,
            hypothesis: slot.hypothesis * u32::from(found) + 1,
            best: 0,
            current: 0,
            reference: 0,
        };
        at as u32
    }

    /// The id of the key, and 1 if this occurrence in a reference confirms one in the hypothesis.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "tables stay below 2^32 slots")]
    fn confirm(&mut self, hash: u64, reference: u32, differs: impl Fn(&K) -> u64) -> (u32, i64) {
        let (at, found) = self.probe(hash, differs);
        let at = at * usize::from(found);
        let slot = &mut self.slots[at];
        slot.current = slot.current * u32::from(slot.reference == reference) + 1;
        slot.reference = reference;
        let more = slot.current > slot.best;
        slot.best = slot.best.max(slot.current);
        let confirmed = more & (slot.best <= slot.hypothesis);
        (at as u32, i64::from(confirmed))
    }

    /// Whether a reference has the n-gram.
    #[inline(always)]
    fn is_confirmed(&self, id: u32) -> bool {
        self.slots[id as usize].best > 0
    }
}

/// A token's bytes: the first sixteen in two numbers, the rest by position.
#[derive(Clone, Copy, Debug, Default)]
struct Word {
    head: u64,
    next: u64,
    start: u32,
    length: u32,
}

impl Word {
    #[inline(always)]
    fn new(bytes: &[u8], token: Token) -> Self {
        let length = token.length as usize;
        let Some(chunk) = bytes[token.start as usize..].first_chunk::<16>() else {
            unreachable!("every text is followed by padding")
        };
        let (words, _) = chunk.as_chunks::<8>();
        Self {
            head: u64::from_le_bytes(words[0]) & MASKS[length.min(8)],
            next: u64::from_le_bytes(words[1]) & MASKS[length.clamp(8, 16) - 8],
            start: token.start,
            length: token.length,
        }
    }

    /// What the two numbers leave out. A word from an earlier segment may find nothing there.
    fn rest(self, bytes: &[u8]) -> &[u8] {
        let (start, length) = (self.start as usize, self.length as usize);
        bytes.get(start + 16..start + length).unwrap_or_default()
    }

    #[inline(always)]
    fn hash(self, bytes: &[u8], seeds: Seeds) -> u64 {
        let hash = seeds.mix(self.head, self.next ^ u64::from(self.length).rotate_left(56));
        if self.length <= 16 {
            return hash;
        }
        self.rest(bytes).chunks(8).fold(hash, |hash, chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            seeds.mix(hash, u64::from_le_bytes(word))
        })
    }

    /// 0 if the two are equal.
    #[inline(always)]
    fn differs(self, other: Self, bytes: &[u8]) -> u64 {
        let difference = (self.head ^ other.head)
            | (self.next ^ other.next)
            | u64::from(self.length ^ other.length);
        if other.length <= 16 {
            return difference;
        }
        difference | u64::from(self.rest(bytes) != other.rest(bytes))
    }
}

/// The lowest 0 to 8 bytes of a number.
const MASKS: [u64; 9] = [
    0,
    0xFF,
    0xFFFF,
    0xFF_FFFF,
    0xFFFF_FFFF,
    0xFF_FFFF_FFFF,
    0xFFFF_FFFF_FFFF,
    0xFF_FFFF_FFFF_FFFF,
    u64::MAX,
];

/// An n-gram at its place in the segment.
#[derive(Clone, Copy, Debug, Default)]
struct Gram {
    position: u32,
    id: u32,
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
    /// Whether the tokens of this segment are in `words` or in `numbers`.
    textual: bool,
    /// Clipped matches of order 1.
    unigrams: i64,
    /// The n-grams of the hypothesis.
    hypothesis: Vec<Gram>,
    /// The n-grams of all references.
    references: Vec<Gram>,
    /// Where each reference stands in `references`.
    bounds: Vec<Range<usize>>,
    /// The (n+1)-grams of one side, as they are found.
    names: Vec<(u64, u32)>,
}

impl Default for Counter {
    fn default() -> Self {
        Self {
            seeds: Seeds::random(),
            words: Table::new(),
            numbers: Table::new(),
            textual: false,
            unigrams: 0,
            hypothesis: Vec::new(),
            references: Vec::new(),
            bounds: Vec::new(),
            names: Vec::new(),
        }
    }
}

impl Counter {
    /// Begins a segment: takes the hypothesis in.
    pub fn start(&mut self, hypothesis: Tokens<'_>) {
        self.unigrams = 0;
        self.bounds.clear();
        empty(&mut self.references);
        empty(&mut self.hypothesis);
        empty(&mut self.names);
        let seeds = self.seeds;
        match hypothesis {
            Tokens::Text(scratch, tokens) => {
                self.textual = true;
                let bytes = scratch.bytes();
                self.words.reset(tokens.len());
                self.hypothesis.extend((0..).zip(tokens).map(|(position, &token)| {
                    let word = Word::new(bytes, token);
                    let hash = word.hash(bytes, seeds);
                    let id = self.words.insert(hash, word, |known| known.differs(word, bytes));
                    Gram { position, id }
                }));
            }
            Tokens::Ids(numbers) => {
                self.textual = false;
                self.numbers.reset(numbers.len());
                self.hypothesis.extend((0..).zip(numbers).map(|(position, number)| {
                    let key = number.cast_unsigned();
                    let id = self.numbers.insert(seeds.mix(key, 0), key, |&known| known ^ key);
                    Gram { position, id }
                }));
            }
        }
    }

    /// Takes a reference in. All references come after [`Counter::start`], and are tokens of the
    /// same kind.
    #[expect(clippy::cast_possible_truncation, reason = "references are few")]
    pub fn reference(&mut self, reference: Tokens<'_>) {
        let start = self.references.len();
        let number = self.bounds.len() as u32 + 1;
        let seeds = self.seeds;
        let mut matched = 0;
        match reference {
            Tokens::Text(scratch, tokens) => {
                let bytes = scratch.bytes();
                self.references.extend((0..).zip(tokens).map(|(position, &token)| {
                    let word = Word::new(bytes, token);
                    let hash = word.hash(bytes, seeds);
                    let differs = |known: &Word| known.differs(word, bytes);
                    let (id, confirmed) = self.words.confirm(hash, number, differs);
                    matched += confirmed;
                    Gram { position, id }
                }));
            }
            Tokens::Ids(numbers) => {
                self.references.extend((0..).zip(numbers).map(|(position, token)| {
                    let key = token.cast_unsigned();
                    let differs = |known: &u64| known ^ key;
                    let (id, confirmed) = self.numbers.confirm(seeds.mix(key, 0), number, differs);
                    matched += confirmed;
                    Gram { position, id }
                }));
            }
        }
        self.unigrams += matched;
        self.bounds.push(start..self.references.len());
    }

    /// Counts the n-grams of the hypothesis that the references confirm, for n = 1, 2, …
    ///
    /// Each n-gram is credited at most as often as it occurs in the one reference that has it
    /// most: the *clipped* count of Papineni et al. (2002), section 2.1. Repeating a good word
    /// therefore earns nothing. `matches[n - 1]` is 0 if there is no reference or the hypothesis
    /// is shorter than n.
    ///
    /// Takes expected `O(N (h + r))` time and `O(h + r)` space, where N is the length of
    /// `matches`, h that of the hypothesis, and r that of all references together. To be called
    /// once a segment, after its references.
    pub fn clipped_matches(&mut self, matches: &mut [i64]) {
        matches.fill(0);
        let Some((unigrams, higher)) = matches.split_first_mut() else {
            return;
        };
        *unigrams = self.unigrams;
        for (order, matched) in (2..).zip(higher) {
            *matched = self.next_order(order);
            if *matched == 0 {
                return;
            }
        }
    }

    /// Joins neighbouring n-grams to (n+1)-grams, on both sides, and returns the clipped matches.
    #[expect(clippy::cast_possible_truncation, reason = "references are few")]
    fn next_order(&mut self, order: usize) -> i64 {
        let seeds = self.seeds;
        let hash = |key: u64| seeds.mix(key, 0);
        let count = if order == 2 && self.textual {
            let words = &self.words;
            join(&self.hypothesis, &mut self.names, |gram| words.is_confirmed(gram.id))
        } else {
            let numbers = &self.numbers;
            join(&self.hypothesis, &mut self.names, |gram| numbers.is_confirmed(gram.id))
        };
        self.numbers.reset(count);
        self.hypothesis.truncate(count);
        for (gram, &(key, position)) in self.hypothesis.iter_mut().zip(&self.names) {
            let id = self.numbers.insert(hash(key), key, |&known| known ^ key);
            *gram = Gram { position, id };
        }
        let mut matched = 0;
        for (index, bounds) in self.bounds.iter_mut().enumerate() {
            let grams = &mut self.references[bounds.clone()];
            let count = join(grams, &mut self.names, |gram| gram.id != NONE);
            for (gram, &(key, position)) in grams.iter_mut().zip(&self.names[..count]) {
                let differs = |&known: &u64| known ^ key;
                let (id, confirmed) = self.numbers.confirm(hash(key), index as u32 + 1, differs);
                matched += confirmed;
                *gram = Gram { position, id };
            }
            bounds.end = bounds.start + count;
        }
        matched
    }
}

/// The exact name and the position of each pair of n-grams that follow one another and are both
/// wanted; returns how many there are.
#[inline(always)]
fn join(grams: &[Gram], names: &mut Vec<(u64, u32)>, wanted: impl Fn(&Gram) -> bool) -> usize {
    if names.len() < grams.len() {
        names.resize(grams.len(), (0, 0));
    }
    let Some((first, rest)) = grams.split_first() else {
        return 0;
    };
    let mut count = 0;
    let (mut before, mut wanted_before) = (first, wanted(first));
    for gram in rest {
        let wanted_now = wanted(gram);
        let name = (u64::from(before.id) << 32) | u64::from(gram.id);
        names[count] = (name, before.position);
        let adjacent = before.position + 1 == gram.position;
        count += usize::from(adjacent & wanted_before & wanted_now);
        (before, wanted_before) = (gram, wanted_now);
    }
    count
}

/// Empties a list, and gives its memory back if one huge segment had blown it up.
fn empty<T>(list: &mut Vec<T>) {
    if list.capacity() > KEEP {
        *list = Vec::new();
    }
    list.clear();
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
        let find = |table: &mut Table<u64>| table.confirm(1, 1, |&k| k ^ 1);
        table.reset(4);
        let id = table.insert(1, 1, |&k| k ^ 1);
        assert_eq!(find(&mut table), (id, 1));
        table.generation = u32::MAX;
        table.reset(4);
        assert_eq!(table.generation, 1);
        assert_eq!(find(&mut table), (NONE, 0));
        // A larger table begins anew.
        table.reset(100);
        assert_eq!(find(&mut table), (NONE, 0));
    }
}
