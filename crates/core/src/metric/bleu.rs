//! BLEU as a metric: its settings, and how a segment is counted.

use std::cell::RefCell;
use std::thread::LocalKey;

use super::bleu_columns;
use super::bleu_formula::{Formula, Score};
use super::bleu_row::{field_name, row_width};
use super::{LengthMetric, Metric, NgramMetric, Scope, TakeTokens};
use crate::count::ReferenceLength;
use crate::count::rows::rows;
use crate::count::{Counter, Tokens};
use crate::error::Error;
use crate::text::{Encoding, Scratch, Segment};
use crate::tokenize::{Preprocessing, TokenList};

/// All settings of BLEU: how it counts, and how it scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Bleu {
    /// How text becomes tokens.
    pub preprocessing: Preprocessing,
    /// The rule for the reference length.
    pub reference_length: ReferenceLength,
    /// Count at least one n-gram of every order in every hypothesis, like NLTK.
    pub phantom_ngrams: bool,
    /// How a row becomes a score.
    pub formula: Formula,
}

/// The buffers of one thread.
#[derive(Debug, Default)]
pub struct Worker {
    scratch: Scratch,
    hypothesis: TokenList,
    references: Vec<TokenList>,
    lengths: Vec<usize>,
    counter: Counter,
}

thread_local! {
    static WORKER: RefCell<Option<Worker>> = const { RefCell::new(None) };
}

impl Metric for Bleu {
    type Worker = Worker;

    fn worker() -> &'static LocalKey<RefCell<Option<Worker>>> {
        &WORKER
    }

    fn width(&self) -> usize {
        row_width(self.formula.counted_orders())
    }

    fn field(&self, column: usize) -> String {
        field_name(column, self.width())
    }

    fn count(
        &self,
        worker: &mut Worker,
        hypotheses: &[Segment<'_>],
        references: &[Segment<'_>],
        rows: &mut [i64],
    ) -> Result<(), Error> {
        let preprocessing = self.preprocessing;
        let encoding = preprocessing.encoding(hypotheses, references)?;
        let orders = self.formula.counted_orders();
        let scratch = &mut worker.scratch;
        scratch.clear(encoding);
        worker.lengths.clear();
        if worker.references.len() < references.len() {
            worker
                .references
                .resize_with(references.len(), TokenList::default);
        }
        for (&reference, tokens) in references.iter().zip(&mut worker.references) {
            let tokens = tokens_of(preprocessing, scratch, reference, tokens);
            worker.lengths.push(tokens.len());
        }
        let end_of_references = scratch.bytes().len();
        for (&hypothesis, row) in hypotheses.iter().zip(rows.chunks_exact_mut(self.width())) {
            scratch.truncate(end_of_references);
            let tokens = tokens_of(preprocessing, scratch, hypothesis, &mut worker.hypothesis);
            let hyp_len = tokens.len();
            worker.counter.start(tokens, orders);
            for (&reference, tokens) in references.iter().zip(&worker.references) {
                worker
                    .counter
                    .reference(known_tokens(scratch, reference, tokens));
            }
            let ref_len = self.reference_length.choose(hyp_len, &worker.lengths);
            self.fill_lengths(hyp_len, ref_len, row);
            worker.counter.clipped_matches(&mut row[2..2 + orders]);
        }
        Ok(())
    }

    fn score(&self, row: &[i64], scope: Scope) -> f64 {
        self.formula.first_score(row, scope)
    }

    fn compared(&self, columns: &[f64], scores: &mut [f64]) {
        bleu_columns::compared(&self.formula, columns, scores);
    }
}

impl NgramMetric for Bleu {
    fn longest_ngrams(&self) -> Vec<usize> {
        vec![self.formula.counted_orders()]
    }

    fn split(
        &self,
        worker: &mut Worker,
        text: Segment<'_>,
        take: &mut TakeTokens<'_>,
    ) -> Result<(), Error> {
        self.preprocessing.check_size(text)?;
        // Words of several texts are only equal in one encoding.
        worker.scratch.clear(Encoding::Utf8);
        let (scratch, tokens) = (&mut worker.scratch, &mut worker.hypothesis);
        take(0, tokens_of(self.preprocessing, scratch, text, tokens))
    }

    fn fill_row(&self, hyp_lens: &[usize], ref_lens: &[usize], matches: &[u32], row: &mut [i64]) {
        self.fill_lengths(hyp_lens[0], ref_lens[0], row);
        for (field, &count) in row[2..].iter_mut().zip(matches) {
            *field = count.into();
        }
    }

    fn needs_matches(&self) -> bool {
        !self.formula.smoothing.scores_without_match()
    }

    fn score_expected(&self, hyp_lens: &[usize], ref_totals: &[f64], matches: &[f64]) -> f64 {
        let hyp_len = hyp_lens[0];
        let totals: Vec<i64> = (0..matches.len()).map(|n| self.total(hyp_len, n)).collect();
        let hyp_len = as_count(hyp_len);
        // There are as many single tokens as the references are long.
        let score = self.formula.score_expected(
            hyp_len,
            ref_totals[0],
            |n| matches[n],
            &totals,
            Scope::Segment,
        );
        score.scores[0]
    }
}

impl LengthMetric for Bleu {
    fn reference_length(&self) -> ReferenceLength {
        self.reference_length
    }
}

impl Bleu {
    /// The score of a row, with its parts.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if the row has another width.
    pub fn parts(&self, row: &[i64], scope: Scope) -> Result<Score, Error> {
        self.check_width(row)?;
        Ok(self.formula.score(row, scope))
    }

    /// The precisions of a row, from 0 to 1.
    ///
    /// # Errors
    ///
    /// Those of [`Bleu::parts`].
    pub fn precision_fractions(&self, row: &[i64]) -> Result<Vec<f64>, Error> {
        self.check_width(row)?;
        Ok(self.formula.precision_fractions(row))
    }

    /// The scores of all rows of a table: for each row, one score per list of weights.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if the table does not consist of rows of this width.
    pub fn score_lists(&self, table: &[i64], scope: Scope) -> Result<Vec<f64>, Error> {
        Ok(self.formula.score_lists(rows(table, self.width())?, scope))
    }

    /// The parts of the scores of all rows of a table: for each row its precisions in percent, its
    /// brevity penalty, and how many orders count.
    ///
    /// # Errors
    ///
    /// [`Error::BadTable`] if the table does not consist of rows of this width.
    pub fn parts_of_rows(&self, table: &[i64], scope: Scope) -> Result<[Vec<f64>; 3], Error> {
        let mut parts = [const { Vec::new() }; 3];
        let [precisions, penalties, orders] = &mut parts;
        for row in rows(table, self.width())? {
            let score = self.formula.score(row, scope);
            precisions.extend(score.precisions);
            penalties.push(score.brevity_penalty);
            #[expect(clippy::cast_precision_loss, reason = "there are at most 1,000 orders")]
            orders.push(score.orders as f64);
        }
        Ok(parts)
    }

    fn check_width(&self, row: &[i64]) -> Result<(), Error> {
        if row.len() == self.width() {
            Ok(())
        } else {
            Err(Error::BadTable)
        }
    }

    /// Writes the fields that follow from the lengths: all but the matches.
    fn fill_lengths(&self, hyp_len: usize, ref_len: usize, row: &mut [i64]) {
        row[0] = as_count(hyp_len);
        row[1] = as_count(ref_len);
        let totals = &mut row[2 + self.formula.counted_orders()..];
        for (n, total) in totals.iter_mut().enumerate() {
            *total = self.total(hyp_len, n);
        }
    }

    /// Number of n-grams of order `n + 1` in a hypothesis.
    fn total(&self, hyp_len: usize, n: usize) -> i64 {
        as_count(hyp_len.saturating_sub(n)).max(i64::from(self.phantom_ngrams))
    }
}

/// The tokens of one text, stored in `tokens` unless they are ids.
fn tokens_of<'a>(
    preprocessing: Preprocessing,
    scratch: &'a mut Scratch,
    segment: Segment<'a>,
    tokens: &'a mut TokenList,
) -> Tokens<'a> {
    if !matches!(segment, Segment::Ids(_)) {
        preprocessing.tokenize(scratch, segment, tokens);
    }
    known_tokens(scratch, segment, tokens)
}

