//! Tokens as output: as text, and with their positions in the original text.

use std::ops::Range;

use super::preprocess::Preprocessing;
use super::token::TokenList;
use crate::error::Error;
use crate::memory::{extend, joined, listed, push, with_room};
use crate::stop::stop_in;
use crate::text::{Encoding, Scratch, Segment, threads_for};
use crate::threads::on_threads;

/// The tokens of each line, separated by spaces, with a line feed after each line.
///
/// The result does not depend on `threads`.
///
/// # Errors
///
/// [`Error::TooLong`] with the line that does not fit into 32-bit positions, [`Error::Internal`]
/// instead of a panic.
pub fn join(
    preprocessing: Preprocessing,
    lines: &[&[u8]],
    threads: usize,
) -> Result<Vec<u8>, Error> {
    for (segment, line) in lines.iter().enumerate() {
        preprocessing
            .check_size(Segment::Utf8(line))
            .map_err(|_| Error::TooLong { segment })?;
    }
    let bytes: usize = lines.iter().map(|line| line.len()).sum();
    let threads = threads_for(bytes, threads);
    let parts = lines.chunks(lines.len().div_ceil(threads).max(1));
    let work = &|part: &[_]| Ok(join_part(preprocessing, part));
    Ok(joined(&on_threads(parts, work, work)?))
}

fn join_part(preprocessing: Preprocessing, lines: &[&[u8]]) -> Vec<u8> {
    let mut scratch = Scratch::default();
    let mut tokens = TokenList::default();
    let mut out = Vec::new();
    for line in lines {
        scratch.clear(Encoding::Utf8);
        preprocessing.tokenize(&mut scratch, Segment::Utf8(line), &mut tokens);
        for (index, token) in tokens.as_slice().iter().enumerate() {
            if index > 0 {
                push(&mut out, b' ');
            }
            extend(&mut out, token.bytes(&scratch));
        }
        push(&mut out, b'\n');
    }
    out
}

/// Tokenizes one segment into `tokens`; returns for each token the range of characters (code
/// points) of the segment that it came from.
///
/// Lowercasing may turn one character into two, and an entity becomes one character: the range is
/// that of the original. Two tokens from one character have the same range.
///
/// # Errors
///
/// [`Error::TooLong`] (with segment 0) if the text does not fit into 32-bit positions.
pub fn spans(
    preprocessing: Preprocessing,
    scratch: &mut Scratch,
    segment: Segment<'_>,
    tokens: &mut TokenList,
) -> Result<Vec<Range<usize>>, Error> {
    preprocessing.check_size(segment)?;
    scratch.clear(Encoding::Utf8);
    let original = scratch.push(segment);
    let text = if preprocessing.lowercase {
        scratch.push_lowercase(original.clone())
    } else {
        original.clone()
    };
    let tokenizer = preprocessing.tokenizer;
    let trimmed = tokenizer.trimmed(scratch, text.clone());
    let (split, history) = tokenizer.tokenize_with_history(scratch, trimmed.clone(), tokens);
    let bytes = scratch.bytes();
    let lowered = preprocessing.lowercase.then(|| lowered(&bytes[original]));
    let character = |index: usize| lowered.as_ref().map_or(index, |lowered| lowered[index]);
    let positions = positions(&bytes[text.clone()]);
    let tokens = tokens.as_slice().iter().enumerate();
    Ok(listed(tokens.map(|(number, token)| {
        stop_in(number);
        let here = token.start as usize - split.start..token.end as usize - split.start;
        let before = history.original(here);
        let skipped = trimmed.start - text.start;
        let start = positions[before.start + skipped];
        let last = positions[before.end + skipped - 1];
        character(start)..character(last) + 1
    })))
}

/// For each byte, the index of its character.
pub(super) fn positions(text: &[u8]) -> Vec<usize> {
    let mut begun = 0;
    listed(text.iter().enumerate().map(|(place, byte)| {
        stop_in(place);
        begun += usize::from(byte & 0xC0 != 0x80);
        begun - 1
    }))
}

