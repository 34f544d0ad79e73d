//! Marks in one text: what tools leave in it, and characters that are not seen.

use std::ops::Range;

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
const ANYWHERE: [(&str, &str); 12] = [
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

/// Number of the first marks that no text has which people write, whatever the other side has.
const NO_TEXT: usize = 8;

/// Whether a text has one of these.
#[must_use]
pub fn is_left_over(text: Segment<'_>) -> bool {
    let mut any = false;
    marks(text, &mut |mark, _| any |= MARKS[..NO_TEXT].contains(&mark));
    any
}

/// Texts with more bytes are whole documents, in which nothing is looked for.
pub const LONGEST: usize = 1 << 16;

/// Finds the marks of a text, each with its place in characters.
pub fn marks(text: Segment<'_>, found: &mut impl FnMut(&'static str, Range<usize>)) {
    if text.weight() > LONGEST {
        return;
    }
    match text {
        Segment::Latin1(text) => of_bytes(text, found),
        Segment::Utf8(text) if is_plain(text) && has_ascii_ends(text) => at_ends(text, found),
        Segment::Utf8(text) => {
            let mut wide = with_room(text.len());
            wide.extend(code_points(text).map(|(c, _)| c));
            of_units(&wide, found);
        }
        Segment::Ucs2(text) => of_units(text, found),
        Segment::Ucs4(text) => of_units(text, found),
        Segment::Ids(_) => {}
    }
}

