//! Text as the core sees it: segments in whatever form the caller holds them, copied
//! into one padded scratch buffer as UTF-8.

use std::ops::Range;

use crate::normalize::Form;

/// One segment, borrowed from the caller.
///
/// The three fixed-width forms are those of Python's `str`. Lone surrogates are legal there;
/// they become the three bytes that UTF-8 would give them, so that distinct strings stay
/// distinct.
#[derive(Clone, Copy, Debug)]
pub enum Segment<'a> {
    /// One byte a character: ASCII or Latin-1.
    Latin1(&'a [u8]),
    /// Two bytes a character.
    Ucs2(&'a [u16]),
    /// Four bytes a character.
    Ucs4(&'a [u32]),
    /// UTF-8.
    Utf8(&'a [u8]),
    /// Tokens already, as integers.
    Ids(&'a [i64]),
}

impl Segment<'_> {
    /// Asks for the beginning of the text, which will be read soon.
    ///
    /// Strings lie all over memory; fetching them one by one would cost more than reading them.
    #[inline]
    pub fn prefetch(&self) {
        match self {
            Self::Latin1(text) | Self::Utf8(text) => prefetch_lines(text),
            Self::Ucs2(text) => prefetch_lines(text),
            Self::Ucs4(text) => prefetch_lines(text),
            Self::Ids(ids) => prefetch_lines(ids),
        }
    }

    /// A rough size in bytes: what decides whether threads pay.
    #[must_use]
    pub fn weight(&self) -> usize {
        match self {
            Self::Latin1(text) | Self::Utf8(text) => text.len(),
            Self::Ucs2(text) => 2 * text.len(),
            Self::Ucs4(text) => 4 * text.len(),
            Self::Ids(ids) => 8 * ids.len(),
        }
    }
}

#[inline]
fn prefetch_lines<T>(text: &[T]) {
    for line in text.chunks(64 / size_of::<T>()).take(4) {
        prefetch(line.as_ptr().cast());
    }
}

/// Asks for the cache line of an address, whatever is there.
#[inline]
pub fn prefetch(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch changes nothing and cannot fault.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// Readable bytes behind every text in a [`Scratch`]: one block of the classifier.
pub const PADDING: usize = 64;

/// How the bytes in a [`Scratch`] are meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, in which surrogates are allowed.
    #[default]
    Utf8,
    /// Latin-1, which takes no recoding if all texts of a segment come in it.
    Latin1,
}

/// The texts of one segment (hypothesis and references), one behind the other.
///
/// Each text is followed by [`PADDING`] zero bytes, so that a block can be loaded at any of its
/// positions without a bounds check of its own.
#[derive(Debug, Default)]
pub struct Scratch {
    bytes: Vec<u8>,
    encoding: Encoding,
}

impl Scratch {
    /// Forgets all texts; keeps the memory unless one huge segment had blown it up.
    ///
    /// If `encoding` is Latin-1, all texts to come must be [`Segment::Latin1`].
    pub fn clear(&mut self, encoding: Encoding) {
        const KEEP: usize = 1 << 20;
        if self.bytes.capacity() > KEEP {
            self.bytes = Vec::new();
        }
        self.bytes.clear();
        self.encoding = encoding;
    }

    /// How the bytes are meant.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// All bytes, padding included.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Appends what `write` writes as a new text; returns where it stands.
    pub fn append(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> Range<usize> {
        let start = self.bytes.len();
        write(&mut self.bytes);
        let end = self.bytes.len();
        self.bytes.extend_from_slice(&[0; PADDING]);
        start..end
    }

    /// Appends a segment of text in the encoding of this buffer. Ids are no text and append
    /// nothing.
    pub fn push(&mut self, segment: Segment<'_>) -> Range<usize> {
        let raw = self.encoding == Encoding::Latin1;
        self.append(|bytes| match segment {
            Segment::Latin1(text) if raw => bytes.extend_from_slice(text),
            Segment::Utf8(text) => bytes.extend_from_slice(text),
            Segment::Latin1(text) if text.is_ascii() => bytes.extend_from_slice(text),
            Segment::Latin1(text) => push_all(bytes, text),
            Segment::Ucs2(text) => push_all(bytes, text),
            Segment::Ucs4(text) => push_all(bytes, text),
            Segment::Ids(_) => {}
        })
    }

    /// Appends the lower-cased form of a text that is in here, in UTF-8.
    ///
    /// Full Unicode lower-casing with the final-sigma rule, as Python's `str.lower`. Surrogates
    /// have no case and separate what is around them.
    pub fn push_lowercase(&mut self, text: Range<usize>) -> Range<usize> {
        if self.bytes[text.clone()].is_ascii() {
            return self.append(|bytes| {
                let start = bytes.len();
                bytes.extend_from_within(text);
                bytes[start..].make_ascii_lowercase();
            });
        }
        self.push_changed(text, str::to_lowercase)
    }

    /// Appends a text that is in here in a normal form of Unicode, in UTF-8.
    ///
    /// Surrogates have none and separate what is around them.
    pub fn push_normalized(&mut self, text: Range<usize>, form: Form) -> Range<usize> {
        if self.bytes[text.clone()].is_ascii() {
            return text;
        }
        self.push_changed(text, |valid| form.apply(valid))
    }

    fn push_changed(
        &mut self,
        text: Range<usize>,
        change: impl Fn(&str) -> String,
    ) -> Range<usize> {
        let mut out = Vec::with_capacity(text.len());
        for chunk in self.bytes[text].utf8_chunks() {
            out.extend_from_slice(change(chunk.valid()).as_bytes());
            out.extend_from_slice(chunk.invalid());
        }
        self.append(|bytes| bytes.extend_from_slice(&out))
    }
}

/// Appends characters as UTF-8, eight at a time where they are ASCII.
fn push_all<T: Copy + Into<u32>>(bytes: &mut Vec<u8>, text: &[T]) {
    let mut end = bytes.len();
    // Room for the longest form of all, so that no character has to ask for it.
    bytes.resize(end + LONGEST * text.len(), 0);
    let (words, rest) = text.as_chunks::<8>();
    for word in words {
        if word.iter().fold(0, |all, &c| all | c.into()) < 0x80 {
            #[expect(clippy::cast_possible_truncation, reason = "all are ASCII")]
            let ascii = word.map(|c| c.into() as u8);
            bytes[end..end + 8].copy_from_slice(&ascii);
            end += 8;
        } else {
            for &c in word {
                end += encode(c.into(), &mut bytes[end..]);
            }
        }
    }
    for &c in rest {
        end += encode(c.into(), &mut bytes[end..]);
    }
    bytes.truncate(end);
}

/// Bytes of the longest character.
const LONGEST: usize = 4;

/// Writes one code point as UTF-8, surrogates as if they were characters; returns its length.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "each byte is masked")]
fn encode(c: u32, place: &mut [u8]) -> usize {
    let Some(place) = place.first_chunk_mut::<LONGEST>() else {
        unreachable!("the caller has made room")
    };
    let tail = |shift: u32| 0x80 | ((c >> shift) & 0x3F) as u8;
    match c {
        0..0x800 => {
            // Without a branch, because in Cyrillic or Arabic text every space would be a surprise.
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

/// The code point at the start of `bytes`, which are UTF-8 in which surrogates are allowed, and
/// its length in bytes.
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

/// Length in bytes of the white-space character at the start of `bytes`; 0 if there is none.
///
/// White space is what Python's `str.split` takes for it: Unicode's `White_Space` and
/// U+001C to U+001F.
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

/// The text without trailing white space, as Python's `str.rstrip`.
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

/// The text without leading white space, as Python's `str.lstrip`, for UTF-8.
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

    fn pushed(segment: Segment<'_>) -> Vec<u8> {
        let mut scratch = Scratch::default();
        let range = scratch.push(segment);
        scratch.bytes()[range].to_vec()
    }

    /// All widths of one text give the same bytes, at every alignment.
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

    /// Whatever was written is read back, surrogates included.
    #[test]
    fn decoding_is_the_way_back() {
        for c in (0..0x1000).chain(0xD700..0xE100).chain(0xFFF0..0x1_0010) {
            let bytes = pushed(Segment::Ucs4(&[c]));
            assert_eq!(decode(&bytes), (c, bytes.len()));
        }
    }

    /// A pair of surrogates that are two characters is not the character they would encode.
    #[test]
    fn surrogates_stay_apart() {
        let pair = pushed(Segment::Ucs2(&[0xD83D, 0xDE00]));
        assert_eq!(pair.len(), 6);
        assert_ne!(pair, pushed(Segment::Ucs4(&[0x1F600])));
    }

    #[test]
    fn lowercase_knows_final_sigma_and_skips_surrogates() {
        let mut scratch = Scratch::default();
        let text: Vec<u16> = "ΟΔΟΣ İ ΑΣ".encode_utf16().chain([0xD800, 0x41]).collect();
        let range = scratch.push(Segment::Ucs2(&text));
        let lower = scratch.push_lowercase(range);
        let mut expected = "οδος i\u{307} ας".as_bytes().to_vec();
        expected.extend_from_slice(&[0xED, 0xA0, 0x80, b'a']);
        assert_eq!(&scratch.bytes()[lower], expected);
    }

    /// The same text in two forms becomes one, whatever a surrogate stands next to.
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

    /// A white-space byte inside another character is none.
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
