//! Many segments at once: text in, rows of statistics out, on as many threads as pay.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::bleu::ReferenceLength;
use crate::error::Error;
use crate::ngram::{Counter, Tokens};
use crate::normalize::Form;
use crate::observe::Observed;
use crate::rows::{add_row, row_width};
use crate::text::{Encoding, PADDING, Scratch, Segment};
use crate::tokenize::{TokenList, Tokenizer};

/// How text becomes counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counting {
    /// Splits text into tokens.
    pub tokenizer: Tokenizer,
    /// Bring text into this normal form first.
    pub unicode_form: Option<Form>,
    /// Lower-case text then.
    pub lowercase: bool,
    /// The highest n-gram order to count.
    pub orders: usize,
    /// Which reference length counts.
    pub reference_length: ReferenceLength,
    /// Count at least one n-gram of every order in every hypothesis, as NLTK does.
    pub phantom_ngrams: bool,
}

thread_local! {
    /// Making the tables takes longer than counting a sentence.
    static WORKER: RefCell<Worker> = RefCell::default();
}

/// Counts one segment with the tables of this thread; see [`Worker::count`].
///
/// # Errors
///
/// As there.
pub fn count_one(
    counting: &Counting,
    hypothesis: Segment<'_>,
    references: &[Segment<'_>],
    row: &mut [i64],
) -> Result<(), Error> {
    WORKER.with_borrow_mut(|worker| worker.count(counting, hypothesis, references, row))
}

/// Hypotheses, and for each its references.
#[derive(Debug)]
pub struct Batch<'a> {
    hypotheses: Vec<Segment<'a>>,
    references: Vec<Segment<'a>>,
    /// For each hypothesis where its references end.
    ends: Vec<usize>,
    weight: usize,
}

impl<'a> Batch<'a> {
    /// An empty batch with room for `segments` segments.
    #[must_use]
    pub fn with_capacity(segments: usize) -> Self {
        Self {
            hypotheses: Vec::with_capacity(segments),
            references: Vec::with_capacity(segments),
            ends: Vec::with_capacity(segments),
            weight: 0,
        }
    }

    /// Appends a segment.
    pub fn push(
        &mut self,
        hypothesis: Segment<'a>,
        references: impl IntoIterator<Item = Segment<'a>>,
    ) {
        self.weight += hypothesis.weight();
        self.hypotheses.push(hypothesis);
        for reference in references {
            self.weight += reference.weight();
            self.references.push(reference);
        }
        self.ends.push(self.references.len());
    }

    /// Number of segments.
    #[must_use]
    pub fn len(&self) -> usize {
        self.hypotheses.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hypotheses.is_empty()
    }

    /// The fewest and the most references that a segment has.
    #[must_use]
    pub fn reference_counts(&self) -> (usize, usize) {
        let counts = || (0..self.len()).map(|segment| self.references(segment).len());
        (counts().min().unwrap_or(0), counts().max().unwrap_or(0))
    }

    /// A hypothesis and its references.
    ///
    /// # Panics
    ///
    /// If there is no such segment.
    #[must_use]
    pub fn segment(&self, segment: usize) -> (Segment<'a>, &[Segment<'a>]) {
        (self.hypotheses[segment], self.references(segment))
    }

    fn prefetch(&self, segment: usize) {
        if segment < self.len() {
            let (hypothesis, references) = self.segment(segment);
            for text in references.iter().chain([&hypothesis]) {
                text.prefetch();
            }
        }
    }

    fn references(&self, segment: usize) -> &[Segment<'a>] {
        let start = segment.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.references[start..self.ends[segment]]
    }
}

/// What one thread needs to count: buffers that every segment uses anew.
#[derive(Debug, Default)]
pub struct Worker {
    scratch: Scratch,
    hypothesis: TokenList,
    reference: TokenList,
    lengths: Vec<usize>,
    counter: Counter,
}

