//! A metric: a row of whole numbers for each segment, and a formula for the sum of any rows.

pub mod bleu;
pub mod bleu_formula;
pub mod bleu_row;
pub mod sacrebleu;
pub mod smoothing;

use std::cell::RefCell;
use std::thread::LocalKey;

use crate::count::ReferenceLength;
use crate::error::Error;
use crate::text::Segment;
use crate::tokenize::Preprocessing;

/// A layout of a row, a way to count it for one segment, and a formula.
///
/// Rows add, so the formula scores segments, documents, corpora and resamples alike. Whatever adds
/// rows up takes any metric.
pub trait Metric: Sync {
    /// What one thread needs to count: buffers that every segment uses anew.
    type Worker: Default + 'static;

    /// The worker of this thread: making its tables takes longer than counting a sentence.
    fn worker() -> &'static LocalKey<RefCell<Self::Worker>>;

    /// Numbers in a row.
    fn width(&self) -> usize;

    /// The name of the field in this column of a row.
    fn field(&self, column: usize) -> String;

    /// Counts one segment into a row of [`Metric::width`] numbers, whatever they were.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] (with segment 0) if the texts do not fit into 32-bit positions.
    fn count(
        &self,
        worker: &mut Self::Worker,
        hypothesis: Segment<'_>,
        references: &[Segment<'_>],
        row: &mut [i64],
    ) -> Result<(), Error>;

    /// The score of a row, or of a sum of rows.
    ///
    /// # Panics
    ///
    /// If the row has another width.
    fn score(&self, row: &[i64]) -> f64;
}

/// A metric whose row follows from the lengths of two texts and the n-grams that they share.
pub trait NgramMetric: Metric {
    /// How text becomes tokens.
    fn preprocessing(&self) -> Preprocessing;

    /// The length of the longest n-grams that count.
    fn longest_ngram(&self) -> usize;

    /// Which length of several references counts.
    fn reference_length(&self) -> ReferenceLength;

    /// Writes the row of a hypothesis and a reference with so many tokens, and so many clipped
    /// matches of n-grams of length 1, 2, …
    fn fill_row(&self, hyp_len: usize, ref_len: usize, matches: &[u32], row: &mut [i64]);

    /// Whether the score is 0 if no n-gram matches.
    fn needs_matches(&self) -> bool;

    /// The score against a reference of which only the mean is known: of its length, and of the
    /// clipped matches of n-grams of length 1, 2, …
    fn score_expected(&self, hyp_len: usize, ref_len: f64, matches: &[f64]) -> f64;
}
