//! The core of truebleu for JavaScript: `truebleu.js` is its only caller.
//!
//! The caller asks [`input`] for room, writes what is described at each function there, calls the
//! function with its length, and reads the answer at [`output`]. A function returns the length of
//! its answer or, if the input is refused, −1 minus the length of the message. Numbers are
//! little-endian: counts have 32 bits, everything else is float64. A text is its length in bytes and
//! its UTF-8, in the normal form of the settings; lone surrogates have three bytes. A *metric* is the
//! name of the metric, the number of settings that are given, and for each its name and its value, as
//! texts.
//!
//! Nothing here is unsafe, and no function can be called in the middle of another one. A panic
//! stops the module, and then the caller makes a new one.

mod answers;
mod explain;
mod json;
mod reader;
mod settings;

use std::cell::RefCell;
use std::io::Write;

use reader::Reader;
use truebleu_core::error::Error;

/// Buffers that are larger, in bytes, are not kept for the next call.
const LARGE: usize = 1 << 20;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes room for the input of the next call, and returns where it is.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
#[must_use]
pub extern "C" fn input(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(length, 0);
        input.as_mut_ptr()
    })
}

/// Where the answer of the last call is.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
#[must_use]
pub extern "C" fn output() -> *const u8 {
    OUTPUT.with_borrow(Vec::as_ptr)
}

/// Frees large buffers, after the answer has been read.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn forget() {
    for buffer in [&INPUT, &OUTPUT] {
        buffer.with_borrow_mut(|buffer| {
            if buffer.capacity() > LARGE {
                *buffer = Vec::new();
            }
        });
    }
}

type Work = fn(&mut Reader<'_>, &mut Vec<u8>) -> Result<(), Error>;

/// Works on the input; returns the length of the answer.
fn answer(length: usize, work: Work) -> i32 {
    INPUT.with_borrow(|input| {
        OUTPUT.with_borrow_mut(|output| {
            output.clear();
            let mut reader = Reader::of(input.get(..length).unwrap_or_default());
            let result = work(&mut reader, output).and_then(|()| size(output));
            result.unwrap_or_else(|error| {
                output.clear();
                // Writing to memory cannot fail.
                let _ = write!(output, "{error}");
                -1 - size(output).unwrap_or(0)
            })
        })
    })
}

fn size(output: &[u8]) -> Result<i32, Error> {
    i32::try_from(output.len()).map_err(|_| Error::OutOfMemory("the answer".to_owned()))
}

/// Nothing. Answers with the names that settings take, as JSON.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
#[must_use]
pub extern "C" fn names(length: usize) -> i32 {
    answer(length, answers::names)
}

/// A metric. Answers with the names of the numbers of a row, as JSON.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
#[must_use]
pub extern "C" fn describe(length: usize) -> i32 {
    answer(length, answers::describe)
}

/// A metric; 1 for all rows or 0 for their sum; the number of segments; and for each the number of
/// its references, the hypothesis and the references, as texts. Answers with rows.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
#[must_use]
pub extern "C" fn count(length: usize) -> i32 {
    answer(length, answers::count)
}

/// A metric; 1 if each row is a segment, or 0; the number of rows, and these. Answers with the score
/// of each or, if there are several lists of weights, its scores.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
#[must_use]
pub extern "C" fn score(length: usize) -> i32 {
    answer(length, answers::score)
}

/// The same for one row. Answers with the score and its parts, as JSON.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
#[must_use]
pub extern "C" fn result(length: usize) -> i32 {
    answer(length, answers::result)
}

/// A metric; the seed, which is whole; the number of samples; the number of systems; the number of
/// rows of each; and the rows, system by system. Answers with the scores of all systems on the first
/// sample, then on the next.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
#[must_use]
pub extern "C" fn bootstrap(length: usize) -> i32 {
    answer(length, answers::bootstrap)
}

/// BLEU; and a text. Answers with the tokens, as JSON: each with its start and its end in the text, in
/// units of UTF-16.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
#[must_use]
pub extern "C" fn tokenize(length: usize) -> i32 {
    answer(length, explain::tokenize)
}

/// A metric; the number of references, the hypothesis and the references, as texts. Answers with what
/// is compared, as JSON.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
#[must_use]
pub extern "C" fn explain(length: usize) -> i32 {
    answer(length, explain::explain)
}