/// The tokens of one text, which are stored in `tokens` unless they are ids.
fn known_tokens<'a>(
    scratch: &'a Scratch,
    segment: Segment<'a>,
    tokens: &'a TokenList,
) -> Tokens<'a> {
    match segment {
        Segment::Ids(ids) => Tokens::Ids(ids),
        _ => Tokens::Text(scratch, tokens.as_slice()),
    }
}

fn as_count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::smoothing::Smoothing;
    use crate::tokenize::Tokenizer;

    /// The rows of several systems are those of each by itself, whatever their encodings.
    #[test]
    fn systems_are_counted_like_each_by_itself() {
        let long = "Donaudampfschifffahrtsgesellschaft sagt nichts .";
        let more = format!("{long} {long}").repeat(40);
        let texts = [long, "", "Überschallflugzeugträger, 3.5 %", more.as_str()];
        let kanji: Vec<u16> = "猫 sat, Donaudampfschifffahrtsgesellschaft"
            .encode_utf16()
            .collect();
        let latin1: Vec<Vec<u8>> = texts
            .iter()
            .map(|text| {
                text.chars()
                    .map(|c| u8::try_from(c).expect("Latin-1"))
                    .collect()
            })
            .collect();
        let mut segments: Vec<_> = latin1.iter().map(|text| Segment::Latin1(text)).collect();
        segments.extend(texts.map(|text| Segment::Utf8(text.as_bytes())));
        segments.push(Segment::Ucs2(&kanji));
        for (name, tokenizer) in Tokenizer::ALL {
            for lowercase in [false, true] {
                let metric = Bleu {
                    preprocessing: Preprocessing {
                        unicode_form: None,
                        lowercase,
                        tokenizer,
                    },
                    reference_length: ReferenceLength::named("closest").expect("a name"),
                    phantom_ngrams: false,
                    formula: Formula {
                        max_order: 4,
                        smoothing: Smoothing::named("exp", None).expect("a name"),
                        effective_order: None,
                        weights: vec![vec![0.25; 4]],
                    },
                };
                let width = metric.width();
                let mut worker = Worker::default();
                for first in 0..segments.len() {
                    for count in 0..4 {
                        let references: Vec<_> = segments
                            .iter()
                            .cycle()
                            .skip(first)
                            .take(count)
                            .copied()
                            .collect();
                        for systems in [&segments[..4], &segments[2..7], &segments] {
                            let mut rows = vec![-1; width * systems.len()];
                            metric
                                .count(&mut worker, systems, &references, &mut rows)
                                .expect("counts");
                            for (&system, row) in systems.iter().zip(rows.chunks_exact(width)) {
                                let mut expected = vec![-1; width];
                                let mut fresh = Worker::default();
                                metric
                                    .count(&mut fresh, &[system], &references, &mut expected)
                                    .expect("counts");
                                assert_eq!(row, expected, "{name}");
                            }
                        }
                    }
                }
            }
        }
    }
}
