//! Whether neighboring segments influence scores alike: autocorrelations in their order, and in
//! random ones.

use super::random::{generator, shuffle};
use crate::error::{Error, Pause};
use crate::memory::{listed, zeros};
use crate::processor::Level;

/// Autocorrelations up to this lag are added up.
const LAGS: usize = 10;

/// Sums within this distance are ties, and a variance below the other one is none.
const TIE: f64 = 1e-9;
const NOTHING: f64 = 1e-20;

/// Numbers that are multiplied by each of some others at once: the sums fit into registers.
const LANES: usize = 8;
const OTHERS: usize = 4;

/// Segments whose influences stay in the fastest cache.
const BLOCK: usize = 64;

/// The influence of each segment on the score of each system, and on differences of pairs.
#[derive(Debug)]
pub struct Influences<'a> {
    segments: u32,
    systems: usize,
    pairs: &'a [(usize, usize)],
    /// Groups of lanes per segment.
    width: usize,
    /// The influences of each segment, filled up with zeros.
    rows: Vec<[f64; LANES]>,
    /// The variance of each score and each difference; infinite where there is none.
    variances: Vec<f64>,
}

impl<'a> Influences<'a> {
    /// Takes the influences on one system after the other; the mean of each should be 0.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if they are not as many for each system, or a pair names a system that
    /// does not exist.
    pub fn new(values: &[f64], systems: usize, pairs: &'a [(usize, usize)]) -> Result<Self, Error> {
        let segments = values.len().checked_div(systems).ok_or(Error::BadTable)?;
        if segments * systems != values.len()
            || (pairs.iter()).any(|&(one, other)| one.max(other) >= systems)
        {
            return Err(Error::BadTable);
        }
        let width = systems.div_ceil(LANES);
        let mut rows = zeros::<[f64; LANES]>(segments * width);
        for (place, &value) in values.iter().enumerate() {
            let (system, segment) = (place / segments, place % segments);
            rows[segment * width + system / LANES][system % LANES] = value;
        }
        let of = |system: usize| &values[system * segments..][..segments];
        let square = |system| of(system).iter().map(|value| value * value).sum::<f64>();
        let squares: Vec<f64> = (0..systems).map(square).collect();
        let differences = pairs.iter().map(|&(one, other)| {
            let gaps = of(one)
                .iter()
                .zip(of(other))
                .map(|(one, other)| one - other);
            // What rounding leaves of two systems that are equal is no variance.
            let least = NOTHING + TIE * (squares[one] + squares[other]);
            (gaps.map(|gap| gap * gap).sum(), least)
        });
        let scores = squares.iter().map(|&square| (square, NOTHING));
        let or_none = |(square, least)| {
            if square > least {
                square
            } else {
                f64::INFINITY
            }
        };
        Ok(Self {
            segments: u32::try_from(segments).map_err(|_| Error::BadTable)?,
            systems,
            pairs,
            width,
            rows,
            variances: listed(scores.chain(differences).map(or_none)),
        })
    }

    /// The sum of autocorrelations of each score and each difference, and in how many of some
    /// random orders the largest of them is as large. No more orders are drawn after `enough` such.
    ///
    /// # Errors
    ///
    /// Those of `pause`.
    pub fn compare(
        &self,
        seed: u64,
        orders: u64,
        enough: u64,
        pause: Pause<'_>,
    ) -> Result<(Vec<f64>, u64), Error> {
        let largest = |alike: &[f64]| alike.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut order = listed(0..self.segments);
        let observed = self.alike(&order);
        let least = largest(&observed) - TIE;
        let mut extreme = 0;
        for number in 0..orders {
            if extreme == enough {
                break;
            }
            pause()?;
            shuffle(&mut generator(seed, number), &mut order);
            extreme += u64::from(largest(&self.alike(&order)) >= least);
        }
        Ok((observed, extreme))
    }

