//! One padded buffer for the texts of a segment, all in one encoding.

use std::ops::Range;

use super::characters::Encoding;
use super::lower::push_lower;
use super::normalize::Form;
use super::segment::Segment;
use super::transcode::push_all;
use crate::memory::{extend, push, reserve, with_room};

/// Readable bytes after each text in a [`Scratch`]: one block of the classifier.
pub const PADDING: usize = 64;

/// The texts of one segment (hypothesis and references), one after the other.
///
/// Each text is followed by [`PADDING`] zero bytes, so that a whole block can be loaded at any of
/// its positions.
#[derive(Debug, Default)]
pub struct Scratch {
    bytes: Vec<u8>,
    encoding: Encoding,
}

impl Scratch {
    /// Removes all texts; keeps the memory.
    ///
    /// If `encoding` is Latin-1, all texts added until the next call must be [`Segment::Latin1`].
    pub fn clear(&mut self, encoding: Encoding) {
        self.bytes.clear();
        self.encoding = encoding;
    }

    /// Removes all texts after the first `length` bytes.
    pub fn truncate(&mut self, length: usize) {
        self.bytes.truncate(length);
    }

    /// The encoding of the bytes.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// All bytes, padding included.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Appends the text that `write` writes; returns its range.
    pub fn append(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> Range<usize> {
        let start = self.bytes.len();
        write(&mut self.bytes);
        let end = self.bytes.len();
        extend(&mut self.bytes, &[0; PADDING]);
        start..end
    }

    /// Appends a segment of text in the encoding of this buffer. Token ids append nothing.
    pub fn push(&mut self, segment: Segment<'_>) -> Range<usize> {
        let encoding = self.encoding;
        self.append(|bytes| write(bytes, segment, encoding))
    }

    /// Appends short segments as one text, with a space after each, whose position is appended to
    /// `ends`; returns the range of the text.
    pub fn push_joined<'a>(
        &mut self,
        segments: impl Iterator<Item = Segment<'a>>,
        ends: &mut Vec<usize>,
    ) -> Range<usize> {
        let (start, encoding) = (self.bytes.len(), self.encoding);
        self.append(|bytes| {
            for segment in segments {
                write(bytes, segment, encoding);
                push(ends, bytes.len() - start);
                extend(bytes, b" ");
            }
        })
    }

    /// Appends the lowercased form of a text in this buffer, in UTF-8.
    ///
    /// Full Unicode lowercasing with the final-sigma rule, like Python's `str.lower`. Surrogates
    /// have no case; the parts around them are lowercased separately.
    pub fn push_lowercase(&mut self, text: Range<usize>) -> Range<usize> {
        if self.bytes[text.clone()].is_ascii() {
            return self.append(|bytes| {
                let start = bytes.len();
                reserve(bytes, text.len());
                bytes.extend_from_within(text);
                bytes[start..].make_ascii_lowercase();
            });
        }
        self.push_changed(text, push_lower)
    }

    /// Appends a normal form of a text in this buffer, in UTF-8.
    ///
    /// Surrogates have none; the parts around them are normalized separately.
    pub fn push_normalized(&mut self, text: Range<usize>, form: Form) -> Range<usize> {
        if self.bytes[text.clone()].is_ascii() {
            return text;
        }
        self.push_changed(text, |out, valid| extend(out, form.apply(valid).as_bytes()))
    }

    fn push_changed(
        &mut self,
        text: Range<usize>,
        change: impl Fn(&mut Vec<u8>, &str),
    ) -> Range<usize> {
        let mut out = with_room(text.len());
        for chunk in self.bytes[text].utf8_chunks() {
            change(&mut out, chunk.valid());
            extend(&mut out, chunk.invalid());
        }
        self.append(|bytes| extend(bytes, &out))
    }
}

