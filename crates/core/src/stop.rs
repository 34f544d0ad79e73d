//! Stopping the threads of some work, also in the middle of a segment.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, Pause, unwind};
use crate::memory::{self, reserve_exact};

/// Stops all threads of some work if the one that pauses has to stop.
#[derive(Debug, Default)]
pub struct Stop(AtomicBool);

thread_local! {
    /// What may stop the present work of this thread.
    static STOP: RefCell<Option<Arc<Stop>>> = const { RefCell::new(None) };
}

impl Stop {
    /// Calls `pause`; if it returns an error, the other threads stop, too.
    ///
    /// # Errors
    ///
    /// Those of `pause`.
    pub fn pause(&self, pause: Pause<'_>) -> Result<(), Error> {
        pause().inspect_err(|_| self.0.store(true, Ordering::Relaxed))
    }

    /// What the other threads call instead.
    ///
    /// # Errors
    ///
    /// [`Error::Interrupted`] if they shall stop.
    pub fn check(&self) -> Result<(), Error> {
        if self.0.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        Ok(())
    }

    /// What may stop the present work of this thread, for others that take part in it.
    #[must_use]
    pub fn here() -> Arc<Self> {
        STOP.with_borrow(|stop| stop.as_ref().map(Arc::clone))
            .unwrap_or_default()
    }

    /// Does work in which [`stop_here`] heeds this.
    pub fn heeded<T>(self: &Arc<Self>, work: impl FnOnce() -> T) -> T {
        struct Before(Option<Arc<Stop>>);
        impl Drop for Before {
            fn drop(&mut self) {
                STOP.set(self.0.take());
            }
        }
        let _before = Before(STOP.replace(Some(Arc::clone(self))));
        work()
    }
}

/// Ends the work of this thread, if it shall stop, by unwinding to
/// [`catch_panic`](crate::error::catch_panic).
///
/// It is called in loops over one segment, which may take seconds for a segment of many megabytes.
pub fn stop_here() {
    let checked = STOP.with_borrow(|stop| stop.as_ref().map_or(Ok(()), |stop| stop.check()));
    if let Err(error) = checked {
        unwind(error);
    }
    memory::check();
}

/// How many steps of a loop a thread takes between two calls of [`stop_here`]: a power of two.
pub const STEPS: usize = 1 << 14;

/// Calls [`stop_here`] in every [`STEPS`]th step of a loop.
#[inline(always)]
pub fn stop_in(step: usize) {
    if step.is_multiple_of(STEPS) {
        stop_here();
    }
}

/// Buckets that are filled at once, so that the places where items go stay in the fastest cache.
const BUCKETS: usize = 512;

/// Fewer items are compared.
const FEW: usize = 256;

/// Sorts by numbers; heeds [`stop_here`].
///
/// Many numbers are put into buckets of equal width first, in which they are sorted likewise, unless
/// most of them are in one.
pub fn sort_by_number<T>(items: &mut [T], number: &impl Fn(&T) -> f64) {
    let mut step = 0;
    let mut compare = |items: &mut [T]| {
        items.sort_unstable_by(|one, other| {
            step += 1;
            stop_in(step);
            number(one).total_cmp(&number(other))
        });
    };
    if items.len() < FEW {
        return compare(items);
    }
    let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut finite = true;
    for item in &*items {
        let number = number(item);
        (lowest, highest) = (lowest.min(number), highest.max(number));
        finite &= number.is_finite();
    }
    let buckets = (items.len() / 4).min(BUCKETS);
    #[expect(clippy::cast_precision_loss, reason = "a number of items")]
    let scale = buckets as f64 / (highest - lowest);
    if !finite || !scale.is_finite() {
        return compare(items);
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 to the number of buckets"
    )]
    let bucket = |item: &T| (((number(item) - lowest) * scale) as usize).min(buckets - 1);
    let mut ends = vec![0; buckets];
    for item in &*items {
        ends[bucket(item)] += 1;
    }
    let mut end = 0;
    for size in &mut ends {
        end += *size;
        *size = end;
    }
    // Where the next item of each bucket goes.
    let mut next: Vec<_> = std::iter::once(0).chain(ends.iter().copied()).collect();
    for (own, &end) in ends.iter().enumerate() {
        stop_in(own);
        while next[own] < end {
            let target = bucket(&items[next[own]]);
            if target != own {
                items.swap(next[own], next[target]);
            }
            next[target] += 1;
        }
    }
    let most = items.len() / 2;
    let mut start = 0;
    for end in ends {
        let bucket = &mut items[start..end];
        if bucket.len() > most {
            compare(bucket);
        } else {
            sort_by_number(bucket, number);
        }
        start = end;
    }
}

