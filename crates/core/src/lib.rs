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
//! 4. [`text`]: text in, in any form
//! 5. [`tokenize`]: text to tokens
//! 6. [`count`]: tokens to counts, and rows that add up
//! 7. [`metric`]: what a row is, how a segment is counted into it, and the formula
//! 8. [`corpus`]: many segments, on several threads
//! 9. [`many`]: many texts against many

pub mod corpus;
pub mod count;
pub mod error;
pub mod many;
mod memory;
pub mod metric;
pub mod processor;
pub mod resample;
pub mod stop;
pub mod text;
mod threads;
pub mod tokenize;
