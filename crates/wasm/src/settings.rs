//! The settings of the metrics by their names in Python, with their defaults.

use std::fmt::Write;

use super::reader::Reader;
use truebleu_core::count::{ReferenceLength, Whitespace};
use truebleu_core::error::Error;
use truebleu_core::metric::any::AnyMetric;
use truebleu_core::metric::bleu::Bleu;
use truebleu_core::metric::bleu_formula::Formula;
use truebleu_core::metric::chrf::Chrf;
use truebleu_core::metric::chrf_formula::ChrfFormula;
use truebleu_core::metric::smoothing::Smoothing;
use truebleu_core::metric::ter::Ter;
use truebleu_core::text::Form;
use truebleu_core::tokenize::{Preprocessing, Tercom, Tokenizer};

/// As in Python.
const LARGEST_ORDER: usize = 1000;
const LARGEST_BETA: f64 = 1e6;

/// The settings that are given, and those that have been taken.
struct Given<'a> {
    metric: &'a str,
    pairs: Vec<(&'a str, &'a str)>,
    names: Vec<&'static str>,
}

/// Reads a metric.
pub fn metric(reader: &mut Reader<'_>) -> Result<AnyMetric, Error> {
    let metric = reader.word()?;
    let mut pairs = Vec::new();
    for _ in 0..reader.number()? {
        pairs.push((reader.word()?, reader.word()?));
    }
    let mut given = Given {
        metric,
        pairs,
        names: Vec::new(),
    };
    let made = match metric {
        "bleu" => AnyMetric::Bleu(bleu(&mut given)?),
        "chrf" => AnyMetric::Chrf(chrf(&mut given)?),
        "ter" => AnyMetric::Ter(ter(&mut given)?),
        _ => {
            return Err(Error::UnknownName {
                what: "metric",
                name: metric.to_owned(),
            });
        }
    };
    given.check_nothing_left()?;
    Ok(made)
}

fn bleu(given: &mut Given<'_>) -> Result<Bleu, Error> {
    let tokenizer = Tokenizer::named(given.take("tokenizer").unwrap_or("13a"))?;
    let preprocessing = given.preprocessing(tokenizer)?;
    let weights = given.take("weights").map_or(Ok(Vec::new()), weights)?;
    let longest = weights.iter().map(Vec::len).max();
    let max_order = given.order("max_order", longest.unwrap_or(4), 1)?;
    if longest.is_some_and(|longest| longest != max_order) {
        return Err(Error::InvalidSetting(format!(
            "there are weights for {} orders, but max_order is {max_order}; give as many weights, \
             or leave max_order out",
            longest.unwrap_or(0)
        )));
    }
    let smoothing = given.take("smoothing").unwrap_or("exp");
    let value = given.number("smooth_value")?;
    Ok(Bleu {
        preprocessing,
        reference_length: ReferenceLength::named(
            given.take("reference_length").unwrap_or("closest"),
        )?,
        phantom_ngrams: given.flag("phantom_ngrams")?.unwrap_or(false),
        formula: Formula {
            max_order,
            smoothing: Smoothing::named(smoothing, value)?,
            effective_order: given.flag("effective_order")?,
            brevity_penalty: given.flag("brevity_penalty")?.unwrap_or(true),
            weights: without_uniform(weights),
        },
    })
}

fn chrf(given: &mut Given<'_>) -> Result<Chrf, Error> {
    let preprocessing = given.preprocessing(Tokenizer::None)?;
    let whitespace = given.flag("whitespace")?.unwrap_or(false);
    let char_order = given.order("char_order", 6, 0)?;
    let word_order = given.order("word_order", 0, 0)?;
    if char_order + word_order == 0 {
        return Err(Error::InvalidSetting(
            "char_order and word_order are both 0; nothing would be counted".to_owned(),
        ));
    }
    let beta = given.number("beta")?.unwrap_or(2.0);
    if !(0.0..=LARGEST_BETA).contains(&beta) {
        return Err(Error::InvalidSetting(format!(
            "beta is {beta}; it must be from 0 to 1000000"
        )));
    }
    Ok(Chrf {
        preprocessing,
        whitespace: if whitespace {
            Whitespace::Kept
        } else {
            Whitespace::Removed
        },
        formula: ChrfFormula {
            char_order,
            word_order,
            squared_beta: beta * beta,
            eps_smoothing: given.flag("eps_smoothing")?.unwrap_or(false),
        },
    })
}

