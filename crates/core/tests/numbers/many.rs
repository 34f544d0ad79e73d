//! Many texts against many: the index finds what scoring one by one finds.

use std::collections::HashMap;

use truebleu_core::count::ReferenceLength;
use truebleu_core::error::Error;
use truebleu_core::many::pairwise::Pairs;
use truebleu_core::many::self_bleu::against_others;
use truebleu_core::many::texts::Texts;
use truebleu_core::metric::bleu::Bleu;
use truebleu_core::metric::chrf::Chrf;
use truebleu_core::metric::{Metric, NgramMetric, Scope};
use truebleu_core::text::Segment;
use truebleu_core::tokenize::Tokenizer;

use crate::definitions::bleu as defined;
use crate::definitions::ngrams::counts;
use crate::definitions::random::Random;
use crate::metrics::{bleu, chrf, close, formula, row};

/// BLEU of ids, of orders up to `orders`, as segments are scored.
fn bleu_of_ids(smoothing: &str, orders: usize) -> Bleu {
    let mut metric = bleu();
    metric.preprocessing.tokenizer = Tokenizer::None;
    metric.formula = formula(smoothing, None, orders);
    metric.formula.effective_order = None;
    metric
}

/// Texts of up to `longest` ids; few distinct ones repeat, and some texts are empty or equal.
fn texts(random: &mut Random, count: usize, longest: usize, distinct: usize) -> Vec<Vec<i64>> {
    let mut texts: Vec<Vec<i64>> = Vec::new();
    for _ in 0..count {
        let text = match random.below(8) {
            0 if !texts.is_empty() => texts[random.below(texts.len())].clone(),
            _ => {
                let length = random.below(longest + 1);
                random.ids(length, distinct)
            }
        };
        texts.push(text);
    }
    texts
}

fn split<M: NgramMetric>(metric: &M, segments: &[Segment<'_>]) -> Texts {
    let mut texts = Texts::default();
    for &segment in segments {
        texts.push(metric, segment).expect("short texts");
    }
    assert_eq!(texts.len(), segments.len());
    texts
}

/// Compares all pairs with scores one by one, in blocks of rows, on several threads, and with the
/// hypotheses as references of each other.
fn check_pairs<M: NgramMetric>(metric: &M, hypotheses: &[Segment<'_>], references: &[Segment<'_>]) {
    for references in [references, &[]] {
        let all = [hypotheses, references].concat();
        let pairs = Pairs::new(&split(metric, &all), hypotheses.len(), metric, &|| Ok(()));
        let pairs = pairs.expect("short texts");
        let references = if references.is_empty() {
            hypotheses
        } else {
            references
        };
        assert_eq!(pairs.references(), references.len());
        let expected: Vec<f64> = hypotheses
            .iter()
            .flat_map(|&hypothesis| {
                references.iter().map(move |&reference| {
                    let row = row(metric, hypothesis, &[reference]);
                    metric.score(&row, Scope::Segment)
                })
            })
            .collect();
        let rows = hypotheses.len();
        for (block, threads) in [(0..rows, 1), (0..rows, 3), (1..rows, 2), (2..2, 1)] {
            let width = references.len();
            let found = pairs.block(metric, block.clone(), threads, &|| Ok(()));
            let expected = expected[block.start * width..block.end * width].to_vec();
            assert_eq!(found, Ok(expected), "{block:?} {threads}");
        }
        let beyond = pairs.block(metric, 0..rows + 1, 1, &|| Ok(()));
        assert_eq!(beyond, Err(Error::BadTable));
    }
}

/// Scores of all pairs are those of each pair, for BLEU under several smoothings and orders.
#[test]
fn pairs_of_bleu() {
    let mut random = Random(31);
    for round in 0..40 {
        let distinct = random.of(&[1, 2, 5, 50]);
        let longest = random.of(&[3, 12, 80]);
        let [hypotheses, references] =
            [9, 7].map(|count| texts(&mut random, count, longest, distinct));
        let [hypotheses, references] = [&hypotheses, &references].map(|texts| {
            texts
                .iter()
                .map(|ids| Segment::Ids(ids))
                .collect::<Vec<_>>()
        });
        let smoothing = ["exp", "none", "floor", "nist", "method5"][round % 5];
        let mut metric = bleu_of_ids(smoothing, 1 + round % 6);
        metric.phantom_ngrams = round % 7 == 0;
        check_pairs(&metric, &hypotheses, &references);
    }
}

/// More texts and longer ones than are followed through the orders at a time.
#[test]
fn pairs_of_long_texts() {
    let mut random = Random(32);
    let [hypotheses, references] = [3, 40].map(|count| texts(&mut random, count, 900, 30));
    let [hypotheses, references] = [&hypotheses, &references].map(|texts| {
        texts
            .iter()
            .map(|ids| Segment::Ids(ids))
            .collect::<Vec<_>>()
    });
    check_pairs(&bleu_of_ids("exp", 4), &hypotheses, &references);
}

/// The same for chrF, chrF+ and chrF++, with and without its smoothing, on texts.
#[test]
fn pairs_of_chrf() {
    let mut random = Random(33);
    for round in 0..24 {
        let mut written = |count| -> Vec<String> {
            let pieces = ["the ", "cat", " cats, ", "(sat)", "é", "😀", ".", " "];
            (0..count)
                .map(|_| (0..random.below(9)).map(|_| random.of(&pieces)).collect())
                .collect()
        };
        let [hypotheses, references] = [6, 5].map(&mut written);
        let [hypotheses, references] =
            [&hypotheses, &references].map(|texts| crate::metrics::segments(texts));
        let mut metric = chrf(1 + round % 6, round % 3);
        metric.formula.eps_smoothing = round % 4 == 0;
        check_pairs(&metric, &hypotheses, &references);
    }
}

/// The clipped matches of a text with the weighted mean of others, for each order, and the mean
/// number of n-grams of these.
#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn expected_counts<T: Eq + std::hash::Hash>(
    hypothesis: &[T],
    references: &[Vec<T>],
    weights: &[f64],
    orders: usize,
) -> (Vec<f64>, Vec<f64>) {
    let mut matches = Vec::new();
    let mut totals = Vec::new();
    for n in 1..=orders {
        let mut mean: HashMap<&[T], f64> = HashMap::new();
        for (reference, weight) in references.iter().zip(weights) {
            for (ngram, count) in counts(reference, n) {
                *mean.entry(ngram).or_default() += count as f64 * weight;
            }
        }
        totals.push(mean.values().sum());
        let clipped = counts(hypothesis, n).into_iter();
        matches.push(
            clipped
                .map(|(ngram, count)| mean.get(ngram).map_or(0.0, |&mean| mean.min(count as f64)))
                .sum(),
        );
    }
    (matches, totals)
}

