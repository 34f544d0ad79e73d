//! Metrics: a row of whole numbers for each segment, and a formula for the sum of any rows.

pub mod any;
pub mod bleu;
pub mod bleu_formula;
pub mod bleu_row;
pub mod chrf;
pub mod chrf_formula;
mod logarithm;
mod pieces;
mod remembered;
pub mod smoothing;
pub mod ter;
pub mod ter_steps;

use std::cell::RefCell;
use std::ops::Range;
use std::thread::LocalKey;

use crate::count::rows::rows;
use crate::count::{ReferenceLength, Tokens};
use crate::error::Error;
use crate::text::{Batch, Segment};

/// What a row describes, for settings that say "by default, only where segments are scored".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// A single segment.
    Segment,
    /// A corpus, or any sum of rows.
    Corpus,
}

/// Works with this thread's worker of a metric, which is dropped if the work panics: it may have
/// been left in the middle of something.
pub fn with_worker<M: Metric, T>(work: impl FnOnce(&mut M::Worker) -> T) -> T {
    struct Kept<'a, W>(&'a mut Option<W>);
    impl<W> Drop for Kept<'_, W> {
        fn drop(&mut self) {
            if std::thread::panicking() {
                *self.0 = None;
            }
        }
    }
    M::worker().with_borrow_mut(|worker| {
        let kept = Kept(worker);
        work(kept.0.get_or_insert_default())
    })
}

/// The layout of a row, how to count it for one segment, and the formula.
///
/// Rows add up, so the same formula scores segments, documents, corpora and bootstrap samples. Code
/// that adds up rows works with any metric.
pub trait Metric: Sync {
    /// The buffers with which one thread counts, reused for every segment.
    type Worker: Default + 'static;

    /// This thread's worker, kept because creating its tables takes longer than counting a
    /// sentence.
    fn worker() -> &'static LocalKey<RefCell<Option<Self::Worker>>>;

    /// Number of fields of a row.
    fn width(&self) -> usize;

    /// The name of the field in this column.
    fn field(&self, column: usize) -> String;

    /// Counts one segment of each of several systems into rows of [`Metric::width`] fields, which
    /// are overwritten.
    ///
    /// The references are tokenized once for all systems.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] (with segment 0) if the texts do not fit into 32-bit positions,
    /// [`Error::TooManyReferences`] (with segment 0) if the metric cannot take that many.
    fn count(
        &self,
        worker: &mut Self::Worker,
        hypotheses: &[Segment<'_>],
        references: &[Segment<'_>],
        rows: &mut [i64],
    ) -> Result<(), Error>;

    /// Counts some segments of a batch, of each the rows of all systems.
    ///
    /// # Errors
    ///
    /// Those of [`Metric::count`], with the segment.
    fn count_several(
        &self,
        worker: &mut Self::Worker,
        batch: &Batch<'_>,
        segments: Range<usize>,
        rows: &mut [i64],
    ) -> Result<(), Error> {
        each_by_itself(self, worker, batch, segments, rows)
    }

    /// The score of a row, or of a sum of rows.
    ///
    /// # Panics
    ///
    /// If the row has another width.
    fn score(&self, row: &[i64], scope: Scope) -> f64;

    /// The score of each row of a table.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if the table does not consist of rows of this width.
    fn score_rows(&self, table: &[i64], scope: Scope) -> Result<Vec<f64>, Error> {
        Ok(rows(table, self.width())?
            .map(|row| self.score(row, scope))
            .collect())
    }
}

/// Counts some segments of a batch, one after the other; see [`Metric::count_several`].
fn each_by_itself<M: Metric + ?Sized>(
    metric: &M,
    worker: &mut M::Worker,
    batch: &Batch<'_>,
    segments: Range<usize>,
    rows: &mut [i64],
) -> Result<(), Error> {
    let rows = rows.chunks_exact_mut(metric.width() * batch.systems());
    for (segment, rows) in segments.zip(rows) {
        // Those that are counted soon.
        batch.prefetch(segment + 2);
        let (hypotheses, references) = (batch.hypotheses(segment), batch.references(segment));
        metric
            .count(worker, hypotheses, references, rows)
            .map_err(|error| error.after(segment))?;
    }
    Ok(())
}

/// The references that are read before the hypotheses, because several have them. Those of a single
/// one are read one at a time, so that the text of only one of many is in memory.
fn shared<'a>(hypotheses: &[Segment<'_>], references: &'a [Segment<'a>]) -> &'a [Segment<'a>] {
    if hypotheses.len() > 1 {
        references
    } else {
        &[]
    }
}

/// Takes the tokens of one stream; the first argument is its number.
pub type TakeTokens<'a> = dyn FnMut(usize, Tokens<'_>) -> Result<(), Error> + 'a;

/// A metric whose row follows from the lengths of two texts and the n-grams that they share, in one
/// or several streams of tokens, such as characters and words.
///
/// Counts of all orders come in a slice: those of the first stream, then those of the next.
pub trait NgramMetric: Metric {
    /// The highest n-gram order that is counted of each stream.
    fn longest_ngrams(&self) -> Vec<usize>;

    /// Splits a text into the tokens of each stream.
    ///
    /// # Errors
    ///
    /// Those of `take`, and [`Error::TooLong`] (with segment 0) if the text does not fit into 32-bit
    /// positions.
    fn split(
        &self,
        worker: &mut Self::Worker,
        text: Segment<'_>,
        take: &mut TakeTokens<'_>,
    ) -> Result<(), Error>;

    /// Writes the row of a hypothesis and a reference, from their lengths in tokens of each stream,
    /// and the clipped matches of all orders.
    fn fill_row(&self, hyp_lens: &[usize], ref_lens: &[usize], matches: &[u32], row: &mut [i64]);

    /// Whether the score is 0 if no token of the first stream that is counted matches.
    fn needs_matches(&self) -> bool;

    /// The score of a hypothesis, given the mean number of n-grams of several references and the
    /// expected clipped matches, both of all orders.
    fn score_expected(&self, hyp_lens: &[usize], ref_totals: &[f64], matches: &[f64]) -> f64;
}

/// A metric of n-grams with one stream of tokens that compares lengths, too.
pub trait LengthMetric: NgramMetric {
    /// The rule for the reference length.
    fn reference_length(&self) -> ReferenceLength;
}
