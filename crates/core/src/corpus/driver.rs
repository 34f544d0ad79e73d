//! Counting many segments: text in, rows of statistics out, on as many threads as pay off.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::observe::Observed;
use crate::count::rows::add_row;
use crate::error::{Error, Pause, catch_panic};
use crate::memory::zeros;
use crate::metric::{Metric, with_worker};
use crate::stop::Stop;
use crate::text::{Batch, Segment, TOGETHER, threads_for};

/// Counts one segment with this thread's worker; see [`Metric::count`].
///
/// # Errors
///
/// Those of [`Metric::count`].
pub fn count_segment<M: Metric>(
    metric: &M,
    hypothesis: Segment<'_>,
    references: &[Segment<'_>],
    row: &mut [i64],
) -> Result<(), Error> {
    with_worker::<M, _>(|worker| {
        let result = metric.count(worker, &[hypothesis], references, row);
        let bytes = references.iter().map(Segment::weight).sum::<usize>() + hypothesis.weight();
        forget_large(worker, bytes);
        result
    })
}

/// A worker is replaced after a segment with more bytes of text than this, so that a thread does not
/// keep the memory that one huge segment took.
const LARGE: usize = 1 << 18;

fn forget_large<W: Default>(worker: &mut W, bytes: usize) {
    if bytes > LARGE {
        *worker = W::default();
    }
}

/// The calling thread leaves batches with larger segments, in bytes, to others, and waits for them.
pub const HUGE: usize = 1 << 19;

/// How often it looks meanwhile.
const BETWEEN_LOOKS: Duration = Duration::from_millis(2);

/// Number of segments that a thread takes at a time, at most.
const PIECE: usize = 256;

/// Statistics of a batch: for each segment the rows of all systems or, if `each` is false, their
/// sums.
///
/// Facts about the segments of each system are added to `observed`, which may be empty. Neither
/// result depends on `threads`.
///
/// # Errors
///
/// [`Error::TooLong`] or [`Error::TooManyReferences`] with the segment, [`Error::Overflow`] with the field whose sum does not fit
/// into 64 bits, or [`Error::Internal`] instead of a panic.
pub fn count_batch<M: Metric>(
    metric: &M,
    batch: &Batch<'_>,
    threads: usize,
    each: bool,
    observed: &[&Mutex<Observed>],
) -> Result<Vec<i64>, Error> {
    count_batch_while(metric, batch, threads, each, observed, |finish| {
        finish(&|| Ok(()))
    })
}

/// Counts what other threads have not begun, and waits for them; returns the sum. An error of its
/// argument stops all threads.
pub type Finish<'a> = dyn FnMut(Pause<'_>) -> Result<Vec<i64>, Error> + Send + 'a;

/// Like [`count_batch`], but other threads begin while `call` does something else. `call` must
/// call its argument in the end, and return the result.
///
/// # Errors
///
/// Those of [`count_batch`].
pub fn count_batch_while<M: Metric>(
    metric: &M,
    batch: &Batch<'_>,
    threads: usize,
    each: bool,
    observed: &[&Mutex<Observed>],
    call: impl FnOnce(&mut Finish<'_>) -> Result<Vec<i64>, Error>,
) -> Result<Vec<i64>, Error> {
    let threads = threads_for(batch.weight(), threads);
    let width = metric.width() * batch.systems();
    let numbers = if each { batch.len() * width } else { 0 };
    let mut table = Vec::new();
    table
        .try_reserve_exact(numbers)
        .map_err(|_| Error::OutOfMemory(format!("{numbers} numbers")))?;
    table.resize(numbers, 0);
    let piece = (batch.len() / (8 * threads)).clamp(1, PIECE);
    let pieces = Pieces {
        batch,
        metric,
        width,
        piece,
        // Without a table, only the number is used.
        next: Mutex::new((0, table.chunks_mut(piece * width))),
        each,
        observed,
        stop: Arc::default(),
    };
    let work = |pause: Pause<'_>| {
        let sum = pieces.stop.heeded(|| catch_panic(|| pieces.work(pause)));
        // No piece of a later segment is begun after an error; those before it are finished, so
        // that it does not depend on threads which error of several is returned.
        sum.inspect_err(|_| pieces.take_all())
    };
    // While a thread counts a huge segment, only another one can pause.
    let waits = batch.largest() > HUGE;
    let sum = thread::scope(|scope| {
        // If no more threads can be started, those that there are do the work.
        let mut others: Vec<_> = (usize::from(!waits)..threads)
            .map_while(|_| {
                let other = || work(&|| pieces.stop.check());
                thread::Builder::new().spawn_scoped(scope, other).ok()
            })
            .collect();
        call(&mut |pause| {
            let pause = || pieces.stop.pause(pause);
            let mut waited = Ok(());
            // An error stops the others, so that they end soon.
            while waits && waited.is_ok() && others.iter().any(|other| !other.is_finished()) {
                thread::sleep(BETWEEN_LOOKS);
                waited = pause();
            }
            let sum = waited.and_then(|()| work(&pause));
            others.drain(..).fold(sum, |sum, other| {
                match (sum, other.join().unwrap_or(Err(Error::Internal))) {
                    (Ok(mut sum), Ok(part)) => add_row(&mut sum, &part).map(|()| sum),
                    (Err(error), Err(other)) => Err(error.or_earlier(other)),
                    (Err(error), _) | (_, Err(error)) => Err(error),
                }
            })
        })
    });
    let sum = sum.map_err(|error| error.named(|column| metric.field(column % metric.width())))?;
    Ok(if each { table } else { sum })
}