impl Worker {
    /// Counts one segment into a row of [`row_width`]`(counting.orders)`.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] (with segment 0) if the texts do not fit into 32-bit positions.
    pub fn count(
        &mut self,
        counting: &Counting,
        hypothesis: Segment<'_>,
        references: &[Segment<'_>],
        row: &mut [i64],
    ) -> Result<(), Error> {
        check_size(counting, hypothesis, references)?;
        let mut texts = references.iter().chain([&hypothesis]);
        let latin1 = counting.tokenizer.reads_latin1()
            && !counting.lowercase
            && counting.unicode_form.is_none()
            && texts.all(|s| matches!(s, Segment::Latin1(_)));
        self.scratch.clear(if latin1 {
            Encoding::Latin1
        } else {
            Encoding::Utf8
        });
        let tokens = tokens_of(
            counting,
            &mut self.scratch,
            hypothesis,
            &mut self.hypothesis,
        );
        let hyp_len = tokens.len();
        self.counter.start(tokens, counting.orders);
        self.lengths.clear();
        for &reference in references {
            let tokens = tokens_of(counting, &mut self.scratch, reference, &mut self.reference);
            self.lengths.push(tokens.len());
            self.counter.reference(tokens);
        }
        let (lengths, counts) = row.split_at_mut(2);
        let (matches, totals) = counts.split_at_mut(counting.orders);
        lengths[0] = as_count(hyp_len);
        lengths[1] = as_count(counting.reference_length.choose(hyp_len, &self.lengths));
        self.counter.clipped_matches(matches);
        let least = i64::from(counting.phantom_ngrams);
        for (n, total) in totals.iter_mut().enumerate() {
            *total = as_count(hyp_len.saturating_sub(n)).max(least);
        }
        Ok(())
    }
}

/// The tokens of one segment, found in `found` unless it came as ids.
fn tokens_of<'a>(
    counting: &Counting,
    scratch: &'a mut Scratch,
    segment: Segment<'a>,
    found: &'a mut TokenList,
) -> Tokens<'a> {
    if let Segment::Ids(ids) = segment {
        return Tokens::Ids(ids);
    }
    tokenize(counting, scratch, segment, found);
    Tokens::Text(scratch, found.as_slice())
}

/// Tokenizes one segment into `found`.
pub fn tokenize(
    counting: &Counting,
    scratch: &mut Scratch,
    segment: Segment<'_>,
    found: &mut TokenList,
) {
    let mut text = scratch.push(segment);
    if let Some(form) = counting.unicode_form {
        text = scratch.push_normalized(text, form);
    }
    if counting.lowercase {
        text = scratch.push_lowercase(text);
    }
    counting.tokenizer.tokenize(scratch, text, found);
}

