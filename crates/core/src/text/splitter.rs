//! Splitting a stream of bytes into lines. Invalid UTF-8 is located.

use std::ops::Range;

use memchr::memmem;
use wide::u8x16;

use crate::error::Error;
use crate::memory::{push, reserve, zeros};

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// U+2028, which ends no line here, but does in other programs.
const LINE_SEPARATOR: &[u8] = b"\xE2\x80\xA8";

/// Complete lines, in the memory that they were read into.
#[derive(Debug, Default)]
pub struct Block {
    bytes: Vec<u8>,
    /// Start and end of each line in `bytes`.
    spans: Vec<(usize, usize)>,
    /// Lines at the front of `spans` that have been dropped.
    dropped: usize,
}

impl Block {
    /// Number of bytes that it has room for.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    /// Number of lines.
    #[must_use]
    pub fn len(&self) -> usize {
        self.spans.len() - self.dropped
    }

    /// Whether there are no lines.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The lines, without line endings.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let spans = self.spans[self.dropped..].iter();
        spans.map(|&(start, end)| &self.bytes[start..end])
    }

    /// Drops the first `count` lines, or all if there are fewer; returns how many.
    pub fn drop_front(&mut self, count: usize) -> usize {
        let count = count.min(self.len());
        self.dropped += count;
        count
    }
}

/// Splits a stream into lines, piece by piece, in the block that the pieces are read into.
///
/// LF, CRLF and CR all end a line. A line ending at the end of the stream does not start another
/// line. A byte-order mark at the start of the stream is dropped.
#[derive(Debug, Default)]
pub struct Splitter {
    block: Block,
    /// Number of bytes of the block that are text. What follows is spare room.
    filled: usize,
    /// First byte of the incomplete line at the end.
    tail: usize,
    /// Number of bytes after `tail` known to have no line ending.
    searched: usize,
    /// Number of lines completed so far.
    total: u64,
    /// Number of bytes in all blocks so far.
    read_bytes: u64,
    started: bool,
    /// The first line with a line separator, from 1.
    separator: Option<u64>,
    /// How many bytes a line may have, if that is limited.
    longest: Option<usize>,
}

impl Splitter {
    /// A splitter for lines of at most `longest` bytes, without their endings.
    #[must_use]
    pub fn limited(longest: Option<usize>) -> Self {
        Self {
            longest,
            ..Self::default()
        }
    }

    /// Number of lines completed so far.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Number of bytes split so far.
    #[must_use]
    pub fn read_bytes(&self) -> u64 {
        self.read_bytes
    }

    /// The first line with a line separator, U+2028, from 1.
    #[must_use]
    pub fn separator(&self) -> Option<u64> {
        self.separator
    }

    /// Number of bytes of the current block, which [`Splitter::take`] would take.
    #[must_use]
    pub fn filled(&self) -> usize {
        self.filled
    }

    /// The memory that the next `size` bytes are to be written to.
    pub fn space(&mut self, size: usize) -> &mut [u8] {
        let end = self.filled + size;
        let bytes = &mut self.block.bytes;
        if bytes.is_empty() {
            // Zeroed memory is not committed before it is written to.
            *bytes = zeros(end);
        } else if bytes.len() < end {
            reserve(bytes, end - bytes.len());
            bytes.resize(end, 0);
        }
        &mut self.block.bytes[self.filled..end]
    }

