//! The words of very long texts as numbers, in little memory.

use super::hash_table::NONE;
use super::keys::{Keys, Word, Words};
use super::seeds::Seeds;
use crate::memory::check_room;
use crate::stop::{make_room, stop_in};
use crate::tokenize::Token;

/// Number of words of a text from which on they are numbered by a [`Vocabulary`].
pub const LONG: usize = 1 << 17;

/// Distinct words, numbered as they first occur.
///
/// A [`Table`](super::hash_table::Table) holds the beginnings of its words, so that they are quickly
/// compared. This table holds a number for each, and looks for the word in its text.
#[derive(Debug)]
pub struct Vocabulary {
    seeds: Seeds,
    /// One more than the number of a word, or 0. At least half of the slots are empty.
    slots: Vec<u32>,
    /// The first occurrence of each word.
    words: Vec<Token>,
}

impl Default for Vocabulary {
    fn default() -> Self {
        Self {
            seeds: Seeds::random(),
            slots: vec![0; 2],
            words: Vec::new(),
        }
    }
}

impl Vocabulary {
    /// Number of distinct words.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// The numbers of all words of a text, which are added if they are new.
    pub fn add(&mut self, text: Words<'_>) -> Vec<u32> {
        let mut number = |word| {
            let slot = self.slot(text, word);
            if self.slots[slot] > 0 {
                return self.slots[slot] - 1;
            }
            self.words.push(word.token());
            let next = u32::try_from(self.words.len()).unwrap_or(NONE);
            self.slots[slot] = next;
            if self.slots.len() < 2 * self.words.len() {
                self.grow(text);
            }
            next - 1
        };
        numbers(text, &mut number)
    }

    /// The numbers of all words of a text, of which new ones have the number `unknown`.
    pub fn find(&self, text: Words<'_>, unknown: u32) -> Vec<u32> {
        numbers(text, &mut |word| {
            let number = self.slots[self.slot(text, word)];
            number.checked_sub(1).unwrap_or(unknown)
        })
    }

    /// The slot of a word, or the empty slot where it would go. All texts are in one buffer.
    #[expect(clippy::cast_possible_truncation, reason = "masked")]
    fn slot(&self, text: Words<'_>, word: Word) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = text.hash(word, self.seeds) as usize & mask;
        while let Some(number) = (self.slots[at] as usize).checked_sub(1) {
            if text.differs(&text.word(self.words[number]), &word) == 0 {
                break;
            }
            at = (at + 1) & mask;
        }
        at
    }

    #[cold]
    fn grow(&mut self, text: Words<'_>) {
        let length = 2 * self.slots.len();
        // The list of words may double, too.
        check_room::<Token>(length);
        self.slots = Vec::new();
        make_room(&mut self.slots, length);
        for (number, &word) in (1..).zip(&self.words) {
            stop_in(number as usize);
            let slot = self.slot(text, text.word(word));
            self.slots[slot] = number;
        }
    }
}

/// What a function returns for each word of a text.
fn numbers(text: Words<'_>, number: &mut dyn FnMut(Word) -> u32) -> Vec<u32> {
    check_room::<u32>(text.iter().len());
    let words = text.iter().enumerate().map(|(step, word)| {
        stop_in(step);
        number(word)
    });
    words.collect()
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
        assert_eq!(vocabulary.find(words[2], 9), [9]);
        let numbers = vocabulary.add(words[0]);
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
            assert_eq!(vocabulary.find(words, NONE), numbers.collect::<Vec<_>>());
        }
    }
}
