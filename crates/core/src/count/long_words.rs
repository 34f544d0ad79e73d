//! Counting the words of very long hypotheses.

use super::hash_table::NONE;
use super::keys::Words;
use super::parts;
use super::position_lists::PositionLists;
use super::vocabulary::Vocabulary;

/// A hypothesis and its references as numbers of words.
#[derive(Debug)]
pub struct LongWords {
    vocabulary: Vocabulary,
    hypothesis: Vec<u32>,
    references: Vec<Vec<u32>>,
}

impl LongWords {
    /// Starts a hypothesis.
    pub fn start(hypothesis: Words<'_>) -> Self {
        let mut vocabulary = Vocabulary::default();
        Self {
            hypothesis: vocabulary.add(hypothesis),
            vocabulary,
            references: Vec::new(),
        }
    }

    /// Adds a reference.
    pub fn reference(&mut self, reference: Words<'_>) {
        // A number that no word of the hypothesis has.
        let unknown = u32::try_from(self.vocabulary.len()).unwrap_or(NONE);
        self.references
            .push(self.vocabulary.find(reference, unknown));
    }

    /// The clipped matches of each order: in parts if there is one reference, and else with lists.
    pub fn clipped_matches(&self, matches: &mut [i64]) {
        if let [reference] = &self.references[..]
            && parts::clipped_matches([&self.hypothesis[..], reference], matches)
        {
            return;
        }
        let ids = |text: &[u32]| text.iter().map(|&id| id.into()).collect::<Vec<i64>>();
        let mut lists = PositionLists::default();
        lists.start(&ids(&self.hypothesis)[..], matches.len());
        for reference in &self.references {
            lists.reference(&ids(reference)[..]);
        }
        lists.clipped_matches(matches);
    }
}
