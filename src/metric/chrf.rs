//! chrF, chrF+ and chrF++ as metrics: their settings, and how a segment is counted.

use std::cell::RefCell;
use std::thread::LocalKey;

use super::chrf_formula::{ChrfFormula, FIELDS, field_name};
use super::{Metric, NgramMetric, TakeTokens};
use crate::count::{CharacterMasks, Characters, Counter, Tokens, Whitespace};
use crate::error::Error;
use crate::resample::Statistic;
use crate::text::{Encoding, Scratch, Segment};
use crate::tokenize::{Preprocessing, TokenList, Tokenizer, chrf_words};

/// All settings of chrF: how it counts, and how it scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Chrf {
    /// Lowercase the text first.
    pub lowercase: bool,
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
}

/// The buffers of one thread.
#[derive(Debug, Default)]
pub struct Worker {
    scratch: Scratch,
    hypothesis: Text,
    references: Vec<Text>,
    masks: CharacterMasks,
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
        let encoding = self.preprocessing().encoding(hypotheses, references)?;
        let Worker {
            scratch,
            hypothesis,
            references: texts,
            masks,
            counter,
            row: other,
            matches,
        } = worker;
        scratch.clear(encoding);
        if texts.len() < references.len() {
            texts.resize_with(references.len(), Text::default);
        }
        for (&reference, text) in references.iter().zip(&mut *texts) {
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
            let mut best = -1.0;
            for reference in &mut texts[..references.len()] {
                other.resize(self.width(), 0);
                let (characters, words) = other.split_at_mut(FIELDS * orders);
                let mut texts = [&mut hypothesis.characters, &mut reference.characters];
                let lengths = texts.each_ref().map(|text| text.len());
                if has_masks && let Some(text) = texts[1].in_bmp() {
                    fill(characters, lengths, &masks.matches(text));
                } else if Characters::match_long(
                    texts.each_mut().map(|text| &mut **text),
                    orders,
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
                    self.score(other)
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
    fn score(&self, row: &[i64]) -> f64 {
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
        self.preprocessing().check_size(text)?;
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

impl Statistic for Chrf {
    fn exact(&self, sum: &[i64]) -> f64 {
        self.score(sum)
    }

    fn compared(&self, columns: &[f64], numbers: &mut [f64]) {
        let count = numbers.len();
        for (index, number) in numbers.iter_mut().enumerate() {
            *number = self.formula.score(|column| columns[column * count + index]);
        }
    }
}

impl Chrf {
    /// What is done before the text is read; only the sizes that it allows matter here.
    fn preprocessing(&self) -> Preprocessing {
        Preprocessing {
            unicode_form: None,
            lowercase: self.lowercase,
            tokenizer: Tokenizer::None,
        }
    }

    /// Reads a text as characters and, if words count, as words, which stay in the buffer.
    fn read(&self, scratch: &mut Scratch, segment: Segment<'_>, text: &mut Text) {
        let before = scratch.bytes().len();
        let mut range = scratch.push(segment);
        if self.lowercase {
            range = scratch.push_lowercase(range);
        }
        let bytes = &scratch.bytes()[range.clone()];
        let latin1 = scratch.encoding() == Encoding::Latin1;
        text.characters.read(bytes, latin1, self.whitespace);
        if self.formula.word_order > 0 {
            chrf_words(scratch, range, &mut text.words);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn chrf(char_order: usize, word_order: usize) -> Chrf {
        Chrf {
            lowercase: false,
            whitespace: Whitespace::Removed,
            formula: ChrfFormula {
                char_order,
                word_order,
                squared_beta: 4.0,
                eps_smoothing: false,
            },
        }
    }

    fn row(metric: &Chrf, hypothesis: &str, references: &[&str]) -> Vec<i64> {
        let references: Vec<_> = references
            .iter()
            .map(|text| Segment::Utf8(text.as_bytes()))
            .collect();
        let mut row = vec![-1; metric.width()];
        let hypothesis = Segment::Utf8(hypothesis.as_bytes());
        metric
            .count(&mut Worker::default(), &[hypothesis], &references, &mut row)
            .expect("counts");
        row
    }

    const CORPUS: [(&str, [&str; 2]); 3] = [
        (
            "The dog bit the man.",
            ["The dog bit the man.", "The dog had bit the man."],
        ),
        (
            "It was not surprising.",
            ["It was not unexpected.", "No one was surprised."],
        ),
        (
            "The man had just bitten him.",
            ["The man bit him first.", "The man had bitten the dog."],
        ),
    ];

    fn corpus_score(metric: &Chrf) -> f64 {
        let mut sum = vec![0; metric.width()];
        for (hypothesis, references) in CORPUS {
            for (sum, count) in sum.iter_mut().zip(row(metric, hypothesis, &references)) {
                *sum += count;
            }
        }
        metric.score(&sum)
    }

    /// The rows and scores that sacreBLEU 2.6.0 printed for this corpus.
    #[test]
    fn a_corpus_with_two_references() {
        let plus_plus = chrf(6, 2);
        let (hypothesis, references) = CORPUS[2];
        assert_eq!(
            row(&plus_plus, hypothesis, &references),
            [
                23, 22, 18, 22, 21, 13, 21, 20, 11, 20, 19, 9, 19, 18, 7, 18, 17, 5, 7, 7, 5, 6, 6,
                2
            ]
        );
        assert_eq!(corpus_score(&plus_plus), 62.600_928_418_289_115);
        assert_eq!(corpus_score(&chrf(6, 1)), 62.972_175_235_833_48);
        let plain = chrf(6, 0);
        assert_eq!(corpus_score(&plain), 60.023_027_254_557_64);
        let lowercase = Chrf {
            lowercase: true,
            ..plain.clone()
        };
        assert_eq!(corpus_score(&lowercase), 60.630_646_959_992_12);
        let whitespace = Chrf {
            whitespace: Whitespace::Kept,
            ..plain.clone()
        };
        assert_eq!(corpus_score(&whitespace), 67.669_756_304_526_03);
        let mut smoothed = plain;
        smoothed.formula.eps_smoothing = true;
        assert_eq!(corpus_score(&smoothed), 60.022_855_212_094_79);
    }

    #[test]
    fn at_most_one_symbol_is_cut_off_a_word() {
        let mut scratch = Scratch::default();
        let text = "(hi) ... \"x\", ' -a é! ¡é «b» c";
        let range = scratch.push(Segment::Utf8(text.as_bytes()));
        let mut words = TokenList::default();
        chrf_words(&mut scratch, range, &mut words);
        let words: Vec<_> = words
            .as_slice()
            .iter()
            .map(|word| String::from_utf8_lossy(word.bytes(&scratch)).into_owned())
            .collect();
        let expected = [
            "(hi", ")", "..", ".", "\"x\"", ",", "'", "-", "a", "é", "!", "¡é", "«b»", "c",
        ];
        assert_eq!(words, expected);
    }

    /// Characters beyond the Basic Multilingual Plane, and texts that are too long for masks.
    #[test]
    fn other_characters_and_long_texts() {
        let plain = chrf(6, 0);
        let expected = row(&plain, "the cat sat", &["the cat", "a cat sat"]);
        let astral = |text: &str| text.replace('a', "😀");
        let references = [astral("the cat"), astral("a cat sat")];
        let references = references.each_ref().map(String::as_str);
        assert_eq!(row(&plain, &astral("the cat sat"), &references), expected);
        // One of the two texts has them.
        let expected = row(&plain, "the cat sat", &["the c*t s*t"]);
        assert_eq!(row(&plain, "the cat sat", &["the c😀t s😀t"]), expected);
        assert_eq!(row(&plain, "the c😀t s😀t", &["the cat sat"]), expected);
        let long = "the cat sat on the mat ".repeat(30);
        let counts = row(&plain, &long, &[&long[1..], "a"]);
        assert_eq!(counts[..6], [510, 509, 509, 509, 508, 508]);
    }

    /// Short and empty texts: an order that the reference does not have costs no precision.
    #[test]
    fn short_texts() {
        let plain = chrf(6, 0);
        assert_eq!(row(&plain, "abc", &[""]), [0; 18]);
        assert_eq!(row(&plain, "", &["abc"])[..9], [0, 3, 0, 0, 2, 0, 0, 1, 0]);
        assert_eq!(row(&plain, "  ", &["x"])[..3], [0, 1, 0]);
        let score =
            |hypothesis, references: &[&str]| plain.score(&row(&plain, hypothesis, references));
        assert_eq!(score("ab", &["ab"]), 100.0);
        assert_eq!(score("abc", &["abd"]), 38.888_888_888_888_886);
        assert_eq!(score("abcdefg", &["hijklm"]), 0.0);
    }
}
