//! How TER is counted for one pair of texts: their words, the shifts and the edits.

use super::ter::Ter;
use crate::count::edits::Trace;
use crate::count::{EditCounter, Numbers};
use crate::error::Error;
use crate::text::{Encoding, Scratch, Segment};
use crate::tokenize::TokenList;

/// What TER does with a hypothesis and one reference.
#[derive(Debug, Default)]
pub struct TerSteps {
    scratch: Scratch,
    /// The words of both texts.
    texts: [TokenList; 2],
    /// The shifts, and the edits.
    pub trace: Trace,
}

impl TerSteps {
    /// Counts a pair as [`Ter`] does, and keeps the steps.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] (with segment 0) if the texts do not fit into 32-bit positions.
    pub fn of(ter: Ter, hypothesis: Segment<'_>, reference: Segment<'_>) -> Result<Self, Error> {
        let preprocessing = ter.preprocessing();
        preprocessing.encoding(&[hypothesis], &[reference])?;
        let mut steps = Self::default();
        let Self { scratch, texts, .. } = &mut steps;
        scratch.clear(Encoding::Utf8);
        let [own, other] = &mut *texts;
        let range = preprocessing.push_normalized(scratch, hypothesis);
        ter.tokenizer.tokenize(scratch, range, own);
        let range = preprocessing.push_normalized(scratch, reference);
        ter.tokenizer.tokenize_reference(scratch, range, other);
        let pair = texts.each_ref().map(TokenList::as_slice);
        let mut numbers = Numbers::default();
        let (own, other, distinct) = numbers.of(pair, |words, take| take(scratch, words));
        (_, steps.trace) = EditCounter::default().trace(own, other, distinct);
        Ok(steps)
    }

    /// The words of the hypothesis and of the reference.
    pub fn words(&self) -> [impl Iterator<Item = &[u8]>; 2] {
        self.texts.each_ref().map(|words| {
            let tokens = words.as_slice().iter();
            tokens.map(|token| token.bytes(&self.scratch))
        })
    }
}
