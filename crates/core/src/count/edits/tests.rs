//! Edits are those of the definition, and of sacreBLEU.

use super::*;

/// Words as numbers; returns also how many distinct words the reference has.
fn numbers(hypothesis: &str, reference: &str) -> (Vec<u32>, Vec<u32>, usize) {
    let mut known: Vec<&str> = Vec::new();
    for word in reference.split(' ').filter(|word| !word.is_empty()) {
        if !known.contains(&word) {
            known.push(word);
        }
    }
    let number = |word: &str| {
        let found = known.iter().position(|&other| other == word);
        found.map_or(UNKNOWN, |found| u32::try_from(found).expect("few"))
    };
    let all = |text: &str| {
        let words = text.split(' ').filter(|word| !word.is_empty());
        words.map(number).collect()
    };
    (all(hypothesis), all(reference), known.len())
}

/// Does what a trace says; returns the result, and how many edits of each kind there were.
fn replayed(hypothesis: &[u32], reference: &[u32], trace: &Trace) -> (Vec<u32>, Edits) {
    let mut words = hypothesis.to_vec();
    for shift in &trace.shifts {
        let block: Vec<_> = words
            .drain(shift.start..shift.start + shift.length)
            .collect();
        words.splice(shift.target..shift.target, block);
    }
    let mut edits = Edits {
        shifts: trace.shifts.len(),
        ..Edits::default()
    };
    let (mut from, mut to) = (words.into_iter(), reference.iter());
    let mut result = Vec::new();
    for &edit in &trace.edits {
        let word = if edit == Edit::Insertion {
            None
        } else {
            from.next()
        };
        let other = if edit == Edit::Deletion {
            None
        } else {
            to.next()
        };
        assert_eq!(edit == Edit::Match, word.as_ref() == other);
        result.extend(if edit == Edit::Match {
            word
        } else {
            other.copied()
        });
        match edit {
            Edit::Match => {}
            Edit::Substitution => edits.substitutions += 1,
            Edit::Deletion => edits.deletions += 1,
            Edit::Insertion => edits.insertions += 1,
        }
    }
    assert!(from.next().is_none());
    (result, edits)
}

/// The steps that sacreBLEU 2.6.0 takes.
#[test]
fn known_traces() {
    for (hypothesis, reference, shifts, kinds) in [
        (
            "d e f g h a b c",
            "a b c d e f g h",
            &[(5, 3, 0, 6)][..],
            "========",
        ),
        (
            "the cat sat on mat the",
            "on the mat the cat sat",
            &[(0, 3, 3, 4), (1, 1, 2, 2)],
            "======",
        ),
        ("a b c", "", &[], "---"),
        ("", "a b", &[], "++"),
        ("a x b", "a y b c", &[], "=~=+"),
    ] {
        let (hypothesis, reference, words) = numbers(hypothesis, reference);
        let (_, trace) = EditCounter::default().trace(&hypothesis, &reference, words);
        let made: Vec<_> = trace
            .shifts
            .iter()
            .map(|shift| (shift.start, shift.length, shift.target, shift.gain))
            .collect();
        assert_eq!(made, shifts);
        let edits = trace.edits.iter().map(|edit| match edit {
            Edit::Match => '=',
            Edit::Substitution => '~',
            Edit::Deletion => '-',
            Edit::Insertion => '+',
        });
        assert_eq!(edits.collect::<String>(), kinds);
    }
}

/// Rows of bits and rows of numbers lead to the same edits, for texts of all lengths and for few
/// and many words; and what a trace tells is what is counted.
#[test]
fn bits_and_numbers_agree() {
    let mut state: u64 = 7;
    let mut below = |limit: usize| {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(3);
        usize::try_from(state >> 33).expect("31 bits") % limit
    };
    let mut counter = EditCounter::default();
    let mut shifted = 0;
    for round in 0..600 {
        let words = [1, 2, 3, 8, 30, 200][below(6)];
        let most = [5, 30, 64, 70, 140][round % 5];
        let as_word = |word: usize| u32::try_from(word).expect("few");
        let reference: Vec<u32> = (0..=below(most)).map(|_| as_word(below(words))).collect();
        let mut hypothesis = reference.clone();
        if round % 3 == 0 {
            hypothesis = (0..=below(most)).map(|_| as_word(below(words))).collect();
        }
        for _ in 0..below(4) {
            let start = below(hypothesis.len());
            let length = 1 + below(hypothesis.len() - start);
            let end = start + length;
            hypothesis[start..end].rotate_left(below(length));
            let position = below(hypothesis.len());
            hypothesis[position] = UNKNOWN;
        }
        let edits = counter.count(&hypothesis, &reference, words);
        shifted += usize::from(edits.shifts > 0);
        let (traced, trace) = counter.trace(&hypothesis, &reference, words);
        assert_eq!(traced, edits);
        let (result, counted) = replayed(&hypothesis, &reference, &trace);
        assert_eq!(result, reference);
        assert_eq!(counted, edits);
        assert!(trace.shifts.iter().all(|shift| shift.gain > 0));
        let lengths = [hypothesis.len(), reference.len()];
        let bands = Bands::new(lengths[0], lengths[1]);
        if !bands.are_narrow() {
            continue;
        }
        counter.hypothesis.clone_from(&hypothesis);
        counter.wide.start(bands, lengths);
        let mut rows = std::mem::take(&mut counter.wide);
        let nearest = counter.nearest(&reference, words);
        let found = counter.shift(&mut rows, reference.len(), nearest, &mut ());
        assert_eq!(found, edits);
        counter.wide = rows;
    }
    assert!(shifted > 100);
}
