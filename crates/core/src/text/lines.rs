//! Lines of a stream of bytes, in blocks, and batches of them.

use std::collections::VecDeque;
use std::fs::File;
use std::io;

use super::batch::Batch;
use super::segment::Segment;
use super::splitter::{Block, Splitter};
use crate::error::{Error, catch_panic};

/// Number of bytes that are read, split into lines and validated at a time: few enough to stay in
/// the cache meanwhile.
const PIECE: usize = 1 << 17;

/// Number of blocks of a file that are kept ready. Two, because the files that
/// are read side by side have different numbers of lines per block.
const BLOCKS: usize = 2;

/// The lines of a stream, block by block, with any line ending.
///
/// The stream is a file that is read here, or blocks that the caller adds.
#[derive(Debug, Default)]
pub struct Lines {
    ready: Ready,
    reader: Reader,
    /// Number of lines dropped so far.
    dropped: usize,
}

impl Lines {
    /// The lines of a file, to be read in blocks of `block` bytes. A line of more than `longest`
    /// bytes is refused.
    #[must_use]
    pub fn of_file(file: File, block: usize, longest: Option<usize>) -> Self {
        let mut reader = Reader {
            file: Some(file),
            block: block.max(1),
            splitter: Splitter::limited(longest),
            ..Reader::default()
        };
        reader.splitter.space(block);
        Self {
            reader,
            ..Self::default()
        }
    }

    /// The lines of blocks that the caller adds. A line of more than `longest` bytes is refused.
    #[must_use]
    pub fn of_blocks(longest: Option<usize>) -> Self {
        let reader = Reader {
            splitter: Splitter::limited(longest),
            ..Reader::default()
        };
        Self {
            reader,
            ..Self::default()
        }
    }

    /// Adds the next block.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidUtf8`] if a line that the block completes is not valid UTF-8,
    /// [`Error::LongLine`] if one is too long.
    pub fn push(&mut self, block: &[u8]) -> Result<(), Error> {
        let splitter = &mut self.reader.splitter;
        splitter.space(block.len()).copy_from_slice(block);
        splitter.split(block.len(), false)?;
        self.ready.blocks.extend(self.reader.take());
        Ok(())
    }

    /// Ends the stream. Bytes that remain are the last line.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidUtf8`] if that line is not valid UTF-8, [`Error::LongLine`] if it is too long.
    pub fn finish(&mut self) -> Result<(), Error> {
        self.reader.splitter.split(0, true)?;
        self.ready.blocks.extend(self.reader.take());
        Ok(())
    }

    /// Reads the next block of the file, unless two are waiting. If no line is ready
    /// then, the file has [ended](Lines::has_ended), or a line is longer than a block.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidUtf8`] if a line is not valid UTF-8, [`Error::LongLine`] if one is too long,
    /// [`Error::Read`] if reading fails.
    pub fn read(&mut self) -> Result<(), Error> {
        if self.ready.blocks.len() < BLOCKS {
            let block = match self.reader.ahead.take() {
                Some(block) => block,
                None => self.reader.read(),
            };
            self.ready.blocks.extend(block?);
        }
        Ok(())
    }

