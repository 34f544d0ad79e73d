//! Answers as JSON.

use std::fmt::Debug;
use std::io::Write;

use truebleu_core::error::Error;
use truebleu_core::text::{Segment, code_points};

/// Appends the items of a list, each as `write` writes it.
pub fn list<T>(
    out: &mut Vec<u8>,
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut Vec<u8>, T),
) {
    out.push(b'[');
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write(out, item);
    }
    out.push(b']');
}

/// Appends a number. The digits of a float stand for it alone.
pub fn number(out: &mut Vec<u8>, number: impl Debug) {
    // Writing to memory cannot fail.
    let _ = write!(out, "{number:?}");
}

/// An object that is being written.
pub struct Object<'a> {
    out: &'a mut Vec<u8>,
    empty: bool,
}

/// Appends an object with the values that `write` gives it.
pub fn object(
    out: &mut Vec<u8>,
    write: impl FnOnce(&mut Object<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    out.push(b'{');
    write(&mut Object { out, empty: true })?;
    out.push(b'}');
    Ok(())
}

impl Object<'_> {
    /// Appends a name; the value is written next, to what this returns.
    pub fn name(&mut self, name: &str) -> &mut Vec<u8> {
        if !self.empty {
            self.out.push(b',');
        }
        self.empty = false;
        string(self.out, name.as_bytes());
        self.out.push(b':');
        self.out
    }

    /// Appends a number.
    pub fn number(&mut self, name: &str, value: impl Debug) {
        number(self.name(name), value);
    }

    /// Appends a list of numbers.
    pub fn numbers(&mut self, name: &str, values: impl IntoIterator<Item = impl Debug>) {
        list(self.name(name), values, number);
    }

    /// Appends a text.
    pub fn string(&mut self, name: &str, text: &[u8]) {
        string(self.name(name), text);
    }
}

/// Appends a text. What is not ASCII is escaped, so that lone surrogates stay what they are.
pub fn string(out: &mut Vec<u8>, text: &[u8]) {
    out.push(b'"');
    for unit in utf16(text) {
        match u8::try_from(unit) {
            Ok(byte @ (b' '..=b'~')) if !matches!(byte, b'"' | b'\\') => out.push(byte),
            _ => {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out.push(b'"');
}

/// The units of UTF-16 of a text.
fn utf16(text: &[u8]) -> impl Iterator<Item = u16> {
    code_points(text).flat_map(|(c, _)| {
        let mut units = [0; 2];
        let count = char::from_u32(c).map_or(0, |c| c.encode_utf16(&mut units).len());
        if count == 0 {
            // A surrogate is a unit by itself.
            units[0] = u16::try_from(c).unwrap_or(0xFFFD);
        }
        units.into_iter().take(count.max(1))
    })
}

/// For each code point of a text, and for its end, how many units of UTF-16 are before it.
pub fn units_before(text: Segment<'_>) -> Vec<usize> {
    let text = match text {
        Segment::Utf8(text) => text,
        _ => &[],
    };
    let mut units = 0;
    let mut before: Vec<_> = code_points(text)
        .map(|(c, _)| {
            units += if c < 0x1_0000 { 1 } else { 2 };
            units - if c < 0x1_0000 { 1 } else { 2 }
        })
        .collect();
    before.push(units);
    before
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_what_they_were() {
        let mut out = Vec::new();
        string(&mut out, "a\"\\\n\u{e9}\u{1f600}".as_bytes());
        string(&mut out, b"\xED\xA0\x80");
        let expected = r#""a\u0022\u005c\u000a\u00e9\ud83d\ude00""\ud800""#;
        assert_eq!(String::from_utf8(out).expect("ASCII"), expected);
        assert_eq!(
            units_before(Segment::Utf8("a\u{1f600}b".as_bytes())),
            [0, 1, 3, 4]
        );
    }
}
