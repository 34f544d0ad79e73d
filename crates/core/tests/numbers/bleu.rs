//! BLEU is that of the definition.

use truebleu_core::count::ReferenceLength;
use truebleu_core::error::Error;
use truebleu_core::metric::bleu_formula::brevity_penalty;
use truebleu_core::metric::bleu_row::check_rows;
use truebleu_core::metric::{Metric, Scope};

use crate::definitions::bleu as defined;
use crate::definitions::random::Random;
use crate::metrics::{bleu, close, formula, row_of_ids};

/// A text and up to four references, some of them similar to it.
fn segment(random: &mut Random) -> (Vec<i64>, Vec<Vec<i64>>) {
    let distinct = random.of(&[1, 2, 4, 20, 500]);
    let length = match random.below(20) {
        0 => 200 + random.below(500),
        1..5 => 60 + random.below(10),
        _ => random.below(30),
    };
    let hypothesis = random.ids(length, distinct);
    let references = (0..=random.below(4))
        .map(|_| {
            let mut reference = hypothesis.clone();
            reference.rotate_left(random.below(length + 1));
            reference.truncate(random.below(length + 1));
            let more = random.below(8);
            reference.extend(random.ids(more, distinct));
            reference
        })
        .collect();
    (hypothesis, references)
}

/// Rows have the counts, lengths and totals of the definition: for few and many words, short and
/// long texts, orders 1 to 9, several references, and every rule for the reference length.
#[test]
fn rows() {
    let mut random = Random(11);
    for round in 0..1200 {
        let (hypothesis, references) = segment(&mut random);
        let (rule, rule_value) = ReferenceLength::ALL[round % 5];
        let orders = 1 + round % 9;
        let mut metric = bleu();
        metric.reference_length = rule_value;
        metric.formula = formula("none", None, orders);
        let mut expected = defined::row(&hypothesis, &references, orders, rule);
        let context = format!("{rule} {hypothesis:?} {references:?}");
        assert_eq!(
            row_of_ids(&metric, &hypothesis, &references),
            expected,
            "{context}"
        );
        metric.phantom_ngrams = true;
        for total in &mut expected[2 + orders..] {
            *total = (*total).max(1);
        }
        assert_eq!(
            row_of_ids(&metric, &hypothesis, &references),
            expected,
            "{context}"
        );
    }
}

/// Of references that are equally close, the shorter counts or, for `closest-first`, the first.
#[test]
fn reference_lengths() {
    for (rule, value) in ReferenceLength::ALL {
        for first in 0..8 {
            for second in 0..8 {
                for third in 0..8 {
                    let lengths = [first, second, third];
                    let expected = defined::reference_length(rule, 4, &lengths);
                    assert_eq!(value.choose(4, &lengths), expected, "{rule} {lengths:?}");
                }
            }
        }
        assert_eq!(value.choose(4, &[]), 0);
    }
}

/// The penalty is 1 from equal lengths on, and continuous below.
#[test]
fn penalties() {
    for length in 1..200_u16 {
        let length = f64::from(length);
        assert_eq!(brevity_penalty(length, length), 1.0);
        assert_eq!(brevity_penalty(length + 0.5, length), 1.0);
        for reference in [length + 0.25, length + 1.0, 2.0 * length, 9.0 * length] {
            let expected = defined::brevity_penalty(length, reference);
            assert!(expected < 1.0);
            assert_eq!(brevity_penalty(length, reference), expected);
        }
    }
    assert_eq!(brevity_penalty(0.0, 0.0), 1.0);
    assert_eq!(brevity_penalty(0.0, 0.5), 0.0);
}

/// Rows of 12 tokens with these matches; the reference has 15.
fn row_of(matches: &[i64]) -> Vec<i64> {
    let totals = (0..).zip(matches).map(|(n, _)| 12 - n);
    [12, 15]
        .into_iter()
        .chain(matches.iter().copied())
        .chain(totals)
        .collect()
}

