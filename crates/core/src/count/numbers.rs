//! Words as numbers: those of a reference are numbered as they first occur.

use super::edits::UNKNOWN;
use super::hash_table::{NONE, Table};
use super::keys::{Keys, Word, Words};
use super::seeds::Seeds;
use super::vocabulary::{LONG, Vocabulary};
use crate::memory::reserve;
use crate::stop::stop_in;
use crate::text::Scratch;
use crate::tokenize::TokenSlice;

/// Numbers the words of one pair after the other, with buffers that are reused.
#[derive(Debug)]
pub struct Numbers {
    seeds: Seeds,
    table: Table<Word>,
    hypothesis: Vec<u32>,
    reference: Vec<u32>,
}

impl Default for Numbers {
    fn default() -> Self {
        Self {
            seeds: Seeds::random(),
            table: Table::default(),
            hypothesis: Vec::new(),
            reference: Vec::new(),
        }
    }
}

impl Numbers {
    /// The same for texts that `read` reads piece by piece.
    pub fn of_pieces<T>(
        &mut self,
        [hypothesis, reference]: [T; 2],
        mut read: impl FnMut(T, &mut dyn FnMut(&Scratch, TokenSlice<'_>)),
    ) -> (&[u32], &[u32], usize) {
        let mut vocabulary = Vocabulary::default();
        self.reference.clear();
        read(reference, &mut |scratch, words| {
            vocabulary.add(Words::new(scratch, words), &mut self.reference);
        });
        self.hypothesis.clear();
        read(hypothesis, &mut |scratch, words| {
            let words = Words::new(scratch, words);
            vocabulary.find(words, UNKNOWN, &mut self.hypothesis);
        });
        (&self.hypothesis, &self.reference, vocabulary.len())
    }

    /// The words of a hypothesis and of a reference as numbers, and how many distinct words the
    /// reference has. Words that it does not have are [`UNKNOWN`].
    pub fn of(
        &mut self,
        scratch: &Scratch,
        [hypothesis, reference]: [TokenSlice<'_>; 2],
    ) -> (&[u32], &[u32], usize) {
        const { assert!(NONE == UNKNOWN) };
        if reference.len() >= LONG {
            return self.of_pieces([hypothesis, reference], |text, take| take(scratch, text));
        }
        self.table.reset(reference.len());
        self.reference.clear();
        reserve(&mut self.reference, reference.len());
        let words = Words::new(scratch, reference);
        let mut distinct = 0;
        for word in words.iter() {
            stop_in(self.reference.len());
            let hash = words.hash(word, self.seeds);
            let differs = |known: &Word| words.differs(known, &word);
            let mut number = self.table.find(hash, differs);
            if number == NONE {
                number = distinct;
                distinct += 1;
                self.table.replace(hash, word, number, differs);
            }
            self.reference.push(number);
        }
        let words = Words::new(scratch, hypothesis);
        self.hypothesis.clear();
        reserve(&mut self.hypothesis, hypothesis.len());
        let hypothesis = words.iter().enumerate();
        self.hypothesis.extend(hypothesis.map(|(place, word)| {
            stop_in(place);
            let hash = words.hash(word, self.seeds);
            self.table.find(hash, |known| words.differs(known, &word))
        }));
        (&self.hypothesis, &self.reference, distinct as usize)
    }
}
