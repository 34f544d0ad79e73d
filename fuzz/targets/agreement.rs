//! Agreement with people: values are in range, those of swapped scores do not depend on the number of
//! threads, and what does not fit is refused. One input in 14 swaps scores, by one measure, and half of
//! these do so on two threads, because swaps take a hundred times as long as the rest.
#![no_main]

use libfuzzer_sys::fuzz_target;
use truebleu_core::error::Error;
use truebleu_core::meta_evaluation::{How, Measure, Table};

const MOST_OUTPUTS: usize = 24;

// Scores of an output: those of people, of two metrics, and the system.
const NUMBERS: usize = 4;

/// From 0 on, and then from -1 on.
const MEASURES: [&str; 6] = [
    "accuracy",
    "best-accuracy",
    "soft",
    "pearson",
    "differences",
    "kendall",
];

fuzz_target!(|data: &[u8]| {
    let &[samples, seed, size, ref data @ ..] = data else {
        return;
    };
    let outputs: Vec<_> = data.chunks_exact(NUMBERS).take(MOST_OUTPUTS).collect();
    if outputs.is_empty() {
        return;
    }
    // Halves and few of them, so that there are ties.
    let column = |place: usize| -> Vec<f64> {
        let number = |output: &&[u8]| f64::from(output[place]) / 2.0;
        outputs.iter().map(number).collect()
    };
    let [gold, one, other] = [0, 1, 2].map(column);
    let (kind, size) = (size / 9, usize::from(size % 9) + 1);
    let mut sizes = vec![size; outputs.len() / size];
    sizes.push(outputs.len() % size);
    // In each group, outputs are of systems 0, 1, 2, ...
    let systems: Vec<_> = sizes.iter().flat_map(|&size| 0..size).collect();
    let segments: Vec<_> = (0..gold.len()).map(|output| output / size).collect();
    if seed % 8 == 0 {
        misfits(&sizes, [&gold, &one, &other], data);
    }
    let scores = [one, other];
    let table = Table::new(&sizes, [segments, systems], gold, scores).expect("a table");
    let number = usize::from(seed) % MEASURES.len();
    let measure = Measure::named(MEASURES[number]).expect("a name");
    let values = |how, threads| table.values(measure, how, threads).expect("a table");
    let check = |values: &[f64]| {
        let least = if number < 3 { 0.0 } else { -1.0 };
        let close = least - 1e-9..=1.0 + 1e-9;
        let fits = |value: &f64| value.is_nan() || close.contains(value);
        assert!(values.iter().all(fits), "{measure:?}: {values:?}");
    };
    let once = values(How::Once, 1);
    check(&once);
    let count = sizes.len();
    let weight = |place: usize| f64::from(samples >> (place % 8) & 1);
    let mut weights = vec![1.0; count];
    weights.extend((0..count).map(weight));
    let sampled = values(How::Samples(&weights, count), 1);
    check(&sampled);
    assert!((sampled[0] - once[0]).abs() < 1e-9 || sampled[0].is_nan() && once[0].is_nan());
    if let threads @ 1..=2 = usize::from(kind) {
        let drawn = |threads| values(How::Drawn(seed.into(), 512 * threads), threads);
        let alone = drawn(1);
        check(&alone);
        if threads > 1 {
            let (alone, together) = (bits(&alone), bits(&drawn(threads)));
            assert_eq!(alone, together[..alone.len()]);
        }
    }
});

/// Numbers that do not fit together are an error that says so.
fn misfits(sizes: &[usize], scores: [&Vec<f64>; 3], data: &[u8]) {
    let [gold, one, other] = scores;
    let number = |byte: u8| match byte {
        250.. => usize::MAX - usize::from(byte - 250),
        240.. => 1 << (byte - 208),
        _ => usize::from(byte % 5),
    };
    let odd: Vec<_> = data
        .iter()
        .take(gold.len())
        .map(|&byte| number(byte))
        .collect();
    let fits = odd
        .iter()
        .try_fold(0_usize, |sum, &size| sum.checked_add(size))
        == Some(gold.len());
    let table = |sizes: &[usize], systems: &[usize], one: &[f64]| {
        let scores = [one.to_vec(), other.clone()];
        let places = [vec![0; gold.len()], systems.to_vec()];
        Table::new(sizes, places, gold.clone(), scores)
    };
    let bad = |error| matches!(error, Some(Error::BadTable));
    assert_eq!(bad(table(&odd, &odd, one).err()), !fits);
    assert!(bad(table(sizes, &odd, &one[1..]).err()));
    let table = table(sizes, &odd, one).expect("a table");
    let soft = table.values(Measure::Soft, How::Once, 1);
    let mut groups = sizes.iter().scan(0, |start, &size| {
        *start += size;
        Some(&odd[*start - size..*start])
    });
    let ascend = groups.all(|systems| systems.len() < 2 || systems.is_sorted_by(|a, b| a < b));
    let last = odd.iter().max().copied().unwrap_or(0);
    assert_eq!(bad(soft.err()), !ascend || last >= gold.len());
    let how = How::Samples(&[1.0], 2);
    assert!(bad(table.values(Measure::Pearson, how, 1).err()));
}

/// NaN is like itself.
fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}