/// Against the mean of the references: each n-gram is clipped to its mean count, and the reference
/// length is the mean (`DeNero`, Chiang and Knight 2009).
#[test]
#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn expected_bleu() {
    let mut random = Random(34);
    let metric = bleu_of_ids("none", 3);
    let mut positive = 0;
    for round in 0..60 {
        let same = round % 2 == 0;
        let hypotheses = texts(&mut random, 6, 15, 3);
        let references = if same {
            hypotheses.clone()
        } else {
            texts(&mut random, 4, 15, 3)
        };
        let all: Vec<_> = if same {
            hypotheses.clone()
        } else {
            [&hypotheses[..], &references].concat()
        };
        let segments: Vec<_> = all.iter().map(|ids| Segment::Ids(ids)).collect();
        let pairs = Pairs::new(&split(&metric, &segments), 6, &metric, &|| Ok(())).expect("short");
        let weights: Vec<f64> = references
            .iter()
            .map(|_| random.below(5) as f64 / 8.0)
            .collect();
        let found = pairs
            .expected(&metric, &weights, &|| Ok(()))
            .expect("a weight for each");
        for (hypothesis, found) in hypotheses.iter().zip(found) {
            let (matches, totals) = expected_counts(hypothesis, &references, &weights, 3);
            let length = hypothesis.len();
            // Orders that the text does not have are left out.
            let orders = length.min(3);
            let precisions: Vec<f64> = (0..orders)
                .map(|n| matches[n] / (length - n) as f64)
                .collect();
            let penalty = defined::brevity_penalty(length as f64, totals[0]);
            let expected = if orders == 0 || matches[0] == 0.0 {
                0.0
            } else {
                defined::score(penalty, &precisions, &[1.0 / orders as f64; 3][..orders])
            };
            positive += usize::from(expected > 0.0);
            assert!(
                close(found, expected),
                "{found} {expected} {hypothesis:?} {references:?} {weights:?}"
            );
        }
        let too_few = pairs.expected(&metric, &weights[1..], &|| Ok(()));
        assert_eq!(too_few, Err(Error::BadTable));
    }
    assert!(positive > 100);
}

