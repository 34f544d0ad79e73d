//! The columns of an edit distance that sacreBLEU and Tercom compute.
//!
//! Row i has the distances of the first i words of the hypothesis from the first j words of the
//! reference, for j = 0, 1, … Only columns near the diagonal are computed: the others count as
//! unreachable.

use crate::stop::stop_in;

/// How far from the diagonal columns are computed.
const BEAM: usize = 25;

/// The columns of a row that are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Band {
    // In 32 bits, because there are as many as words.
    first: u32,
    end: u32,
}

impl Band {
    #[inline(always)]
    pub fn first(self) -> usize {
        self.first as usize
    }

    /// The column after the last one.
    #[inline(always)]
    pub fn end(self) -> usize {
        self.end as usize
    }
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
    let band = |first: usize, end: usize| Band {
        first: first as u32,
        end: end as u32,
    };
    bands.clear();
    bands.push(band(0, all));
    bands.extend((1..=hypothesis).map(|row| {
        let diagonal = (row as f64 * ratio).floor() as usize;
        // The last row reaches the last column.
        let end = if row == hypothesis {
            all
        } else {
            all.min(diagonal + beam)
        };
        band(diagonal.saturating_sub(beam), end)
    }));
    !wide
}

/// For each word of a reference, its positions, in ascending order.
#[derive(Debug, Default)]
pub struct Positions {
    /// Where the positions of each word begin; at the end, where those of the last one end, twice.
    bounds: Vec<u32>,
    all: Vec<u32>,
}

impl Positions {
    /// Lists the positions of the words from 0 to `words`.
    pub fn list(&mut self, reference: &[u32], words: usize) {
        self.bounds.clear();
        self.bounds.resize(words + 2, 0);
        for (step, &word) in reference.iter().enumerate() {
            stop_in(step);
            self.bounds[word as usize + 2] += 1;
        }
        let mut before = 0;
        for bound in &mut self.bounds {
            before += *bound;
            *bound = before;
        }
        self.all.resize(reference.len(), 0);
        // The next bound moves from where the positions of a word begin to where they end.
        for (position, &word) in (0..).zip(reference) {
            stop_in(position as usize);
            let next = &mut self.bounds[word as usize + 1];
            self.all[*next as usize] = position;
            *next += 1;
        }
    }

    /// Those of one word, which the reference need not have.
    #[inline(always)]
    pub fn of(&self, word: u32) -> &[u32] {
        match self.bounds.get(word as usize..) {
            Some(&[start, end, ..]) => &self.all[start as usize..end as usize],
            _ => &[],
        }
    }

    /// How many each word has.
    pub fn counts(&self) -> impl Iterator<Item = u32> {
        let bounds = self.bounds.windows(2);
        bounds.map(|bounds| bounds[1] - bounds[0])
    }
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

    /// The positions of each word in the reference.
    fn positions(&self) -> &Positions;

    /// The last edit on the best path to a cell, neither in row 0 nor in column 0. Of equal paths,
    /// that with a match or a substitution is preferred, then that with a deletion.
    fn edit(&self, hypothesis: &[u32], row: usize, column: usize) -> Edit;
}
