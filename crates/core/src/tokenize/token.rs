//! Tokens as ranges of bytes.

use std::iter::repeat_n;
use std::ops::Range;

use super::blocks::BLOCK;
use crate::memory::{listed, zeros};
use crate::text::Scratch;

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

/// The tokens of one text, in order.
#[derive(Clone, Copy, Debug, Default)]
pub struct TokenSlice<'a> {
    starts: &'a [u32],
    ends: &'a [u32],
}

impl<'a> TokenSlice<'a> {
    /// Tokens that start and end at these bytes.
    #[must_use]
    pub(crate) fn new(starts: &'a [u32], ends: &'a [u32]) -> Self {
        Self { starts, ends }
    }

    /// Number of tokens.
    #[must_use]
    pub fn len(self) -> usize {
        self.starts.len()
    }

    /// Whether there are no tokens.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.starts.is_empty()
    }

    /// Some of the tokens.
    ///
    /// # Panics
    ///
    /// If there are not as many.
    #[inline(always)]
    #[must_use]
    pub fn part(self, range: Range<usize>) -> Self {
        Self {
            starts: &self.starts[range.clone()],
            ends: &self.ends[range],
        }
    }

    /// The first byte of each token, and the first byte after it.
    #[inline(always)]
    #[must_use]
    pub fn places(self) -> (&'a [u32], &'a [u32]) {
        (self.starts, self.ends)
    }

    /// The tokens, one after the other.
    #[inline(always)]
    #[must_use]
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Token> + ExactSizeIterator + use<'a> {
        let ranges = self.starts.iter().zip(self.ends);
        ranges.map(|(&start, &end)| Token { start, end })
    }
}

/// The tokens of one text, in buffers that are reused for the next text.
#[derive(Debug, Default)]
pub struct TokenList {
    // Apart, because the scanner writes starts and ends apart. Both lists are longer than the number
    // of tokens, because it writes ahead.
    pub(super) starts: Vec<u32>,
    pub(super) ends: Vec<u32>,
    pub(super) count: usize,
    /// For each block that the scanner has read, the number of tokens that start before it, and the
    /// places in it where tokens start.
    pub(super) blocks: Vec<(usize, u64)>,
}

impl TokenList {
    /// The tokens in order.
    #[must_use]
    pub fn as_slice(&self) -> TokenSlice<'_> {
        TokenSlice {
            starts: &self.starts[..self.count],
            ends: &self.ends[..self.count],
        }
    }

    /// Number of tokens that start before a byte, counted from the start of a text that the scanner
    /// has read.
    ///
    /// # Panics
    ///
    /// If the text is shorter.
    #[inline(always)]
    #[must_use]
    pub fn before(&self, byte: usize) -> usize {
        let (before, starts) = self.blocks[byte / BLOCK];
        before + (starts & ((1 << (byte % BLOCK)) - 1)).count_ones() as usize
    }

    /// Removes all tokens, and makes room for those of a text of `bytes` bytes.
    pub(super) fn reset(&mut self, bytes: usize) {
        // A block is written at once, whatever its number of tokens.
        let room = bytes + BLOCK;
        if self.starts.len() < room {
            self.starts = zeros(room);
            self.ends = zeros(room);
            self.blocks = listed(repeat_n((0, 0), room / BLOCK));
        }
        self.count = 0;
    }
}
