//! The steps from a text to its tokens: normal form, lower case, tokenizer.

use super::token::TokenList;
use super::tokenizer::Tokenizer;
use crate::error::Error;
use crate::text::{Encoding, Form, PADDING, Scratch, Segment};

/// How text becomes tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preprocessing {
    /// First, normalize text to this form.
    pub unicode_form: Option<Form>,
    /// Then, lowercase it.
    pub lowercase: bool,
    /// Finally, split it into tokens.
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

    /// The encoding in which a hypothesis and its references are tokenized: Latin-1 if all are
    /// given in it and no step needs UTF-8.
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

    /// Rejects a segment that is too long for 32-bit positions, before any memory is allocated.
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
            // Converted to UTF-8, a text may take twice as many bytes.
            .map(|segment| 2 * segment.weight() + PADDING)
            .sum();
        // Rewriting adds a copy, and so does lowercasing, which may lengthen text by half.
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
