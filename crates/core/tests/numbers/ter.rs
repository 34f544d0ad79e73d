//! The edits of TER are those of sacreBLEU, and of the definition.

use truebleu_core::count::edits::UNKNOWN;
use truebleu_core::count::{EditCounter, Edits};
use truebleu_core::metric::ter::{Ter, UNITS};
use truebleu_core::metric::{Metric, Scope};
use truebleu_core::tokenize::Tercom;

use crate::definitions::random::Random;
use crate::definitions::ter::edits;
use crate::golden::{numbers, table};
use crate::metrics::row_of_texts;

/// Counts the edits between words as numbers; the reference has numbers below `words`.
fn counted(counter: &mut EditCounter, hypothesis: &[u32], reference: &[u32]) -> [i64; 4] {
    // Words are numbered as they first occur in the reference.
    let mut known: Vec<u32> = Vec::new();
    for &word in reference {
        if !known.contains(&word) {
            known.push(word);
        }
    }
    let number = |word: &u32| {
        let found = known.iter().position(|other| other == word);
        found.map_or(UNKNOWN, |found| u32::try_from(found).expect("few"))
    };
    let [hypothesis, reference] =
        [hypothesis, reference].map(|text| text.iter().map(number).collect::<Vec<_>>());
    let Edits {
        insertions,
        deletions,
        substitutions,
        shifts,
    } = counter.count(&hypothesis, &reference, known.len());
    [insertions, deletions, substitutions, shifts].map(|count| i64::try_from(count).expect("few"))
}

fn check(counter: &mut EditCounter, hypothesis: &[u32], reference: &[u32]) -> [i64; 4] {
    let expected = edits(hypothesis, reference);
    let found = counted(counter, hypothesis, reference);
    assert_eq!(found, expected, "{hypothesis:?} {reference:?}");
    expected
}

/// The core and the definition find as many edits as sacreBLEU: shifts at the farthest distance and
/// of the greatest length, texts whose best path leaves the beam, and wider beams.
#[test]
fn edits_of_sacrebleu() {
    let mut counter = EditCounter::default();
    let rows = table("edits.tsv");
    assert_eq!(rows.len(), 73);
    for [hypothesis, reference, expected] in rows {
        let [hypothesis, reference]: [Vec<u32>; 2] =
            [hypothesis, reference].map(|cell| numbers(&cell));
        let found = check(&mut counter, &hypothesis, &reference);
        assert_eq!(found.iter().sum::<i64>(), numbers::<i64>(&expected)[0]);
    }
}

/// Short texts of few words, in which many shifts gain as much: each kind of edit as by definition.
#[test]
fn short_texts() {
    let mut random = Random(1);
    let mut counter = EditCounter::default();
    let mut shifts = 0;
    for _ in 0..1500 {
        let distinct = random.of(&[2, 3, 5, 9]);
        let [hypothesis, reference] = [0; 2].map(|_| text(&mut random, 12, distinct));
        shifts += check(&mut counter, &hypothesis, &reference)[3];
    }
    assert!(shifts > 500);
}

/// Texts of 50 to 110 words, edited in several places: the beam, the farthest shift and the number
/// of candidates matter.
#[test]
fn long_texts() {
    let mut random = Random(2);
    let mut counter = EditCounter::default();
    for _ in 0..60 {
        let (length, distinct) = (50 + random.below(61), random.of(&[20, 60, 1000]));
        let reference: Vec<u32> = (0..length).map(|_| word(&mut random, distinct)).collect();
        let mut hypothesis = reference.clone();
        for _ in 0..=random.below(5) {
            let place = random.below(hypothesis.len());
            let length = 1 + random.below(12.min(hypothesis.len() - place));
            let block: Vec<u32> = hypothesis.drain(place..place + length).collect();
            let target = random.below(hypothesis.len() + 1);
            match random.below(4) {
                // A block is missing.
                0 => {}
                // Or elsewhere, or there are other words.
                1 => hypothesis
                    .splice(place..place, text(&mut random, 28, distinct))
                    .for_each(drop),
                _ => hypothesis.splice(target..target, block).for_each(drop),
            }
        }
        check(&mut counter, &hypothesis, &reference);
    }
}

