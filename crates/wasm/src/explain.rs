//! Tokens with their places, and what explanations are made of.

use std::collections::HashMap;
use std::ops::Range;

use super::answers::with_read;
use super::json::{self, Object};
use super::reader::Reader;
use truebleu_core::corpus::count_segment;
use truebleu_core::count::Whitespace;
use truebleu_core::count::edits::Edit;
use truebleu_core::error::Error;
use truebleu_core::metric::any::AnyMetric;
use truebleu_core::metric::bleu::Bleu;
use truebleu_core::metric::chrf::Chrf;
use truebleu_core::metric::ter::Ter;
use truebleu_core::metric::ter_steps::TerSteps;
use truebleu_core::metric::{Metric, Scope};
use truebleu_core::text::{Scratch, Segment};
use truebleu_core::tokenize::chrf_spans::chrf_spans;
use truebleu_core::tokenize::{Preprocessing, TokenList, spans};

/// A token, a character or a word: its text, and its place in the original, in units of UTF-16.
type Unit = (Vec<u8>, Range<usize>);

/// An n-gram: where it begins in the hypothesis and in each reference, and how often it counts.
struct Gram {
    places: Vec<usize>,
    found: Vec<Vec<usize>>,
    clipped: usize,
}

pub fn tokenize(reader: &mut Reader<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    with_read(reader, |metric, reader| {
        let AnyMetric::Bleu(bleu) = metric else {
            return Err(Error::InvalidSetting("only BLEU has tokenizers".to_owned()));
        };
        let text = Segment::Utf8(reader.text()?);
        write_units(out, &tokens(bleu.preprocessing, text)?);
        Ok(())
    })
}

pub fn explain(reader: &mut Reader<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    with_read(reader, |metric, reader| {
        let mut references = Vec::new();
        let hypothesis = reader.segment(&mut references)?;
        json::object(out, |object| {
            if let AnyMetric::Bleu(bleu) = metric {
                of_bleu(bleu, hypothesis, &references, object)
            } else if let AnyMetric::Chrf(chrf) = metric {
                of_chrf(chrf, hypothesis, &references, object)
            } else if let AnyMetric::Ter(ter) = metric {
                of_ter(*ter, hypothesis, &references, object)
            } else {
                Ok(())
            }
        })
    })
}

