//! Tokens are parts of the text in order, in any encoding of it, with or without positions.
#![no_main]

use libfuzzer_sys::fuzz_target;
use truebleu_core::text::{Encoding, Form, Scratch, Segment};
use truebleu_core::tokenize::spans::spans;
use truebleu_core::tokenize::{Preprocessing, TokenList, Tokenizer};

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
    let wide: Vec<u32> = text.chars().map(u32::from).collect();
    let found = tokens(preprocessing, Segment::Utf8(text.as_bytes()));
    assert_eq!(found, tokens(preprocessing, Segment::Ucs4(&wide)));
    let narrow: Result<Vec<u16>, _> = wide.iter().map(|&c| u16::try_from(c)).collect();
    if let Ok(narrow) = narrow {
        assert_eq!(found, tokens(preprocessing, Segment::Ucs2(&narrow)));
    }
    let latin: Result<Vec<u8>, _> = wide.iter().map(|&c| u8::try_from(c)).collect();
    if let Ok(latin) = latin {
        assert_eq!(found, tokens(preprocessing, Segment::Latin1(&latin)));
    }
    if preprocessing.unicode_form.is_none() {
        let (mut scratch, mut list) = (Scratch::default(), TokenList::default());
        let segment = Segment::Utf8(text.as_bytes());
        let ranges = spans(preprocessing, &mut scratch, segment, &mut list, true).expect("short");
        let listed = list.as_slice().iter();
        let listed: Vec<_> = listed.map(|token| token.bytes(&scratch).to_vec()).collect();
        assert_eq!(found, listed);
        assert_eq!(ranges.len(), found.len());
        assert!(ranges.iter().all(|range| range.end <= wide.len()));
        assert!(ranges.is_sorted_by_key(|range| range.start));
    }
});

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
