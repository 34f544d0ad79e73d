//! Facts about a corpus from which likely mistakes are detected.

use std::ops::AddAssign;

use unicode_normalization::is_nfc;

use super::marks::{is_empty, to_string};
use super::signs::Signs;
use crate::text::{Segment, code_points, is_space};

/// Number of segments at the start of a batch whose characters are all examined.
const FIRST: usize = 16;

/// Of the later segments, only every so many are examined: all would slow counting down.
const EVERY: usize = 64;

/// Facts about some segments. They can be added in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observed {
    /// Number of segments of text.
    pub segments: u64,
    /// Hypotheses that end in a period after a space, as tokenized text does.
    pub tokenized: u64,
    /// Whether any hypothesis differs from all of its references.
    pub different: bool,
    /// Segments in which only the hypothesis, or only the references, begin and end as a tag does.
    pub markup: u64,
    /// Empty references: the only ones of their segments, and those beside others that are not empty.
    pub empty: [u64; 2],
    /// Non-whitespace characters examined.
    pub characters: u64,
    /// Of these, those of scripts without spaces, of East Asia, and of Southeast Asia and Tibet; and
    /// those of Hangul, whose spaces separate more than words.
    pub scripts: [u64; 3],
    /// Whitespace-separated pieces examined.
    pub pieces: u64,
    /// Hypotheses and references whose characters were examined.
    pub looked: [u64; 2],
    /// Of these, those that are not in normal form C.
    pub decomposed: [u64; 2],
    /// What else was found in a sample of whole batches.
    pub signs: Signs,
}

impl Observed {
    /// Examines a segment; `index` is its position in the batch. Token ids are skipped.
    pub fn look(&mut self, index: usize, hypothesis: Segment<'_>, references: &[Segment<'_>]) {
        if matches!(hypothesis, Segment::Ids(_)) {
            return;
        }
        self.segments += 1;
        self.tokenized += u64::from(ends_in_separate_period(hypothesis));
        let tags = references.iter().filter(|&&text| is_tag(text)).count();
        let expected = if is_tag(hypothesis) {
            0
        } else {
            references.len()
        };
        self.markup += u64::from(!references.is_empty() && tags == expected);
        let empty = references.iter().filter(|&&text| is_empty(text)).count();
        if empty > 0 && (references.len() == 1 || empty < references.len()) {
            self.empty[usize::from(references.len() > 1)] += empty as u64;
        }
        // One difference is enough, and in most corpora the first segment has one.
        self.different = self.different || !references.iter().any(|&text| same(hypothesis, text));
        if index < FIRST || index.is_multiple_of(EVERY) {
            self.look_at_characters(0, hypothesis);
            for &reference in references {
                self.look_at_characters(1, reference);
            }
        }
    }

    /// Examines the characters of a hypothesis (`side` 0) or a reference (1).
    fn look_at_characters(&mut self, side: usize, text: Segment<'_>) {
        let mut seen = Seen::default();
        match text {
            Segment::Latin1(text) => seen.add_latin1(text),
            Segment::Utf8(text) if text.is_ascii() => seen.add_latin1(text),
            Segment::Ucs2(text) => text.iter().for_each(|&c| seen.add(c.into())),
            Segment::Ucs4(text) => text.iter().for_each(|&c| seen.add(c)),
            Segment::Utf8(text) => code_points(text).for_each(|(c, _)| seen.add(c)),
            Segment::Ids(_) => return,
        }
        self.looked[side] += 1;
        self.characters += seen.characters;
        for (sum, count) in self.scripts.iter_mut().zip(seen.scripts) {
            *sum += count;
        }
        self.pieces += seen.pieces;
        // Text below the first mark is always in normal form C.
        if seen.largest >= FIRST_MARK {
            self.decomposed[side] += u64::from(!is_nfc(&to_string(text)));
        }
    }
}

/// The first code point that normal form C may change: the first combining mark.
const FIRST_MARK: u32 = 0x300;

/// Whether a character is one of the letters, digits and symbols of ASCII, or Cyrillic: neither
/// whitespace nor of a script without spaces, and not changed by normal form C.
fn is_common(c: u32) -> bool {
    matches!(c, 0x21..=0x7E | 0x400..=0x481)
}

/// Facts about the characters of one text.
struct Seen {
    characters: u64,
    scripts: [u64; 3],
    pieces: u64,
    largest: u32,
    after_space: bool,
}

impl Default for Seen {
    fn default() -> Self {
        Self {
            characters: 0,
            scripts: [0; 3],
            pieces: 0,
            largest: 0,
            after_space: true,
        }
    }
}

impl Seen {
    #[inline(always)]
    fn add(&mut self, c: u32) {
        if is_common(c) {
            self.characters += 1;
            self.pieces += u64::from(self.after_space);
            self.after_space = false;
        } else {
            self.add_other(c);
        }
    }

    fn add_other(&mut self, c: u32) {
        let space = is_space(c);
        self.characters += u64::from(!space);
        self.pieces += u64::from(self.after_space && !space);
        if let Some(script) = script(c) {
            self.scripts[script] += 1;
        }
        self.largest = self.largest.max(c);
        self.after_space = space;
    }

