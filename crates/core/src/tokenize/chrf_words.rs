//! The words of chrF++: split at whitespace, and one symbol cut off.

use std::hint::select_unpredictable;
use std::ops::Range;

use super::token::{Token, TokenList};
use super::tokenizer::Tokenizer;
use crate::text::Scratch;

/// Splits a text into words; `pieces` are its parts between whitespace.
///
/// A symbol of ASCII at the end of a word becomes a word by itself, or else one at its start: at most
/// one, and not if it is the whole word.
pub fn chrf_words(
    scratch: &mut Scratch,
    text: Range<usize>,
    pieces: &mut TokenList,
    words: &mut TokenList,
) {
    let length = text.len();
    Tokenizer::None.tokenize(scratch, text, pieces);
    let bytes = scratch.bytes();
    let is_symbol = |at: u32| bytes[at as usize].is_ascii_punctuation();
    words.reset(length);
    for Token { start, end } in pieces.as_slice().iter() {
        // Where symbols are is unpredictable, so that nothing here is a branch: what a word without
        // one leaves behind it is overwritten.
        let (first, last) = (is_symbol(start), is_symbol(end - 1));
        let cut = select_unpredictable(first, start + 1, end);
        let cut = select_unpredictable(last, end - 1, cut);
        let cut = select_unpredictable(end - start > 1, cut, end);
        words.push(start, cut);
        words.push(cut, end);
        words.count -= usize::from(cut == end);
    }
}
