//! What marks begin with: most texts have none of it, and are not looked at character by character.

use crate::text::{Segment, is_space};

/// Whether a text may have a mark. Most texts have none, which is seen many characters at a time.
pub fn may_have_marks(text: Segment<'_>) -> bool {
    match text {
        Segment::Latin1(text) => are_ends_odd(text) || has_one_of(text, &SPECIAL_LATIN1),
        Segment::Utf8(text) => are_ends_odd(text) || has_one_of(text, &SPECIAL_UTF8),
        Segment::Ucs2(text) => are_ends_odd(text) || has_special(text),
        Segment::Ucs4(text) => are_ends_odd(text) || has_special(text),
        Segment::Ids(_) => false,
    }
}

/// Whether the search for marks may find something, quotes and spaces of UTF-8 aside that are not ASCII.
pub fn are_ends_odd<T: Copy + Into<u32>>(text: &[T]) -> bool {
    const BEGINNINGS: &str = "\"'“„«»「『[{bAamUuHnN<Ġ";
    let [first, second, last] =
        [text.first(), text.get(1), text.last()].map(|c| c.map_or(0, |&c| c.into()));
    let number_follows = second == u32::from('-') && "HDT".chars().any(|c| first == c.into());
    let is_odd = number_follows || BEGINNINGS.chars().any(|c| first == c.into());
    is_odd || is_space(first) || is_space(last)
}

fn has_special<T: Copy + Into<u32>>(text: &[T]) -> bool {
    let any_special = |part: &[T]| {
        part.iter()
            .fold(false, |any, &c| any | is_special(c.into()))
    };
    text.chunks(64).any(any_special)
}

/// Whether one of these bytes is in a text.
// One after the other for 64 at a time: the compiler makes a jump for each byte of what compares a
// byte with all.
fn has_one_of(text: &[u8], bytes: &[u8]) -> bool {
    let has = |part: &[u8; 64]| {
        let mut any = [0; 64];
        for byte in bytes {
            for (any, c) in any.iter_mut().zip(part) {
                *any |= u8::from(c == byte);
            }
        }
        any != [0; 64]
    };
    let (parts, rest) = text.as_chunks();
    let mut last = [0; 64];
    last[..rest.len()].copy_from_slice(rest);
    parts.iter().any(has) || has(&last)
}

/// Whether a character is the first of a mark that stands anywhere. Without branches, so that those of
/// most texts, which have none, are seen many at a time.
#[inline(always)]
pub fn is_special(c: u32) -> bool {
    let is = |special: char| c == u32::from(special);
    let within = |first: char, last: char| {
        c.wrapping_sub(first.into()) <= u32::from(last) - u32::from(first)
    };
    is('@')
        | is('#')
        | is('<')
        | is('[')
        | is('`')
        | is('&')
        | is('_')
        | is('+')
        | is('|')
        | is('\u{85}')
        | is('\u{AD}')
        | is('Ċ')
        | is('Ġ')
        | is('⁇')
        | is('▁')
        | is('\u{61C}')
        | is('\u{FEFF}')
        | within('\u{300}', '\u{36F}')
        | within('\u{1160}', '\u{11FF}')
        | within('\u{200B}', '\u{200F}')
        | within('\u{2028}', '\u{202E}')
        | within('\u{2060}', '\u{2069}')
        | within('０', '￭')
}

/// The special characters of Latin-1.
const SPECIAL_LATIN1: [u8; 11] = *b"@#<[`&_+|\x85\xAD";

/// The bytes that special characters begin with in UTF-8, and quotes and spaces that are not ASCII.
const SPECIAL_UTF8: [u8; 18] = *b"@#<[`&_+|\xC2\xC4\xCC\xCD\xD8\xE1\xE2\xE3\xEF";

#[cfg(test)]
mod tests {
    use super::*;

    /// No text with a mark is taken for one without, in any width.
    #[test]
    fn every_special_character_is_seen() {
        for c in (0..=0x2_0000).filter_map(char::from_u32) {
            for text in [format!("x{c}x"), format!("{c}x"), format!("x{c}")] {
                let wide: Vec<u32> = text.chars().map(u32::from).collect();
                let due = is_special(c.into()) || are_ends_odd(&wide);
                assert_eq!(may_have_marks(Segment::Ucs4(&wide)), due, "{text}");
                assert!(
                    !due || may_have_marks(Segment::Utf8(text.as_bytes())),
                    "{text}"
                );
                let latin1: Result<Vec<u8>, _> = text.chars().map(u8::try_from).collect();
                if let Ok(latin1) = latin1 {
                    assert_eq!(may_have_marks(Segment::Latin1(&latin1)), due, "{text}");
                }
            }
        }
    }
}
