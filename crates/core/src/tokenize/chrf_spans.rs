//! The characters and words that chrF counts, with their positions in the text.

use std::ops::Range;

use super::chrf_words::chrf_words;
use super::preprocess::Preprocessing;
use super::spans::{lowered, positions};
use super::token::TokenList;
use crate::error::Error;
use crate::memory::listed;
use crate::text::{Encoding, Scratch, Segment, code_points, is_space};

/// A character or a word: its range of bytes in the scratch buffer, and the range of characters
/// (code points) of the segment that it came from.
pub type Unit = (Range<usize>, Range<usize>);

/// Reads one segment as chrF does; returns its characters and its words. If it is normalized, they
/// come from characters of the normal form.
///
/// # Errors
///
/// [`Error::TooLong`] (with segment 0) if the text does not fit into 32-bit positions.
pub fn chrf_spans(
    scratch: &mut Scratch,
    segment: Segment<'_>,
    preprocessing: Preprocessing,
    keep_whitespace: bool,
) -> Result<[Vec<Unit>; 2], Error> {
    let lowercase = preprocessing.lowercase;
    preprocessing.check_size(segment)?;
    scratch.clear(Encoding::Utf8);
    let original = preprocessing.push_normalized(scratch, segment);
    let text = if lowercase {
        scratch.push_lowercase(original.clone())
    } else {
        original.clone()
    };
    let mut list = TokenList::default();
    chrf_words(scratch, text.clone(), &mut TokenList::default(), &mut list);
    let bytes = scratch.bytes();
    let positions = positions(&bytes[text.clone()]);
    let lowered = lowercase.then(|| lowered(&bytes[original]));
    let unit = |range: Range<usize>| {
        let [first, last] = [range.start, range.end - 1].map(|byte| {
            let character = positions[byte - text.start];
            lowered.as_ref().map_or(character, |from| from[character])
        });
        (range, first..last + 1)
    };
    let mut at = text.start;
    let characters = code_points(&bytes[text.clone()]).filter_map(|(c, bytes)| {
        let range = at..at + bytes.len();
        at = range.end;
        (keep_whitespace || !is_space(c)).then(|| unit(range))
    });
    let characters = listed(characters);
    let words = list.as_slice().iter();
    let words = words.map(|word| unit(word.start as usize..word.end as usize));
    Ok([characters, listed(words)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, lowercase: bool, whitespace: bool, expected: [&[(&str, &str)]; 2]) {
        let mut scratch = Scratch::default();
        let segment = Segment::Utf8(text.as_bytes());
        let preprocessing = Preprocessing {
            lowercase,
            ..Preprocessing::default()
        };
        let found = chrf_spans(&mut scratch, segment, preprocessing, whitespace).expect("short");
        let characters: Vec<char> = text.chars().collect();
        for (units, expected) in found.into_iter().zip(expected) {
            let actual: Vec<_> = units
                .into_iter()
                .map(|(bytes, span)| {
                    let unit = String::from_utf8_lossy(&scratch.bytes()[bytes]).into_owned();
                    (unit, characters[span].iter().collect::<String>())
                })
                .collect();
            let expected: Vec<_> = expected
                .iter()
                .map(|&(unit, original)| (unit.to_owned(), original.to_owned()))
                .collect();
            assert_eq!(actual, expected);
        }
    }

    /// Whitespace is left out or kept, one symbol is cut off a word, and a character that lowercasing
    /// turns into two is where both came from.
    #[test]
    fn characters_and_words() {
        check(
            "Ä b.",
            false,
            false,
            [
                &[("Ä", "Ä"), ("b", "b"), (".", ".")],
                &[("Ä", "Ä"), ("b", "b"), (".", ".")],
            ],
        );
        check(
            "İ b",
            true,
            true,
            [
                &[("i", "İ"), ("\u{307}", "İ"), (" ", " "), ("b", "b")],
                &[("i\u{307}", "İ"), ("b", "b")],
            ],
        );
        check(" ", false, false, [&[], &[]]);
        check(" ", false, true, [&[(" ", " ")], &[]]);
    }
}
