//! The words of one text, or of very many, as numbers, in little memory.

use super::keys::{Keys, Word, Words};
use super::seeds::Seeds;
use crate::memory::{push, reserve};
use crate::stop::{make_room, stop_in};
use crate::tokenize::{Token, TokenSlice};

/// No number: where a slot is empty.
const NONE: u32 = u32::MAX;

/// Number of slots at first.
const FEW: usize = 1 << 8;

/// Number of slots that fit into the cache: up to here, they grow faster, and more are empty.
const CACHED: usize = 1 << 16;

/// Readable bytes after each word.
const PADDING: usize = 16;

/// Distinct words, numbered as they first occur.
///
/// The table holds a number for each word, and looks for the word in a list of all words, so that the
/// text itself need not be kept.
#[derive(Debug)]
pub struct Vocabulary {
    seeds: Seeds,
    /// One more than the number of a word, or 0, and above it bits of its hash. At least a quarter of
    /// the slots are empty.
    slots: Vec<u32>,
    /// The bytes of all words, one after the other, and padding.
    bytes: Vec<u8>,
    /// Where each word ends in them.
    ends: Vec<u32>,
}

/// Where a new word goes, and what its slot has beside its number.
#[derive(Clone, Copy)]
struct Slot {
    at: usize,
    mark: u32,
}

impl Default for Vocabulary {
    fn default() -> Self {
        Self {
            seeds: Seeds::random(),
            slots: vec![0; FEW],
            bytes: vec![0; PADDING],
            ends: Vec::new(),
        }
    }
}

impl Vocabulary {
    /// Forgets all words, and the memory of many.
    pub fn clear(&mut self) {
        if self.slots.len().max(self.bytes.len()) > CACHED {
            *self = Self::default();
        }
        self.slots.truncate(FEW);
        self.slots.fill(0);
        self.bytes.clear();
        self.bytes.resize(PADDING, 0);
        self.ends.clear();
    }

    /// Number of distinct words.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Number of bytes of all distinct words together, and of padding.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Appends the numbers of all words of a text, which are added if they are new. All texts must
    /// have one encoding.
    pub fn add(&mut self, text: Words<'_>, to: &mut Vec<u32>) {
        reserve(to, text.iter().len());
        for (step, word) in text.iter().enumerate() {
            stop_in(step);
            to.push(match self.look_up(text, word) {
                Ok(number) => number,
                Err(slot) => self.push(slot, text.bytes(word)),
            });
        }
    }

    /// Appends the numbers of all words of a text, of which new ones have the number `unknown`.
    pub fn find(&self, text: Words<'_>, unknown: u32, to: &mut Vec<u32>) {
        reserve(to, text.iter().len());
        to.extend(text.iter().enumerate().map(|(step, word)| {
            stop_in(step);
            self.look_up(text, word).unwrap_or(unknown)
        }));
    }

    /// The number of a word or, if it is new, the slot where it would go.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "masked")]
    fn look_up(&self, text: Words<'_>, word: Word) -> Result<u32, Slot> {
        let known = self.words();
        let mask = self.slots.len() - 1;
        let hash = text.hash(word, self.seeds);
        // Numbers are below the mask.
        let mark = (hash >> 32) as u32 & !(mask as u32);
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            let number = (slot & mask as u32).wrapping_sub(1);
            if number == NONE {
                return Err(Slot { at, mark });
            }
            if slot & !(mask as u32) == mark
                && text.has(word, known, known.word(self.token(number as usize)))
            {
                return Ok(number);
            }
            at = (at + 1) & mask;
        }
    }

    /// All words.
    fn words(&self) -> Words<'_> {
        Words::of_bytes(&self.bytes, TokenSlice::default())
    }

    fn token(&self, number: usize) -> Token {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        let end = self.ends[number];
        Token { start, end }
    }

    /// Adds a word, and returns its number.
    #[cold]
    fn push(&mut self, slot: Slot, word: &[u8]) -> u32 {
        reserve(&mut self.bytes, word.len());
        self.bytes.truncate(self.bytes.len() - PADDING);
        self.bytes.extend_from_slice(word);
        push(
            &mut self.ends,
            u32::try_from(self.bytes.len()).unwrap_or(NONE),
        );
        self.bytes.extend_from_slice(&[0; PADDING]);
        let number = u32::try_from(self.len() - 1).unwrap_or(NONE);
        self.slots[slot.at] = slot.mark | (number + 1);
        let slots = self.slots.len();
        let room = if slots > CACHED {
            slots / 4 * 3
        } else {
            slots / 2
        };
        if self.len() > room {
            self.grow();
        }
        number
    }

    #[cold]
    fn grow(&mut self) {
        let length = self.slots.len() * if self.slots.len() < CACHED { 4 } else { 2 };
        self.slots.clear();
        make_room(&mut self.slots, length);
        for number in 0..self.len() {
            stop_in(number);
            let words = self.words();
            if let Err(Slot { at, mark }) = self.look_up(words, words.word(self.token(number))) {
                self.slots[at] = mark | u32::try_from(number + 1).unwrap_or(NONE);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::text::{Scratch, Segment};
    use crate::tokenize::{TokenList, Tokenizer};

    /// Words are numbered as they first occur, also while the table grows, and those that differ
    /// only at their ends have different numbers.
    #[test]
    fn words_are_numbered_as_they_occur() {
        let names = |count: usize, step: usize| -> Vec<String> {
            let stem = |number| ["", "internationali"][number % 2];
            let number = |place: usize| place * step % 777;
            let names = (0..count).map(|place| number(place) * number(place) % 601);
            names
                .map(|number| stem(number).to_owned() + &number.to_string())
                .collect()
        };
        let texts = [
            names(2000, 5),
            names(300, 7),
            vec!["new".to_owned()],
            vec![],
        ];
        let mut scratch = Scratch::default();
        let lists = texts.each_ref().map(|text| {
            let range = scratch.push(Segment::Utf8(text.join(" ").as_bytes()));
            let mut list = TokenList::default();
            Tokenizer::None.tokenize(&mut scratch, range, &mut list);
            list
        });
        let words = lists
            .each_ref()
            .map(|list| Words::new(&scratch, list.as_slice()));
        let mut vocabulary = Vocabulary::default();
        let found = |vocabulary: &Vocabulary, text, unknown| {
            let mut numbers = vec![7];
            vocabulary.find(text, unknown, &mut numbers);
            assert_eq!(numbers.remove(0), 7);
            numbers
        };
        assert_eq!(found(&vocabulary, words[2], 9), [9]);
        let mut numbers = Vec::new();
        vocabulary.add(words[0], &mut numbers);
        let mut expected = HashMap::new();
        for (name, &number) in texts[0].iter().zip(&numbers) {
            let next = u32::try_from(expected.len()).expect("few");
            assert_eq!(*expected.entry(name).or_insert(next), number);
        }
        assert_eq!(vocabulary.len(), expected.len());
        assert!(expected.len() > 100);
        for (text, words) in texts.iter().zip(words) {
            let numbers = text
                .iter()
                .map(|name| expected.get(name).copied().unwrap_or(NONE));
            assert_eq!(found(&vocabulary, words, NONE), numbers.collect::<Vec<_>>());
        }
    }
}