fn ter(given: &mut Given<'_>) -> Result<Ter, Error> {
    given.check_form()?;
    Ok(Ter {
        unicode_form: None,
        tokenizer: Tercom {
            normalized: given.flag("normalized")?.unwrap_or(false),
            no_punct: given.flag("no_punct")?.unwrap_or(false),
            asian_support: given.flag("asian_support")?.unwrap_or(false),
            case_sensitive: given.flag("case_sensitive")?.unwrap_or(false),
        },
        short_blocks: false,
    })
}

impl<'a> Given<'a> {
    fn take(&mut self, name: &'static str) -> Option<&'a str> {
        self.names.push(name);
        let place = self.pairs.iter().position(|&(given, _)| given == name)?;
        Some(self.pairs.swap_remove(place).1)
    }

    fn flag(&mut self, name: &'static str) -> Result<Option<bool>, Error> {
        let read = |text: &str| {
            text.parse().map_err(|_| {
                Error::InvalidSetting(format!("{name} is {text:?}; true or false is needed"))
            })
        };
        self.take(name).map(read).transpose()
    }

    fn number(&mut self, name: &'static str) -> Result<Option<f64>, Error> {
        let read = |text| {
            float(text).ok_or_else(|| {
                Error::InvalidSetting(format!("{name} is {text:?}; a number is needed"))
            })
        };
        self.take(name).map(read).transpose()
    }

    #[expect(clippy::cast_precision_loss, reason = "orders are few")]
    fn order(&mut self, name: &'static str, usual: usize, least: usize) -> Result<usize, Error> {
        let Some(number) = self.number(name)? else {
            return Ok(usual);
        };
        (least..=LARGEST_ORDER)
            .find(|&order| order as f64 == number)
            .ok_or_else(|| {
                Error::InvalidSetting(format!(
                    "{name} is {number}; it must be a whole number from {least} to {LARGEST_ORDER}"
                ))
            })
    }

    /// Checks the normal form, in which texts come.
    fn check_form(&mut self) -> Result<(), Error> {
        self.take("unicode_form").map(Form::named).transpose()?;
        Ok(())
    }

    fn preprocessing(&mut self, tokenizer: Tokenizer) -> Result<Preprocessing, Error> {
        self.check_form()?;
        Ok(Preprocessing {
            unicode_form: None,
            lowercase: self.flag("lowercase")?.unwrap_or(false),
            tokenizer,
        })
    }

    fn check_nothing_left(&self) -> Result<(), Error> {
        let Some((name, _)) = self.pairs.first() else {
            return Ok(());
        };
        let mut message = format!("{} has no setting {name:?}; it has ", self.metric);
        for (index, name) in self.names.iter().enumerate() {
            // Writing to memory cannot fail.
            let _ = write!(message, "{}{name}", if index > 0 { ", " } else { "" });
        }
        Err(Error::InvalidSetting(message))
    }
}

/// Reads a number: `#` and the bits of a float64 in hexadecimal. Decimals would need large tables.
fn float(text: &str) -> Option<f64> {
    let bits = u64::from_str_radix(text.strip_prefix('#')?, 16);
    bits.ok().map(f64::from_bits)
}

/// Reads weights with `,` between them, or several lists with `;` between them.
fn weights(text: &str) -> Result<Vec<Vec<f64>>, Error> {
    let list = |list: &str| -> Option<Vec<f64>> {
        let weights: Vec<f64> = list.split(',').map(float).collect::<Option<_>>()?;
        let valid = weights
            .iter()
            .all(|weight| (0.0..f64::INFINITY).contains(weight));
        (valid && weights.iter().any(|&weight| weight > 0.0)).then_some(weights)
    };
    let lists: Option<_> = text.split(';').map(list).collect();
    lists.ok_or_else(|| {
        Error::InvalidSetting(
            "weights: one finite number from 0 up per order is needed, and not only 0".to_owned(),
        )
    })
}

/// Uniform weights that are written out give the same score as the default, to the last bit.
#[expect(clippy::cast_precision_loss, reason = "orders are few")]
fn without_uniform(weights: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let is_uniform = |list: &Vec<f64>| list.iter().all(|&weight| weight == 1.0 / list.len() as f64);
    match &weights[..] {
        [list] if is_uniform(list) => Vec::new(),
        _ => weights,
    }
}
