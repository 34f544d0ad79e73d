//! The tokens of one text as keys that can be hashed and compared: words, or numbers.

#[cfg(target_arch = "x86_64")]
mod x86;

use std::ops::Range;

use super::seeds::{Seeds, highest};
use crate::processor::Level;
use crate::text::{PADDING, Scratch};
use crate::tokenize::{Token, TokenSlice};

/// Keys that are written at once.
pub const AHEAD: usize = 8;

/// The tokens of one text.
#[derive(Clone, Copy, Debug)]
pub enum Tokens<'a> {
    /// Ranges of bytes in a scratch buffer.
    Text(&'a Scratch, TokenSlice<'a>),
    /// The same, whose keys have been [computed](super::Counter::key): the place of the first among
    /// them.
    Keyed(&'a Scratch, TokenSlice<'a>, usize),
    /// Token ids.
    Ids(&'a [i64]),
}

/// Ids that are read as words at once.
const TOGETHER: usize = 1 << 8;

impl Tokens<'_> {
    /// Takes the tokens as words: ids as words of eight bytes.
    pub(crate) fn for_words(self, mut take: impl FnMut(Words<'_>)) {
        match self {
            Self::Text(scratch, tokens) | Self::Keyed(scratch, tokens, _) => {
                take(Words::new(scratch, tokens));
            }
            Self::Ids(ids) => {
                let mut bytes = [0; 8 * TOGETHER + PADDING];
                let place = |id: usize| u32::try_from(8 * id).unwrap_or(u32::MAX);
                let starts: [u32; TOGETHER] = std::array::from_fn(place);
                let ends: [u32; TOGETHER] = std::array::from_fn(|id| place(id + 1));
                for ids in ids.chunks(TOGETHER) {
                    for (bytes, id) in bytes.as_chunks_mut().0.iter_mut().zip(ids) {
                        *bytes = id.to_le_bytes();
                    }
                    let tokens = TokenSlice::new(&starts[..ids.len()], &ends[..ids.len()]);
                    let bytes = &bytes;
                    take(Words { bytes, tokens });
                }
            }
        }
    }

    /// Number of tokens.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Text(_, tokens) | Self::Keyed(_, tokens, _) => tokens.len(),
            Self::Ids(ids) => ids.len(),
        }
    }

    /// Whether there are no tokens.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The tokens of one text, as keys of one kind.
pub trait Keys: Copy {
    /// What represents a token.
    type Key: Copy + Default;

    /// Whether it pays to compute the keys of references before they are counted.
    const WRITTEN: bool;

    /// The keys in order.
    fn iter(self) -> impl DoubleEndedIterator<Item = Self::Key> + ExactSizeIterator;

    /// Writes all keys, and the highest bits of their [quick hashes](Keys::quick_hash). What is
    /// behind them may be overwritten, too.
    ///
    /// # Panics
    ///
    /// If there is no room for [`AHEAD`] keys more.
    fn write(self, level: Level, seeds: Seeds, keys: &mut [Self::Key], hashes: &mut [u16]);

    /// Some of the tokens.
    fn part(self, range: Range<usize>) -> Self;

    /// A cheap hash, of which the highest bits depend on all that [`Keys::quickly_differs`] looks
    /// at.
    fn quick_hash(key: Self::Key, seeds: Seeds) -> u64;

    /// 0 if the keys look equal. Unless they are [long](Keys::is_long), they are equal then.
    fn quickly_differs(known: &Self::Key, key: &Self::Key) -> u64;

    /// Adds the bits in which two keys differ to `all`, which is compared with the default key by
    /// [`Keys::quickly_differs`] in the end.
    fn add_difference(all: &mut Self::Key, known: &Self::Key, key: &Self::Key);

    /// Whether two keys may differ although [`Keys::quickly_differs`] is 0.
    fn is_long(key: &Self::Key) -> bool;

    /// 0 if the keys are equal. Both must come from texts in the same buffer.
    fn differs(self, known: &Self::Key, key: &Self::Key) -> u64;
}

/// The words of a text in a scratch buffer.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    bytes: &'a [u8],
    tokens: TokenSlice<'a>,
}

impl<'a> Words<'a> {
    /// The tokens of a text as words.
    #[must_use]
    pub fn new(scratch: &'a Scratch, tokens: TokenSlice<'a>) -> Self {
        let bytes = scratch.bytes();
        Self { bytes, tokens }
    }

    /// What a long word has behind its [head](Word::head).
    #[inline(always)]
    pub fn rest(self, word: &Word) -> &'a [u8] {
        if word.is_long() {
            word.rest(self.bytes)
        } else {
            &[]
        }
    }

    /// A token of this text, or of another in the same buffer, as a word.
    #[inline(always)]
    pub fn word(self, Token { start, end }: Token) -> Word {
        let start_at = start as usize;
        let Some(bytes) = self.bytes.get(start_at..start_at + 16) else {
            unreachable!("every text is followed by padding")
        };
        let (numbers, _) = bytes.as_chunks::<8>();
        let length = end - start;
        let form = &FORMS[length.min(255) as usize];
        Word {
            head: u64::from_le_bytes(numbers[0]) & form.mask[0] | form.length[0],
            next: u64::from_le_bytes(numbers[1]) & form.mask[1] | form.length[1],
            place: u64::from(start) | u64::from(length) << 32,
        }
    }

    #[cold]
    #[inline(never)]
    fn rest_differs(self, known: &Word, word: &Word) -> u64 {
        u64::from(known.rest(self.bytes) != word.rest(self.bytes))
    }
}

