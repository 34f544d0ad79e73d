//! Tests of all ways to count.

use super::*;

use crate::count::tests::ngrams;
use crate::text::{Scratch, Segment};
use crate::tokenize::{TokenList, Tokenizer};

/// The counters for all levels of this processor, each with and without bits.
fn counters() -> Vec<Counter> {
    let mut counters = Vec::new();
    for level in Level::available() {
        for only_numbers in [false, true] {
            counters.push(Counter {
                only_numbers,
                ..Counter::at(level)
            });
        }
    }
    counters
}

/// Counts ids, and words that have the numbers of the ids as names.
fn check(counters: &mut [Counter], hypothesis: &[i64], references: &[Vec<i64>], orders: usize) {
    let expected: Vec<i64> = (1..=orders)
        .map(|order| ngrams::clipped_matches(hypothesis, references, order))
        .collect();
    let context = || format!("{hypothesis:?} {references:?}");
    let mut matches = vec![-1; orders];
    for counter in &mut *counters {
        counter.start(Tokens::Ids(hypothesis), orders);
        for reference in references {
            counter.reference(Tokens::Ids(reference));
        }
        counter.clipped_matches(&mut matches);
        assert_eq!(matches, expected, "{:?} {}", counter.now, context());
    }
    // Long words that differ only at their ends, and short ones.
    let read = |scratch: &mut Scratch, list: &mut TokenList, ids: &[i64]| {
        let mut text = String::new();
        for id in ids {
            let stem = ["", "internationali"][usize::from(id % 2 == 0)];
            text.extend([stem, &format!("{id:04} ")]);
        }
        let range = scratch.push(Segment::Utf8(text.as_bytes()));
        Tokenizer::None.tokenize(scratch, range, list);
    };
    for counter in counters {
        let (mut scratch, mut list) = (Scratch::default(), TokenList::default());
        read(&mut scratch, &mut list, hypothesis);
        counter.start(Tokens::Text(&scratch, list.as_slice()), orders);
        for reference in references {
            read(&mut scratch, &mut list, reference);
            counter.reference(Tokens::Text(&scratch, list.as_slice()));
        }
        counter.clipped_matches(&mut matches);
        assert_eq!(matches, expected, "{:?} {}", counter.now, context());
        // The same with all texts as one, whose keys are computed at once.
        let all = [hypothesis, &references.concat()].concat();
        read(&mut scratch, &mut list, &all);
        counter.key(&scratch, list.as_slice());
        let mut end = 0;
        let mut next = |text: &[i64]| {
            let start = end;
            end += text.len();
            Tokens::Keyed(&scratch, list.as_slice().part(start..end), start)
        };
        counter.start(next(hypothesis), orders);
        for reference in references {
            counter.reference(next(reference));
        }
        counter.clipped_matches(&mut matches);
        assert_eq!(matches, expected, "{:?} {}", counter.now, context());
    }
}

fn sequence(mut number: i64, tokens: i64, length: usize) -> Vec<i64> {
    (0..length)
        .map(|_| {
            let token = number.rem_euclid(tokens);
            number /= tokens;
            token - 1
        })
        .collect()
}

/// Every way of counting follows the definition, for all short sequences over three tokens.
#[test]
fn clipped_counts_follow_the_definition() {
    let mut counters = counters();
    for number in 0..3_i64.pow(7) {
        let references = [
            sequence(number * 7 + 5, 3, 9),
            sequence(number * 11 + 3, 3, 4),
            vec![],
        ];
        let hypothesis = sequence(number, 3, 7);
        check(&mut counters, &hypothesis, &references, 8);
        check(&mut counters, &hypothesis, &references[..1], 8);
        check(&mut counters, &hypothesis, &[], 2);
    }
}

/// Around the lengths at which the way changes, for few tokens and for many.
#[test]
fn lengths_at_which_the_way_changes() {
    let mut counters = counters();
    let mut random: u64 = 1;
    let mut ids = |length: usize, distinct: u64| -> Vec<i64> {
        (0..length)
            .map(|_| {
                random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(3);
                ((random >> 33) % distinct).cast_signed()
            })
            .collect()
    };
    for length in [
        0, 1, 62, 63, 64, 65, 66, 126, 127, 128, 129, 190, 192, 193, 254, 255, 256, 257, 400,
    ] {
        for distinct in [1, 2, 20, 1000] {
            let hypothesis = ids(length, distinct);
            let mut similar = hypothesis.clone();
            similar.rotate_left(length / 3);
            let references = [
                ids(length + 5, distinct),
                similar,
                ids(length / 2, distinct),
            ];
            for orders in [1, 2, 4, 5, 8, 9] {
                check(&mut counters, &hypothesis, &references, orders);
            }
        }
    }
}

/// Words that no hash distinguishes before the slow comparison are numbered.
#[test]
fn words_that_share_a_slot_are_told_apart() {
    let mut scratch = Scratch::default();
    let mut list = TokenList::default();
    let text = b"internationalization1 internationalization2 internationalization1";
    let range = scratch.push(Segment::Utf8(text));
    Tokenizer::None.tokenize(&mut scratch, range, &mut list);
    for mut counter in counters() {
        let mut matches = [0; 2];
        counter.start(Tokens::Text(&scratch, list.as_slice()), 2);
        assert_eq!(counter.now, Now::Numbered);
        counter.reference(Tokens::Text(&scratch, list.as_slice()));
        counter.clipped_matches(&mut matches);
        assert_eq!(matches, [3, 2]);
    }
}

/// Ids with equal low bits, or equal high bits, are spread all the same.
#[test]
fn patterned_ids_are_counted_bit_by_bit() {
    let mut counter = Counter::default();
    for shift in [0, 16, 32, 48] {
        let ids: Vec<i64> = (0..60).map(|id| id << shift).collect();
        counter.start(Tokens::Ids(&ids), 4);
        assert_eq!(counter.now, Now::Ids);
    }
}

/// High orders, and a word repeated often.
#[test]
fn long_repetitions_are_counted_too() {
    let hypothesis = vec![7; 5000];
    let reference = vec![7; 4000];
    let mut counter = Counter::default();
    for orders in [4, 64, 65, 100] {
        counter.start(Tokens::Ids(&hypothesis), orders);
        counter.reference(Tokens::Ids(&reference));
        let mut matches = vec![0; orders];
        counter.clipped_matches(&mut matches);
        let expected: Vec<i64> = (0..orders).map(|n| 4000 - n.cast_signed() as i64).collect();
        assert_eq!(matches, expected);
    }
}
