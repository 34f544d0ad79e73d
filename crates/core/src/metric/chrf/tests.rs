//! Scores of sacreBLEU, and texts of any length.

use super::*;

fn chrf(char_order: usize, word_order: usize) -> Chrf {
    Chrf {
        preprocessing: Preprocessing::default(),
        whitespace: Whitespace::Removed,
        formula: ChrfFormula {
            char_order,
            word_order,
            squared_beta: 4.0,
            eps_smoothing: false,
        },
    }
}

fn row(metric: &Chrf, hypothesis: &str, references: &[&str]) -> Vec<i64> {
    let references: Vec<_> = references
        .iter()
        .map(|text| Segment::Utf8(text.as_bytes()))
        .collect();
    let mut row = vec![-1; metric.width()];
    let hypothesis = Segment::Utf8(hypothesis.as_bytes());
    metric
        .count(&mut Worker::default(), &[hypothesis], &references, &mut row)
        .expect("counts");
    row
}

const CORPUS: [(&str, [&str; 2]); 3] = [
    (
        "The dog bit the man.",
        ["The dog bit the man.", "The dog had bit the man."],
    ),
    (
        "It was not surprising.",
        ["It was not unexpected.", "No one was surprised."],
    ),
    (
        "The man had just bitten him.",
        ["The man bit him first.", "The man had bitten the dog."],
    ),
];

fn corpus_score(metric: &Chrf) -> f64 {
    let mut sum = vec![0; metric.width()];
    for (hypothesis, references) in CORPUS {
        for (sum, count) in sum.iter_mut().zip(row(metric, hypothesis, &references)) {
            *sum += count;
        }
    }
    metric.score(&sum, Scope::Corpus)
}

/// The rows and scores that sacreBLEU 2.6.0 printed for this corpus.
#[test]
fn a_corpus_with_two_references() {
    let plus_plus = chrf(6, 2);
    let (hypothesis, references) = CORPUS[2];
    assert_eq!(
        row(&plus_plus, hypothesis, &references),
        [
            23, 22, 18, 22, 21, 13, 21, 20, 11, 20, 19, 9, 19, 18, 7, 18, 17, 5, 7, 7, 5, 6, 6, 2
        ]
    );
    assert_eq!(corpus_score(&plus_plus), 62.600_928_418_289_115);
    assert_eq!(corpus_score(&chrf(6, 1)), 62.972_175_235_833_48);
    let plain = chrf(6, 0);
    assert_eq!(corpus_score(&plain), 60.023_027_254_557_64);
    let mut lowercase = plain.clone();
    lowercase.preprocessing.lowercase = true;
    assert_eq!(corpus_score(&lowercase), 60.630_646_959_992_12);
    let whitespace = Chrf {
        whitespace: Whitespace::Kept,
        ..plain.clone()
    };
    assert_eq!(corpus_score(&whitespace), 67.669_756_304_526_03);
    let mut smoothed = plain;
    smoothed.formula.eps_smoothing = true;
    assert_eq!(corpus_score(&smoothed), 60.022_855_212_094_79);
}

#[test]
fn at_most_one_symbol_is_cut_off_a_word() {
    let mut scratch = Scratch::default();
    let text = "(hi) ... \"x\", ' -a é! ¡é «b» c";
    let range = scratch.push(Segment::Utf8(text.as_bytes()));
    let mut words = TokenList::default();
    chrf_words(&mut scratch, range, &mut TokenList::default(), &mut words);
    let words: Vec<_> = words
        .as_slice()
        .iter()
        .map(|word| String::from_utf8_lossy(word.bytes(&scratch)).into_owned())
        .collect();
    let expected = [
        "(hi", ")", "..", ".", "\"x\"", ",", "'", "-", "a", "é", "!", "¡é", "«b»", "c",
    ];
    assert_eq!(words, expected);
}

/// Characters beyond the Basic Multilingual Plane, and texts that are too long for masks.
#[test]
fn other_characters_and_long_texts() {
    let plain = chrf(6, 0);
    let expected = row(&plain, "the cat sat", &["the cat", "a cat sat"]);
    let astral = |text: &str| text.replace('a', "😀");
    let references = [astral("the cat"), astral("a cat sat")];
    let references = references.each_ref().map(String::as_str);
    assert_eq!(row(&plain, &astral("the cat sat"), &references), expected);
    // One of the two texts has them.
    let expected = row(&plain, "the cat sat", &["the c*t s*t"]);
    assert_eq!(row(&plain, "the cat sat", &["the c😀t s😀t"]), expected);
    assert_eq!(row(&plain, "the c😀t s😀t", &["the cat sat"]), expected);
    let long = "the cat sat on the mat ".repeat(30);
    let counts = row(&plain, &long, &[&long[1..], "a"]);
    assert_eq!(counts[..6], [510, 509, 509, 509, 508, 508]);
}

/// Short and empty texts: an order that the reference does not have costs no precision.
#[test]
fn short_texts() {
    let plain = chrf(6, 0);
    assert_eq!(row(&plain, "abc", &[""]), [0; 18]);
    assert_eq!(row(&plain, "", &["abc"])[..9], [0, 3, 0, 0, 2, 0, 0, 1, 0]);
    assert_eq!(row(&plain, "  ", &["x"])[..3], [0, 1, 0]);
    let score = |hypothesis, references: &[&str]| {
        plain.score(&row(&plain, hypothesis, references), Scope::Segment)
    };
    assert_eq!(score("ab", &["ab"]), 100.0);
    assert_eq!(score("abc", &["abd"]), 38.888_888_888_888_886);
    assert_eq!(score("abcdefg", &["hijklm"]), 0.0);
}
