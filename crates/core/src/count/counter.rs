//! Exact counts of the n-grams that a hypothesis shares with its references.
//!
//! Short hypotheses are counted [bit by bit](super::bit_parallel), others with
//! [lists of positions](super::position_lists), which leave highly repetitive texts to
//! [another way](super::repetitive). Words of long ones are numbered, and their n-grams
//! [sorted](super::sorted). All are exact; only their speed and their memory differ.

use super::bit_parallel::BitParallel;
use super::keys::{Keys, Tokens, Word, Words};
use super::long_words::{LONG, LongWords};
use super::position_lists::PositionLists;
#[cfg(target_arch = "x86_64")]
use super::positions::Four;
use super::positions::{Confirm, ORDERS, Portable};
use super::sorted::Sorted;
#[cfg(target_arch = "x86_64")]
use crate::processor::Avx2;
use crate::processor::Level;
use crate::text::Scratch;
use crate::tokenize::TokenSlice;

/// How the current segment is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Way {
    /// The positions of the hypothesis are the bits of one integer.
    Bits64,
    /// They are the bits of two integers.
    Bits128,
    /// They are the bits of four integers.
    Bits256,
    /// They are in a list for each token.
    #[default]
    Lists,
}

// So many slots that few hypotheses need a second try.
type Bits64<K> = BitParallel<K, 1, 0x1000>;
type Bits128<K> = BitParallel<K, 2, 0x4000>;
type Bits256<K> = BitParallel<K, 4, 0x4000>;

/// The ways to count tokens of one kind.
#[derive(Debug)]
struct Ways<K> {
    bits64: Box<Bits64<K>>,
    bits128: Box<Bits128<K>>,
    bits256: Box<Bits256<K>>,
    lists: PositionLists<K>,
    way: Way,
    /// Do not count bit by bit.
    #[cfg(test)]
    only_lists: bool,
}

impl<K: Copy + Default> Default for Ways<K> {
    fn default() -> Self {
        Self {
            bits64: Box::default(),
            bits128: Box::default(),
            bits256: Box::default(),
            lists: PositionLists::default(),
            way: Way::default(),
            #[cfg(test)]
            only_lists: false,
        }
    }
}

impl<K: Copy + Default> Ways<K> {
    #[inline(always)]
    fn start<S: Keys<Key = K>>(&mut self, hypothesis: S, orders: usize) {
        let few_orders = orders <= ORDERS;
        #[cfg(test)]
        let few_orders = few_orders && !self.only_lists;
        self.way = if few_orders && self.bits64.start(hypothesis) {
            Way::Bits64
        } else if few_orders && self.bits128.start(hypothesis) {
            Way::Bits128
        } else if few_orders && self.bits256.start(hypothesis) {
            Way::Bits256
        } else {
            self.lists.start(hypothesis, orders);
            Way::Lists
        };
    }

