//! The class of each character for the tokenizers that split with
//! [`characters`](super::characters).

use std::sync::OnceLock;

use super::chinese::{is_chinese, is_chinese_or_kana};
use super::unicode::{Group, group};

/// The class of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Part of a word.
    Word,
    /// Whitespace, and other characters that are dropped.
    Space,
    /// A token by itself.
    Symbol,
    /// Part of a word; a stop between two stays attached, a hyphen after one is split off.
    Digit,
    /// A token by itself, except between digits.
    Stop,
    /// A token by itself after a digit, else part of a word.
    Hyphen,
}

/// The class of each character, and whether the ends of a text count as spaces.
pub struct Rules {
    ascii: [Class; 128],
    /// The class of a character beyond ASCII.
    pub wide: fn(u32) -> Class,
    /// Whether the ends of a text count as spaces.
    pub padded: bool,
    /// The classes of the characters up to U+FFFF, computed on first use.
    table: OnceLock<Box<Table>>,
}

/// The class of each character up to U+FFFF.
pub type Table = [Class; 1 << 16];

impl Rules {
    const fn new(ascii: [Class; 128], wide: fn(u32) -> Class, padded: bool) -> Self {
        Self {
            ascii,
            wide,
            padded,
            table: OnceLock::new(),
        }
    }

    /// The class of each character up to U+FFFF.
    pub fn table(&self) -> &Table {
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

/// Runs of letters, digits and underscores (Python's `\w+`); everything else is dropped.
pub static WORD_RUNS: Rules = Rules::new(
    ascii(Spaces::Python, Western::WordRuns),
    |c| match group(c) {
        Group::Letter | Group::Digit | Group::Number => Class::Word,
        _ => Class::Space,
    },
    true,
);

/// Only ASCII whitespace separates tokens, as when Perl splits bytes.
pub static MOSES: Rules = Rules::new(ascii(Spaces::Perl, Western::Words), |_| Class::Word, true);

/// `zh` with sacreBLEU's ranges.
pub static CHINESE: Rules = Rules::new(
    ascii(Spaces::Python, Western::Rules13a),
    |c| chinese(c, is_chinese(c)),
    false,
);

/// `zh` with the intended ranges.
pub static CHINESE_FIXED: Rules = Rules::new(
    ascii(Spaces::Python, Western::Rules13a),
    |c| chinese(c, is_chinese_or_kana(c)),
    false,
);

/// `intl`: classes by Unicode category.
pub static INTERNATIONAL: Rules = Rules::new(
    ascii(Spaces::Python, Western::Categories),
    by_category,
    false,
);

/// The segmentation of `mteval-v13a.pl` after its replacements.
pub static MTEVAL: Rules = Rules::new(
    ascii(Spaces::Perl, Western::Rules13a),
    |c| unless_space(c, Class::Word),
    true,
);

/// The same with `--international-tokenization`.
pub static MTEVAL_INTERNATIONAL: Rules =
    Rules::new(ascii(Spaces::Perl, Western::Categories), by_category, false);

/// tensor2tensor's variant of `intl`: only decimal digits keep punctuation attached, and the
/// backslash is not punctuation, because it escapes the next character in its character class.
pub static TENSOR2TENSOR: Rules = Rules::new(
    ascii(Spaces::Python, Western::Tensor2Tensor),
    |c| match group(c) {
        Group::Number => Class::Word,
        _ => by_category(c),
    },
    false,
);

/// keras-hub's variant of `13a`: no padding, and only ASCII whitespace.
pub static KERAS: Rules = Rules::new(
    ascii(Spaces::Perl, Western::Rules13a),
    |_| Class::Word,
    false,
);

/// Splits at U+0020 only.
pub static SPACES: Rules = Rules::new(ascii(Spaces::One, Western::Words), |_| Class::Word, true);

/// All rules, for tests of what they have in common.
#[cfg(test)]
pub const ALL: [&Rules; 10] = [
    &WORD_RUNS,
    &MOSES,
    &CHINESE,
    &CHINESE_FIXED,
    &INTERNATIONAL,
    &MTEVAL,
    &MTEVAL_INTERNATIONAL,
    &TENSOR2TENSOR,
    &KERAS,
    &SPACES,
];

/// The definition of ASCII whitespace: Python's includes U+001C to U+001F, Perl's and Unicode's
/// does not; or only the space.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spaces {
    Python,
    Perl,
    One,
}

/// The classes of ASCII characters that are not whitespace.
#[derive(Clone, Copy)]
enum Western {
    Words,
    WordRuns,
    Rules13a,
    Categories,
    Tensor2Tensor,
}

impl Western {
    const fn class(self, c: u8) -> Class {
        match self {
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
    let class = if is_chinese {
        Class::Symbol
    } else {
        Class::Word
    };
    unless_space(c, class)
}

/// `class`, unless the character is whitespace beyond ASCII.
fn unless_space(c: u32, class: Class) -> Class {
    if is_wide_space(c) {
        Class::Space
    } else {
        class
    }
}

/// The only control character beyond ASCII that is whitespace.
const NEXT_LINE: u32 = 0x85;

/// Whether a character is whitespace beyond ASCII: in Python and Perl, U+0085 and all separators.
fn is_wide_space(c: u32) -> bool {
    c == NEXT_LINE || group(c) == Group::Separator
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The characters that are not examined one by one.
    #[test]
    fn common_letters_and_digits_are_parts_of_words() {
        let letters = (0xC0..0x280).chain(0x400..0x480);
        for c in letters.filter(|c| ![0xD7, 0xF7].contains(c)) {
            for rules in ALL {
                assert_eq!(rules.table()[c], Class::Word, "{c:#x}");
            }
        }
        for c in (0..128_u8).filter(u8::is_ascii_alphanumeric) {
            for rules in ALL {
                let class = rules.table()[c as usize];
                assert!(class == Class::Word || class == Class::Digit && c.is_ascii_digit());
            }
        }
    }

    /// The classes of ASCII characters agree with the Unicode tables.
    #[test]
    fn ascii_agrees_with_unicode() {
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
}
