//! The keys and hashes of tokens, computed for many texts at once.

use std::ops::Range;

use super::keys::Keys;
use super::seeds::{Seeds, highest};
use crate::memory::reserve;
use crate::processor::Level;
use crate::stop::make_room;

/// Tokens that can be read behind any token: so many that a byte as index needs no check.
pub const ENTRIES: usize = 256;

/// The keys of tokens, and the highest bits of their [quick hashes](Keys::quick_hash).
#[derive(Debug, Default)]
pub struct Keyed<K> {
    // Both are longer than the number of tokens, because keys are written ahead, and read ahead.
    keys: Vec<K>,
    hashes: Vec<u16>,
}

impl<K: Copy + Default> Keyed<K> {
    /// Writes the keys of a text, from the token at `from` on; returns their range.
    #[inline]
    pub fn write<S: Keys<Key = K>>(
        &mut self,
        level: Level,
        text: S,
        from: usize,
        seeds: Seeds,
    ) -> Range<usize> {
        let end = from + text.iter().len();
        if self.hashes.len() < end + ENTRIES {
            make_room(&mut self.keys, end + ENTRIES);
            make_room(&mut self.hashes, end + ENTRIES);
        }
        text.write(
            level,
            seeds,
            &mut self.keys[from..],
            &mut self.hashes[from..],
        );
        from..end
    }

    /// The keys from a token on.
    #[inline(always)]
    pub fn from(&self, token: usize) -> &[K; ENTRIES] {
        let Some(keys) = self.keys[token..].first_chunk() else {
            unreachable!("there is room for as many behind each token")
        };
        keys
    }

    /// The keys and hashes of some tokens.
    #[inline(always)]
    pub fn part(&self, tokens: Range<usize>) -> (&[K], &[u16]) {
        (&self.keys[tokens.clone()], &self.hashes[tokens])
    }
}

/// The highest bits of the hashes of keys.
pub fn hashes<S: Keys>(keys: &[S::Key], seeds: Seeds, hashes: &mut Vec<u16>) {
    hashes.clear();
    reserve(hashes, keys.len());
    hashes.extend(keys.iter().map(|&key| highest(S::quick_hash(key, seeds))));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::keys::{Word, Words};
    use crate::text::{Encoding, Scratch, Segment};
    use crate::tokenize::{TokenList, Tokenizer};

    /// The keys and hashes of words of every length, in texts of any number of words, are the same
    /// at every level, and those of others stay as they are.
    #[test]
    fn keys_are_alike_at_every_level() {
        let seeds = Seeds::random();
        let word = |length: usize| {
            let letter =
                |at: usize| char::from(b'a' + u8::try_from(at * 7 % 26).expect("a letter"));
            (0..length).map(letter).collect::<String>()
        };
        let long: String = (1..300).map(|length| word(length) + " ").collect();
        let mut texts: Vec<_> = (0..40).map(|words| "ab c ".repeat(words)).collect();
        texts.extend([long, word(15), word(16), word(70_000)]);
        let (mut scratch, mut list) = (Scratch::default(), TokenList::default());
        for text in texts {
            scratch.clear(Encoding::Utf8);
            let range = scratch.push(Segment::Utf8(text.as_bytes()));
            Tokenizer::None.tokenize(&mut scratch, range, &mut list);
            let words = Words::new(&scratch, list.as_slice());
            let written = Level::available().into_iter().map(|level| {
                let mut keyed = Keyed::<Word>::default();
                let first = keyed.write(level, words, 0, seeds);
                let second = keyed.write(level, words, first.end, seeds);
                [first, second].map(|range| {
                    let (keys, hashes) = keyed.part(range);
                    let mut again = Vec::new();
                    super::hashes::<Words<'_>>(keys, seeds, &mut again);
                    assert_eq!(again, hashes);
                    format!("{keys:?}")
                })
            });
            let expected = format!("{:?}", words.iter().collect::<Vec<_>>());
            for keys in written.flatten() {
                assert!(keys == expected, "{} words", list.as_slice().len());
            }
        }
    }
}
