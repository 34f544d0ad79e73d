//! Splitting at marked bytes: white space alone (`none`), and the rules of `13a`.
//!
//! sacreBLEU's `13a` pads the text with a space on either side and runs four substitutions over
//! it, each from left to right without overlaps, then splits on white space:
//!
//! 1. a space around each ASCII symbol except `'`, `,`, `-`, `.`
//! 2. a character that is no digit, then `.` or `,`: spaces around the second
//! 3. `.` or `,`, then a character that is no digit: spaces around the first
//! 4. a digit, then `-`: spaces around the second
//!
//! Because matches do not overlap, rule 2 takes a run of stops in pairs, and rule 3 takes all
//! that rule 2 has touched. What can be left over is the last stop of a run; it stays with the
//! digit behind it ([`Scanner::stops`]). That makes one pass enough.

use std::ops::Range;

use memchr::memmem;

use super::Token;
use super::classify::{Class, Classifier, Portable, classes};
use crate::text::{Encoding, PADDING, Scratch, space_length, trim_end};

/// Whether the tokens are right as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The whole text is tokenized.
    Done,
    /// The text holds something that [`rewrite_13a`] must see to first.
    NeedsRewrite,
}

/// Which rules are at work.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rules {
    Words,
    V13a,
    V13aRewritten,
}

/// Splits on white space.
pub fn words(scratch: &Scratch, text: Range<usize>, tokens: &mut Vec<Token>) {
    scan(scratch, text, tokens, Rules::Words);
}

/// Applies `13a`, or reports that the text must be rewritten first.
pub fn v13a(scratch: &Scratch, text: Range<usize>, tokens: &mut Vec<Token>) -> Outcome {
    scan(scratch, text, tokens, Rules::V13a)
}

/// Applies `13a` to a text from [`rewrite_13a`], in which `&lt;` is text.
pub fn v13a_rewritten(scratch: &Scratch, text: Range<usize>, tokens: &mut Vec<Token>) {
    scan(scratch, text, tokens, Rules::V13aRewritten);
}

/// What `13a` does before its rules: drops `<skipped>`, joins lines at a hyphen, decodes entities.
///
/// One replacement after the other, so `&amp;lt;` ends as `<`.
pub fn rewrite_13a(scratch: &mut Scratch, text: Range<usize>) -> Range<usize> {
    const REPLACEMENTS: [(&[u8], &[u8]); 7] = [
        (b"<skipped>", b""),
        (b"-\n", b""),
        (b"\n", b" "),
        (b"&quot;", b"\""),
        (b"&amp;", b"&"),
        (b"&lt;", b"<"),
        (b"&gt;", b">"),
    ];
    let mut current = trim_end(&scratch.bytes()[text], scratch.encoding()).to_vec();
    for (old, new) in REPLACEMENTS {
        let mut next = Vec::with_capacity(current.len());
        let mut rest = 0;
        for found in memmem::find_iter(&current, old) {
            next.extend_from_slice(&current[rest..found]);
            next.extend_from_slice(new);
            rest = found + old.len();
        }
        if rest > 0 {
            next.extend_from_slice(&current[rest..]);
            current = next;
        }
    }
    scratch.append(|bytes| bytes.extend_from_slice(&current))
}

fn scan(scratch: &Scratch, text: Range<usize>, tokens: &mut Vec<Token>, rules: Rules) -> Outcome {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        // SAFETY: AVX2 has just been detected.
        return unsafe { avx2(scratch, text, tokens, rules) };
    }
    scan_with::<Portable>(scratch, text, tokens, rules)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1")]
fn avx2(scratch: &Scratch, text: Range<usize>, tokens: &mut Vec<Token>, rules: Rules) -> Outcome {
    scan_with::<super::classify::Avx2>(scratch, text, tokens, rules)
}

