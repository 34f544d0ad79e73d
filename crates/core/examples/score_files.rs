//! Prints the BLEU of a file of hypotheses, given a file of references, both with one segment per
//! line.
//!
//! `cargo run --release -p truebleu-core --example score_files -- HYPOTHESES REFERENCES`

use std::error::Error;
use std::{env, fs, thread};

use truebleu_core::corpus::count_batch;
use truebleu_core::count::ReferenceLength;
use truebleu_core::metric::bleu::Bleu;
use truebleu_core::metric::bleu_formula::Formula;
use truebleu_core::metric::smoothing::Smoothing;
use truebleu_core::metric::{Metric, Scope};
use truebleu_core::text::{Batch, Segment};
use truebleu_core::tokenize::{Preprocessing, Tokenizer};

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<_> = env::args().skip(1).collect();
    let [hypotheses, references] = paths.as_slice() else {
        return Err("two files are needed: HYPOTHESES REFERENCES".into());
    };
    println!("{:.2}", score(hypotheses, references)?);
    Ok(())
}

/// The BLEU of a file, with the settings that are sacreBLEU's by default.
fn score(hypotheses: &str, references: &str) -> Result<f64, Box<dyn Error>> {
    let bleu = Bleu {
        preprocessing: Preprocessing {
            unicode_form: None,
            lowercase: false,
            tokenizer: Tokenizer::named("13a")?,
        },
        reference_length: ReferenceLength::Closest,
        phantom_ngrams: false,
        formula: Formula {
            max_order: 4,
            smoothing: Smoothing::named("exp", None)?,
            effective_order: None,
            brevity_penalty: true,
            weights: Vec::new(),
        },
    };
    let [hypotheses, references] = [
        fs::read_to_string(hypotheses)?,
        fs::read_to_string(references)?,
    ];
    let segments = hypotheses.lines().count();
    if references.lines().count() != segments {
        return Err("the files have different numbers of lines".into());
    }
    let mut batch = Batch::with_capacity(segments);
    for (hypothesis, reference) in hypotheses.lines().zip(references.lines()) {
        let [hypothesis, reference] =
            [hypothesis, reference].map(|line| Segment::Utf8(line.as_bytes()));
        batch.push(hypothesis, [reference]);
    }
    let threads = thread::available_parallelism()?.get();
    let sum = count_batch(&bleu, &batch, threads, false, &[])?;
    Ok(bleu.score(&sum, Scope::Corpus))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The score that sacreBLEU 2.6.0 prints for these files.
    #[test]
    fn a_system() {
        let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
        let [system, reference] =
            ["system-weak.en", "reference-a.en"].map(|name| format!("{examples}/{name}"));
        let found = score(&system, &reference).expect("scores");
        assert_eq!(format!("{found:.2}"), "14.89");
        let other = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
        assert!(score(&system, other).is_err());
    }
}
