//! Fast splitting of 64 bytes at a time: at whitespace (`none`), into characters (`char`), and by
//! the rules of `13a`.
//!
//! `13a` follows the rules that [`characters`](super::characters) explains, with padding, the
//! symbols of ASCII, the stops `.` and `,`, and ASCII digits.
//!
//! In a block of 64 bytes, the starts and ends of all tokens follow from masks, without branches on
//! the text: of spaces, of symbols, and of stops and hyphens with their neighbors. Only runs of
//! stops, and the few bytes that may begin an entity or a wide space, are examined one by one.

use std::ops::Range;

use super::blocks::{self, Blocks};
pub use super::scanner::Outcome;
use super::scanner::Scanner;
use super::token::TokenList;
use crate::processor::Level;
use crate::text::{Encoding, Scratch};

/// The rules to split by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rules {
    Words,
    Characters,
    V13a,
    V13aRewritten,
}

/// Splits on whitespace.
pub fn words(scratch: &Scratch, text: Range<usize>, tokens: &mut TokenList) {
    scan(scratch, text, tokens, Rules::Words);
}

/// Makes each character that is not whitespace a token.
pub fn characters(scratch: &Scratch, text: Range<usize>, tokens: &mut TokenList) {
    scan(scratch, text, tokens, Rules::Characters);
}

/// Applies `13a`, or reports that the text must be rewritten first.
pub fn v13a(scratch: &Scratch, text: Range<usize>, tokens: &mut TokenList) -> Outcome {
    scan(scratch, text, tokens, Rules::V13a)
}

/// Applies `13a` to a text that has been rewritten, in which `&lt;` is not an entity.
pub fn v13a_rewritten(scratch: &Scratch, text: Range<usize>, tokens: &mut TokenList) {
    scan(scratch, text, tokens, Rules::V13aRewritten);
}

fn scan(scratch: &Scratch, text: Range<usize>, tokens: &mut TokenList, rules: Rules) -> Outcome {
    let scan = Scan {
        scratch,
        text,
        tokens,
        rules,
    };
    blocks::run(Level::current(), scan)
}

struct Scan<'a> {
    scratch: &'a Scratch,
    text: Range<usize>,
    tokens: &'a mut TokenList,
    rules: Rules,
}