#[inline(always)]
fn scan_with<C: Classifier>(
    scratch: &Scratch,
    text: Range<usize>,
    tokens: &mut Vec<Token>,
    rules: Rules,
) -> Outcome {
    // A token takes at least one byte.
    tokens.reserve(text.len());
    let mut scanner = Scanner {
        bytes: scratch.bytes(),
        begin: text.start,
        end: text.end,
        start: text.start,
        tokens,
    };
    let latin1 = scratch.encoding() == Encoding::Latin1;
    match (rules, latin1) {
        (Rules::Words, false) => scanner.run::<C, false, false, false>(),
        (Rules::Words, true) => scanner.run::<C, true, false, false>(),
        (Rules::V13a, false) => scanner.run::<C, false, true, true>(),
        (Rules::V13a, true) => scanner.run::<C, true, true, true>(),
        (Rules::V13aRewritten, false) => scanner.run::<C, false, true, false>(),
        (Rules::V13aRewritten, true) => scanner.run::<C, true, true, false>(),
    }
}

struct Scanner<'a> {
    bytes: &'a [u8],
    begin: usize,
    end: usize,
    /// Where the word that is being read began.
    start: usize,
    tokens: &'a mut Vec<Token>,
}

impl Scanner<'_> {
    /// Visits the marked bytes in order.
    #[inline(always)]
    fn run<C: Classifier, const LATIN1: bool, const V13A: bool, const REWRITE: bool>(
        &mut self,
    ) -> Outcome {
        let mut block = self.begin;
        while block < self.end {
            let Some(window) = self.bytes[block..].first_chunk::<PADDING>() else {
                unreachable!("every text is followed by padding")
            };
            let mut marks = C::marks::<LATIN1>(window);
            let left = self.end - block;
            if left < 64 {
                marks &= (1 << left) - 1;
            }
            while marks != 0 {
                let at = block + marks.trailing_zeros() as usize;
                marks &= marks - 1;
                match classes::<LATIN1>()[self.bytes[at] as usize] {
                    Class::Word => {}
                    Class::Space => self.cut(at, 1),
                    Class::LineFeed => {
                        if REWRITE && at > self.begin && self.bytes[at - 1] == b'-' {
                            return Outcome::NeedsRewrite;
                        }
                        self.cut(at, 1);
                    }
                    Class::Lead => match space_length(&self.bytes[at..]) {
                        0 => {}
                        length => self.cut(at, length),
                    },
                    _ if !V13A => {}
                    Class::Symbol => self.symbol(at),
                    Class::Markup => {
                        if REWRITE && is_markup(&self.bytes[at..]) {
                            return Outcome::NeedsRewrite;
                        }
                        self.symbol(at);
                    }
                    Class::Stop => self.stops(at),
                    Class::Dash => {
                        if at > self.begin && self.bytes[at - 1].is_ascii_digit() {
                            self.symbol(at);
                        }
                    }
                }
            }
            block += 64;
        }
        self.cut(self.end, 0);
        Outcome::Done
    }

    /// Ends the word before `at`, if there is one; the next begins `skip` bytes on.
    #[inline(always)]
    fn cut(&mut self, at: usize, skip: usize) {
        if self.start < at {
            self.push(self.start, at - self.start);
        }
        self.start = at + skip;
    }

    /// Makes the byte at `at` a token of its own.
    #[inline(always)]
    fn symbol(&mut self, at: usize) {
        self.cut(at, 1);
        self.push(at, 1);
    }

    /// Handles the run of `.` and `,` that begins at `at`.
    #[inline(always)]
    fn stops(&mut self, at: usize) {
        if at > self.begin && is_stop(self.bytes[at - 1]) {
            return; // In a run that is dealt with.
        }
        let digit_before = at > self.begin && self.bytes[at - 1].is_ascii_digit();
        let mut after = at + 1;
        while after < self.end && is_stop(self.bytes[after]) {
            after += 1;
        }
        let digit_after = after < self.end && self.bytes[after].is_ascii_digit();
        // Rule 2 pairs the run, and the character before it unless that is a digit.
        let paired_up = (after - at).is_multiple_of(2) == digit_before;
        let glued = usize::from(!paired_up && digit_after);
        if digit_before && glued == 1 && after - at == 1 {
            return; // As in 3.14: part of the word.
        }
        self.cut(at, 0);
        for stop in at..after - glued {
            self.push(stop, 1);
        }
        self.start = after - glued;
    }

    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "`batch` bounds the scratch buffer"
    )]
    fn push(&mut self, start: usize, length: usize) {
        self.tokens.push(Token {
            start: start as u32,
            length: length as u32,
        });
    }
}