/// The work that the threads share.
struct Pieces<'a, 'b, M> {
    batch: &'a Batch<'b>,
    metric: &'a M,
    /// Width of the rows of all systems.
    width: usize,
    /// Number of segments that a thread takes at a time.
    piece: usize,
    next: Mutex<(usize, std::slice::ChunksMut<'a, i64>)>,
    each: bool,
    observed: &'a [&'a Mutex<Observed>],
    stop: Arc<Stop>,
}

/// Bytes of text between two calls of [`Pause`]: TER takes up to a second for them, in segments that
/// are long and repetitive.
const BETWEEN_PAUSES: usize = 1 << 20;

impl<'a, M: Metric> Pieces<'a, '_, M> {
    /// The start of the next piece, which may be the end, and its rows.
    fn take(&self) -> (usize, Option<&'a mut [i64]>) {
        // Nothing can panic while the lock is held.
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let start = next.0.min(self.batch.len());
        next.0 = start + self.piece;
        (start, next.1.next())
    }

    /// Leaves nothing to take.
    fn take_all(&self) {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        next.0 = self.batch.len();
    }

    /// Counts pieces until none are left; returns the sum of their rows.
    fn work(&self, pause: Pause<'_>) -> Result<Vec<i64>, Error> {
        let mut unpaused = 0;
        // If a panic drops the worker, the next call starts with a new one.
        let mut worker = M::worker().take().unwrap_or_default();
        let mut sum = zeros(self.width);
        let mut table = zeros(if self.each { 0 } else { TOGETHER * self.width });
        let mut observed = vec![Observed::default(); self.observed.len()];
        loop {
            let (start, rows) = self.take();
            let end = self.batch.len().min(start + self.piece);
            if start == end {
                M::worker().set(Some(worker));
                for (all, observed) in self.observed.iter().zip(&observed) {
                    *all.lock().unwrap_or_else(PoisonError::into_inner) += observed;
                }
                return Ok(sum);
            }
            let mut rows = rows.unwrap_or_default();
            let mut first = start;
            while first < end {
                let (last, bytes) = self.batch.together(first, end);
                let segments = first..last;
                first = last;
                let width = segments.len() * self.width;
                let counts = if self.each {
                    rows.split_off_mut(..width).ok_or(Error::Internal)?
                } else {
                    &mut table[..width]
                };
                let (metric, batch) = (self.metric, self.batch);
                let result = metric.count_several(&mut worker, batch, segments.clone(), counts);
                forget_large(&mut worker, bytes);
                result?;
                unpaused += bytes;
                if unpaused > BETWEEN_PAUSES {
                    pause()?;
                    unpaused = 0;
                }
                if !self.each {
                    for row in counts.chunks_exact(self.width) {
                        add_row(&mut sum, row)?;
                    }
                }
                // The text is in the cache now.
                for segment in segments {
                    let hypotheses = batch.hypotheses(segment).iter();
                    for (observed, &hypothesis) in observed.iter_mut().zip(hypotheses) {
                        observed.look(segment, hypothesis, batch.references(segment));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
