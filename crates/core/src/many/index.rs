//! An inverted index of many texts: for each n-gram, the texts that share it.
//!
//! Each distinct token gets a number. Sorting positions by token groups the occurrences of each
//! unigram. Sorting each group by the next token then groups those of each bigram, and so on.
//! N-grams in too few texts are dropped before the next order, because longer n-grams that begin
//! with them are in no more texts.

use std::iter::repeat_n;

use crate::count::{Tokens, Vocabulary};
use crate::error::{Error, Pause};
use crate::memory::{extend, listed, push, zeros};
use crate::text::prefetch;

/// The clipped count of an n-gram that occurs `count` times in one text and `most` times in the
/// other.
#[must_use]
pub fn clip<T: PartialOrd>(count: T, most: T) -> T {
    if most < count { most } else { count }
}

/// Number of positions between two calls of [`Pause`].
const SEEN: usize = 1 << 20;

/// Number of positions that are followed through all orders before the next ones, so that what
/// belongs to them stays in the cache: time per position should not grow with the texts.
const PIECE: usize = 1 << 12;

/// Number of entries after one that is followed, whose next tokens are fetched from memory meanwhile.
const AHEAD: usize = 32;

/// What follows the last token of a text.
const END: u32 = u32::MAX;

/// A token, its position, and the text that it belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    pub(super) token: u32,
    pub(super) position: u32,
    pub(super) text: u32,
}

impl Entry {
    /// The token and the position as one number, in their order and quick to compare.
    #[inline]
    fn key(&self) -> u64 {
        u64::from(self.token) << 32 | u64::from(self.position)
    }
}

/// The end of the entries of a token in sorted ones: the first one from `place` on, or 0.
#[must_use]
pub fn end_of_token(entries: &[Entry], place: usize) -> usize {
    let Some(last) = place.min(entries.len()).checked_sub(1) else {
        return 0;
    };
    let token = entries[last].token;
    last + entries[last..].partition_point(|entry| entry.token == token)
}

/// The tokens of many texts.
#[derive(Debug, Default)]
pub struct Index {
    /// The tokens of all texts, with [`END`] after each text.
    tokens: Vec<u32>,
    /// The end of each text in `tokens`.
    ends: Vec<usize>,
    words: Vocabulary,
}

impl Index {
    /// Appends a text, given its tokens. Words must be in one encoding.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] if all texts do not fit into 32-bit positions.
    pub fn push(&mut self, tokens: Tokens<'_>) -> Result<(), Error> {
        tokens.for_words(|words| self.words.add(words, &mut self.tokens));
        push(&mut self.ends, self.tokens.len());
        push(&mut self.tokens, END);
        small(self.tokens.len())?;
        Ok(())
    }

    /// Number of texts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no texts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Number of tokens of a text.
    ///
    /// # Panics
    ///
    /// If there is no such text.
    #[must_use]
    pub fn length(&self, text: usize) -> usize {
        self.ends[text] - self.start(text)
    }

    fn start(&self, text: usize) -> usize {
        text.checked_sub(1)
            .map_or(0, |before| self.ends[before] + 1)
    }

    /// Calls `visit` for each n-gram of up to `longest` tokens that occurs in at least
    /// `texts_at_least` texts, with its order minus 1, and each of the texts, in order, with its
    /// number of occurrences. `visit` returns whether to go on with longer n-grams that begin with
    /// this one.
    ///
    /// # Errors
    ///
    /// Those of `visit` and `pause`, and [`Error::TooLong`] if there are too many texts.
    pub fn shared(
        &self,
        longest: usize,
        texts_at_least: usize,
        pause: Pause<'_>,
        visit: impl FnMut(usize, &[(u32, u32)]) -> Result<bool, Error>,
    ) -> Result<(), Error> {
        self.shared_from(&self.by_token()?, longest, texts_at_least, pause, visit)
    }

