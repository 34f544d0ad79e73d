//! All ways to count characters, at every level of the processor, against the definition.

use super::*;
use crate::processor::Level;

/// The definition that the integration tests use.
#[path = "../../tests/numbers/definitions/ngrams.rs"]
pub mod ngrams;
#[path = "../../tests/numbers/definitions/random.rs"]
#[expect(dead_code, reason = "other tests use more of it")]
mod random;

/// Characters from both ends of the plane; half of them continue as the alphabet does, so that long
/// n-grams are shared.
fn text(random: &mut random::Random, length: usize, distinct: usize) -> Vec<u16> {
    let mut last = 0;
    let character = |_| {
        last = match random.below(2) {
            0 => random.below(distinct),
            _ => (last + 1) % distinct,
        };
        let c = u16::try_from(last).expect("few");
        if c.is_multiple_of(2) { c } else { u16::MAX - c }
    };
    (0..length).map(character).collect()
}

/// How often the most frequent pair of a text occurs.
fn most_pairs(text: &[u16]) -> i64 {
    ngrams::counts(text, 2).into_values().max().unwrap_or(0)
}

/// Around the lengths at which masks have another integer and lists another line, and at the longest
/// texts: what is counted is as defined, for every number of orders, and what is refused leaves
/// nothing behind.
#[test]
fn characters_are_counted_as_defined() {
    let mut random = random::Random(7);
    let mut ways: Vec<_> = Level::available()
        .into_iter()
        .map(|level| {
            let lists = PairLists::at(level);
            (CharacterMasks::at(level), lists, Sorted::at(level))
        })
        .collect();
    let mut counted = [0; 3];
    for distinct in [1, 2, 3, 40, 252, 253, 254, 600] {
        for (length, other) in [
            (0, 0),
            (0, 9),
            (9, 0),
            (1, 1),
            (2, 7),
            (15, 16),
            (31, 90),
            (63, 70),
            (64, 60),
            (65, 65),
            (127, 120),
            (129, 200),
            (193, 190),
            (257, 258),
            (320, 330),
            (385, 300),
            (511, 512),
            (512, 600),
            (513, 500),
            (900, 1000),
            (4094, 3000),
            (700, 16384),
            (4095, 1),
            (1, 16385),
        ] {
            let [hypothesis, reference] =
                [length, other].map(|length| text(&mut random, length, distinct));
            let references = [reference];
            let expected: Vec<_> = (1..=8)
                .map(|order| ngrams::clipped_matches(&hypothesis, &references, order))
                .collect();
            let few = hypothesis
                .iter()
                .collect::<std::collections::HashSet<_>>()
                .len()
                <= 253;
            for (masks, lists, sorted) in &mut ways {
                if masks.start(&hypothesis, 8) {
                    assert_eq!(masks.matches(&references[0])[..], expected);
                    counted[0] += 1;
                } else {
                    assert!(length > 128);
                }
                for orders in [1, 2, 5, 6, 7] {
                    let mut matches = vec![-1; orders];
                    let texts = [&hypothesis[..], &references[0]];
                    if lists.clipped_matches(texts, &mut matches) {
                        assert_eq!(matches, expected[..orders], "{distinct} {length} {other}");
                        counted[1] += 1;
                    } else {
                        assert_eq!(matches, vec![-1; orders]);
                        let possible = length < 4095 && other < 16385 && orders < 7 && few;
                        assert!(!possible || most_pairs(&hypothesis) > 256);
                    }
                    if sorted.clipped_matches(&hypothesis, &references, &mut matches) {
                        assert_eq!(matches, expected[..orders], "{distinct} {length} {other}");
                        counted[2] += 1;
                    }
                }
            }
        }
    }
    assert!(counted.iter().all(|&count| count > 300), "{counted:?}");
    for (masks, ..) in &mut ways {
        assert!(!masks.start(&[7; 513], 8) && !masks.start(&[7], 9));
        assert!(masks.start(&[8], 1));
        assert_eq!(masks.matches(&[7, 7]), [0; 8]);
    }
}

/// A list may have as many lines as a pair may have places.
#[test]
fn repetitive_texts() {
    let mut lists = PairLists::default();
    for (length, fits) in [(256, true), (257, true), (512, false)] {
        let text = vec![7; length];
        let mut matches = [-1; 6];
        assert_eq!(lists.clipped_matches([&text, &text], &mut matches), fits);
        let of_order = |n| i64::try_from(length - n).expect("a length");
        let expected = (0..6).map(|n| if fits { of_order(n) } else { -1 });
        assert!(expected.eq(matches));
    }
}
