//! Counting the words of long hypotheses, which are numbered first.

use super::hash_table::NONE;
use super::keys::Words;
use super::position_lists::PositionLists;
use super::sorted::Sorted;
use super::vocabulary::Vocabulary;
use crate::memory::listed;

/// Number of words of a hypothesis from which on this is faster than lists of positions, whose
/// length grows with that of the text.
pub const LONG: usize = 1 << 11;

/// A hypothesis and its references as numbers of words, which may be given in pieces.
#[derive(Debug, Default)]
pub struct LongWords {
    vocabulary: Vocabulary,
    hypothesis: Vec<u32>,
    references: Vec<Vec<u32>>,
}

impl LongWords {
    /// Starts a reference, when the hypothesis is complete.
    pub fn start_reference(&mut self) {
        self.references.push(Vec::new());
    }

    /// Adds words to the last reference or, if there is none, to the hypothesis. All words must have
    /// one encoding.
    pub fn add(&mut self, words: Words<'_>) {
        // A number that no word of the hypothesis has.
        let unknown = u32::try_from(self.vocabulary.len()).unwrap_or(NONE);
        match self.references.last_mut() {
            None => self.vocabulary.add(words, &mut self.hypothesis),
            Some(reference) => self.vocabulary.find(words, unknown, reference),
        }
    }

    /// The clipped matches of each order: sorted if there is one reference, and else with lists.
    pub fn clipped_matches(&mut self, sorted: &mut Sorted, matches: &mut [i64]) {
        // Its memory is needed.
        self.vocabulary = Vocabulary::default();
        if let [reference] = &self.references[..] {
            let texts = [&self.hypothesis[..], reference];
            if sorted.clipped_matches(texts, matches) {
                return;
            }
        }
        let ids = |text: &[u32]| listed(text.iter().map(|&id| i64::from(id)));
        let mut lists = PositionLists::default();
        lists.start(&ids(&self.hypothesis)[..], matches.len());
        for reference in &self.references {
            lists.reference(&ids(reference)[..]);
        }
        lists.clipped_matches(matches);
    }
}
