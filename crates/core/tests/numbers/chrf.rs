//! chrF is that of the definition.

use truebleu_core::count::Whitespace;
use truebleu_core::error::Error;
use truebleu_core::metric::chrf_formula::{check_rows, field_name};
use truebleu_core::metric::{Metric, Scope};

use crate::definitions::chrf as defined;
use crate::definitions::random::Random;
use crate::metrics::{chrf, row_of_texts};

/// Pieces of texts: letters and symbols, inside and outside of ASCII and of the Basic Multilingual
/// Plane, and whitespace.
const PIECES: [&str; 16] = [
    "a", "b", "ab", "ba", "the ", " ", ".", "\"x\",", "(", " - ", "é", "ß ", "語", "\u{3000}",
    "\u{a0}", "!",
];

/// A text of fewer than `limit` pieces; every fourth has characters beyond the plane.
fn text(random: &mut Random, limit: usize) -> String {
    let astral = random.below(4) == 0;
    let pieces: Vec<&str> = if astral {
        [&PIECES[..6], &["😀", "𠀀 "]].concat()
    } else {
        PIECES[..random.of(&[2, 6, 11, 16])].to_vec()
    };
    (0..random.below(limit))
        .map(|_| random.of(&pieces))
        .collect()
}

/// Rows have the counts of the definition, for characters and for words, with and without
/// whitespace, orders 1 to 9 and 0 to 3; of several references, the first with the highest score.
#[test]
fn rows() {
    let mut random = Random(21);
    let mut later = 0;
    for round in 0..1500 {
        let limit = if round % 50 == 0 { 700 } else { 20 };
        let texts: Vec<String> = (0..2 + random.below(3))
            .map(|_| text(&mut random, limit))
            .collect();
        let mut metric = chrf(1 + round % 9, round % 4);
        let kept = random.below(2) == 1;
        metric.whitespace = if kept {
            Whitespace::Kept
        } else {
            Whitespace::Removed
        };
        metric.formula.squared_beta = random.of(&[0.25, 1.0, 4.0, 9.0]);
        metric.formula.eps_smoothing = random.below(4) == 0;
        let (char_order, word_order) = (metric.formula.char_order, metric.formula.word_order);
        let mut best: Option<(f64, Vec<i64>)> = None;
        for (place, reference) in texts[1..].iter().enumerate() {
            let row = defined::row([&texts[0], reference], kept, char_order, word_order);
            let score = metric.score(&row, Scope::Segment);
            if best.as_ref().is_none_or(|(most, _)| score > *most) {
                later += usize::from(place > 0);
                best = Some((score, row));
            }
        }
        let (_, expected) = best.expect("a reference");
        assert_eq!(
            row_of_texts(&metric, &texts),
            expected,
            "{metric:?} {texts:?}"
        );
    }
    assert!(later > 100);
}

/// Texts of some thousand characters, which are counted in other ways.
#[test]
fn long_texts() {
    let mut random = Random(22);
    for limit in [600, 3_000, 30_000] {
        let texts: Vec<String> = (0..2).map(|_| text(&mut random, limit)).collect();
        let metric = chrf(6, 2);
        let expected = defined::row([&texts[0], &texts[1]], false, 6, 2);
        assert_eq!(row_of_texts(&metric, &texts), expected, "{limit}");
    }
}

/// Rows that no text has are refused, each for its reason; those of texts pass.
#[test]
fn impossible_rows() {
    let fields: Vec<String> = (0..9).map(|column| field_name(column, 2)).collect();
    let names = ["char_1_hyp", "char_1_ref", "char_1_match", "char_2_hyp"];
    assert_eq!(fields[..4], names);
    assert_eq!(fields[6..], ["word_1_hyp", "word_1_ref", "word_1_match"]);
    let mut random = Random(23);
    for _ in 0..100 {
        let texts: Vec<String> = (0..2).map(|_| text(&mut random, 12)).collect();
        let row = row_of_texts(&chrf(2, 1), &texts);
        assert_eq!(check_rows(&row, &fields), Ok(()), "{texts:?}");
    }
    let possible = [5, 6, 4, 4, 5, 2, 9, 9, 9];
    assert_eq!(check_rows(&possible, &fields), Ok(()));
    for (column, count) in [
        (2, 6),
        (0, 3),
        (3, 6),
        (4, 7),
        (5, 5),
        (8, 10),
        (7, 8),
        (1, 0),
    ] {
        let mut row = possible;
        row[column] = count;
        let table = [possible, row];
        let found = check_rows(table.as_flattened(), &fields);
        assert!(
            matches!(found, Err(Error::ImpossibleRow { index: 1, .. })),
            "{row:?}"
        );
    }
    // Only a hypothesis, and matches of order 2 within the texts, but not of order 1.
    for row in [[5, 0, 0, 0, 0, 0, 0, 0, 0], [5, 6, 1, 4, 5, 2, 9, 9, 9]] {
        assert!(check_rows(&row, &fields).is_err(), "{row:?}");
    }
}
