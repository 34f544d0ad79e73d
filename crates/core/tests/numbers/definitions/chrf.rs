//! chrF, chrF+ and chrF++ by definition (Popović 2015, 2017); what the papers leave open is as in
//! sacreBLEU.

use std::hash::Hash;

use super::ngrams::{clipped_matches, counts};

/// The words of chrF++: pieces between whitespace, of which one symbol of ASCII is cut off, that at
/// the end or else that at the start.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for piece in text.split_whitespace() {
        let (first, last) = (piece.chars().next(), piece.chars().next_back());
        let is_symbol = |c: Option<char>| c.is_some_and(|c| c.is_ascii_punctuation());
        let (before, after) = if piece.chars().count() == 1 {
            (piece, "")
        } else if is_symbol(last) {
            piece.split_at(piece.len() - 1)
        } else if is_symbol(first) {
            piece.split_at(1)
        } else {
            (piece, "")
        };
        words.push(before.to_owned());
        words.extend((!after.is_empty()).then(|| after.to_owned()));
    }
    words
}

/// The row of a hypothesis and a reference: for each order of characters, then of words, the n-grams
/// of the hypothesis, of the reference, and of both.
pub fn row(texts: [&str; 2], whitespace: bool, char_order: usize, word_order: usize) -> Vec<i64> {
    let characters = texts.map(|text| {
        let kept = text.chars().filter(|c| whitespace || !c.is_whitespace());
        kept.collect::<Vec<_>>()
    });
    let mut row = counted(characters, char_order);
    row.extend(counted(texts.map(words), word_order));
    row
}

fn counted<T: Eq + Hash>([hypothesis, reference]: [Vec<T>; 2], orders: usize) -> Vec<i64> {
    let references = [reference];
    let mut row = Vec::new();
    for n in 1..=orders {
        let total = |text: &[T]| counts(text, n).values().sum::<i64>();
        let [own, other] = [total(&hypothesis), total(&references[0])];
        // What the reference does not have costs no precision.
        let own = if other == 0 { 0 } else { own };
        row.extend([own, other, clipped_matches(&hypothesis, &references, n)]);
    }
    row
}
