//! chrF, chrF+ and chrF++ as metrics: their settings, and how a segment is counted.

use std::cell::RefCell;
use std::thread::LocalKey;

use super::chrf_formula::{ChrfFormula, FIELDS, field_name};
use super::pieces::split_pieces;
use super::{Metric, NgramMetric, Scope, TakeTokens, shared};
use crate::count::{
    CharacterMasks, Characters, Counter, PairLists, Sorted, Tokens, Unit, Whitespace, trim,
};
use crate::error::Error;
use crate::memory::reserve;
use crate::text::{Encoding, Scratch, Segment};
use crate::tokenize::{Preprocessing, TokenList, TokenSlice, chrf_words};

/// All settings of chrF: how it counts, and how it scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Chrf {
    /// What is done before the text is read. It has no tokenizer.
    pub preprocessing: Preprocessing,
    /// Which whitespace is among the characters.
    pub whitespace: Whitespace,
    /// How a row becomes a score.
    pub formula: ChrfFormula,
}

/// A text as characters and as words.
#[derive(Debug, Default)]
struct Text {
    characters: Characters,
    words: TokenList,
    /// What the words were cut from.
    pieces: TokenList,
}

/// The buffers of one thread.
#[derive(Debug, Default)]
pub struct Worker {
    scratch: Scratch,
    hypothesis: Text,
    references: Vec<Text>,
    masks: CharacterMasks,
    lists: PairLists,
    sorted: Sorted,
    counter: Counter,
    row: Vec<i64>,
    matches: Vec<i64>,
}

thread_local! {
    static WORKER: RefCell<Option<Worker>> = const { RefCell::new(None) };
}

impl Metric for Chrf {
    type Worker = Worker;

    fn worker() -> &'static LocalKey<RefCell<Option<Worker>>> {
        &WORKER
    }

    fn width(&self) -> usize {
        FIELDS * self.formula.orders()
    }

    fn field(&self, column: usize) -> String {
        field_name(column, self.formula.char_order)
    }

    /// Counts against each reference; the row is that of the first reference with the highest score.
    fn count(
        &self,
        worker: &mut Worker,
        hypotheses: &[Segment<'_>],
        references: &[Segment<'_>],
        rows: &mut [i64],
    ) -> Result<(), Error> {
        let encoding = self.preprocessing.encoding(hypotheses, references)?;
        if self.formula.char_order <= MOST_ORDERS_OF_LONG
            && self.preprocessing.in_pieces(hypotheses, references)
        {
            self.count_pieces(worker, encoding, hypotheses, references, rows);
            return Ok(());
        }
        let Worker {
            scratch,
            hypothesis,
            references: texts,
            masks,
            lists,
            sorted,
            counter,
            row: other,
            matches,
        } = worker;
        scratch.clear(encoding);
        let shared = shared(hypotheses, references);
        if texts.len() <= shared.len() {
            let more = shared.len() + 1 - texts.len();
            reserve(texts, more);
            texts.resize_with(shared.len() + 1, Text::default);
        }
        for (&reference, text) in shared.iter().zip(&mut *texts) {
            self.read(scratch, reference, text);
        }
        let end_of_references = scratch.bytes().len();
        for (&segment, row) in hypotheses.iter().zip(rows.chunks_exact_mut(self.width())) {
            scratch.truncate(end_of_references);
            self.read(scratch, segment, hypothesis);
            row.fill(0);
            let orders = self.formula.char_order;
            let text = hypothesis.characters.in_bmp();
            let has_masks = text.is_some_and(|text| masks.start(text, orders));
            let end_of_hypothesis = scratch.bytes().len();
            let mut best = -1.0;
            for (index, &segment) in references.iter().enumerate() {
                let reference = &mut texts[index.min(shared.len())];
                if index >= shared.len() {
                    scratch.truncate(end_of_hypothesis);
                    self.read(scratch, segment, reference);
                }
                other.resize(self.width(), 0);
                let (characters, words) = other.split_at_mut(FIELDS * orders);
                let mut texts = [&mut hypothesis.characters, &mut reference.characters];
                let lengths = texts.each_ref().map(|text| text.len());
                if has_masks && let Some(text) = texts[1].in_bmp() {
                    fill(characters, lengths, &masks.matches(text));
                } else if Characters::clipped_matches(
                    texts.each_mut().map(|text| &mut **text),
                    orders,
                    lists,
                    sorted,
                    matches,
                ) {
                    fill(characters, lengths, matches);
                } else {
                    let ids = texts.map(|text| Tokens::Ids(text.ids()));
                    fill(characters, lengths, counted(counter, ids, orders, matches));
                }
                if self.formula.word_order > 0 {
                    let texts = [&hypothesis.words, &reference.words];
                    let lengths = texts.map(|text| text.as_slice().len());
                    let tokens = texts.map(|text| Tokens::Text(scratch, text.as_slice()));
                    let orders = self.formula.word_order;
                    fill(words, lengths, counted(counter, tokens, orders, matches));
                }
                // With one reference, there is nothing to choose.
                let score = if references.len() > 1 {
                    self.score(other, Scope::Segment)
                } else {
                    0.0
                };
                if score > best {
                    best = score;
                    row.copy_from_slice(other);
                }
            }
        }
        Ok(())
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "Python divides integers as doubles, too"
    )]
    fn score(&self, row: &[i64], _: Scope) -> f64 {
        self.formula.score(|column| row[column] as f64)
    }
}