fn of_bytes(text: &[u8], found: &mut impl FnMut(&'static str, Range<usize>)) {
    let plain = |part: &[u8]| !part.iter().fold(false, |any, &c| any | begins_mark(c));
    if text.chunks(64).all(plain) {
        at_ends(text, found);
    } else {
        of_units(text, found);
    }
}

/// Whether a byte of Latin-1 could begin a mark. Most texts have none, which is seen at once.
fn begins_mark(c: u8) -> bool {
    matches!(
        c,
        b'@' | b'#' | b'<' | b'[' | b'`' | b'&' | b'_' | b'+' | 0x85 | 0xAD
    )
}

/// Whether no byte of UTF-8 could begin a mark: none of ASCII, and no lead byte of the others.
fn is_plain(text: &[u8]) -> bool {
    let special = |c: u8| {
        (c < 0x80 && begins_mark(c))
            | matches!(c, 0xC2 | 0xC4 | 0xCC | 0xCD | 0xD8 | 0xE1 | 0xE2 | 0xEF)
    };
    text.chunks(64)
        .all(|part| !part.iter().fold(false, |any, &c| any | special(c)))
}

fn has_ascii_ends(text: &[u8]) -> bool {
    text.first().is_none_or(u8::is_ascii) && text.last().is_none_or(u8::is_ascii)
}

fn of_units<T: Copy + Into<u32>>(text: &[T], found: &mut impl FnMut(&'static str, Range<usize>)) {
    at_ends(text, found);
    // What may be there by chance counts if it is there more than once.
    let (mut spaces, mut byte_level, mut joined) = (0, Vec::new(), Vec::new());
    for (at, &unit) in text.iter().enumerate() {
        let c = unit.into();
        let Some(c) = char::from_u32(c).filter(|&c| is_special(c)) else {
            spaces += usize::from(c == 0x20);
            continue;
        };
        let rest = &text[at..];
        let [next, third] = [1, 2].map(|at| rest.get(at).map_or(' ', |&unit| char_of(unit)));
        let before = at
            .checked_sub(1)
            .map_or(' ', |before| char_of(text[before]));
        match c {
            'Ġ' => byte_level.push(at),
            'Ċ' if next == ' ' || next == 'Ċ' || next == 'Ġ' => {
                found("byte-level BPE", at..at + 1);
            }
            '+' if (before.is_alphabetic() && next == ' ')
                || (before == ' ' && next.is_alphabetic()) =>
            {
                joined.push(at..at + 1);
            }
            '@' if next == '@' && third == ' ' => found("subword-nmt", at..at + 2),
            '#' if begins(rest, "### Response") => found("template", at..at + 12),
            '#' if before == ' ' && next == '#' && third.is_alphanumeric() => {
                found("WordPiece", at..at + 2);
            }
            '<' if next == '|' => {
                if let Some(end) = rest.windows(2).position(|two| begins(two, "|>")) {
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
    if byte_level.len() > 1 && 2 * byte_level.len() >= spaces {
        found("byte-level BPE", byte_level[0]..byte_level[0] + 1);
    }
    if joined.len() > 1 {
        found("morphs", joined[0].clone());
    }
}

/// Whether a character is the first of a mark that stands anywhere.
fn is_special(c: char) -> bool {
    if c < '\u{85}' {
        return matches!(c, '@' | '#' | '<' | '[' | '`' | '&' | '_' | '+');
    }
    matches!(c,
        '\u{85}' | '\u{AD}' | 'Ċ' | 'Ġ' | '\u{300}'..='\u{36F}' | '\u{61C}'
        | '\u{1160}'..='\u{11FF}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
        | '⁇' | '\u{2060}'..='\u{2069}' | '▁' | '\u{FEFF}' | '０'..='￭'
    )
}

/// Finds what a text begins or ends with, or is as a whole.
fn at_ends<T: Copy + Into<u32>>(text: &[T], found: &mut impl FnMut(&'static str, Range<usize>)) {
    let (Some(&first), Some(&last)) = (text.first(), text.last()) else {
        return;
    };
    let (first, last, all) = (char_of(first), char_of(last), 0..text.len());
    if last == '\r' {
        found("carriage return", all.end - 1..all.end);
    } else if is_space(last.into()) || is_space(first.into()) {
        found("outer space", 0..1);
    }
    if PAIRS.contains(&(first, last)) && text.len() > 2 {
        found("quotes", 0..1);
    }
    let is_one_of = |words: &[&str]| {
        let same = |word: &&str| word.len() == text.len() && begins(text, word);
        text.len() < 9 && words.iter().any(same)
    };
    let second = text.get(1).map_or(' ', |&unit| char_of(unit));
    match (first, second, last) {
        ('[', '\'' | '"', ']') => found("list", 0..2),
        ('{', '\'' | '"', '}') => found("dict", 0..2),
        ('b', '\'', '\'') | ('b', '"', '"') if text.len() > 2 => found("bytes", 0..2),
        ('n' | 'N', 'a' | 'A', _) if is_one_of(&["nan", "NaN", "NAN"]) => found("nan", all),
        ('n' | 'N' | '<', ..) if is_one_of(&["None", "null", "NULL", "<NA>"]) => found("null", all),
        ('H' | 'D' | 'T', '-', _) => {
            let digits = text[2..]
                .iter()
                .take_while(|&&unit| char_of(unit).is_ascii_digit());
            let end = 2 + digits.count();
            if end > 2 && begins(&text[end..], "\t") {
                found("n-best list", 0..end);
            }
        }
        ('A' | 'a' | 'm' | 'U' | 'u' | 'H', ..) => {
            let role = ROLES.iter().find(|role| begins(text, role));
            if let Some(role) = role {
                found("template", 0..role.len());
            }
        }
        ('0'..='9', ..) => {
            let digits = text
                .iter()
                .take_while(|&&unit| char_of(unit).is_ascii_digit())
                .count();
            if begins(&text[digits..], " ||| ") {
                found("n-best list", 0..digits + 4);
            }
        }
        _ => {}
    }
}

/// The length of an entity of HTML at the beginning of a text: `&`, letters or a number, and `;`.
fn entity<T: Copy + Into<u32>>(text: &[T]) -> Option<usize> {
    let end = text
        .iter()
        .take(10)
        .position(|&unit| char_of(unit) == ';')?;
    let name = begins(text, "&").then(|| &text[1..end])?;
    let first = char_of(*name.first()?);
    let rest = name[1..]
        .iter()
        .all(|&unit| char_of(unit).is_ascii_alphanumeric());
    (rest && (first == '#' || first.is_ascii_alphabetic()) && name.len() > 1).then_some(end + 1)
}

/// Whether units begin with these characters.
fn begins<T: Copy + Into<u32>>(text: &[T], marker: &str) -> bool {
    let mut units = text.iter();
    marker.chars().all(|c| {
        units
            .next()
            .is_some_and(|&unit| unit.into() == u32::from(c))
    })
}

/// A surrogate is none of the characters that are looked for.
fn char_of<T: Into<u32>>(unit: T) -> char {
    char::from_u32(unit.into()).unwrap_or(char::REPLACEMENT_CHARACTER)
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
    use super::*;

    fn found(text: Segment<'_>) -> Vec<(&'static str, Range<usize>)> {
        let mut all = Vec::new();
        marks(text, &mut |mark, range| all.push((mark, range)));
        all
    }

    /// The places of names are those of the marks, and each mark is found in some text.
    #[test]
    fn every_mark_has_a_name() {
        let texts = [
            "lo@@ wer",
            "▁a",
            "a ##b",
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

    /// Whatever begins a mark is seen in texts that are only glanced at.
    #[test]
    fn the_first_characters_of_marks_are_special() {
        for marker in ANYWHERE.iter().flat_map(|(_, markers)| markers.split(' ')) {
            let first = marker.chars().next().expect("not empty");
            assert!(is_special(first), "{marker}");
            assert!(!is_plain(marker.as_bytes()), "{marker}");
        }
        for c in char::MIN..=char::MAX {
            assert!(
                !is_special(c) || !is_plain(c.to_string().as_bytes()),
                "{c:?}"
            );
            if let Ok(byte) = u8::try_from(c) {
                assert_eq!(is_special(c), begins_mark(byte), "{c:?}");
            }
        }
    }
}