    /// Whether all of the file has been read.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.reader.file.is_none() && self.reader.ahead.is_none()
    }

    /// Number of lines that are ready.
    #[must_use]
    pub fn available(&self) -> usize {
        self.ready.blocks.iter().map(Block::len).sum()
    }

    /// Number of lines dropped so far.
    #[must_use]
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// Number of lines completed so far.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.reader.splitter.total()
    }

    /// Number of bytes read so far.
    #[must_use]
    pub fn read_bytes(&self) -> u64 {
        self.reader.splitter.read_bytes()
    }

    /// The first line with a line separator, U+2028, from 1, of those read so far.
    #[must_use]
    pub fn separator(&self) -> Option<u64> {
        self.reader.splitter.separator()
    }

    /// See [`Ready::iter`].
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.ready.iter()
    }

    /// Drops the first `count` lines, or all if there are fewer.
    pub fn drop_front(&mut self, mut count: usize) {
        while let Some(block) = self.ready.blocks.front_mut() {
            let dropped = block.drop_front(count);
            count -= dropped;
            self.dropped += dropped;
            if !block.is_empty() {
                break;
            }
            // Blocks of files are used again, unless a long line made them unusually large.
            let usual = |block: &Block| block.capacity() <= 4 * self.reader.block;
            let spare = self.ready.blocks.pop_front().filter(usual);
            self.reader.spare.extend(spare);
        }
    }

    /// Lets lines without text be no references.
    pub fn skip_empty(&mut self) {
        self.ready.skips_empty = true;
    }

    /// The lines that are ready.
    #[must_use]
    pub fn ready(&self) -> &Ready {
        &self.ready
    }

    /// The lines that are ready, and the reader of the next ones, for another thread.
    pub fn parts(&mut self) -> (&Ready, &mut Reader) {
        (&self.ready, &mut self.reader)
    }
}

/// The lines that are ready.
#[derive(Debug, Default)]
pub struct Ready {
    blocks: VecDeque<Block>,
    /// Whether lines without text are no references.
    skips_empty: bool,
}

impl Ready {
    /// The lines that are ready, without line endings.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.blocks.iter().flat_map(Block::iter)
    }

    /// The same as references; None for a line that is none.
    pub fn references(&self) -> impl Iterator<Item = Option<&[u8]>> {
        let is_missing = |line: &&[u8]| self.skips_empty && line.iter().all(|&c| c == b' ');
        self.iter()
            .map(move |line| Some(line).filter(|line| !is_missing(line)))
    }
}

/// Reads the blocks of a file.
#[derive(Debug, Default)]
pub struct Reader {
    /// None at the end, and if the caller adds the blocks.
    file: Option<File>,
    /// Number of bytes to read at a time.
    block: usize,
    splitter: Splitter,
    /// What [`Reader::read_ahead`] read.
    ahead: Option<Result<Option<Block>, Error>>,
    /// Blocks without lines.
    spare: Vec<Block>,
}

impl Reader {
    /// Whether there is something to read ahead.
    #[must_use]
    pub fn can_read_ahead(&self) -> bool {
        self.file.is_some() && self.ahead.is_none()
    }

    /// Reads the block that the next [`Lines::read`] adds, which reports the error if there is one.
    pub fn read_ahead(&mut self) {
        if self.can_read_ahead() {
            self.ahead = Some(catch_panic(|| self.read()));
        }
    }

    /// Reads a block of lines. None if it has no line, at the end or in the middle of one that is
    /// longer than a block.
    fn read(&mut self) -> Result<Option<Block>, Error> {
        let mut left = match self.block.saturating_sub(self.splitter.filled()) {
            0 => self.block,
            left => left,
        };
        while left > 0
            && let Some(file) = &mut self.file
        {
            let space = self.splitter.space(left.min(PIECE));
            let count = read_some(file, space)?;
            self.splitter.split(count, count == 0)?;
            if count == 0 {
                self.file = None;
            }
            left -= count;
        }
        Ok(self.take())
    }

    fn take(&mut self) -> Option<Block> {
        self.splitter.take(&mut self.spare)
    }
}