impl NgramMetric for Chrf {
    fn longest_ngrams(&self) -> Vec<usize> {
        vec![self.formula.char_order, self.formula.word_order]
    }

    fn split(
        &self,
        worker: &mut Worker,
        text: Segment<'_>,
        take: &mut TakeTokens<'_>,
    ) -> Result<(), Error> {
        self.preprocessing.check_size(text)?;
        let Worker {
            scratch,
            hypothesis,
            ..
        } = worker;
        // Words of several texts are only equal in one encoding.
        scratch.clear(Encoding::Utf8);
        self.read(scratch, text, hypothesis);
        take(0, Tokens::Ids(hypothesis.characters.ids()))?;
        let words = if self.formula.word_order > 0 {
            Tokens::Text(scratch, hypothesis.words.as_slice())
        } else {
            // The words of a text that was read before are still there.
            Tokens::Ids(&[])
        };
        take(1, words)
    }

    fn fill_row(&self, hyp_lens: &[usize], ref_lens: &[usize], matches: &[u32], row: &mut [i64]) {
        let (characters, words) = row.split_at_mut(FIELDS * self.formula.char_order);
        let (of_characters, of_words) = matches.split_at(self.formula.char_order);
        fill(characters, [hyp_lens[0], ref_lens[0]], of_characters);
        fill(words, [hyp_lens[1], ref_lens[1]], of_words);
    }

    fn needs_matches(&self) -> bool {
        !self.formula.eps_smoothing
    }

    #[expect(clippy::cast_precision_loss, reason = "lengths stay below 2^53")]
    fn score_expected(&self, hyp_lens: &[usize], ref_totals: &[f64], matches: &[f64]) -> f64 {
        let orders = self.formula.char_order;
        self.formula.score(|column| {
            let (order, part) = (column / FIELDS, column % FIELDS);
            match part {
                0 if ref_totals[order] == 0.0 => 0.0,
                0 if order < orders => hyp_lens[0].saturating_sub(order) as f64,
                0 => hyp_lens[1].saturating_sub(order - orders) as f64,
                1 => ref_totals[order],
                _ => matches[order],
            }
        })
    }
}

/// Number of characters of the longest n-grams that [fit into a key](Sorted::clipped_matches),
/// whatever the characters.
const MOST_ORDERS_OF_LONG: usize = 6;