    /// The same for n-grams that begin with the tokens in `entries`, a part of [`Index::by_token`]
    /// that has all or none of the entries of a token.
    ///
    /// # Errors
    ///
    /// Those of `visit` and `pause`.
    pub fn shared_from(
        &self,
        entries: &[Entry],
        longest: usize,
        texts_at_least: usize,
        pause: Pause<'_>,
        mut visit: impl FnMut(usize, &[(u32, u32)]) -> Result<bool, Error>,
    ) -> Result<(), Error> {
        let mut seen = 0;
        let mut piece = Vec::new();
        let mut texts: Vec<(u32, u32)> = Vec::new();
        let mut rest = entries;
        while !rest.is_empty() {
            let (first, others) = rest.split_at(end_of_token(rest, PIECE));
            rest = others;
            piece.clear();
            extend(&mut piece, first);
            // What follows so many tokens is rarely in the cache, and waiting for one after the other
            // would take longer than the work. If it is all fetched first, it stays until the end;
            // what follows a frequent token does not, and is fetched again for each order.
            let fetch = |entry: &Entry| {
                let next = self
                    .tokens
                    .as_ptr()
                    .wrapping_add(entry.position as usize + 1);
                prefetch(next.cast());
            };
            let fits = piece.len() <= 2 * PIECE;
            if fits {
                piece.iter().for_each(fetch);
            }
            // Each entry is the last token of an n-gram, and the position of the n-gram. Those with
            // the same tokens before the last are adjacent; `ends` has the end of each such group.
            let mut ends = vec![piece.len()];
            for order in 0..longest {
                let mut kept = 0;
                let mut next_ends = Vec::new();
                let mut start = 0;
                for end in ends {
                    if order > 0 {
                        piece[start..end].sort_unstable_by_key(Entry::key);
                    }
                    while start < end {
                        let token = piece[start].token;
                        let same = piece[start..end].iter();
                        texts.clear();
                        for entry in same.take_while(|entry| entry.token == token) {
                            match texts.last_mut() {
                                Some(last) if last.0 == entry.text => last.1 += 1,
                                _ => push(&mut texts, (entry.text, 1)),
                            }
                        }
                        let count: u32 = texts.iter().map(|text| text.1).sum();
                        let group = start..start + count as usize;
                        start = group.end;
                        seen += group.len();
                        if seen >= SEEN {
                            seen = 0;
                            pause()?;
                        }
                        if texts.len() < texts_at_least
                            || !visit(order, &texts)?
                            || order + 1 == longest
                        {
                            continue;
                        }
                        for place in group {
                            if let (false, Some(ahead)) = (fits, piece.get(place + AHEAD)) {
                                fetch(ahead);
                            }
                            let entry = piece[place];
                            let token = self.tokens[entry.position as usize + order + 1];
                            if token != END {
                                piece[kept] = Entry { token, ..entry };
                                kept += 1;
                            }
                        }
                        push(&mut next_ends, kept);
                    }
                }
                piece.truncate(kept);
                ends = next_ends;
            }
        }
        Ok(())
    }

    /// All tokens with their positions, sorted by token in linear time.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] if there are too many.
    pub fn by_token(&self) -> Result<Vec<Entry>, Error> {
        let distinct = self.words.len();
        let mut places = zeros::<usize>(distinct + 1);
        for &token in self.tokens.iter().filter(|&&token| token != END) {
            places[token as usize + 1] += 1;
        }
        for token in 0..distinct {
            places[token + 1] += places[token];
        }
        let count = self.tokens.len() - self.len();
        let mut entries = listed(repeat_n(Entry::default(), count));
        let mut text = 0;
        for (position, &token) in self.tokens.iter().enumerate() {
            if token == END {
                text += 1;
                continue;
            }
            let place = &mut places[token as usize];
            entries[*place] = Entry {
                token,
                position: small(position)?,
                text,
            };
            *place += 1;
        }
        Ok(entries)
    }
}

/// A number in 32 bits.
fn small(number: usize) -> Result<u32, Error> {
    u32::try_from(number).map_err(|_| Error::TooLong { segment: 0 })
}
