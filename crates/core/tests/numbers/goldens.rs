//! Scores are those that other tools have computed, to the last bit where they are sacreBLEU's.

use truebleu_core::metric::ter::{Ter, UNITS};
use truebleu_core::metric::{Metric, Scope};
use truebleu_core::tokenize::Tokenizer;

use crate::golden::{example, numbers, table};
use crate::metrics::{bleu, chrf, close, formula, row_of_ids, row_of_texts};

/// The score of a corpus: that of the sum of the rows of its segments.
fn corpus_score<M: Metric>(metric: &M, segments: &[Vec<String>]) -> f64 {
    let rows = segments.iter().map(|texts| row_of_texts(metric, texts));
    let mut sum = vec![0; metric.width()];
    for row in rows {
        sum.iter_mut()
            .zip(row)
            .for_each(|(sum, count)| *sum += count);
    }
    metric.score(&sum, Scope::Corpus)
}

/// Every number of the systems in `examples/` and of their segments under several settings is
/// sacreBLEU's: counts, totals, lengths, brevity penalty, score.
#[test]
fn bleu_of_the_examples() {
    let rows = table::<13>("examples.tsv");
    assert_eq!(rows.len(), 3 * (3 * 7 + 72));
    for row in rows {
        let [
            system,
            segment,
            references,
            tokenizer,
            lowercase,
            smoothing,
            effective,
            score,
            ..,
        ] = &row;
        let mut metric = bleu();
        metric.preprocessing.tokenizer = Tokenizer::named(tokenizer).expect("native");
        metric.preprocessing.lowercase = lowercase == "1";
        metric.formula = formula(smoothing, None, 4);
        metric.formula.effective_order = Some(effective == "1");
        let mut segments = example(system, references);
        if segment != "all" {
            segments = vec![segments.swap_remove(numbers(segment)[0])];
        }
        let mut sum = vec![0; metric.width()];
        for texts in &segments {
            let row = row_of_texts(&metric, texts);
            sum.iter_mut()
                .zip(row)
                .for_each(|(sum, count)| *sum += count);
        }
        let [mut counts, mut totals]: [Vec<i64>; 2] = [&row[8], &row[9]].map(|cell| numbers(cell));
        if smoothing == "add-k" {
            // sacreBLEU shows them with k added.
            counts[1..].iter_mut().for_each(|count| *count -= 1);
            totals[1..].iter_mut().for_each(|total| *total -= 1);
        }
        let lengths: Vec<i64> = row[10..12].iter().flat_map(|cell| numbers(cell)).collect();
        assert_eq!(sum, [lengths, counts, totals].concat(), "{row:?}");
        let parts = metric.parts(&sum, Scope::Corpus).expect("its row");
        let expected: f64 = numbers(score)[0];
        // A perfect score is exactly that.
        assert_eq!(parts.scores, [expected.min(100.0)], "{row:?}");
        assert_eq!(parts.brevity_penalty, numbers::<f64>(&row[12])[0]);
    }
}

/// chrF and TER of the systems in `examples/` are sacreBLEU's, as evaluate wraps it.
#[test]
fn chrf_and_ter_of_the_examples() {
    let mut compared = 0;
    for [metric, tool, corpus, score] in table("chrf_ter.tsv") {
        let Some((system, references)) = corpus.split_once(' ') else {
            panic!("{corpus} has no references");
        };
        if tool != "huggingface" || !["strong", "medium", "weak"].contains(&system) {
            continue;
        }
        let mut segments = example(system, references);
        // Where some file has an empty line, the script leaves the segment out.
        segments.retain(|texts| texts.iter().all(|text| !text.is_empty()));
        let found = match metric.as_str() {
            "chrf" => corpus_score(&chrf(6, 0), &segments),
            _ => corpus_score(&Ter::default(), &segments),
        };
        assert_eq!(found, numbers::<f64>(&score)[0], "{metric} {corpus}");
        compared += 1;
    }
    assert_eq!(compared, 12);
}

