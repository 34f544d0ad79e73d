//! What one thread of the core takes, stage by stage, and what it must not depend on.
//!
//! `cargo bench -p truebleu-core` runs it, and so does `make bench`, once for each level of
//! the processor. Each line of the output is one figure: a name, nanoseconds, cycles or a ratio, and
//! the unit. The text is made up, with fixed random numbers, so that it needs no data.
//!
//! The hot loops are in `tokenize/scanner.rs`, `tokenize/blocks/` and `count/bit_parallel.rs`. Run it
//! after every change of one, also with `TRUEBLEU_SIMD=avx2` and `baseline`: compilers may turn code
//! without branches into branches, and then the time depends on the data.

use std::hint::black_box;
use std::time::Instant;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use truebleu_core::corpus::count_batch;
use truebleu_core::count::{Counter, ReferenceLength, Tokens};
use truebleu_core::metric::bleu::Bleu;
use truebleu_core::metric::bleu_formula::Formula;
use truebleu_core::metric::smoothing::Smoothing;
use truebleu_core::processor::Level;
use truebleu_core::text::{Batch, Encoding, Scratch, Segment};
use truebleu_core::tokenize::{Preprocessing, TokenList, Tokenizer};

/// Pairs of texts. They fit into the L2 cache, so that no stage waits for memory.
const PAIRS: usize = 50;

/// Rounds, of which the fastest counts: other processes only ever add time.
const ROUNDS: usize = 60;

fn main() {
    println!("# {}", Level::current().name());
    stages(&Texts::new(PAIRS, 40, 20, 0.1));
    guards();
}

/// Hypotheses and their references.
struct Texts {
    hypotheses: Vec<String>,
    references: Vec<String>,
}

impl Texts {
    /// Texts of 5 to 44 words. Words of hypotheses come from the first `words` of a vocabulary, those
    /// of references from as many from `first` on. By the probability `stops`, a word is followed
    /// by a stop or a hyphen.
    fn new(pairs: usize, words: usize, first: usize, stops: f64) -> Self {
        let mut random = Random(Xoshiro256PlusPlus::seed_from_u64(1));
        let vocabulary: Vec<String> = (0..first + words).map(|_| random.word()).collect();
        let mut sentences = |vocabulary: &[String]| {
            let sentence = |_| {
                let length = 5 + random.below(40);
                random.sentence(vocabulary, length, stops)
            };
            (0..pairs).map(sentence).collect()
        };
        Self {
            hypotheses: sentences(&vocabulary[..words]),
            references: sentences(&vocabulary[first..]),
        }
    }

    fn batch(&self) -> Batch<'_> {
        let mut batch = Batch::with_capacity(self.hypotheses.len());
        for (hypothesis, reference) in self.hypotheses.iter().zip(&self.references) {
            let reference = Segment::Utf8(reference.as_bytes());
            batch.push(Segment::Utf8(hypothesis.as_bytes()), [reference]);
        }
        batch
    }
}

struct Random(Xoshiro256PlusPlus);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.0.next_u64() % limit as u64).expect("smaller than limit")
    }

    fn happens(&mut self, probability: f64) -> bool {
        f64::from(self.0.next_u32()) < probability * f64::from(u32::MAX)
    }

    /// A word of 2 to 11 letters.
    fn word(&mut self) -> String {
        let length = 2 + self.below(10);
        (0..length)
            .map(|_| char::from(b'a' + u8::try_from(self.below(26)).expect("a letter")))
            .collect()
    }

    fn sentence(&mut self, vocabulary: &[String], length: usize, stops: f64) -> String {
        let mut text = String::new();
        for _ in 0..length {
            text += &vocabulary[self.below(vocabulary.len())];
            if self.happens(stops) {
                text += [".", ",", "-5", " 1.5", ";"][self.below(5)];
            }
            text += " ";
        }
        text
    }
}

fn bleu() -> Bleu {
    Bleu {
        preprocessing: Preprocessing {
            unicode_form: None,
            lowercase: false,
            tokenizer: Tokenizer::V13a,
        },
        reference_length: ReferenceLength::Closest,
        phantom_ngrams: false,
        formula: Formula {
            max_order: 4,
            smoothing: Smoothing::named("exp", None).expect("known"),
            effective_order: None,
            brevity_penalty: true,
            weights: vec![vec![0.25; 4]],
        },
    }
}

/// The fastest of some rounds, in nanoseconds.
fn fastest(mut work: impl FnMut(usize)) -> f64 {
    (0..ROUNDS)
        .map(|round| {
            let start = Instant::now();
            work(round);
            start.elapsed().as_secs_f64() * 1e9
        })
        .fold(f64::INFINITY, f64::min)
}

/// The texts as tokens: of each pair the buffer, the hypothesis and the reference.
type Tokenized = Vec<(Scratch, TokenList, TokenList)>;

fn tokenized(texts: &Texts) -> Tokenized {
    let pairs = texts.hypotheses.iter().zip(&texts.references);
    pairs
        .map(|(hypothesis, reference)| {
            let (mut scratch, mut own, mut other) = Default::default();
            for (text, list) in [(hypothesis, &mut own), (reference, &mut other)] {
                let segment = Segment::Utf8(text.as_bytes());
                bleu().preprocessing.tokenize(&mut scratch, segment, list);
            }
            (scratch, own, other)
        })
        .collect()
}

