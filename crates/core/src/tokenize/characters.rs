//! Splitting character by character, by the class of each and, for stops, of its neighbors.
//!
//! The tokenizers of sacreBLEU and mteval are substitutions that are applied in order:
//!
//! 1. a space around each symbol
//! 2. a character that is not a digit, then a stop: spaces around the second
//! 3. a stop, then a character that is not a digit: spaces around the first
//! 4. a digit, then a hyphen: spaces around the second
//!
//! They differ in which characters are symbols, stops or digits, and in whether the text is padded
//! with a space on either side. Matches do not overlap, so rule 2 consumes a run of stops in pairs,
//! and rule 3 matches every stop that now has a space after it. Only the last stop of a run can
//! remain: it stays attached to a digit after it, or to the end of a text that is not padded.
//! Therefore one pass is enough.

use std::ops::Range;

use super::blocks::{self, BLOCK, Blocks};
use super::character_classes::{Class, Rules, Table};
use super::token::TokenList;
use crate::processor::Level;
use crate::text::{PADDING, Scratch, decode};

/// Splits `text`, which is UTF-8 in `scratch`, by the rules.
pub fn split(scratch: &Scratch, text: Range<usize>, tokens: &mut TokenList, rules: &Rules) {
    let split = Split {
        scratch,
        text,
        tokens,
        rules,
    };
    blocks::run(Level::current(), split);
}

struct Split<'a> {
    scratch: &'a Scratch,
    text: Range<usize>,
    tokens: &'a mut TokenList,
    rules: &'a Rules,
}

impl blocks::Work for Split<'_> {
    type Output = ();

    /// Examines all characters but spaces and the most common letters and digits, which all rules
    /// make part of words.
    #[inline(always)]
    fn run(self, blocks: impl Blocks) {
        let Self {
            scratch,
            text,
            tokens,
            rules,
        } = self;
        // A token takes at least one byte.
        tokens.reset(text.len());
        let mut splitter = Splitter {
            bytes: &scratch.bytes()[..text.end],
            table: rules.table(),
            rules,
            starts: &mut tokens.starts,
            ends: &mut tokens.ends,
            started: 0,
            ended: 0,
            // Rule 2 needs a character before the stop. A text that is not padded has none at its
            // start, which has the same effect as a digit.
            before: if rules.padded {
                Class::Space
            } else {
                Class::Digit
            },
            begin: text.start,
        };
        let mut at = text.start;
        for block in text.clone().step_by(BLOCK) {
            let Some(window) = scratch.bytes()[block..].first_chunk::<PADDING>() else {
                unreachable!("every text is followed by padding")
            };
            let found = blocks.letters(window);
            let letters = found.certain();
            let end = BLOCK.min(text.end - block);
            let others = !(letters | found.spaces) & u64::MAX >> (BLOCK - end);
            loop {
                // What was examined with the character before is not examined again.
                let from = at.max(block) - block;
                if from >= end {
                    break;
                }
                let next = others >> from;
                let to = end.min(from + next.trailing_zeros() as usize);
                splitter.letters_and_spaces(blocks, block, from..to, letters);
                if next == 0 {
                    break;
                }
                at = splitter.examine(block + to);
            }
        }
        splitter.end_word(text.end);
        tokens.count = splitter.ended;
    }
}

struct Splitter<'a> {
    bytes: &'a [u8],
    rules: &'a Rules,
    table: &'a Table,
    starts: &'a mut [u32],
    ends: &'a mut [u32],
    /// Number of tokens whose start, or end, has been written. A word is open if they differ.
    started: usize,
    ended: usize,
    /// The class of the character before the one that is examined.
    before: Class,
    /// The start of the text.
    begin: usize,
}

