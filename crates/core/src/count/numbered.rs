//! Counting texts whose tokens are numbered first: long ones, and those that come in pieces.

use super::by_order;
use super::keys::{Tokens, Words};
use super::sorted::Sorted;
use super::vocabulary::Vocabulary;
use crate::processor::Level;
use crate::tokenize::TokenSlice;

/// Number of ids that are read as words at once.
const TOGETHER: usize = 1 << 8;

/// A hypothesis and its references as numbers of words or ids.
#[derive(Debug)]
pub struct Numbered {
    vocabulary: Vocabulary,
    hypothesis: Vec<u32>,
    references: Vec<Vec<u32>>,
    sorted: Sorted,
}

impl Numbered {
    /// With loops that are compiled for this level.
    pub fn at(level: Level) -> Self {
        Self {
            vocabulary: Vocabulary::default(),
            hypothesis: Vec::new(),
            references: Vec::new(),
            sorted: Sorted::at(level),
        }
    }

    /// Starts a hypothesis.
    pub fn start(&mut self) {
        self.vocabulary.clear();
        self.hypothesis.clear();
        self.references.clear();
    }

    /// Starts a reference, when the hypothesis is complete.
    pub fn start_reference(&mut self) {
        self.references.push(Vec::new());
    }

    /// Adds tokens to the last reference or, if there is none, to the hypothesis. All must be of one
    /// kind, and have one encoding.
    pub fn add(&mut self, tokens: Tokens<'_>) {
        match tokens {
            Tokens::Text(scratch, tokens) | Tokens::Keyed(scratch, tokens, _) => {
                self.add_words(Words::new(scratch, tokens));
            }
            // Words of eight bytes.
            Tokens::Ids(ids) => {
                let mut bytes = [0; 8 * TOGETHER + 16];
                let place = |id: usize| u32::try_from(8 * id).unwrap_or(u32::MAX);
                let starts: [u32; TOGETHER] = std::array::from_fn(place);
                let ends: [u32; TOGETHER] = std::array::from_fn(|id| place(id + 1));
                for ids in ids.chunks(TOGETHER) {
                    for (bytes, id) in bytes.as_chunks_mut().0.iter_mut().zip(ids) {
                        *bytes = id.to_le_bytes();
                    }
                    let tokens = TokenSlice::new(&starts[..ids.len()], &ends[..ids.len()]);
                    self.add_words(Words::of_bytes(&bytes, tokens));
                }
            }
        }
    }

    fn add_words(&mut self, words: Words<'_>) {
        match self.references.last_mut() {
            None => self.vocabulary.add(words, &mut self.hypothesis),
            Some(reference) => {
                // A number that no token of the hypothesis has.
                let unknown = u32::try_from(self.vocabulary.len()).unwrap_or(u32::MAX);
                self.vocabulary.find(words, unknown, reference);
            }
        }
    }

    /// The clipped matches of each order.
    pub fn clipped_matches(&mut self, matches: &mut [i64]) {
        // Its memory is needed.
        self.vocabulary.clear();
        let (hypothesis, references) = (&self.hypothesis, &self.references);
        if !self.sorted.clipped_matches(hypothesis, references, matches) {
            by_order::clipped_matches(hypothesis, references, matches);
        }
    }
}