impl blocks::Work for Scan<'_> {
    type Output = Outcome;

    #[inline(always)]
    fn run(self, blocks: impl Blocks) -> Outcome {
        let Self {
            scratch,
            text,
            tokens,
            rules,
        } = self;
        let mut scanner = Scanner::new(blocks, scratch.bytes(), text, tokens);
        let latin1 = scratch.encoding() == Encoding::Latin1;
        match (rules, latin1) {
            (Rules::Words, false) => scanner.words::<false, false, false>(),
            (Rules::Words, true) => scanner.words::<true, false, false>(),
            (Rules::Characters, false) => scanner.characters::<false>(),
            (Rules::Characters, true) => scanner.characters::<true>(),
            (Rules::V13a, false) => scanner.words::<false, true, true>(),
            (Rules::V13a, true) => scanner.words::<true, true, true>(),
            (Rules::V13aRewritten, false) => scanner.words::<false, true, false>(),
            (Rules::V13aRewritten, true) => scanner.words::<true, true, false>(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Segment;
    use crate::tokenize::blocks::plain;
    use crate::tokenize::{Token, Tokenizer};

    /// The tokens of a text. If it fits into Latin-1, they must be the same in that encoding.
    fn tokens(tokenizer: Tokenizer, text: &str) -> Vec<String> {
        let mut scratch = Scratch::default();
        let range = scratch.push(Segment::Utf8(text.as_bytes()));
        let mut list = TokenList::default();
        tokenizer.tokenize(&mut scratch, range, &mut list);
        let tokens: Vec<String> = list
            .as_slice()
            .iter()
            .map(|token| String::from_utf8_lossy(token.bytes(&scratch)).into_owned())
            .collect();
        let latin1: Result<Vec<u8>, _> = text.chars().map(u8::try_from).collect();
        if let Ok(latin1) = latin1 {
            scratch.clear(Encoding::Latin1);
            let range = scratch.push(Segment::Latin1(&latin1));
            tokenizer.tokenize(&mut scratch, range, &mut list);
            let decode = |token: Token| {
                token
                    .bytes(&scratch)
                    .iter()
                    .copied()
                    .map(char::from)
                    .collect()
            };
            assert_eq!(
                list.as_slice().iter().map(decode).collect::<Vec<String>>(),
                tokens
            );
        }
        tokens
    }

    /// Tokenizes by the four substitutions of `13a`, one after the other.
    fn by_substitution(text: &str) -> Vec<String> {
        fn pass(text: &[char], matches: impl Fn(char, char) -> bool, second: bool) -> Vec<char> {
            let mut out = Vec::new();
            let mut i = 0;
            while i < text.len() {
                if i + 1 < text.len() && matches(text[i], text[i + 1]) {
                    let (a, b) = (text[i], text[i + 1]);
                    out.extend(if second {
                        [a, ' ', b, ' ']
                    } else {
                        [' ', a, ' ', b]
                    });
                    i += 2;
                } else {
                    out.push(text[i]);
                    i += 1;
                }
            }
            out
        }
        let stop = |c| c == '.' || c == ',';
        let digit = |c: char| c.is_ascii_digit();
        let mut padded = String::new();
        for c in format!(" {text} ").chars() {
            let symbol = c.is_ascii_punctuation() && !"',-.".contains(c) || c == ' ';
            if symbol {
                padded.extend([' ', c, ' ']);
            } else {
                padded.push(c);
            }
        }
        let chars: Vec<char> = padded.chars().collect();
        let chars = pass(&chars, |a, b| !digit(a) && stop(b), true);
        let chars = pass(&chars, |a, b| stop(a) && !digit(b), false);
        let chars = pass(&chars, |a, b| digit(a) && b == '-', true);
        let text: String = chars.into_iter().collect();
        text.split_whitespace().map(str::to_owned).collect()
    }

    /// One pass gives the same as four, for every text over the characters that interact.
    #[test]
    fn one_pass_equals_four_passes() {
        let alphabet = ['1', 'a', '.', ',', '-', ' ', '(', 'ä'];
        for length in 0..=6 {
            for number in 0..alphabet.len().pow(length) {
                let mut rest = number;
                let text: String = (0..length)
                    .map(|_| {
                        let c = alphabet[rest % alphabet.len()];
                        rest /= alphabet.len();
                        c
                    })
                    .collect();
                assert_eq!(
                    tokens(Tokenizer::V13a, &text),
                    by_substitution(&text),
                    "{text:?}"
                );
            }
        }
    }

    /// Tokens do not depend on the position in a block, nor on the classifier.
    #[test]
    fn block_boundaries_do_not_matter() {
        let wide = "x 1,,,2.5-3 a..b \u{3000}c\u{85}d\u{a0}- (e)\u{2028}f .,5, 7";
        let latin1 = "x 1,,,2.5-3 a..b \u{85}cÂà\u{a0}dâ- (ã)f .,5, 7";
        for shift in 0..260 {
            let text = if shift % 2 == 0 { wide } else { latin1 };
            let text = format!("{}{text}", "y".repeat(shift / 2));
            let expected = by_substitution(&text);
            assert_eq!(tokens(Tokenizer::V13a, &text), expected);
            let mut scratch = Scratch::default();
            let range = scratch.push(Segment::Utf8(text.as_bytes()));
            for level in Level::available() {
                let mut list = TokenList::default();
                let scan = Scan {
                    scratch: &scratch,
                    text: range.clone(),
                    tokens: &mut list,
                    rules: Rules::V13a,
                };
                blocks::run(level, scan);
                let found = list.as_slice().iter().map(|t| t.bytes(&scratch));
                let expected = expected.iter().map(String::as_bytes);
                assert!(found.eq(expected), "{text:?} {level:?}");
            }
        }
    }

    #[test]
    fn some_characters_at_every_level() {
        check(plain::some_characters);
    }

    #[test]
    #[ignore = "slow"]
    fn every_character_at_every_level() {
        check(|| '\0'..=char::MAX);
    }

    fn check<I: Iterator<Item = char>>(characters: impl Fn() -> I) {
        for rules in [Rules::Words, Rules::Characters, Rules::V13aRewritten] {
            plain::check_characters(characters(), |scratch, text, tokens, level| {
                let scan = Scan {
                    scratch,
                    text,
                    tokens,
                    rules,
                };
                assert_eq!(plain::run(level, scan), Outcome::Done);
            });
        }
    }
}
