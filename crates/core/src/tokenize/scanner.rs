//! Splitting 64 bytes at a time: the masks of each block, and the tokens that follow from them.

use std::hint::select_unpredictable;
use std::ops::Range;

use super::blocks::{BLOCK, Blocks};
use super::token::TokenList;
use crate::text::space_length;

/// Whether a text has been tokenized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The whole text is tokenized.
    Done,
    /// The text contains something that must be [rewritten](super::rewrite) first.
    NeedsRewrite,
}

/// Scans one text.
pub struct Scanner<'a, B> {
    blocks: B,
    bytes: &'a [u8],
    begin: usize,
    end: usize,
    /// The end of the last run of stops, and whether its last stop stays attached to a digit.
    run_end: usize,
    run_attached: bool,
    // Slices, so that writing to one of them cannot change where the other is.
    starts: &'a mut [u32],
    ends: &'a mut [u32],
    in_blocks: &'a mut [(usize, u64)],
    count: &'a mut usize,
    /// Number of tokens whose start, or end, has been written.
    started: usize,
    ended: usize,
}

/// For each bit of `mask`, the one after it; `last` for the highest.
#[inline(always)]
fn after(mask: u64, last: bool) -> u64 {
    mask >> 1 | u64::from(last) << 63
}

impl<'a, B: Blocks> Scanner<'a, B> {
    /// Begins to scan the part `text` of `bytes`, which is followed by padding.
    #[inline(always)]
    pub fn new(blocks: B, bytes: &'a [u8], text: Range<usize>, tokens: &'a mut TokenList) -> Self {
        // A token takes at least one byte.
        tokens.reset(text.len());
        Self {
            blocks,
            bytes,
            begin: text.start,
            end: text.end,
            run_end: text.start,
            run_attached: false,
            starts: &mut tokens.starts,
            ends: &mut tokens.ends,
            in_blocks: &mut tokens.blocks,
            count: &mut tokens.count,
            started: 0,
            ended: 0,
        }
    }

