//! Corpora: rows, scores of pairs, samples and tests do not depend on how they are computed. One
//! input in 16 is also computed on several threads, because to start them takes longer; one in 512 is
//! made long, or many.
#![no_main]

use std::sync::Mutex;

use libfuzzer_sys::fuzz_target;
use truebleu_core::corpus::{Observed, count_batch, count_segment};
use truebleu_core::count::rows::add_rows;
use truebleu_core::count::{ReferenceLength, Whitespace};
use truebleu_core::error::Error;
use truebleu_core::many::pairwise::Pairs;
use truebleu_core::many::self_bleu::against_others;
use truebleu_core::many::texts::Texts;
use truebleu_core::metric::any::{AnyMetric, with_metric};
use truebleu_core::metric::bleu::Bleu;
use truebleu_core::metric::bleu_formula::Formula;
use truebleu_core::metric::chrf::Chrf;
use truebleu_core::metric::chrf_formula::ChrfFormula;
use truebleu_core::metric::smoothing::{SMOOTHINGS, Smoothing};
use truebleu_core::metric::ter::Ter;
use truebleu_core::metric::{Metric, NgramMetric, Scope};
use truebleu_core::resample::{Contributions, Influences, MOST_PERMUTED, Tested, Units, swap_all};
use truebleu_core::text::{Batch, Segment};
use truebleu_core::tokenize::{Preprocessing, Tercom, Tokenizer};

/// Those of the tests of the core.
#[allow(dead_code, reason = "not all are needed")]
#[path = "../../crates/core/tests/numbers/definitions/mod.rs"]
mod definitions;

// With as many spaces between two words, and at the end, texts are read in pieces.
const WIDE: usize = 1 << 18;
const LONG: usize = 1 << 21;

// Units that are drawn with 32 bits; that do not fit into a cache.
const MANY: [usize; 2] = [5_000, 33_000];

const MOST_TEXTS: usize = 12;
const MOST_WORDS: usize = 24;

fuzz_target!(|data: &[u8]| {
    let &[kind, orders, rules, seed, ref data @ ..] = data else {
        return;
    };
    let parts = data.split(|&byte| byte == 255).take(MOST_TEXTS);
    let texts: Vec<String> = parts.map(|part| words(kind, part)).collect();
    let segments: Vec<_> = texts
        .iter()
        .map(|text| Segment::Utf8(text.as_bytes()))
        .collect();
    if segments.len() < 4 {
        return;
    }
    let metric = metric(kind, orders, rules);
    let threads: &[usize] = if seed % 16 == 0 { &[1, 3] } else { &[1] };
    let rows = with_metric!(&metric, metric => counted(metric, &segments, threads));
    match lot(data) % 1024 {
        // One that counts spaces is another.
        0 if !matches!(&metric, AnyMetric::Chrf(chrf) if chrf.whitespace == Whitespace::Kept) => {
            with_metric!(&metric, metric => spread(metric, &texts));
        }
        1 => repeated(&rows),
        _ => {}
    }
    match &metric {
        AnyMetric::Bleu(bleu) => {
            smoothed(rules, f64::from(seed) / 8.0 - 1.0);
            in_parts(bleu, &rows.1.concat());
            paired(bleu, &segments, threads);
            let mut texts = Texts::default();
            for &segment in &segments {
                texts.push(bleu, segment).expect("short texts");
            }
            let others =
                |&threads| against_others(&texts.streams()[0], bleu, &[], threads, &|| Ok(()));
            assert!(equal(threads.iter().map(others)));
        }
        AnyMetric::Chrf(chrf) => paired(chrf, &segments, threads),
        AnyMetric::Ter(_) => {}
    }
    resampled(&metric, rows, u64::from(seed), threads);
});

/// A number that is another after any change, so that what is like an input of which more is
/// computed is not another such.
fn lot(data: &[u8]) -> u64 {
    let mixed = data.iter().fold(0xCBF2_9CE4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)
    });
    mixed >> 40
}

fn equal<T: PartialEq>(mut found: impl Iterator<Item = T>) -> bool {
    let first = found.next();
    found.all(|each| Some(each) == first)
}

/// A text of few kinds of words, or of many.
fn words(kind: u8, part: &[u8]) -> String {
    let kinds = [2, 5, 30, 250][usize::from(kind >> 6)];
    let word = |byte: &u8| match byte % kinds {
        0 => "a".to_owned(),
        1 => "b.".to_owned(),
        2 => "É1,5".to_owned(),
        3 => "漢、ア。".to_owned(),
        number => format!("w{number}"),
    };
    let words: Vec<String> = part.iter().take(MOST_WORDS).map(word).collect();
    words.join(" ")
}

