//! Every measure is that of its definition, once, in samples, and after swaps.

use rand_xoshiro::rand_core::Rng;

use super::soft::p_value;
use super::*;
use crate::error::Error;
use crate::resample::random::generator;

const MEASURES: [Measure; 6] = [
    Measure::Pearson,
    Measure::Differences,
    Measure::Kendall,
    Measure::Accuracy,
    Measure::BestAccuracy,
    Measure::Soft,
];

/// An output: its system, its gold score, its score, and how often it counts.
type Output = (usize, f64, f64, f64);

/// Averages of values and their weights, of what is defined.
fn mean(values: impl Iterator<Item = (f64, f64)>) -> f64 {
    let defined = values.filter(|(value, _)| !value.is_nan());
    let (sum, weights) = defined.fold((0.0, 0.0), |(sum, weights), (value, weight)| {
        (sum + value * weight, weights + weight)
    });
    sum / weights
}

fn pearson(values: &[[f64; 3]]) -> f64 {
    let mean = [0, 1].map(|side| mean(values.iter().map(|each| (each[side], each[2]))));
    let product = |one: usize, other: usize| -> f64 {
        let terms = values.iter();
        terms
            .map(|each| each[2] * (each[one] - mean[one]) * (each[other] - mean[other]))
            .sum()
    };
    let squares = [product(0, 0), product(1, 1)];
    if squares[0] < 1e-9 || squares[1] < 1e-9 {
        return f64::NAN;
    }
    product(0, 1) / (squares[0] * squares[1]).sqrt()
}

/// The differences of gold scores and of others in each pair, and their weight.
fn pairs(group: &[Output]) -> Vec<[f64; 3]> {
    let pairs = group.iter().enumerate().flat_map(|(place, one)| {
        group[..place]
            .iter()
            .map(|other| [one.1 - other.1, one.2 - other.2, one.3 * other.3])
    });
    pairs.collect()
}

fn sign(number: f64, threshold: f64) -> f64 {
    if number.abs() <= threshold {
        0.0
    } else {
        number.signum()
    }
}

/// A measure by its definition; groups have a weight.
fn expected(measure: Measure, groups: &[(f64, Vec<Output>)]) -> f64 {
    let of_groups = |value: &dyn Fn(&[Output]) -> f64| {
        mean(groups.iter().map(|(weight, group)| (value(group), *weight)))
    };
    let accuracy = |threshold| {
        of_groups(&|group| {
            let right = |pair: &[f64; 3]| sign(pair[0], 0.0) == sign(pair[1], threshold);
            mean(
                pairs(group)
                    .iter()
                    .map(|pair| (f64::from(right(pair)), pair[2])),
            )
        })
    };
    match measure {
        Measure::Pearson => of_groups(&|group| {
            pearson(
                &group
                    .iter()
                    .map(|each| [each.1, each.2, each.3])
                    .collect::<Vec<_>>(),
            )
        }),
        Measure::Differences => {
            let of_group = groups.iter().flat_map(|(weight, group)| {
                let pairs = pairs(group).into_iter();
                pairs.flat_map(move |[x, y, _]| [[x, y, *weight], [-x, -y, *weight]])
            });
            pearson(&of_group.collect::<Vec<_>>())
        }
        Measure::Kendall => of_groups(&|group| {
            let sum = |term: &dyn Fn(f64, f64) -> f64| -> f64 {
                let pairs = pairs(group).into_iter();
                pairs
                    .map(|[x, y, weight]| weight * term(sign(x, 0.0), sign(y, 0.0)))
                    .sum()
            };
            sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt()
        }),
        Measure::Accuracy => accuracy(0.0),
        Measure::BestAccuracy => {
            let all = groups.iter().flat_map(|(_, group)| pairs(group));
            all.map(|pair| accuracy(pair[1].abs()))
                .fold(accuracy(0.0), f64::max)
        }
        Measure::Soft => {
            let distances = (0..9).flat_map(|one| (0..one).map(move |other| [one, other]));
            let distances = distances.map(|systems| {
                let mut sums = [[0.0; 3]; 2];
                for (_, group) in groups {
                    let of = |system| group.iter().find(|each: &&Output| each.0 == system);
                    if let [Some(one), Some(other)] = systems.map(of) {
                        for (sums, difference) in
                            sums.iter_mut().zip([other.1 - one.1, other.2 - one.2])
                        {
                            sums[0] += one.3 * difference;
                            sums[1] += one.3 * difference * difference;
                            sums[2] += one.3;
                        }
                    }
                }
                let [gold, own] = sums.map(|[sum, squares, _]| p_value(sum, squares));
                let is_known = sums[0][2] > 0.0;
                (
                    if is_known {
                        (gold - own).abs()
                    } else {
                        f64::NAN
                    },
                    1.0,
                )
            });
            1.0 - mean(distances)
        }
    }
}