/// Pairs of which a round ends with exactly as many candidates as are tried: its shift, although it
/// helps, is not made.
#[test]
fn as_many_candidates_as_are_tried() {
    let mut counter = EditCounter::default();
    for seed in [799, 813, 858, 1193, 1744, 1910, 2425, 2555] {
        let mut random = Random(seed);
        let distinct = 2 + random.below(4);
        let [hypothesis, reference] = [0; 2].map(|_| {
            let length = 14 + random.below(20);
            (0..length)
                .map(|_| word(&mut random, distinct))
                .collect::<Vec<_>>()
        });
        check(&mut counter, &hypothesis, &reference);
    }
    // One candidate less, and the shift is made.
    let hypothesis = numbers("0 1 0 0 0 1 1 0 0 0 1 1 0 0 1 0 0 1 0 0 1 1 1 1 1 1 1 1");
    let reference = numbers("1 0 1 1 1 0 0 1 0 1 0 1 0 1 1 0 1 0 0 0 0 1 0 0 1 0");
    check(&mut counter, &hypothesis, &reference);
}

/// References that are more than fifty times as long have a wider beam, of which both ends matter.
#[test]
fn wide_beams() {
    let mut random = Random(4);
    let mut counter = EditCounter::default();
    for round in 0..400 {
        let words = 1 + round % 3;
        let length = words * 50 + 1 + random.below(9 * words);
        let reference: Vec<u32> = (0..).take(length).collect();
        let mut places: Vec<usize> = (0..words)
            .map(|_| match random.below(3) {
                0 => random.below(5),
                1 => random.below(length),
                _ => length - 1 - random.below(5),
            })
            .collect();
        places.sort_unstable();
        let hypothesis: Vec<u32> = places.iter().map(|&place| reference[place]).collect();
        check(&mut counter, &hypothesis, &reference);
    }
}

/// A block is shifted over 50 words to either side, but not over 51 (only its distance from the same
/// words of the reference counts), and blocks of 10 words at once, but not of 11.
#[test]
fn the_farthest_and_the_longest_shift() {
    let mut counter = EditCounter::default();
    for distance in 48..=51 {
        for length in [1, 2, 9, 10, 11] {
            let words: Vec<u32> = (0..80).collect();
            let mut moved = words.clone();
            moved[10..10 + length + distance].rotate_left(length);
            let length = i64::try_from(length).expect("few");
            for [hypothesis, reference] in [[&words, &moved], [&moved, &words]] {
                let found = check(&mut counter, hypothesis, reference);
                if distance <= 50 && length <= 10 {
                    assert_eq!(found, [0, 0, 0, 1]);
                } else if distance > 50 && length == 1 {
                    assert_eq!(found, [1, 1, 0, 0]);
                }
            }
        }
    }
}

fn word(random: &mut Random, distinct: usize) -> u32 {
    u32::try_from(random.below(distinct)).expect("few")
}

/// A text of fewer than `limit` words.
fn text(random: &mut Random, limit: usize, distinct: usize) -> Vec<u32> {
    let length = random.below(limit);
    (0..length).map(|_| word(random, distinct)).collect()
}

/// A row has the edits of the first reference with the fewest, and the mean length of all; the rate
/// is that of their sums.
#[test]
fn several_references() {
    let ter = Ter {
        tokenizer: Tercom {
            case_sensitive: true,
            ..Tercom::default()
        },
        ..Ter::default()
    };
    let mut random = Random(3);
    for _ in 0..300 {
        let count = 1 + random.below(4);
        let texts: Vec<String> = (0..=count)
            .map(|_| {
                let words = text(&mut random, 8, 4).into_iter();
                words
                    .map(|word| format!("w{word}"))
                    .collect::<Vec<_>>()
                    .join(" ")
            })
            .collect();
        let words: Vec<Vec<&str>> = texts
            .iter()
            .map(|text| text.split_whitespace().collect())
            .collect();
        let mut best = edits(&words[0], &words[1]);
        for other in &words[2..] {
            let found = edits(&words[0], other);
            if found.iter().sum::<i64>() < best.iter().sum() {
                best = found;
            }
        }
        let length = words[1..].iter().map(Vec::len).sum::<usize>();
        let length = i64::try_from(length).expect("short");
        let units = length * UNITS / i64::try_from(count).expect("few");
        let row = row_of_texts(&ter, &texts);
        assert_eq!(row, [&best[..], &[units]].concat(), "{texts:?}");
        let total = best.iter().sum::<i64>();
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let rate = match (total, length) {
            (0, _) => 0.0,
            (_, 0) => 100.0,
            _ => 100.0 * total as f64 / (length as f64 / count as f64),
        };
        let score = ter.score(&row, Scope::Segment);
        assert!((score - rate).abs() <= 1e-12 * rate, "{texts:?}");
    }
}
