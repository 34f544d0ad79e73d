//! Lines from a stream of bytes, with any line ending and in blocks of any size. Invalid UTF-8 is
//! located.

use super::batch::Batch;
use super::segment::Segment;
use crate::error::Error;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Splits a stream into lines, block by block.
///
/// LF, CRLF and CR all end a line. A line ending at the end of the stream does not start another
/// line. A byte-order mark at the start of the stream is dropped.
#[derive(Debug, Default)]
pub struct Lines {
    buffer: Vec<u8>,
    /// Start and end of each complete line in `buffer`.
    spans: Vec<(usize, usize)>,
    /// Lines at the front of `spans` that have been dropped.
    dropped: usize,
    /// First byte of the incomplete line at the end.
    tail: usize,
    /// Number of bytes after `tail` known to have no line ending.
    searched: usize,
    /// Number of lines completed so far.
    total: u64,
    started: bool,
}

impl Lines {
    /// Adds the next block.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidUtf8`] if a line that the block completes is not valid UTF-8.
    pub fn push(&mut self, block: &[u8]) -> Result<(), Error> {
        self.compact();
        self.buffer.extend_from_slice(block);
        self.split(false)
    }

    /// Ends the stream. Bytes that remain are the last line.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidUtf8`] if that line is not valid UTF-8.
    pub fn finish(&mut self) -> Result<(), Error> {
        self.split(true)
    }

    /// Number of lines that can be read.
    #[must_use]
    pub fn available(&self) -> usize {
        self.spans.len() - self.dropped
    }

    /// Number of lines completed so far.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The lines that can be read, without line endings.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.spans[self.dropped..]
            .iter()
            .map(|&(start, end)| &self.buffer[start..end])
    }

    /// Drops the first `count` lines, or all if there are fewer.
    pub fn drop_front(&mut self, count: usize) {
        self.dropped += count.min(self.available());
    }

    /// Moves the bytes that are still needed to the front of the buffer.
    fn compact(&mut self) {
        let keep = self
            .spans
            .get(self.dropped)
            .map_or(self.tail, |span| span.0);
        self.buffer.drain(..keep);
        self.spans.drain(..self.dropped);
        for (start, end) in &mut self.spans {
            *start -= keep;
            *end -= keep;
        }
        self.dropped = 0;
        self.tail -= keep;
    }

    fn split(&mut self, last: bool) -> Result<(), Error> {
        if !self.started {
            if self.buffer.len() < BYTE_ORDER_MARK.len() && !last {
                return Ok(());
            }
            self.started = true;
            if self.buffer.starts_with(BYTE_ORDER_MARK) {
                self.tail = BYTE_ORDER_MARK.len();
            }
        }
        let begin = self.tail;
        let first_new = self.spans.len();
        let from = begin + self.searched;
        let mut skip_feed_at = None;
        for at in memchr::memchr2_iter(b'\n', b'\r', &self.buffer[from..]) {
            let at = from + at;
            if skip_feed_at == Some(at) {
                self.tail = at + 1;
                continue;
            }
            if self.buffer[at] == b'\r' {
                if at + 1 == self.buffer.len() && !last {
                    break; // The next block may begin with a line feed.
                }
                if self.buffer.get(at + 1) == Some(&b'\n') {
                    skip_feed_at = Some(at + 1);
                }
            }
            self.spans.push((self.tail, at));
            self.tail = at + 1;
        }
        if let Some(feed) = skip_feed_at {
            self.tail = self.tail.max(feed + 1);
        }
        if last && self.tail < self.buffer.len() {
            self.spans.push((self.tail, self.buffer.len()));
            self.tail = self.buffer.len();
        }
        // A carriage return at the end is examined again with the next block.
        let unfinished = &self.buffer[self.tail..];
        self.searched = unfinished.len() - usize::from(unfinished.ends_with(b"\r"));
        self.validate(begin, first_new)?;
        self.total += (self.spans.len() - first_new) as u64;
        Ok(())
    }

    /// Checks the lines from `first_new` on, which begin at byte `begin`, all at once.
    fn validate(&self, begin: usize, first_new: usize) -> Result<(), Error> {
        if simdutf8::basic::from_utf8(&self.buffer[begin..self.tail]).is_ok() {
            return Ok(());
        }
        for (line, &(start, end)) in (self.total + 1..).zip(&self.spans[first_new..]) {
            if let Err(error) = std::str::from_utf8(&self.buffer[start..end]) {
                return Err(Error::InvalidUtf8 {
                    line,
                    byte: error.valid_up_to() as u64 + 1,
                });
            }
        }
        Err(Error::Internal)
    }
}

/// A batch of the first `segments` lines of a stream of hypotheses and of streams of references.
#[must_use]
pub fn batch<'a>(hypotheses: &'a Lines, references: &[&'a Lines], segments: usize) -> Batch<'a> {
    let mut batch = Batch::with_capacity(segments);
    let mut streams: Vec<_> = references.iter().map(|lines| lines.iter()).collect();
    for line in hypotheses.iter().take(segments) {
        let references = streams.iter_mut().filter_map(Iterator::next);
        batch.push(Segment::Utf8(line), references.map(Segment::Utf8));
    }
    batch
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(bytes: &[u8], block: usize) -> Result<Vec<Vec<u8>>, Error> {
        let mut lines = Lines::default();
        let mut all = Vec::new();
        for block in bytes.chunks(block) {
            lines.push(block)?;
            // Take all but one, so that one stays across blocks.
            let take = lines.available().saturating_sub(1);
            all.extend(lines.iter().take(take).map(<[u8]>::to_vec));
            lines.drop_front(take);
        }
        lines.finish()?;
        all.extend(lines.iter().map(<[u8]>::to_vec));
        assert_eq!(lines.total(), all.len() as u64);
        Ok(all)
    }

    /// The lines do not depend on the block size.
    #[test]
    fn any_line_ending_in_any_blocks() {
        let cases: [(&[u8], &[&str]); 9] = [
            (b"", &[]),
            (b"a", &["a"]),
            (b"a\n", &["a"]),
            (b"\n", &[""]),
            (b"\xEF\xBB\xBFa\nb\n\n", &["a", "b", ""]),
            (b"a\r\nb\rc\n\rd\r", &["a", "b", "c", "", "d"]),
            (b"\r\n\r\n\r", &["", "", ""]),
            ("ä\nö\u{85}x\n€".as_bytes(), &["ä", "ö\u{85}x", "€"]),
            (b"\r\r\n\n", &["", "", ""]),
        ];
        for (bytes, expected) in cases {
            let expected: Vec<Vec<u8>> = expected
                .iter()
                .map(|line| line.as_bytes().to_vec())
                .collect();
            for block in 1..=bytes.len().max(1) {
                assert_eq!(
                    split(bytes, block),
                    Ok(expected.clone()),
                    "{bytes:?} by {block}"
                );
            }
        }
    }

    #[test]
    fn invalid_bytes_are_located() {
        for block in 1..10 {
            assert_eq!(
                split(b"fine\nab\xFFc\n", block),
                Err(Error::InvalidUtf8 { line: 2, byte: 3 })
            );
            assert_eq!(
                split(b"fine\nab\xC3", block),
                Err(Error::InvalidUtf8 { line: 2, byte: 3 })
            );
        }
    }
}
