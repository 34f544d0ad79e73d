//! What a seed draws, and sums of rows against plain ones.

use truebleu_core::error::Error;
use truebleu_core::resample::Units;

use crate::definitions::random::Random;

/// A generator by definition: `SplitMix64` (Steele, Lea and Flood 2014), which mixes the seed and fills
/// the state of xoshiro256++ (Blackman and Vigna 2019).
struct Generator([u64; 4]);

fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

impl Generator {
    /// The generator of a sample.
    fn new(mut seed: u64, sample: u64) -> Self {
        let mut state = split_mix(&mut seed).wrapping_add(sample);
        Self([0; 4].map(|_| split_mix(&mut state)))
    }

    fn next(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.0;
        let result = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        result
    }

    /// As many numbers below `count`, from parts of `bits` bits: the high half of a part times
    /// `count`, unless the low half is below 2^bits mod `count` (Lemire 2019).
    fn indices(&mut self, count: u64) -> Vec<usize> {
        let bits = if count <= 1 << 12 { 16 } else { 32 };
        let mut indices = Vec::new();
        while indices.len() < usize::try_from(count).expect("small") {
            let drawn = self.next();
            for part in 0..64 / bits {
                let product = (drawn >> (part * bits) & ((1 << bits) - 1)) * count;
                let low = product & ((1 << bits) - 1);
                if low >= (1 << bits) % count {
                    indices.push(usize::try_from(product >> bits).expect("small"));
                }
            }
        }
        indices.truncate(usize::try_from(count).expect("small"));
        indices
    }
}

/// A table of random rows for each system, with values up to `largest`.
fn tables(
    random: &mut Random,
    systems: usize,
    units: usize,
    width: usize,
    largest: usize,
) -> Vec<Vec<i64>> {
    (0..systems)
        .map(|_| random.ids(units * width, largest + 1))
        .collect()
}

/// The sum of the rows of some units.
fn sum(table: &[i64], width: usize, units: impl IntoIterator<Item = usize>) -> Vec<i64> {
    let mut sum = vec![0; width];
    for unit in units {
        for (sum, value) in sum.iter_mut().zip(&table[unit * width..][..width]) {
            *sum += value;
        }
    }
    sum
}

/// The first field of one of these rows in relation to the others; never divides by 0.
#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn share(row: &[i64]) -> f64 {
    row[0] as f64 / (1 + row.iter().sum::<i64>()) as f64
}

/// What the seed 12345 draws of 20 units. If this changes, every interval and p-value does.
#[test]
fn indices_of_a_seed() {
    let expected = [
        1, 7, 10, 17, 12, 3, 1, 19, 6, 17, 3, 7, 4, 4, 5, 17, 11, 5, 4, 0,
    ];
    assert_eq!(Generator::new(12345, 0).indices(20), expected);
    // Powers of 8 tell how often each unit is in the sum, those of one half in each field.
    let powers: Vec<[i64; 2]> = (0..20)
        .map(|unit| {
            [u32::from(unit < 10), u32::from(unit >= 10)]
                .map(|field| i64::from(field) << (3 * (unit % 10)))
        })
        .collect();
    let table = powers.as_flattened().to_vec();
    let drawn = sum(&table, 2, expected);
    let units = Units::new(&[table], 2).expect("rows");
    assert_eq!(units.bootstrap_sums(12345, 0..1, 1), Ok(drawn));
}

/// Sums of samples are those of the rows that the definition draws, for few and many units, small
/// and large numbers, one and many systems.
#[test]
fn bootstrap_samples() {
    let mut random = Random(41);
    for (systems, units, width, largest) in [
        (1, 1, 1, 5),
        (2, 3, 2, 40),
        (3, 100, 10, 4_000),
        (3, 100, 10, 5_000),
        (2, 64, 5, 1 << 30),
        (9, 50, 10, 300),
        (40, 30, 10, 30),
        (1, 4_096, 2, 30_000),
        (1, 4_097, 2, 3),
        // Many numbers are at the threshold of rejection.
        (1, 3_072, 1, 3),
        (1, 3 << 18, 1, 3),
        (1, 3 << 18, 1, 70_000),
    ] {
        let tables = tables(&mut random, systems, units, width, largest);
        let resampled = Units::new(&tables, width).expect("rows");
        let expected: Vec<i64> = (5..19)
            .flat_map(|sample| {
                let indices = Generator::new(7, sample).indices(units as u64);
                let sums = tables
                    .iter()
                    .map(|table| sum(table, width, indices.iter().copied()));
                sums.collect::<Vec<_>>().concat()
            })
            .collect();
        for threads in [1, 3] {
            let sums = resampled.bootstrap_sums(7, 5..19, threads);
            assert_eq!(sums.as_ref(), Ok(&expected), "{systems} {units} {largest}");
            let scores = resampled.bootstrap(&share, 7, 5..19, threads);
            assert_eq!(
                scores,
                Ok(expected.chunks_exact(width).map(share).collect())
            );
        }
    }
}

/// Every sample of equal rows has the same sum, however few of them fit into 16 bits.
#[test]
fn equal_rows() {
    for value in [1, 255, 3_640, 3_641, 4_095, 4_096, 32_767, 32_768] {
        let units = Units::new(&[vec![value; 100], vec![-value; 100]], 1).expect("rows");
        let sums = units.bootstrap_sums(1, 0..3, 1);
        assert_eq!(sums, Ok([100 * value, -100 * value].repeat(3)));
    }
}

/// Sums that could exceed 64 bits are refused, and the largest that cannot are exact.
#[test]
fn large_numbers() {
    let most = 1_i64 << 60;
    let units = Units::new(&[vec![most, most - 1]], 1).expect("two of them fit");
    let sums = units.bootstrap_sums(1, 0..20, 1).expect("they fit");
    assert!(
        sums.iter()
            .all(|&sum| (2 * most - 2..=2 * most).contains(&sum))
    );
    let refused = Units::new(&[vec![most + 1, 0]], 1);
    assert!(matches!(refused, Err(Error::Overflow(_))));
}

/// Tables must fit together, sums into memory, and a panic stays inside.
#[test]
fn what_cannot_be_drawn() {
    let uneven = [vec![1, 2], vec![1, 2, 3, 4]];
    for (tables, width) in [
        (&uneven[..0], 2),
        (&uneven[..], 2),
        (&uneven[..1], 0),
        (&uneven[1..], 3),
    ] {
        assert_eq!(Units::new(tables, width).err(), Some(Error::BadTable));
    }
    let units = Units::new(&uneven[..1], 1).expect("rows");
    let sums = units.bootstrap_sums(7, 0..u64::MAX, 2);
    assert!(matches!(sums, Err(Error::OutOfMemory(_))));
    let bad = |_: &[i64]| -> f64 { panic!("on purpose") };
    assert_eq!(units.bootstrap(&bad, 0, 0..4, 2), Err(Error::Internal));
}