/// Nanoseconds that tokenizing all texts takes.
fn tokenizing(texts: &Texts, tokenizer: Tokenizer) -> f64 {
    let (mut scratch, mut list) = (Scratch::default(), TokenList::default());
    let preprocessing = Preprocessing {
        tokenizer,
        ..bleu().preprocessing
    };
    fastest(|_| {
        for text in texts.hypotheses.iter().chain(&texts.references) {
            scratch.clear(Encoding::Utf8);
            let segment = Segment::Utf8(text.as_bytes());
            preprocessing.tokenize(&mut scratch, segment, &mut list);
            black_box(list.as_slice().len());
        }
    })
}

/// Nanoseconds for entering all hypotheses, and for counting their references.
///
/// In each round, a hypothesis has another reference: processors remember which branches were taken
/// when they see the same text again.
fn counting(pairs: &Tokenized) -> (f64, f64) {
    let mut counter = Counter::default();
    let entering = fastest(|_| {
        for (scratch, hypothesis, _) in pairs {
            counter.start(Tokens::Text(scratch, hypothesis.as_slice()), 4);
        }
    });
    let mut matches = [0; 4];
    let both = fastest(|round| {
        let references = pairs.iter().cycle().skip(round);
        for ((scratch, hypothesis, _), (other, _, reference)) in pairs.iter().zip(references) {
            counter.start(Tokens::Text(scratch, hypothesis.as_slice()), 4);
            counter.reference(Tokens::Text(other, reference.as_slice()));
            counter.clipped_matches(&mut matches);
            black_box(&matches);
        }
    });
    (entering, both - entering)
}

fn figure(name: &str, nanoseconds: f64, per: &str) {
    println!("{name}\t{nanoseconds:.2} ns\tper {per}");
}

/// Nanoseconds of a cycle of the processor: a rotation and an exclusive or that wait for each other
/// take two.
fn cycle() -> f64 {
    const STEPS: u32 = 10_000;
    let time = fastest(|_| {
        let chain = (0..STEPS).fold(1_u64, |all, step| all.rotate_left(7) ^ u64::from(step));
        black_box(chain);
    });
    time / f64::from(2 * STEPS)
}

#[expect(clippy::cast_precision_loss, reason = "counts of tokens")]
fn stages(texts: &Texts) {
    let pairs = tokenized(texts);
    let own: usize = pairs.iter().map(|pair| pair.1.as_slice().len()).sum();
    let others: usize = pairs.iter().map(|pair| pair.2.as_slice().len()).sum();
    let tokens = (own + others) as f64;
    let texts_of_all = texts.hypotheses.iter().chain(&texts.references);
    let bytes = texts_of_all.map(String::len).sum::<usize>() as f64;
    let cycles = |name: &str, nanoseconds: f64| {
        let cycles = nanoseconds / cycle() / bytes;
        println!("{name}, cycles\t{cycles:.2}\tper byte");
    };
    for (name, tokenizer) in [
        ("13a", Tokenizer::V13a),
        ("intl", Tokenizer::International),
        ("char", Tokenizer::Characters),
    ] {
        let time = tokenizing(texts, tokenizer);
        figure(&format!("tokenize, {name}"), time / tokens, "13a token");
        cycles(&format!("tokenize, {name}"), time);
    }
    let (entering, counting) = counting(&pairs);
    figure("enter the hypothesis", entering / own as f64, "token");
    figure("count the reference", counting / others as f64, "token");
    cycles("enter and count", entering + counting);
    let (batch, bleu) = (texts.batch(), bleu());
    let all = fastest(|_| {
        black_box(count_batch(&bleu, &batch, 1, false, &[]).expect("counts"));
    });
    figure("all", all / PAIRS as f64, "pair");
    cycles("all", all);
}

/// Prints a ratio that should be near 1: the smallest of three, because what the machine code
/// does shows every time, and what other processes do does not.
fn guard(name: &str, ratio: impl Fn() -> f64) {
    let ratio = (0..3).map(|_| ratio()).fold(f64::INFINITY, f64::min);
    println!("{name}\t{ratio:.2}\tx");
}

/// What the machine code must not do: branch on what the text is like. A branch that cannot be predicted costs 15 to 20 cycles.
fn guards() {
    let count = |words, first| {
        let (_, counting) = counting(&tokenized(&Texts::new(PAIRS, words, first, 0.0)));
        counting
    };
    let ratio = || {
        // Hypotheses have none, about half, or nearly all of the words of their references.
        let (none, half, all) = (count(40, 40), count(40, 0), count(4, 0));
        // With a branch, half of the tokens would be mispredicted in the middle only.
        half / f64::midpoint(none, all)
    };
    guard("references: half of the tokens found, none or all", ratio);
    // With a branch for each stop, a block with stops would take longer than one without.
    let scan = |stops| {
        let texts = Texts::new(20 * PAIRS, 40, 40, stops);
        let bytes = texts.hypotheses.iter().chain(&texts.references);
        #[expect(clippy::cast_precision_loss, reason = "numbers of bytes")]
        let bytes = bytes.map(String::len).sum::<usize>() as f64;
        tokenizing(&texts, Tokenizer::V13a) / bytes
    };
    let ratio = || scan(0.3) / scan(0.0);
    guard("tokenize: a byte of text with stops, without", ratio);
}
