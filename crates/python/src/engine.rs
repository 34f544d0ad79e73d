//! The engine: counting and scoring with one choice of metric and settings.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyType};

use super::arguments::{floats, from_bytes};
use super::arrow::Column;
use super::errors::{InputError, OrRaise, caught, exception, made, with_message};
use super::lines::Lines;
use super::observe::Observed;
use super::sentence::{self, ScoreClass, Sentence};
use super::total::{Total, for_chunks};
use truebleu_core::count::Whitespace;
use truebleu_core::error::Error;
use truebleu_core::metric::any::{AnyMetric, with_metric};
use truebleu_core::metric::chrf::Chrf;
use truebleu_core::metric::chrf_formula::ChrfFormula;
use truebleu_core::metric::ter::Ter;
use truebleu_core::metric::{Metric, Scope};
use truebleu_core::text::lines::{self, Reader};
use truebleu_core::text::{Form, arrow};
use truebleu_core::tokenize::{Preprocessing, Tercom, Tokenizer};

/// Number of rows of a column between two checks for Ctrl-C. More than for lists, because columns
/// are read without the interpreter.
const ROWS: usize = 1 << 15;

/// The largest number of orders of n-grams.
const MOST_ORDERS: usize = 1 << 20;

/// A metric with all its settings, validated; immutable.
#[pyclass(frozen, subclass, module = "truebleu._core")]
pub struct Engine {
    /// The metric with these settings.
    pub metric: AnyMetric,
    /// What a segment is in Python.
    pub takes: Takes,
    /// The class of the metric's scores; None if it has none, as for a drop-in.
    pub scores: Option<ScoreClass>,
}

/// What a segment is in Python, for callers that pass one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Text that the core tokenizes.
    Text,
    /// Tokens, in lists or tuples of str, or of int.
    Tokens,
    /// Text that is tokenized in Python, so that the core cannot score it by itself.
    OtherText,
}

#[pymethods]
impl Engine {
    /// The engine of chrF with these settings. If `whitespace` is None, only spaces (U+0020) and
    /// whitespace at both ends are left out.
    #[staticmethod]
    #[pyo3(signature = (*, char_order, word_order, squared_beta, lowercase, whitespace, eps_smoothing, unicode_form=None, score_type=None))]
    fn chrf(
        char_order: usize,
        word_order: usize,
        squared_beta: f64,
        lowercase: bool,
        whitespace: Option<bool>,
        eps_smoothing: bool,
        unicode_form: Option<&str>,
        score_type: Option<&Bound<'_, PyType>>,
    ) -> PyResult<Self> {
        check_orders(char_order.saturating_add(word_order))?;
        let formula = ChrfFormula {
            char_order,
            word_order,
            squared_beta,
            eps_smoothing,
        };
        let chrf = Chrf {
            preprocessing: Preprocessing {
                unicode_form: form(unicode_form)?,
                lowercase,
                tokenizer: Tokenizer::None,
            },
            whitespace: match whitespace {
                Some(false) => Whitespace::Removed,
                Some(true) => Whitespace::Kept,
                None => Whitespace::WithoutSpaces,
            },
            formula,
        };
        Self::with(AnyMetric::Chrf(chrf), score_type)
    }

    /// The engine of TER with these settings.
    #[staticmethod]
    #[pyo3(signature = (*, normalized, no_punct, asian_support, case_sensitive, unicode_form=None, short_blocks=false, score_type=None))]
    fn ter(
        normalized: bool,
        no_punct: bool,
        asian_support: bool,
        case_sensitive: bool,
        unicode_form: Option<&str>,
        short_blocks: bool,
        score_type: Option<&Bound<'_, PyType>>,
    ) -> PyResult<Self> {
        let tokenizer = Tercom {
            case_sensitive,
            normalized,
            no_punct,
            asian_support,
        };
        Self::with(
            AnyMetric::Ter(Ter {
                tokenizer,
                unicode_form: form(unicode_form)?,
                short_blocks,
            }),
            score_type,
        )
    }

    #[getter]
    fn row_width(&self) -> usize {
        with_metric!(&self.metric, metric => metric.width())
    }

    /// The names of the numbers of a row.
    #[getter]
    fn fields(&self) -> Vec<String> {
        with_metric!(&self.metric, metric => {
            (0..metric.width()).map(|column| metric.field(column)).collect()
        })
    }

