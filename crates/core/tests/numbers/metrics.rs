//! Metrics with their settings, and the row of a segment.

use truebleu_core::corpus::count_segment;
use truebleu_core::count::{ReferenceLength, Whitespace};
use truebleu_core::metric::Metric;
use truebleu_core::metric::bleu::Bleu;
use truebleu_core::metric::bleu_formula::Formula;
use truebleu_core::metric::chrf::Chrf;
use truebleu_core::metric::chrf_formula::ChrfFormula;
use truebleu_core::metric::smoothing::Smoothing;
use truebleu_core::text::Segment;
use truebleu_core::tokenize::{Preprocessing, Tokenizer};

/// BLEU with the settings that are sacreBLEU's by default.
pub fn bleu() -> Bleu {
    Bleu {
        preprocessing: Preprocessing {
            unicode_form: None,
            lowercase: false,
            tokenizer: Tokenizer::V13a,
        },
        reference_length: ReferenceLength::Closest,
        phantom_ngrams: false,
        formula: formula("exp", None, 4),
    }
}

/// BLEU's formula with uniform weights.
pub fn formula(smoothing: &str, value: Option<f64>, max_order: usize) -> Formula {
    Formula {
        max_order,
        smoothing: Smoothing::named(smoothing, value).expect("a smoothing"),
        effective_order: Some(false),
        brevity_penalty: true,
        weights: Vec::new(),
    }
}

/// chrF2 with these orders of characters and words.
pub fn chrf(char_order: usize, word_order: usize) -> Chrf {
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

/// The row of a segment.
pub fn row<M: Metric>(metric: &M, hypothesis: Segment<'_>, references: &[Segment<'_>]) -> Vec<i64> {
    let mut row = vec![-1; metric.width()];
    count_segment(metric, hypothesis, references, &mut row).expect("short texts");
    row
}

/// The row of a hypothesis and its references, which come after it.
pub fn row_of_texts<M: Metric>(metric: &M, texts: &[String]) -> Vec<i64> {
    let segments = segments(texts);
    row(metric, segments[0], &segments[1..])
}

/// The row of token ids.
pub fn row_of_ids<M: Metric>(metric: &M, hypothesis: &[i64], references: &[Vec<i64>]) -> Vec<i64> {
    let references: Vec<_> = references.iter().map(|ids| Segment::Ids(ids)).collect();
    row(metric, Segment::Ids(hypothesis), &references)
}

/// Texts as segments.
pub fn segments<T: AsRef<str>>(texts: &[T]) -> Vec<Segment<'_>> {
    texts
        .iter()
        .map(|text| Segment::Utf8(text.as_ref().as_bytes()))
        .collect()
}

/// Whether two numbers are equal but for rounding.
pub fn close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-12 * one.abs().max(other.abs())
}