impl Splitter<'_> {
    /// The class of the character at `at` and the position after it; None at the end of the text.
    #[inline(always)]
    fn look(&self, at: usize) -> Option<(Class, usize)> {
        let &byte = self.bytes.get(at)?;
        if byte.is_ascii() {
            return Some((self.table[byte as usize], at + 1));
        }
        let (c, length) = decode(&self.bytes[at..]);
        let class = match self.table.get(c as usize) {
            Some(&class) => class,
            None => (self.rules.wide)(c),
        };
        Some((class, at + length))
    }

    /// Splits a part of a block at its spaces: all other bytes are letters and ASCII digits.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "`Preprocessing` bounds the scratch buffer"
    )]
    fn letters_and_spaces(
        &mut self,
        blocks: impl Blocks,
        block: usize,
        part: Range<usize>,
        letters: u64,
    ) {
        if part.is_empty() {
            return;
        }
        let whole = u64::MAX >> (BLOCK - part.len()) << part.start;
        let letters = letters & whole;
        let after_letters = letters << 1 | u64::from(self.started > self.ended) << part.start;
        let starts = letters & !after_letters;
        let ends = whole & !letters & after_letters;
        let places = (
            self.starts[self.started..].first_chunk_mut(),
            self.ends[self.ended..].first_chunk_mut(),
        );
        let (Some(start_places), Some(end_places)) = places else {
            unreachable!("`TokenList` has room for a block after the last token")
        };
        blocks.positions(starts, block as u32, start_places);
        blocks.positions(ends, block as u32, end_places);
        self.started += starts.count_ones() as usize;
        self.ended += ends.count_ones() as usize;
        let last = part.end - 1;
        self.before = if letters >> last == 0 {
            Class::Space
        } else if self.bytes[block + last].is_ascii_digit() {
            Class::Digit
        } else {
            Class::Word
        };
    }

    /// Examines the character at `at`, with the rest of a run of stops, or of a word beyond ASCII;
    /// returns the end.
    #[inline(always)]
    fn examine(&mut self, at: usize) -> usize {
        let Some((class, next)) = self.look(at) else {
            return self.bytes.len();
        };
        let mut end = next;
        match class {
            Class::Space => self.end_word(at),
            Class::Symbol => self.cut(at, next),
            Class::Hyphen if self.before == Class::Digit && at > self.begin => self.cut(at, next),
            Class::Stop => end = self.stops(at, next, self.before == Class::Digit),
            Class::Word | Class::Digit | Class::Hyphen => {
                self.join(at);
                self.before = class;
                return self.rest_of_word(end);
            }
        }
        self.before = class;
        end
    }

    /// Skips the letters and digits beyond ASCII that follow.
    #[inline(always)]
    fn rest_of_word(&mut self, mut end: usize) -> usize {
        while self.bytes.get(end).is_some_and(|byte| !byte.is_ascii()) {
            let Some((class @ (Class::Word | Class::Digit), next)) = self.look(end) else {
                break;
            };
            self.before = class;
            end = next;
        }
        end
    }

    /// Makes the character at `at` part of a word.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "`Preprocessing` bounds the scratch buffer"
    )]
    fn join(&mut self, at: usize) {
        if self.started == self.ended {
            self.starts[self.started] = at as u32;
            self.started += 1;
        }
    }

    /// Ends the current word, if any, at `at`.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "`Preprocessing` bounds the scratch buffer"
    )]
    fn end_word(&mut self, at: usize) {
        if self.started > self.ended {
            self.ends[self.ended] = at as u32;
            self.ended += 1;
        }
    }

    /// Makes a character a token by itself.
    fn cut(&mut self, at: usize, end: usize) {
        self.end_word(at);
        self.join(at);
        self.end_word(end);
    }

    /// Splits a run of stops, of which the first is given; returns the end of the run.
    fn stops(&mut self, mut at: usize, mut end: usize, digit_before: bool) -> usize {
        let mut count = 1;
        let after = loop {
            match self.look(end) {
                Some((Class::Stop, next)) => {
                    self.cut(at, end);
                    (at, end) = (end, next);
                    count += 1;
                }
                other => break other,
            }
        };
        let digit_after = match after {
            Some((class, _)) => class == Class::Digit,
            None => !self.rules.padded,
        };
        // Rule 2 pairs the stops, starting with the character before them unless it is a digit.
        let paired_up = (count % 2 == 0) == digit_before;
        if !paired_up && digit_after {
            self.join(at);
        } else {
            self.cut(at, end);
        }
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokenize::blocks::plain;
    use crate::tokenize::character_classes::ALL;

    #[test]
    fn some_characters_at_every_level() {
        check(plain::some_characters);
    }

    #[test]
    #[ignore = "slow"]
    fn every_character_at_every_level() {
        check(|| '\0'..=char::MAX);
    }

    fn check<I: Iterator<Item = char>>(characters: impl Fn() -> I) {
        for rules in ALL {
            assert_eq!(rules.table()[' ' as usize], Class::Space);
            plain::check_characters(characters(), |scratch, text, tokens, level| {
                let split = Split {
                    scratch,
                    text,
                    tokens,
                    rules,
                };
                plain::run(level, split);
            });
        }
    }
}
