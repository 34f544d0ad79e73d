//! Text to tokens. A token is a range of bytes in the scratch buffer, never a string of its own.

mod classify;
mod scan;

use std::ops::Range;

use crate::error::Error;
use crate::text::Scratch;

/// Where a token stands in the scratch buffer; never empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Token {
    /// First byte.
    pub start: u32,
    /// First byte behind.
    pub end: u32,
}

impl Token {
    /// The token's bytes.
    #[must_use]
    pub fn bytes(self, scratch: &Scratch) -> &[u8] {
        &scratch.bytes()[self.start as usize..self.end as usize]
    }
}

/// The tokens of one text, in a buffer that the next text uses anew.
#[derive(Debug, Default)]
pub struct TokenList {
    /// Longer than the tokens are many: the scanner writes ahead.
    buffer: Vec<Token>,
    count: usize,
}

impl TokenList {
    /// The tokens in order.
    #[must_use]
    pub fn as_slice(&self) -> &[Token] {
        &self.buffer[..self.count]
    }

    /// Forgets all tokens; makes room for those of a text of `bytes` bytes.
    fn reset(&mut self, bytes: usize) {
        const KEEP: usize = 1 << 18;
        let room = bytes + scan::AHEAD;
        if self.buffer.len() < room || self.buffer.len() > KEEP.max(room) {
            self.buffer = vec![Token::default(); room];
        }
        self.count = 0;
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

    /// Splits `text`, a text of `scratch`.
    ///
    /// A tokenizer that rewrites its input appends the rewritten text to `scratch`.
    pub fn tokenize(self, scratch: &mut Scratch, text: Range<usize>, tokens: &mut TokenList) {
        match self {
            Self::None => scan::words(scratch, text, tokens),
            Self::V13a => {
                if scan::v13a(scratch, text.clone(), tokens) == scan::Outcome::NeedsRewrite {
                    let text = scan::rewrite_13a(scratch, text);
                    scan::v13a_rewritten(scratch, text, tokens);
                }
            }
        }
    }
}
