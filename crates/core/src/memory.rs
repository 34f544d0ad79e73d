//! Memory that may run out: a list grows, or the work ends with an error.

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_vec;

use crate::error::{Error, unwind};

/// What needs at most this, in bytes, may take from what is [kept](Keeping).
const SMALL: usize = 1 << 18;

/// What is kept for small things. Untouched, it takes addresses, and no memory.
const KEPT: Layout = match Layout::from_size_align(4 << 20, 16) {
    Ok(layout) => layout,
    Err(_) => unreachable!(),
};

/// What is kept.
static BLOCK: Mutex<Block> = Mutex::new(Block(null_mut()));

/// Whether what was kept has been given back, so that memory is short.
static SPENT: AtomicBool = AtomicBool::new(false);

struct Block(*mut u8);

// SAFETY: any thread may free the memory.
unsafe impl Send for Block {}

/// The allocator of the system, with a little memory in hand.
///
/// Where Rust finds no memory for a thing of a fixed size, such as an error, the process aborts. So
/// whatever follows from the size of a text is asked for by this module, which can fail; and where
/// there is none even for something small, what was kept is given back first. The work ends with an
/// error soon afterwards, by [`check`].
#[derive(Debug)]
pub struct Keeping;

// SAFETY: all memory is that of the system's allocator, which is asked with the same arguments;
// nothing here unwinds.
unsafe impl GlobalAlloc for Keeping {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        again(layout.size(), || unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        again(layout.size(), || unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise; what was null has left the memory as it was.
        again(size, || unsafe { System.realloc(memory, layout, size) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Asks for memory and, if there is none for something small, once more without what is kept.
#[inline]
fn again(size: usize, ask: impl Fn() -> *mut u8) -> *mut u8 {
    let memory = ask();
    if memory.is_null() && size <= SMALL && give_back() {
        return ask();
    }
    memory
}

/// Gives back what is kept; returns whether it ever was.
#[cold]
fn give_back() -> bool {
    let mut block = BLOCK.lock().unwrap_or_else(PoisonError::into_inner);
    if !block.0.is_null() {
        SPENT.store(true, Ordering::Relaxed);
        // SAFETY: it was allocated with this layout, and nothing else has the pointer.
        unsafe { System.dealloc(block.0, KEPT) };
        block.0 = null_mut();
    }
    // Perhaps by another thread.
    SPENT.load(Ordering::Relaxed)
}

/// Keeps memory for small things, for a program whose allocator is [`Keeping`]; returns whether
/// there is enough.
pub fn keep() -> bool {
    let mut block = BLOCK.lock().unwrap_or_else(PoisonError::into_inner);
    if block.0.is_null() {
        // SAFETY: the layout has a size.
        block.0 = unsafe { System.alloc(KEPT) };
    }
    SPENT.store(block.0.is_null(), Ordering::Relaxed);
    !block.0.is_null()
}

/// Ends the work with [`Error::OutOfMemory`] while memory is so short that nothing can be kept.
#[inline]
pub fn check() {
    if SPENT.load(Ordering::Relaxed) && !keep() {
        unwind(Error::OutOfMemory("a text".to_owned()));
    }
}

/// Ends the work, as there is no memory for so many items.
#[cold]
fn lacks<T>(count: usize) -> ! {
    let mib = count.saturating_mul(size_of::<T>()).div_ceil(1 << 20);
    unwind(Error::OutOfMemory(format!(
        "a segment that needs {mib} MiB more"
    )));
}

/// Makes room for more items in a list, which may double.
///
/// Like all here, it ends the work with [`Error::OutOfMemory`] if there is not enough memory.
#[inline]
pub fn reserve<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        check();
        if list.try_reserve(more).is_err() {
            lacks::<T>(more);
        }
    }
}

/// Makes room for just so many more items.
pub fn reserve_exact<T>(list: &mut Vec<T>, more: usize) {
    check();
    if list.try_reserve_exact(more).is_err() {
        lacks::<T>(more);
    }
}

/// A list with room for so many items.
#[must_use]
pub fn with_room<T>(count: usize) -> Vec<T> {
    let mut list = Vec::new();
    reserve_exact(&mut list, count);
    list
}

/// Appends an item.
#[inline]
pub fn push<T>(list: &mut Vec<T>, item: T) {
    if list.len() == list.capacity() {
        reserve(list, 1);
    }
    list.push(item);
}

/// Appends items.
#[inline]
pub fn extend<T: Copy>(list: &mut Vec<T>, items: &[T]) {
    reserve(list, items.len());
    list.extend_from_slice(items);
}

/// Items in a list.
pub fn listed<T>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let items = items.into_iter();
    let mut list = with_room(items.size_hint().0);
    items.for_each(|item| push(&mut list, item));
    list
}

/// Lists one after the other.
pub fn joined<T: Copy>(parts: &[impl AsRef<[T]>]) -> Vec<T> {
    let mut list = with_room(parts.iter().map(|part| part.as_ref().len()).sum());
    for part in parts {
        list.extend_from_slice(part.as_ref());
    }
    list
}

/// Characters as text.
pub fn string(characters: impl Iterator<Item = char>) -> String {
    let mut text = String::new();
    for c in characters {
        if text.capacity() - text.len() < c.len_utf8() {
            check();
            // It doubles.
            if text.try_reserve(c.len_utf8()).is_err() {
                lacks::<u8>(text.len());
            }
        }
        text.push(c);
    }
    text
}

/// Makes room for more entries of a map.
#[inline]
pub fn reserve_entries<K: Eq + Hash, V, S: BuildHasher>(map: &mut HashMap<K, V, S>, more: usize) {
    if map.capacity() - map.len() < more {
        check();
        if map.try_reserve(more).is_err() {
            lacks::<(K, V)>(map.len() + more);
        }
    }
}

/// Parts in one list, with an item between each two.
pub fn separated<'a, T: Copy + 'a>(parts: impl Iterator<Item = &'a [T]>, between: T) -> Vec<T> {
    let mut list = Vec::new();
    for (index, part) in parts.enumerate() {
        if index > 0 {
            push(&mut list, between);
        }
        extend(&mut list, part);
    }
    list
}

/// So many zeros, which are not written if the system gives zeros.
#[must_use]
pub fn zeros<T: Zeroable>(count: usize) -> Vec<T> {
    check();
    try_zeroed_vec(count).unwrap_or_else(|()| lacks::<T>(count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::catch_panic;

    /// What is too much is an error wherever a list is made or grows.
    #[test]
    fn too_much_is_an_error() {
        let endless = || std::iter::repeat_n(0_u64, 1 << 60);
        let all: [(&str, &dyn Fn()); 5] = [
            ("reserve", &|| reserve(&mut vec![0_u64], 1 << 60)),
            ("reserve_exact", &|| {
                reserve_exact(&mut vec![0_u64], usize::MAX);
            }),
            ("with_room", &|| drop(with_room::<u64>(1 << 60))),
            ("listed", &|| drop(listed(endless()))),
            ("zeros", &|| drop(zeros::<u64>(1 << 60))),
        ];
        for (name, ask) in all {
            let asked = catch_panic(|| {
                ask();
                Ok(())
            });
            assert!(matches!(asked, Err(Error::OutOfMemory(_))), "{name}");
        }
    }

    /// What is kept is given back once, and only for something small; then work ends until memory
    /// is kept again.
    #[test]
    fn small_things_take_what_is_kept() {
        // The failing allocator of this test gives memory when nothing is kept any more.
        let ask = || {
            let block = BLOCK.lock().unwrap_or_else(PoisonError::into_inner);
            if block.0.is_null() {
                std::ptr::dangling_mut()
            } else {
                null_mut()
            }
        };
        assert!(keep());
        assert!(again(SMALL + 1, ask).is_null());
        assert!(!again(SMALL, ask).is_null());
        assert!(SPENT.load(Ordering::Relaxed));
        // There is enough.
        check();
        assert!(!SPENT.load(Ordering::Relaxed));
        assert!(again(SMALL + 1, ask).is_null());
    }
}
