//! Tokens are those that other tools make of the same texts.

use std::collections::HashSet;

use truebleu_core::text::{Encoding, Scratch, Segment};
use truebleu_core::tokenize::{Preprocessing, Tercom, TokenList, Tokenizer};

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

/// sacreBLEU strips the end of a text before it joins words that are hyphenated at the end of a line.
#[test]
fn whitespace_at_the_end() {
    for space in "\t\n\u{b}\u{c}\r\u{1c}\u{1d}\u{1e}\u{1f} \u{85}\u{a0}\u{2028}\u{3000}".chars() {
        let text = format!("word-\n{space}");
        assert_eq!(tokens(Tokenizer::V13a, &text), ["word-"], "{space:?}");
    }
    assert_eq!(tokens(Tokenizer::V13a, "word-\nend"), ["wordend"]);
}

/// In tensor2tensor's character class, the backslash escapes what follows: it is no punctuation.
#[test]
fn backslashes() {
    assert_eq!(tokens(Tokenizer::Tensor2Tensor, r"a\b"), [r"a\b"]);
    assert_eq!(tokens(Tokenizer::International, r"a\b"), ["a", r"\", "b"]);
}

/// What sacreBLEU makes of each character, to which only whitespace and Chinese characters matter:
/// at the ends of all ranges.
#[test]
fn some_characters() {
    check_characters(|first, last| {
        let ends = [first, first + 1, last.saturating_sub(1), last];
        ends.into_iter()
            .filter(|c| (first..=last).contains(c))
            .collect()
    });
}

/// The same for every character.
#[test]
#[ignore = "slow"]
fn every_character() {
    check_characters(|first, last| (first..=last).collect());
}

fn check_characters(chosen: impl Fn(u32, u32) -> Vec<u32>) {
    for [name, first, last, kind] in table("characters.tsv") {
        let tokenizer = Tokenizer::named(&name).expect("native");
        let [first, last] =
            [first, last].map(|code| u32::from_str_radix(&code, 16).expect("hexadecimal"));
        // Surrogates are no characters, and letters x are what the others are among.
        let characters = chosen(first, last).into_iter().filter_map(char::from_u32);
        for c in characters.filter(|&c| c != 'x') {
            let text = format!("x{c}x");
            let expected = match kind.as_str() {
                "word" => vec![text.clone()],
                "token" => vec!["x".to_owned(), c.to_string(), "x".to_owned()],
                _ => vec!["x".to_owned(); 2],
            };
            assert_eq!(tokens(tokenizer, &text), expected, "{name} {c:?}");
        }
    }
}

/// The words of TER in a text between letters.
fn tercom_words(tercom: Tercom, text: &str) -> Vec<String> {
    let (mut scratch, mut words) = (Scratch::default(), TokenList::default());
    let range = scratch.push(Segment::Utf8(text.as_bytes()));
    tercom.tokenize(&mut scratch, range, &mut words);
    let listed = words.as_slice().iter();
    listed
        .map(|word| String::from_utf8_lossy(word.bytes(&scratch)).into_owned())
        .collect()
}

/// With `asian_support`, TER makes words of East Asian punctuation, or deletes it, and makes words of
/// Chinese characters; the characters next to these ranges remain in words.
#[test]
fn east_asian_characters_of_tercom() {
    let normalized = Tercom {
        normalized: true,
        asian_support: true,
        ..Tercom::default()
    };
    let no_punct = Tercom {
        no_punct: true,
        asian_support: true,
        ..Tercom::default()
    };
    let marks = "\u{3001}\u{3002}\u{3008}\u{3011}\u{3014}\u{301f}\u{30fb}\u{ff01}\u{ff02}\u{ff08}\
                 \u{ff09}\u{ff0c}\u{ff0e}\u{ff1a}\u{ff1b}\u{ff1f}\u{ff61}\u{ff65}";
    let han = "\u{2e80}\u{2eff}\u{31c0}\u{31ef}\u{3200}\u{4dbf}\u{4e00}\u{9fff}\u{f900}\u{faff}\u{fe30}\u{fe4f}";
    let others = "\u{2e7f}\u{2f00}\u{3003}\u{3007}\u{3012}\u{3020}\u{30fa}\u{30fc}\u{31bf}\u{31f0}\u{4dc0}\
                  \u{a000}\u{f8ff}\u{fb00}\u{fe2f}\u{fe50}\u{ff03}\u{ff07}\u{ff0d}\u{ff60}\u{ff66}한カ";
    for (text, is_mark, is_word) in [
        (marks, true, true),
        (han, false, true),
        (others, false, false),
    ] {
        for c in text.chars() {
            let text = format!("x{c}x");
            let split = tercom_words(normalized, &text);
            assert_eq!(split.len(), if is_word { 3 } else { 1 }, "{c:?}");
            let kept = tercom_words(no_punct, &text).concat();
            assert_eq!(kept == "xx", is_mark, "{c:?}");
        }
    }
}
