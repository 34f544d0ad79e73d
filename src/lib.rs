//! The core of truebleu: whatever touches text or counts, and the formula of BLEU.
//!
//! A BLEU score is a function of a few whole numbers that add up. Text becomes
//! tokens ([`tokenize`]), tokens become one row of integers per segment
//! ([`ngram`], [`batch`]), rows add ([`rows::add_rows`]), and a row becomes a
//! number ([`bleu::Scoring::score`]).
//!
//! Only the module `python` knows that Python exists; without the feature of
//! that name this is an ordinary Rust crate.

pub mod batch;
pub mod bleu;
pub mod c_data;
pub mod column;
pub mod corpus;
pub mod diversity;
pub mod error;
pub mod legacy;
pub mod lines;
pub mod ngram;
pub mod normalize;
pub mod observe;
pub mod pairwise;
#[cfg(feature = "python")]
mod python;
pub mod repetitive;
pub mod resample;
pub mod rows;
pub mod smoothing;
pub mod table;
pub mod text;
pub mod tokenize;
pub mod tokens;
