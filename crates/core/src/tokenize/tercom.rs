//! The words of TER: sacreBLEU's version of the tokenizer of Tercom (Snover et al., 2006).

use std::ops::Range;

use super::rewrite::{self, rewrite};
use super::token::TokenList;
use super::tokenizer::Tokenizer;
use crate::memory::{extend, joined, listed, push, separated, with_room};
use crate::stop::stop_in;
use crate::text::{Scratch, code_points, trim_end};

/// How text becomes words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "these are its settings")]
pub struct Tercom {
    /// Do not lowercase.
    pub case_sensitive: bool,
    /// Split symbols from words.
    pub normalized: bool,
    /// Delete punctuation.
    pub no_punct: bool,
    /// With `normalized`, make words of Chinese characters and punctuation; with `no_punct`, delete
    /// East Asian punctuation, too.
    pub asian_support: bool,
}

impl Tercom {
    /// Whether text is split as it is, in any encoding.
    #[must_use]
    pub fn only_splits(self) -> bool {
        self.case_sensitive && self.splits_at_spaces()
    }

    /// Whether it does not matter what is beyond a space (U+0020).
    #[must_use]
    pub fn splits_at_spaces(self) -> bool {
        !self.normalized && !self.no_punct
    }

    /// Splits a text into words. It must be UTF-8 unless this [only splits](Self::only_splits).
    pub fn tokenize(self, scratch: &mut Scratch, text: Range<usize>, words: &mut TokenList) {
        let mut text = text;
        text.end = text.start + trim_end(&scratch.bytes()[text.clone()], scratch.encoding()).len();
        if !self.case_sensitive {
            text = scratch.push_lowercase(text);
        }
        if self.normalized || self.no_punct {
            let mut bytes = joined(&[&scratch.bytes()[text]]);
            if self.normalized && !bytes.is_empty() {
                bytes = self.normalize(bytes);
            }
            if self.no_punct {
                bytes = self.without_punctuation(&bytes);
            }
            text = scratch.append(|out| extend(out, &bytes));
        }
        Tokenizer::None.tokenize(scratch, text, words);
    }

    /// Splits a reference into words, as [`tokenize`](Self::tokenize) does, but twice: sacreBLEU
    /// tokenizes references that it has tokenized already. If they are normalized, that can split
    /// them further, as in `..0`, so that a text may differ from itself.
    pub fn tokenize_reference(
        self,
        scratch: &mut Scratch,
        text: Range<usize>,
        words: &mut TokenList,
    ) {
        self.tokenize(scratch, text, words);
        if self.normalized {
            let listed = words.as_slice().iter();
            let joined = separated(listed.map(|word| word.bytes(scratch)), b' ');
            let text = scratch.append(|out| extend(out, &joined));
            self.tokenize(scratch, text, words);
        }
    }

    /// Puts spaces where words are to be split.
    ///
    /// Each step is a replacement of matches that do not overlap, from left to right. Bytes will do:
    /// what is looked for is in ASCII, except for East Asian characters.
    fn normalize(self, text: Vec<u8>) -> Vec<u8> {
        let text = rewrite(text, rewrite::TERCOM, None);
        let text = joined(&[b" ", &text[..], b" "]);
        let mut spread = with_room(2 * text.len());
        for (place, &byte) in text.iter().enumerate() {
            stop_in(place);
            if is_symbol(byte) {
                extend(&mut spread, &[b' ', byte, b' ']);
            } else {
                push(&mut spread, byte);
            }
        }
        let text = rewrite(spread, &[&[rewrite::Pass::Literal(b"'s ", b" 's ")]], None);
        let is_other = |byte: u8| !byte.is_ascii_digit();
        let text = split_pairs(&text, ["", " "], |pair| {
            is_other(pair[0]) && is_stop(pair[1])
        });
        let text = split_pairs(&text, [" ", ""], |pair| {
            is_stop(pair[0]) && is_other(pair[1])
        });
        let text = split_pairs(&text, ["", " "], |pair| {
            pair[0].is_ascii_digit() && pair[1] == b'-'
        });
        if !self.asian_support {
            return text;
        }
        let mut spread = with_room(text.len());
        for (place, (c, bytes)) in code_points(&text).enumerate() {
            stop_in(place);
            if is_ideographic(c) || is_asian_punctuation(c) {
                for part in [b" ", bytes, b" "] {
                    extend(&mut spread, part);
                }
            } else {
                extend(&mut spread, bytes);
            }
        }
        spread
    }

    fn without_punctuation(self, text: &[u8]) -> Vec<u8> {
        let deleted = |c: u32| {
            u8::try_from(c).is_ok_and(|byte| b".,?:;!\"()".contains(&byte))
                || self.asian_support && is_asian_punctuation(c)
        };
        let kept = code_points(text).filter(|&(c, _)| !deleted(c));
        listed(kept.flat_map(|(_, bytes)| bytes).copied())
    }
}

