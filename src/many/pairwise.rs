//! Every hypothesis against every reference.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use super::index::{Index, Pause, clip};
use crate::error::{Error, catch_panic};
use crate::metric::NgramMetric;

/// What texts share, ready to be matched: for each n-gram who has it, and the other way round.
#[derive(Debug)]
pub struct Pairs {
    hypotheses: usize,
    lengths: Vec<usize>,
    /// The length of the longest n-grams that were looked for.
    longest: usize,
    /// Whether each text is both hypothesis and reference.
    same: bool,
    /// For each n-gram its length minus 1, and where its entries end.
    grams: Vec<(u8, usize)>,
    /// References that have the n-gram, and how often.
    entries: Vec<(u32, u32)>,
    /// For each hypothesis its n-grams, and how often it has them.
    grams_of: Vec<Vec<(u32, u32)>>,
}

impl Pairs {
    /// Finds out what texts share.
    ///
    /// The first `hypotheses` texts are matched with the others, or, if these are all there are,
    /// with each other, in n-grams up to the length of the `longest`.
    ///
    /// # Errors
    ///
    /// Those of `pause`, [`Error::TooLong`] if there is too much of them, [`Error::BadTable`] if
    /// there are fewer texts or longer n-grams than can be.
    pub fn new(
        index: &Index,
        hypotheses: usize,
        longest: usize,
        pause: Pause<'_>,
    ) -> Result<Self, Error> {
        if hypotheses > index.len() || longest > usize::from(u8::MAX) {
            return Err(Error::BadTable);
        }
        let same = hypotheses == index.len();
        let first_reference = if same { 0 } else { hypotheses };
        let mut grams = Vec::new();
        let mut entries = Vec::new();
        let mut grams_of: Vec<Vec<(u32, u32)>> = vec![Vec::new(); hypotheses];
        // A text matches itself, also where nobody else does.
        let least = if same { 1 } else { 2 };
        index.shared(longest, least, pause, |order, texts| {
            let references = texts.partition_point(|text| (text.0 as usize) < first_reference);
            let hypotheses = texts.partition_point(|text| (text.0 as usize) < hypotheses);
            if references == texts.len() || hypotheses == 0 {
                return Ok(false);
            }
            let number = u32::try_from(grams.len()).map_err(|_| Error::TooLong { segment: 0 })?;
            for &(text, count) in &texts[..hypotheses] {
                grams_of[text as usize].push((number, count));
            }
            for &(text, count) in &texts[references..] {
                let text = text as usize - first_reference;
                entries.push((u32::try_from(text).map_err(|_| Error::Internal)?, count));
            }
            let order = u8::try_from(order).map_err(|_| Error::Internal)?;
            grams.push((order, entries.len()));
            Ok(true)
        })?;
        Ok(Self {
            hypotheses,
            lengths: (0..index.len()).map(|text| index.length(text)).collect(),
            longest,
            same,
            grams,
            entries,
            grams_of,
        })
    }

    /// Number of references.
    #[must_use]
    pub fn references(&self) -> usize {
        if self.same {
            self.hypotheses
        } else {
            self.lengths.len() - self.hypotheses
        }
    }

