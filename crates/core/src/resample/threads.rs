//! Ranges of samples divided among threads.

use std::mem;
use std::ops::Range;

use crate::error::Error;
use crate::threads;

/// Splits a range of samples into at most one part per thread, of about equal size.
pub fn split(samples: Range<u64>, threads: usize) -> Vec<Range<u64>> {
    // In 128 bits, the product does not overflow.
    let samples = u128::from(samples.start)..u128::from(samples.end);
    let count = samples.end.saturating_sub(samples.start);
    let threads = (threads.max(1) as u128).min(count.max(1));
    let bound = |part: u128| samples.start + count * part / threads;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "no bound is above the last"
    )]
    let range = |part| bound(part) as u64..bound(part + 1) as u64;
    (0..threads).map(range).collect()
}

/// A part of the samples, and the slice of the table for their sums.
pub type Slice<'a> = (Range<u64>, &'a mut [i64]);

/// A table of zeros for the sums of all samples, with `size` numbers each.
///
/// # Errors
///
/// [`Error::OutOfMemory`] if it does not fit into memory.
pub fn zeros(samples: &Range<u64>, size: usize) -> Result<Vec<i64>, Error> {
    let count = samples.end.saturating_sub(samples.start);
    let length = usize::try_from(count)
        .unwrap_or(usize::MAX)
        .saturating_mul(size);
    let mut sums = Vec::new();
    if sums.try_reserve_exact(length).is_err() {
        return Err(Error::OutOfMemory(format!("the sums of {count} samples")));
    }
    sums.resize(length, 0);
    Ok(sums)
}

/// Splits samples like [`split`], and the table of their sums along with them.
pub fn split_sums(
    samples: Range<u64>,
    threads: usize,
    size: usize,
    mut sums: &mut [i64],
) -> Vec<Slice<'_>> {
    let slice = |part: Range<u64>| {
        let count = part.clone().count();
        let (slice, rest) = mem::take(&mut sums).split_at_mut(count * size);
        sums = rest;
        (part, slice)
    };
    split(samples, threads).into_iter().map(slice).collect()
}

/// Works on each part in its own thread; returns the results in order.
///
/// # Errors
///
/// [`Error::Internal`] instead of a panic.
pub fn on_threads<P: Send, R: Send>(
    parts: Vec<P>,
    work: impl Fn(P) -> R + Sync,
) -> Result<Vec<R>, Error> {
    let work = &|part| Ok(work(part));
    threads::on_threads(parts, work, work)
}