    /// Splits the `count` bytes that have been written to [`Splitter::space`]; `last` if the stream
    /// ends with them.
    ///
    /// # Errors
    ///
    /// [`Error::LongLine`] if a line is too long, complete or not, [`Error::InvalidUtf8`] if one that
    /// they complete is not valid UTF-8.
    ///
    /// # Panics
    ///
    /// If there was less space.
    pub fn split(&mut self, count: usize, last: bool) -> Result<(), Error> {
        self.filled += count;
        self.read_bytes += count as u64;
        let text = &self.block.bytes[..self.filled];
        if !self.started {
            if text.len() < BYTE_ORDER_MARK.len() && !last {
                return Ok(());
            }
            self.started = true;
            if text.starts_with(BYTE_ORDER_MARK) {
                self.tail = BYTE_ORDER_MARK.len();
            }
        }
        let begin = self.tail;
        let spans = &mut self.block.spans;
        let first_new = spans.len();
        let from = begin + self.searched;
        let mut tail = begin;
        for_each_end(text, from, |at| {
            if at < tail {
                return; // The line feed of CRLF.
            }
            let mut next = at + 1;
            if text[at] == b'\r' {
                if next == text.len() && !last {
                    return; // The next piece may begin with a line feed.
                }
                next += usize::from(text.get(next) == Some(&b'\n'));
            }
            push(spans, (tail, at));
            tail = next;
        });
        self.tail = tail;
        if last && self.tail < text.len() {
            push(spans, (self.tail, text.len()));
            self.tail = text.len();
        }
        // A carriage return at the end is examined again with the next piece.
        let unfinished = &text[self.tail..];
        self.searched = unfinished.len() - usize::from(unfinished.ends_with(b"\r"));
        // Lines that are no longer are read, up to the first one that is.
        let longest = self.longest.unwrap_or(usize::MAX);
        let new = &self.block.spans[first_new..];
        let read = new.iter().position(|(start, end)| end - start > longest);
        let read = read.unwrap_or(new.len());
        let end = new.get(read).map_or(self.tail, |&(start, _)| start);
        let is_long = read < new.len() || self.searched > longest;
        self.validate(begin..end, first_new)?;
        if self.separator.is_none()
            && let Some(at) = memmem::find(&self.block.bytes[begin..end], LINE_SEPARATOR)
        {
            let new = &self.block.spans[first_new..];
            let before = new.partition_point(|&(_, end)| end <= begin + at);
            self.separator = Some(self.total + before as u64 + 1);
        }
        self.total += read as u64;
        if is_long {
            let line = self.total + 1;
            return Err(Error::LongLine { line, longest });
        }
        Ok(())
    }

    /// The lines since the last call, or None if there are none. The incomplete line at the end
    /// moves on to one of the `spare` blocks.
    pub fn take(&mut self, spare: &mut Vec<Block>) -> Option<Block> {
        if self.block.is_empty() {
            return None;
        }
        let mut next = spare.pop().unwrap_or_default();
        next.spans.clear();
        next.dropped = 0;
        let rest = &self.block.bytes[self.tail..self.filled];
        if next.bytes.len() < rest.len() {
            // As much as this one, so that it does not grow piece by piece.
            next.bytes = zeros(self.block.bytes.len());
        }
        next.bytes[..rest.len()].copy_from_slice(rest);
        self.filled = rest.len();
        self.tail = 0;
        Some(std::mem::replace(&mut self.block, next))
    }

    /// Checks the lines from `first_new` on, which are in this part of the block, all at once.
    fn validate(&self, part: Range<usize>, first_new: usize) -> Result<(), Error> {
        let bytes = &self.block.bytes;
        if simdutf8::basic::from_utf8(&bytes[part]).is_ok() {
            return Ok(());
        }
        for (line, &(start, end)) in (self.total + 1..).zip(&self.block.spans[first_new..]) {
            if let Err(error) = std::str::from_utf8(&bytes[start..end]) {
                return Err(Error::InvalidUtf8 {
                    line,
                    byte: error.valid_up_to() as u64 + 1,
                });
            }
        }
        Err(Error::Internal)
    }
}