/// Puts a space between the two bytes of each pair that fulfills the condition, and more before and
/// after the pair.
fn split_pairs(
    text: &[u8],
    [before, after]: [&str; 2],
    is_pair: impl Fn([u8; 2]) -> bool,
) -> Vec<u8> {
    let mut out = with_room(2 * text.len());
    let mut rest = text;
    while let [first, tail @ ..] = rest {
        stop_in(rest.len());
        match tail.first() {
            Some(&second) if is_pair([*first, second]) => {
                extend(&mut out, before.as_bytes());
                extend(&mut out, &[*first, b' ', second]);
                extend(&mut out, after.as_bytes());
                rest = &tail[1..];
            }
            _ => {
                push(&mut out, *first);
                rest = tail;
            }
        }
    }
    out
}

/// All punctuation of ASCII except `'`, `,`, `-` and `.`.
fn is_symbol(byte: u8) -> bool {
    byte.is_ascii_punctuation() && !matches!(byte, b'\'' | b',' | b'-' | b'.')
}

fn is_stop(byte: u8) -> bool {
    matches!(byte, b'.' | b',')
}

/// Chinese characters, their parts and compounds. Japanese syllables remain parts of words.
fn is_ideographic(c: u32) -> bool {
    matches!(
        c,
        0x2E80..=0x2EFF
            | 0x31C0..=0x31EF
            | 0x3200..=0x4DBF
            | 0x4E00..=0x9FFF
            | 0xF900..=0xFAFF
            | 0xFE30..=0xFE4F
    )
}

/// East Asian punctuation, half and full width.
fn is_asian_punctuation(c: u32) -> bool {
    matches!(
        c,
        0x3001..=0x3002
            | 0x3008..=0x3011
            | 0x3014..=0x301F
            | 0x30FB
            | 0xFF01..=0xFF02
            | 0xFF08..=0xFF09
            | 0xFF0C
            | 0xFF0E
            | 0xFF1A..=0xFF1B
            | 0xFF1F
            | 0xFF61..=0xFF65
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Segment;

    fn words(tercom: Tercom, text: &str) -> String {
        words_by(tercom, Tercom::tokenize, text)
    }

    fn words_by(
        tercom: Tercom,
        tokenize: fn(Tercom, &mut Scratch, Range<usize>, &mut TokenList),
        text: &str,
    ) -> String {
        let mut scratch = Scratch::default();
        let range = scratch.push(Segment::Utf8(text.as_bytes()));
        let mut words = TokenList::default();
        tokenize(tercom, &mut scratch, range, &mut words);
        let words: Vec<_> = words
            .as_slice()
            .iter()
            .map(|word| String::from_utf8_lossy(word.bytes(&scratch)).into_owned())
            .collect();
        words.join(" ")
    }

    const PLAIN: Tercom = Tercom {
        case_sensitive: false,
        normalized: false,
        no_punct: false,
        asian_support: false,
    };

    /// References as sacreBLEU 2.6.0 tokenized them: what is split twice may be split further.
    #[test]
    fn references_are_normalized_twice() {
        let normalized = Tercom {
            normalized: true,
            ..PLAIN
        };
        for (text, once, twice) in [
            ("0's's", "0's 's", "0 's 's"),
            ("..0", ". .0", ". . 0"),
            ("Wait... 3.14", "wait . . . 3.14", "wait . . . 3.14"),
        ] {
            assert_eq!(words(normalized, text), once);
            let reference = |tercom| words_by(tercom, Tercom::tokenize_reference, text);
            assert_eq!(reference(normalized), twice);
            assert_eq!(reference(PLAIN), words(PLAIN, text));
        }
    }

    /// Examples as sacreBLEU 2.6.0 tokenized them.
    #[test]
    fn normalized_text() {
        let normalized = Tercom {
            normalized: true,
            ..PLAIN
        };
        let check = |text, expected| assert_eq!(words(normalized, text), expected);
        check(
            "It's John's book, 3.14 and 1,000 - 5-6 U.S.A. (ok) a/b @x &amp; &quot;q&quot;",
            "it 's john 's book , 3.14 and 1,000 - 5 - 6 u . s . a . ( ok ) a / b @ x & \" q \"",
        );
        check("A-B 5-x", "a-b 5 - x");
        check("a\nb\n-c", "a bc");
        check("&amp;lt; 1...2 ..,", "< 1 . . .2 . . ,");
        check("", "");
        let asian = Tercom {
            asian_support: true,
            ..normalized
        };
        assert_eq!(
            words(asian, "你好，世界。abc カタカナ"),
            "你 好 ， 世 界 。 abc カタカナ"
        );
        assert_eq!(words(normalized, "你好，世界。abc"), "你好，世界。abc");
    }

    #[test]
    fn without_punctuation() {
        let no_punct = Tercom {
            no_punct: true,
            ..PLAIN
        };
        assert_eq!(
            words(no_punct, "Hello, world! (x): \"y\"; z? 3.14"),
            "hello world x y z 314"
        );
        let asian = Tercom {
            asian_support: true,
            ..no_punct
        };
        assert_eq!(words(asian, "你好，世界。abc"), "你好世界abc");
        assert_eq!(words(no_punct, "你好，世界。"), "你好，世界。");
    }

    #[test]
    fn case() {
        let sensitive = Tercom {
            case_sensitive: true,
            ..PLAIN
        };
        assert!(sensitive.only_splits());
        assert_eq!(words(sensitive, "  A\u{a0}B. "), "A B.");
        assert_eq!(words(PLAIN, "  A\u{a0}ΟΔΟΣ. "), "a οδος.");
    }
}
