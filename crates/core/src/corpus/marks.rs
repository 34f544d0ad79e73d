//! Marks in one text: what tools leave in it, and characters that are not seen.

use std::ops::Range;

use super::special::{is_special, may_have_marks};
use crate::memory::{string, with_room};
use crate::text::{Segment, code_points, is_space};

/// What a text is searched for: marks of tools first, then characters that are not seen.
pub const MARKS: [&str; 28] = [
    "subword-nmt",
    "SentencePiece",
    "WordPiece",
    "byte-level BPE",
    "morphs",
    "special token",
    "unknown word",
    "reasoning",
    "template",
    "code fence",
    "list",
    "dict",
    "bytes",
    "nan",
    "null",
    "XML entity",
    "entity",
    "end of sentence",
    "n-best list",
    "quotes",
    "zero-width",
    "soft hyphen",
    "direction",
    "full-width",
    "line separator",
    "outer space",
    "carriage return",
    "combining",
];

/// What stands anywhere in a text.
const ANYWHERE: [(&str, &str); 13] = [
    ("SentencePiece", "▁"),
    ("morphs", "￭"),
    (
        "special token",
        "</s> <s> <pad> <eos> <bos> <sep> <cls> <mask> <extra_id_ [SEP] [CLS] [PAD] [MASK] [EOS] \
         [BOS]",
    ),
    ("unknown word", "<unk> <UNK> [UNK] ⁇"),
    (
        "reasoning",
        "<think> </think> <thinking> </thinking> <answer> </answer> <reasoning> </reasoning> \
         <translation> </translation>",
    ),
    (
        "template",
        "<start_of_turn> <end_of_turn> <<SYS>> <</SYS>> [INST] [/INST]",
    ),
    ("code fence", "```"),
    ("XML entity", "&amp; &lt; &gt; &quot;"),
    ("end of sentence", "_eos"),
    ("n-best list", "|||"),
    ("soft hyphen", "\u{AD}"),
    ("line separator", "\u{85} \u{2028} \u{2029}"),
    ("zero-width", "\u{200B} \u{200C} \u{200D} \u{2060} \u{FEFF}"),
];

/// What a chat begins with.
const ROLES: [&str; 8] = [
    "Assistant:",
    "assistant:",
    "ASSISTANT:",
    "assistant\n",
    "model\n",
    "User:",
    "user\n",
    "Human:",
];

/// Pairs of quotes, the first and the last character of a text.
const PAIRS: [(char, char); 8] = [
    ('"', '"'),
    ('\'', '\''),
    ('“', '”'),
    ('„', '“'),
    ('«', '»'),
    ('»', '«'),
    ('「', '」'),
    ('『', '』'),
];

/// What stands for a text that is missing, as a whole text.
const MISSING: [(&str, &str); 9] = [
    ("nan", "nan"),
    ("nan", "NaN"),
    ("nan", "NAN"),
    ("null", "None"),
    ("null", "none"),
    ("null", "NULL"),
    ("null", "Null"),
    ("null", "null"),
    ("null", "<NA>"),
];

/// Number of the first marks that no text has which people write, whatever the other side has.
const NO_TEXT: usize = 8;

/// Whether a text has one of these.
#[must_use]
pub fn is_left_over(text: Segment<'_>) -> bool {
    let mut any = false;
    marks_of(text, &mut |mark| any |= MARKS[..NO_TEXT].contains(&mark));
    any
}

/// Texts with more bytes are whole documents, in which nothing is looked for.
pub const LONGEST: usize = 1 << 16;

/// The characters of a text, unless it is a whole document or token ids. A lone surrogate, which is
/// none of those that are looked for, is replaced.
pub fn characters(text: Segment<'_>) -> Option<Vec<char>> {
    if text.weight() > LONGEST {
        return None;
    }
    let mut found = with_room(text.weight());
    match text {
        Segment::Latin1(text) => found.extend(text.iter().map(|&c| char::from(c))),
        Segment::Ucs2(text) => found.extend(text.iter().map(|&c| character(c.into()))),
        Segment::Ucs4(text) => found.extend(text.iter().map(|&c| character(c))),
        Segment::Utf8(text) => found.extend(code_points(text).map(|(c, _)| character(c))),
        Segment::Ids(_) => return None,
    }
    Some(found)
}