impl Chrf {
    /// Counts long texts piece by piece: first their characters, then their words.
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
        for (&hypothesis, row) in hypotheses.iter().zip(rows.chunks_exact_mut(self.width())) {
            row.fill(0);
            let mut best = -1.0;
            let mut other = vec![0; self.width()];
            for &reference in references {
                let texts = [hypothesis, reference];
                let (characters, words) = other.split_at_mut(FIELDS * self.formula.char_order);
                let _ = self.fill_characters::<u8>(worker, encoding, texts, characters)
                    || self.fill_characters::<u16>(worker, encoding, texts, characters)
                    || self.fill_characters::<u32>(worker, encoding, texts, characters);
                if self.formula.word_order > 0 {
                    self.fill_words(worker, encoding, texts, words);
                }
                let score = self.score(&other, Scope::Segment);
                if score > best {
                    best = score;
                    row.copy_from_slice(&other);
                }
            }
        }
    }

    /// Counts the characters of two texts as units of one width; returns false if one does not fit.
    fn fill_characters<U: Unit + TryFrom<u32> + TryInto<u32>>(
        &self,
        worker: &mut Worker,
        encoding: Encoding,
        texts: [Segment<'_>; 2],
        row: &mut [i64],
    ) -> bool {
        let (scratch, characters) = (&mut worker.scratch, &mut worker.hypothesis.characters);
        let latin1 = encoding == Encoding::Latin1;
        let mut all: [Vec<U>; 2] = Default::default();
        for (text, units) in texts.into_iter().zip(&mut all) {
            for piece in text.pieces() {
                scratch.clear(encoding);
                let range = self.preprocessing.push(scratch, piece);
                let bytes = &scratch.bytes()[range];
                if !characters.append(bytes, latin1, self.whitespace, units) {
                    return false;
                }
            }
            if self.whitespace == Whitespace::WithoutSpaces {
                trim(units);
            }
        }
        let all = all.each_ref().map(Vec::as_slice);
        let mut matches = vec![0; self.formula.char_order];
        worker
            .sorted
            .clipped_matches(all[0], &all[1..], &mut matches);
        fill(row, all.map(<[U]>::len), &matches);
        true
    }

    /// Counts the words of two texts.
    fn fill_words(
        &self,
        worker: &mut Worker,
        encoding: Encoding,
        [hypothesis, reference]: [Segment<'_>; 2],
        row: &mut [i64],
    ) {
        let Text { words, pieces, .. } = &mut worker.hypothesis;
        let scratch = &mut worker.scratch;
        let counter = &mut worker.counter;
        let mut count = |text, counter: &mut Counter| {
            let split = |scratch: &mut Scratch, piece: Segment<'_>, words: &mut TokenList| {
                let range = self.preprocessing.push(scratch, piece);
                chrf_words(scratch, range, pieces, words);
            };
            let take = |scratch: &Scratch, words: TokenSlice<'_>| counter.piece(scratch, words);
            split_pieces(text, encoding, scratch, words, split, take)
        };
        counter.start_pieces();
        let hypothesis = count(hypothesis, counter);
        counter.start_reference();
        let reference = count(reference, counter);
        let mut matches = vec![0; self.formula.word_order];
        counter.clipped_matches(&mut matches);
        fill(row, [hypothesis, reference], &matches);
    }

    /// Reads a text as characters and, if words count, as words, which stay in the buffer.
    fn read(&self, scratch: &mut Scratch, segment: Segment<'_>, text: &mut Text) {
        let before = scratch.bytes().len();
        let range = self.preprocessing.push(scratch, segment);
        let bytes = &scratch.bytes()[range.clone()];
        let latin1 = scratch.encoding() == Encoding::Latin1;
        text.characters.read(bytes, latin1, self.whitespace);
        if self.formula.word_order > 0 {
            chrf_words(scratch, range, &mut text.pieces, &mut text.words);
        } else {
            scratch.truncate(before);
        }
    }
}

/// Counts the n-grams that a hypothesis shares with a reference, for each order.
fn counted<'a>(
    counter: &mut Counter,
    [hypothesis, reference]: [Tokens<'_>; 2],
    orders: usize,
    matches: &'a mut Vec<i64>,
) -> &'a [i64] {
    matches.clear();
    matches.resize(orders, 0);
    counter.start(hypothesis, orders);
    counter.reference(reference);
    counter.clipped_matches(matches);
    matches
}

/// Fills in the n-grams of the hypothesis, of the reference, and of both, for each order, given the
/// lengths of both and the matches.
///
/// An order that the reference does not have costs no precision: the hypothesis has 0, then.
fn fill<T: Copy + Into<i64>>(row: &mut [i64], [hypothesis, reference]: [usize; 2], matches: &[T]) {
    let ngrams = |length: usize, n| i64::try_from(length.saturating_sub(n)).unwrap_or(i64::MAX);
    let orders = row.as_chunks_mut::<FIELDS>().0;
    for (n, (order, &matched)) in orders.iter_mut().zip(matches).enumerate() {
        let total = ngrams(reference, n);
        let hyp = if total > 0 { ngrams(hypothesis, n) } else { 0 };
        *order = [hyp, total, matched.into()];
    }
}