/// Calls `found` with the place of each line feed and carriage return from `from` on.
///
/// Lines are short: to search for the end of each by itself would take longer.
#[inline(always)]
fn for_each_end(text: &[u8], from: usize, mut found: impl FnMut(usize)) {
    let (blocks, rest) = text[from..].as_chunks::<64>();
    for (index, block) in blocks.iter().enumerate() {
        let mut ends = ends(block);
        while ends != 0 {
            found(from + 64 * index + ends.trailing_zeros() as usize);
            ends &= ends - 1;
        }
    }
    for (at, byte) in (text.len() - rest.len()..).zip(rest) {
        if matches!(byte, b'\n' | b'\r') {
            found(at);
        }
    }
}

/// The line feeds and carriage returns of 64 bytes, a bit for each byte.
#[inline(always)]
fn ends(block: &[u8; 64]) -> u64 {
    let (parts, _) = block.as_chunks::<16>();
    let mask = |part: &[u8; 16]| {
        let bytes = u8x16::new(*part);
        let ends = bytes.simd_eq(u8x16::splat(b'\n')) | bytes.simd_eq(u8x16::splat(b'\r'));
        u64::from(ends.to_bitmask())
    };
    mask(&parts[0]) | mask(&parts[1]) << 16 | mask(&parts[2]) << 32 | mask(&parts[3]) << 48
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Splits pieces, taking the lines after each; returns the number of lines in each block.
    fn split(pieces: &[&[u8]], longest: usize) -> Result<Vec<usize>, Error> {
        let mut splitter = Splitter::limited(Some(longest));
        let mut counts = Vec::new();
        for (number, piece) in pieces.iter().enumerate() {
            splitter.space(piece.len()).copy_from_slice(piece);
            splitter.split(piece.len(), number + 1 == pieces.len())?;
            counts.push(
                splitter
                    .take(&mut Vec::new())
                    .map_or(0, |block| block.len()),
            );
        }
        assert_eq!(splitter.total(), counts.iter().sum::<usize>() as u64);
        assert_eq!(splitter.read_bytes(), pieces.concat().len() as u64);
        Ok(counts)
    }

    /// A line may have as many bytes as are allowed, and no more: the first one that has is told by
    /// its number from the start of the stream, wherever the stream is cut.
    #[test]
    fn lines_are_limited() {
        let too_long = |line| Err(Error::LongLine { line, longest: 4 });
        for (text, expected) in [
            (&b"a\nb\nfour\nfour\r\nfour\rfour"[..], Ok(6)),
            (b"\xEF\xBB\xBFfour\n\r\rfour\r", Ok(4)),
            ("é é\n".as_bytes(), too_long(1)),
            (b"a\nb\nfives\n", too_long(3)),
            (b"a\nfives\r\n", too_long(2)),
            (b"\xEF\xBB\xBF\xEF\xBB\xBFab\n", too_long(1)),
            (b"a\nb\nc\nfives", too_long(4)),
            (b"four\nfives\rsixsix\nd\xFF\n", too_long(2)),
            (b"a\nfi\xFFes\n", too_long(2)),
            (
                b"\xFF\nfives\n",
                Err(Error::InvalidUtf8 { line: 1, byte: 1 }),
            ),
        ] {
            for size in 1..=text.len() {
                let pieces: Vec<_> = text.chunks(size).collect();
                let found = split(&pieces, 4).map(|counts| counts.iter().sum());
                assert_eq!(found, expected, "{text:?} by {size}");
            }
        }
    }

    /// The first line with U+2028 is told by its number, wherever the stream is cut.
    #[test]
    fn line_separators() {
        let text = "a\r\nb \u{2029}\nc\u{2028}d\u{2028}\n\u{2028}";
        for size in 1..=text.len() {
            let mut splitter = Splitter::default();
            let pieces: Vec<_> = text.as_bytes().chunks(size).collect();
            for (number, piece) in pieces.iter().enumerate() {
                splitter.space(piece.len()).copy_from_slice(piece);
                let last = number + 1 == pieces.len();
                splitter.split(piece.len(), last).expect("it is UTF-8");
                splitter.take(&mut Vec::new());
            }
            assert_eq!(splitter.separator(), Some(3));
        }
    }
}
