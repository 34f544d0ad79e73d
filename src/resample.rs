//! Sums of rows for intervals and tests: bootstrap samples, random swaps, all swaps.
//!
//! Nothing here knows what a row means. A statistic is a function from a sum of rows to a number,
//! and a unit (a segment, a document) is a row for each system.
//!
//! Every sample has a generator of its own, so results do not depend on who computes them.

use std::ops::{AddAssign, Range};
use std::thread;

use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

use crate::error::{Error, Field, catch_panic};

/// Makes a number of a sum of rows.
pub type Statistic<'a> = &'a (dyn Fn(&[i64]) -> f64 + Sync);

/// What two numbers may differ by and still be a tie: roundings, on a scale of 100.
const TIE: f64 = 1e-10;

/// The largest sum: twice that, from the sums of two systems, still fits.
const MOST: u64 = 1 << 61;

/// More units than that are not all swapped: 2^20 sums take a moment, and each more doubles it.
pub const MOST_PERMUTED: usize = 20;

/// How many random differences are at least as extreme as the one that was observed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// In either direction.
    pub either: u64,
    /// In the direction of a higher first system.
    pub higher: u64,
}

impl Tally {
    fn count(&mut self, found: f64, observed: f64) {
        self.either += u64::from(found.abs() >= observed.abs() - TIE);
        self.higher += u64::from(found >= observed - TIE);
    }

    fn add(&mut self, other: Self) {
        self.either += other.either;
        self.higher += other.higher;
    }
}

/// The rows of all systems side by side, a line for each unit.
#[derive(Debug)]
pub struct Units {
    systems: usize,
    width: usize,
    count: usize,
    rows: Rows,
}

/// Half as wide where no sum can overflow: twice as many fit into a register.
#[derive(Debug)]
enum Rows {
    Narrow(Vec<i32>),
    Wide(Vec<i64>),
}

impl Units {
    /// Puts the tables of systems side by side.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if they are not whole rows of `width`, or not equally many,
    /// [`Error::Overflow`] if sums of them could leave 64 bits.
    pub fn new(tables: &[Vec<i64>], width: usize) -> Result<Self, Error> {
        let length = tables.first().map_or(0, Vec::len);
        if width == 0
            || length == 0
            || !length.is_multiple_of(width)
            || tables.iter().any(|table| table.len() != length)
        {
            return Err(Error::BadTable);
        }
        let count = length / width;
        let side_by_side = || {
            (0..count).flat_map(move |unit| {
                tables
                    .iter()
                    .flat_map(move |table| &table[unit * width..][..width])
                    .copied()
            })
        };
        // A sample may be the largest unit over and over.
        let largest = side_by_side().map(i64::unsigned_abs).max().unwrap_or(0);
        let sum = largest.saturating_mul(count as u64);
        let rows = if i32::try_from(sum).is_ok() {
            let narrow: Result<_, _> = side_by_side().map(i32::try_from).collect();
            Rows::Narrow(narrow.map_err(|_| Error::Internal)?)
        } else if sum <= MOST {
            Rows::Wide(side_by_side().collect())
        } else {
            return Err(Error::Overflow(Field::Named(
                "a resampled field".to_owned(),
            )));
        };
        Ok(Self {
            systems: tables.len(),
            width,
            count,
            rows,
        })
    }

    /// Number of units.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The statistic of samples with replacement: for each sample one number per system.
    ///
    /// # Errors
    ///
    /// [`Error::Internal`] instead of a panic.
    pub fn bootstrap(
        &self,
        statistic: Statistic<'_>,
        seed: u64,
        samples: Range<u64>,
        threads: usize,
    ) -> Result<Vec<f64>, Error> {
        let parts = in_parts(samples, threads, |samples| match &self.rows {
            Rows::Narrow(rows) => self.resampled(rows, statistic, seed, samples),
            Rows::Wide(rows) => self.resampled(rows, statistic, seed, samples),
        })?;
        Ok(parts.concat())
    }