    /// The sums of autocorrelations if the segments are in this order.
    fn alike(&self, order: &[u32]) -> Vec<f64> {
        let products = self.products_at(Level::current(), order);
        let of =
            |one: usize, other: usize| products.as_flattened()[one * self.width * LANES + other];
        let scores = (0..self.systems).map(|system| of(system, system));
        let differences = (self.pairs.iter()).map(|&(one, other)| {
            of(one, one) + of(other, other) - (of(one, other) + of(other, one))
        });
        let sums = scores.chain(differences).zip(&self.variances);
        listed(sums.map(|(sum, variance)| sum / variance))
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn products_avx2(&self, order: &[u32]) -> Vec<[f64; LANES]> {
        self.products(order)
    }

    fn products_at(&self, level: Level, order: &[u32]) -> Vec<[f64; LANES]> {
        match level {
            // SAFETY: the level proves the feature.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(_) | Level::Avx512(_) => unsafe { self.products_avx2(order) },
            _ => self.products(order),
        }
    }

    /// For each two systems, the sum over segments of the influence on the second, times those of
    /// the next segments on the first.
    #[inline(always)]
    fn products(&self, order: &[u32]) -> Vec<[f64; LANES]> {
        let width = self.width;
        let row = |place: usize| &self.rows[order[place] as usize * width..][..width];
        let mut sums = zeros(self.systems.next_multiple_of(OTHERS) * width);
        let mut next = vec![[0.0; LANES]; width];
        let (mut influences, mut following) = (Vec::new(), Vec::new());
        for end in (1..=order.len()).rev().step_by(BLOCK) {
            influences.clear();
            following.clear();
            for place in (end.saturating_sub(BLOCK)..end).rev() {
                influences.extend_from_slice(row(place));
                following.extend_from_slice(&next);
                add(&mut next, row(place), 1.0);
                if place + LAGS < order.len() {
                    add(&mut next, row(place + LAGS), -1.0);
                }
            }
            for (number, sums) in sums.chunks_exact_mut(OTHERS * width).enumerate() {
                for group in 0..width {
                    let mut block = [[0.0; LANES]; OTHERS];
                    let rows = influences.chunks_exact(width);
                    for (row, next) in rows.zip(following.chunks_exact(width)) {
                        let (next, _) = next.as_flattened().as_chunks::<OTHERS>();
                        let (row, next) = (row[group], next[number]);
                        // Iterators would keep the sums out of registers, depending on the profile.
                        for other in 0..OTHERS {
                            for lane in 0..LANES {
                                block[other][lane] += next[other] * row[lane];
                            }
                        }
                    }
                    for (sums, block) in sums.chunks_exact_mut(width).zip(&block) {
                        add(&mut sums[group..=group], std::slice::from_ref(block), 1.0);
                    }
                }
            }
        }
        sums
    }
}

/// Adds numbers, multiplied by a factor, to others.
#[inline(always)]
fn add(sums: &mut [[f64; LANES]], numbers: &[[f64; LANES]], factor: f64) {
    for (sum, number) in sums
        .as_flattened_mut()
        .iter_mut()
        .zip(numbers.as_flattened())
    {
        *sum += factor * number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums are those of the definition, in any order of the segments, and 0 for equal systems.
    #[test]
    fn autocorrelations_of_the_definition() {
        let segments = 40;
        let mut random = generator(1, 0);
        let mut order: Vec<u32> = (0..segments).collect();
        shuffle(&mut random, &mut order);
        let one: Vec<f64> = order.iter().map(|&rank| f64::from(rank) - 19.5).collect();
        let other: Vec<f64> = one.iter().map(|value| value.abs() - 10.0).collect();
        let values = [&one[..], &other, &one, &vec![0.0; 40]].concat();
        let pairs = [(0, 1), (0, 2), (1, 3)];
        let influences = Influences::new(&values, 4, &pairs).expect("a table");
        shuffle(&mut random, &mut order);
        let of_values = |values: &[f64]| {
            let at = |place: usize| values[order[place] as usize];
            let lags = (1..=10).flat_map(|lag| (lag..order.len()).map(move |end| (end - lag, end)));
            let sum: f64 = lags.map(|(start, end)| at(start) * at(end)).sum();
            sum / values.iter().map(|value| value * value).sum::<f64>()
        };
        let gaps: Vec<f64> = one
            .iter()
            .zip(&other)
            .map(|(one, other)| one - other)
            .collect();
        let (first, second) = (of_values(&one), of_values(&other));
        let expected = [first, second, first, 0.0, of_values(&gaps), 0.0, second];
        for (found, expected) in influences.alike(&order).iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        for level in Level::available() {
            assert_eq!(
                influences.products_at(level, &order),
                influences.products(&order)
            );
        }
        assert!(Influences::new(&values, 3, &[]).is_err());
        assert!(Influences::new(&values, 4, &[(0, 4)]).is_err());
        assert!(Influences::new(&[], 0, &[]).is_err());
    }
}
