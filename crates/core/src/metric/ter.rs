//! Translation edit rate (TER) as a metric: its settings, how a segment is counted, and the formula.
//!
//! A row is `[insertions, deletions, substitutions, shifts, reference length]`. The length is the mean
//! over the references, in units of 1/720,720, of which the lengths of up to 16 references are
//! multiples.

use std::cell::RefCell;
use std::thread::LocalKey;

use super::pieces::split_pieces;
use super::{Metric, Scope, shared};
use crate::count::{EditCounter, Edits, Numbers};
use crate::error::Error;
use crate::memory::reserve;
use crate::text::{Form, Scratch, Segment};
use crate::tokenize::{Preprocessing, Tercom, TokenList, Tokenizer};

/// The least common multiple of the numbers from 1 to [`MOST_REFERENCES`].
pub const UNITS: i64 = 720_720;

/// Maximum number of references of a segment.
pub const MOST_REFERENCES: usize = 16;

const FIELDS: [&str; 5] = [
    "insertions",
    "deletions",
    "substitutions",
    "shifts",
    "ref_len_units",
];

/// All settings of TER.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ter {
    /// How text becomes words.
    pub tokenizer: Tercom,
    /// First, normalize text to this form.
    pub unicode_form: Option<Form>,
    /// Whether blocks of 9 words are the longest that are shifted, instead of 10.
    pub short_blocks: bool,
}

/// The buffers of one thread.
#[derive(Debug, Default)]
pub struct Worker {
    scratch: Scratch,
    hypothesis: TokenList,
    references: Vec<TokenList>,
    numbers: Numbers,
    counter: EditCounter,
}

thread_local! {
    static WORKER: RefCell<Option<Worker>> = const { RefCell::new(None) };
}

impl Metric for Ter {
    type Worker = Worker;

    fn worker() -> &'static LocalKey<RefCell<Option<Worker>>> {
        &WORKER
    }

    fn width(&self) -> usize {
        FIELDS.len()
    }

    fn field(&self, column: usize) -> String {
        FIELDS[column].to_owned()
    }

    /// Counts the edits for each reference; the row has those of the first reference with the fewest.
    fn count(
        &self,
        worker: &mut Worker,
        hypotheses: &[Segment<'_>],
        references: &[Segment<'_>],
        rows: &mut [i64],
    ) -> Result<(), Error> {
        let preprocessing = self.preprocessing();
        let encoding = preprocessing.encoding(hypotheses, references)?;
        let Worker {
            scratch,
            hypothesis,
            references: texts,
            numbers,
            counter,
        } = worker;
        counter.short_blocks = self.short_blocks;
        let in_pieces =
            self.tokenizer.splits_at_spaces() && preprocessing.in_pieces(hypotheses, references);
        scratch.clear(encoding);
        let shared = shared(hypotheses, references);
        if texts.len() <= shared.len() {
            let more = shared.len() + 1 - texts.len();
            reserve(texts, more);
            texts.resize_with(shared.len() + 1, TokenList::default);
        }
        if references.len() > MOST_REFERENCES {
            return Err(Error::TooManyReferences {
                segment: 0,
                references: references.len(),
                most: MOST_REFERENCES,
            });
        }
        if !in_pieces {
            for (&reference, words) in shared.iter().zip(&mut *texts) {
                let range = preprocessing.push_normalized(scratch, reference);
                self.tokenizer.tokenize_reference(scratch, range, words);
            }
        }
        let end_of_references = scratch.bytes().len();
        for (&segment, row) in hypotheses.iter().zip(rows.chunks_exact_mut(FIELDS.len())) {
            let split = |scratch: &mut Scratch, text: Segment<'_>, words: &mut TokenList| {
                let range = preprocessing.push_normalized(scratch, text);
                self.tokenizer.tokenize(scratch, range, words);
            };
            if !in_pieces {
                scratch.truncate(end_of_references);
                split(scratch, segment, hypothesis);
            }
            let mut best: Option<Edits> = None;
            let mut words = 0;
            let end_of_hypothesis = scratch.bytes().len();
            for (index, &reference) in references.iter().enumerate() {
                let (own, other, distinct) = if in_pieces {
                    numbers.of([segment, reference], |text, take| {
                        split_pieces(text, encoding, scratch, hypothesis, split, take);
                    })
                } else {
                    let list = &mut texts[index.min(shared.len())];
                    if index >= shared.len() {
                        scratch.truncate(end_of_hypothesis);
                        let range = preprocessing.push_normalized(scratch, reference);
                        self.tokenizer.tokenize_reference(scratch, range, list);
                    }
                    let pair = [hypothesis.as_slice(), list.as_slice()];
                    numbers.of(pair, |words, take| take(scratch, words))
                };
                words += other.len();
                let edits = counter.count(own, other, distinct);
                if best.is_none_or(|best| edits.total() < best.total()) {
                    best = Some(edits);
                }
            }
            let edits = best.unwrap_or_default();
            let counts = [
                edits.insertions,
                edits.deletions,
                edits.substitutions,
                edits.shifts,
            ];
            for (field, count) in row.iter_mut().zip(counts) {
                *field = i64::try_from(count).unwrap_or(i64::MAX);
            }
            row[4] = mean(words, references.len());
        }
        Ok(())
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "Python divides integers as doubles, too"
    )]
    fn score(&self, row: &[i64], _: Scope) -> f64 {
        rate(|column| row[column] as f64)
    }
}

