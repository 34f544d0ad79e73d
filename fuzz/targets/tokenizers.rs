//! Tokens are parts of the text in order, in any encoding of it, with or without positions; what is
//! observed of texts does not depend on their encoding.
#![no_main]

use libfuzzer_sys::fuzz_target;
use truebleu_core::corpus::Observed;
use truebleu_core::text::{Encoding, Form, Scratch, Segment, is_space};
use truebleu_core::tokenize::chrf_spans::chrf_spans;
use truebleu_core::tokenize::spans::{join, spans};
use truebleu_core::tokenize::{Preprocessing, TokenList, Tokenizer};

// A code point that strings of Python may have, and its bytes.
const SURROGATE: (u32, [u8; 3]) = (0xDC80, [0xED, 0xB2, 0x80]);

fuzz_target!(|data: &[u8]| {
    let &[chosen, steps, ref text @ ..] = data else {
        return;
    };
    let (_, tokenizer) = Tokenizer::ALL[usize::from(chosen) % Tokenizer::ALL.len()];
    let preprocessing = Preprocessing {
        unicode_form: (steps & 2 != 0).then_some(Form::Kc),
        lowercase: steps & 1 != 0,
        tokenizer,
    };
    let text = String::from_utf8_lossy(text);
    let wide: Vec<u32> = text
        .chars()
        .map(|c| match c {
            char::REPLACEMENT_CHARACTER if steps & 4 != 0 => SURROGATE.0,
            c => c.into(),
        })
        .collect();
    let bytes = encoded(&wide);
    let found = tokens(preprocessing, Segment::Utf8(&bytes));
    assert_eq!(found, tokens(preprocessing, Segment::Ucs4(&wide)));
    let half = wide.len() / 2;
    let observed = observe(&wide, half, |part| Segment::Ucs4(part));
    let cut = encoded(&wide[..half]).len();
    assert_eq!(observed, observe(&bytes, cut, |part| Segment::Utf8(part)));
    let narrow: Result<Vec<u16>, _> = wide.iter().map(|&c| u16::try_from(c)).collect();
    if let Ok(narrow) = narrow {
        assert_eq!(found, tokens(preprocessing, Segment::Ucs2(&narrow)));
        assert_eq!(observed, observe(&narrow, half, |part| Segment::Ucs2(part)));
    }
    let latin: Result<Vec<u8>, _> = wide.iter().map(|&c| u8::try_from(c)).collect();
    if let Ok(latin) = latin {
        assert_eq!(found, tokens(preprocessing, Segment::Latin1(&latin)));
        assert_eq!(
            observed,
            observe(&latin, half, |part| Segment::Latin1(part))
        );
    }
    as_lines(preprocessing, &bytes);
    if preprocessing.unicode_form.is_none() {
        with_positions(preprocessing, &bytes, wide.len(), &found);
        as_characters(preprocessing, &bytes, &wide);
    }
});

fn encoded(text: &[u32]) -> Vec<u8> {
    let encode = |&c: &u32| match char::from_u32(c) {
        Some(c) => c.to_string().into_bytes(),
        None => SURROGATE.1.to_vec(),
    };
    text.iter().flat_map(encode).collect()
}

/// What is observed of a hypothesis, and of the rest as its reference.
fn observe<'a, T>(
    text: &'a [T],
    half: usize,
    segment: impl Fn(&'a [T]) -> Segment<'a>,
) -> Observed {
    let (hypothesis, reference) = text.split_at(half);
    let mut observed = Observed::default();
    observed.look(0, segment(hypothesis), &[segment(reference)]);
    observed
}

/// The bytes of every token, as UTF-8.
fn tokens(preprocessing: Preprocessing, segment: Segment<'_>) -> Vec<Vec<u8>> {
    let (mut scratch, mut tokens) = (Scratch::default(), TokenList::default());
    scratch.clear(
        preprocessing
            .encoding(&[segment], &[])
            .expect("short texts"),
    );
    preprocessing.tokenize(&mut scratch, segment, &mut tokens);
    let latin = scratch.encoding() == Encoding::Latin1;
    let mut end = 0;
    let mut found = Vec::new();
    for token in tokens.as_slice().iter() {
        assert!(end <= token.start && token.start < token.end);
        end = token.end;
        let bytes = token.bytes(&scratch);
        if latin {
            let text: String = bytes.iter().copied().map(char::from).collect();
            found.push(text.into_bytes());
        } else {
            found.push(bytes.to_vec());
        }
    }
    found
}

/// Lines of tokens are those of the tokens of each line.
fn as_lines(preprocessing: Preprocessing, text: &[u8]) {
    let lines: Vec<_> = text.split(|&byte| byte == b'\n').collect();
    let mut expected = Vec::new();
    for line in &lines {
        expected.extend(tokens(preprocessing, Segment::Utf8(line)).join(&b' '));
        expected.push(b'\n');
    }
    let joined = join(preprocessing, &lines, 1).expect("short texts");
    assert_eq!(joined, expected);
}

/// Tokens with positions are those that are counted.
fn with_positions(preprocessing: Preprocessing, text: &[u8], length: usize, found: &[Vec<u8>]) {
    let (mut scratch, mut list) = (Scratch::default(), TokenList::default());
    let segment = Segment::Utf8(text);
    let ranges = spans(preprocessing, &mut scratch, segment, &mut list).expect("short texts");
    let listed = list.as_slice().iter();
    let listed: Vec<_> = listed.map(|token| token.bytes(&scratch).to_vec()).collect();
    assert_eq!(found, listed);
    assert_eq!(ranges.len(), listed.len());
    assert!(ranges.iter().all(|range| range.end <= length));
    assert!(ranges.is_sorted_by_key(|range| range.start));
}

/// The characters that chrF counts are those of the text; its words are the same characters.
fn as_characters(preprocessing: Preprocessing, text: &[u8], wide: &[u32]) {
    let mut scratch = Scratch::default();
    for keep in [true, false] {
        let found = chrf_spans(&mut scratch, Segment::Utf8(text), preprocessing, keep);
        let [characters, words] = found.expect("short texts");
        assert!(characters.is_sorted_by_key(|(_, place)| place.start));
        if !preprocessing.lowercase {
            let places = (0..wide.len()).filter(|&place| keep || !is_space(wide[place]));
            let found = characters.iter().map(|(_, place)| place.clone());
            assert!(found.eq(places.map(|place| place..place + 1)));
        }
        let bytes = |units: &[_]| -> Vec<u8> {
            let bytes =
                |(range, _): &(std::ops::Range<usize>, _)| scratch.bytes()[range.clone()].to_vec();
            units.iter().flat_map(bytes).collect()
        };
        if !keep {
            assert_eq!(bytes(&characters), bytes(&words));
        }
    }
}
