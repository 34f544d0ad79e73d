//! Ctrl-C during long work.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

use super::errors::{OrRaise, exception};
use truebleu_core::corpus::HUGE;
use truebleu_core::error::{Error, Pause, catch_panic};
use truebleu_core::stop::Stop;

/// Checks for Ctrl-C, and keeps the exception until all threads have stopped.
#[derive(Default)]
pub struct Interrupt(Mutex<Option<PyErr>>);

impl Interrupt {
    /// Checks for Ctrl-C while the interpreter is released.
    ///
    /// # Errors
    ///
    /// [`Error::Interrupted`] if there is an exception now.
    pub fn check(&self) -> Result<(), Error> {
        Python::attach(|py| {
            py.check_signals().map_err(|exception| {
                *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(exception);
                Error::Interrupted
            })
        })
    }

    /// The exception to raise for an error: the one that was kept, if there is one.
    pub fn exception(self, error: Error) -> PyErr {
        let kept = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        kept.unwrap_or_else(|| exception(error))
    }
}

/// Runs work that calls `Pause` from time to time, with the interpreter released. `Pause` checks
/// for Ctrl-C.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(Pause<'_>) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let interrupt = Interrupt::default();
    let result = py.detach(|| catch_panic(|| work(&|| interrupt.check())));
    result.map_err(|error| interrupt.exception(error))
}

/// Runs work with the interpreter released.
pub fn detached<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> PyResult<T> {
    py.detach(|| catch_panic(work)).or_raise()
}

/// How often the calling thread looks whether watched work has ended.
const BETWEEN_LOOKS: Duration = Duration::from_millis(2);

/// Runs work on texts of so many bytes with the interpreter released. If they are huge, another
/// thread does the work, and this one checks for Ctrl-C meanwhile.
pub fn watched<T: Send>(
    py: Python<'_>,
    weight: usize,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> PyResult<T> {
    if weight <= HUGE {
        return detached(py, work);
    }
    interruptible(py, |pause| {
        let stop = Arc::<Stop>::default();
        let work = Mutex::new(Some(work));
        let done = || {
            let work = work.lock().unwrap_or_else(PoisonError::into_inner).take();
            stop.heeded(|| catch_panic(work.ok_or(Error::Internal)?))
        };
        thread::scope(|scope| {
            let Ok(worker) = thread::Builder::new().spawn_scoped(scope, done) else {
                // No more threads can be started.
                return done();
            };
            let mut watched = Ok(());
            while watched.is_ok() && !worker.is_finished() {
                thread::sleep(BETWEEN_LOOKS);
                // After an error, the worker ends soon.
                watched = stop.pause(pause);
            }
            let result = worker.join().unwrap_or(Err(Error::Internal));
            watched.and(result)
        })
    })
}
