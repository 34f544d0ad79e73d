//! Every hypothesis against every reference.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::index::{Index, clip};
use super::texts::Texts;
use crate::error::{Error, Pause};
use crate::memory::{listed, push, zeros};
use crate::metric::{NgramMetric, Scope};
use crate::stop::Stop;
use crate::threads::on_threads;

/// The n-grams that texts share.
#[derive(Debug)]
pub struct Pairs {
    hypotheses: usize,
    references: usize,
    /// Whether each text is both a hypothesis and a reference.
    same: bool,
    streams: Vec<Shared>,
    /// The lengths of each text, in tokens of each stream.
    lengths: Vec<usize>,
    /// Number of orders of all streams.
    orders: usize,
}

/// The n-grams that texts share in one stream of tokens: the references of each n-gram, and the
/// n-grams of each hypothesis.
#[derive(Debug)]
struct Shared {
    /// For each n-gram, the place of its order among those of all streams, and the end of its
    /// entries.
    grams: Vec<(u8, usize)>,
    /// The references that have the n-gram, with the number of occurrences.
    entries: Vec<(u32, u32)>,
    /// For each hypothesis, its n-grams with the number of occurrences.
    grams_of: Vec<Vec<(u32, u32)>>,
}

impl Shared {
    /// Finds the n-grams of up to `longest` tokens, of which those of one token are at place
    /// `first`.
    fn new(
        index: &Index,
        hypotheses: usize,
        (first, longest): (usize, usize),
        pause: Pause<'_>,
    ) -> Result<Self, Error> {
        let same = hypotheses == index.len();
        let first_reference = if same { 0 } else { hypotheses };
        let mut grams = Vec::new();
        let mut entries = Vec::new();
        let mut grams_of: Vec<Vec<(u32, u32)>> = listed((0..hypotheses).map(|_| Vec::new()));
        // If each text is also a reference, it matches itself.
        let least = if same { 1 } else { 2 };
        index.shared(longest, least, pause, |order, texts| {
            let references = texts.partition_point(|text| (text.0 as usize) < first_reference);
            let hypotheses = texts.partition_point(|text| (text.0 as usize) < hypotheses);
            if references == texts.len() || hypotheses == 0 {
                return Ok(false);
            }
            let number = u32::try_from(grams.len()).map_err(|_| Error::TooLong { segment: 0 })?;
            for &(text, count) in &texts[..hypotheses] {
                push(&mut grams_of[text as usize], (number, count));
            }
            for &(text, count) in &texts[references..] {
                let text = text as usize - first_reference;
                let text = u32::try_from(text).map_err(|_| Error::Internal)?;
                push(&mut entries, (text, count));
            }
            let place = u8::try_from(first + order).map_err(|_| Error::Internal)?;
            push(&mut grams, (place, entries.len()));
            Ok(true)
        })?;
        Ok(Self {
            grams,
            entries,
            grams_of,
        })
    }

    /// Adds the clipped matches of a hypothesis with the references from `from` on: for each
    /// reference, those of `orders` orders.
    ///
    /// # Errors
    ///
    /// Those of `pauses`.
    fn add_matches(
        &self,
        hypothesis: usize,
        from: usize,
        orders: usize,
        matches: &mut [u32],
        pauses: &mut Pauses<'_>,
    ) -> Result<(), Error> {
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
                matches[reference as usize * orders + usize::from(order)] += clip(count, most);
            }
            pauses.after(entries.len() - skipped)?;
        }
        Ok(())
    }

    /// The mean count of each n-gram in the references, weighted.
    fn means(&self, weights: &[f64], pauses: &mut Pauses<'_>) -> Result<Vec<f64>, Error> {
        let mut start = 0;
        let mean = |&(_, end): &(u8, usize)| {
            let entries = &self.entries[start..end];
            pauses.after(end - start)?;
            start = end;
            let counts = entries
                .iter()
                .map(|&(text, count)| f64::from(count) * weights[text as usize]);
            Ok(counts.sum())
        };
        self.grams.iter().map(mean).collect()
    }
}

