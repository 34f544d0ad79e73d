//! Asking for memory before it is taken.

use crate::error::{Error, unwind};

/// What needs less than this, in bytes, is not asked for.
const SMALL: usize = 1 << 20;

/// Ends the work on a segment with [`Error::OutOfMemory`] if there is no room for so many items.
///
/// Where Rust itself finds no memory, the process aborts. Called before a buffer grows with the size
/// of a text, this leaves only the moment between the two.
pub fn check_room<T>(count: usize) {
    let bytes = count.saturating_mul(size_of::<T>());
    if bytes > SMALL && Vec::<u8>::new().try_reserve_exact(bytes).is_err() {
        let mib = bytes >> 20;
        unwind(Error::OutOfMemory(format!(
            "a segment that needs {mib} MiB"
        )));
    }
}

/// Makes room for more items in a list, which may double; see [`check_room`].
pub fn reserve<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        check_room::<T>(2 * (list.len() + more));
        list.reserve(more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::catch_panic;

    #[test]
    fn too_much_is_an_error() {
        let ask = |count| {
            catch_panic(|| {
                check_room::<u64>(count);
                Ok(())
            })
        };
        assert_eq!(ask(1 << 18), Ok(()));
        for count in [1 << 60, usize::MAX] {
            assert!(matches!(ask(count), Err(Error::OutOfMemory(_))));
        }
    }
}
