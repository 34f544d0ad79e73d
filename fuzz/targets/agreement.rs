//! Agreement with people: accuracies and correlations are in range, those of swapped scores do not
//! depend on the number of threads, and what does not fit is refused. One input in 14 swaps scores, by one measure, and half of
//! these do so on two threads, because swaps take a hundred times as long as the rest.
#![no_main]

use libfuzzer_sys::fuzz_target;
use truebleu_core::error::Error;
use truebleu_core::meta_evaluation::{
    Accuracies, Correlation, Pairs, Ranks, Swaps, Weights, pairs_of, reached,
};
use truebleu_core::stop::sort_by_number;

const MOST_OUTPUTS: usize = 24;

// Scores of an output: those of people, of two metrics, and the system.
const NUMBERS: usize = 4;

fuzz_target!(|data: &[u8]| {
    let &[threshold, seed, size, ref data @ ..] = data else {
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
    let threshold = f64::from(threshold) / 8.0;
    judged(&sizes, &gold, &one, threshold);
    sorted(&one);
    if seed % 8 == 0 {
        misfits(&sizes, [&gold, &one, &other], data);
    }
    if let threads @ 1..=2 = usize::from(kind) {
        let scores = [&gold, &one, &other];
        swapped(&sizes, scores, threshold, u64::from(seed), threads);
    }
    let width = 3.min(outputs.len());
    let columns = &one[..one.len() / width * width];
    let draws: Vec<u8> = data.iter().copied().cycle().take(16 * 8).collect();
    let bytes = (columns.len() / width).div_ceil(8);
    let whole = draws.len() / bytes * bytes;
    let counts = reached(columns, width, &[(0, width - 1), (0, 0)], &draws[..whole]);
    let counts = counts.expect("numbers that fit together");
    assert!(counts.iter().all(|&count| count <= (whole / bytes) as u64));
    // A column is never less than itself.
    assert_eq!(counts[1], (whole / bytes) as u64);
});

fn judged(sizes: &[usize], gold: &[f64], scores: &[f64], threshold: f64) {
    let pairs = Pairs::new(sizes, gold, scores).expect("a table");
    let ones = vec![1.0; sizes.len()];
    let accuracy = pairs
        .accuracy(threshold, Weights::OfGroups(&ones))
        .expect("weights");
    let best = pairs.best(Weights::OfGroups(&ones));
    if let (Some(accuracy), Some(best)) = (accuracy, best.expect("weights")) {
        assert!((0.0..=1.0 + 1e-12).contains(&accuracy));
        assert!(best.accuracy >= accuracy - 1e-12 && best.accuracy <= 1.0 + 1e-12);
    }
    // The same as weights of outputs, where each counts once.
    let ones = vec![1.0; gold.len()];
    let of_outputs = pairs.accuracy(threshold, Weights::OfOutputs(&ones));
    let of_outputs = of_outputs.expect("weights");
    if let (Some(accuracy), Some(of_outputs)) = (accuracy, of_outputs) {
        let with_pairs = sizes.iter().filter(|&&size| size > 1).count();
        if with_pairs == sizes.len() {
            assert!((accuracy - of_outputs).abs() < 1e-12);
        }
    }
    let ranks = Ranks::new(gold, scores).expect("as many of both");
    for tau in ranks.tau_b(&vec![1.0; gold.len()]).expect("weights") {
        assert!(tau.is_nan() || tau.abs() <= 1.0 + 1e-12);
    }
}

fn swapped(
    sizes: &[usize],
    [gold, one, other]: [&Vec<f64>; 3],
    threshold: f64,
    seed: u64,
    threads: usize,
) {
    let swaps = Swaps::new(sizes, gold.clone(), one.clone(), other.clone()).expect("a table");
    // In each group, outputs are of systems 0, 1, 2, ...
    let systems: Vec<_> = sizes.iter().flat_map(|&size| 0..size).collect();
    let count = systems.iter().max().map_or(0, |last| last + 1);
    let expected: Vec<_> = (0..pairs_of(count))
        .map(|pair| [0.1, 0.5, f64::NAN][pair % 3])
        .collect();
    let measure = seed % 6;
    let computed = |threads| {
        let blocks = 0..threads as u64;
        let found = match measure {
            0 => swaps.soft(&systems, &expected, seed, blocks, threads),
            1 => swaps.at(threshold, seed, blocks, threads),
            2 => swaps.best(seed, blocks, threads),
            _ => {
                let name = ["pearson", "kendall", "differences"][measure as usize - 3];
                let which = Correlation::named(name).expect("a name");
                swaps.correlations(which, seed, blocks, threads)
            }
        };
        found.expect("a table")
    };
    let alone = computed(1);
    if threads > 1 {
        let (alone, together) = (bits(&alone), bits(&computed(threads)));
        assert_eq!(alone, together[..alone.len()]);
    }
    let least = if measure < 3 { 0.0 } else { -1.0 };
    for &found in alone.as_flattened() {
        let close = least - 1e-9..=1.0 + 1e-9;
        assert!(
            found.is_nan() || close.contains(&found),
            "{measure}: {found}"
        );
    }
}

/// Sorting is that of the standard library.
fn sorted(numbers: &[f64]) {
    let mut numbers: Vec<_> = numbers.iter().copied().cycle().take(600).collect();
    for (place, number) in numbers.iter_mut().enumerate() {
        *number *= [1.0, -1.0, 1e9][place % 3] + (place / 7) as f64;
    }
    let mut expected = numbers.clone();
    expected.sort_by(f64::total_cmp);
    sort_by_number(&mut numbers, &|&number: &f64| number);
    assert!(
        numbers
            .iter()
            .map(|number| number.to_bits())
            .eq(expected.iter().map(|each| each.to_bits()))
    );
}

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
    let bad = |error| matches!(error, Some(Error::BadTable));
    assert_eq!(bad(Pairs::new(&odd, gold, one).err()), !fits);
    let swaps = Swaps::new(&odd, gold.clone(), one.clone(), other.clone());
    assert_eq!(bad(swaps.err()), !fits);
    assert!(bad(Ranks::new(gold, &one[1..]).err()));
    assert!(bad(Pairs::new(sizes, gold, &one[1..]).err()));
    assert!(bad(Swaps::new(
        sizes,
        gold.clone(),
        one[1..].to_vec(),
        other.clone()
    )
    .err()));
    let pairs = Pairs::new(sizes, gold, one).expect("a table");
    let few = vec![1.0; gold.len() + 1];
    assert!(bad(pairs.best(Weights::OfOutputs(&few)).err()));
    let swaps = Swaps::new(sizes, gold.clone(), one.clone(), other.clone()).expect("a table");
    let last = odd.iter().max().copied().unwrap_or(0);
    let expected = vec![0.5; data.len() % 11];
    let found = swaps.soft(&odd, &expected, 1, 0..1, 1);
    let count = last.checked_add(1).filter(|&count| count < 1 << 16);
    assert_eq!(
        bad(found.err()),
        count.map(pairs_of) != Some(expected.len())
    );
}

/// NaN is like itself.
fn bits(found: &Accuracies) -> Vec<u64> {
    found
        .as_flattened()
        .iter()
        .map(|each| each.to_bits())
        .collect()
}