    #[inline(always)]
    fn reference<S: Keys<Key = K>>(
        &mut self,
        four: impl Confirm<1, 4>,
        reference: S,
        orders: usize,
    ) {
        match (self.way, orders <= 4) {
            (Way::Bits64, true) => self.bits64.reference(four, reference),
            (Way::Bits64, false) => self
                .bits64
                .reference(Portable::<1, ORDERS>::default(), reference),
            (Way::Bits128, true) => self
                .bits128
                .reference(Portable::<2, 4>::default(), reference),
            (Way::Bits128, false) => self
                .bits128
                .reference(Portable::<2, ORDERS>::default(), reference),
            (Way::Bits256, true) => self
                .bits256
                .reference(Portable::<4, 4>::default(), reference),
            (Way::Bits256, false) => self
                .bits256
                .reference(Portable::<4, ORDERS>::default(), reference),
            (Way::Lists, _) => self.lists.reference(reference),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn start_avx2<S: Keys<Key = K>>(&mut self, hypothesis: S, orders: usize) {
        self.start(hypothesis, orders);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn reference_avx2<S: Keys<Key = K>>(&mut self, proof: Avx2, reference: S, orders: usize) {
        self.reference(Four::new(proof), reference, orders);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn clipped_matches_avx2(&self, matches: &mut [i64]) {
        self.clipped_matches(matches);
    }

    fn start_at<S: Keys<Key = K>>(&mut self, level: Level, hypothesis: S, orders: usize) {
        match level {
            // SAFETY: the level proves the features.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(_) | Level::Avx512(_) => unsafe { self.start_avx2(hypothesis, orders) },
            _ => self.start(hypothesis, orders),
        }
    }

    fn reference_at<S: Keys<Key = K>>(&mut self, level: Level, reference: S, orders: usize) {
        match level.avx2() {
            // SAFETY: the level proves the features.
            #[cfg(target_arch = "x86_64")]
            Some(proof) => unsafe { self.reference_avx2(proof, reference, orders) },
            _ => self.reference(Portable::default(), reference, orders),
        }
    }

    #[inline(always)]
    fn clipped_matches(&self, matches: &mut [i64]) {
        match self.way {
            Way::Bits64 => self.bits64.clipped_matches(matches),
            Way::Bits128 => self.bits128.clipped_matches(matches),
            Way::Bits256 => self.bits256.clipped_matches(matches),
            Way::Lists => self.lists.clipped_matches(matches),
        }
    }

    fn clipped_matches_at(&self, level: Level, matches: &mut [i64]) {
        match level {
            // SAFETY: the level proves the features.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(_) | Level::Avx512(_) => unsafe { self.clipped_matches_avx2(matches) },
            _ => self.clipped_matches(matches),
        }
    }
}

/// Counts the matches of segments, one after the other, with buffers that are reused.
#[derive(Debug)]
pub struct Counter {
    level: Level,
    words: Ways<Word>,
    ids: Ways<i64>,
    /// The current segment, if it has very many words.
    long_words: Option<LongWords>,
    sorted: Sorted,
    /// What very many are.
    long: usize,
    /// Whether the current segment consists of ids.
    counts_ids: bool,
    orders: usize,
}

impl Default for Counter {
    fn default() -> Self {
        Self::at(Level::current())
    }
}

impl Counter {
    /// A counter that is compiled for this level.
    #[must_use]
    pub fn at(level: Level) -> Self {
        Self {
            level,
            words: Ways::default(),
            ids: Ways::default(),
            long_words: None,
            sorted: Sorted::at(level),
            long: LONG,
            counts_ids: false,
            orders: 0,
        }
    }

    /// Starts a segment with its hypothesis, to be counted in orders up to `orders`.
    pub fn start(&mut self, hypothesis: Tokens<'_>, orders: usize) {
        self.orders = orders;
        self.counts_ids = matches!(hypothesis, Tokens::Ids(_));
        self.long_words = None;
        match hypothesis {
            Tokens::Text(scratch, tokens) => {
                let words = Words::new(scratch, tokens);
                if tokens.len() < self.long {
                    self.words.start_at(self.level, words, orders);
                } else {
                    self.long_words.insert(LongWords::default()).add(words);
                }
            }
            Tokens::Ids(ids) => self.ids.start_at(self.level, ids, orders),
        }
    }

    /// Adds a reference. Its tokens must be of the same kind as those of the hypothesis.
    pub fn reference(&mut self, reference: Tokens<'_>) {
        match reference {
            Tokens::Text(scratch, tokens) => {
                let words = Words::new(scratch, tokens);
                match &mut self.long_words {
                    None => self.words.reference_at(self.level, words, self.orders),
                    Some(long) => {
                        long.start_reference();
                        long.add(words);
                    }
                }
            }
            Tokens::Ids(ids) => self.ids.reference_at(self.level, ids, self.orders),
        }
    }

    /// Starts a segment whose texts are given piece by piece, the hypothesis first.
    pub fn start_pieces(&mut self) {
        self.long_words = Some(LongWords::default());
    }

    /// Adds a piece to the last text of such a segment. All have one encoding.
    pub fn piece(&mut self, scratch: &Scratch, tokens: TokenSlice<'_>) {
        if let Some(long) = &mut self.long_words {
            long.add(Words::new(scratch, tokens));
        }
    }

    /// Starts the next text of such a segment, which is a reference.
    pub fn start_reference(&mut self) {
        if let Some(long) = &mut self.long_words {
            long.start_reference();
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
    pub fn clipped_matches(&mut self, matches: &mut [i64]) {
        if let Some(long) = &mut self.long_words {
            long.clipped_matches(&mut self.sorted, matches);
        } else if self.counts_ids {
            self.ids.clipped_matches_at(self.level, matches);
        } else {
            self.words.clipped_matches_at(self.level, matches);
        }
    }
}

#[cfg(test)]
mod tests;
