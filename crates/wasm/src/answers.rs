//! Counting, scoring and resampling.

use std::cell::RefCell;
use std::io::Write;

use super::json;
use super::reader::{MOST, Reader};
use super::settings;
use truebleu_core::corpus::count_segment;
use truebleu_core::count::ReferenceLength;
use truebleu_core::count::rows::add_row;
use truebleu_core::error::Error;
use truebleu_core::metric::any::{AnyMetric, with_metric};
use truebleu_core::metric::bleu::Bleu;
use truebleu_core::metric::bleu_row::{self, Row};
use truebleu_core::metric::chrf_formula::{self, FIELDS};
use truebleu_core::metric::smoothing::SMOOTHINGS;
use truebleu_core::metric::ter::words;
use truebleu_core::metric::{Metric, Scope};
use truebleu_core::resample::Units;
use truebleu_core::text::Form;
use truebleu_core::tokenize::Tokenizer;

thread_local! {
    /// The last metric, and the bytes that it was made of.
    static LAST: RefCell<Option<(Vec<u8>, AnyMetric)>> = const { RefCell::new(None) };
}

/// Reads a metric, and passes it on. That of the last call is not made again.
pub fn with_read<T>(
    reader: &mut Reader<'_>,
    work: impl FnOnce(&AnyMetric, &mut Reader<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    LAST.with_borrow_mut(|last| {
        let input = reader.rest();
        let metric = match last {
            Some((bytes, metric)) if input.starts_with(bytes) => {
                reader.bytes(bytes.len())?;
                metric
            }
            _ => {
                let metric = settings::metric(reader)?;
                let bytes = input[..input.len() - reader.rest().len()].to_vec();
                &mut last.insert((bytes, metric)).1
            }
        };
        work(metric, reader)
    })
}

pub fn describe(reader: &mut Reader<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    with_read(reader, |metric, _| {
        with_metric!(metric, metric => {
            json::list(out, 0..metric.width(), |out, column| {
                json::string(out, metric.field(column).as_bytes());
            });
        });
        Ok(())
    })
}

/// The names that settings take; of smoothings also the default of `smooth_value`, if they have one.
#[expect(clippy::unnecessary_wraps, reason = "all functions have one type")]
pub fn names(_: &mut Reader<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    fn each<T>(out: &mut Vec<u8>, table: &[(&str, T)]) {
        json::list(out, table, |out, (name, _)| {
            json::string(out, name.as_bytes());
        });
    }
    out.extend(b"{\"tokenizer\":");
    each(out, &Tokenizer::ALL);
    out.extend(b",\"referenceLength\":");
    each(out, &ReferenceLength::ALL);
    out.extend(b",\"unicodeForm\":");
    each(out, &Form::ALL);
    out.extend(b",\"smoothing\":");
    json::list(out, SMOOTHINGS, |out, facts| {
        out.push(b'[');
        json::string(out, facts.name.as_bytes());
        // Writing to memory cannot fail.
        let _ = if facts.takes_value {
            write!(out, ",{}]", facts.value)
        } else {
            write!(out, ",null]")
        };
    });
    out.push(b'}');
    Ok(())
}

pub fn count(reader: &mut Reader<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    with_read(reader, |metric, reader| {
        let only_sentences = match metric {
            AnyMetric::Bleu(bleu) => bleu.formula.smoothing.sentence_only(),
            _ => false,
        };
        with_metric!(metric, metric => rows(metric, only_sentences, reader, out))
    })
}

/// Counts segments into rows, or their sum.
fn rows<M: Metric>(
    metric: &M,
    only_sentences: bool,
    reader: &mut Reader<'_>,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    let (each, segments) = (reader.number()? == 1, reader.number()?);
    if !each && segments > 1 && only_sentences {
        return Err(Error::InvalidSetting(
            "this smoothing scores single segments: score each, or choose another".to_owned(),
        ));
    }
    let mut sum = vec![0; metric.width()];
    let mut row = sum.clone();
    let mut references = Vec::new();
    for segment in 0..segments {
        let hypothesis = reader.segment(&mut references)?;
        count_segment(metric, hypothesis, &references, &mut row)
            .map_err(|error| error.after(segment))?;
        if each {
            write_row(out, &row)?;
        } else {
            add_row(&mut sum, &row).map_err(|error| error.named(|column| metric.field(column)))?;
        }
    }
    if each { Ok(()) } else { write_row(out, &sum) }
}

/// Writes a row of numbers that JavaScript has.
#[expect(clippy::cast_precision_loss, reason = "it is checked")]
fn write_row(out: &mut Vec<u8>, row: &[i64]) -> Result<(), Error> {
    for &number in row {
        let float = number as f64;
        if float.abs() > MOST {
            return Err(Error::InvalidSetting(format!("{number} is above 2^53")));
        }
        write_float(out, float);
    }
    Ok(())
}

fn write_float(out: &mut Vec<u8>, float: f64) {
    out.extend(float.to_le_bytes());
}

fn scope(reader: &mut Reader<'_>) -> Result<Scope, Error> {
    Ok(if reader.number()? == 1 {
        Scope::Segment
    } else {
        Scope::Corpus
    })
}

/// Reads so many rows, and refuses those that no text has.
fn possible_rows(
    metric: &AnyMetric,
    reader: &mut Reader<'_>,
    count: usize,
) -> Result<Vec<i64>, Error> {
    let width = with_metric!(metric, metric => metric.width());
    let rows = reader.rows(count, width)?;
    if let AnyMetric::Bleu(bleu) = metric {
        bleu_row::check_rows(&rows, width, bleu.phantom_ngrams)?;
    } else if let AnyMetric::Chrf(chrf) = metric {
        let fields: Vec<_> = (0..width).map(|column| chrf.field(column)).collect();
        chrf_formula::check_rows(&rows, &fields)?;
    }
    Ok(rows)
}

pub fn score(reader: &mut Reader<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    with_read(reader, |metric, reader| {
        let (scope, count) = (scope(reader)?, reader.number()?);
        let rows = possible_rows(metric, reader, count)?;
        let scores = match metric {
            AnyMetric::Bleu(bleu) => bleu.score_lists(&rows, scope)?,
            other => with_metric!(other, metric => metric.score_rows(&rows, scope))?,
        };
        for score in scores {
            write_float(out, score);
        }
        Ok(())
    })
}

/// A score with all that it follows from.
pub fn result(reader: &mut Reader<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    with_read(reader, |metric, reader| {
        let scope = scope(reader)?;
        let row = possible_rows(metric, reader, 1)?;
        let score = with_metric!(metric, metric => metric.score(&row, scope));
        json::object(out, |object| {
            object.number("score", score);
            if let AnyMetric::Bleu(bleu) = metric {
                of_bleu(bleu, &row, scope, object)?;
            } else if let AnyMetric::Chrf(_) = metric {
                for (part, name) in ["hypTotals", "refTotals", "matches"].iter().enumerate() {
                    object.numbers(name, row.iter().skip(part).step_by(FIELDS));
                }
            } else if let AnyMetric::Ter(_) = metric {
                let names = ["insertions", "deletions", "substitutions", "shifts"];
                object.number("edits", row[..4].iter().sum::<i64>());
                for (name, count) in names.iter().zip(&row) {
                    object.number(name, count);
                }
                #[expect(clippy::cast_precision_loss, reason = "it came from a float64")]
                object.number("refLen", words(row[4] as f64));
            }
            object.numbers("row", &row);
            Ok(())
        })
    })
}

fn of_bleu(
    bleu: &Bleu,
    row: &[i64],
    scope: Scope,
    object: &mut json::Object<'_>,
) -> Result<(), Error> {
    let parts = bleu.parts(row, scope)?;
    let fields = Row::new(row);
    object.numbers("scores", parts.scores);
    object.numbers("precisions", parts.precisions);
    object.number("brevityPenalty", parts.brevity_penalty);
    object.number("orders", parts.orders);
    object.number("hypLen", fields.hyp_len);
    object.number("refLen", fields.ref_len);
    object.numbers("counts", fields.matches);
    object.numbers("totals", fields.totals);
    Ok(())
}

pub fn bootstrap(reader: &mut Reader<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    with_read(reader, |metric, reader| {
        let (seed, samples) = (reader.whole()?.unsigned_abs(), reader.number()?);
        let (systems, count) = (reader.number()?, reader.number()?);
        let width = with_metric!(metric, metric => metric.width());
        let mut tables = Vec::new();
        for _ in 0..systems {
            tables.push(possible_rows(metric, reader, count)?);
        }
        let units = Units::new(&tables, width)?;
        for score in units.bootstrap(metric, seed, 0..samples as u64, 1)? {
            write_float(out, score);
        }
        Ok(())
    })
}