/// For each character of a lowercased text, the index of the original character.
pub(super) fn lowered(original: &[u8]) -> Vec<usize> {
    let mut from = with_room(original.len());
    let mut index = 0;
    for chunk in original.utf8_chunks() {
        for c in chunk.valid().chars() {
            c.to_lowercase().for_each(|_| push(&mut from, index));
            index += 1;
        }
        for byte in chunk.invalid() {
            // Of a surrogate's three bytes, the first begins a character.
            if byte & 0xC0 != 0x80 {
                push(&mut from, index);
                index += 1;
            }
        }
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokenize::Tokenizer;

    fn check(name: &str, lowercase: bool, text: &str, expected: &[(&str, &str)]) {
        let preprocessing = Preprocessing {
            tokenizer: Tokenizer::named(name).expect("known"),
            unicode_form: None,
            lowercase,
        };
        let mut scratch = Scratch::default();
        let mut tokens = TokenList::default();
        let spans = spans(
            preprocessing,
            &mut scratch,
            Segment::Utf8(text.as_bytes()),
            &mut tokens,
        )
        .expect("spans");
        let characters: Vec<char> = text.chars().collect();
        let actual: Vec<(String, String)> = tokens
            .as_slice()
            .iter()
            .zip(spans)
            .map(|(token, span)| {
                let token = String::from_utf8_lossy(token.bytes(&scratch)).into_owned();
                (token, characters[span].iter().collect())
            })
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|&(a, b)| (a.into(), b.into()))
            .collect();
        assert_eq!(actual, expected, "{name}: {text:?}");
    }

    /// The output does not depend on the number of threads.
    #[test]
    fn joined_tokens_are_in_order() {
        let text: Vec<String> = (0..9000)
            .map(|i| format!("line {i}, a long one."))
            .collect();
        let mut lines: Vec<&[u8]> = text.iter().map(String::as_bytes).collect();
        lines.push(b"");
        let preprocessing = Preprocessing {
            tokenizer: Tokenizer::V13a,
            unicode_form: None,
            lowercase: false,
        };
        let expected = join(preprocessing, &lines, 1).expect("tokens");
        assert!(expected.starts_with(b"line 0 , a long one .\nline 1 ,"));
        assert!(expected.ends_with(b" one .\n\n"));
        assert_eq!(join(preprocessing, &lines, 3), Ok(expected));
        assert_eq!(join(preprocessing, &[], 3), Ok(Vec::new()));
    }

    /// They are rejected before they are read, so the memory of this one is never touched.
    #[test]
    fn too_long_lines() {
        let preprocessing = Preprocessing {
            tokenizer: Tokenizer::V13a,
            unicode_form: None,
            lowercase: false,
        };
        let long = vec![0; 1 << 30];
        let lines: [&[u8]; 3] = [b"a", &long, b"b"];
        let expected = Err(Error::TooLong { segment: 1 });
        assert_eq!(join(preprocessing, &lines, 2), expected);
    }

    #[test]
    fn tokens_have_the_ranges_of_the_original() {
        check(
            "13a",
            false,
            " Ä,b é.",
            &[("Ä", "Ä"), (",", ","), ("b", "b"), ("é", "é"), (".", ".")],
        );
        check(
            "13a",
            false,
            "x &amp;lt; <skipped>y-\nz",
            &[("x", "x"), ("<", "&amp;lt;"), ("yz", "y-\nz")],
        );
        check(
            "13a",
            true,
            "İX &LT; ΑΣ.",
            &[("i\u{307}x", "İX"), ("<", "&LT;"), ("ας", "ΑΣ"), (".", ".")],
        );
        check(
            "zh",
            false,
            "  你 a. ",
            &[("你", "你"), ("a", "a"), (".", ".")],
        );
        check(
            "char",
            true,
            "İ𠀀",
            &[("i", "İ"), ("\u{307}", "İ"), ("𠀀", "𠀀")],
        );
        check(
            "mteval-v13a-intl",
            false,
            "\u{2028}x-\u{2028}&apos;",
            &[("x", "x"), ("'", "&apos;")],
        );
        check("none", false, "", &[]);
    }
}
