//! Work in parts, each on a thread of its own.

use std::iter;
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::error::{Error, catch_panic};

/// Works on each part: on the first one by `here`, in this thread, and on each other one by
/// `there`, in a thread of its own. Returns the results in order.
///
/// If no more threads can be started, this one works on the other parts, too.
///
/// # Errors
///
/// Those of the work; [`Error::Internal`] instead of a panic.
pub fn on_threads<P: Send, R: Send>(
    parts: impl IntoIterator<Item = P>,
    here: impl Fn(P) -> Result<R, Error>,
    there: impl Fn(P) -> Result<R, Error> + Sync,
) -> Result<Vec<R>, Error> {
    let parts: Vec<_> = parts
        .into_iter()
        .map(|part| Mutex::new(Some(part)))
        .collect();
    let Some((first, others)) = parts.split_first() else {
        return Ok(Vec::new());
    };
    let there = &|part| catch_panic(|| there(taken(part)?));
    thread::scope(|scope| {
        let start = |part| {
            let thread = thread::Builder::new();
            thread.spawn_scoped(scope, move || there(part)).ok()
        };
        let workers: Vec<_> = others.iter().map_while(start).collect();
        let mine = iter::once(first).chain(&others[workers.len()..]);
        let work = |part| catch_panic(|| here(taken(part)?));
        let mut results = mine.map(work).collect::<Result<Vec<R>, Error>>()?;
        let rest = results.split_off(1);
        for (worker, part) in workers.into_iter().zip(others) {
            // A thread for whose own needs no memory is left ends before it takes its part.
            results.push(worker.join().unwrap_or_else(|_| work(part))?);
        }
        results.extend(rest);
        Ok(results)
    })
}

/// The part, which is taken once.
fn taken<P>(part: &Mutex<Option<P>>) -> Result<P, Error> {
    let part = part.lock().unwrap_or_else(PoisonError::into_inner).take();
    part.ok_or(Error::Internal)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results are in the order of the parts, and an error of any part comes back.
    #[test]
    fn parts_in_order() {
        for count in 0..9 {
            let double = |part: usize| Ok(2 * part);
            let expected: Vec<_> = (0..count).map(|part| 2 * part).collect();
            assert_eq!(on_threads(0..count, double, double), Ok(expected));
            for wrong in 0..count {
                let work = |part| {
                    if part == wrong {
                        Err(Error::BadTable)
                    } else {
                        Ok(part)
                    }
                };
                assert_eq!(on_threads(0..count, work, work), Err(Error::BadTable));
            }
        }
    }

    /// More threads than the system gives are no error.
    #[test]
    #[cfg(target_os = "linux")]
    fn no_more_threads() {
        use std::process::Command;

        // Each thread reserves a stack, so that a limit of memory is one of threads. What is left
        // must do for all else, so that threads reserve nothing more.
        if std::env::var_os("TRUEBLEU_FEW_THREADS").is_none() {
            let test = std::env::current_exe().expect("a test");
            let script = "ulimit -v 430000; exec \"$0\" threads::tests::no_more_threads --exact";
            let status = Command::new("sh")
                .args(["-c", script])
                .arg(test)
                .env("TRUEBLEU_FEW_THREADS", "1")
                .env("RUST_MIN_STACK", "67108864")
                .env("MALLOC_ARENA_MAX", "1")
                .status();
            assert!(status.expect("a shell").success());
            return;
        }
        let wait = |part: usize| {
            thread::sleep(std::time::Duration::from_millis(100));
            Ok((part, thread::current().id()))
        };
        let done = on_threads(0..20, wait, wait).expect("results");
        assert!(done.iter().map(|&(part, _)| part).eq(0..20));
        let mine = |&&(_, id): &&(usize, thread::ThreadId)| id == thread::current().id();
        assert!((2..20).contains(&done.iter().filter(mine).count()));
    }
}
