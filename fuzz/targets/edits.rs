//! Rows of chrF and of TER are those of the definitions, and do not depend on what was counted before.
#![no_main]

use std::cell::RefCell;
use std::collections::HashMap;

use libfuzzer_sys::fuzz_target;
use truebleu_core::count::Whitespace;
use truebleu_core::metric::chrf::Chrf;
use truebleu_core::metric::chrf_formula::ChrfFormula;
use truebleu_core::metric::ter::{Ter, UNITS};
use truebleu_core::metric::{Metric, Scope, chrf, ter};
use truebleu_core::text::Segment;
use truebleu_core::tokenize::Tercom;

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
        check_chrf(chrf, shape, orders, &hypothesis, &references);
        check_ter(ter, &hypothesis, &references);
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
        lowercase: false,
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
        let expected = defined_row(&metric, hypothesis, reference);
        let score = metric.score(&expected, Scope::Segment);
        if best.as_ref().is_none_or(|(most, _)| score > *most) {
            best = Some((score, expected));
        }
    }
    let expected = best.map(|(_, row)| row);
    assert_eq!(Some(row(&metric, worker, hypothesis, references)), expected);
}

/// The counts of n-grams of characters and of words, by their definition.
fn defined_row(metric: &Chrf, hypothesis: &str, reference: &str) -> Vec<i64> {
    let characters = |text: &str| -> Vec<String> {
        let kept = text
            .chars()
            .filter(|c| metric.whitespace == Whitespace::Kept || !c.is_whitespace());
        kept.map(String::from).collect()
    };
    let words = |text: &str| -> Vec<String> {
        // One full stop is cut off the end.
        let spread = text.replace("b.", "b .");
        spread.split_whitespace().map(String::from).collect()
    };
    let mut row = Vec::new();
    let formula = &metric.formula;
    for (orders, texts) in [
        (formula.char_order, [hypothesis, reference].map(characters)),
        (formula.word_order, [hypothesis, reference].map(words)),
    ] {
        for n in 1..=orders {
            let [own, other] = [0, 1].map(|text| counts(&texts[text], n));
            let total = |counts: &HashMap<_, i64>| counts.values().sum::<i64>();
            let matches = own
                .iter()
                .map(|(ngram, &count)| count.min(other.get(ngram).copied().unwrap_or(0)));
            let hyp = if other.is_empty() { 0 } else { total(&own) };
            row.extend([hyp, total(&other), matches.sum()]);
        }
    }
    row
}

fn counts(text: &[String], n: usize) -> HashMap<&[String], i64> {
    let mut counts = HashMap::new();
    for ngram in text.windows(n) {
        *counts.entry(ngram).or_default() += 1;
    }
    counts
}

fn check_ter(worker: &mut ter::Worker, hypothesis: &str, references: &[String]) {
    let tokenizer = Tercom {
        case_sensitive: true,
        ..Tercom::default()
    };
    let words = |text: &str| -> Vec<String> { text.split_whitespace().map(String::from).collect() };
    let own = words(hypothesis);
    let mut best: Option<[i64; 4]> = None;
    let mut length = 0;
    for reference in references {
        let other = words(reference);
        length += i64::try_from(other.len()).expect("short");
        let edits = defined_edits(own.clone(), &other);
        if best.is_none_or(|best| edits.iter().sum::<i64>() < best.iter().sum()) {
            best = Some(edits);
        }
    }
    let mut expected = best.expect("a reference").to_vec();
    expected.push(length * UNITS / i64::try_from(references.len()).expect("few"));
    assert_eq!(
        row(&Ter { tokenizer }, worker, hypothesis, references),
        expected
    );
}

/// Insertions, deletions, substitutions and shifts, by their definition.
fn defined_edits(mut own: Vec<String>, other: &[String]) -> [i64; 4] {
    if other.is_empty() {
        return [0, i64::try_from(own.len()).expect("short"), 0, 0];
    }
    let (mut shifts, mut checked) = (0, 0);
    loop {
        let (gain, shifted) = best_shift(&own, other, &mut checked);
        if checked >= 1000 || gain <= 0 {
            break;
        }
        own = shifted;
        shifts += 1;
    }
    let (_, path) = alignment(&own, other);
    let of = |step| {
        let count = path.iter().filter(|&&each| each == step).count();
        i64::try_from(count).expect("short")
    };
    [of(b'i'), of(b'd'), of(b's'), shifts]
}

