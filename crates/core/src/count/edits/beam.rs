//! The columns of an edit distance that sacreBLEU and Tercom compute.
//!
//! Row i has the distances of the first i words of the hypothesis from the first j words of the
//! reference, for j = 0, 1, … Only columns near the diagonal are computed: the others count as
//! unreachable.

/// How far from the diagonal columns are computed.
const BEAM: usize = 25;

/// The columns of a row that are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Band {
    pub first: usize,
    /// The column after the last one.
    pub end: usize,
}

/// Computes the bands of all rows; returns whether the beam is as narrow as usual.
///
/// They depend on the lengths alone, so they are those of every permutation of the hypothesis, which
/// must not be empty. The products and quotients are doubles, as in sacreBLEU.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "texts have fewer than 2^32 words, and nothing is negative"
)]
pub fn compute_bands(hypothesis: usize, reference: usize, bands: &mut Vec<Band>) -> bool {
    let ratio = reference as f64 / hypothesis as f64;
    let half = ratio / 2.0;
    let wide = half > BEAM as f64;
    let beam = if wide {
        (half + BEAM as f64).ceil() as usize
    } else {
        BEAM
    };
    let all = reference + 1;
    bands.clear();
    bands.push(Band { first: 0, end: all });
    bands.extend((1..=hypothesis).map(|row| {
        let diagonal = (row as f64 * ratio).floor() as usize;
        Band {
            first: diagonal.saturating_sub(beam),
            // The last row reaches the last column.
            end: if row == hypothesis {
                all
            } else {
                all.min(diagonal + beam)
            },
        }
    }));
    !wide
}

/// What turns a word of the hypothesis into what the reference has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Nothing: the words are equal.
    Match,
    /// A word of the hypothesis is replaced by one of the reference.
    Substitution,
    /// A word of the hypothesis is removed.
    Deletion,
    /// A word of the reference is added.
    Insertion,
}

/// The rows of an edit distance, kept so that similar hypotheses need not compute them again.
pub trait Rows {
    /// Computes the rows after row `from`, which depend on the words from position `from` on;
    /// returns the distance.
    fn compute(&mut self, hypothesis: &[u32], from: usize) -> usize;

    /// The distance if the words from position `from` on were `words` instead, followed by the rest
    /// of the hypothesis. `distance` is that of the hypothesis itself.
    fn distance_with(
        &self,
        hypothesis: &[u32],
        from: usize,
        words: &[u32],
        distance: usize,
    ) -> usize;

    /// The last edit on the best path to a cell, neither in row 0 nor in column 0. Of equal paths,
    /// that with a match or a substitution is preferred, then that with a deletion.
    fn edit(&self, hypothesis: &[u32], row: usize, column: usize) -> Edit;
}
