#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! Text becomes tokens, tokens become one row of integers per segment, rows add, and a row becomes a
//! number. Each module imports only from those before it:
//!
//! 1. [`error`]: what can go wrong
//! 2. [`processor`]: what the processor can do
//! 3. [`resample`]: bootstrap and randomization over rows, whatever they mean
//! 4. [`meta_evaluation`]: how well metrics agree with people, over pairs of outputs
//! 5. [`text`]: text in, in any form
//! 6. `tables`: columns of text from CSV, TSV and JSON Lines, a feature
//! 7. [`tokenize`]: text to tokens
//! 8. [`count`]: tokens to counts, and rows that add up
//! 9. [`metric`]: what a row is, how a segment is counted into it, and the formula
//! 10. [`corpus`]: many segments, on several threads
//! 11. [`many`]: many texts against many

pub mod corpus;
pub mod count;
pub mod error;
pub mod many;
pub mod memory;
pub mod meta_evaluation;
pub mod metric;
pub mod processor;
pub mod resample;
pub mod stop;
#[cfg(feature = "tables")]
pub mod tables;
pub mod text;
mod threads;
pub mod tokenize;
