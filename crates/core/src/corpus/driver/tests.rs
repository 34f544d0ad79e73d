//! Tests of counting many segments: threads, tables, errors and pauses.

use super::*;

use std::cell::RefCell;
use std::thread::LocalKey;
use std::time::Duration;

use crate::count::rows::add_rows;
use crate::error::Field;
use crate::metric::Scope;

/// A metric unrelated to BLEU: bytes of the hypothesis, and of all references.
struct Sizes;

thread_local! {
    static SEGMENTS: RefCell<Option<usize>> = const { RefCell::new(None) };
}

impl Metric for Sizes {
    /// Number of segments counted.
    type Worker = usize;

    fn worker() -> &'static LocalKey<RefCell<Option<usize>>> {
        &SEGMENTS
    }

    fn width(&self) -> usize {
        2
    }

    fn field(&self, column: usize) -> String {
        ["hypothesis", "references"][column].to_owned()
    }

    fn count(
        &self,
        worker: &mut usize,
        hypotheses: &[Segment<'_>],
        references: &[Segment<'_>],
        rows: &mut [i64],
    ) -> Result<(), Error> {
        *worker += 1;
        let sum = references.iter().map(Segment::weight).sum();
        for (hypothesis, row) in hypotheses.iter().zip(rows.chunks_exact_mut(2)) {
            for (field, size) in row.iter_mut().zip([hypothesis.weight(), sum]) {
                *field = i64::try_from(size).map_err(|_| Error::Internal)?;
            }
            if row[0] == 13 {
                row[1] = i64::MAX;
            }
            if [LATE, EARLY].map(i64::from).contains(&row[0]) {
                let is_late = row[0] == i64::from(LATE);
                thread::sleep(Duration::from_millis(if is_late { 50 } else { 0 }));
                return Err(Error::TooLong { segment: 0 });
            }
        }
        Ok(())
    }

    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    fn score(&self, row: &[i64], _: Scope) -> f64 {
        row[0] as f64 / row[1] as f64
    }
}

/// Lengths of segments that are errors, of which one comes late.
const LATE: u8 = 7;
const EARLY: u8 = 11;

/// The sum does not depend on the number of threads, nor on whether rows are kept or added.
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
        let references = lines[(i * 7 + 3) % lines.len()..].iter().take(i % 3);
        batch.push(
            Segment::Utf8(line.as_bytes()),
            references.map(|line| Segment::Utf8(line.as_bytes())),
        );
    }
    let sum = count_batch(&Sizes, &batch, 1, false, &[]).expect("counts");
    assert_eq!(SEGMENTS.take(), Some(lines.len()));
    let length = |line: &String| i64::try_from(line.len()).expect("short");
    assert_eq!(sum[0], lines.iter().map(length).sum::<i64>());
    for threads in [1, 2, 3] {
        let table = count_batch(&Sizes, &batch, threads, true, &[]).expect("counts");
        assert_eq!(add_rows(&table, 2), Ok(sum.clone()));
        let row = &mut [0; 2];
        let (hypothesis, references) = batch.segment(4711);
        count_segment(&Sizes, hypothesis, references, row).expect("counts");
        assert_eq!(table[2 * 4711..][..2], *row);
        assert_eq!(
            count_batch(&Sizes, &batch, threads, false, &[]),
            Ok(sum.clone())
        );
    }
}

/// Systems that are counted together have the rows and facts of each by itself.
#[test]
fn systems_do_not_mix() {
    let line = |i: usize| "word ".repeat(1 + i % 50);
    let lines: Vec<String> = (0..9000).map(line).collect();
    let text = |i: usize| Segment::Utf8(lines[i % lines.len()].as_bytes());
    let mut together = Batch::of_systems(3, 3000);
    let mut alone = [0; 3].map(|_| Batch::with_capacity(3000));
    for i in 0..3000 {
        let references: Vec<_> = (0..i % 4).map(|n| text(i + 7 * n + 2)).collect();
        let hypotheses = [text(i), text(i + 2), text(3 * i)];
        together.push_systems(hypotheses, references.iter().copied());
        for (batch, hypothesis) in alone.iter_mut().zip(hypotheses) {
            batch.push(hypothesis, references.iter().copied());
        }
    }
    let facts = || [0; 3].map(|_| Mutex::new(Observed::default()));
    for (threads, each) in [(1, true), (1, false), (2, true), (3, false)] {
        let (seen, expected) = (facts(), facts());
        let rows = count_batch(&Sizes, &together, threads, each, &seen.each_ref());
        let rows = rows.expect("counts");
        for (system, batch) in alone.iter().enumerate() {
            let one = count_batch(&Sizes, batch, 1, each, &[&expected[system]]);
            let of_system = rows.chunks_exact(2).skip(system).step_by(3);
            assert_eq!(
                of_system.flatten().copied().collect::<Vec<_>>(),
                one.expect("counts")
            );
        }
        for (seen, expected) in seen.into_iter().zip(expected) {
            assert_eq!(
                seen.into_inner().expect("seen"),
                expected.into_inner().expect("seen")
            );
        }
    }
}

/// Of several errors the one of the first segment is returned, whichever thread is faster.
#[test]
fn the_first_segment_with_an_error_is_named() {
    let text = "x".repeat(1000);
    let lengths: Vec<usize> = (0..20 * PIECE)
        .map(|segment| match segment {
            200 => usize::from(LATE),
            300 | 600 | 900 => usize::from(EARLY),
            _ => text.len(),
        })
        .collect();
    let mut batch = Batch::with_capacity(lengths.len());
    for length in lengths {
        batch.push(Segment::Utf8(&text.as_bytes()[..length]), []);
    }
    for threads in [1, 2, 4] {
        let result = count_batch(&Sizes, &batch, threads, true, &[]);
        assert_eq!(result, Err(Error::TooLong { segment: 200 }), "{threads}");
    }
}

/// An error in a pause stops all threads, and comes back.
#[test]
fn a_pause_can_stop_the_work() {
    let text = "x".repeat(BETWEEN_PAUSES / 100);
    let mut batch = Batch::with_capacity(5000);
    for _ in 0..5000 {
        batch.push(Segment::Utf8(text.as_bytes()), []);
    }
    for threads in [1, 3] {
        let count = || {
            count_batch_while(&Sizes, &batch, threads, false, &[], |finish| {
                finish(&|| Err(Error::Interrupted))
            })
        };
        // On a busy machine, the others may have counted everything before this thread pauses.
        let error = (0..1000).find_map(|_| count().err());
        assert_eq!(error, Some(Error::Interrupted));
    }
}

/// The error has the metric's name of the field.
#[test]
fn overflowing_fields_are_named() {
    let mut batch = Batch::with_capacity(2);
    for text in [b"thirteen long".as_slice(), b"thirteen long"] {
        batch.push(Segment::Utf8(text), []);
    }
    let overflow = Err(Error::Overflow(Field::Named("references".to_owned())));
    assert_eq!(count_batch(&Sizes, &batch, 1, false, &[]), overflow);
}
