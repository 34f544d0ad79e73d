//! What a corpus looks like: the few facts that warnings of likely mistakes are made of.

use std::ops::AddAssign;

use unicode_normalization::is_nfc;

use crate::text::{Segment, decode, space_length};

/// Segments at the start of a batch of which the characters are looked at, all of them.
const FIRST: usize = 64;

/// After those, one segment in so many: characters cost more than counting may take longer.
const EVERY: usize = 16;

/// Facts about some segments. They add up, in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observed {
    /// Segments of text.
    pub segments: u64,
    /// Hypotheses that end in a period of its own, as tokenized text does.
    pub tokenized: u64,
    /// Whether some hypothesis differs from all of its references.
    pub different: bool,
    /// Characters that were looked at, without white space.
    pub characters: u64,
    /// Those of them that are Han or kana, which are written without spaces.
    pub unspaced: u64,
    /// Pieces between white space that they are in.
    pub pieces: u64,
    /// Hypotheses and references whose characters were looked at.
    pub looked: [u64; 2],
    /// Those of them that are not in normal form C.
    pub decomposed: [u64; 2],
}

impl Observed {
    /// Looks at a segment; `index` is its place in the batch. Tokens are no text.
    pub fn look(&mut self, index: usize, hypothesis: Segment<'_>, references: &[Segment<'_>]) {
        if matches!(hypothesis, Segment::Ids(_)) {
            return;
        }
        self.segments += 1;
        self.tokenized += u64::from(ends_in_own_period(hypothesis));
        // One difference is enough, and most corpora have it in their first segment.
        self.different = self.different || !references.iter().any(|&text| same(hypothesis, text));
        if index < FIRST || index.is_multiple_of(EVERY) {
            self.look_at_characters(0, hypothesis);
            for &reference in references {
                self.look_at_characters(1, reference);
            }
        }
    }

    fn look_at_characters(&mut self, side: usize, text: Segment<'_>) {
        self.looked[side] += 1;
        if let Segment::Latin1(bytes) | Segment::Utf8(bytes) = text
            && bytes.is_ascii()
        {
            self.count(bytes.iter().map(|&byte| char::from(byte)));
            return;
        }
        let mut characters = Vec::with_capacity(text.weight());
        match text {
            Segment::Latin1(text) => characters.extend(text.iter().map(|&c| u32::from(c))),
            Segment::Ucs2(text) => characters.extend(text.iter().map(|&c| u32::from(c))),
            Segment::Ucs4(text) => characters.extend_from_slice(text),
            Segment::Utf8(mut text) => {
                while !text.is_empty() {
                    let (c, length) = decode(text);
                    characters.push(c);
                    text = &text[length.min(text.len())..];
                }
            }
            Segment::Ids(_) => return,
        }
        // A lone surrogate has no normal form, and stands for itself.
        let known = || characters.iter().filter_map(|&c| char::from_u32(c));
        self.count(known());
        self.unspaced += characters.iter().filter(|&&c| is_unspaced(c)).count() as u64;
        self.decomposed[side] += u64::from(!is_nfc(known().collect::<String>().as_str()));
    }
}

impl Observed {
    fn count(&mut self, text: impl Iterator<Item = char>) {
        let mut after_space = true;
        for c in text {
            let space = is_space(c);
            self.characters += u64::from(!space);
            self.pieces += u64::from(after_space && !space);
            after_space = space;
        }
    }
}

impl AddAssign<&Observed> for Observed {
    fn add_assign(&mut self, other: &Observed) {
        self.segments += other.segments;
        self.tokenized += other.tokenized;
        self.different |= other.different;
        self.characters += other.characters;
        self.unspaced += other.unspaced;
        self.pieces += other.pieces;
        for side in 0..2 {
            self.looked[side] += other.looked[side];
            self.decomposed[side] += other.decomposed[side];
        }
    }
}

/// Whether two texts are equal. Python keeps equal texts in the same form.
fn same(one: Segment<'_>, other: Segment<'_>) -> bool {
    match (one, other) {
        (Segment::Latin1(one), Segment::Latin1(other))
        | (Segment::Utf8(one), Segment::Utf8(other)) => one == other,
        (Segment::Ucs2(one), Segment::Ucs2(other)) => one == other,
        (Segment::Ucs4(one), Segment::Ucs4(other)) => one == other,
        _ => false,
    }
}

fn ends_in_own_period(text: Segment<'_>) -> bool {
    match text {
        Segment::Latin1(text) | Segment::Utf8(text) => text.ends_with(b" ."),
        Segment::Ucs2(text) => text.ends_with(&[0x20, 0x2E]),
        Segment::Ucs4(text) => text.ends_with(&[0x20, 0x2E]),
        Segment::Ids(_) => false,
    }
}

fn is_space(c: char) -> bool {
    let mut bytes = [0; 4];
    space_length(c.encode_utf8(&mut bytes).as_bytes()) > 0
}

/// Han, hiragana and katakana.
fn is_unspaced(c: u32) -> bool {
    matches!(
        c,
        0x3005..=0x3007
            | 0x3040..=0x30FF
            | 0x31F0..=0x31FF
            | 0x3400..=0x4DBF
            | 0x4E00..=0x9FFF
            | 0xF900..=0xFAFF
            | 0xFF66..=0xFF9F
            | 0x1_B000..=0x1_B16F
            | 0x2_0000..=0x3_FFFF
    )
}

#[cfg(test)]
mod tests {
    use super::*;

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
                unspaced: 8,
                pieces: 4 + 3 + 1 + 1,
                looked: [2, 2],
                decomposed: [1, 0],
            }
        );
    }

    /// The same text in the three widths of a Python str, and in UTF-8.
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

    #[test]
    fn facts_add_up() {
        let (one, other) = (("a .", "a"), ("日本", "日本"));
        let mut sum = seen(&[one]);
        sum += &seen(&[other]);
        assert_eq!(sum, seen(&[one, other]));
    }
}