impl Ter {
    /// What is done before text is split; of lowercasing, only the sizes that it allows matter here.
    pub(super) fn preprocessing(self) -> Preprocessing {
        Preprocessing {
            unicode_form: self.unicode_form,
            lowercase: !self.tokenizer.only_splits(),
            tokenizer: Tokenizer::None,
        }
    }
}

/// The edits per 100 words of the reference, given the fields by column. Lower is better, and 100 is
/// not the worst. Without reference words, 100 if there are edits, else 0.
fn rate(field: impl Fn(usize) -> f64) -> f64 {
    // Whole numbers below 2^53 are added exactly.
    let edits = field(0) + field(1) + field(2) + field(3);
    let length = field(4);
    if length > 0.0 {
        100.0 * (edits / words(length))
    } else if edits > 0.0 {
        100.0
    } else {
        0.0
    }
}

/// The words that a length in units stands for.
#[expect(clippy::cast_precision_loss, reason = "the units are few")]
#[must_use]
pub fn words(length: f64) -> f64 {
    length / UNITS as f64
}

/// The mean length in units of so many references, at most [`MOST_REFERENCES`].
fn mean(words: usize, references: usize) -> i64 {
    let [words, references] =
        [words, references.max(1)].map(|n| i64::try_from(n).unwrap_or(i64::MAX));
    words.saturating_mul(UNITS / references)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ter: Ter, hypothesis: &str, references: &[&str]) -> Vec<i64> {
        let references: Vec<_> = references
            .iter()
            .map(|text| Segment::Utf8(text.as_bytes()))
            .collect();
        let mut row = vec![-1; ter.width()];
        let hypothesis = Segment::Utf8(hypothesis.as_bytes());
        ter.count(&mut Worker::default(), &[hypothesis], &references, &mut row)
            .expect("counts");
        row
    }

    /// Sixteen references have an exact mean, and more are refused.
    #[test]
    fn many_references() {
        let ter = Ter::default();
        for count in 1..=MOST_REFERENCES {
            let references = vec!["a b c"; count];
            assert_eq!(row(ter, "a b", &references), [1, 0, 0, 0, 3 * UNITS]);
        }
        let references = vec![Segment::Utf8(b"a"); MOST_REFERENCES + 1];
        let mut row = vec![0; ter.width()];
        let refused = ter.count(
            &mut Worker::default(),
            &references[..1],
            &references,
            &mut row,
        );
        let error = Error::TooManyReferences {
            segment: 0,
            references: MOST_REFERENCES + 1,
            most: MOST_REFERENCES,
        };
        assert_eq!(refused, Err(error));
    }
}
