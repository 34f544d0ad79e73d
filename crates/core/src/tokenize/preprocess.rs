//! The steps from a text to its tokens: normal form, lower case, tokenizer.

use std::ops::Range;

use super::token::TokenList;
use super::tokenizer::Tokenizer;
use crate::error::Error;
use crate::text::{Encoding, Form, PADDING, Scratch, Segment};

/// Bytes of the texts of a segment from which on they are read in pieces.
const LONG: usize = 1 << 18;

/// How text becomes tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Preprocessing {
    /// First, normalize text to this form.
    pub unicode_form: Option<Form>,
    /// Then, lowercase it.
    pub lowercase: bool,
    /// Finally, split it into tokens.
    pub tokenizer: Tokenizer,
}

impl Preprocessing {
    /// Appends a segment to the buffer, normalized and lowercased.
    pub fn push(self, scratch: &mut Scratch, segment: Segment<'_>) -> Range<usize> {
        let mut text = self.push_normalized(scratch, segment);
        if self.lowercase {
            text = scratch.push_lowercase(text);
        }
        text
    }

    /// Appends a segment to the buffer, normalized only.
    pub fn push_normalized(self, scratch: &mut Scratch, segment: Segment<'_>) -> Range<usize> {
        let text = scratch.push(segment);
        match self.unicode_form {
            Some(form) => scratch.push_normalized(text, form),
            None => text,
        }
    }

    /// Tokenizes one segment into `tokens`.
    pub fn tokenize(self, scratch: &mut Scratch, segment: Segment<'_>, tokens: &mut TokenList) {
        let text = self.push(scratch, segment);
        self.tokenizer.tokenize(scratch, text, tokens);
    }

    /// The encoding in which the hypotheses and references of a segment are tokenized: Latin-1 if all
    /// are given in it and no step needs UTF-8.
    ///
    /// # Errors
    ///
    /// Those of [`Preprocessing::check_size`], for each hypothesis with all references.
    #[inline]
    pub fn encoding(
        self,
        hypotheses: &[Segment<'_>],
        references: &[Segment<'_>],
    ) -> Result<Encoding, Error> {
        let mut latin1 =
            self.tokenizer.reads_latin1() && !self.lowercase && self.unicode_form.is_none();
        let mut space_of = |text: &Segment<'_>| {
            latin1 &= matches!(text, Segment::Latin1(_));
            space(text)
        };
        let longest = hypotheses.iter().map(&mut space_of).max().unwrap_or(0);
        let references: usize = references.iter().map(space_of).sum();
        self.check_space(longest + references)?;
        Ok(if latin1 {
            Encoding::Latin1
        } else {
            Encoding::Utf8
        })
    }

    /// Whether a text of a segment is so long that all should be read in [pieces](Segment::pieces),
    /// which takes less memory, and have the same tokens then. Many short ones are not: each of them
    /// would be counted as a long one.
    #[must_use]
    pub fn in_pieces(self, hypotheses: &[Segment<'_>], references: &[Segment<'_>]) -> bool {
        let mut texts = hypotheses.iter().chain(references);
        let long = texts.any(|text| text.weight() >= LONG);
        // Those that can be [joined](Self::joined). Neither step before cares about a space.
        (long || forced())
            && self.tokenizer.reads_latin1()
            && !matches!(hypotheses, [Segment::Ids(_), ..])
    }

    /// The encoding in which several short texts can be split as one, if they can.
    #[inline]
    #[must_use]
    pub fn joined<'a>(self, texts: impl Iterator<Item = &'a Segment<'a>>) -> Option<Encoding> {
        if !self.tokenizer.reads_latin1() || self.lowercase || self.unicode_form.is_some() {
            return None;
        }
        let mut encoding = Encoding::Latin1;
        for text in texts {
            match text {
                Segment::Latin1(_) => {}
                Segment::Ids(_) => return None,
                _ => encoding = Encoding::Utf8,
            }
        }
        Some(encoding)
    }

    /// Rejects a text that is too long for 32-bit positions, before any memory is allocated.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] with segment 0.
    pub fn check_size(self, text: Segment<'_>) -> Result<(), Error> {
        self.check_space(space(&text))
    }

    fn check_space(self, bytes: usize) -> Result<(), Error> {
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

#[cfg(test)]
thread_local! {
    /// Whether tests read texts of any length in pieces.
    pub static IN_PIECES: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

#[cfg(test)]
fn forced() -> bool {
    IN_PIECES.get()
}

#[cfg(not(test))]
fn forced() -> bool {
    false
}

/// Bytes that a text may take in a scratch buffer, before anything is changed in it.
fn space(text: &Segment<'_>) -> usize {
    // Converted to UTF-8, a text may take twice as many bytes.
    2 * text.weight() + PADDING
}
