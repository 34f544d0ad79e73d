//! Text to tokens. A token is a range of bytes in the scratch buffer, never a string of its own.

mod classify;
mod scan;

use std::ops::Range;

use crate::error::Error;
use crate::text::Scratch;

/// Where a token stands in the scratch buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// First byte.
    pub start: u32,
    /// Number of bytes, never 0.
    pub length: u32,
}

impl Token {
    /// The token's bytes.
    #[must_use]
    pub fn bytes(self, scratch: &Scratch) -> &[u8] {
        &scratch.bytes()[self.start as usize..][..self.length as usize]
    }
}

/// A native tokenizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tokenizer {
    /// Splits on white space.
    None,
    /// The segmentation of `mteval-v13a.pl` as sacreBLEU has it.
    V13a,
}

impl Tokenizer {
    /// Every native tokenizer under the name users give it.
    pub const ALL: [(&str, Self); 2] = [("none", Self::None), ("13a", Self::V13a)];

    /// The tokenizer of that name.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownName`] if there is none.
    pub fn named(name: &str) -> Result<Self, Error> {
        Self::ALL
            .iter()
            .find(|(known, _)| *known == name)
            .map(|&(_, tokenizer)| tokenizer)
            .ok_or_else(|| Error::UnknownName {
                what: "tokenizer",
                name: name.to_owned(),
            })
    }

    /// Appends the tokens of `text`, a text of `scratch`, to `tokens`.
    ///
    /// A tokenizer that rewrites its input appends the rewritten text to `scratch`.
    pub fn tokenize(self, scratch: &mut Scratch, text: Range<usize>, tokens: &mut Vec<Token>) {
        match self {
            Self::None => scan::words(scratch, text, tokens),
            Self::V13a => {
                let before = tokens.len();
                if scan::v13a(scratch, text.clone(), tokens) == scan::Outcome::NeedsRewrite {
                    tokens.truncate(before);
                    let text = scan::rewrite_13a(scratch, text);
                    scan::v13a_rewritten(scratch, text, tokens);
                }
            }
        }
    }
}