fn character(c: u32) -> char {
    char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// How many [`characters`] of a text begin another, and whether both are equal.
pub fn in_common(text: Segment<'_>, other: &[char]) -> (usize, bool) {
    fn of(mut text: impl Iterator<Item = char>, other: &[char]) -> (usize, bool) {
        let same = other.iter().take_while(|&&c| text.next() == Some(c));
        let same = same.count();
        (same, same == other.len() && text.next().is_none())
    }
    match text {
        Segment::Latin1(text) => of(text.iter().map(|&c| char::from(c)), other),
        Segment::Ucs2(text) => of(text.iter().map(|&c| character(c.into())), other),
        Segment::Ucs4(text) => of(text.iter().map(|&c| character(c)), other),
        Segment::Utf8(text) => of(code_points(text).map(|(c, _)| character(c)), other),
        Segment::Ids(_) => (0, false),
    }
}

/// The marks of a text, in no order; of a whole document or token ids, none.
pub fn marks_of(text: Segment<'_>, found: &mut impl FnMut(&'static str)) {
    if text.weight() <= LONGEST && may_have_marks(text) {
        let text = characters(text).unwrap_or_default();
        marks(&text, &mut |mark, _| found(mark));
    }
}

/// Finds the marks of a text, each with its place.
pub fn marks(text: &[char], found: &mut impl FnMut(&'static str, Range<usize>)) {
    at_ends(text, found);
    // What may be there by chance counts if it is there more than once.
    let [mut byte_level, mut word_piece, mut joined] = [Several::default(); 3];
    let mut spaces = 0;
    for (at, &c) in text.iter().enumerate() {
        if !is_special(c.into()) {
            spaces += usize::from(c == ' ');
            continue;
        }
        let rest = &text[at..];
        let before = at.checked_sub(1).map_or(' ', |before| text[before]);
        let [next, third] = [1, 2].map(|at| rest.get(at).copied().unwrap_or(' '));
        match c {
            'Ġ' => byte_level.add(at),
            'Ċ' if next == ' ' || next == 'Ċ' || next == 'Ġ' => {
                found("byte-level BPE", at..at + 1);
            }
            '+' if (before.is_alphabetic() && next == ' ')
                || (before == ' ' && next.is_alphabetic()) =>
            {
                joined.add(at);
            }
            // Spaces before it are those of a difference of files: @@ -1 +1 @@.
            '@' if before != ' ' && before != '@' && next == '@' && third == ' ' => {
                found("subword-nmt", at..at + 2);
            }
            '#' if begins(rest, "### Response") => found("template", at..at + 12),
            '#' if at > 0 && before == ' ' && next == '#' && third.is_alphanumeric() => {
                word_piece.add(at);
            }
            '<' if next == '|' => {
                if let Some(end) = rest.windows(2).position(|two| two == ['|', '>']) {
                    found("special token", at..at + end + 2);
                }
            }
            '\u{61C}'
            | '\u{200E}'
            | '\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2066}'..='\u{2069}' => found("direction", at..at + 1),
            '０'..='９' | 'Ａ'..='Ｚ' | 'ａ'..='ｚ' => found("full-width", at..at + 1),
            '\u{300}'..='\u{36F}' | '\u{1160}'..='\u{11FF}' => found("combining", at..at + 1),
            _ => {}
        }
        let known = ANYWHERE.iter().find_map(|&(mark, markers)| {
            let marker = markers.split(' ').find(|marker| begins(rest, marker))?;
            Some((mark, marker.chars().count()))
        });
        let known = known.or_else(|| Some(("entity", entity(rest)?)));
        if let Some((mark, length)) = known {
            found(mark, at..at + length);
        }
    }
    // Maltese has Ġ, too, and other letters that no bytes of text are written as.
    let is_maltese = || text.iter().any(|c| matches!(c, 'ġ' | 'ċ' | 'ż'));
    if byte_level.count > 1 && 2 * byte_level.count >= spaces && !is_maltese() {
        found("byte-level BPE", byte_level.first..byte_level.first + 1);
    }
    if word_piece.count > 1 {
        found("WordPiece", word_piece.first..word_piece.first + 2);
    }
    if joined.count > 1 {
        found("morphs", joined.first..joined.first + 1);
    }
}

/// How often something is in a text, and where first.
#[derive(Clone, Copy, Default)]
struct Several {
    count: usize,
    first: usize,
}

impl Several {
    fn add(&mut self, at: usize) {
        if self.count == 0 {
            self.first = at;
        }
        self.count += 1;
    }
}

/// Finds what a text begins or ends with, or is as a whole.
fn at_ends(text: &[char], found: &mut impl FnMut(&'static str, Range<usize>)) {
    let (Some(&first), Some(&last)) = (text.first(), text.last()) else {
        return;
    };
    let all = 0..text.len();
    if last == '\r' {
        found("carriage return", all.end - 1..all.end);
    } else if is_space(last.into()) || is_space(first.into()) {
        found("outer space", 0..1);
    }
    if PAIRS.contains(&(first, last)) && text.len() > 2 {
        found("quotes", 0..1);
    }
    if let Some(role) = ROLES.iter().find(|role| begins(text, role)) {
        found("template", 0..role.len());
    }
    let is_all = |word: &str| word.len() == text.len() && begins(text, word);
    if let Some(&(mark, _)) = MISSING.iter().find(|(_, word)| is_all(word)) {
        found(mark, all);
    }
    let [second, third] = [1, 2].map(|at| text.get(at).copied().unwrap_or(' '));
    match (first, second, last) {
        ('[', '\'' | '"', ']') => found("list", 0..2),
        ('{', '\'' | '"', '}') => found("dict", 0..2),
        ('b', '\'', '\'') | ('b', '"', '"') if text.len() > 2 => found("bytes", 0..2),
        // As the only one: no word of Maltese is written so.
        ('Ġ', ..) if second.is_uppercase() && !third.is_uppercase() => {
            found("byte-level BPE", 0..1);
        }
        ('H' | 'D' | 'T', '-', _) => {
            let digits = text[2..].iter().take_while(|c| c.is_ascii_digit()).count();
            if digits > 0 && begins(&text[2 + digits..], "\t") {
                found("n-best list", 0..2 + digits);
            }
        }
        _ => {}
    }
}

/// The length of an entity of HTML at the beginning of a text: `&`, letters or a number, and `;`.
fn entity(text: &[char]) -> Option<usize> {
    let end = text.iter().take(10).position(|&c| c == ';')?;
    let name = begins(text, "&").then(|| &text[1..end])?;
    let rest = name.get(1..)?.iter().all(char::is_ascii_alphanumeric);
    (rest && (name[0] == '#' || name[0].is_ascii_alphabetic()) && name.len() > 1).then_some(end + 1)
}

/// Whether a text begins with these characters.
fn begins(text: &[char], marker: &str) -> bool {
    let mut rest = text.iter();
    marker.chars().all(|c| rest.next() == Some(&c))
}

/// A text without lone surrogates, which have no normal form.
pub fn to_string(text: Segment<'_>) -> String {
    match text {
        Segment::Latin1(text) => string(text.iter().map(|&c| char::from(c))),
        Segment::Ucs2(text) => string(text.iter().filter_map(|&c| char::from_u32(c.into()))),
        Segment::Ucs4(text) => string(text.iter().filter_map(|&c| char::from_u32(c))),
        Segment::Utf8(text) => string(code_points(text).filter_map(|(c, _)| char::from_u32(c))),
        Segment::Ids(_) => String::new(),
    }
}

/// Whether a text has nothing but spaces.
pub fn is_empty(text: Segment<'_>) -> bool {
    match text {
        Segment::Latin1(text) | Segment::Utf8(text) => text.iter().all(|&c| c == b' '),
        Segment::Ucs2(text) => text.iter().all(|&c| c == 0x20),
        Segment::Ucs4(text) => text.iter().all(|&c| c == 0x20),
        Segment::Ids(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::special::are_ends_odd;
    use super::*;

    fn found(text: Segment<'_>) -> Vec<(&'static str, Range<usize>)> {
        let mut all = Vec::new();
        let text = characters(text).expect("short");
        marks(&text, &mut |mark, range| all.push((mark, range)));
        all
    }

    /// The places of names are those of the marks, and each mark is found in some text.
    #[test]
    fn every_mark_has_a_name() {
        let texts = [
            "lo@@ wer",
            "▁a",
            "a ##b ##c",
            "a Ġb Ġc",
            "a +b +c",
            "a</s>",
            "<unk>",
            "<think>",
            "[INST] a",
            "```",
            "['a']",
            "{'a': 1}",
            "b'a'",
            "nan",
            "None",
            "&amp;",
            "&#39;",
            "_eos",
            "0 ||| a",
            "\"a\"",
            "a\u{200B}b",
            "a\u{AD}b",
            "\u{200E}a",
            "Ａ",
            "a\u{2028}b",
            "a ",
            "a\r",
            "e\u{301}",
        ];
        for (mark, text) in MARKS.iter().zip(texts) {
            let places = found(Segment::Utf8(text.as_bytes()));
            assert!(places.iter().any(|(found, _)| found == mark), "{text}");
        }
    }

    /// A text has the same marks in all widths of a Python str and in UTF-8.
    #[test]
    fn widths_agree() {
        for marker in ANYWHERE.iter().flat_map(|(_, markers)| markers.split(' ')) {
            let text = format!("é {marker} Wörter “so” {marker}");
            let ucs2: Vec<u16> = text.encode_utf16().collect();
            let ucs4: Vec<u32> = text.chars().map(u32::from).collect();
            let expected = found(Segment::Ucs4(&ucs4));
            assert!(!expected.is_empty(), "{marker}");
            assert_eq!(found(Segment::Ucs2(&ucs2)), expected, "{marker}");
            assert_eq!(found(Segment::Utf8(text.as_bytes())), expected, "{marker}");
            if let Ok(latin1) = text
                .replace(['“', '”'], "x")
                .chars()
                .map(u8::try_from)
                .collect()
            {
                let latin1: Vec<u8> = latin1;
                assert_eq!(found(Segment::Latin1(&latin1)), expected, "{marker}");
            }
        }
    }

    /// The first character of each marker is looked at, and what a text may begin with.
    #[test]
    fn the_first_characters_of_marks_are_special() {
        for marker in ANYWHERE.iter().flat_map(|(_, markers)| markers.split(' ')) {
            assert!(marker.starts_with(|c| is_special(u32::from(c))), "{marker}");
        }
        let missing = MISSING.iter().map(|(_, word)| *word);
        let others = ["['", "{'", "b'", "H-", "D-", "T-", "\u{3000}", "Ġ"];
        let quotes = PAIRS.map(|(first, _)| first.to_string());
        let quotes = quotes.iter().map(String::as_str);
        for text in ROLES.into_iter().chain(missing).chain(others).chain(quotes) {
            let wide: Vec<u32> = text.chars().map(u32::from).collect();
            assert!(are_ends_odd(&wide), "{text}");
        }
    }

    /// What looks like a mark and is text: of Maltese, of files that differ, and of hashtags.
    #[test]
    fn no_marks() {
        for text in [
            "Ġorġ u Ġużeppi",
            "Ġermanja",
            "ĠUSTIZZJA",
            "@@ -1,3 +1,4 @@ fn main()",
            "@@@ -1 -1 +1 @@@",
            "##news today",
            "all the ##news today",
            "Null und nichtig",
        ] {
            assert_eq!(found(Segment::Utf8(text.as_bytes())), [], "{text}");
        }
    }
}
