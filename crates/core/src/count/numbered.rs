//! Counting texts whose tokens are numbered first: long ones, and those that come in pieces.

use super::by_order;
use super::keys::Tokens;
use super::sorted::Sorted;
use super::vocabulary::Vocabulary;
use crate::processor::Level;

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
        let vocabulary = &mut self.vocabulary;
        // A number that no token of the hypothesis has.
        let unknown = u32::try_from(vocabulary.len()).unwrap_or(u32::MAX);
        tokens.for_words(|words| match self.references.last_mut() {
            None => vocabulary.add(words, &mut self.hypothesis),
            Some(reference) => vocabulary.find(words, unknown, reference),
        });
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