/// Makes room for `length` entries; new ones have the default value.
///
/// To write a gigabyte for the first time takes most of a second, so that it is done in parts.
pub fn make_room<T: Clone + Default>(list: &mut Vec<T>, length: usize) {
    if list.len() >= length {
        return;
    }
    let more = length - list.len();
    reserve_exact(list, more);
    while list.len() < length {
        stop_here();
        list.resize(length.min(list.len() + STEPS), T::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::catch_panic;

    /// Work is stopped only where it heeds something, and by nothing else.
    #[test]
    fn work_is_stopped_where_it_heeds() {
        let stop = Arc::new(Stop::default());
        let work = || {
            stop_in(1);
            stop_in(STEPS);
            Ok(())
        };
        assert_eq!(stop.heeded(|| catch_panic(work)), Ok(()));
        let pause = || Err(Error::Interrupted);
        assert_eq!(stop.pause(&pause), Err(Error::Interrupted));
        assert_eq!(stop.heeded(|| catch_panic(work)), Err(Error::Interrupted));
        assert_eq!(catch_panic(work), Ok(()));
        let other = Arc::new(Stop::default());
        let inner = || {
            other
                .heeded(|| catch_panic(work))
                .and_then(|()| catch_panic(work))
        };
        assert_eq!(stop.heeded(inner), Err(Error::Interrupted));
    }

    /// Sorting is that of the standard library, whatever the numbers are.
    #[test]
    fn numbers_are_sorted() {
        for count in [0_u32, 1, 300, 5_000, 150_000] {
            let squares = || (0..count).map(|number| number.wrapping_mul(number) % 65_521);
            for special in [0.0, -0.0, 1e300, f64::NAN, f64::NEG_INFINITY] {
                let mut numbers: Vec<_> =
                    squares().map(|number| f64::from(number) - 99.0).collect();
                numbers.extend([special; 3]);
                let mut expected = numbers.clone();
                expected.sort_by(f64::total_cmp);
                sort_by_number(&mut numbers, &|&number: &f64| number);
                let bits = |numbers: &[f64]| -> Vec<_> {
                    numbers.iter().map(|number| number.to_bits()).collect()
                };
                assert_eq!(bits(&numbers), bits(&expected));
            }
        }
    }

    /// A list gets longer, never shorter, and not at all once the work is stopped.
    #[test]
    fn room_is_made_in_parts() {
        let mut list = vec![7];
        make_room(&mut list, 3 * STEPS);
        assert_eq!((list[0], list[1], list.len()), (7, 0, 3 * STEPS));
        make_room(&mut list, 2);
        assert_eq!(list.len(), 3 * STEPS);
        let stop = Arc::new(Stop::default());
        assert_eq!(
            stop.pause(&|| Err(Error::Interrupted)),
            Err(Error::Interrupted)
        );
        let more = || {
            make_room(&mut list, 4 * STEPS);
            Ok(())
        };
        assert_eq!(stop.heeded(|| catch_panic(more)), Err(Error::Interrupted));
        assert_eq!(list.len(), 3 * STEPS);
    }
}