fn metric(kind: u8, orders: u8, rules: u8) -> AnyMetric {
    let preprocessing = Preprocessing {
        tokenizer: [Tokenizer::V13a, Tokenizer::None][usize::from(kind >> 3 & 1)],
        lowercase: kind & 16 != 0,
        ..Preprocessing::default()
    };
    let max_order = usize::from(orders % 6) + 1;
    match kind % 4 {
        0 | 1 => AnyMetric::Bleu(Bleu {
            preprocessing,
            reference_length: ReferenceLength::ALL[usize::from(rules % 5)].1,
            phantom_ngrams: kind & 32 != 0,
            formula: Formula {
                max_order,
                smoothing: Smoothing::named(
                    SMOOTHINGS[usize::from(rules / 5) % SMOOTHINGS.len()].name,
                    None,
                )
                .expect("its own name"),
                effective_order: [None, Some(false), Some(true)][usize::from(orders / 6 % 3)],
                brevity_penalty: kind & 64 == 0,
                weights: if orders < 200 {
                    Vec::new()
                } else {
                    vec![vec![0.7; max_order]]
                },
            },
        }),
        2 => AnyMetric::Chrf(Chrf {
            preprocessing,
            whitespace: [Whitespace::Removed, Whitespace::Kept][usize::from(kind >> 5 & 1)],
            formula: ChrfFormula {
                char_order: max_order,
                word_order: usize::from(orders / 6 % 3),
                squared_beta: f64::from(rules),
                eps_smoothing: orders >= 128,
            },
        }),
        _ => AnyMetric::Ter(Ter {
            tokenizer: Tercom {
                normalized: rules & 1 != 0,
                no_punct: rules & 2 != 0,
                asian_support: rules & 4 != 0,
                case_sensitive: rules & 8 != 0,
            },
            ..Ter::default()
        }),
    }
}

