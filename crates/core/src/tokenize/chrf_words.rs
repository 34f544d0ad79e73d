//! The words of chrF++: split at whitespace, and one symbol cut off.

use std::hint::select_unpredictable;
use std::ops::Range;

use super::token::{Token, TokenList};
use super::tokenizer::Tokenizer;
use crate::text::Scratch;

/// Which bytes are symbols of ASCII.
static SYMBOLS: [bool; 0x100] = {
    let mut symbols = [false; 0x100];
    let mut byte: u8 = 0;
    while byte.is_ascii() {
        symbols[byte as usize] = byte.is_ascii_punctuation();
        byte += 1;
    }
    symbols
};

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
    let is_symbol = |at: u32| SYMBOLS[usize::from(bytes[at as usize])];
    words.reset(length);
    let TokenList {
        starts,
        ends,
        count,
        ..
    } = words;
    let (starts, ends) = (&mut starts[..], &mut ends[..]);
    let mut place = 0;
    for Token { start, end } in pieces.as_slice().iter() {
        // Where symbols are is unpredictable, so that nothing here is a branch: what a word without
        // one leaves behind it is overwritten.
        let (first, last) = (is_symbol(start), is_symbol(end - 1));
        let cut = select_unpredictable(first, start + 1, end);
        let cut = select_unpredictable(last, end - 1, cut);
        let cut = select_unpredictable(end - start > 1, cut, end);
        (starts[place], ends[place]) = (start, cut);
        (starts[place + 1], ends[place + 1]) = (cut, end);
        place += 1 + usize::from(cut < end);
    }
    *count = place;
}
