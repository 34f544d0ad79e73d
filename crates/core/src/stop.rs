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
