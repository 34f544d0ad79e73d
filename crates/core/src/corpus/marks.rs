//! Marks in one text: what tools leave in it, and characters that are not seen.

use std::ops::Range;

use crate::memory::{string, with_room};
use crate::text::{Segment, code_points, is_space};

/// What a text is searched for. The package in Python says by these names what each means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Mark {
    /// `@@ `
    SubwordNmt,
    /// `▁`
    SentencePiece,
    /// ` ##` before a letter.
    WordPiece,
    /// `Ġ` for most spaces, or `Ċ` for a line break.
    ByteBpe,
    /// `￭`, or several words that begin or end with `+`.
    Morphs,
    /// `@-@`
    Moses,
    /// `<|...|>`, `</s>`, `[SEP]`, ...
    Special,
    /// `<unk>`, `⁇`, ...
    Unknown,
    /// `<think>`, `</answer>`, ...
    Reasoning,
    /// `[INST]`, `Assistant:`, ...
    Template,
    /// Three backticks.
    Fence,
    /// `['...']`
    List,
    /// `{'...': ...}`
    Dict,
    /// `b'...'`
    Bytes,
    /// `nan` and nothing else.
    Nan,
    /// `None` or `null` and nothing else.
    Null,
    /// `&amp;` and the like, which some tokenizers decode.
    XmlEntity,
    /// `&#39;` and other entities.
    Entity,
    /// `_eos`
    Eos,
    /// `0 ||| ` or `H-0` and a tab at the beginning.
    NBest,
    /// Quotes round the whole.
    Quotes,
    /// Characters without width, such as U+200B.
    ZeroWidth,
    /// U+00AD.
    SoftHyphen,
    /// Marks of the direction of writing.
    Direction,
    /// Full-width letters and digits of ASCII.
    FullWidth,
    /// U+0085, U+2028 and U+2029, which are line breaks to some.
    LineSeparator,
    /// Spaces at the end.
    OuterSpace,
    /// U+000D at the end.
    CarriageReturn,
    /// Combining diacritical marks and letters of Hangul.
    Combining,
}

