//! Splitting character by character: what each one is decides, and for stops what is around them.
//!
//! The tokenizers of sacreBLEU and mteval are substitutions that run one after the other:
//!
//! 1. a space around each symbol
//! 2. a character that is no digit, then a stop: spaces around the second
//! 3. a stop, then a character that is no digit: spaces around the first
//! 4. a digit, then a hyphen: spaces around the second
//!
//! They differ in what is a symbol, a stop or a digit, and in whether the text is padded with a
//! space on either side. Matches do not overlap, so rule 2 takes a run of stops in pairs, and rule
//! 3 takes all that rule 2 has touched. What can be left over is the last stop of a run; it stays
//! with the digit behind it, or with the end of a text that is not padded. That makes one pass
//! enough.

use std::ops::Range;
use std::sync::OnceLock;

use super::chinese::{is_chinese, is_chinese_or_kana};
use super::token::TokenList;
use super::unicode::{Group, group};
use crate::text::{Scratch, decode};

/// What a character is to the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// Part of a word.
    Word,
    /// White space, or whatever else is dropped.
    Space,
    /// A token of its own.
    Symbol,
    /// Part of a word; digits hold stops and let hyphens go.
    Digit,
    /// A token of its own unless digits hold it.
    Stop,
    /// A token of its own behind a digit.
    Hyphen,
}

/// What each character is, and whether the ends of a text count as spaces.
pub struct Rules {
    ascii: [Class; 128],
    wide: fn(u32) -> Class,
    padded: bool,
    /// The classes of the characters that are in use, made on first use.
    table: OnceLock<Box<Table>>,
}

/// The class of each character up to U+FFFF.
type Table = [Class; 1 << 16];

impl Rules {
    const fn new(ascii: [Class; 128], wide: fn(u32) -> Class, padded: bool) -> Self {
        Self {
            ascii,
            wide,
            padded,
            table: OnceLock::new(),
        }
    }

    fn table(&self) -> &Table {
        self.table.get_or_init(|| {
            let classes = (0..1 << 16).map(|c: u32| {
                let ascii = self.ascii.get(c as usize).copied();
                ascii.unwrap_or_else(|| (self.wide)(c))
            });
            let classes: Box<[Class]> = classes.collect();
            classes
                .try_into()
                .unwrap_or_else(|_| unreachable!("the size is that of the range"))
        })
    }
}

/// Every character but white space is a token.
pub static CHARACTERS: Rules = Rules::new(
    ascii(Spaces::Python, Western::Symbols),
    |c| {
        if is_wide_space(c) {
            Class::Space
        } else {
            Class::Symbol
        }
    },
    true,
);

/// Runs of letters, digits and underscores, Python's `\w+`, and nothing else.
pub static WORD_RUNS: Rules = Rules::new(
    ascii(Spaces::Python, Western::WordRuns),
    |c| match group(c) {
        Group::Letter | Group::Digit | Group::Number => Class::Word,
        _ => Class::Space,
    },
    true,
);

/// ASCII white space separates, and nothing else does, as where Perl splits bytes.
pub static MOSES: Rules = Rules::new(ascii(Spaces::Perl, Western::Words), |_| Class::Word, true);

/// `zh` with the ranges that sacreBLEU has.
pub static CHINESE: Rules = Rules::new(
    ascii(Spaces::Python, Western::Rules13a),
    |c| chinese(c, is_chinese(c)),
    false,
);

/// `zh` with the ranges that were meant.
pub static CHINESE_FIXED: Rules = Rules::new(
    ascii(Spaces::Python, Western::Rules13a),
    |c| chinese(c, is_chinese_or_kana(c)),
    false,
);

/// `intl`: by Unicode's categories.
pub static INTERNATIONAL: Rules = Rules::new(
    ascii(Spaces::Python, Western::Categories),
    by_category,
    false,
);

/// What the segmentation of `mteval-v13a.pl` does after its replacements.
pub static MTEVAL: Rules = Rules::new(
    ascii(Spaces::Perl, Western::Rules13a),
    |c| {
        if is_wide_space(c) {
            Class::Space
        } else {
            Class::Word
        }
    },
    true,
);

/// The same with `--international-tokenization`.
pub static MTEVAL_INTERNATIONAL: Rules =
    Rules::new(ascii(Spaces::Perl, Western::Categories), by_category, false);

/// What tensor2tensor makes of `intl`: only decimal digits hold punctuation, and the backslash is
/// none, because it escapes what follows it in a list of characters.
pub static TENSOR2TENSOR: Rules = Rules::new(
    ascii(Spaces::Python, Western::Tensor2Tensor),
    |c| match group(c) {
        Group::Number => Class::Word,
        _ => by_category(c),
    },
    false,
);

