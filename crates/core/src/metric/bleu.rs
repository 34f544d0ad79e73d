//! BLEU as a metric: its settings, and how a segment is counted.

use std::cell::RefCell;
use std::ops::Range;
use std::thread::LocalKey;

use super::bleu_formula::{Formula, Score};
use super::bleu_row::{field_name, row_width};
use super::pieces::split_pieces;
use super::{LengthMetric, Metric, NgramMetric, Scope, TakeTokens, each_by_itself, shared};
use crate::count::ReferenceLength;
use crate::count::rows::rows;
use crate::count::{Counter, Tokens};
use crate::error::Error;
use crate::memory::{extend, push, reserve};
use crate::text::{Batch, Encoding, Scratch, Segment};
use crate::tokenize::{Preprocessing, TokenList, TokenSlice};

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
    /// Texts that are split together: their ends, and their tokens.
    ends: Vec<usize>,
    texts: Vec<Range<usize>>,
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
        if preprocessing.in_pieces(hypotheses, references) {
            self.count_pieces(worker, encoding, hypotheses, references, rows);
            return Ok(());
        }
        let Worker {
            scratch,
            hypothesis: tokens,
            references: lists,
            lengths,
            counter,
            ..
        } = worker;
        scratch.clear(encoding);
        let shared = shared(hypotheses, references);
        if lists.len() <= shared.len() {
            let more = shared.len() + 1 - lists.len();
            reserve(lists, more);
            lists.resize_with(shared.len() + 1, TokenList::default);
        }
        for (&reference, list) in shared.iter().zip(&mut *lists) {
            tokens_of(preprocessing, scratch, reference, list);
        }
        let end_of_references = scratch.bytes().len();
        for (&hypothesis, row) in hypotheses.iter().zip(rows.chunks_exact_mut(self.width())) {
            scratch.truncate(end_of_references);
            let tokens = tokens_of(preprocessing, scratch, hypothesis, tokens);
            let hyp_len = tokens.len();
            counter.start(tokens, self.formula.counted_orders());
            let end_of_hypothesis = scratch.bytes().len();
            lengths.clear();
            for (index, &reference) in references.iter().enumerate() {
                let tokens = if index < shared.len() {
                    known_tokens(scratch, reference, &lists[index])
                } else {
                    scratch.truncate(end_of_hypothesis);
                    tokens_of(preprocessing, scratch, reference, &mut lists[shared.len()])
                };
                push(lengths, tokens.len());
                counter.reference(tokens);
            }
            self.fill(counter, hyp_len, lengths, row);
        }
        Ok(())
    }

    fn count_several(
        &self,
        worker: &mut Worker,
        batch: &Batch<'_>,
        segments: Range<usize>,
        rows: &mut [i64],
    ) -> Result<(), Error> {
        if segments.len() < 2 || !self.split_several(worker, batch, segments.clone()) {
            return each_by_itself(self, worker, batch, segments, rows);
        }
        let (scratch, tokens) = (&worker.scratch, worker.hypothesis.as_slice());
        let counter = &mut worker.counter;
        counter.key(scratch, tokens);
        let words = |at: &Range<usize>| Tokens::Keyed(scratch, tokens.part(at.clone()), at.start);
        let references = batch.references_of(segments.clone()).len();
        let (mut references_left, hypotheses) = worker.texts.split_at(references);
        let mut hypotheses = hypotheses.iter().zip(rows.chunks_exact_mut(self.width()));
        for (index, segment) in segments.clone().enumerate() {
            // Those of the next call.
            batch.prefetch(segments.end + index);
            let (references, left) = references_left.split_at(batch.references(segment).len());
            references_left = left;
            worker.lengths.clear();
            reserve(&mut worker.lengths, references.len());
            worker.lengths.extend(references.iter().map(Range::len));
            for (hypothesis, row) in hypotheses.by_ref().take(batch.systems()) {
                counter.start(words(hypothesis), self.formula.counted_orders());
                for reference in references {
                    counter.reference(words(reference));
                }
                self.fill(counter, hypothesis.len(), &worker.lengths, row);
            }
        }
        Ok(())
    }

    fn score(&self, row: &[i64], scope: Scope) -> f64 {
        self.formula.first_score(row, scope)
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
            extend(precisions, &score.precisions);
            push(penalties, score.brevity_penalty);
            #[expect(clippy::cast_precision_loss, reason = "there are at most 1,000 orders")]
            push(orders, score.orders as f64);
        }
        Ok(parts)
    }

    /// Fills in the row of what was counted.
    #[inline(always)]
    fn fill(&self, counter: &mut Counter, hyp_len: usize, lengths: &[usize], row: &mut [i64]) {
        let ref_len = self.reference_length.choose(hyp_len, lengths);
        self.fill_lengths(hyp_len, ref_len, row);
        counter.clipped_matches(&mut row[2..2 + self.formula.counted_orders()]);
    }

    /// Counts long texts piece by piece.
    #[cold]
    #[inline(never)]
    fn count_pieces(
        &self,
        worker: &mut Worker,
        encoding: Encoding,
        hypotheses: &[Segment<'_>],
        references: &[Segment<'_>],
        rows: &mut [i64],
    ) {
        let Worker {
            scratch,
            hypothesis: tokens,
            lengths,
            counter,
            ..
        } = worker;
        for (&hypothesis, row) in hypotheses.iter().zip(rows.chunks_exact_mut(self.width())) {
            counter.start_pieces();
            lengths.clear();
            for &text in std::iter::once(&hypothesis).chain(references) {
                if !lengths.is_empty() {
                    counter.start_reference();
                }
                let split = |scratch: &mut Scratch, piece: Segment<'_>, tokens: &mut TokenList| {
                    self.preprocessing.tokenize(scratch, piece, tokens);
                };
                let take =
                    |scratch: &Scratch, tokens: TokenSlice<'_>| counter.piece(scratch, tokens);
                let length = split_pieces(text, encoding, scratch, tokens, split, take);
                push(lengths, length);
            }
            self.fill(counter, lengths[0], &lengths[1..], row);
        }
    }

    /// Splits the texts of some segments at once, the references first. Returns false if they must be
    /// split one by one.
    fn split_several(
        &self,
        worker: &mut Worker,
        batch: &Batch<'_>,
        segments: Range<usize>,
    ) -> bool {
        let references = batch.references_of(segments.clone()).iter();
        let texts = references.chain(batch.hypotheses_of(segments));
        let Some(encoding) = self.preprocessing.joined(texts.clone()) else {
            return false;
        };
        let (scratch, tokens) = (&mut worker.scratch, &mut worker.hypothesis);
        scratch.clear(encoding);
        worker.ends.clear();
        let joined = scratch.push_joined(texts.copied(), &mut worker.ends);
        if !self.preprocessing.tokenizer.scan(scratch, joined, tokens) {
            return false;
        }
        let mut start = 0;
        worker.texts.clear();
        reserve(&mut worker.texts, worker.ends.len());
        worker.texts.extend(worker.ends.iter().map(|&end| {
            let text = start..tokens.before(end);
            start = text.end;
            text
        }));
        true
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

    fn bleu(tokenizer: Tokenizer) -> Bleu {
        Bleu {
            preprocessing: Preprocessing {
                unicode_form: None,
                lowercase: false,
                tokenizer,
            },
            reference_length: ReferenceLength::named("closest").expect("a name"),
            phantom_ngrams: false,
            formula: Formula {
                max_order: 4,
                smoothing: Smoothing::named("exp", None).expect("a name"),
                effective_order: None,
                brevity_penalty: true,
                weights: vec![vec![0.25; 4]],
            },
        }
    }

    /// Segments that are split together have the rows of each by itself, whatever is at their ends
    /// and in whatever encoding, and also if some must be rewritten.
    #[test]
    fn segments_are_counted_like_each_by_itself() {
        let words = |count: usize| "a b c Donaudampfschiff ".repeat(count.div_ceil(4));
        let (long, longer) = (words(64), words(64) + "d");
        let plain = [
            "",
            " ",
            "a",
            "a.",
            ".5",
            "5-",
            "- x",
            "1,",
            ",",
            "..",
            "3.",
            "\u{85}",
            "\u{a0}b",
            "b\u{a0}",
            "\u{e2}",
            "\u{c2}",
            "x &quot",
            ";",
            "-",
            "&l",
            "t; a",
            "<skip",
            "ped>",
            "\t",
            "Donaudampfschiffa",
            "Donaudampfschiffb",
            &long,
            &longer,
            "\u{2028}x",
            "\u{3000}",
            "\u{e0}\u{a0}",
            "\u{1f600}",
            "\u{e1}.",
        ];
        let rewritten = ["&quot;a", "x-\ny", "\n", "a<skipped>b"];
        let encode = |text: &str, form: usize| {
            let ucs4 = text.chars().map(u32::from).collect::<Vec<_>>();
            let latin1 = text
                .chars()
                .map(u8::try_from)
                .collect::<Result<Vec<_>, _>>();
            (form, text.as_bytes().to_vec(), latin1.ok(), ucs4)
        };
        let mut random: u64 = 1;
        let mut below = |limit: usize| {
            random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(3);
            usize::try_from(random >> 33).expect("32 bits") % limit
        };
        let mut worker = Worker::default();
        for round in 0..600 {
            let metric = bleu(
                [
                    Tokenizer::V13a,
                    Tokenizer::None,
                    Tokenizer::Characters,
                    Tokenizer::International,
                ][round % 4],
            );
            let systems = 1 + round % 3;
            let mut text = || match below(30) {
                0 if round % 5 == 0 => rewritten[below(rewritten.len())],
                _ => plain[below(plain.len())],
            };
            let texts: Vec<_> = (0..40 * (systems + 2))
                .map(|index| encode(text(), [0, 1, index][round % 3]))
                .collect();
            let segments: Vec<_> = texts
                .iter()
                .map(|(form, utf8, latin1, ucs4)| match (form % 3, latin1) {
                    (0, Some(latin1)) => Segment::Latin1(latin1),
                    (1, _) => Segment::Utf8(utf8),
                    _ => Segment::Ucs4(ucs4),
                })
                .collect();
            let mut batch = Batch::of_systems(systems, 40);
            let mut expected = Vec::new();
            let mut fresh = Worker::default();
            for (index, texts) in segments.chunks_exact(systems + 2).enumerate() {
                let (hypotheses, references) = texts.split_at(systems);
                let references = &references[..index % 3];
                batch.push_systems(hypotheses.iter().copied(), references.iter().copied());
                for &hypothesis in hypotheses {
                    let mut row = vec![-1; metric.width()];
                    let counted = metric.count(&mut fresh, &[hypothesis], references, &mut row);
                    assert_eq!(counted, Ok(()));
                    expected.extend(row);
                }
            }
            let mut found = vec![-1; expected.len()];
            for several in [0..20, 20..21, 21..23, 23..40] {
                let width = systems * metric.width();
                let rows = &mut found[several.start * width..several.end * width];
                let counted = metric.count_several(&mut worker, &batch, several, rows);
                assert_eq!(counted, Ok(()));
            }
            assert_eq!(found, expected, "{round}");
        }
    }
}
