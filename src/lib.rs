//! The core of truebleu: everything that touches text or counts, and the formulas.
//!
//! A score is a function of a few whole numbers that add up. Text becomes tokens, tokens become one
//! row of integers per segment, rows add, and a row becomes a number:
//!
//! 1. [`error`]: what can go wrong
//! 2. [`text`]: text in, in any form
//! 3. [`tokenize`]: text to tokens
//! 4. [`count`]: tokens to counts, and rows that add up
//! 5. [`metric`]: what a row is, how a segment is counted into it, and the formula
//! 6. [`corpus`]: many segments, on several threads
//! 7. [`many`]: many texts against many
//! 8. [`resample`]: bootstrap and randomization over the rows of any metric
//! 9. `python`: the Python bindings
//!
//! Each imports only from those before it. Without the feature `python` this
//! is an ordinary Rust crate.

pub mod corpus;
pub mod count;
pub mod error;
pub mod many;
pub mod metric;
#[cfg(feature = "python")]
mod python;
pub mod resample;
pub mod text;
pub mod tokenize;
