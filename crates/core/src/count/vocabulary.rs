//! The words of one text, or of very many, as numbers, in little memory.

use super::keys::{Keys, Word, Words};
use super::seeds::Seeds;
use crate::memory::{extend, push, reserve};
use crate::stop::{make_room, stop_in};

/// Number of slots at first.
const FEW: usize = 1 << 6;

/// Number of slots that fit into the cache: up to here, they grow faster, and more are empty.
const CACHED: usize = 1 << 16;

/// Distinct words, numbered as they first occur.
///
/// The text itself need not be kept.
#[derive(Debug)]
pub struct Vocabulary {
    seeds: Seeds,
    /// One more than the number of a word, or 0. At least a quarter of the slots are empty.
    slots: Vec<u32>,
    /// What all words are compared by.
    heads: Vec<[u64; 2]>,
    /// What long words have behind that, one after the other.
    rests: Vec<u8>,
    /// The number of each long word, and where its rest starts.
    long: Vec<(u32, usize)>,
}

impl Default for Vocabulary {
    fn default() -> Self {
        Self {
            seeds: Seeds::random(),
            slots: vec![0; FEW],
            heads: Vec::new(),
            rests: Vec::new(),
            long: Vec::new(),
        }
    }
}

impl Vocabulary {
    /// Forgets all words, and the memory of many.
    pub fn clear(&mut self) {
        if self.slots.len().max(self.rests.len()) > CACHED {
            *self = Self::default();
        }
        self.slots.truncate(FEW);
        self.slots.fill(0);
        self.heads.clear();
        self.rests.clear();
        self.long.clear();
    }

    /// Number of distinct words.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Appends the numbers of all words of a text, which are added if they are new. All texts must
    /// have one encoding.
    pub fn add(&mut self, text: Words<'_>, to: &mut Vec<u32>) {
        let count = text.iter().len();
        reserve(to, count);
        let most = 2 * (self.len() + count);
        if self.slots.len() < most.min(CACHED) {
            self.grow(most.min(CACHED).next_power_of_two());
        }
        for (step, word) in text.iter().enumerate() {
            stop_in(step);
            let rest = text.rest(&word);
            to.push(match self.look_up(word.head(), rest) {
                Ok(number) => number,
                Err(slot) => self.push(slot, &word, rest),
            });
        }
    }

    /// Appends the numbers of all words of a text, of which new ones have the number `unknown`.
    pub fn find(&self, text: Words<'_>, unknown: u32, to: &mut Vec<u32>) {
        reserve(to, text.iter().len());
        to.extend(text.iter().enumerate().map(|(step, word)| {
            stop_in(step);
            let found = self.look_up(word.head(), text.rest(&word));
            found.unwrap_or(unknown)
        }));
    }

    /// The number of a word or, if it is new, the slot where it would go.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "masked")]
    fn look_up(&self, head: [u64; 2], rest: &[u8]) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let mut hash = self.seeds.mix(head[0], head[1]);
        if !rest.is_empty() {
            hash = self.seeds.mix_all(hash, rest);
        }
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return Err(at);
            }
            let number = slot - 1;
            if self.heads[number as usize] == head && (rest.is_empty() || self.rest(number) == rest)
            {
                return Ok(number);
            }
            at = (at + 1) & mask;
        }
    }

    /// What a long word has behind its head.
    #[cold]
    fn rest(&self, number: u32) -> &[u8] {
        let place = self.long.partition_point(|&(other, _)| other < number);
        let start_of = |place: usize| self.long.get(place).map_or(self.rests.len(), |long| long.1);
        &self.rests[start_of(place)..start_of(place + 1)]
    }

    /// Adds a word, and returns its number.
    #[inline]
    fn push(&mut self, slot: usize, word: &Word, rest: &[u8]) -> u32 {
        let number = u32::try_from(self.len()).unwrap_or(u32::MAX);
        push(&mut self.heads, word.head());
        if !rest.is_empty() {
            push(&mut self.long, (number, self.rests.len()));
            extend(&mut self.rests, rest);
        }
        self.slots[slot] = number + 1;
        let slots = self.slots.len();
        let (room, times) = if slots > CACHED {
            (slots / 4 * 3, 2)
        } else {
            (slots / 2, 4)
        };
        if self.len() > room {
            self.grow(times * slots);
        }
        number
    }

    #[cold]
    fn grow(&mut self, slots: usize) {
        self.slots.clear();
        make_room(&mut self.slots, slots);
        let mut long = self.long.iter().peekable();
        for number in 0..self.len() {
            stop_in(number);
            let number = u32::try_from(number).unwrap_or(u32::MAX);
            let is_long = long.next_if(|long| long.0 == number).is_some();
            let rest = if is_long { self.rest(number) } else { &[] };
            if let Err(slot) = self.look_up(self.heads[number as usize], rest) {
                self.slots[slot] = number + 1;
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
                .map(|name| expected.get(name).copied().unwrap_or(u32::MAX));
            assert_eq!(found(&vocabulary, words, u32::MAX), numbers.collect::<Vec<_>>());
        }
    }
}