/// What keras-hub makes of `13a`: no padding, and only ASCII white space.
pub static KERAS: Rules = Rules::new(
    ascii(Spaces::Perl, Western::Rules13a),
    |_| Class::Word,
    false,
);

/// Splits at U+0020 and nowhere else.
pub static SPACES: Rules = Rules::new(ascii(Spaces::One, Western::Words), |_| Class::Word, true);

/// Whose white space: Python's has U+001C to U+001F, Perl's (which is Unicode's) does not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spaces {
    Python,
    Perl,
    One,
}

/// What ASCII characters are that are no white space.
#[derive(Clone, Copy)]
enum Western {
    Symbols,
    Words,
    WordRuns,
    Rules13a,
    Categories,
    Tensor2Tensor,
}

impl Western {
    const fn class(self, c: u8) -> Class {
        match self {
            Self::Symbols => Class::Symbol,
            Self::Words => Class::Word,
            Self::WordRuns => match c {
                b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' => Class::Word,
                _ => Class::Space,
            },
            Self::Rules13a => match c {
                b'0'..=b'9' => Class::Digit,
                b'.' | b',' => Class::Stop,
                b'-' => Class::Hyphen,
                b'\'' => Class::Word,
                _ if c.is_ascii_punctuation() => Class::Symbol,
                _ => Class::Word,
            },
            Self::Categories => match c {
                b'0'..=b'9' => Class::Digit,
                b'$' | b'+' | b'<'..=b'>' | b'^' | b'`' | b'|' | b'~' => Class::Symbol,
                _ if c.is_ascii_punctuation() => Class::Stop,
                _ => Class::Word,
            },
            Self::Tensor2Tensor => match c {
                b'\\' => Class::Word,
                _ => Self::Categories.class(c),
            },
        }
    }
}

const fn ascii(spaces: Spaces, western: Western) -> [Class; 128] {
    let mut classes = [Class::Space; 128];
    let mut c: u8 = 0;
    while c < 128 {
        let space = match c {
            0x20 => true,
            0x09..=0x0D => !matches!(spaces, Spaces::One),
            0x1C..=0x1F => matches!(spaces, Spaces::Python),
            _ => false,
        };
        if !space {
            classes[c as usize] = western.class(c);
        }
        c += 1;
    }
    classes
}

fn by_category(c: u32) -> Class {
    match group(c) {
        Group::Digit | Group::Number => Class::Digit,
        Group::Punctuation => Class::Stop,
        Group::Symbol => Class::Symbol,
        Group::Separator => Class::Space,
        Group::Other if c == NEXT_LINE => Class::Space,
        Group::Letter | Group::Other => Class::Word,
    }
}

fn chinese(c: u32, is_chinese: bool) -> Class {
    if is_wide_space(c) {
        Class::Space
    } else if is_chinese {
        Class::Symbol
    } else {
        Class::Word
    }
}

/// The one white space beyond ASCII that is a control character.
const NEXT_LINE: u32 = 0x85;

/// White space beyond ASCII, on which Python and Perl agree: this one and all separators.
fn is_wide_space(c: u32) -> bool {
    c == NEXT_LINE || group(c) == Group::Separator
}

/// Splits `text`, UTF-8 in `scratch`, by some rules.
pub fn split(scratch: &Scratch, text: Range<usize>, tokens: &mut TokenList, rules: &Rules) {
    // A token takes at least one byte.
    tokens.reset(text.len());
    let mut splitter = Splitter {
        bytes: &scratch.bytes()[..text.end],
        table: rules.table(),
        rules,
        tokens,
        word: None,
    };
    let mut before = if rules.padded {
        Class::Space
    } else {
        Class::Digit
    };
    let mut at = text.start;
    while let Some((class, next)) = splitter.look(at) {
        let mut end = next;
        before = match class {
            Class::Space => {
                splitter.end_word(at);
                class
            }
            Class::Symbol => {
                splitter.cut(at, next);
                class
            }
            Class::Hyphen if before == Class::Digit && at > text.start => {
                splitter.cut(at, next);
                class
            }
            Class::Stop => {
                end = splitter.stops(at, next, before == Class::Digit);
                class
            }
            Class::Word | Class::Digit | Class::Hyphen => {
                splitter.join(at);
                splitter.rest_of_word(class, &mut end)
            }
        };
        at = end;
    }
    splitter.end_word(text.end);
}

struct Splitter<'a> {
    bytes: &'a [u8],
    rules: &'a Rules,
    table: &'a Table,
    tokens: &'a mut TokenList,
    /// Where the word began that has not ended yet.
    word: Option<usize>,
}

