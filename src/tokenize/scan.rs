//! Fast splitting of 64 bytes at a time: at whitespace (`none`), and by the rules of `13a`.
//!
//! `13a` follows the rules that [`characters`](super::characters) explains, with padding, the
//! symbols of ASCII, the stops `.` and `,`, and ASCII digits.
//!
//! In a block of 64 bytes, the few special bytes are examined one by one. Then the starts and ends
//! of all tokens follow from two masks, of spaces and of symbols, without branches.

use std::ops::Range;

use super::classify::{Classifier, Marks, Portable};
use super::token::{Token, TokenList};
use crate::text::{Encoding, PADDING, Scratch, space_length};

/// Whether a text has been tokenized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The whole text is tokenized.
    Done,
    /// The text contains something that must be [rewritten](super::rewrite) first.
    NeedsRewrite,
}

/// The rules to split by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rules {
    Words,
    V13a,
    V13aRewritten,
}

/// Splits on whitespace.
pub fn words(scratch: &Scratch, text: Range<usize>, tokens: &mut TokenList) {
    scan(scratch, text, tokens, Rules::Words);
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
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the three features have just been detected.
        return unsafe { avx2(scratch, text, tokens, rules) };
    }
    scan_with::<Portable>(scratch, text, tokens, rules)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn avx2(scratch: &Scratch, text: Range<usize>, tokens: &mut TokenList, rules: Rules) -> Outcome {
    scan_with::<super::classify::Avx2>(scratch, text, tokens, rules)
}

#[inline(always)]
fn scan_with<C: Classifier>(
    scratch: &Scratch,
    text: Range<usize>,
    tokens: &mut TokenList,
    rules: Rules,
) -> Outcome {
    // A token takes at least one byte.
    tokens.reset(text.len());
    let mut scanner = Scanner {
        bytes: scratch.bytes(),
        begin: text.start,
        end: text.end,
        run_end: text.start,
        run_attached: false,
        tokens: &mut tokens.buffer,
        started: 0,
        ended: 0,
    };
    let latin1 = scratch.encoding() == Encoding::Latin1;
    let outcome = match (rules, latin1) {
        (Rules::Words, false) => scanner.run::<C, false, false, false>(),
        (Rules::Words, true) => scanner.run::<C, true, false, false>(),
        (Rules::V13a, false) => scanner.run::<C, false, true, true>(),
        (Rules::V13a, true) => scanner.run::<C, true, true, true>(),
        (Rules::V13aRewritten, false) => scanner.run::<C, false, true, false>(),
        (Rules::V13aRewritten, true) => scanner.run::<C, true, true, false>(),
    };
    tokens.count = scanner.ended;
    outcome
}

struct Scanner<'a> {
    bytes: &'a [u8],
    begin: usize,
    end: usize,
    /// The end of the last run of stops, and whether its last stop stays attached to a digit.
    run_end: usize,
    run_attached: bool,
    tokens: &'a mut [Token],
    /// Number of tokens whose start, or end, has been written.
    started: usize,
    ended: usize,
}

