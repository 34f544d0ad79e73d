//! Clipped matches of ids, words and characters are those of the definition, at every level of the
//! processor, and do not depend on what was counted before.
#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use truebleu_core::count::{CharacterMasks, Counter, PairLists, Sorted, Tokens};
use truebleu_core::processor::Level;
use truebleu_core::text::padding::push_unpadded;
use truebleu_core::text::{Encoding, Scratch, Segment};
use truebleu_core::tokenize::{TokenList, Tokenizer};

use definitions::ngrams::clipped_matches;

/// Those of the tests of the core.
#[allow(dead_code, reason = "not all are needed")]
#[path = "../../crates/core/tests/numbers/definitions/mod.rs"]
mod definitions;

thread_local! {
    static COUNTERS: RefCell<Vec<Counter>> = RefCell::new(
        Level::available().into_iter().map(Counter::at).collect(),
    );
    static OF_CHARACTERS: RefCell<(CharacterMasks, Vec<(PairLists, Sorted)>)> = RefCell::new((
        CharacterMasks::default(),
        Level::available()
            .into_iter()
            .map(|level| (PairLists::at(level), Sorted::at(level)))
            .collect(),
    ));
}

fuzz_target!(|data: &[u8]| {
    let &[orders, shape, ref data @ ..] = data else {
        return;
    };
    let orders = usize::from(orders % 9) + 1;
    // Few ids, so that n-grams repeat; some of them far apart, some with equal low bits.
    let id = |byte: &u8| match shape % 4 {
        0 => i64::from(byte % 3),
        1 => i64::from(*byte) << 48,
        2 => i64::from(*byte).wrapping_mul(0x9E37_79B9_7F4A_7C15_u64.cast_signed()),
        _ => -i64::from(byte % 16),
    };
    let mut texts = data
        .split(|&byte| byte == 255)
        .take(6)
        .map(|part| part.iter().map(id).collect::<Vec<_>>());
    let hypothesis = texts.next().unwrap_or_default();
    let references: Vec<_> = texts.collect();
    let expected: Vec<_> = (1..=orders)
        .map(|n| clipped_matches(&hypothesis, &references, n))
        .collect();
    // Words of up to 20 bytes, of which some differ only at their ends.
    let text = |ids: &[i64]| -> String {
        let stem = |id: i64| {
            &"internationalisations"[..usize::from(shape) % 17 * (id.unsigned_abs() as usize % 2)]
        };
        ids.iter().map(|&id| format!("{}{id} ", stem(id))).collect()
    };
    let texts: Vec<String> = [&hypothesis]
        .into_iter()
        .chain(&references)
        .map(|ids| text(ids))
        .collect();
    let mut matches = vec![-1; orders];
    COUNTERS.with_borrow_mut(|counters| {
        for counter in counters {
            counter.start(Tokens::Ids(&hypothesis), orders);
            for reference in &references {
                counter.reference(Tokens::Ids(reference));
            }
            counter.clipped_matches(&mut matches);
            assert_eq!(matches, expected, "ids");
            let (mut scratch, mut list) = (Scratch::default(), TokenList::default());
            scratch.clear(Encoding::Utf8);
            for (index, text) in texts.iter().enumerate() {
                let range = scratch.push(Segment::Utf8(text.as_bytes()));
                Tokenizer::None.tokenize(&mut scratch, range, &mut list);
                let tokens = Tokens::Text(&scratch, list.as_slice());
                match index {
                    0 => counter.start(tokens, orders),
                    _ => counter.reference(tokens),
                }
            }
            counter.clipped_matches(&mut matches);
            assert_eq!(matches, expected, "words");
            if !references.is_empty() {
                counter.start_pieces();
                for (index, text) in texts.iter().enumerate() {
                    if index > 0 {
                        counter.start_reference();
                    }
                    for piece in text.split_inclusive(' ').collect::<Vec<_>>().chunks(3) {
                        scratch.clear(Encoding::Utf8);
                        let range = scratch.push(Segment::Utf8(piece.concat().as_bytes()));
                        Tokenizer::None.tokenize(&mut scratch, range, &mut list);
                        counter.piece(&scratch, list.as_slice());
                    }
                }
                counter.clipped_matches(&mut matches);
                assert_eq!(matches, expected, "pieces");
            }
        }
    });
    unpadded(&hypothesis, data);
    // Those of the Basic Multilingual Plane.
    let units =
        |text: &[i64]| -> Vec<u16> { text.iter().map(|&id| (id ^ id >> 48) as u16).collect() };
    let hypothesis = units(&hypothesis);
    OF_CHARACTERS.with_borrow_mut(|(masks, all)| {
        let counted = masks.start(&hypothesis, orders);
        for reference in references.iter().map(|reference| units(reference)) {
            let both = [reference];
            let expected: Vec<_> = (1..=orders)
                .map(|n| clipped_matches(&hypothesis, &both, n))
                .collect();
            if counted {
                assert_eq!(masks.matches(&both[0])[..orders], expected, "masks");
            }
            for (lists, sorted) in &mut *all {
                matches.fill(-1);
                let texts = [&hypothesis[..], &both[0]];
                if lists.clipped_matches(texts, &mut matches) {
                    assert_eq!(matches, expected, "lists");
                    matches.fill(-1);
                } else {
                    // There is no room for more different or equal ones.
                    assert!(orders > 6 || hypothesis.len() > 253);
                }
                if sorted.clipped_matches(texts[0], &texts[1..], &mut matches) {
                    assert_eq!(matches, expected, "sorted");
                } else {
                    assert!(orders > 6 && matches.iter().all(|&count| count == -1));
                }
            }
        }
    });
});

/// The ids before the end that are no padding.
fn unpadded(row: &[i64], data: &[u8]) {
    let named = |place: usize| data.get(place).and_then(|&byte| row.get(usize::from(byte)));
    let end = named(1).copied();
    let mut pads: Vec<_> = [named(0), named(2)]
        .into_iter()
        .flatten()
        .copied()
        .collect();
    pads.dedup();
    let before = row.iter().copied().take_while(|&id| Some(id) != end);
    let expected: Vec<_> = before.filter(|id| !pads.contains(id)).collect();
    let mut found = Vec::new();
    push_unpadded(row, &pads, end, &mut found);
    assert_eq!(found, expected);
}