impl Splitter<'_> {
    /// The class of the character at `at`, and where it ends; nothing at the end of the text.
    #[inline(always)]
    fn look(&self, at: usize) -> Option<(Class, usize)> {
        let &byte = self.bytes.get(at)?;
        if byte.is_ascii() {
            return Some((self.table[byte as usize], at + 1));
        }
        let (c, length) = decode(&self.bytes[at..]);
        let class = match self.table.get(c as usize) {
            Some(&class) => class,
            None => (self.rules.wide)(c),
        };
        Some((class, at + length))
    }

    /// Skips the letters and digits that follow; returns the class of the last one.
    #[inline(always)]
    fn rest_of_word(&self, mut class: Class, end: &mut usize) -> Class {
        while let Some((next @ (Class::Word | Class::Digit), after)) = self.look(*end) {
            class = next;
            *end = after;
        }
        class
    }

    fn join(&mut self, at: usize) {
        self.word.get_or_insert(at);
    }

    fn end_word(&mut self, at: usize) {
        if let Some(start) = self.word.take() {
            self.tokens.push(start, at);
        }
    }

    fn cut(&mut self, at: usize, end: usize) {
        self.end_word(at);
        self.tokens.push(at, end);
    }

    /// Takes a run of stops, of which the first is given; returns where the run ends.
    fn stops(&mut self, mut at: usize, mut end: usize, digit_before: bool) -> usize {
        let mut count = 1;
        let after = loop {
            match self.look(end) {
                Some((Class::Stop, next)) => {
                    self.cut(at, end);
                    (at, end) = (end, next);
                    count += 1;
                }
                other => break other,
            }
        };
        let digit_after = match after {
            Some((class, _)) => class == Class::Digit,
            None => !self.rules.padded,
        };
        // Rule 2 pairs the run, and the character before it unless that is a digit.
        let paired_up = (count % 2 == 0) == digit_before;
        if !paired_up && digit_after {
            self.join(at);
        } else {
            self.cut(at, end);
        }
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Segment;
    use crate::tokenize::Tokenizer;

    fn tokens(name: &str, text: &str) -> Vec<String> {
        let mut scratch = Scratch::default();
        let range = scratch.push(Segment::Utf8(text.as_bytes()));
        let mut found = TokenList::default();
        let tokenizer = Tokenizer::named(name).expect("known");
        tokenizer.tokenize(&mut scratch, range, &mut found);
        found
            .as_slice()
            .iter()
            .map(|token| String::from_utf8_lossy(token.bytes(&scratch)).into_owned())
            .collect()
    }

    /// What is written down for ASCII is what the tables say.
    #[test]
    fn ascii_is_unicode() {
        for c in 0..128_u8 {
            let wide = match group(c.into()) {
                Group::Digit | Group::Number => Class::Digit,
                Group::Punctuation => Class::Stop,
                Group::Symbol => Class::Symbol,
                _ => Class::Word,
            };
            assert_eq!(Western::Categories.class(c), wide, "{c:#x}");
            let word = matches!(group(c.into()), Group::Letter | Group::Digit) || c == b'_';
            assert_eq!(Western::WordRuns.class(c) == Class::Word, word, "{c:#x}");
        }
    }

    #[test]
    fn the_end_of_a_text_holds_a_stop_unless_padded() {
        assert_eq!(tokens("intl", "in 2023."), ["in", "2023."]);
        assert_eq!(tokens("intl", "in 2023. "), ["in", "2023."]);
        assert_eq!(tokens("mteval-v14-intl", "in 2023. "), ["in", "2023", "."]);
        assert_eq!(tokens("zh", "2023."), ["2023."]);
        assert_eq!(tokens("mteval-v13a", "2023."), ["2023", "."]);
        assert_eq!(tokens("zh", " .5 -1-2"), [".5", "-1", "-", "2"]);
        assert_eq!(
            tokens("intl", "\"5\"..., (a)"),
            ["\"5", "\"", ".", ".", ".", ",", "(", "a", ")"]
        );
    }

    #[test]
    fn what_is_a_token_of_its_own() {
        assert_eq!(tokens("char", "a \u{301}é"), ["a", "\u{301}", "é"]);
        assert_eq!(
            tokens("words", "don't_x ²Ⅷ नमस्ते"),
            ["don", "t_x", "²Ⅷ", "नमस", "त"]
        );
        assert_eq!(
            tokens("moses", "a\u{a0}b\u{3000}c\td"),
            ["a\u{a0}b\u{3000}c", "d"]
        );
        assert_eq!(tokens("zh", "你好—カ𠀀𠀁"), ["你", "好", "—", "カ𠀀𠀁"]);
        assert_eq!(
            tokens("zh-fixed", "你好——カ𠀀𠀁"),
            ["你", "好", "——", "カ", "𠀀", "𠀁"]
        );
    }
}