/// Number of bytes of a word that are compared as numbers.
const HEAD: usize = 15;

/// The bytes of a token: the first 15 and the length in two numbers, the rest by position.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Word {
    /// The first eight bytes.
    head: u64,
    /// The next seven, and in the highest byte the length, or 255 if it is longer.
    next: u64,
    /// Its start, and its length in the high half: in one number, because reading two
    /// halves as one just after writing them would stall.
    place: u64,
}

impl Word {
    /// The first 15 bytes, and the length or, if it is longer, 255.
    #[inline(always)]
    pub fn head(&self) -> [u64; 2] {
        [self.head, self.next]
    }

    #[inline(always)]
    fn is_long(&self) -> bool {
        self.next >> 56 > HEAD as u64
    }

    /// The range of its bytes.
    #[expect(clippy::cast_possible_truncation, reason = "both are 32 bits wide")]
    fn range(&self) -> Range<usize> {
        let start = self.place as u32 as usize;
        start..start + (self.place >> 32) as usize
    }

    /// The bytes after the first 15. For a word from an earlier segment, they may not exist.
    fn rest<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        let Range { start, end } = self.range();
        bytes.get(start + HEAD..end).unwrap_or_default()
    }
}

impl Keys for Words<'_> {
    type Key = Word;

    const WRITTEN: bool = true;

    #[inline(always)]
    fn iter(self) -> impl DoubleEndedIterator<Item = Word> + ExactSizeIterator {
        self.tokens.iter().map(move |token| self.word(token))
    }

    #[inline(always)]
    fn part(self, range: Range<usize>) -> Self {
        Self {
            tokens: self.tokens.part(range),
            ..self
        }
    }

    #[inline]
    fn write(self, level: Level, seeds: Seeds, keys: &mut [Word], hashes: &mut [u16]) {
        match level {
            // SAFETY: the level proves the features.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(_) => unsafe { x86::write(self, seeds, keys, hashes) },
            _ => {
                for ((key, hash), word) in keys.iter_mut().zip(hashes).zip(self.iter()) {
                    *key = word;
                    *hash = highest(Self::quick_hash(word, seeds));
                }
            }
        }
    }

    #[inline(always)]
    fn quick_hash(word: Word, seeds: Seeds) -> u64 {
        seeds.scatter(word.head, word.next)
    }

    #[inline(always)]
    fn quickly_differs(known: &Word, word: &Word) -> u64 {
        (known.head ^ word.head) | (known.next ^ word.next)
    }

    #[inline(always)]
    fn add_difference(all: &mut Word, known: &Word, word: &Word) {
        all.head |= known.head ^ word.head;
        all.next |= known.next ^ word.next;
    }

    #[inline(always)]
    fn is_long(word: &Word) -> bool {
        word.is_long()
    }

    #[inline(always)]
    fn differs(self, known: &Word, word: &Word) -> u64 {
        let difference = Self::quickly_differs(known, word);
        if (difference != 0) | !word.is_long() {
            return difference;
        }
        self.rest_differs(known, word)
    }
}

/// What makes the numbers of a word of a given length from 16 bytes of text.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Form {
    /// The bytes that belong to the word, at most 15.
    mask: [u64; 2],
    /// The length, in the highest byte.
    length: [u64; 2],
}

/// The forms of words of up to 254 bytes, and of all longer ones.
static FORMS: [Form; 256] = {
    let mut forms = [Form {
        mask: [0; 2],
        length: [0; 2],
    }; 256];
    let mut length = 1;
    while length < 256 {
        let mut form = forms[length - 1];
        if length <= HEAD {
            form.mask[(length - 1) / 8] |= 0xFF << (8 * ((length - 1) % 8));
        }
        form.length[1] = (length as u64) << 56;
        forms[length] = form;
        length += 1;
    }
    forms
};

/// Token ids.
impl Keys for &[i64] {
    type Key = i64;

    const WRITTEN: bool = false;

    #[inline(always)]
    fn iter(self) -> impl DoubleEndedIterator<Item = i64> + ExactSizeIterator {
        <[i64]>::iter(self).copied()
    }

    #[inline(always)]
    fn part(self, range: Range<usize>) -> Self {
        &self[range]
    }

    #[inline(always)]
    fn write(self, _: Level, seeds: Seeds, keys: &mut [i64], hashes: &mut [u16]) {
        for ((key, hash), &id) in keys.iter_mut().zip(hashes).zip(self) {
            *key = id;
            *hash = highest(Self::quick_hash(id, seeds));
        }
    }

    #[inline(always)]
    fn quick_hash(id: i64, seeds: Seeds) -> u64 {
        seeds.scatter(id.cast_unsigned(), 0)
    }

    #[inline(always)]
    fn quickly_differs(known: &i64, id: &i64) -> u64 {
        (known ^ id).cast_unsigned()
    }

    #[inline(always)]
    fn add_difference(all: &mut i64, known: &i64, id: &i64) {
        *all |= known ^ id;
    }

    #[inline(always)]
    fn is_long(_: &i64) -> bool {
        false
    }

    #[inline(always)]
    fn differs(self, known: &i64, id: &i64) -> u64 {
        Self::quickly_differs(known, id)
    }
}