impl Pairs {
    /// Finds the n-grams that texts share, of all orders that `metric` counts.
    ///
    /// The first `hypotheses` texts are matched with the other texts or, if there are no others,
    /// with each other.
    ///
    /// # Errors
    ///
    /// Those of `pause`, [`Error::TooLong`] if there are too many n-grams, [`Error::BadTable`] if
    /// there are fewer than `hypotheses` texts, or they were split for another metric.
    pub fn new<M: NgramMetric>(
        texts: &Texts,
        hypotheses: usize,
        metric: &M,
        pause: Pause<'_>,
    ) -> Result<Self, Error> {
        let longest = metric.longest_ngrams();
        let orders = longest.iter().sum();
        if hypotheses > texts.len()
            || longest.len() != texts.streams().len()
            || orders > usize::from(u8::MAX)
        {
            return Err(Error::BadTable);
        }
        let same = hypotheses == texts.len();
        let mut first = 0;
        let mut streams = Vec::new();
        for (index, longest) in texts.streams().iter().zip(longest) {
            streams.push(Shared::new(index, hypotheses, (first, longest), pause)?);
            first += longest;
        }
        let lengths = |text| texts.streams().iter().map(move |index| index.length(text));
        Ok(Self {
            hypotheses,
            references: texts.len() - if same { 0 } else { hypotheses },
            same,
            streams,
            lengths: listed((0..texts.len()).flat_map(lengths)),
            orders,
        })
    }

    /// Number of references.
    #[must_use]
    pub fn references(&self) -> usize {
        self.references
    }

    /// The lengths of a text, in tokens of each stream.
    fn lengths(&self, text: usize) -> &[usize] {
        let streams = self.streams.len();
        &self.lengths[text * streams..][..streams]
    }

    /// Whether the n-grams are those that a metric counts.
    fn is_for<M: NgramMetric>(&self, metric: &M) -> bool {
        metric.longest_ngrams().iter().sum::<usize>() == self.orders
    }

    /// Scores a range of hypotheses against all references: one row of scores per hypothesis.
    ///
    /// # Errors
    ///
    /// Those of `pause`, [`Error::BadTable`] if there are no such hypotheses, or `metric` needs
    /// n-grams of other orders; [`Error::Internal`] instead of a panic.
    pub fn block<M: NgramMetric>(
        &self,
        metric: &M,
        rows: Range<usize>,
        threads: usize,
        pause: Pause<'_>,
    ) -> Result<Vec<f64>, Error> {
        if rows.start > rows.end || rows.end > self.hypotheses || !self.is_for(metric) {
            return Err(Error::BadTable);
        }
        let width = self.references();
        let threads = threads.clamp(1, rows.len().max(1));
        let scores = listed((0..rows.len() * width).map(|_| AtomicU64::new(0)));
        // Matches are symmetric, so half of them suffice if all are needed.
        let halve = self.same && rows.len() == self.hypotheses;
        let stop = Stop::default();
        let work = |part: usize, pause: Pause<'_>| {
            let mut scorer = Scorer::new(self, metric);
            let mut pauses = Pauses::new(pause);
            for row in rows.clone().skip(part).step_by(threads) {
                let from = if halve { row } else { 0 };
                pauses.after((width - from) * SCORING)?;
                scorer.matches.fill(0);
                let matches = &mut scorer.matches;
                for shared in &self.streams {
                    shared.add_matches(row, from, self.orders, matches, &mut pauses)?;
                }
                for column in from..width {
                    let score = scorer.score(row, column);
                    scores[(row - rows.start) * width + column]
                        .store(score.to_bits(), Ordering::Relaxed);
                    if halve && column != row {
                        let score = scorer.score_reversed(row, column);
                        scores[column * width + row].store(score.to_bits(), Ordering::Relaxed);
                    }
                }
            }
            Ok(())
        };
        on_threads(
            0..threads,
            |part| work(part, &|| stop.pause(pause)),
            |part| work(part, &|| stop.check()),
        )?;
        let scores = scores.into_iter();
        Ok(listed(
            scores.map(|score| f64::from_bits(score.into_inner())),
        ))
    }

    /// Scores each hypothesis against the weighted mean of the references: the expected count of
    /// each n-gram, and the expected length (`DeNero`, Chiang and Knight 2009, *Fast
    /// consensus decoding over translation forests*).
    ///
    /// # Errors
    ///
    /// Those of `pause`, [`Error::BadTable`] if there is not one weight per reference, or `metric`
    /// needs n-grams of other orders.
    #[expect(clippy::cast_precision_loss, reason = "lengths stay below 2^53")]
    pub fn expected<M: NgramMetric>(
        &self,
        metric: &M,
        weights: &[f64],
        pause: Pause<'_>,
    ) -> Result<Vec<f64>, Error> {
        if weights.len() != self.references() || !self.is_for(metric) {
            return Err(Error::BadTable);
        }
        let first = self.first_reference();
        let mut totals = Vec::with_capacity(self.orders);
        for (stream, longest) in metric.longest_ngrams().into_iter().enumerate() {
            for order in 0..longest {
                let total = |(text, weight): (usize, &f64)| {
                    let length = self.lengths(first + text)[stream];
                    length.saturating_sub(order) as f64 * weight
                };
                totals.push(weights.iter().enumerate().map(total).sum());
            }
        }
        let mut pauses = Pauses::new(pause);
        let means = self.streams.iter();
        let means: Result<Vec<_>, Error> =
            means.map(|each| each.means(weights, &mut pauses)).collect();
        let means = means?;
        let mut matches = vec![0.0; self.orders];
        let scores = (0..self.hypotheses).map(|hypothesis| {
            matches.fill(0.0);
            for (shared, means) in self.streams.iter().zip(&means) {
                pauses.after(shared.grams_of[hypothesis].len())?;
                for &(gram, count) in &shared.grams_of[hypothesis] {
                    let order = usize::from(shared.grams[gram as usize].0);
                    matches[order] += clip(f64::from(count), means[gram as usize]);
                }
            }
            Ok(metric.score_expected(self.lengths(hypothesis), &totals, &matches))
        });
        scores.collect()
    }

    /// The text that is the first reference.
    fn first_reference(&self) -> usize {
        if self.same { 0 } else { self.hypotheses }
    }
}