/// The same for chrF: its formula of the mean counts.
#[test]
#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn expected_chrf() {
    let mut random = Random(35);
    let metric: Chrf = chrf(4, 0);
    for _ in 0..40 {
        let [hypotheses, references] = [5, 3].map(|count| texts(&mut random, count, 12, 3));
        let all = [&hypotheses[..], &references].concat();
        let write = |ids: &Vec<i64>| {
            ids.iter()
                .map(|id| ["a", "b", "c"][usize::try_from(*id).expect("few")])
                .collect()
        };
        let written: Vec<String> = all.iter().map(write).collect();
        let pairs = Pairs::new(
            &split(&metric, &crate::metrics::segments(&written)),
            5,
            &metric,
            &|| Ok(()),
        );
        let weights = [0.5, 0.25, 0.25];
        let found = pairs
            .expect("short")
            .expected(&metric, &weights, &|| Ok(()));
        for (hypothesis, found) in hypotheses.iter().zip(found.expect("a weight for each")) {
            let (matches, totals) = expected_counts(hypothesis, &references, &weights, 4);
            let own = |n: usize| {
                if totals[n] == 0.0 {
                    0.0
                } else {
                    hypothesis.len().saturating_sub(n) as f64
                }
            };
            let expected = metric.formula.score(|column| {
                let n = column / 3;
                [own(n), totals[n], matches[n]][column % 3]
            });
            assert!(close(found, expected), "{hypothesis:?} {references:?}");
        }
    }
}

/// The mean of one reference is that reference, to the last bit, also with words and where texts are
/// too short for some orders.
#[test]
fn expected_of_one() {
    let mut random = Random(37);
    let texts = [
        "",
        "a",
        "the cat",
        "the cat sat.",
        "(a) cat",
        "the the cats",
    ];
    for round in 0..60 {
        let mut metric = chrf(1 + round % 6, round % 3);
        metric.formula.eps_smoothing = round % 2 == 0;
        let pair = [random.of(&texts), random.of(&texts)];
        let segments = crate::metrics::segments(&pair);
        let pairs = Pairs::new(&split(&metric, &segments), 1, &metric, &|| Ok(()));
        let row = row(&metric, segments[0], &segments[1..]);
        let expected = Ok(vec![metric.score(&row, Scope::Segment)]);
        let found = pairs.expect("short").expected(&metric, &[1.0], &|| Ok(()));
        assert_eq!(found, expected, "{pair:?} {metric:?}");
    }
}

/// The row of each text against all others is that of the text with the others as its references:
/// for every rule of the reference length, on any number of threads.
#[test]
fn self_bleu() {
    let mut random = Random(36);
    for round in 0..150 {
        let (name, rule) = ReferenceLength::ALL[round % 5];
        let mut metric = bleu_of_ids("exp", 1 + round % 5);
        metric.reference_length = rule;
        let longest = random.of(&[1, 4, 20]);
        let count = 2 + random.below(8);
        let texts = texts(&mut random, count, longest, 3);
        let segments: Vec<_> = texts.iter().map(|ids| Segment::Ids(ids)).collect();
        let split = split(&metric, &segments);
        let index = &split.streams()[0];
        let expected: Vec<Vec<i64>> = (0..texts.len())
            .map(|own| {
                let mut others = texts.clone();
                let text = others.remove(own);
                // The order of the others, on which this rule depends, is not kept.
                let name = if name == "closest-first" {
                    "closest"
                } else {
                    name
                };
                defined::row(&text, &others, metric.formula.max_order, name)
            })
            .collect();
        for threads in [1, 2, 5] {
            let found = against_others(index, &metric, &[], threads, &|| Ok(()));
            assert_eq!(found, Ok(expected.concat()), "{name} {texts:?}");
        }
        let chosen: Vec<bool> = texts.iter().map(|_| random.below(2) == 0).collect();
        let found = against_others(index, &metric, &chosen, 1, &|| Ok(())).expect("short");
        let rows = found.chunks_exact(metric.width());
        for ((row, expected), chosen) in rows.zip(&expected).zip(&chosen) {
            assert!(!chosen || row == expected, "{texts:?}");
        }
        let alone = self::split(&metric, &segments[..1]);
        let refused = against_others(&alone.streams()[0], &metric, &[], 1, &|| Ok(()));
        assert_eq!(refused, Err(Error::BadTable));
    }
}

/// What was split for another metric is refused, and so are more hypotheses than texts.
#[test]
fn other_metrics() {
    let (words, ids) = (chrf(6, 2), bleu_of_ids("exp", 4));
    let texts = split(&words, &crate::metrics::segments(&["a b", "b"]));
    let pairs = |metric: &Chrf, count| Pairs::new(&texts, count, metric, &|| Ok(()));
    assert_eq!(pairs(&words, 3).err(), Some(Error::BadTable));
    assert_eq!(
        Pairs::new(&texts, 1, &ids, &|| Ok(())).err(),
        Some(Error::BadTable)
    );
    let pairs = pairs(&words, 1).expect("two texts");
    let refused = pairs.block(&chrf(6, 1), 0..1, 1, &|| Ok(()));
    assert_eq!(refused, Err(Error::BadTable));
    let interrupted = Pairs::new(&texts, 1, &words, &|| Err(Error::Interrupted));
    // So short texts are not worth a pause.
    assert!(interrupted.is_ok());
}
