//! Exact counts of the n-grams that a hypothesis shares with its references.
//!
//! Short hypotheses are counted [bit by bit](super::ways); the tokens of others are
//! [numbered](super::numbered), and their n-grams sorted. Both are exact; only their speed and their
//! memory differ.

use super::keys::{Tokens, Word, Words};
use super::numbered::Numbered;
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
    numbered: Numbered,
    now: Now,
    orders: usize,
    /// Count nothing bit by bit.
    #[cfg(test)]
    only_numbers: bool,
}

/// What counts the current segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Now {
    Words,
    Ids,
    Numbered,
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
            numbered: Numbered::at(level),
            now: Now::Numbered,
            orders: 0,
            #[cfg(test)]
            only_numbers: false,
        }
    }

    /// Starts a segment with its hypothesis, to be counted in orders up to `orders`.
    pub fn start(&mut self, hypothesis: Tokens<'_>, orders: usize) {
        self.orders = orders;
        let setting = self.setting();
        let (now, started) = match hypothesis {
            Tokens::Text(scratch, tokens) => {
                let words = Words::new(scratch, tokens);
                (Now::Words, self.words.start_at(words, None, setting))
            }
            Tokens::Keyed(scratch, tokens, place) => {
                let words = Words::new(scratch, tokens);
                (Now::Words, self.words.start_at(words, Some(place), setting))
            }
            Tokens::Ids(ids) => (Now::Ids, self.ids.start_at(ids, None, setting)),
        };
        #[cfg(test)]
        let started = started && !self.only_numbers;
        self.now = now;
        if !started {
            self.start_pieces();
            self.numbered.add(hypothesis);
        }
    }

    /// Adds a reference. Its tokens must be of the same kind as those of the hypothesis.
    pub fn reference(&mut self, reference: Tokens<'_>) {
        let setting = self.setting();
        match (self.now, reference) {
            (Now::Numbered, _) => {
                self.numbered.start_reference();
                self.numbered.add(reference);
            }
            (_, Tokens::Text(scratch, tokens)) => {
                let words = Words::new(scratch, tokens);
                self.words.reference_at(words, None, setting);
            }
            (_, Tokens::Keyed(scratch, tokens, place)) => {
                let words = Words::new(scratch, tokens);
                self.words.reference_at(words, Some(place), setting);
            }
            (_, Tokens::Ids(ids)) => self.ids.reference_at(ids, None, setting),
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
        self.now = Now::Numbered;
        self.numbered.start();
    }

    /// Adds a piece to the last text of such a segment. All have one encoding.
    pub fn piece(&mut self, scratch: &Scratch, tokens: TokenSlice<'_>) {
        self.numbered.add(Tokens::Text(scratch, tokens));
    }

    /// Starts the next text of such a segment, which is a reference.
    pub fn start_reference(&mut self) {
        self.numbered.start_reference();
    }

    /// Counts the n-grams of the hypothesis that the references confirm, for n = 1, 2, …
    ///
    /// Each n-gram is credited at most as often as it occurs in the one reference that has it most:
    /// the *clipped* count of Papineni et al. (2002), section 2.1. Repeating a good word therefore
    /// earns nothing. `matches` has one element for each order given to [`Counter::start`];
    /// `matches[n - 1]` is 0 if there is no reference or the hypothesis is shorter than n.
    ///
    /// Takes expected `O(N (R h + r))` time, where N is the number of orders, R that of references, h
    /// the length of the hypothesis, and r that of all references together, and `O(N h + r)` space;
    /// with more than 8 orders, `O(N (h + r) log (h + r))` time.
    pub fn clipped_matches(&mut self, matches: &mut [i64]) {
        match self.now {
            Now::Words => self.words.clipped_matches_at(self.level, matches),
            Now::Ids => self.ids.clipped_matches_at(self.level, matches),
            Now::Numbered => self.numbered.clipped_matches(matches),
        }
    }
}

#[cfg(test)]
mod tests;
