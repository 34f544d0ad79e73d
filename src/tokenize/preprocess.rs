//! The steps from a text to its tokens: normal form, lower case, tokenizer.

use super::token::TokenList;
use super::tokenizer::Tokenizer;
use crate::error::Error;
use crate::text::{Encoding, Form, PADDING, Scratch, Segment};

/// How text becomes tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preprocessing {
    /// Bring text into this normal form first.
    pub unicode_form: Option<Form>,
    /// Lower-case text then.
    pub lowercase: bool,
    /// Splits text into tokens at last.
    pub tokenizer: Tokenizer,
}

impl Preprocessing {
    /// Tokenizes one segment into `tokens`.
    pub fn tokenize(self, scratch: &mut Scratch, segment: Segment<'_>, tokens: &mut TokenList) {
        let mut text = scratch.push(segment);
        if let Some(form) = self.unicode_form {
            text = scratch.push_normalized(text, form);
        }
        if self.lowercase {
            text = scratch.push_lowercase(text);
        }
        self.tokenizer.tokenize(scratch, text, tokens);
    }

    /// The encoding in which a hypothesis and its references are tokenized: Latin-1 if all come in
    /// it and none of the steps needs UTF-8.
    #[must_use]
    pub fn encoding(self, hypothesis: Segment<'_>, references: &[Segment<'_>]) -> Encoding {
        let mut texts = references.iter().chain([&hypothesis]);
        let latin1 = self.tokenizer.reads_latin1()
            && !self.lowercase
            && self.unicode_form.is_none()
            && texts.all(|s| matches!(s, Segment::Latin1(_)));
        if latin1 {
            Encoding::Latin1
        } else {
            Encoding::Utf8
        }
    }

    /// Refuses what positions of 32 bits could not tell apart, before any memory is spent on it.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] with segment 0.
    pub fn check_size(
        self,
        hypothesis: Segment<'_>,
        references: &[Segment<'_>],
    ) -> Result<(), Error> {
        let bytes: usize = references
            .iter()
            .chain([&hypothesis])
            // UTF-8 may take twice the bytes of the form it came in.
            .map(|segment| 2 * segment.weight() + PADDING)
            .sum();
        // Rewriting adds a copy, and so does lower-casing, which may make text half as long again.
        let copies = if self.lowercase { 4 } else { 2 };
        let growth = if self.unicode_form.is_some() {
            1 + Form::GROWTH
        } else {
            1
        };
        if bytes.saturating_mul(copies * growth) > u32::MAX as usize {
            return Err(Error::TooLong { segment: 0 });
        }
        Ok(())
    }
}
