//! Blocks byte by byte: what the other implementations are compared with in tests.

use std::ops::Range;

use super::Work;
use super::definition::{BLOCK, Blocks, Letters, Marks};
use crate::processor::Level;
use crate::text::{Scratch, Segment};
use crate::tokenize::{Token, TokenList};

/// The class of a byte to `none` and `13a`; see [`Marks`].
#[derive(PartialEq)]
enum Class {
    Word,
    Space,
    Symbol,
    Stop,
    Hyphen,
    Digit,
    Rare,
    Continuation,
}

fn class(byte: u8, latin1: bool) -> Class {
    match byte {
        0x09..=0x0D | 0x1C..=0x20 => Class::Space,
        0x85 | 0xA0 if latin1 => Class::Space,
        b'.' | b',' => Class::Stop,
        b'-' => Class::Hyphen,
        b'0'..=b'9' => Class::Digit,
        b'&' | b'<' => Class::Rare,
        0xC2 | 0xE1..=0xE3 if !latin1 => Class::Rare,
        0x80..=0xBF if !latin1 => Class::Continuation,
        b'\'' => Class::Word,
        _ if byte.is_ascii_punctuation() => Class::Symbol,
        _ => Class::Word,
    }
}

/// Needs no proof.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl Blocks for Plain {
    fn marks<const LATIN1: bool>(self, block: &[u8; BLOCK]) -> Marks {
        let mut marks = Marks::default();
        for (bit, &byte) in block.iter().enumerate() {
            let class = class(byte, LATIN1);
            for (marked, place) in [
                (Class::Space, &mut marks.spaces),
                (Class::Symbol, &mut marks.symbols),
                (Class::Stop, &mut marks.stops),
                (Class::Hyphen, &mut marks.hyphens),
                (Class::Digit, &mut marks.digits),
                (Class::Rare, &mut marks.rare),
                (Class::Continuation, &mut marks.continuations),
            ] {
                *place |= u64::from(class == marked) << bit;
            }
            marks.line_feeds |= u64::from(byte == b'\n') << bit;
        }
        marks
    }

    fn letters(self, block: &[u8; BLOCK]) -> Letters {
        let mut letters = Letters::default();
        for (bit, &byte) in block.iter().enumerate() {
            let lead = matches!(byte, 0xC3..=0xC9 | 0xD0 | 0xD1);
            letters.ascii |= u64::from(byte.is_ascii_alphanumeric()) << bit;
            letters.leads |= u64::from(lead) << bit;
            letters.latin1_leads |= u64::from(byte == 0xC3) << bit;
            letters.signs |= u64::from(matches!(byte, 0x97 | 0xB7)) << bit;
            letters.spaces |= u64::from(byte == b' ') << bit;
        }
        letters
    }

    fn positions(self, bits: u64, base: u32, places: &mut [u32; BLOCK]) {
        let set = (0..64).filter(|bit| bits >> bit & 1 == 1);
        for (place, bit) in places.iter_mut().zip(set) {
            *place = base + bit;
        }
    }
}

/// Does work as it is compiled for a level, or byte by byte if there is none.
pub fn run<W: Work>(level: Option<Level>, work: W) -> W::Output {
    match level {
        Some(level) => super::run(level, work),
        None => work.run(Plain),
    }
}

/// Every character up to U+3400, and one of 199 of the others.
pub fn some_characters() -> impl Iterator<Item = char> {
    (0..0x3400)
        .chain((0x3400..=0x10_FFFF).step_by(199))
        .filter_map(char::from_u32)
}

/// Checks that all levels make the same tokens as a plain loop over bytes, with each character in
/// every position that matters: within a word, between digits, before and after stops and hyphens.
pub fn check_characters(
    characters: impl Iterator<Item = char>,
    tokenize: impl Fn(&Scratch, Range<usize>, &mut TokenList, Option<Level>),
) {
    let mut text = String::new();
    for c in characters {
        text.extend([
            'a', c, 'b', ' ', '1', c, '2', '.', c, '.', '3', '-', c, ' ', c, c, '-',
        ]);
    }
    let mut scratch = Scratch::default();
    let range = scratch.push(Segment::Utf8(text.as_bytes()));
    let tokens = |level| -> Vec<Token> {
        let mut list = TokenList::default();
        tokenize(&scratch, range.clone(), &mut list, level);
        list.as_slice().iter().collect()
    };
    let expected = tokens(None);
    for level in Level::available() {
        assert!(tokens(Some(level)) == expected, "{level:?}");
    }
}