/// Refuses what positions of 32 bits could not tell apart, before any memory is spent on it.
///
/// # Errors
///
/// [`Error::TooLong`] with segment 0.
pub fn check_size(
    counting: &Counting,
    hypothesis: Segment<'_>,
    references: &[Segment<'_>],
) -> Result<(), Error> {
    let bytes: usize = references
        .iter()
        .chain([&hypothesis])
        // UTF-8 may take twice the bytes of the form it came in.
        .map(|segment| 2 * segment.weight() + PADDING)
        .sum();
    // Rewriting adds a copy, and so does lower-casing, which may make text half as long again.
    let copies = if counting.lowercase { 4 } else { 2 };
    let growth = if counting.unicode_form.is_some() {
        1 + Form::GROWTH
    } else {
        1
    };
    if bytes.saturating_mul(copies * growth) > u32::MAX as usize {
        return Err(Error::TooLong { segment: 0 });
    }
    Ok(())
}

fn as_count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Segments that a thread takes at a time.
const PIECE: usize = 256;

/// Bytes of text below which a second thread costs more than it saves.
pub const WORTH_A_THREAD: usize = 1 << 18;

/// Statistics of a batch: a row per segment, or (`each` false) their sum.
///
/// What there is to observe is added to `observed`. Neither result depends on `threads`.
///
/// # Errors
///
/// [`Error::TooLong`] with the segment, or [`Error::Internal`] instead of a panic.
pub fn statistics(
    batch: &Batch<'_>,
    counting: &Counting,
    threads: usize,
    each: bool,
    observed: Option<&Mutex<Observed>>,
) -> Result<Vec<i64>, Error> {
    let threads = threads.clamp(1, batch.weight / WORTH_A_THREAD + 1);
    let width = row_width(counting.orders);
    let mut table = vec![0; if each { batch.len() * width } else { 0 }];
    let pieces = Pieces {
        batch,
        counting,
        width,
        // Without a table a piece is only a number.
        next: Mutex::new((0, table.chunks_mut(PIECE * width))),
        each,
        observed,
    };
    let sum = if threads == 1 {
        caught(|| pieces.work())?
    } else {
        thread::scope(|scope| {
            let others: Vec<_> = (1..threads)
                .map(|_| scope.spawn(|| caught(|| pieces.work())))
                .collect();
            let mut sum = caught(|| pieces.work());
            for other in others {
                let part = other.join().unwrap_or(Err(Error::Internal));
                sum = sum.and_then(|mut sum| {
                    add_row(&mut sum, &part?)?;
                    Ok(sum)
                });
            }
            sum
        })?
    };
    Ok(if each { table } else { sum })
}

/// The work that the threads share.
struct Pieces<'a, 'b> {
    batch: &'a Batch<'b>,
    counting: &'a Counting,
    width: usize,
    next: Mutex<(usize, std::slice::ChunksMut<'a, i64>)>,
    each: bool,
    observed: Option<&'a Mutex<Observed>>,
}

impl Pieces<'_, '_> {
    /// Takes pieces until none is left; returns the sum of their rows.
    fn work(&self) -> Result<Vec<i64>, Error> {
        // A panic loses it, and the next one begins anew.
        let mut worker = WORKER.take();
        let mut sum = vec![0; self.width];
        let mut row = vec![0; self.width];
        let mut observed = Observed::default();
        loop {
            let (start, rows) = {
                // Nothing can panic while the lock is held.
                let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
                let start = next.0;
                next.0 += PIECE;
                (start, next.1.next())
            };
            let end = self.batch.len().min(start.saturating_add(PIECE));
            if start >= end {
                WORKER.set(worker);
                if let Some(all) = self.observed {
                    *all.lock().unwrap_or_else(PoisonError::into_inner) += &observed;
                }
                return Ok(sum);
            }
            let mut rows = rows.map(|rows| rows.chunks_exact_mut(self.width));
            for segment in start..end {
                let row = match &mut rows {
                    Some(rows) => rows.next().ok_or(Error::Internal)?,
                    None => &mut row[..],
                };
                self.batch.prefetch(segment + 2);
                let (hypothesis, references) = self.batch.segment(segment);
                if self.observed.is_some() {
                    observed.look(segment, hypothesis, references);
                }
                worker
                    .count(self.counting, hypothesis, references, row)
                    .map_err(|error| match error {
                        Error::TooLong { .. } => Error::TooLong { segment },
                        other => other,
                    })?;
                if !self.each {
                    add_row(&mut sum, row)?;
                }
            }
        }
    }
}

/// Runs `work`; a panic becomes an error.
///
/// # Errors
///
/// Those of `work`, or [`Error::Internal`] instead of a panic.
pub fn caught<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(Error::Internal))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTING: Counting = Counting {
        tokenizer: Tokenizer::V13a,
        unicode_form: None,
        lowercase: false,
        orders: 4,
        reference_length: ReferenceLength::Closest,
        phantom_ngrams: false,
    };

    /// Whatever the number of threads, and whether rows are kept or added at once.
    #[test]
    fn threads_and_tables_change_nothing() {
        let lines: Vec<String> = (0..5000)
            .map(|i| {
                format!(
                    "segment {i} of {} says {}, twice.",
                    i % 7,
                    "so ".repeat(i % 50)
                )
            })
            .collect();
        let mut batch = Batch::with_capacity(lines.len());
        for (i, line) in lines.iter().enumerate() {
            let others = lines[(i * 7 + 3) % lines.len()..].iter().take(i % 3);
            batch.push(
                Segment::Utf8(line.as_bytes()),
                others.map(|other| Segment::Utf8(other.as_bytes())),
            );
        }
        let sum = statistics(&batch, &COUNTING, 1, false, None).expect("counts");
        for threads in [1, 2, 3] {
            let table = statistics(&batch, &COUNTING, threads, true, None).expect("counts");
            assert_eq!(crate::rows::add_rows(&table, 10), Ok(sum.clone()));
            assert_eq!(
                statistics(&batch, &COUNTING, threads, false, None),
                Ok(sum.clone())
            );
        }
    }
}
