//! Rows of chrF and of TER are those of the definitions, and do not depend on what was counted before;
//! the steps of TER lead from the hypothesis to the reference.
#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use truebleu_core::count::Whitespace;
use truebleu_core::count::edits::Edit;
use truebleu_core::metric::chrf::Chrf;
use truebleu_core::metric::chrf_formula::ChrfFormula;
use truebleu_core::metric::ter::{Ter, UNITS};
use truebleu_core::metric::ter_steps::TerSteps;
use truebleu_core::metric::{Metric, Scope, chrf, ter};
use truebleu_core::text::{Scratch, Segment};
use truebleu_core::tokenize::chrf_spans::chrf_spans;
use truebleu_core::tokenize::{Preprocessing, Tercom};

/// Those of the tests of the core.
#[allow(dead_code, reason = "not all are needed")]
#[path = "../../crates/core/tests/numbers/definitions/mod.rs"]
mod definitions;

// The definition tries up to 1,000 shifts, and aligns all words for each.
const MOST_WORDS: usize = 60;

thread_local! {
    static WORKERS: RefCell<(chrf::Worker, ter::Worker)> = RefCell::default();
}

fuzz_target!(|data: &[u8]| {
    let &[shape, orders, ref data @ ..] = data else {
        return;
    };
    // Few kinds of words, so that phrases repeat, or many; some with punctuation.
    let kinds = [2, 3, 8, 128][usize::from(shape % 4)];
    let word = |byte: &u8| match byte % kinds {
        0 => "a".to_owned(),
        1 => "b.".to_owned(),
        2 => "é".to_owned(),
        7 if shape & 16 != 0 => "\u{1F600}(\u{3000}".to_owned(),
        number => format!("w{number}"),
    };
    let mut texts = data.split(|&byte| byte == 255).take(4).map(|part| {
        let words: Vec<String> = part.iter().take(MOST_WORDS).map(word).collect();
        words.join(" ")
    });
    let hypothesis = texts.next().unwrap_or_default();
    let mut references: Vec<String> = texts.collect();
    if references.is_empty() {
        references.push(String::new());
    }
    WORKERS.with_borrow_mut(|(chrf, ter)| {
        check_ter(ter, &hypothesis, &references);
        // Longer texts are counted in another way.
        let times = if shape >= 248 { 8 } else { 1 };
        let [hypothesis, references] = [vec![hypothesis], references].map(|texts| {
            let repeat = |text: &String| [text.as_str()].repeat(times).join(" ");
            texts.iter().map(repeat).collect::<Vec<_>>()
        });
        check_chrf(chrf, shape, orders, &hypothesis[0], &references);
    });
});

fn segments(texts: &[String]) -> Vec<Segment<'_>> {
    texts
        .iter()
        .map(|text| Segment::Utf8(text.as_bytes()))
        .collect()
}

fn row<M: Metric>(
    metric: &M,
    worker: &mut M::Worker,
    hypothesis: &str,
    references: &[String],
) -> Vec<i64> {
    let mut row = vec![-1; metric.width()];
    let hypothesis = [Segment::Utf8(hypothesis.as_bytes())];
    metric
        .count(worker, &hypothesis, &segments(references), &mut row)
        .expect("short texts");
    row
}

