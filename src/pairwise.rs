//! Every hypothesis against every reference, and each text against all others.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use crate::batch::caught;
use crate::bleu::{ReferenceLength, Scoring, row_width};
use crate::corpus::{Corpus, Pause};
use crate::error::Error;

/// What texts share, ready to be matched: for each n-gram who has it, and the other way round.
#[derive(Debug)]
pub struct Pairs {
    hypotheses: usize,
    lengths: Vec<usize>,
    orders: usize,
    /// Whether each text is both hypothesis and reference.
    same: bool,
    least: i64,
    /// For each n-gram its order minus 1, and where its entries end.
    grams: Vec<(u8, usize)>,
    /// References that have the n-gram, and how often.
    entries: Vec<(u32, u32)>,
    /// For each hypothesis its n-grams, and how often it has them.
    own: Vec<Vec<(u32, u32)>>,
}

impl Pairs {
    /// Finds out what texts share.
    ///
    /// The first `hypotheses` texts are matched with the others, or, if these are all there are,
    /// with each other. `phantom` counts at least one n-gram of every order in a hypothesis.
    ///
    /// # Errors
    ///
    /// Those of `pause`, [`Error::TooLong`] if there is too much of them, [`Error::BadTable`] if there are fewer texts
    /// or more orders than can be.
    pub fn new(
        corpus: &Corpus,
        hypotheses: usize,
        orders: usize,
        phantom: bool,
        pause: Pause<'_>,
    ) -> Result<Self, Error> {
        if hypotheses > corpus.len() || orders > usize::from(u8::MAX) {
            return Err(Error::BadTable);
        }
        let same = hypotheses == corpus.len();
        let first_reference = if same { 0 } else { hypotheses };
        let mut grams = Vec::new();
        let mut entries = Vec::new();
        let mut own: Vec<Vec<(u32, u32)>> = vec![Vec::new(); hypotheses];
        // A text matches itself, also where nobody else does.
        let least = if same { 1 } else { 2 };
        corpus.shared(orders, least, pause, |order, texts| {
            let references = texts.partition_point(|text| (text.0 as usize) < first_reference);
            let hypotheses = texts.partition_point(|text| (text.0 as usize) < hypotheses);
            if references == texts.len() || hypotheses == 0 {
                return Ok(false);
            }
            let number = u32::try_from(grams.len()).map_err(|_| Error::TooLong { segment: 0 })?;
            for &(text, count) in &texts[..hypotheses] {
                own[text as usize].push((number, count));
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
            lengths: (0..corpus.len()).map(|text| corpus.length(text)).collect(),
            orders,
            same,
            least: i64::from(phantom),
            grams,
            entries,
            own,
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
    /// [`Error::BadTable`] if there are no such hypotheses, or `scoring` needs other orders;
    /// [`Error::Internal`] instead of a panic.
    pub fn block(
        &self,
        scoring: &Scoring,
        rows: Range<usize>,
        threads: usize,
    ) -> Result<Vec<f64>, Error> {
        if rows.start > rows.end
            || rows.end > self.hypotheses
            || scoring.counted_orders() != self.orders
        {
            return Err(Error::BadTable);
        }
        let width = self.references();
        let threads = threads.clamp(1, rows.len().max(1));
        let scores: Vec<AtomicU64> = (0..rows.len() * width).map(|_| AtomicU64::new(0)).collect();
        // Matches are the same both ways, if both ways are asked for.
        let halve = self.same && rows.len() == self.hypotheses;
        let work = |part: usize| {
            caught(|| {
                let mut found = Found::new(self, scoring);
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
            let others: Vec<_> = (1..threads)
                .map(|part| scope.spawn(move || work(part)))
                .collect();
            let first = work(0);
            others
                .into_iter()
                .map(|other| other.join().unwrap_or(Err(Error::Internal)))
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
    /// [`Error::BadTable`] if there are not as many weights as references, or `scoring` needs other
    /// orders.
    #[expect(clippy::cast_precision_loss, reason = "lengths stay below 2^53")]
    pub fn expected(&self, scoring: &Scoring, weights: &[f64]) -> Result<Vec<f64>, Error> {
        if weights.len() != self.references() || scoring.counted_orders() != self.orders {
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
        let mut row = vec![0; row_width(self.orders)];
        let mut matches = vec![0.0; self.orders];
        let scores = self.own.iter().zip(&self.lengths).map(|(own, &length)| {
            matches.fill(0.0);
            for &(gram, count) in own {
                let order = usize::from(self.grams[gram as usize].0);
                matches[order] += f64::from(count).min(means[gram as usize]);
            }
            fill_row(&mut row, length, 0, self.least);
            let totals = &row[2 + self.orders..];
            scoring
                .score_expected(row[0], ref_len, |n| matches[n], totals)
                .scores[0]
        });
        Ok(scores.collect())
    }

    /// Counts the clipped matches of one hypothesis with the references from one on.
    fn matches(&self, hypothesis: usize, from: usize, matches: &mut [u32]) {
        matches.fill(0);
        for &(gram, count) in &self.own[hypothesis] {
            let gram = gram as usize;
            let (order, end) = self.grams[gram];
            let start = gram.checked_sub(1).map_or(0, |before| self.grams[before].1);
            let entries = &self.entries[start..end];
            let skipped = if from == 0 {
                0
            } else {
                entries.partition_point(|entry| (entry.0 as usize) < from)
            };
            for &(reference, theirs) in &entries[skipped..] {
                matches[reference as usize * self.orders + usize::from(order)] += count.min(theirs);
            }
        }
    }
}

/// The buffers of one thread.
struct Found<'a> {
    pairs: &'a Pairs,
    scoring: &'a Scoring,
    /// For each reference the matches of each order.
    matches: Vec<u32>,
    row: Vec<i64>,
}

impl<'a> Found<'a> {
    fn new(pairs: &'a Pairs, scoring: &'a Scoring) -> Self {
        Self {
            pairs,
            scoring,
            matches: vec![0; pairs.references() * pairs.orders],
            row: vec![0; row_width(pairs.orders)],
        }
    }

    fn score(&mut self, hypothesis: usize, reference: usize) -> f64 {
        let pairs = self.pairs;
        let first = if pairs.same { 0 } else { pairs.hypotheses };
        let (own, other) = (pairs.lengths[hypothesis], pairs.lengths[first + reference]);
        self.value(own, other, reference)
    }

    /// The score if both change sides.
    fn score_turned(&mut self, hypothesis: usize, reference: usize) -> f64 {
        let lengths = &self.pairs.lengths;
        self.value(lengths[reference], lengths[hypothesis], reference)
    }

    fn value(&mut self, own: usize, other: usize, reference: usize) -> f64 {
        let orders = self.pairs.orders;
        let matches = &self.matches[reference * orders..][..orders];
        if matches[0] == 0 && !self.scoring.smoothing.needs_no_match() {
            return 0.0;
        }
        fill_row(&mut self.row, own, other, self.pairs.least);
        for (place, &count) in self.row[2..].iter_mut().zip(matches) {
            *place = count.into();
        }
        self.scoring.score(&self.row).scores[0]
    }
}

/// Writes what of a row follows from the lengths.
fn fill_row(row: &mut [i64], own: usize, other: usize, least: i64) {
    let orders = (row.len() - 2) / 2;
    row[0] = i64::try_from(own).unwrap_or(i64::MAX);
    row[1] = i64::try_from(other).unwrap_or(i64::MAX);
    for n in 0..orders {
        let total = i64::try_from(own.saturating_sub(n)).unwrap_or(i64::MAX);
        row[2 + orders + n] = total.max(least);
    }
}

/// Rows of statistics: each text against all others as its references, in time that grows with
/// the texts and not with their pairs.
///
/// An n-gram counts as often as the other text that has it most: that is the text which has it
/// most of all, or, for this text itself, the second.
///
/// If `chosen` is not empty, rows of texts that it does not name lack matches.
///
/// # Errors
///
/// Those of `pause`, and [`Error::BadTable`] if there are fewer than two texts.
pub fn against_others(
    corpus: &Corpus,
    orders: usize,
    reference_length: ReferenceLength,
    phantom: bool,
    chosen: &[bool],
    threads: usize,
    pause: Pause<'_>,
) -> Result<Vec<i64>, Error> {
    let texts = corpus.len();
    if texts < 2 || !(chosen.is_empty() || chosen.len() == texts) {
        return Err(Error::BadTable);
    }
    let width = row_width(orders);
    let mut table = vec![0; texts * width];
    let lengths = Lengths::new(corpus, reference_length);
    for (text, row) in table.chunks_exact_mut(width).enumerate() {
        let own = corpus.length(text);
        fill_row(row, own, lengths.choose(own), i64::from(phantom));
    }
    let wanted = |text: u32| chosen.get(text as usize).is_none_or(|&chosen| chosen);
    let owners = corpus.owners()?;
    let entries = corpus.by_token()?;
    let parts = in_parts(&entries, threads);
    let stopped = AtomicBool::new(false);
    let work = |part: Range<usize>, pause: Pause<'_>| {
        let mut matches = vec![0_u32; texts * orders];
        let visit = |order: usize, found: &[(u32, u32)]| {
            if !found.iter().any(|&(text, _)| wanted(text)) {
                return Ok(false);
            }
            let (mut most, mut second, mut whose) = (0, 0, 0);
            for &(text, count) in found {
                if count > most {
                    (second, most, whose) = (most, count, text);
                } else {
                    second = second.max(count);
                }
            }
            for &(text, count) in found {
                let limit = if text == whose { second } else { most };
                matches[text as usize * orders + order] += count.min(limit);
            }
            Ok(true)
        };
        let part = entries[part].to_vec();
        corpus.shared_from(&owners, part, orders, 2, pause, visit)?;
        Ok(matches)
    };
    let own_pause = || pause().inspect_err(|_| stopped.store(true, Ordering::Relaxed));
    let other_pause = || {
        if stopped.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        Ok(())
    };
    let found: Result<Vec<_>, Error> = thread::scope(|scope| {
        let others: Vec<_> = parts[1..]
            .iter()
            .map(|part| scope.spawn(|| caught(|| work(part.clone(), &other_pause))))
            .collect();
        let first = caught(|| work(parts[0].clone(), &own_pause));
        let others = others
            .into_iter()
            .map(|other| other.join().unwrap_or(Err(Error::Internal)));
        [first].into_iter().chain(others).collect()
    });
    for matches in found? {
        for (row, matches) in table
            .chunks_exact_mut(width)
            .zip(matches.chunks_exact(orders))
        {
            for (place, &count) in row[2..].iter_mut().zip(matches) {
                *place += i64::from(count);
            }
        }
    }
    Ok(table)
}

/// Splits sorted entries into about equal parts, and none between two of one token.
fn in_parts(entries: &[(u32, u32)], parts: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for part in 1..=parts.max(1) {
        let mut end = entries.len() * part / parts.max(1);
        while end > start && end < entries.len() && entries[end].0 == entries[end - 1].0 {
            end += 1;
        }
        found.push(start..end.max(start));
        start = end.max(start);
    }
    found
}

/// The lengths of all texts, to choose from among those of the others.
struct Lengths {
    rule: ReferenceLength,
    /// Different lengths in order, and how many texts have each.
    counts: Vec<(usize, usize)>,
    sum: usize,
    texts: usize,
}

impl Lengths {
    fn new(corpus: &Corpus, rule: ReferenceLength) -> Self {
        let mut all: Vec<usize> = (0..corpus.len()).map(|text| corpus.length(text)).collect();
        all.sort_unstable();
        let counts = all
            .chunk_by(|one, other| one == other)
            .map(|equal| (equal[0], equal.len()))
            .collect();
        Self {
            rule,
            counts,
            sum: all.iter().sum(),
            texts: all.len(),
        }
    }

    /// The length that counts for a text of this length, which is one of them.
    fn choose(&self, own: usize) -> usize {
        let at = self.counts.partition_point(|&(length, _)| length < own);
        let alone = self.counts[at].1 == 1;
        // The others' neighbours: of this length, below, and above.
        let others = |range: Range<usize>| {
            self.counts[range]
                .iter()
                .map(|&(length, _)| length)
                .filter(move |&length| !(alone && length == own))
        };
        let last = self.counts.len();
        match self.rule {
            ReferenceLength::Average => (self.sum - own) / (self.texts - 1),
            ReferenceLength::Shortest => others(0..last.min(2)).next().unwrap_or(0),
            ReferenceLength::Longest => others(last.saturating_sub(2)..last)
                .next_back()
                .unwrap_or(0),
            ReferenceLength::Closest | ReferenceLength::ClosestFirst => {
                let near: Vec<usize> = others(at.saturating_sub(1)..last.min(at + 2)).collect();
                ReferenceLength::Closest.choose(own, &near)
            }
        }
    }
}