    fn resampled<T: Count>(
        &self,
        rows: &[T],
        statistic: Statistic<'_>,
        seed: u64,
        samples: Range<u64>,
    ) -> Vec<f64> {
        let line = self.systems * self.width;
        let mut sum = vec![T::default(); line];
        let mut wide = vec![0; line];
        let mut found = Vec::new();
        for sample in samples {
            let mut random = generator(seed, sample);
            sum.fill(T::default());
            for _ in 0..self.count {
                let unit = below(&mut random, self.count);
                add(&mut sum, &rows[unit * line..][..line]);
            }
            widen(&sum, &mut wide);
            found.extend(wide.chunks_exact(self.width).map(statistic));
        }
        found
    }

    /// Swaps the units of two systems at random, and compares the differences with the observed
    /// one; in each trial the same units for all pairs.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if a pair names a system that is not there, [`Error::Internal`] instead
    /// of a panic.
    pub fn randomize(
        &self,
        statistic: Statistic<'_>,
        pairs: &[(usize, usize)],
        seed: u64,
        trials: Range<u64>,
        threads: usize,
    ) -> Result<Vec<Tally>, Error> {
        self.check(pairs)?;
        let parts = in_parts(trials, threads, |trials| match &self.rows {
            Rows::Narrow(rows) => self.swapped(rows, statistic, pairs, seed, trials),
            Rows::Wide(rows) => self.swapped(rows, statistic, pairs, seed, trials),
        })?;
        let mut sums = vec![Tally::default(); pairs.len()];
        for part in parts {
            for (sum, tally) in sums.iter_mut().zip(part) {
                sum.add(tally);
            }
        }
        Ok(sums)
    }

    fn swapped<T: Count>(
        &self,
        rows: &[T],
        statistic: Statistic<'_>,
        pairs: &[(usize, usize)],
        seed: u64,
        trials: Range<u64>,
    ) -> Vec<Tally> {
        let line = self.systems * self.width;
        let totals = self.totals();
        let total = |system: usize| &totals[system * self.width..][..self.width];
        let observed: Vec<f64> = pairs
            .iter()
            .map(|&(one, other)| statistic(total(one)) - statistic(total(other)))
            .collect();
        let mut tallies = vec![Tally::default(); pairs.len()];
        let mut sum = vec![T::default(); line];
        let mut wide = vec![0; line];
        let (mut first, mut second) = (vec![0; self.width], vec![0; self.width]);
        for trial in trials {
            let mut random = generator(seed, trial);
            sum.fill(T::default());
            for block in rows.chunks(64 * line) {
                let mut chosen = random.next_u64();
                if block.len() < 64 * line {
                    chosen &= (1 << (block.len() / line)) - 1;
                }
                while chosen != 0 {
                    let unit = chosen.trailing_zeros() as usize;
                    add(&mut sum, &block[unit * line..][..line]);
                    chosen &= chosen - 1;
                }
            }
            widen(&sum, &mut wide);
            let moved = |system: usize| &wide[system * self.width..][..self.width];
            for ((tally, &(one, other)), &observed) in tallies.iter_mut().zip(pairs).zip(&observed)
            {
                for column in 0..self.width {
                    let change = moved(other)[column] - moved(one)[column];
                    first[column] = total(one)[column] + change;
                    second[column] = total(other)[column] - change;
                }
                tally.count(statistic(&first) - statistic(&second), observed);
            }
        }
        tallies
    }

    /// The units in which two systems differ.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if one of them is not there.
    pub fn differing(&self, one: usize, other: usize) -> Result<Vec<usize>, Error> {
        self.check(&[(one, other)])?;
        let differ = |&unit: &usize| {
            (0..self.width)
                .any(|column| self.value(unit, one, column) != self.value(unit, other, column))
        };
        Ok((0..self.count).filter(differ).collect())
    }

