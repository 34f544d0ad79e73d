//! Counting the words of long hypotheses, which are numbered first.

use super::hash_table::NONE;
use super::keys::Words;
use super::parts;
use super::position_lists::PositionLists;
use super::sorted::Sorted;
use super::vocabulary::Vocabulary;

/// Number of words of a hypothesis from which on this is faster than lists of positions, whose
/// length grows with that of the text.
pub const LONG: usize = 1 << 11;

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

    /// The clipped matches of each order: sorted or in parts if there is one reference, and else with
    /// lists.
    pub fn clipped_matches(&self, sorted: &mut Sorted, matches: &mut [i64]) {
        if let [reference] = &self.references[..] {
            let texts = [&self.hypothesis[..], reference];
            let few = self.hypothesis.len() + reference.len() < parts::LONG;
            if few && sorted.clipped_matches(texts, matches)
                || parts::clipped_matches(texts, matches)
            {
                return;
            }
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