    /// Writes the last end.
    ///
    /// A text that fills its last block ends without a separator.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "`Preprocessing` bounds the scratch buffer, and the other is one bit"
    )]
    fn finish(&mut self, token_before: u64) -> Outcome {
        self.ends[self.ended] = self.end as u32;
        self.ended += token_before as usize;
        *self.count = self.ended;
        Outcome::Done
    }

    /// A block, which of its bytes are inside the text, and the byte after it, or 0 at the end of the
    /// text.
    #[inline(always)]
    fn block(&self, block: usize) -> (&[u8; BLOCK], u64, u8) {
        let window = self.bytes.get(block..block + BLOCK + 1);
        let Some((window, &[after])) = window.and_then(<[u8]>::split_first_chunk) else {
            unreachable!("every text is followed by padding")
        };
        let left = self.end - block;
        let inside = u64::MAX >> (BLOCK - left.min(BLOCK));
        (window, inside, select_unpredictable(left > BLOCK, after, 0))
    }

    /// The bytes of a whitespace character of two or three bytes that may begin at a bit: those of
    /// the block, and those of the next one.
    #[inline(always)]
    fn wide_space(&self, block: usize, bit: u32) -> (u64, u64) {
        let length = space_length(&self.bytes[block + bit as usize..self.end]);
        let found: u64 = (1 << length) - 1;
        (found << bit, found >> 1 >> (63 - bit))
    }

    /// Makes each character that is not whitespace a token.
    #[inline(always)]
    pub fn characters<const LATIN1: bool>(&mut self) -> Outcome {
        let (mut spaces_before, mut token_before) = (0, 0);
        for block in (self.begin..self.end).step_by(BLOCK) {
            let (window, inside, _) = self.block(block);
            let marks = self.blocks.marks::<LATIN1>(window);
            let mut spaces = marks.spaces | spaces_before | !inside;
            spaces_before = 0;
            let mut rare = marks.rare & inside;
            while rare != 0 {
                let (here, after) = self.wide_space(block, rare.trailing_zeros());
                spaces |= here;
                spaces_before |= after;
                rare &= rare - 1;
            }
            // What comes after the text is not part of a character.
            let begin = !marks.continuations | !inside;
            self.write(
                block,
                begin & !spaces,
                begin & (!spaces << 1 | token_before),
            );
            token_before = !spaces >> 63;
        }
        self.finish(token_before)
    }

    /// Splits at whitespace and, with `V13A`, by the rules of `13a`. With `REWRITE`, stops where the
    /// text must be rewritten.
    #[inline(always)]
    pub fn words<const LATIN1: bool, const V13A: bool, const REWRITE: bool>(&mut self) -> Outcome {
        // Whether the byte before the block separates tokens, is part of one, is a digit or a stop;
        // and the bytes of the block that belong to a whitespace character begun before it.
        let (mut separator_before, mut token_before) = (1, 0);
        let (mut digit_before, mut stop_before) = (0, 0);
        let mut spaces_before = 0;
        for block in (self.begin..self.end).step_by(BLOCK) {
            let (window, inside, next) = self.block(block);
            let marks = self.blocks.marks::<LATIN1>(window);
            let mut symbols = 0;
            if V13A {
                let (digits, stops) = (marks.digits & inside, marks.stops & inside);
                let digits_before = digits << 1 | digit_before;
                let digits_after = after(digits, next.is_ascii_digit());
                let stops_near = stops << 1 | stop_before | after(stops, is_stop(next));
                digit_before = digits >> 63;
                stop_before = stops >> 63;
                let line_feeds = after(marks.line_feeds & inside, next == b'\n');
                let hyphens_at_ends = marks.hyphens & line_feeds;
                symbols = marks.symbols | marks.hyphens & digits_before;
                if stops & stops_near == 0 {
                    symbols |= stops & !(digits_before & digits_after);
                } else {
                    symbols |= self.separate_stops(block, stops);
                }
                if REWRITE && hyphens_at_ends != 0 {
                    return Outcome::NeedsRewrite;
                }
            }
            let mut spaces = marks.spaces | spaces_before | !inside;
            spaces_before = 0;
            let mut rare = marks.rare & inside;
            while rare != 0 {
                let bit = rare.trailing_zeros();
                rare &= rare - 1;
                let at = block + bit as usize;
                if matches!(self.bytes[at], b'&' | b'<') {
                    if REWRITE && is_markup(&self.bytes[at..]) {
                        return Outcome::NeedsRewrite;
                    }
                    symbols |= u64::from(V13A) << bit;
                } else {
                    let (here, after) = self.wide_space(block, bit);
                    spaces |= here;
                    spaces_before |= after;
                }
            }
            symbols &= inside;
            let separators = spaces | symbols;
            let starts = !spaces & (separators << 1 | separator_before | symbols);
            let ends = (!spaces << 1 | token_before) & (spaces | starts);
            separator_before = separators >> 63;
            token_before = !spaces >> 63;
            self.write(block, starts, ends);
        }
        self.finish(token_before)
    }

    /// Writes the starts and ends of tokens in a block. The k-th end belongs to the k-th start.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "`Preprocessing` bounds the scratch buffer"
    )]
    fn write(&mut self, block: usize, starts: u64, ends: u64) {
        let places = (
            self.starts[self.started..].first_chunk_mut(),
            self.ends[self.ended..].first_chunk_mut(),
        );
        let (Some(start_places), Some(end_places)) = places else {
            unreachable!("`TokenList` has room for a block after the last token")
        };
        self.in_blocks[(block - self.begin) / BLOCK] = (self.started, starts);
        self.blocks.positions(starts, block as u32, start_places);
        self.blocks.positions(ends, block as u32, end_places);
        self.started += starts.count_ones() as usize;
        self.ended += ends.count_ones() as usize;
    }

    /// The stops of a block that are tokens by themselves, where some stops are in runs.
    #[cold]
    fn separate_stops(&mut self, block: usize, mut stops: u64) -> u64 {
        let mut separate = 0;
        while stops != 0 {
            let bit = stops.trailing_zeros();
            separate |= u64::from(self.is_separate(block + bit as usize)) << bit;
            stops &= stops - 1;
        }
        separate
    }

    /// Whether the stop at `at` is a token by itself. Must be called for every stop of a run, in
    /// order.
    #[inline(always)]
    fn is_separate(&mut self, at: usize) -> bool {
        if at >= self.run_end {
            let digit_before = at > self.begin && self.bytes[at - 1].is_ascii_digit();
            let mut after = at + 1;
            while after < self.end && is_stop(self.bytes[after]) {
                after += 1;
            }
            let digit_after = after < self.end && self.bytes[after].is_ascii_digit();
            // Rule 2 of `characters` pairs the stops, starting with the character before them unless
            // it is a digit.
            let paired_up = (after - at).is_multiple_of(2) == digit_before;
            self.run_end = after;
            self.run_attached = !paired_up && digit_after;
        }
        !(self.run_attached && at + 1 == self.run_end)
    }
}

fn is_stop(byte: u8) -> bool {
    matches!(byte, b'.' | b',')
}

fn is_markup(bytes: &[u8]) -> bool {
    [&b"&quot;"[..], b"&amp;", b"&lt;", b"&gt;", b"<skipped>"]
        .iter()
        .any(|markup| bytes.starts_with(markup))
}