    /// Examines a whole text at once. All of it is below the first mark, and has spaces.
    fn add_latin1(&mut self, text: &[u8]) {
        let is_space = |&c: &u8| {
            (c.wrapping_sub(9) < 5) | (c.wrapping_sub(28) < 5) | (c == 0x85) | (c == 0xA0)
        };
        let mut before = true;
        // The counts of so many fit into a byte.
        for part in text.chunks(128) {
            let spaces: u8 = part.iter().map(|c| u8::from(is_space(c))).sum();
            let pairs = part.iter().zip(&part[1..]);
            let starts: u8 = pairs
                .map(|(before, c)| u8::from(is_space(before) & !is_space(c)))
                .sum();
            let first = u8::from(before & !is_space(&part[0]));
            before = is_space(&part[part.len() - 1]);
            self.characters += (part.len() - usize::from(spaces)) as u64;
            self.pieces += u64::from(starts) + u64::from(first);
        }
    }
}

impl AddAssign<&Observed> for Observed {
    fn add_assign(&mut self, other: &Observed) {
        self.segments += other.segments;
        self.tokenized += other.tokenized;
        self.different |= other.different;
        self.markup += other.markup;
        self.characters += other.characters;
        for (sum, count) in self.scripts.iter_mut().zip(other.scripts) {
            *sum += count;
        }
        self.pieces += other.pieces;
        for side in 0..2 {
            self.empty[side] += other.empty[side];
            self.looked[side] += other.looked[side];
            self.decomposed[side] += other.decomposed[side];
        }
        self.signs += &other.signs;
    }
}

/// Whether two texts are equal. Python stores equal texts in the same width.
fn same(one: Segment<'_>, other: Segment<'_>) -> bool {
    match (one, other) {
        (Segment::Latin1(one), Segment::Latin1(other))
        | (Segment::Utf8(one), Segment::Utf8(other)) => one == other,
        (Segment::Ucs2(one), Segment::Ucs2(other)) => one == other,
        (Segment::Ucs4(one), Segment::Ucs4(other)) => one == other,
        _ => false,
    }
}

/// The first and the last character of a text, if it has one and they are of ASCII.
fn ends(text: Segment<'_>) -> Option<(u8, u8)> {
    fn of<T: Copy + TryInto<u8>>(text: &[T]) -> Option<(u8, u8)> {
        let (first, last) = (*text.first()?, *text.last()?);
        Some((first.try_into().ok()?, last.try_into().ok()?))
    }
    match text {
        Segment::Latin1(text) | Segment::Utf8(text) => of(text),
        Segment::Ucs2(text) => of(text),
        Segment::Ucs4(text) => of(text),
        Segment::Ids(_) => None,
    }
}

/// Whether a text begins and ends as a tag does.
fn is_tag(text: Segment<'_>) -> bool {
    ends(text) == Some((b'<', b'>'))
}

/// Whether a text ends in a space and a period.
fn ends_in_separate_period(text: Segment<'_>) -> bool {
    match text {
        Segment::Latin1(text) | Segment::Utf8(text) => text.ends_with(b" ."),
        Segment::Ucs2(text) => text.ends_with(&[0x20, 0x2E]),
        Segment::Ucs4(text) => text.ends_with(&[0x20, 0x2E]),
        Segment::Ids(_) => false,
    }
}

