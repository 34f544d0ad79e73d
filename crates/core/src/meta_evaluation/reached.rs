//! How often differences between systems are reached when their segments change places at random.

use bytemuck::Zeroable;

use crate::error::Error;
use crate::memory::{listed, zeros};
use crate::processor::{Level, Work, run_at};
use crate::stop::stop_here;

/// Columns that are added together.
const LANES: usize = 16;

/// Bytes of draws whose tables stay in the fastest cache.
const BYTES: usize = 4;

/// Draws whose sums stay in a fast cache.
const DRAWS: usize = 1024;

/// Room for the draws of a column: not a power of two, so that columns do not share places in caches.
const ROOM: usize = DRAWS + 8;

/// In one line of the cache, or in whole ones: a vector that spans two takes twice as long.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Aligned<T>(T);

// SAFETY: it has what it holds, and bytes that are not read.
unsafe impl<T: Zeroable> Zeroable for Aligned<T> {}

/// Numbers of columns that are added together.
type Row = Aligned<[f64; LANES]>;

/// Sums that differ by less are equal, beside the sum of the absolute values.
const ROUNDING: f64 = 1e-12;

/// For each pair of columns, the number of draws in which the sum of the one less that of the other
/// is at least what it is without a draw.
///
/// `columns` has a row of `width` numbers for each segment, and `draws` a row of bits for each draw,
/// from the lowest bit of the first byte: where a bit is 1, the numbers of the segment have the
/// opposite sign. Four segments at a time, all 16 sums are computed once.
///
/// # Errors
///
/// [`Error::BadTable`] if the numbers do not fit together.
pub fn reached(
    columns: &[f64],
    width: usize,
    pairs: &[(usize, usize)],
    draws: &[u8],
) -> Result<Vec<u64>, Error> {
    struct Reaching<'a>(Vec<Row>, usize, &'a [(usize, usize)], &'a [u8], f64);
    impl Work for Reaching<'_> {
        type Output = Vec<u64>;

        #[inline(always)]
        fn run(self) -> Vec<u64> {
            let Self(rows, width, pairs, draws, tie) = self;
            count_reached(&rows, width, pairs, draws, tie)
        }
    }
    let segments = columns.len().checked_div(width).unwrap_or_default();
    let bytes = segments.div_ceil(8);
    if segments == 0
        || columns.len() != segments * width
        || !draws.len().is_multiple_of(bytes)
        || pairs.iter().any(|&(one, other)| one.max(other) >= width)
    {
        return Err(Error::BadTable);
    }
    let wide = width.div_ceil(LANES);
    let mut rows = zeros::<Row>(8 * bytes * wide);
    let mut most = zeros::<f64>(width);
    for (row, columns) in rows.chunks_exact_mut(wide).zip(columns.chunks_exact(width)) {
        for (number, column) in row.iter_mut().flat_map(|row| &mut row.0).zip(columns) {
            *number = *column;
        }
        for (most, column) in most.iter_mut().zip(columns) {
            *most += column.abs();
        }
    }
    let tie = ROUNDING * most.into_iter().fold(0.0, f64::max);
    Ok(run_at(
        Level::current(),
        Reaching(rows, wide, pairs, draws, tie),
    ))
}

#[inline(always)]
fn count_reached(
    rows: &[Row],
    width: usize,
    pairs: &[(usize, usize)],
    draws: &[u8],
    tie: f64,
) -> Vec<u64> {
    let bytes = rows.len() / (8 * width);
    let unchanged = zeros(bytes);
    let sums = sums_of(rows, width, &unchanged);
    let sum = |column: usize| sums[column / LANES].0[column % LANES];
    let least = pairs.iter();
    let least = listed(least.map(|&(one, other)| sum(one) - sum(other) - tie));
    let mut counts = zeros(pairs.len());
    let mut of_column = zeros::<Aligned<[f64; ROOM]>>(width * LANES);
    for draws in draws.chunks(DRAWS * bytes) {
        stop_here();
        let sums = sums_of(rows, width, draws);
        for (draw, sums) in sums.chunks_exact(width).enumerate() {
            let sums = sums.iter().flat_map(|row| &row.0);
            for (column, &sum) in of_column.iter_mut().zip(sums) {
                column.0[draw] = sum;
            }
        }
        let draws = sums.len() / width;
        for ((count, &(one, other)), &least) in counts.iter_mut().zip(pairs).zip(&least) {
            let sums = of_column[one].0[..draws].iter().zip(&of_column[other].0);
            let reached = sums.map(|(one, other)| u64::from(one - other >= least));
            *count += reached.sum::<u64>();
        }
    }
    counts
}