/// Weights are exponents; orders of weight 0 do not matter, even without a match; each list of
/// weights has its score.
#[test]
fn weights() {
    let mut metric = bleu();
    metric.formula = formula("none", None, 4);
    let lists = [
        vec![0.4, 0.3, 0.2, 0.1],
        vec![0.1, 0.1, 0.1, 0.1],
        vec![0.5, 0.5],
        vec![1.0, 2.0, 0.0, 0.0],
        vec![1.0],
        vec![0.25; 4],
    ];
    metric.formula.weights = lists.to_vec();
    let penalty = defined::brevity_penalty(12.0, 15.0);
    for matches in [
        [9, 6, 2, 1],
        [9, 6, 2, 0],
        [9, 0, 0, 0],
        [12, 11, 10, 9],
        [0; 4],
    ] {
        let row = row_of(&matches.map(i64::from));
        let fraction = |(n, &count): (i32, &i32)| f64::from(count) / f64::from(12 - n);
        let precisions: Vec<f64> = (0..).zip(&matches).map(fraction).collect();
        let found = metric.parts(&row, Scope::Corpus).expect("its row").scores;
        for (weights, found) in lists.iter().zip(&found) {
            let expected = defined::score(penalty, &precisions[..weights.len()], weights);
            assert!(
                close(*found, expected.min(100.0)),
                "{matches:?} {weights:?} {found}"
            );
        }
        assert_eq!(metric.score_lists(&row, Scope::Corpus), Ok(found.clone()));
        assert_eq!(metric.score(&row, Scope::Corpus), found[0]);
    }
}

/// Weights that are all alike give the score without weights, to the last bit.
#[test]
fn uniform_weights() {
    for matches in [
        [9, 6, 2, 1, 1, 1],
        [12, 11, 10, 9, 8, 7],
        [7, 5, 3, 2, 0, 0],
    ] {
        for orders in 1..=6_u8 {
            let mut metric = bleu();
            metric.formula = formula("exp", None, orders.into());
            let row = row_of(&matches[..orders.into()]);
            let plain = metric.score(&row, Scope::Corpus);
            metric.formula.weights = vec![vec![1.0 / f64::from(orders); orders.into()]];
            assert_eq!(metric.score(&row, Scope::Corpus), plain, "{row:?}");
        }
    }
}

/// With effective order, orders for which a text is too short take no part, and their weights are
/// distributed; by default, that is so in segments only.
#[test]
fn effective_order() {
    let mut metric = bleu();
    metric.formula = formula("none", None, 4);
    // Two tokens, of which both and the bigram match.
    let row = [2, 2, 2, 1, 0, 0, 2, 1, 0, 0];
    for (effective, expected) in [
        (Some(false), [0.0, 0.0]),
        (Some(true), [100.0, 100.0]),
        (None, [100.0, 0.0]),
    ] {
        metric.formula.effective_order = effective;
        let scores = [Scope::Segment, Scope::Corpus].map(|scope| metric.score(&row, scope));
        assert_eq!(scores, expected);
    }
    metric.formula.effective_order = Some(true);
    // One of two words, and no bigram, match.
    let row = [2, 2, 1, 1, 0, 0, 2, 1, 0, 0];
    metric.formula.weights = vec![vec![0.4, 0.3, 0.2, 0.1], vec![0.0, 0.0, 0.5, 0.5]];
    let scores = metric.parts(&row, Scope::Segment).expect("its row").scores;
    let expected = defined::score(1.0, &[0.5, 1.0], &[0.4 / 0.7, 0.3 / 0.7]);
    assert!(close(scores[0], expected), "{scores:?}");
    assert_eq!(scores[1], 0.0);
    assert_eq!(
        metric.parts(&row, Scope::Segment).expect("its row").orders,
        2
    );
}

/// `nist` and `skip-zero` leave orders without precision out of the sum of logarithms, and score
/// texts without any match; `compare-mt` does the former only; `lin-och` is `add-k` with 1.
#[test]
fn smoothings_of_scripts() {
    let penalty = defined::brevity_penalty(12.0, 15.0);
    let uniform = [0.25; 4];
    let score = |smoothing: &str, row: &[i64]| {
        let mut metric = bleu();
        metric.formula = formula(smoothing, None, 4);
        metric.score(row, Scope::Corpus)
    };
    let p = [9.0 / 12.0, 6.0 / 11.0];
    for (matches, zeros, halvings) in [
        (
            [9, 6, 0, 0],
            [p[0], p[1], 1.0, 1.0],
            [p[0], p[1], 0.5 / 10.0, 0.25 / 9.0],
        ),
        (
            [9, 6, 0, 9],
            [p[0], p[1], 1.0, 1.0],
            [p[0], p[1], 0.5 / 10.0, 1.0],
        ),
        (
            [0; 4],
            [1.0; 4],
            [0.5 / 12.0, 0.25 / 11.0, 0.125 / 10.0, 0.0625 / 9.0],
        ),
    ] {
        let row = row_of(&matches);
        let skipped = defined::score(penalty, &zeros, &uniform);
        let halved = defined::score(penalty, &halvings, &uniform);
        assert!(close(score("skip-zero", &row), skipped), "{row:?}");
        assert!(close(score("nist", &row), halved), "{row:?}");
        let compare_mt = if matches[0] == 0 { 0.0 } else { skipped };
        assert!(close(score("compare-mt", &row), compare_mt), "{row:?}");
        assert_eq!(score("lin-och", &row), score("add-k", &row));
        assert_eq!(score("none", &row), 0.0);
    }
    // Without a third or fourth word, nothing is there to smooth: the orders are left out.
    let row = [2, 2, 1, 1, 0, 0, 2, 1, 0, 0];
    let skipped = defined::score(1.0, &[0.5], &[0.25]);
    assert!(close(score("nist", &row), skipped));
    assert!(close(score("skip-zero", &row), skipped));
    assert_eq!(score("nist", &[0, 2, 0, 0, 0, 0, 0, 0, 0, 0]), 0.0);
}