/// The scripts that a character is of: 0 for Han, hiragana and katakana, 1 for Thai, Lao, Tibetan,
/// Burmese and Khmer, 2 for Hangul.
fn script(c: u32) -> Option<usize> {
    match c {
        0x3005..=0x3007
        | 0x3040..=0x30FF
        | 0x31F0..=0x31FF
        | 0x3400..=0x4DBF
        | 0x4E00..=0x9FFF
        | 0xF900..=0xFAFF
        | 0xFF66..=0xFF9F
        | 0x1_B000..=0x1_B16F
        | 0x2_0000..=0x3_FFFF => Some(0),
        0xE00..=0x109F | 0x1780..=0x17FF | 0xA9E0..=0xA9FF | 0xAA60..=0xAA7F => Some(1),
        0x1100..=0x11FF | 0x3131..=0x318E | 0xA960..=0xA97C | 0xAC00..=0xD7FB => Some(2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use unicode_normalization::char::canonical_combining_class;
    use unicode_normalization::{IsNormalized, is_nfc_quick};

    fn seen(pairs: &[(&str, &str)]) -> Observed {
        let mut observed = Observed::default();
        for (index, (hypothesis, reference)) in pairs.iter().enumerate() {
            observed.look(
                index,
                Segment::Utf8(hypothesis.as_bytes()),
                &[Segment::Utf8(reference.as_bytes())],
            );
        }
        observed
    }

    /// Both tables of whitespace agree, and normal form C changes nothing below the first mark.
    #[test]
    fn every_character() {
        for c in char::MIN..=char::MAX {
            let text = c.to_string();
            assert_eq!(
                is_space(c.into()),
                crate::text::space_length(text.as_bytes()) > 0
            );
            assert!(u32::from(c) >= FIRST_MARK || is_nfc(&text));
            if is_common(c.into()) {
                assert!(!is_space(c.into()) && script(c.into()).is_none());
                assert_eq!(canonical_combining_class(c), 0);
                assert_eq!(is_nfc_quick(text.chars()), IsNormalized::Yes);
            }
        }
    }

    #[test]
    fn facts_of_two_segments() {
        let observed = seen(&[
            ("Das ist scho\u{308}n .", "Das ist schön."),
            ("猫が好き", "猫が好き"),
        ]);
        assert_eq!(
            observed,
            Observed {
                segments: 2,
                tokenized: 1,
                different: true,
                characters: 13 + 12 + 4 + 4,
                markup: 0,
                empty: [0, 0],
                scripts: [8, 0, 0],
                pieces: 4 + 3 + 1 + 1,
                looked: [2, 2],
                decomposed: [1, 0],
                signs: Signs::default(),
            }
        );
    }

    /// The facts are the same in all widths of a Python str and in UTF-8.
    #[test]
    fn widths_agree() {
        let utf8 = seen(&[("é 猫 .", "é 猫 .")]);
        let ucs2: Vec<u16> = "é 猫 .".encode_utf16().collect();
        let ucs4: Vec<u32> = "é 猫 .".chars().map(u32::from).collect();
        for segment in [Segment::Ucs2(&ucs2), Segment::Ucs4(&ucs4)] {
            let mut observed = Observed::default();
            observed.look(0, segment, &[segment]);
            assert_eq!(observed, utf8);
        }
        assert!(!utf8.different);
    }

    /// Latin-1 is examined as a whole as it is character by character.
    #[test]
    fn latin1_at_once() {
        let check = |text: &[u8]| {
            let (mut at_once, mut one_by_one) = (Seen::default(), Seen::default());
            at_once.add_latin1(text);
            for &c in text {
                one_by_one.add(c.into());
            }
            assert_eq!(at_once.characters, one_by_one.characters, "{text:?}");
            assert_eq!(at_once.pieces, one_by_one.pieces, "{text:?}");
            assert_eq!(one_by_one.scripts, [0; 3], "{text:?}");
            assert!(one_by_one.largest < FIRST_MARK, "{text:?}");
        };
        for c in 0..=u8::MAX {
            check(&[c]);
        }
        let bytes = [b' ', b'a', b'\t', 0x1B, 0xA0, 0xE4];
        for number in 0..6_usize.pow(5) {
            let text: Vec<u8> = (0..number % 6)
                .map(|digit| bytes[number / 6_usize.pow(u32::try_from(digit).expect("small")) % 6])
                .collect();
            check(&text);
            // Longer than what is counted at a time.
            check(&text.repeat(60));
        }
    }

    /// A hypothesis that equals one of its references does not differ.
    #[test]
    fn one_equal_reference_is_enough() {
        let [text, other] = [b"a".as_slice(), b"b"].map(Segment::Utf8);
        for (references, different) in [
            (&[text, other][..], false),
            (&[other, text], false),
            (&[other, other], true),
            (&[], true),
        ] {
            let mut observed = Observed::default();
            observed.look(0, text, references);
            assert_eq!(observed.different, different);
        }
    }

    /// Tags on one side only, and references without text, are counted in every segment.
    #[test]
    fn tags_and_empty_references() {
        let observed = seen(&[
            ("<seg>", "a"),
            ("a", "<a> b </a>"),
            ("<a>", "<b>"),
            ("< 3", "a"),
            ("", "  "),
            ("<", ""),
        ]);
        assert_eq!((observed.markup, observed.empty), (2, [2, 0]));
        let wide = "<\u{1F600}>".chars().map(u32::from).collect::<Vec<_>>();
        let [text, none] = [b"a".as_slice(), b" "].map(Segment::Utf8);
        for (references, markup, empty) in [
            (&[text, none, none][..], 1, [0, 2]),
            (&[none, none], 1, [0, 0]),
            (&[Segment::Ucs4(&wide), text], 0, [0, 0]),
            (&[], 0, [0, 0]),
        ] {
            let mut observed = Observed::default();
            observed.look(0, Segment::Ucs4(&wide), references);
            assert_eq!((observed.markup, observed.empty), (markup, empty));
        }
    }

    /// The characters of the first 16 segments are examined, and those of every 64th.
    #[test]
    fn some_segments_are_examined() {
        let observed = seen(&[("ab", "a"); 193]);
        assert_eq!(observed.segments, 193);
        assert_eq!(observed.looked, [16 + 3; 2]);
        assert_eq!(observed.characters, 3 * (16 + 3));
    }

    #[test]
    fn facts_add_up() {
        let (one, other) = (("a .", "a"), ("日本", "日本"));
        let mut sum = seen(&[one]);
        sum += &seen(&[other]);
        assert_eq!(sum, seen(&[one, other]));
    }
}
