//! The words of chrF++: split at whitespace, and one symbol cut off.

use std::ops::Range;

use super::token::{Token, TokenList};
use super::tokenizer::Tokenizer;
use crate::text::Scratch;

/// Splits a text into words.
///
/// A symbol of ASCII at the end of a word becomes a word by itself, or else one at its start: at most
/// one, and not if it is the whole word.
pub fn chrf_words(scratch: &mut Scratch, text: Range<usize>, words: &mut TokenList) {
    Tokenizer::None.tokenize(scratch, text, words);
    let pieces: Vec<Token> = words.as_slice().iter().collect();
    let bytes = scratch.bytes();
    let is_symbol = |at: u32| bytes[at as usize].is_ascii_punctuation();
    words.count = 0;
    for Token { start, end } in pieces {
        let cut = match end - start {
            0 | 1 => end,
            _ if is_symbol(end - 1) => end - 1,
            _ if is_symbol(start) => start + 1,
            _ => end,
        };
        words.push(start, cut);
        if cut < end {
            words.push(cut, end);
        }
    }
}