/// `add-one` adds 1 to matches and totals of all orders, the first included; without the brevity
/// penalty, texts of any length are scored by their precisions alone.
#[test]
fn add_one_and_no_penalty() {
    let uniform = [0.25; 4];
    for matches in [[9, 6, 0, 0], [12, 11, 10, 9], [0; 4]] {
        let row = row_of(&matches);
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let smoothed: Vec<_> = (matches.iter().zip(&row[6..]))
            .map(|(&matched, &total)| (matched + 1) as f64 / (total + 1) as f64)
            .collect();
        for (has_penalty, penalty) in [(true, defined::brevity_penalty(12.0, 15.0)), (false, 1.0)] {
            let mut metric = bleu();
            metric.formula = formula("add-one", None, 4);
            metric.formula.brevity_penalty = has_penalty;
            let expected = defined::score(penalty, &smoothed, &uniform);
            let score = metric.score(&row, Scope::Corpus);
            assert!(close(score, expected), "{row:?} {score} {expected}");
        }
    }
}

/// Sums of segments are possible, and rows that contradict themselves are refused.
#[test]
fn impossible_rows() {
    let mut random = Random(13);
    let mut metric = bleu();
    for phantom in [false, true] {
        metric.phantom_ngrams = phantom;
        let mut sum = vec![0; metric.width()];
        for _ in 0..40 {
            let (hypothesis, references) = segment(&mut random);
            let row = row_of_ids(&metric, &hypothesis, &references);
            sum.iter_mut()
                .zip(row)
                .for_each(|(sum, count)| *sum += count);
            assert_eq!(check_rows(&sum, metric.width(), phantom), Ok(()), "{sum:?}");
        }
    }
    let possible = [[5, 9, 3, 2, 1, 5, 4, 3], [0; 8], [3, 0, 3, 2, 1, 3, 2, 1]];
    assert_eq!(check_rows(possible.as_flattened(), 8, false), Ok(()));
    for (row, phantom_only) in [
        ([5, -1, 3, 2, 1, 5, 4, 3], false),
        // More matches than n-grams.
        ([5, 9, 3, 5, 1, 5, 4, 3], false),
        ([5, 9, 3, 2, 4, 5, 4, 3], false),
        // More n-grams of order 1 than tokens, and fewer.
        ([5, 9, 3, 2, 1, 6, 5, 4], true),
        ([5, 9, 3, 2, 1, 4, 3, 2], false),
        // As many n-grams of the next order.
        ([5, 9, 3, 2, 1, 5, 5, 5], true),
        ([5, 9, 3, 2, 1, 5, 4, 4], true),
        // More of them, and a difference that grows.
        ([5, 9, 3, 2, 1, 5, 4, 5], false),
        ([5, 9, 3, 2, 1, 5, 4, 1], false),
        // A bigram without its words, a trigram without its bigrams.
        ([5, 9, 0, 2, 1, 5, 4, 3], false),
        ([5, 9, 3, 0, 1, 5, 4, 3], false),
    ] {
        for phantom in [false, true] {
            let table = [&possible[0][..], &row].concat();
            let found = check_rows(&table, 8, phantom);
            let refused = matches!(found, Err(Error::ImpossibleRow { index: 1, .. }));
            assert_eq!(refused, !(phantom && phantom_only), "{row:?} {phantom}");
        }
    }
}
