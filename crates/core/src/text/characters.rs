//! Encoding, decoding and whitespace.

/// The encoding of text in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8 that may contain surrogates.
    #[default]
    Utf8,
    /// Latin-1, used if all texts of a segment are given in it, so that none is converted.
    Latin1,
}

/// Maximum length of a character in bytes.
pub const LONGEST: usize = 4;

/// Writes a code point, which may be a surrogate, as UTF-8; returns its length.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "each byte is masked")]
pub fn encode(c: u32, place: &mut [u8]) -> usize {
    let Some(place) = place.first_chunk_mut::<LONGEST>() else {
        unreachable!("the caller has made room")
    };
    let tail = |shift: u32| 0x80 | ((c >> shift) & 0x3F) as u8;
    match c {
        0..0x800 => {
            // Without a branch, because one would be mispredicted at each space of Cyrillic or
            // Arabic text.
            let two = c >= 0x80;
            place[0] = if two { 0xC0 | (c >> 6) as u8 } else { c as u8 };
            place[1] = tail(0);
            1 + usize::from(two)
        }
        0x800..0x1_0000 => {
            (place[0], place[1], place[2]) = (0xE0 | (c >> 12) as u8, tail(6), tail(0));
            3
        }
        _ => {
            *place = [0xF0 | (c >> 18) as u8, tail(12), tail(6), tail(0)];
            4
        }
    }
}

/// The first code point of UTF-8 that may contain surrogates, and its length in bytes.
#[inline]
#[must_use]
pub fn decode(bytes: &[u8]) -> (u32, usize) {
    let tail = |index: usize| bytes.get(index).map_or(0, |byte| u32::from(byte & 0x3F));
    let lead = u32::from(bytes[0]);
    match lead {
        0..0xC0 => (lead, 1),
        0xC0..0xE0 => ((lead & 0x1F) << 6 | tail(1), 2),
        0xE0..0xF0 => ((lead & 0x0F) << 12 | tail(1) << 6 | tail(2), 3),
        _ => (
            (lead & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3),
            4,
        ),
    }
}

/// The code points of UTF-8 that may contain surrogates, each with its bytes.
pub fn code_points(mut text: &[u8]) -> impl Iterator<Item = (u32, &[u8])> {
    std::iter::from_fn(move || {
        (!text.is_empty()).then(|| {
            let (c, length) = decode(text);
            let (bytes, rest) = text.split_at(length.min(text.len()));
            text = rest;
            (c, bytes)
        })
    })
}

/// Whether a character is whitespace, as in [`space_length`].
#[inline]
#[must_use]
pub const fn is_space(c: u32) -> bool {
    matches!(
        c,
        0x09..=0x0D
            | 0x1C..=0x20
            | 0x85
            | 0xA0
            | 0x1680
            | 0x2000..=0x200A
            | 0x2028
            | 0x2029
            | 0x202F
            | 0x205F
            | 0x3000
    )
}

/// Length in bytes of the whitespace character at the start of `bytes`; 0 if there is none.
///
/// Whitespace is defined as in Python's `str.split`: Unicode's `White_Space`, and U+001C to
/// U+001F.
#[must_use]
pub fn space_length(bytes: &[u8]) -> usize {
    match bytes {
        [0x09..=0x0D | 0x1C..=0x20, ..] => 1,
        [0xC2, 0x85 | 0xA0, ..] => 2,
        [0xE1, 0x9A, 0x80, ..]
        | [0xE2, 0x80, 0x80..=0x8A | 0xA8 | 0xA9 | 0xAF, ..]
        | [0xE2, 0x81, 0x9F, ..]
        | [0xE3, 0x80, 0x80, ..] => 3,
        _ => 0,
    }
}

/// The text without trailing whitespace, like Python's `str.rstrip`.
#[must_use]
pub fn trim_end(mut text: &[u8], encoding: Encoding) -> &[u8] {
    if encoding == Encoding::Latin1 {
        let is_space = |c: &u8| matches!(c, 0x09..=0x0D | 0x1C..=0x20 | 0x85 | 0xA0);
        let end = text
            .iter()
            .rposition(|c| !is_space(c))
            .map_or(0, |last| last + 1);
        return &text[..end];
    }
    'trim: loop {
        for length in 1..=3 {
            if let Some(cut) = text.len().checked_sub(length)
                && space_length(&text[cut..]) == length
            {
                text = &text[..cut];
                continue 'trim;
            }
        }
        return text;
    }
}

/// UTF-8 text without leading whitespace, like Python's `str.lstrip`.
#[must_use]
pub fn trim_start(mut text: &[u8]) -> &[u8] {
    while let length @ 1.. = space_length(text) {
        text = &text[length..];
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that would be whitespace by themselves are kept inside other characters.
    #[test]
    fn trimming_respects_characters() {
        let trim = |text: &'static str| trim_end(text.as_bytes(), Encoding::Utf8);
        assert_eq!(trim("a \u{3000}\u{85}\t"), b"a");
        assert_eq!(trim("aà"), "aà".as_bytes());
        assert_eq!(trim("  "), b"");
        assert_eq!(trim_end(b"a\xE0 \x85\xA0", Encoding::Latin1), b"a\xE0");
        assert_eq!(trim_end(b"\xA0", Encoding::Latin1), b"");
    }
}