fn is_stop(byte: u8) -> bool {
    matches!(byte, b'.' | b',')
}

fn is_markup(bytes: &[u8]) -> bool {
    [&b"&quot;"[..], b"&amp;", b"&lt;", b"&gt;", b"<skipped>"]
        .iter()
        .any(|markup| bytes.starts_with(markup))
}

#[cfg(test)]
mod tests {
    use super::super::Tokenizer;
    use super::*;
    use crate::text::Segment;

    /// The tokens of a text; where it fits into Latin-1 they must be the same there.
    fn tokens(tokenizer: Tokenizer, text: &str) -> Vec<String> {
        let mut scratch = Scratch::default();
        let range = scratch.push(Segment::Utf8(text.as_bytes()));
        let mut found = Vec::new();
        tokenizer.tokenize(&mut scratch, range, &mut found);
        let tokens: Vec<String> = found
            .iter()
            .map(|token| String::from_utf8_lossy(token.bytes(&scratch)).into_owned())
            .collect();
        let latin1: Result<Vec<u8>, _> = text.chars().map(u8::try_from).collect();
        if let Ok(latin1) = latin1 {
            scratch.clear(Encoding::Latin1);
            let range = scratch.push(Segment::Latin1(&latin1));
            found.clear();
            tokenizer.tokenize(&mut scratch, range, &mut found);
            let decode = |token: &Token| {
                token
                    .bytes(&scratch)
                    .iter()
                    .copied()
                    .map(char::from)
                    .collect()
            };
            assert_eq!(found.iter().map(decode).collect::<Vec<String>>(), tokens);
        }
        tokens
    }

    /// The four substitutions of `13a`, one after the other, on an ASCII or Latin-1 text.
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

    /// One pass gives what four give, for every text over the characters that interact.
    #[test]
    fn one_pass_is_four_passes() {
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

    /// Both classifiers, with the interesting part at every position of a block.
    #[test]
    fn block_boundaries_do_not_show() {
        let wide = "x 1,,,2.5-3 a..b \u{3000}c\u{85}d\u{a0}- (e)\u{2028}f .,5, 7";
        let latin1 = "x 1,,,2.5-3 a..b \u{85}cÂà\u{a0}dâ- (ã)f .,5, 7";
        for shift in 0..260 {
            let text = if shift % 2 == 0 { wide } else { latin1 };
            let text = format!("{}{text}", "y".repeat(shift / 2));
            let due = by_substitution(&text);
            assert_eq!(tokens(Tokenizer::V13a, &text), due);
            let mut scratch = Scratch::default();
            let range = scratch.push(Segment::Utf8(text.as_bytes()));
            let mut portable = Vec::new();
            scan_with::<Portable>(&scratch, range, &mut portable, Rules::V13a);
            assert_eq!(portable.len(), due.len());
        }
    }

    #[test]
    fn entities_and_line_ends_are_rewritten_in_order() {
        assert_eq!(tokens(Tokenizer::V13a, "a &amp;lt; b"), ["a", "<", "b"]);
        assert_eq!(
            tokens(Tokenizer::V13a, "&apos; &quot"),
            ["&", "apos", ";", "&", "quot"]
        );
        assert_eq!(
            tokens(Tokenizer::V13a, "hyphen-\nated <skipped>x\ny"),
            ["hyphenated", "x", "y"]
        );
        assert_eq!(tokens(Tokenizer::V13a, "e-\n"), ["e-"]);
        assert_eq!(
            tokens(Tokenizer::None, " a.b\n&lt; \u{2003}"),
            ["a.b", "&lt;"]
        );
    }
}