/// The sums of all columns in each draw.
#[inline(always)]
fn sums_of(rows: &[Row], width: usize, draws: &[u8]) -> Vec<Row> {
    let bytes = rows.len() / (8 * width);
    let mut sums = zeros::<Row>(draws.len() / bytes * width);
    let mut tables = [[[Aligned([0.0; LANES]); 16]; 2]; BYTES];
    for (chunk, rows) in rows.chunks(8 * width * BYTES).enumerate() {
        let begin = BYTES * chunk;
        let end = bytes.min(begin + BYTES);
        for column in 0..width {
            let quarters = rows[column..].chunks(4 * width);
            for (table, rows) in tables.as_flattened_mut().iter_mut().zip(quarters) {
                fill(table, rows.iter().step_by(width));
            }
            let sums = sums[column..].iter_mut().step_by(width);
            for (sums, draw) in sums.zip(draws.chunks_exact(bytes)) {
                let mut sum = sums.0;
                for ([low, high], swapped) in tables.iter().zip(&draw[begin..end]) {
                    let Aligned(low) = &low[usize::from(swapped & 15)];
                    let Aligned(high) = &high[usize::from(swapped >> 4)];
                    for lane in 0..LANES {
                        sum[lane] += low[lane] + high[lane];
                    }
                }
                sums.0 = sum;
            }
        }
    }
    sums
}

/// The sums of four rows with all of their signs.
#[inline(always)]
fn fill<'a>(table: &mut [Row; 16], rows: impl Iterator<Item = &'a Row>) {
    table[0] = Aligned([0.0; LANES]);
    for (place, row) in rows.enumerate() {
        let (sums, less) = table.split_at_mut(1 << place);
        for (sum, less) in sums.iter_mut().zip(less) {
            for lane in 0..LANES {
                less.0[lane] = sum.0[lane] - row.0[lane];
                sum.0[lane] += row.0[lane];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whole numbers, so that sums are exact: each draw counts as it is defined.
    #[test]
    fn draws_are_counted() {
        for (segments, width) in [(1_usize, 1), (3, 2), (8, 3), (9, 8), (21, 19)] {
            let columns: Vec<_> = (0..segments * width)
                .map(|place| f64::from(u32::try_from(place * place % 13).expect("small")) - 6.0)
                .collect();
            let bytes = segments.div_ceil(8);
            let draws: Vec<_> = (0..1_100 * bytes)
                .map(|place| u8::try_from(place * 167 % 251).expect("small"))
                .collect();
            let pairs: Vec<_> = (0..width).map(|one| (one, one / 2)).collect();
            let sum = |draw: &[u8], column: usize| -> f64 {
                let signed = |segment: usize| {
                    let number = columns[segment * width + column];
                    if draw[segment / 8] >> (segment % 8) & 1 == 1 {
                        -number
                    } else {
                        number
                    }
                };
                (0..segments).map(signed).sum()
            };
            let difference =
                |draw: &[u8], one: usize, other: usize| sum(draw, one) - sum(draw, other);
            let expected: Vec<_> = pairs
                .iter()
                .map(|&(one, other)| {
                    let least = difference(&vec![0; bytes], one, other);
                    let reached = |draw: &&[u8]| difference(draw, one, other) >= least;
                    draws.chunks_exact(bytes).filter(reached).count() as u64
                })
                .collect();
            assert_eq!(reached(&columns, width, &pairs, &draws), Ok(expected));
            assert!(reached(&columns[1..], width, &[(width, 0)], &draws).is_err());
        }
        assert!(reached(&[], 0, &[], &[]).is_err());
    }
}