/// Calls a [`Pause`] after so much work.
struct Pauses<'a> {
    pause: Pause<'a>,
    unpaused: usize,
}

impl<'a> Pauses<'a> {
    fn new(pause: Pause<'a>) -> Self {
        Self { pause, unpaused: 0 }
    }

    /// Takes note of so many additions.
    fn after(&mut self, additions: usize) -> Result<(), Error> {
        self.unpaused += additions;
        if self.unpaused > BETWEEN_PAUSES {
            self.unpaused = 0;
            (self.pause)()?;
        }
        Ok(())
    }
}

/// Additions of a thread between two calls of [`Pause`]: some hundredths of a second.
const BETWEEN_PAUSES: usize = 1 << 23;

/// Scoring a pair takes as long as so many additions.
const SCORING: usize = 1 << 7;

/// Scores the pairs of one hypothesis at a time, with the buffers of one thread.
struct Scorer<'a, M> {
    pairs: &'a Pairs,
    metric: &'a M,
    /// For each reference, the matches of each order.
    matches: Vec<u32>,
    row: Vec<i64>,
    needs_matches: bool,
}

impl<'a, M: NgramMetric> Scorer<'a, M> {
    fn new(pairs: &'a Pairs, metric: &'a M) -> Self {
        Self {
            pairs,
            metric,
            matches: zeros(pairs.references() * pairs.orders),
            row: zeros(metric.width()),
            needs_matches: metric.needs_matches(),
        }
    }

    fn score(&mut self, hypothesis: usize, reference: usize) -> f64 {
        let first = self.pairs.first_reference();
        self.value(hypothesis, first + reference, reference)
    }

    /// The score with hypothesis and reference exchanged.
    fn score_reversed(&mut self, hypothesis: usize, reference: usize) -> f64 {
        self.value(reference, hypothesis, reference)
    }

    /// The score of a text against another, with the matches at a place.
    fn value(&mut self, hypothesis: usize, reference: usize, place: usize) -> f64 {
        let pairs = self.pairs;
        let matches = &self.matches[place * pairs.orders..][..pairs.orders];
        // If no word matches, no longer n-gram does.
        if matches[0] == 0 && self.needs_matches {
            return 0.0;
        }
        let lengths = [hypothesis, reference].map(|text| pairs.lengths(text));
        self.metric
            .fill_row(lengths[0], lengths[1], matches, &mut self.row);
        self.metric.score(&self.row, Scope::Segment)
    }
}