/// The names of all.
pub const MARKS: [&str; 29] = [
    "subword-nmt",
    "SentencePiece",
    "WordPiece",
    "byte-level BPE",
    "morphs",
    "Moses",
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

use Mark::{
    ByteBpe, Bytes, CarriageReturn, Combining, Dict, Direction, Entity, Eos, Fence, FullWidth,
    LineSeparator, List, Morphs, Moses, NBest, Nan, Null, OuterSpace, Quotes, Reasoning,
    SentencePiece, SoftHyphen, Special, SubwordNmt, Template, Unknown, WordPiece, XmlEntity,
    ZeroWidth,
};

/// What stands anywhere in a text. All that begin with the same character stand together.
const ANYWHERE: [(&str, Mark); 62] = [
    ("@@ ", SubwordNmt),
    ("@-@", Moses),
    ("▁", SentencePiece),
    ("￭", Morphs),
    ("</s>", Special),
    ("<s>", Special),
    ("<pad>", Special),
    ("<eos>", Special),
    ("<bos>", Special),
    ("<sep>", Special),
    ("<cls>", Special),
    ("<mask>", Special),
    ("<extra_id_", Special),
    ("<unk>", Unknown),
    ("<UNK>", Unknown),
    ("<think>", Reasoning),
    ("</think>", Reasoning),
    ("<thinking>", Reasoning),
    ("</thinking>", Reasoning),
    ("<answer>", Reasoning),
    ("</answer>", Reasoning),
    ("<reasoning>", Reasoning),
    ("</reasoning>", Reasoning),
    ("<translation>", Reasoning),
    ("</translation>", Reasoning),
    ("<start_of_turn>", Template),
    ("<end_of_turn>", Template),
    ("<<SYS>>", Template),
    ("<</SYS>>", Template),
    ("[INST]", Template),
    ("[/INST]", Template),
    ("[SEP]", Special),
    ("[CLS]", Special),
    ("[PAD]", Special),
    ("[MASK]", Special),
    ("[EOS]", Special),
    ("[BOS]", Special),
    ("[UNK]", Unknown),
    ("⁇", Unknown),
    ("### Response", Template),
    ("### Assistant", Template),
    ("### Answer", Template),
    ("### Instruction", Template),
    ("```", Fence),
    ("&amp;", XmlEntity),
    ("&lt;", XmlEntity),
    ("&gt;", XmlEntity),
    ("&quot;", XmlEntity),
    ("_eos", Eos),
    ("\u{AD}", SoftHyphen),
    ("\u{85}", LineSeparator),
    ("\u{2028}", LineSeparator),
    ("\u{2029}", LineSeparator),
    ("\u{200B}", ZeroWidth),
    ("\u{200C}", ZeroWidth),
    ("\u{200D}", ZeroWidth),
    ("\u{2060}", ZeroWidth),
    ("\u{FEFF}", ZeroWidth),
    ("\u{200E}", Direction),
    ("\u{200F}", Direction),
    ("\u{61C}", Direction),
    ("\u{1160}", Combining),
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

/// Whether a text has what no text has that people write, whatever the other side has.
#[must_use]
pub fn is_left_over(text: Segment<'_>) -> bool {
    let mut any = false;
    marks(text, &mut |mark, _| {
        any |= (mark as usize) < Template as usize || matches!(mark, Bytes | Nan | Eos | NBest);
    });
    any
}

/// Finds the marks of a text, each with its place in characters.
pub fn marks(text: Segment<'_>, found: &mut impl FnMut(Mark, Range<usize>)) {
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

fn of_bytes(text: &[u8], found: &mut impl FnMut(Mark, Range<usize>)) {
    if text
        .chunks(64)
        .all(|part| !part.iter().fold(false, |any, &c| any | begins_mark(c)))
    {
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

fn of_units<T: Copy + Into<u32>>(text: &[T], found: &mut impl FnMut(Mark, Range<usize>)) {
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
        let next = rest.get(1).map_or(' ', |&unit| char_of(unit));
        let before = at
            .checked_sub(1)
            .map_or(' ', |before| char_of(text[before]));
        match c {
            'Ġ' => byte_level.push(at),
            'Ċ' if next == ' ' || next == 'Ċ' || next == 'Ġ' => found(ByteBpe, at..at + 1),
            '+' if before.is_alphabetic() && next == ' ' => joined.push(at..at + 1),
            '+' if before == ' ' && next.is_alphabetic() => joined.push(at..at + 1),
            '@' if rest.len() == 2 && begins(rest, "@@") => found(SubwordNmt, at..at + 2),
            '#' if before == ' ' && next == '#' => {
                if rest
                    .get(2)
                    .is_some_and(|&unit| char_of(unit).is_alphanumeric())
                {
                    found(WordPiece, at..at + 2);
                }
            }
            '<' if next == '|' => {
                let end = rest.windows(2).position(|two| begins(two, "|>"));
                end.into_iter()
                    .for_each(|end| found(Special, at..at + end + 2));
            }
            '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => found(Direction, at..at + 1),
            '０'..='９' | 'Ａ'..='Ｚ' | 'ａ'..='ｚ' => found(FullWidth, at..at + 1),
            '\u{300}'..='\u{36F}' | '\u{1161}'..='\u{11FF}' => found(Combining, at..at + 1),
            _ => {}
        }
        let known = ANYWHERE.iter().find(|(marker, _)| begins(rest, marker));
        if let Some((marker, mark)) = known {
            found(*mark, at..at + marker.chars().count());
        } else if c == '&' {
            entity(rest)
                .into_iter()
                .for_each(|length| found(Entity, at..at + length));
        }
    }
    if byte_level.len() > 1 && 2 * byte_level.len() >= spaces {
        found(ByteBpe, byte_level[0]..byte_level[0] + 1);
    }
    if joined.len() > 1 {
        found(Morphs, joined[0].clone());
    }
}

/// Whether a character is the first of a mark that stands anywhere.
fn is_special(c: char) -> bool {
    match c {
        '@' | '#' | '<' | '[' | '`' | '&' | '_' | '+' => true,
        ..'\u{85}' => false,
        '\u{85}' | '\u{AD}' | 'Ċ' | 'Ġ' | '\u{300}'..='\u{36F}' | '\u{61C}' => true,
        '\u{1160}'..='\u{11FF}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' => true,
        '⁇' | '\u{2060}'..='\u{2069}' | '▁' | '\u{FEFF}' | '０'..='￭' => true,
        _ => false,
    }
}

/// Finds what a text begins or ends with, or is as a whole.
fn at_ends<T: Copy + Into<u32>>(text: &[T], found: &mut impl FnMut(Mark, Range<usize>)) {
    let (Some(&first), Some(&last)) = (text.first(), text.last()) else {
        return;
    };
    let (first, last, all) = (char_of(first), char_of(last), 0..text.len());
    if last == '\r' {
        found(CarriageReturn, all.end - 1..all.end);
    } else if is_space(last.into()) || is_space(first.into()) {
        found(OuterSpace, 0..1);
    }
    if PAIRS.contains(&(first, last)) && text.len() > 2 {
        found(Quotes, 0..1);
    }
    let is_one_of = |words: &[&str]| {
        let same = |word: &&str| word.len() == text.len() && begins(text, word);
        text.len() < 9 && words.iter().any(same)
    };
    let second = text.get(1).map_or(' ', |&unit| char_of(unit));
    match (first, second, last) {
        ('[', '\'' | '"', ']') => found(List, 0..2),
        ('{', '\'' | '"', '}') => found(Dict, 0..2),
        ('b', '\'', '\'') | ('b', '"', '"') if text.len() > 2 => found(Bytes, 0..2),
        ('n' | 'N', 'a' | 'A', _) if is_one_of(&["nan", "NaN", "NAN"]) => found(Nan, all),
        ('n' | 'N' | '<', ..) if is_one_of(&["None", "null", "NULL", "<NA>"]) => found(Null, all),
        ('H' | 'D' | 'T', '-', _) => {
            let digits = text[2..]
                .iter()
                .take_while(|&&unit| char_of(unit).is_ascii_digit());
            let end = 2 + digits.count();
            if end > 2 && begins(&text[end..], "\t") {
                found(NBest, 0..end);
            }
        }
        ('A' | 'a' | 'm' | 'U' | 'u' | 'H', ..) => {
            let role = ROLES.iter().find(|role| begins(text, role));
            role.into_iter()
                .for_each(|role| found(Template, 0..role.len()));
        }
        ('0'..='9', ..) => {
            let digits = text
                .iter()
                .take_while(|&&unit| char_of(unit).is_ascii_digit())
                .count();
            if begins(&text[digits..], " ||| ") {
                found(NBest, 0..digits + 4);
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
    let name = &text[1..end];
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