impl Scanner<'_> {
    #[inline(always)]
    fn run<C: Classifier, const LATIN1: bool, const V13A: bool, const REWRITE: bool>(
        &mut self,
    ) -> Outcome {
        // Whether the byte before the block separates tokens, or is part of one; and the bytes of
        // the block that belong to a whitespace character begun before it.
        let (mut separator_before, mut token_before, mut spaces_before) = (1, 0, 0);
        for block in (self.begin..self.end).step_by(64) {
            let Some(window) = self.bytes[block..].first_chunk::<PADDING>() else {
                unreachable!("every text is followed by padding")
            };
            let mut marks = C::marks::<LATIN1>(window);
            let outside = match self.end - block {
                left @ 0..64 => u64::MAX << left,
                _ => 0,
            };
            marks.spaces |= outside | spaces_before;
            marks.specials &= !outside;
            marks.symbols = if V13A { marks.symbols & !outside } else { 0 };
            spaces_before = 0;
            while marks.specials != 0 {
                let bit = marks.specials.trailing_zeros();
                marks.specials &= marks.specials - 1;
                let at = block + bit as usize;
                let separate = match self.bytes[at] {
                    b'.' | b',' => V13A && self.is_separate(at),
                    b'-' => {
                        if REWRITE && self.bytes[at + 1] == b'\n' && at + 1 < self.end {
                            return Outcome::NeedsRewrite;
                        }
                        V13A && at > self.begin && self.bytes[at - 1].is_ascii_digit()
                    }
                    b'&' | b'<' => {
                        if REWRITE && is_markup(&self.bytes[at..]) {
                            return Outcome::NeedsRewrite;
                        }
                        V13A
                    }
                    _ => {
                        let length = space_length(&self.bytes[at..self.end]);
                        let spaces: u64 = (1 << length) - 1;
                        marks.spaces |= spaces << bit;
                        spaces_before = spaces >> 1 >> (63 - bit);
                        false
                    }
                };
                marks.symbols |= u64::from(separate) << bit;
            }
            let Marks {
                spaces, symbols, ..
            } = marks;
            let separators = spaces | symbols;
            let starts = !spaces & (separators << 1 | separator_before | symbols);
            let ends = (!spaces << 1 | token_before) & (spaces | starts);
            separator_before = separators >> 63;
            token_before = !spaces >> 63;
            self.write(block, starts, ends);
        }
        // A text that fills its last block ends without a separator.
        self.write(self.end, 0, token_before);
        Outcome::Done
    }

    /// Writes the starts and ends of tokens in a block. The k-th end belongs to the k-th start.
    ///
    /// It writes equally many of both, which may be more than there are, and counts the real ones.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "`Preprocessing` bounds the scratch buffer"
    )]
    fn write(&mut self, block: usize, mut starts: u64, mut ends: u64) {
        let block = block as u32;
        let (started, ended) = (starts.count_ones() as usize, ends.count_ones() as usize);
        let most = started.max(ended);
        let mut ahead = 0;
        while ahead < most {
            // Eight at a time, because their number is unpredictable.
            for _ in 0..8 {
                self.tokens[self.started + ahead].start = block + starts.trailing_zeros();
                self.tokens[self.ended + ahead].end = block + ends.trailing_zeros();
                starts &= starts.wrapping_sub(1);
                ends &= ends.wrapping_sub(1);
                ahead += 1;
            }
        }
        self.started += started;
        self.ended += ended;
    }

    /// Whether the stop at `at` is a token by itself. Must be called for each stop in order.
    #[inline(always)]
    fn is_separate(&mut self, at: usize) -> bool {
        if at >= self.run_end {
            let digit_before = at > self.begin && self.bytes[at - 1].is_ascii_digit();
            let mut after = at + 1;
            while after < self.end && is_stop(self.bytes[after]) {
                after += 1;
            }
            let digit_after = after < self.end && self.bytes[after].is_ascii_digit();
            // Rule 2 pairs the stops, starting with the character before them unless it is a digit.
            let paired_up = (after - at).is_multiple_of(2) == digit_before;
            self.run_end = after;
            self.run_attached = !paired_up && digit_after;
        }
        !(self.run_attached && at + 1 == self.run_end)
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
    use super::*;
    use crate::text::Segment;
    use crate::tokenize::Tokenizer;

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
            let decode = |token: &Token| {
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
            let mut portable = TokenList::default();
            scan_with::<Portable>(&scratch, range, &mut portable, Rules::V13a);
            let portable: Vec<_> = portable
                .as_slice()
                .iter()
                .map(|t| t.bytes(&scratch))
                .collect();
            assert_eq!(
                portable,
                expected.iter().map(String::as_bytes).collect::<Vec<_>>()
            );
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