#[test]
fn values_are_those_of_the_definitions() {
    // By segment, with gaps; and two groups of several segments each, one of them large.
    let shapes: [(&[usize], bool); 3] = [(&[3, 2, 3, 1, 2], true), (&[3, 20], false), (&[1], true)];
    for (seed, (sizes, is_by_segment)) in (1..).zip(shapes) {
        let mut random = generator(seed, 0);
        let mut drawn = |count: usize, most: u64| -> Vec<f64> {
            let draw = || u32::try_from(random.next_u64() % most).expect("small");
            std::iter::repeat_with(draw)
                .take(count)
                .map(|each| f64::from(each) / 8.0)
                .collect()
        };
        let count = sizes.iter().sum();
        let within: Vec<_> = sizes.iter().flat_map(|&size| 0..size).collect();
        let groups = (0..sizes.len()).flat_map(|group| std::iter::repeat_n(group, sizes[group]));
        let groups: Vec<_> = groups.collect();
        let places = if is_by_segment {
            [&groups, &within]
        } else {
            [&within, &groups]
        };
        let [segments, systems] = places.map(Clone::clone);
        let (gold, scores) = (drawn(count, 4), [drawn(count, 12), drawn(count, 12)]);
        let table = Table::new(
            sizes,
            [segments.clone(), systems.clone()],
            gold.clone(),
            scores.clone(),
        );
        let table = table.expect("a table");
        let last = segments.iter().max().expect("some") + 1;
        let samples: Vec<f64> = drawn(40 * last, 4).iter().map(|each| 8.0 * each).collect();
        for measure in MEASURES {
            if measure == Measure::Soft && !is_by_segment {
                continue;
            }
            let found = |how, threads| table.values(measure, how, threads).expect("a table");
            let check = |found: f64, metric: usize, swap: usize, weights: &[f64]| {
                let output = |place: usize| {
                    let other = if place < usize::BITS as usize {
                        swap >> place & 1
                    } else {
                        0
                    };
                    let score = scores[metric ^ other][place];
                    (systems[place], gold[place], score, weights[segments[place]])
                };
                let groups = (0..sizes.len()).map(|group| {
                    let outputs = (0..count).filter(|&place| groups[place] == group);
                    let outputs: Vec<_> = outputs.map(output).collect();
                    (if is_by_segment { outputs[0].3 } else { 1.0 }, outputs)
                });
                let groups: Vec<_> = groups.filter(|(_, outputs)| outputs.len() > 1).collect();
                let expected = expected(measure, &groups);
                let is_close = (found - expected).abs() < 1e-9;
                assert!(
                    is_close || found.is_nan() && expected.is_nan(),
                    "{measure:?} {sizes:?}: {found} {expected}"
                );
            };
            let ones = vec![1.0; last];
            check(found(How::Once, 1)[0], 0, 0, &ones);
            let sampled = found(How::Samples(&samples, last), 2);
            assert_eq!(sampled.len(), 40);
            for (&value, weights) in sampled.iter().zip(samples.chunks_exact(last)) {
                check(value, 0, 0, weights);
            }
            let drawn = found(How::Drawn(seed, 1500), 1);
            assert_eq!(drawn.len(), 3000);
            let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&drawn), bits(&found(How::Drawn(seed, 1500), 3)));
            for draw in [0, 63, 64, 511, 512, 1499] {
                let block = table.swaps(Some(seed), draw / 512);
                let bit =
                    |place: usize| (block[place][draw % 512 / 64] >> (draw % 64) & 1) << place;
                let swap = (0..count).map(bit).fold(0, |all, bit| all | bit);
                let swap = usize::try_from(swap).expect("few outputs");
                check(drawn[2 * draw], 0, swap, &ones);
                check(drawn[2 * draw + 1], 1, swap, &ones);
            }
            if count < 20 {
                let all = found(How::AllSwaps, 2);
                assert_eq!(all.len(), 2 << count);
                for swap in [0, 1, (1 << count) - 1] {
                    check(all[2 * swap], 0, swap, &ones);
                    check(all[2 * swap + 1], 1, swap, &ones);
                }
            } else {
                assert_eq!(
                    table.values(measure, How::AllSwaps, 1),
                    Err(Error::BadTable)
                );
            }
        }
    }
}

/// Numbers that do not fit together are errors.
#[test]
fn numbers_that_do_not_fit() {
    let table = |sizes: &[usize], systems: Vec<usize>, scores: usize| {
        let other = vec![0.0; scores];
        Table::new(
            sizes,
            [vec![0; 3], systems],
            vec![0.0; 3],
            [vec![0.0; 3], other],
        )
    };
    for sizes in [&[2][..], &[4], &[3, usize::MAX]] {
        assert_eq!(table(sizes, vec![0, 1, 2], 3).err(), Some(Error::BadTable));
    }
    assert!(table(&[3], vec![0, 1], 3).is_err());
    assert!(table(&[3], vec![0, 1, 2], 2).is_err());
    for systems in [vec![0, 0, 1], vec![0, 1, 3], vec![0, 1, usize::MAX]] {
        let table = table(&[3], systems, 3).expect("a table");
        assert_eq!(
            table.values(Measure::Soft, How::Once, 1),
            Err(Error::BadTable)
        );
    }
    let table = table(&[1, 2], vec![0, 1, 2], 3).expect("a table");
    for (weights, segments) in [(&[1.0; 3][..], 2), (&[], 0)] {
        let found = table.values(Measure::Pearson, How::Samples(weights, segments), 1);
        assert_eq!(found, Err(Error::BadTable));
    }
    let found = table.values(Measure::Pearson, How::Drawn(1, usize::MAX / 4), 1);
    assert!(matches!(found, Err(Error::OutOfMemory(_))));
}