    /// Scores some hypotheses against all references: a row for each hypothesis.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if there are no such hypotheses, or `metric` needs other n-grams;
    /// [`Error::Internal`] instead of a panic.
    pub fn block<M: NgramMetric>(
        &self,
        metric: &M,
        rows: Range<usize>,
        threads: usize,
    ) -> Result<Vec<f64>, Error> {
        if rows.start > rows.end
            || rows.end > self.hypotheses
            || metric.longest_ngram() != self.longest
        {
            return Err(Error::BadTable);
        }
        let width = self.references();
        let threads = threads.clamp(1, rows.len().max(1));
        let scores: Vec<AtomicU64> = (0..rows.len() * width).map(|_| AtomicU64::new(0)).collect();
        // Matches are the same both ways, if both ways are asked for.
        let halve = self.same && rows.len() == self.hypotheses;
        let work = |part: usize| {
            catch_panic(|| {
                let mut found = Found::new(self, metric);
                for row in rows.clone().skip(part).step_by(threads) {
                    let from = if halve { row } else { 0 };
                    self.matches(row, from, &mut found.matches);
                    for column in from..width {
                        let score = found.score(row, column);
                        scores[(row - rows.start) * width + column]
                            .store(score.to_bits(), Ordering::Relaxed);
                        if halve && column != row {
                            let score = found.score_turned(row, column);
                            scores[column * width + row].store(score.to_bits(), Ordering::Relaxed);
                        }
                    }
                }
                Ok(())
            })
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (1..threads)
                .map(|part| scope.spawn(move || work(part)))
                .collect();
            let first = work(0);
            workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or(Err(Error::Internal)))
                .fold(first, Result::and)
        })?;
        Ok(scores
            .into_iter()
            .map(|score| f64::from_bits(score.into_inner()))
            .collect())
    }

    /// Scores each hypothesis against the mean of the references: of each n-gram the expected
    /// count, and of the lengths the expected one (`DeNero`, Chiang and Knight 2009, *Fast
    /// consensus decoding over translation forests*).
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if there are not as many weights as references, or `metric` needs other
    /// n-grams.
    #[expect(clippy::cast_precision_loss, reason = "lengths stay below 2^53")]
    pub fn expected<M: NgramMetric>(&self, metric: &M, weights: &[f64]) -> Result<Vec<f64>, Error> {
        if weights.len() != self.references() || metric.longest_ngram() != self.longest {
            return Err(Error::BadTable);
        }
        let first = if self.same { 0 } else { self.hypotheses };
        let ref_len: f64 = self.lengths[first..]
            .iter()
            .zip(weights)
            .map(|(&length, weight)| length as f64 * weight)
            .sum();
        let mut start = 0;
        let means: Vec<f64> = self
            .grams
            .iter()
            .map(|&(_, end)| {
                let entries = &self.entries[start..end];
                start = end;
                let counts = entries
                    .iter()
                    .map(|&(text, count)| f64::from(count) * weights[text as usize]);
                counts.sum()
            })
            .collect();
        let mut matches = vec![0.0; self.longest];
        let scores = self
            .grams_of
            .iter()
            .zip(&self.lengths)
            .map(|(grams, &length)| {
                matches.fill(0.0);
                for &(gram, count) in grams {
                    let order = usize::from(self.grams[gram as usize].0);
                    matches[order] += clip(f64::from(count), means[gram as usize]);
                }
                metric.score_expected(length, ref_len, &matches)
            });
        Ok(scores.collect())
    }

    /// Counts the clipped matches of one hypothesis with the references from one on.
    fn matches(&self, hypothesis: usize, from: usize, matches: &mut [u32]) {
        matches.fill(0);
        for &(gram, count) in &self.grams_of[hypothesis] {
            let gram = gram as usize;
            let (order, end) = self.grams[gram];
            let start = gram.checked_sub(1).map_or(0, |before| self.grams[before].1);
            let entries = &self.entries[start..end];
            let skipped = if from == 0 {
                0
            } else {
                entries.partition_point(|entry| (entry.0 as usize) < from)
            };
            for &(reference, most) in &entries[skipped..] {
                let place = reference as usize * self.longest + usize::from(order);
                matches[place] += clip(count, most);
            }
        }
    }
}

/// The buffers of one thread.
struct Found<'a, M> {
    pairs: &'a Pairs,
    metric: &'a M,
    /// For each reference the matches of n-grams of each length.
    matches: Vec<u32>,
    row: Vec<i64>,
}

impl<'a, M: NgramMetric> Found<'a, M> {
    fn new(pairs: &'a Pairs, metric: &'a M) -> Self {
        Self {
            pairs,
            metric,
            matches: vec![0; pairs.references() * pairs.longest],
            row: vec![0; metric.width()],
        }
    }

    fn score(&mut self, hypothesis: usize, reference: usize) -> f64 {
        let pairs = self.pairs;
        let first = if pairs.same { 0 } else { pairs.hypotheses };
        let (hyp_len, ref_len) = (pairs.lengths[hypothesis], pairs.lengths[first + reference]);
        self.value(hyp_len, ref_len, reference)
    }

    /// The score if both change sides.
    fn score_turned(&mut self, hypothesis: usize, reference: usize) -> f64 {
        let lengths = &self.pairs.lengths;
        self.value(lengths[reference], lengths[hypothesis], reference)
    }

    fn value(&mut self, hyp_len: usize, ref_len: usize, reference: usize) -> f64 {
        let longest = self.pairs.longest;
        let matches = &self.matches[reference * longest..][..longest];
        // Without a word that matches, no longer n-gram does.
        if matches[0] == 0 && self.metric.needs_matches() {
            return 0.0;
        }
        self.metric
            .fill_row(hyp_len, ref_len, matches, &mut self.row);
        self.metric.score(&self.row)
    }
}
