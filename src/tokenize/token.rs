//! Where tokens stand.

use crate::text::Scratch;

/// Entries that a scan may write behind the last token.
pub const AHEAD: usize = 64 + 8;

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
    pub(super) buffer: Vec<Token>,
    pub(super) count: usize,
}

impl TokenList {
    /// The tokens in order.
    #[must_use]
    pub fn as_slice(&self) -> &[Token] {
        &self.buffer[..self.count]
    }

    /// Appends a token; there must be room.
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

    /// Forgets all tokens; makes room for those of a text of `bytes` bytes.
    pub(super) fn reset(&mut self, bytes: usize) {
        const KEEP: usize = 1 << 18;
        let room = bytes + AHEAD;
        if self.buffer.len() < room || self.buffer.len() > KEEP.max(room) {
            self.buffer = vec![Token::default(); room];
        }
        self.count = 0;
    }
}