fn read_some(file: &mut impl io::Read, space: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(space) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// A batch of the first `segments` lines of streams of hypotheses and of references. All must have
/// at least that many.
#[must_use]
pub fn batch<'a>(hypotheses: &[&'a Ready], references: &[&'a Ready], segments: usize) -> Batch<'a> {
    let mut batch = Batch::of_systems(hypotheses.len(), segments);
    let mut systems: Vec<_> = hypotheses.iter().map(|lines| lines.iter()).collect();
    let mut streams: Vec<_> = references.iter().map(|lines| lines.references()).collect();
    for _ in 0..segments {
        let hypotheses = systems
            .iter_mut()
            .map(|lines| lines.next().unwrap_or_default());
        let references = streams.iter_mut().filter_map(|lines| lines.next()?);
        batch.push_systems(hypotheses.map(Segment::Utf8), references.map(Segment::Utf8));
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

    /// Lines without text are references unless they are skipped; as hypotheses, they stay.
    #[test]
    fn empty_lines_are_skipped() {
        let made = |skips: bool| {
            let mut lines = Lines::default();
            lines.push(b"a\n\n  \nb\n").expect("valid");
            if skips {
                lines.skip_empty();
            }
            lines
        };
        for (skips, counts) in [(false, [2; 4]), (true, [2, 1, 1, 2])] {
            let (hypotheses, first, second) = (made(true), made(false), made(skips));
            let references = [first.ready(), second.ready()];
            let batch = batch(&[hypotheses.ready()], &references, 4);
            let found: Vec<_> = (0..4).map(|n| batch.references(n).len()).collect();
            assert_eq!(found, counts);
        }
    }

    /// The lines of a file, read in blocks of this size, every other one ahead.
    fn read(bytes: &[u8], block: usize) -> Result<Vec<Vec<u8>>, Error> {
        let path = std::env::temp_dir().join(format!("lines-{}", std::process::id()));
        std::fs::write(&path, bytes)?;
        let mut lines = Lines::of_file(File::open(&path)?, block, None);
        std::fs::remove_file(path)?;
        let mut all = Vec::new();
        loop {
            lines.read()?;
            match lines.available() {
                0 if lines.has_ended() => break,
                0 => continue, // A line is longer than a block.
                _ => {}
            }
            if all.len() % 2 == 0 {
                lines.parts().1.read_ahead();
            }
            // Some stay across blocks.
            let take = lines.available().div_ceil(2);
            all.extend(lines.iter().take(take).map(<[u8]>::to_vec));
            lines.drop_front(take);
            assert!(lines.ready.blocks.len() <= BLOCKS);
            // Those that were read ahead are neither ready nor dropped.
            assert_eq!(lines.dropped(), all.len());
        }
        assert_eq!(
            (lines.total(), lines.read_bytes()),
            (all.len() as u64, bytes.len() as u64)
        );
        Ok(all)
    }

    /// Lines that are read here are those of a stream, and blocks and pieces change nothing.
    #[test]
    fn files() {
        let mut bytes = b"\xEF\xBB\xBF".to_vec();
        for number in 0..60_usize {
            bytes.extend("ä€ ".repeat(number * number % 37).bytes());
            bytes.extend([b"\n".as_slice(), b"\r\n", b"\r", b"x\r\r\n"][number % 4]);
        }
        let text = String::from_utf8(bytes[3..].to_vec()).expect("UTF-8");
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let expected: Vec<_> = text.lines().map(|line| line.as_bytes().to_vec()).collect();
        for block in (1..200).chain([500, 1000, 1 << 20]) {
            assert_eq!(read(&bytes, block), Ok(expected.clone()), "by {block}");
            assert_eq!(split(&bytes, block), Ok(expected.clone()), "by {block}");
        }
        let large = bytes[3..].repeat(3 * PIECE / bytes.len() + 1);
        let lines = expected.len() * (3 * PIECE / bytes.len() + 1);
        for block in [PIECE / 2, PIECE + 1, 2 * PIECE] {
            let all = read(&large, block).expect("UTF-8");
            assert_eq!(all.len(), lines);
            assert!(all.chunks(expected.len()).all(|part| part == expected));
        }
        bytes.extend(b"\xFF\n");
        let invalid = Err(Error::InvalidUtf8 {
            line: expected.len() as u64 + 1,
            byte: 1,
        });
        for block in [1, 7, 500] {
            assert_eq!(read(&bytes, block), invalid);
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
