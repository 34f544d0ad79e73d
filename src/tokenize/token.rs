//! Tokens as ranges of bytes.

use crate::text::Scratch;

/// Entries that the scanner may write after the last token.
pub const AHEAD: usize = 64 + 8;

/// The range of a token in the scratch buffer; never empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Token {
    /// First byte.
    pub start: u32,
    /// First byte after the token.
    pub end: u32,
}

impl Token {
    /// The token's bytes.
    #[must_use]
    pub fn bytes(self, scratch: &Scratch) -> &[u8] {
        &scratch.bytes()[self.start as usize..self.end as usize]
    }
}

/// The tokens of one text, in a buffer that is reused for the next text.
#[derive(Debug, Default)]
pub struct TokenList {
    /// Longer than the number of tokens, because the scanner writes ahead.
    pub(super) buffer: Vec<Token>,
    pub(super) count: usize,
}

impl TokenList {
    /// The tokens in order.
    #[must_use]
    pub fn as_slice(&self) -> &[Token] {
        &self.buffer[..self.count]
    }

    /// Appends a token; [`TokenList::reset`] must have made room for it.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "`Preprocessing` bounds the scratch buffer"
    )]
    pub(super) fn push(&mut self, start: usize, end: usize) {
        self.buffer[self.count] = Token {
            start: start as u32,
            end: end as u32,
        };
        self.count += 1;
    }

    /// Removes all tokens, and makes room for those of a text of `bytes` bytes.
    pub(super) fn reset(&mut self, bytes: usize) {
        const KEEP: usize = 1 << 18;
        let room = bytes + AHEAD;
        if self.buffer.len() < room || self.buffer.len() > KEEP.max(room) {
            self.buffer = vec![Token::default(); room];
        }
        self.count = 0;
    }
}