/// The formulas give what sacreBLEU's give for any counts: zero matches, zero n-grams, both sides of
/// equal lengths, orders 1 to 9, beta 1 to 3.
#[test]
fn formulas_of_sacrebleu() {
    let rows = table::<4>("formulas.tsv");
    for [metric, settings, row, expected] in &rows {
        let settings: Vec<&str> = settings.split(',').collect();
        let number = |place: usize| settings[place].parse::<usize>().expect("a number");
        let expected: Vec<f64> = numbers(expected);
        let score = match metric.as_str() {
            "bleu" => {
                check_bleu(&settings, &numbers::<i64>(row), &expected);
                continue;
            }
            "chrf" => {
                let mut chrf = chrf(number(0), number(1));
                chrf.formula.squared_beta = [1.0, 4.0, 9.0][number(2) - 1];
                chrf.formula.eps_smoothing = number(3) == 1;
                chrf.score(&numbers::<i64>(row), Scope::Corpus)
            }
            _ => {
                let [edits, length] = numbers::<f64>(row)[..] else {
                    panic!("{row} is not two numbers");
                };
                Ter::default().score(&ter_row(edits, length), Scope::Corpus)
            }
        };
        assert_eq!(score, expected[0], "{metric} {settings:?} {row:?}");
    }
    assert!(rows.len() > 500);
}

/// Compares BLEU of a row, its brevity penalty and its precisions.
fn check_bleu(settings: &[&str], row: &[i64], expected: &[f64]) {
    let [smoothing, value, orders, effective] = settings else {
        panic!("{settings:?} are not four");
    };
    let mut metric = bleu();
    metric.formula = formula(
        smoothing,
        value.parse().ok(),
        orders.parse().expect("a number"),
    );
    metric.formula.effective_order = Some(*effective == "1");
    let parts = metric.parts(row, Scope::Corpus).expect("its row");
    let [score, penalty, precisions @ ..] = expected else {
        panic!("{expected:?} has no precisions");
    };
    let context = format!("{settings:?} {row:?}");
    assert_eq!(parts.precisions, precisions, "{context}");
    assert_eq!(parts.brevity_penalty, *penalty, "{context}");
    let used = &precisions[..parts.orders];
    let score = if *penalty == 1.0 && used.iter().all(|&precision| precision == 100.0) {
        // Where sacreBLEU has 100.00000000000004.
        100.0
    } else {
        *score
    };
    assert_eq!(parts.scores, [score], "{context}");
    assert_eq!(metric.score(row, Scope::Segment), score, "{context}");
    let fractions = metric.precision_fractions(row).expect("its row");
    let near = fractions.iter().zip(precisions);
    assert!(
        near.clone().all(|(p, percent)| close(100.0 * p, *percent)),
        "{context}"
    );
}

/// A row of TER with so many edits, of different kinds.
fn ter_row(edits: f64, length: f64) -> Vec<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "small numbers")]
    let [edits, length] = [edits as i64, (length * 720_720.0).round() as i64];
    assert_eq!(UNITS, 720_720);
    let kinds = [
        edits / 4,
        edits / 3 - edits / 4,
        edits / 2 - edits / 3,
        edits - edits / 2,
    ];
    [&kinds[..], &[length]].concat()
}

/// With its smoothings and weights, sentences have NLTK's scores.
#[test]
fn sentences_of_nltk() {
    let rows = table::<6>("nltk_sentences.tsv");
    assert_eq!(rows.len(), 12 * 25);
    for [smoothing, value, weights, hypothesis, references, expected] in &rows {
        let weights: Vec<f64> = numbers(weights);
        let value = value.parse().ok();
        let mut metric = bleu();
        metric.formula = formula(smoothing, value, weights.len());
        let hypothesis: Vec<i64> = numbers(hypothesis);
        let references: Vec<Vec<i64>> = references.split('|').map(numbers).collect();
        let expected: f64 = numbers(expected)[0];
        let row = row_of_ids(&metric, &hypothesis, &references);
        let context = format!("{smoothing} {hypothesis:?} {references:?} {weights:?}");
        let uniform = weights.iter().all(|&weight| weight == weights[0]);
        if uniform {
            let found = metric.score(&row, Scope::Corpus);
            assert!(
                close(found, (100.0 * expected).min(100.0)),
                "{found} {context}"
            );
        }
        metric.formula.weights = vec![weights.clone(), vec![1.0]];
        let parts = metric.parts(&row, Scope::Corpus).expect("its row");
        let found = parts.scores[0];
        assert!(
            close(found, (100.0 * expected).min(100.0)),
            "{found} {context}"
        );
    }
}