    /// Swaps the units in which two systems differ in all ways there are.
    ///
    /// Returns the tally and the number of ways.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if more than [`MOST_PERMUTED`] differ.
    pub fn permute(
        &self,
        statistic: Statistic<'_>,
        one: usize,
        other: usize,
    ) -> Result<(Tally, u64), Error> {
        let units = self.differing(one, other)?;
        if units.len() > MOST_PERMUTED {
            return Err(Error::BadTable);
        }
        let totals = self.totals();
        let mut first = totals[one * self.width..][..self.width].to_vec();
        let mut second = totals[other * self.width..][..self.width].to_vec();
        let observed = statistic(&first) - statistic(&second);
        let mut swapped = vec![false; units.len()];
        let mut tally = Tally::default();
        let ways = 1_u64 << units.len();
        for way in 1..=ways {
            tally.count(statistic(&first) - statistic(&second), observed);
            // A Gray code: one unit changes sides at a time, and none is left to do so at the end.
            let place = way.trailing_zeros() as usize;
            let Some(&unit) = units.get(place) else {
                continue;
            };
            for column in 0..self.width {
                let gap = self.value(unit, other, column) - self.value(unit, one, column);
                let change = if swapped[place] { -gap } else { gap };
                first[column] += change;
                second[column] -= change;
            }
            swapped[place] = !swapped[place];
        }
        Ok((tally, ways))
    }

    fn check(&self, pairs: &[(usize, usize)]) -> Result<(), Error> {
        if pairs.iter().any(|pair| pair.0.max(pair.1) >= self.systems) {
            return Err(Error::BadTable);
        }
        Ok(())
    }

    fn value(&self, unit: usize, system: usize, column: usize) -> i64 {
        let place = (unit * self.systems + system) * self.width + column;
        match &self.rows {
            Rows::Narrow(rows) => rows[place].into(),
            Rows::Wide(rows) => rows[place],
        }
    }

    /// The sums of all units, system after system.
    fn totals(&self) -> Vec<i64> {
        let line = self.systems * self.width;
        let mut totals = vec![0; line];
        match &self.rows {
            Rows::Narrow(rows) => rows.chunks_exact(line).for_each(|row| {
                for (total, &value) in totals.iter_mut().zip(row) {
                    *total += i64::from(value);
                }
            }),
            Rows::Wide(rows) => rows
                .chunks_exact(line)
                .for_each(|row| add(&mut totals, row)),
        }
        totals
    }
}

/// A column of a row, narrow or wide.
trait Count: Copy + Default + AddAssign + Into<i64> + Sync {}

impl Count for i32 {}
impl Count for i64 {}

fn add<T: Count>(sum: &mut [T], row: &[T]) {
    for (sum, &value) in sum.iter_mut().zip(row) {
        *sum += value;
    }
}

fn widen<T: Count>(sum: &[T], wide: &mut [i64]) {
    for (wide, &value) in wide.iter_mut().zip(sum) {
        *wide = value.into();
    }
}

/// The generator of a sample. Neighboring seeds must not share samples, hence the first mixing.
fn generator(seed: u64, sample: u64) -> Xoshiro256PlusPlus {
    let mixed = SplitMix64::seed_from_u64(seed).next_u64();
    Xoshiro256PlusPlus::seed_from_u64(mixed.wrapping_add(sample))
}

/// A number below `limit`, each equally likely (Lemire 2019, *Fast random integer generation in an
/// interval*).
#[expect(
    clippy::cast_possible_truncation,
    reason = "the halves of the product; the upper one is below `limit`"
)]
fn below(random: &mut Xoshiro256PlusPlus, limit: usize) -> usize {
    let limit = limit as u64;
    loop {
        let product = u128::from(random.next_u64()) * u128::from(limit);
        let (high, low) = ((product >> 64) as u64, product as u64);
        if low >= limit || low >= limit.wrapping_neg() % limit {
            return high as usize;
        }
    }
}