/// The cost of an alignment, and its steps: match, substitution, deletion or insertion.
fn alignment(own: &[String], other: &[String]) -> (i64, Vec<u8>) {
    const FAR: i64 = 1 << 40;
    let (height, width) = (own.len(), other.len());
    let slope = if height == 0 {
        1.0
    } else {
        width as f64 / height as f64
    };
    let beam = if slope / 2.0 > 25.0 {
        (slope / 2.0 + 25.0).ceil() as usize
    } else {
        25
    };
    let mut cells = vec![vec![(FAR, b' '); width + 1]; height + 1];
    for (column, cell) in cells[0].iter_mut().enumerate() {
        *cell = (column as i64, b'i');
    }
    for row in 1..=height {
        let middle = (row as f64 * slope).floor() as usize;
        let end = if row == height {
            width + 1
        } else {
            (width + 1).min(middle + beam)
        };
        for column in middle.saturating_sub(beam)..end {
            let mut found = (FAR, b' ');
            let mut offer = |cost: i64, step| {
                if cost < found.0 {
                    found = (cost, step);
                }
            };
            if column > 0 && own[row - 1] == other[column - 1] {
                offer(cells[row - 1][column - 1].0, b'm');
            } else if column > 0 {
                offer(cells[row - 1][column - 1].0 + 1, b's');
            }
            offer(cells[row - 1][column].0 + 1, b'd');
            if column > 0 {
                offer(cells[row][column - 1].0 + 1, b'i');
            }
            cells[row][column] = found;
        }
    }
    let (mut row, mut column, mut path) = (height, width, Vec::new());
    while (row, column) != (0, 0) {
        let step = cells[row][column].1;
        path.push(step);
        row -= usize::from(step != b'i');
        column -= usize::from(step != b'd');
    }
    path.reverse();
    (cells[height][width].0, path)
}

/// The best shift of a phrase: its gain, and the words after it.
fn best_shift(own: &[String], other: &[String], checked: &mut usize) -> (i64, Vec<String>) {
    let (cost, path) = alignment(own, other);
    let (mut wrong_own, mut wrong_other, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    for &step in &path {
        if step != b'i' {
            wrong_own.push(step != b'm');
        }
        if step != b'd' {
            wrong_other.push(step != b'm');
            // How many words of the hypothesis there are up to here.
            ends.push(wrong_own.len());
        }
    }
    let mut best = (0, 0, 0, 0);
    let mut result = own.to_vec();
    for start in 0..own.len() {
        for place in 0..other.len() {
            if place.abs_diff(start) > 50 {
                continue;
            }
            for length in 1..=10 {
                let (Some(phrase), Some(same)) = (
                    own.get(start..start + length),
                    other.get(place..place + length),
                ) else {
                    break;
                };
                if phrase != same {
                    break;
                }
                let there = ends[place] > start && ends[place] <= start + length;
                if there
                    || !wrong_own[start..start + length].contains(&true)
                    || !wrong_other[place..place + length].contains(&true)
                {
                    continue;
                }
                let mut last = None;
                for next in place..=place + length {
                    let target = if next == 0 { 0 } else { ends[next - 1] };
                    if last == Some(target) {
                        continue;
                    }
                    last = Some(target);
                    let moved = shifted(own, start, length, target);
                    let gain = cost - alignment(&moved, other).0;
                    *checked += 1;
                    let order = (gain, length as i64, -(start as i64), -(target as i64));
                    if order > best {
                        (best, result) = (order, moved);
                    }
                }
                if *checked >= 1000 {
                    return (best.0, result);
                }
            }
        }
    }
    (best.0, result)
}

fn shifted(own: &[String], start: usize, length: usize, target: usize) -> Vec<String> {
    let mut rest = own.to_vec();
    let phrase: Vec<_> = rest.drain(start..start + length).collect();
    let at = if target > start + length {
        target - length
    } else {
        target
    };
    let at = at.min(rest.len());
    rest.splice(at..at, phrase);
    rest
}
