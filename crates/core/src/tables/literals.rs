//! Strings, numbers and words of JSON.

use memchr::memchr;
use wide::u8x16;

use crate::memory::{extend, push};
use crate::text::encode;

/// Appends what is between the quotes of a string whose escapes are valid. Halves of surrogate pairs
/// become the three bytes that UTF-8 would give them; returns the first one.
pub fn decode(mut text: &[u8], bytes: &mut Vec<u8>) -> Option<u32> {
    let mut half = None;
    while let Some(at) = memchr(b'\\', text) {
        extend(bytes, &text[..at]);
        let Some((&kind, rest)) = text[at + 1..].split_first() else {
            return half;
        };
        text = rest;
        let simple = match kind {
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let (code, length) = character(text);
                if (0xD800..0xE000).contains(&code) {
                    half = half.or(Some(code));
                }
                let mut encoded = [0; 4];
                let count = encode(code, &mut encoded);
                extend(bytes, &encoded[..count]);
                text = text.get(length..).unwrap_or_default();
                continue;
            }
            itself => itself,
        };
        push(bytes, simple);
    }
    extend(bytes, text);
    half
}

/// The character whose hexadecimal digits these are, with the other half if there is one, and the
/// number of bytes that tell it.
fn character(text: &[u8]) -> (u32, usize) {
    let first = hexadecimal(text).unwrap_or_default();
    let second = text.get(4..).and_then(|rest| rest.strip_prefix(b"\\u"));
    match second.and_then(hexadecimal) {
        Some(second) if first >> 10 == 0xD800 >> 10 && second >> 10 == 0xDC00 >> 10 => {
            (0x1_0000 + ((first & 0x3FF) << 10) + (second & 0x3FF), 10)
        }
        _ => (first, 4),
    }
}

/// The number that four digits are.
fn hexadecimal(text: &[u8]) -> Option<u32> {
    let digits = text.get(..4)?.iter();
    digits
        .map(|&digit| char::from(digit).to_digit(16))
        .try_fold(0, |number, digit| Some(16 * number + digit?))
}

/// Number of bytes of the string that a text begins with, quotes included.
pub fn string_length(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        at += plain_length(text.get(at..)?)?;
        match (text[at], text.get(at + 1)) {
            (b'"', _) => return Some(at + 1),
            (b'\\', Some(b'u')) => {
                hexadecimal(&text[at + 2..])?;
                at += 6;
            }
            (b'\\', Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't')) => at += 2,
            _ => return None,
        }
    }
}

/// Number of bytes before a quote, a backslash or a control character, if there is one.
#[inline]
fn plain_length(text: &[u8]) -> Option<usize> {
    let (blocks, rest) = text.as_chunks::<16>();
    for (index, block) in blocks.iter().enumerate() {
        let bytes = u8x16::new(*block);
        let control = bytes.min(u8x16::splat(0x1F)).simd_eq(bytes);
        let marks = bytes.simd_eq(u8x16::splat(b'"')) | bytes.simd_eq(u8x16::splat(b'\\'));
        let found = (control | marks).to_bitmask();
        if found != 0 {
            return Some(16 * index + found.trailing_zeros() as usize);
        }
    }
    let at = rest
        .iter()
        .position(|byte| matches!(byte, b'"' | b'\\' | ..0x20))?;
    Some(text.len() - rest.len() + at)
}

/// Number of bytes of the number or literal that a text begins with; Python reads NaN and infinity.
pub fn word_length(text: &[u8]) -> Option<usize> {
    let words: [&[u8]; 6] = [
        b"null",
        b"true",
        b"false",
        b"NaN",
        b"Infinity",
        b"-Infinity",
    ];
    let found = words.iter().find(|word| text.starts_with(word));
    found.map_or_else(|| number_length(text), |word| Some(word.len()))
}

fn number_length(text: &[u8]) -> Option<usize> {
    let digits = |from: usize| {
        let count = text[from..].iter().take_while(|byte| byte.is_ascii_digit());
        Some(count.count()).filter(|&count| count > 0)
    };
    let mut at = usize::from(text.first() == Some(&b'-'));
    at += match text.get(at) {
        Some(b'0') => 1,
        _ => digits(at)?,
    };
    if text.get(at) == Some(&b'.') {
        at += 1 + digits(at + 1)?;
    }
    if let Some(b'e' | b'E') = text.get(at) {
        at += 1 + usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        at += digits(at)?;
    }
    Some(at)
}