fn check_chrf(
    worker: &mut chrf::Worker,
    shape: u8,
    orders: u8,
    hypothesis: &str,
    references: &[String],
) {
    let metric = Chrf {
        preprocessing: Preprocessing::default(),
        whitespace: if shape & 4 == 0 {
            Whitespace::Removed
        } else {
            Whitespace::Kept
        },
        formula: ChrfFormula {
            char_order: usize::from(orders % 8) + 1,
            word_order: usize::from(orders / 8 % 4),
            squared_beta: 4.0,
            eps_smoothing: shape & 8 != 0,
        },
    };
    let mut best: Option<(f64, Vec<i64>)> = None;
    for reference in references {
        let kept = metric.whitespace == Whitespace::Kept;
        let orders = (metric.formula.char_order, metric.formula.word_order);
        let expected = definitions::chrf::row([hypothesis, reference], kept, orders.0, orders.1);
        let score = metric.score(&expected, Scope::Segment);
        if best.as_ref().is_none_or(|(most, _)| score > *most) {
            best = Some((score, expected));
        }
    }
    let expected = best.map(|(_, row)| row);
    assert_eq!(Some(row(&metric, worker, hypothesis, references)), expected);
    // Without spaces, as if they had never been there.
    let without = |text: &String| text.replace(' ', "").trim().to_owned();
    let kept = Chrf {
        whitespace: Whitespace::Kept,
        ..metric.clone()
    };
    let references_without: Vec<_> = references.iter().map(without).collect();
    let expected = row(
        &kept,
        worker,
        &without(&hypothesis.to_owned()),
        &references_without,
    );
    let spaceless = Chrf {
        whitespace: Whitespace::WithoutSpaces,
        ..metric.clone()
    };
    let found = row(&spaceless, worker, hypothesis, references);
    if metric.formula.word_order == 0 {
        assert_eq!(found, expected);
    }
    let mut scratch = Scratch::default();
    let text = Segment::Utf8(hypothesis.as_bytes());
    let found = chrf_spans(&mut scratch, text, metric.preprocessing, true);
    let [_, words] = found.expect("short texts");
    let words = words
        .iter()
        .map(|(range, _)| &scratch.bytes()[range.clone()]);
    assert!(
        words.eq(definitions::chrf::words(hypothesis)
            .iter()
            .map(String::as_bytes))
    );
}

fn check_ter(worker: &mut ter::Worker, hypothesis: &str, references: &[String]) {
    let tokenizer = Tercom {
        case_sensitive: true,
        ..Tercom::default()
    };
    let words = |text: &str| -> Vec<String> { text.split_whitespace().map(String::from).collect() };
    let own = words(hypothesis);
    let ter = Ter {
        tokenizer,
        ..Ter::default()
    };
    let mut best: Option<[i64; 4]> = None;
    let mut length = 0;
    for reference in references {
        let other = words(reference);
        length += i64::try_from(other.len()).expect("short");
        let edits = definitions::ter::edits(&own, &other);
        check_steps(ter, [hypothesis, reference], [&own, &other], edits);
        if best.is_none_or(|best| edits.iter().sum::<i64>() < best.iter().sum()) {
            best = Some(edits);
        }
    }
    let mut expected = best.expect("a reference").to_vec();
    expected.push(length * UNITS / i64::try_from(references.len()).expect("few"));
    assert_eq!(row(&ter, worker, hypothesis, references), expected);
}

/// The shifts, then the edits, make the words of the hypothesis those of the reference; there are as
/// many of each as are counted.
fn check_steps(ter: Ter, texts: [&str; 2], words: [&[String]; 2], counted: [i64; 4]) {
    let [hypothesis, reference] = texts.map(|text| Segment::Utf8(text.as_bytes()));
    let steps = TerSteps::of(ter, hypothesis, reference).expect("short texts");
    for (found, expected) in steps.words().into_iter().zip(words) {
        assert!(found.eq(expected.iter().map(String::as_bytes)));
    }
    let [mut own, other] = words.map(<[_]>::to_vec);
    for shift in &steps.trace.shifts {
        assert!(shift.gain > 0);
        let moved: Vec<_> = own.drain(shift.start..shift.start + shift.length).collect();
        own.splice(shift.target..shift.target, moved);
    }
    let (mut own, mut other) = (own.iter(), other.iter());
    let mut counts = [
        0,
        0,
        0,
        i64::try_from(steps.trace.shifts.len()).expect("few"),
    ];
    for edit in &steps.trace.edits {
        let (before, after) = match edit {
            Edit::Insertion => (None, other.next()),
            Edit::Deletion => (own.next(), None),
            Edit::Match | Edit::Substitution => (own.next(), other.next()),
        };
        assert_eq!(*edit == Edit::Match, before == after);
        match edit {
            Edit::Insertion => counts[0] += 1,
            Edit::Deletion => counts[1] += 1,
            Edit::Substitution => counts[2] += 1,
            Edit::Match => {}
        }
    }
    assert!(own.next().is_none() && other.next().is_none());
    assert_eq!(counts, counted);
}