/// Splits a range of samples between threads; the parts come back in order.
fn in_parts<R: Send>(
    samples: Range<u64>,
    threads: usize,
    work: impl Fn(Range<u64>) -> R + Sync,
) -> Result<Vec<R>, Error> {
    let count = samples.end.saturating_sub(samples.start);
    let threads = (threads.max(1) as u64).min(count.max(1));
    let bound = |part: u64| samples.start + count * part / threads;
    let work_on = |part: u64| catch_panic(|| Ok(work(bound(part)..bound(part + 1))));
    if threads == 1 {
        return Ok(vec![work_on(0)?]);
    }
    thread::scope(|scope| {
        let workers: Vec<_> = (1..threads)
            .map(|part| scope.spawn(move || work_on(part)))
            .collect();
        let first = work_on(0);
        let parts = workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or(Err(Error::Internal)));
        [first].into_iter().chain(parts).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    fn ratio(row: &[i64]) -> f64 {
        row[0] as f64 / row[1] as f64
    }

    fn tables() -> Vec<Vec<i64>> {
        vec![
            vec![3, 7, 1, 5, 2, 9, 4, 4],
            vec![2, 7, 1, 5, 5, 9, 4, 4],
            vec![0, 7, 0, 5, 0, 9, 0, 4],
        ]
    }

    #[test]
    fn threads_and_chunks_change_nothing() {
        let units = Units::new(&tables(), 2).expect("whole rows");
        let all = units.bootstrap(&ratio, 7, 0..50, 1).expect("no panic");
        assert_eq!(all.len(), 150);
        assert_eq!(units.bootstrap(&ratio, 7, 0..50, 3), Ok(all.clone()));
        let mut parts = units.bootstrap(&ratio, 7, 0..20, 1).expect("no panic");
        parts.extend(units.bootstrap(&ratio, 7, 20..50, 2).expect("no panic"));
        assert_eq!(parts, all);
        assert_ne!(units.bootstrap(&ratio, 8, 0..50, 1), Ok(all));
    }

    #[test]
    fn wide_rows_give_what_narrow_ones_give() {
        let narrow = Units::new(&tables(), 2).expect("whole rows");
        let scaled: Vec<Vec<i64>> = tables()
            .into_iter()
            .map(|table| table.into_iter().map(|value| value << 32).collect())
            .collect();
        let wide = Units::new(&scaled, 2).expect("whole rows");
        assert!(matches!(wide.rows, Rows::Wide(_)));
        let pairs = [(0, 1), (1, 2), (0, 2)];
        assert_eq!(
            narrow.bootstrap(&ratio, 1, 0..9, 1),
            wide.bootstrap(&ratio, 1, 0..9, 1)
        );
        assert_eq!(
            narrow.randomize(&ratio, &pairs, 1, 0..99, 2),
            wide.randomize(&ratio, &pairs, 1, 0..99, 1)
        );
    }

    #[test]
    fn all_swaps() {
        let units = Units::new(&tables(), 2).expect("whole rows");
        assert_eq!(units.differing(0, 1), Ok(vec![0, 2]));
        // The four differences are -2/25, -4/25, 4/25, 2/25.
        let (tally, ways) = units.permute(&ratio, 0, 1).expect("few units differ");
        assert_eq!(ways, 4);
        assert_eq!((tally.either, tally.higher), (4, 3));
        let (tally, ways) = units.permute(&ratio, 2, 2).expect("no unit differs");
        assert_eq!((tally.either, ways), (1, 1));
        assert_eq!(units.permute(&ratio, 0, 3), Err(Error::BadTable));
    }

    #[test]
    fn every_unit_is_equally_likely() {
        let mut seen = [0; 3];
        let mut random = generator(0, 0);
        for _ in 0..30_000 {
            seen[below(&mut random, 3)] += 1;
        }
        assert!(seen.iter().all(|&count: &i32| (count - 10_000).abs() < 300));
    }

    #[test]
    fn tables_must_fit() {
        assert_eq!(Units::new(&[], 2).err(), Some(Error::BadTable));
        let uneven = [vec![1, 2], vec![1, 2, 3, 4]];
        assert_eq!(Units::new(&uneven, 2).err(), Some(Error::BadTable));
        let overflowing = [vec![i64::MAX, 1, 1, 1]];
        assert!(matches!(
            Units::new(&overflowing, 2),
            Err(Error::Overflow(_))
        ));
    }

    #[test]
    fn a_panic_stays_inside() {
        let units = Units::new(&tables(), 2).expect("whole rows");
        let bad = |_: &[i64]| -> f64 { panic!("on purpose") };
        assert_eq!(units.bootstrap(&bad, 0, 0..4, 2), Err(Error::Internal));
    }
}
