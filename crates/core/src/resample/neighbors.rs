//! Whether neighboring segments influence scores alike: autocorrelations in their order, and in
//! random ones.

use super::random::{generator, shuffle};
use crate::error::{Error, Pause};
use crate::memory::{listed, zeros};

/// Autocorrelations up to this lag are added up.
const LAGS: usize = 10;

/// Sums within this distance are ties, and a variance below the other one is none.
const TIE: f64 = 1e-9;
const NOTHING: f64 = 1e-20;

/// Scores whose numbers are multiplied at once.
const LANES: usize = 8;

/// The influence of each segment on each of some scores, or differences.
#[derive(Debug)]
pub struct Influences {
    segments: u32,
    scores: usize,
    /// Groups of lanes per segment.
    width: usize,
    /// The influences of each segment, filled up with zeros.
    rows: Vec<[f64; LANES]>,
    /// The variance of each score; infinite where there is none.
    variances: Vec<f64>,
}

impl Influences {
    /// Takes the influences on one score after the other; the mean of each should be 0.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if they are not as many for each score.
    pub fn new(values: &[f64], scores: usize) -> Result<Self, Error> {
        let segments = values.len().checked_div(scores).ok_or(Error::BadTable)?;
        if segments * scores != values.len() {
            return Err(Error::BadTable);
        }
        let width = scores.div_ceil(LANES);
        let mut rows = zeros::<[f64; LANES]>(segments * width);
        for (place, &value) in values.iter().enumerate() {
            let (score, segment) = (place / segments, place % segments);
            rows[segment * width + score / LANES][score % LANES] = value;
        }
        let variance = |score: usize| {
            let influences = &values[score * segments..][..segments];
            let square = influences.iter().map(|value| value * value).sum::<f64>();
            if square > NOTHING {
                square
            } else {
                f64::INFINITY
            }
        };
        Ok(Self {
            segments: u32::try_from(segments).map_err(|_| Error::BadTable)?,
            scores,
            width,
            rows,
            variances: listed((0..scores).map(variance)),
        })
    }

    /// The sum of autocorrelations of each score, and in how many of some random orders the largest
    /// of them is as large. No more orders are drawn after `enough` such.
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
        let row = |place: usize| &self.rows[order[place] as usize * self.width..][..self.width];
        let mut sums = zeros::<[f64; LANES]>(self.width);
        // Those of the segments that follow, up to the last lag.
        let mut next = zeros::<[f64; LANES]>(self.width);
        for place in (0..order.len()).rev() {
            let last = (place + LAGS < order.len()).then(|| row(place + LAGS));
            for (group, numbers) in row(place).iter().enumerate() {
                for (lane, number) in numbers.iter().enumerate() {
                    sums[group][lane] += number * next[group][lane];
                    next[group][lane] += number - last.map_or(0.0, |last| last[group][lane]);
                }
            }
        }
        let sums = sums.as_flattened()[..self.scores].iter();
        listed((sums.zip(&self.variances)).map(|(sum, variance)| sum / variance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums are those of the definition, in any order of the segments, and 0 without a variance.
    #[test]
    fn autocorrelations_of_the_definition() {
        let segments = 40;
        let mut random = generator(1, 0);
        let mut order: Vec<u32> = (0..segments).collect();
        shuffle(&mut random, &mut order);
        let one: Vec<f64> = order.iter().map(|&rank| f64::from(rank) - 19.5).collect();
        let other: Vec<f64> = one.iter().map(|value| value.abs() - 10.0).collect();
        let values = [&one[..], &other, &vec![0.0; 40]].concat();
        let influences = Influences::new(&values, 3).expect("a table");
        shuffle(&mut random, &mut order);
        let of_values = |values: &[f64]| {
            let at = |place: usize| values[order[place] as usize];
            let lags = (1..=10).flat_map(|lag| (lag..order.len()).map(move |end| (end - lag, end)));
            let sum: f64 = lags.map(|(start, end)| at(start) * at(end)).sum();
            sum / values.iter().map(|value| value * value).sum::<f64>()
        };
        let expected = [of_values(&one), of_values(&other), 0.0];
        for (found, expected) in influences.alike(&order).iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        assert!(Influences::new(&values, 7).is_err());
        assert!(Influences::new(&[], 0).is_err());
    }
}