/// The rows of two systems: one by one, together, and on several threads.
fn counted<M: Metric>(
    metric: &M,
    texts: &[Segment<'_>],
    threads: &[usize],
) -> (usize, [Vec<i64>; 2]) {
    let width = metric.width();
    let mut batch = Batch::of_systems(2, texts.len() / 4);
    let mut rows = [Vec::new(), Vec::new()];
    for segment in texts.chunks_exact(4) {
        let (hypotheses, references) = segment.split_at(2);
        batch.push_systems(hypotheses.iter().copied(), references.iter().copied());
        for (rows, &hypothesis) in rows.iter_mut().zip(hypotheses) {
            let mut row = vec![-1; width];
            count_segment(metric, hypothesis, references, &mut row).expect("short texts");
            let score = metric.score(&row, Scope::Segment);
            assert!(score >= 0.0 && !score.is_nan(), "{score} of {row:?}");
            rows.append(&mut row);
        }
    }
    together(metric, texts, &rows);
    for &threads in threads {
        let observed: [Mutex<Observed>; 2] = Default::default();
        let looks = [&observed[0], &observed[1]];
        let both = count_batch(metric, &batch, threads, true, &looks).expect("short texts");
        for each in observed {
            let seen = each.into_inner().expect("no panic").segments;
            assert_eq!(seen, batch.len() as u64);
        }
        let sums = count_batch(metric, &batch, threads, false, &[]).expect("short texts");
        for (system, rows) in rows.iter().enumerate() {
            let own: Vec<_> = both
                .chunks(width)
                .skip(system)
                .step_by(2)
                .flatten()
                .collect();
            assert_eq!(own, rows.iter().collect::<Vec<_>>());
            let sum = add_rows(rows, width).expect("few rows");
            assert_eq!(sums[system * width..][..width], sum);
        }
    }
    (width, rows)
}

/// Many segments of one system, some of which are counted at once, have the rows of single ones.
fn together<M: Metric>(metric: &M, texts: &[Segment<'_>], rows: &[Vec<i64>; 2]) {
    let mut batch = Batch::with_capacity(texts.len());
    for segment in texts.chunks_exact(4).cycle().take(24) {
        batch.push(segment[0], segment[2..].iter().copied());
    }
    let found = count_batch(metric, &batch, 1, true, &[]).expect("short texts");
    let own = rows[0].iter().cycle().take(found.len());
    assert!(found.iter().eq(own));
    let twice = batch.reference_counts();
    assert_eq!((twice, batch.is_empty()), ((2, 2), false));
}

/// Spaces between words change nothing where they are not counted.
fn spread<M: Metric>(metric: &M, texts: &[String]) {
    let wide: Vec<String> = texts[..2]
        .iter()
        .map(|text| {
            let spread = text.split(' ').collect::<Vec<_>>().join(&" ".repeat(WIDE));
            spread + &" ".repeat(LONG)
        })
        .collect();
    let row = |texts: [&String; 3]| {
        let [hypothesis, references @ ..] = texts.map(|text| Segment::Utf8(text.as_bytes()));
        let mut row = vec![-1; metric.width()];
        count_segment(metric, hypothesis, &references, &mut row).expect("short enough");
        row
    };
    let expected = row([&texts[0], &texts[1], &texts[2]]);
    assert_eq!(row([&wide[0], &texts[1], &texts[2]]), expected);
    assert_eq!(row([&texts[0], &wide[1], &texts[2]]), expected);
    assert_eq!(row([&wide[0], &wide[1], &texts[2]]), expected);
}

/// A value is taken by those that take one, and that can divide by it.
fn smoothed(rules: u8, value: f64) {
    let facts = &SMOOTHINGS[usize::from(rules) % SMOOTHINGS.len()];
    let valid = facts.takes_value && value >= 0.0 && !(facts.divides_by_value && value == 0.0);
    match Smoothing::named(facts.name, Some(value)) {
        Ok(smoothing) => assert!(valid && smoothing.value() == value),
        Err(error) => assert!(!valid && matches!(error, Error::InvalidSetting(_))),
    }
    let smoothing = Smoothing::named(facts.name, None).expect("its own name");
    assert_eq!(smoothing.sentence_only(), facts.sentence_only);
    assert_eq!(smoothing.rule(), facts.rule);
    let unknown = Smoothing::named(&facts.name[1..], None).err();
    assert!(matches!(unknown, Some(Error::UnknownName { .. })));
}

/// The parts of scores are the same one by one and together, and make the score as it is defined.
fn in_parts(bleu: &Bleu, table: &[i64]) {
    for scope in [Scope::Segment, Scope::Corpus] {
        let lists = bleu.score_lists(table, scope).expect("rows");
        let [precisions, penalties, orders] = bleu.parts_of_rows(table, scope).expect("rows");
        let max_order = bleu.formula.max_order;
        let mut lists = lists.chunks(bleu.formula.weights.len().max(1));
        let mut precisions = precisions.chunks(max_order);
        for (index, row) in table.chunks(bleu.width()).enumerate() {
            let score = bleu.parts(row, scope).expect("a row");
            assert_eq!(lists.next(), Some(&score.scores[..]));
            assert_eq!(precisions.next(), Some(&score.precisions[..]));
            assert_eq!(penalties[index], score.brevity_penalty);
            assert_eq!(orders[index], score.orders as f64);
            assert_eq!(bleu.score(row, scope), score.scores[0]);
            let fractions = bleu.precision_fractions(row).expect("a row");
            let close =
                |(fraction, precision): (&f64, &f64)| (100.0 * fraction - precision).abs() < 1e-9;
            assert!(fractions.iter().zip(&score.precisions).all(close));
            if score.orders == max_order && fractions.iter().all(|&fraction| fraction > 0.0) {
                let uniform = vec![1.0 / max_order as f64; max_order];
                let weights = bleu.formula.weights.first().unwrap_or(&uniform);
                let defined = definitions::bleu::score(score.brevity_penalty, &fractions, weights);
                assert!((score.scores[0] - defined.min(100.0)).abs() < 1e-9);
            }
        }
    }
    let short = bleu.parts(&table[1..bleu.width()], Scope::Segment);
    assert_eq!(short, Err(Error::BadTable));
    assert_eq!(bleu.precision_fractions(&[]), Err(Error::BadTable));
}

/// All samples of equal units have the same sum.
fn repeated((width, rows): &(usize, [Vec<i64>; 2])) {
    for (count, factor) in MANY.into_iter().zip([1, 40_000]) {
        let table = |rows: &Vec<i64>| rows[..*width].iter().map(|value| value * factor).collect();
        let row: [Vec<i64>; 2] = rows.each_ref().map(table);
        let units = Units::new(&row.each_ref().map(|row| row.repeat(count)), *width);
        let found = units
            .expect("tables of one size")
            .bootstrap_sums(1, 0..2, 1);
        let sum: Vec<_> = row
            .concat()
            .iter()
            .map(|value| value * count as i64)
            .collect();
        assert_eq!(found, Ok(sum.repeat(2)));
    }
}

/// Each pair has the score of its row; a mean of references has a score.
fn paired<M: NgramMetric>(metric: &M, texts: &[Segment<'_>], threads: &[usize]) {
    let mut known = Texts::default();
    for &text in texts {
        known.push(metric, text).expect("short texts");
    }
    among_each_other(metric, &texts[..4]);
    let (hypotheses, references) = texts.split_at(texts.len() / 2);
    let pairs = Pairs::new(&known, hypotheses.len(), metric, &|| Ok(())).expect("short texts");
    let mut expected = Vec::new();
    for &hypothesis in hypotheses {
        for &reference in references {
            let mut row = vec![0; metric.width()];
            count_segment(metric, hypothesis, &[reference], &mut row).expect("short texts");
            expected.push(metric.score(&row, Scope::Segment));
        }
    }
    for &threads in threads {
        let found = pairs.block(metric, 0..hypotheses.len(), threads, &|| Ok(()));
        assert_eq!(found.as_ref(), Ok(&expected));
    }
    #[expect(clippy::cast_precision_loss, reason = "few texts")]
    let weights = vec![1.0 / references.len() as f64; references.len()];
    let means = pairs
        .expected(metric, &weights, &|| Ok(()))
        .expect("as many weights");
    assert!(means.iter().all(|score| *score >= 0.0), "{means:?}");
}

/// Texts that are matched with each other have the scores of their rows, too.
fn among_each_other<M: NgramMetric>(metric: &M, texts: &[Segment<'_>]) {
    let mut known = Texts::default();
    for &text in texts {
        known.push(metric, text).expect("short texts");
    }
    let pairs = Pairs::new(&known, texts.len(), metric, &|| Ok(())).expect("short texts");
    let found = pairs.block(metric, 0..texts.len(), 1, &|| Ok(()));
    let mut expected = Vec::new();
    for &hypothesis in texts {
        for reference in texts {
            let mut row = vec![0; metric.width()];
            count_segment(metric, hypothesis, &[*reference], &mut row).expect("short texts");
            expected.push(metric.score(&row, Scope::Segment));
        }
    }
    assert_eq!(found, Ok(expected));
}

/// Samples, swaps and p-values are the same on any number of threads.
fn resampled(
    metric: &AnyMetric,
    (width, rows): (usize, [Vec<i64>; 2]),
    seed: u64,
    threads: &[usize],
) {
    let units = Units::new(&rows, width).expect("tables of one size");
    let found = threads.iter().map(|&threads| {
        (
            units.bootstrap(metric, seed, 0..20, threads),
            units.bootstrap_sums(seed, 0..20, threads),
        )
    });
    // NaN, where a sum has no score, is like itself.
    assert!(equal(found.map(|each| format!("{each:?}"))));
    let of_segments: Vec<f64> = rows[0]
        .chunks(width)
        .zip(rows[1].chunks(width))
        .flat_map(|pair| <[&[i64]; 2]>::from(pair))
        .map(|row| with_metric!(metric, metric => metric.score(row, Scope::Segment)))
        .collect();
    let influences = Influences::new(&of_segments, 2).expect("two systems");
    influences
        .compare(seed, 20, 5, &|| Ok(()))
        .expect("no pause");
    swapped(&of_segments, seed, threads);
}

/// Swaps of these values of two systems are the same on any number of threads.
fn swapped(values: &[f64], seed: u64, threads: &[usize]) {
    let known: Vec<f64> = (values.iter())
        .map(|value| if value.is_finite() { *value } else { 0.0 })
        .collect();
    let shares = vec![0.0; known.len()];
    let units = Contributions::new(&known, &shares, 2).expect("two systems");
    let gaps: Vec<f64> = (known[..known.len() / 2].iter())
        .zip(&known[known.len() / 2..])
        .map(|(one, other)| one - other)
        .collect();
    let pair = |one: usize| Tested {
        one,
        other: 1 - one,
        difference: gaps.iter().sum::<f64>() * if one == 0 { 1.0 } else { -1.0 },
        tie: 1e-9,
    };
    let pairs = [pair(0), pair(1)];
    let found = threads
        .iter()
        .map(|&threads| units.swap(&pairs, seed, 0..20, threads));
    assert!(equal(found));
    if gaps.len() <= MOST_PERMUTED {
        let (extreme, ways) = swap_all(&gaps, pairs[0].difference, 1e-9).expect("few units");
        assert!((1..=ways).contains(&extreme));
    }
}
