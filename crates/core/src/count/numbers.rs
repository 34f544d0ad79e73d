//! Words as numbers, for TER: those of a reference are numbered as they first occur.

use super::edits::UNKNOWN;
use super::keys::Words;
use super::vocabulary::Vocabulary;
use crate::text::Scratch;
use crate::tokenize::TokenSlice;

/// Numbers the words of one pair after the other, with buffers that are reused.
#[derive(Debug, Default)]
pub struct Numbers {
    vocabulary: Vocabulary,
    hypothesis: Vec<u32>,
    reference: Vec<u32>,
}

impl Numbers {
    /// The words of a hypothesis and of a reference as numbers, and how many distinct words the
    /// reference has. Words that it does not have are [`UNKNOWN`]. `read` reads a text, perhaps piece
    /// by piece.
    pub fn of<T>(
        &mut self,
        [hypothesis, reference]: [T; 2],
        mut read: impl FnMut(T, &mut dyn FnMut(&Scratch, TokenSlice<'_>)),
    ) -> (&[u32], &[u32], usize) {
        self.reference.clear();
        read(reference, &mut |scratch, words| {
            self.vocabulary
                .add(Words::new(scratch, words), &mut self.reference);
        });
        self.hypothesis.clear();
        read(hypothesis, &mut |scratch, words| {
            let words = Words::new(scratch, words);
            self.vocabulary.find(words, UNKNOWN, &mut self.hypothesis);
        });
        let distinct = self.vocabulary.len();
        self.vocabulary.clear();
        (&self.hypothesis, &self.reference, distinct)
    }
}