/// Appends a segment in an encoding. Token ids append nothing.
#[inline(always)]
fn write(bytes: &mut Vec<u8>, segment: Segment<'_>, encoding: Encoding) {
    match segment {
        Segment::Latin1(text) if encoding == Encoding::Latin1 || text.is_ascii() => {
            extend(bytes, text);
        }
        Segment::Utf8(text) => extend(bytes, text),
        Segment::Latin1(text) => push_all(bytes, text),
        Segment::Ucs2(text) => push_all(bytes, text),
        Segment::Ucs4(text) => push_all(bytes, text),
        Segment::Ids(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::characters::decode;

    fn pushed(segment: Segment<'_>) -> Vec<u8> {
        let mut scratch = Scratch::default();
        let range = scratch.push(segment);
        scratch.bytes()[range].to_vec()
    }

    /// All widths of a text give the same bytes, at every alignment.
    #[test]
    fn widths_agree() {
        let text = "ÄÖ abcdefgh ß ijklmnopqrstuvw é";
        for cut in text.char_indices().map(|(i, _)| i) {
            let part = &text[cut..];
            let ucs4: Vec<u32> = part.chars().map(u32::from).collect();
            let ucs2: Vec<u16> = part.encode_utf16().collect();
            let latin1: Vec<u8> = ucs4
                .iter()
                .map(|&c| u8::try_from(c).expect("Latin-1"))
                .collect();
            assert_eq!(pushed(Segment::Ucs4(&ucs4)), part.as_bytes());
            assert_eq!(pushed(Segment::Ucs2(&ucs2)), part.as_bytes());
            assert_eq!(pushed(Segment::Latin1(&latin1)), part.as_bytes());
        }
    }

    /// Decoding inverts encoding, also for surrogates.
    #[test]
    fn decoding_inverts_encoding() {
        for c in (0..0x1000).chain(0xD700..0xE100).chain(0xFFF0..0x1_0010) {
            let bytes = pushed(Segment::Ucs4(&[c]));
            assert_eq!(decode(&bytes), (c, bytes.len()));
        }
    }

    /// Two surrogates in a str are not the character that they would encode as a pair.
    #[test]
    fn surrogates_are_not_paired() {
        let pair = pushed(Segment::Ucs2(&[0xD83D, 0xDE00]));
        assert_eq!(pair.len(), 6);
        assert_ne!(pair, pushed(Segment::Ucs4(&[0x1F600])));
    }

    #[test]
    fn lowercase_handles_final_sigma_and_surrogates() {
        let mut scratch = Scratch::default();
        let text: Vec<u16> = "ΟΔΟΣ İ ΑΣ".encode_utf16().chain([0xD800, 0x41]).collect();
        let range = scratch.push(Segment::Ucs2(&text));
        let lower = scratch.push_lowercase(range);
        let mut expected = "οδος i\u{307} ας".as_bytes().to_vec();
        expected.extend_from_slice(&[0xED, 0xA0, 0x80, b'a']);
        assert_eq!(&scratch.bytes()[lower], expected);
    }

    /// Text is normalized, and a mark after a surrogate is not combined with it.
    #[test]
    fn normal_forms() {
        let text: Vec<u16> = "e\u{301}ﬁ".encode_utf16().chain([0xD800, 0x301]).collect();
        for (name, expected) in [
            ("NFC", "éﬁ"),
            ("NFD", "e\u{301}ﬁ"),
            ("NFKC", "éfi"),
            ("NFKD", "e\u{301}fi"),
        ] {
            let mut scratch = Scratch::default();
            let range = scratch.push(Segment::Ucs2(&text));
            let range = scratch.push_normalized(range, Form::named(name).expect("known"));
            let mut expected = expected.as_bytes().to_vec();
            expected.extend_from_slice(&[0xED, 0xA0, 0x80, 0xCC, 0x81]);
            assert_eq!(&scratch.bytes()[range], expected, "{name}");
        }
        assert!(Form::named("NFX").is_err());
    }
}