fn of_bleu(
    bleu: &Bleu,
    hypothesis: Segment<'_>,
    references: &[Segment<'_>],
    object: &mut Object<'_>,
) -> Result<(), Error> {
    let split = |&text: &_| tokens(bleu.preprocessing, text);
    let own = split(&hypothesis)?;
    let others: Vec<_> = references.iter().map(split).collect::<Result<_, _>>()?;
    let orders: Vec<_> = (1..=bleu.formula.counted_orders())
        .map(|order| ngrams(&own, &others, order, false))
        .collect();
    object.numbers("highest", highest(own.len(), &orders, false));
    write_units(object.name("tokens"), &own);
    json::list(object.name("references"), &others, |out, units| {
        write_units(out, units);
    });
    json::list(object.name("orders"), &orders, write_grams);
    Ok(())
}

fn of_chrf(
    chrf: &Chrf,
    hypothesis: Segment<'_>,
    references: &[Segment<'_>],
    object: &mut Object<'_>,
) -> Result<(), Error> {
    let chosen = first_best(chrf, hypothesis, references, |row| {
        -chrf.score(row, Scope::Segment)
    })?;
    let kept = chrf.whitespace == Whitespace::Kept;
    let mut sides = Vec::new();
    for text in [hypothesis, references[chosen]] {
        let mut scratch = Scratch::default();
        let units = chrf_spans(&mut scratch, text, chrf.preprocessing, kept)?;
        let before = json::units_before(text);
        sides.push(units.map(|units| {
            let unit = |(bytes, span): (Range<usize>, Range<usize>)| {
                let text = scratch.bytes()[bytes].to_vec();
                (text, before[span.start]..before[span.end])
            };
            units.into_iter().map(unit).collect::<Vec<Unit>>()
        }));
    }
    object.number("reference", chosen);
    let most = [chrf.formula.char_order, chrf.formula.word_order];
    for (unit, name) in ["characters", "words"].into_iter().enumerate() {
        let [own, other] = [0, 1].map(|side| &sides[side][unit]);
        let others = std::slice::from_ref(other);
        let orders: Vec<_> = (1..=most[unit])
            .map(|order| ngrams(own, others, order, true))
            .collect();
        json::object(object.name(name), |object| {
            write_units(object.name("hypothesis"), own);
            write_units(object.name("reference"), other);
            object.numbers("highest", highest(own.len(), &orders, false));
            object.numbers("referenceHighest", highest(other.len(), &orders, true));
            json::list(object.name("orders"), &orders, write_grams);
            Ok(())
        })?;
    }
    Ok(())
}

fn of_ter(
    ter: Ter,
    hypothesis: Segment<'_>,
    references: &[Segment<'_>],
    object: &mut Object<'_>,
) -> Result<(), Error> {
    let chosen = first_best(&ter, hypothesis, references, |row| {
        row[..4].iter().sum::<i64>()
    })?;
    let steps = TerSteps::of(ter, hypothesis, references[chosen])?;
    object.number("reference", chosen);
    for (name, words) in ["hypothesisWords", "referenceWords"]
        .iter()
        .zip(steps.words())
    {
        json::list(object.name(name), words, json::string);
    }
    json::list(object.name("shifts"), &steps.trace.shifts, |out, shift| {
        // An object without errors.
        let _ = json::object(out, |object| {
            object.number("start", shift.start);
            object.number("length", shift.length);
            object.number("target", shift.target);
            object.number("gain", shift.gain);
            Ok(())
        });
    });
    json::list(object.name("edits"), &steps.trace.edits, |out, edit| {
        let name = match edit {
            Edit::Match => "match",
            Edit::Substitution => "substitution",
            Edit::Deletion => "deletion",
            Edit::Insertion => "insertion",
        };
        json::string(out, name.as_bytes());
    });
    Ok(())
}

/// Which reference a metric compares with: the first one whose row costs least.
fn first_best<M: Metric, T: PartialOrd>(
    metric: &M,
    hypothesis: Segment<'_>,
    references: &[Segment<'_>],
    cost: impl Fn(&[i64]) -> T,
) -> Result<usize, Error> {
    let mut row = vec![0; metric.width()];
    let mut best: Option<(usize, T)> = None;
    for (index, reference) in references.iter().enumerate() {
        count_segment(metric, hypothesis, &[*reference], &mut row)?;
        let cost = cost(&row);
        if best.as_ref().is_none_or(|(_, least)| cost < *least) {
            best = Some((index, cost));
        }
    }
    let (index, _) = best.ok_or_else(|| {
        Error::InvalidSetting("there are no references; at least one is needed".to_owned())
    })?;
    Ok(index)
}

fn tokens(preprocessing: Preprocessing, text: Segment<'_>) -> Result<Vec<Unit>, Error> {
    let (mut scratch, mut list) = (Scratch::default(), TokenList::default());
    let places = spans::spans(preprocessing, &mut scratch, text, &mut list)?;
    let before = json::units_before(text);
    let tokens = list.as_slice().iter().zip(places);
    Ok(tokens
        .map(|(token, span)| {
            let text = token.bytes(&scratch).to_vec();
            (text, before[span.start]..before[span.end])
        })
        .collect())
}

/// The n-grams of one order, in the order in which they first occur, and then, if `all`, those that
/// only the references have.
fn ngrams(own: &[Unit], others: &[Vec<Unit>], order: usize, all: bool) -> Vec<Gram> {
    let mut grams: Vec<Gram> = Vec::new();
    let mut known = HashMap::new();
    let texts = std::iter::once(own).chain(others.iter().map(Vec::as_slice));
    for (side, units) in texts.enumerate() {
        for (start, units) in units.windows(order).enumerate() {
            let key: Vec<&[u8]> = units.iter().map(|(text, _)| &text[..]).collect();
            if side > 0 && !all && !known.contains_key(&key) {
                continue;
            }
            let index = *known.entry(key).or_insert(grams.len());
            if index == grams.len() {
                grams.push(Gram {
                    places: Vec::new(),
                    found: vec![Vec::new(); others.len()],
                    clipped: 0,
                });
            }
            let gram = &mut grams[index];
            match side.checked_sub(1) {
                None => gram.places.push(start),
                Some(reference) => gram.found[reference].push(start),
            }
        }
    }
    for gram in &mut grams {
        let most = gram.found.iter().map(Vec::len).max().unwrap_or(0);
        gram.clipped = gram.places.len().min(most);
    }
    grams
}

/// For each token the highest order of a match that it is part of: of the hypothesis or, if `other`,
/// of the reference. If an n-gram occurs more often than it counts, its first occurrences match.
fn highest(length: usize, orders: &[Vec<Gram>], other: bool) -> Vec<usize> {
    let mut highest = vec![0; length];
    for (order, grams) in (1..).zip(orders) {
        for gram in grams {
            let places = if other { &gram.found[0] } else { &gram.places };
            for &start in places.iter().take(gram.clipped) {
                highest[start..start + order].fill(order);
            }
        }
    }
    highest
}

fn write_units(out: &mut Vec<u8>, units: &[Unit]) {
    json::list(out, units, |out, (text, span)| {
        // An object without errors.
        let _ = json::object(out, |object| {
            object.string("text", text);
            object.number("start", span.start);
            object.number("end", span.end);
            Ok(())
        });
    });
}

fn write_grams(out: &mut Vec<u8>, grams: &Vec<Gram>) {
    json::list(out, grams, |out, gram| {
        // An object without errors.
        let _ = json::object(out, |object| {
            object.numbers("places", &gram.places);
            json::list(
                object.name("referencePlaces"),
                &gram.found,
                |out, places| {
                    json::list(out, places, json::number);
                },
            );
            object.number("clipped", gram.clipped);
            Ok(())
        });
    });
}
