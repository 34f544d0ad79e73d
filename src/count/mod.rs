//! Counting tokens: n-grams that a hypothesis shares with its references, and rows that add up.

pub mod hash_table;
pub mod ngrams;
pub mod reference_length;
pub mod repetitive;
pub mod rows;

pub use reference_length::ReferenceLength;
