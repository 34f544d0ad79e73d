//! Exact counts of the n-grams that a hypothesis shares with its references.
//!
//! Short hypotheses are counted [bit by bit](super::bit_parallel), others with
//! [lists of positions](super::position_lists), which leave highly repetitive texts to
//! [another way](super::repetitive). Words of long ones are numbered, and their n-grams
//! [sorted](super::sorted). All are exact; only their speed and their memory differ.

use super::keys::{Tokens, Word, Words};
use super::long_words::{LONG, LongWords};
use super::sorted::Sorted;
use super::ways::{Setting, Ways};
use crate::processor::Level;
use crate::text::Scratch;
use crate::tokenize::TokenSlice;

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
        let setting = self.setting();
        match hypothesis {
            Tokens::Text(scratch, tokens) => {
                let words = Words::new(scratch, tokens);
                if tokens.len() < self.long {
                    self.words.start_at(words, None, setting);
                } else {
                    self.long_words.insert(LongWords::default()).add(words);
                }
            }
            Tokens::Keyed(scratch, tokens, place) => {
                self.words
                    .start_at(Words::new(scratch, tokens), Some(place), setting);
            }
            Tokens::Ids(ids) => self.ids.start_at(ids, None, setting),
        }
    }

    /// Adds a reference. Its tokens must be of the same kind as those of the hypothesis.
    pub fn reference(&mut self, reference: Tokens<'_>) {
        let setting = self.setting();
        match reference {
            Tokens::Text(scratch, tokens) => {
                let words = Words::new(scratch, tokens);
                match &mut self.long_words {
                    None => self.words.reference_at(words, None, setting),
                    Some(long) => {
                        long.start_reference();
                        long.add(words);
                    }
                }
            }
            Tokens::Keyed(scratch, tokens, place) => {
                self.words
                    .reference_at(Words::new(scratch, tokens), Some(place), setting);
            }
            Tokens::Ids(ids) => self.ids.reference_at(ids, None, setting),
        }
    }

    fn setting(&self) -> Setting {
        Setting {
            level: self.level,
            orders: self.orders,
        }
    }

    /// Computes the keys of many short texts at once: their tokens can be counted as [`Tokens::Keyed`]
    /// until others are counted or keyed.
    pub fn key(&mut self, scratch: &Scratch, tokens: TokenSlice<'_>) {
        self.words.key(self.level, Words::new(scratch, tokens));
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