    /// Statistics of the lists of str of several systems against a list of references, each of which
    /// is a str or a list or tuple of str and None. `observed` has as many items as there are
    /// systems, or none.
    fn count<'py>(
        &self,
        py: Python<'py>,
        systems: Vec<Bound<'py, PyList>>,
        references: &Bound<'py, PyList>,
        threads: usize,
        each: bool,
        observed: Vec<PyRef<'py, Observed>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        some_system(&systems)?;
        let observed = observed.iter().map(|observed| &observed.0).collect();
        made(py, || {
            with_metric!(&self.metric, metric => {
                let mut total = Total::new(metric, systems.len(), each, observed);
                for_chunks(py, &systems, references, |batch, read_next| {
                    total.add_while(py, batch, threads, read_next)
                })?;
                total.of_systems(py)
            })
        })
    }

    /// The same for the first `segments` lines of the files of several systems, which are read
    /// ahead meanwhile if there are several threads. `observed` has as many items, or none.
    fn count_lines<'py>(
        &self,
        py: Python<'py>,
        systems: Vec<PyRef<'py, Lines>>,
        references: Vec<PyRef<'py, Lines>>,
        segments: usize,
        threads: usize,
        each: bool,
        observed: Vec<PyRef<'py, Observed>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        some_system(&systems)?;
        let files: Vec<_> = systems.iter().chain(&references).collect();
        // All calls lock files in the order of their addresses, so that no two wait for each other.
        let mut order: Vec<_> = (0..files.len()).collect();
        order.sort_unstable_by_key(|&file| files[file].as_ptr());
        let same = |pair: &[usize]| files[pair[0]].as_ptr() == files[pair[1]].as_ptr();
        if order.windows(2).any(same) {
            // It would wait for itself.
            return Err(with_message::<InputError>(
                "the same lines are given twice: open the file once for each argument",
            ));
        }
        let mut locked: Vec<_> = order
            .into_iter()
            .map(|file| (file, files[file].lock(py)))
            .collect();
        locked.sort_unstable_by_key(|&(file, _)| file);
        let mut guards: Vec<_> = locked.into_iter().map(|(_, lines)| lines).collect();
        if guards.iter().any(|lines| lines.available() < segments) {
            return Err(exception(Error::BadTable));
        }
        let before = guards.first().map_or(0, |lines| lines.dropped());
        let (lines, readers): (Vec<_>, Vec<_>) =
            guards.iter_mut().map(|lines| lines.parts()).unzip();
        let (hypotheses, references) = lines.split_at(systems.len());
        let batch = caught(py, || Ok(lines::batch(hypotheses, references, segments)))?;
        let observed = observed.iter().map(|observed| &observed.0).collect();
        let reads = readers.iter().any(|reader| reader.can_read_ahead());
        let read_ahead = || {
            if reads {
                py.detach(|| readers.into_iter().for_each(Reader::read_ahead));
            }
        };
        made(py, || {
            with_metric!(&self.metric, metric => {
                let mut total = Total::new(metric, systems.len(), each, observed).after(before);
                total.add_while(py, &batch, threads, read_ahead)?;
                total.of_systems(py)
            })
        })
    }

    /// The same for Arrow columns. Those of references may have lists.
    #[pyo3(signature = (hypotheses, references, threads, each, observed=None))]
    fn count_columns<'py>(
        &self,
        py: Python<'py>,
        hypotheses: &Column,
        references: Vec<PyRef<'py, Column>>,
        threads: usize,
        each: bool,
        observed: Option<&Observed>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let hypotheses = hypotheses.get();
        let references: Vec<_> = references.iter().map(|column| column.get()).collect();
        let observed = observed.iter().map(|observed| &observed.0).collect();
        made(py, || {
            with_metric!(&self.metric, metric => {
                let mut total = Total::new(metric, 1, each, observed);
                for start in (0..hypotheses.len()).step_by(ROWS) {
                    py.check_signals()?;
                    let end = hypotheses.len().min(start + ROWS);
                    let batch = py.detach(|| arrow::batch(hypotheses, &references, start..end));
                    total.add(py, &batch, threads)?;
                }
                total.into_python(py)
            })
        })
    }

    /// The score of one sentence, as the score of `metric` that it would compute; None if an argument
    /// is of a type that Python has to look at, or there is no reference.
    pub fn sentence<'py>(
        &self,
        metric: &Bound<'py, PyAny>,
        hypothesis: &Bound<'py, PyAny>,
        references: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(scores) = &self.scores else {
            return Ok(None);
        };
        caught(metric.py(), || {
            with_metric!(&self.metric, counted => {
                let score = |_, sentence: &Sentence<'_>| {
                    scores.make(counted.score(sentence.row, Scope::Segment), metric, sentence)
                };
                match (self.takes, &self.metric) {
                    (Takes::Text, _) => sentence::with_text(counted, hypothesis, references, score),
                    (Takes::Tokens, AnyMetric::Bleu(bleu)) => {
                        sentence::with_tokens(bleu, hypothesis, references, true, score)
                    }
                    _ => Ok(None),
                }
            })
        })
    }

    /// The scores of all rows as little-endian float64: one for each row, which is that of a segment,
    /// or else a sum.
    #[pyo3(signature = (rows, *, segment=false))]
    fn score_rows<'py>(
        &self,
        py: Python<'py>,
        rows: &[u8],
        segment: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        caught(py, || {
            let rows = from_bytes(rows)?;
            let scores = py.detach(
                || with_metric!(&self.metric, metric => metric.score_rows(&rows, scope(segment))),
            );
            floats(py, &scores.or_raise()?)
        })
    }
}

impl Engine {
    fn with(metric: AnyMetric, score_type: Option<&Bound<'_, PyType>>) -> PyResult<Self> {
        Ok(Self {
            metric,
            takes: Takes::Text,
            scores: score_type.map(ScoreClass::of).transpose()?,
        })
    }
}

/// Rejects orders of which there are none, or so many that a row has more than 100 MB.
pub fn check_orders(orders: usize) -> PyResult<()> {
    if (1..=MOST_ORDERS).contains(&orders) {
        return Ok(());
    }
    let message = format!("{orders} orders; there must be from 1 to {MOST_ORDERS}");
    Err(exception(Error::InvalidSetting(message)))
}

/// Rejects a call without systems.
fn some_system<T>(systems: &[T]) -> PyResult<()> {
    if systems.is_empty() {
        return Err(exception(Error::BadTable));
    }
    Ok(())
}

/// The Unicode normal form with this name, if any.
pub fn form(name: Option<&str>) -> PyResult<Option<Form>> {
    name.map(Form::named).transpose().or_raise()
}

/// What the rows of a call describe.
pub fn scope(segment: bool) -> Scope {
    if segment {
        Scope::Segment
    } else {
        Scope::Corpus
    }
}
