//! Escapes in strings of JSON.

use memchr::memchr;

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
pub fn hexadecimal(text: &[u8]) -> Option<u32> {
    let digits = text.get(..4)?.iter();
    digits
        .map(|&digit| char::from(digit).to_digit(16))
        .try_fold(0, |number, digit| Some(16 * number + digit?))
}
