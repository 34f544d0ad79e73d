//! Tokens are those that other tools make of the same texts.

use std::collections::HashSet;

use truebleu_core::text::{Encoding, Scratch, Segment};
use truebleu_core::tokenize::{Preprocessing, TokenList, Tokenizer};

use crate::golden::{strings, table};

/// The tokens of a text, whatever the encoding that it is given in.
fn tokens(tokenizer: Tokenizer, text: &str) -> Vec<String> {
    let preprocessing = Preprocessing {
        unicode_form: None,
        lowercase: false,
        tokenizer,
    };
    let wide: Vec<u32> = text.chars().map(u32::from).collect();
    let narrow: Result<Vec<u16>, _> = wide.iter().map(|&c| u16::try_from(c)).collect();
    let latin: Result<Vec<u8>, _> = wide.iter().map(|&c| u8::try_from(c)).collect();
    let found = tokens_of(preprocessing, Segment::Utf8(text.as_bytes()));
    assert_eq!(tokens_of(preprocessing, Segment::Ucs4(&wide)), found);
    if let Ok(narrow) = narrow {
        assert_eq!(tokens_of(preprocessing, Segment::Ucs2(&narrow)), found);
    }
    if let Ok(latin) = latin {
        assert_eq!(tokens_of(preprocessing, Segment::Latin1(&latin)), found);
    }
    found
}

fn tokens_of(preprocessing: Preprocessing, segment: Segment<'_>) -> Vec<String> {
    let (mut scratch, mut tokens) = (Scratch::default(), TokenList::default());
    scratch.clear(
        preprocessing
            .encoding(&[segment], &[])
            .expect("short texts"),
    );
    preprocessing.tokenize(&mut scratch, segment, &mut tokens);
    let latin1 = scratch.encoding() == Encoding::Latin1;
    let listed = tokens.as_slice().iter();
    listed
        .map(|token| {
            let bytes = token.bytes(&scratch);
            if latin1 {
                bytes.iter().copied().map(char::from).collect()
            } else {
                String::from_utf8(bytes.to_vec()).expect("whole characters")
            }
        })
        .collect()
}

/// Every native tokenizer makes of each text what its original does: sacreBLEU, the scripts in
/// Moses, keras-hub, tensor2tensor or Python.
#[test]
fn tokens_of_other_tools() {
    let mut seen = HashSet::new();
    for name in ["tokens.tsv", "mteval.tsv", "tools.tsv"] {
        for [tokenizer, text, expected] in table(name) {
            let Ok(native) = Tokenizer::named(&tokenizer) else {
                // Python calls MeCab.
                assert!(tokenizer.ends_with("mecab"), "{tokenizer}");
                continue;
            };
            let text = strings(&text).concat();
            assert_eq!(
                tokens(native, &text),
                strings(&expected),
                "{tokenizer} {text:?}"
            );
            seen.insert(tokenizer);
        }
    }
    assert!(Tokenizer::ALL.iter().all(|(name, _)| seen.contains(*name)));
}
