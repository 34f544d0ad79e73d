//! The words of very long texts, or of very many, as numbers, in little memory.

use super::hash_table::NONE;
use super::keys::{Keys, Word, Words};
use super::seeds::Seeds;
use crate::memory::{check_room, reserve};
use crate::stop::{make_room, stop_in};
use crate::tokenize::{Token, TokenSlice};

/// Number of words of a text from which on they are numbered by a [`Vocabulary`].
pub const LONG: usize = 1 << 17;

/// Readable bytes after each word.
const PADDING: usize = 16;

/// Distinct words, numbered as they first occur.
///
/// A [`Table`](super::hash_table::Table) holds the beginnings of its words, so that they are quickly
/// compared. This table holds a number for each, and looks for the word in a list of all words, so
/// that the text itself need not be kept.
#[derive(Debug)]
pub struct Vocabulary {
    seeds: Seeds,
    /// One more than the number of a word, or 0. At least half of the slots are empty.
    slots: Vec<u32>,
    /// The bytes of all words, one after the other, and padding.
    bytes: Vec<u8>,
    /// Where each word ends in them.
    ends: Vec<u32>,
}

impl Default for Vocabulary {
    fn default() -> Self {
        Self {
            seeds: Seeds::random(),
            slots: vec![0; 2],
            bytes: vec![0; PADDING],
            ends: Vec::new(),
        }
    }
}

impl Vocabulary {
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
        let mut number = |word| {
            let slot = self.slot(text, word);
            if self.slots[slot] > 0 {
                return self.slots[slot] - 1;
            }
            self.push(text.bytes(word));
            let next = u32::try_from(self.len()).unwrap_or(NONE);
            self.slots[slot] = next;
            if self.slots.len() < 2 * self.len() {
                self.grow();
            }
            next - 1
        };
        numbers(text, to, &mut number);
    }

    /// Appends the numbers of all words of a text, of which new ones have the number `unknown`.
    pub fn find(&self, text: Words<'_>, unknown: u32, to: &mut Vec<u32>) {
        numbers(text, to, &mut |word| {
            let number = self.slots[self.slot(text, word)];
            number.checked_sub(1).unwrap_or(unknown)
        });
    }

    /// The slot of a word, or the empty slot where it would go.
    #[expect(clippy::cast_possible_truncation, reason = "masked")]
    fn slot(&self, text: Words<'_>, word: Word) -> usize {
        let known = self.words();
        let mask = self.slots.len() - 1;
        let mut at = text.hash(word, self.seeds) as usize & mask;
        while let Some(number) = (self.slots[at] as usize).checked_sub(1) {
            if text.has(word, known, known.word(self.token(number))) {
                break;
            }
            at = (at + 1) & mask;
        }
        at
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

    #[cold]
    fn push(&mut self, word: &[u8]) {
        reserve(&mut self.bytes, word.len());
        self.bytes.truncate(self.bytes.len() - PADDING);
        self.bytes.extend_from_slice(word);
        self.ends
            .push(u32::try_from(self.bytes.len()).unwrap_or(NONE));
        self.bytes.extend_from_slice(&[0; PADDING]);
    }

    #[cold]
    fn grow(&mut self) {
        let length = 2 * self.slots.len();
        // The list of words may double, too.
        check_room::<u64>(length);
        self.slots = Vec::new();
        make_room(&mut self.slots, length);
        for number in 0..self.len() {
            stop_in(number);
            let words = self.words();
            let slot = self.slot(words, words.word(self.token(number)));
            self.slots[slot] = u32::try_from(number + 1).unwrap_or(NONE);
        }
    }
}

/// Appends what a function returns for each word of a text.
fn numbers(text: Words<'_>, to: &mut Vec<u32>, number: &mut dyn FnMut(Word) -> u32) {
    reserve(to, text.iter().len());
    to.extend(text.iter().enumerate().map(|(step, word)| {
        stop_in(step);
        number(word)
    }));
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
