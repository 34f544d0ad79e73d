//! The border to Python, and the only place that names pyo3: read arguments, release the
//! interpreter, map errors. Shapes are checked, and messages written, on the Python side.

mod arguments;
mod arrow;
mod pairwise;
mod resample;
mod stream;

use pyo3::exceptions::{PyMemoryError, PyOverflowError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};

use crate::batch::{Batch, Counting, count_one, statistics};
use crate::bleu::{ReferenceLength, Scoring, add_row, add_rows, row_width};
use crate::column;
use crate::error::Error;
use crate::smoothing::Smoothing;
use crate::text::Scratch;
use crate::tokenize::{TokenList, Tokenizer, unicode};
use crate::tokens::{self, spans};

use arguments::{Held, Ids, from_bytes, to_bytes};
use arrow::Column;
use stream::Lines;

pyo3::create_exception!(
    _core,
    InvalidUtf8Error,
    PyValueError,
    "Arguments: line, byte (from 1)."
);

impl From<Error> for PyErr {
    fn from(error: Error) -> Self {
        match error {
            Error::InvalidUtf8 { line, byte } => InvalidUtf8Error::new_err((line, byte)),
            Error::TooLong { .. } => PyOverflowError::new_err(error.to_string()),
            Error::WrongType(name) => PyTypeError::new_err(name),
            Error::Internal | Error::Interrupted => PyRuntimeError::new_err(error.to_string()),
            // Something that was given is wrong.
            _ => PyValueError::new_err(error.to_string()),
        }
    }
}

/// Segments between two looks at Ctrl-C.
const CHUNK: usize = 1 << 13;

/// The same where nothing waits for the interpreter.
const ROWS: usize = 1 << 15;

/// How many items of a list ahead of the one that is read memory is asked for.
const AHEAD: usize = 12;

/// Bytes of text from which one sentence is worth releasing the interpreter for.
const LONG: usize = 1 << 16;

/// Statistics (little-endian int64), and the smallest and largest number of references.
type Counted<'py> = (Bound<'py, PyBytes>, usize, usize);

/// All settings, checked once; immutable.
#[pyclass(frozen, module = "truebleu._core")]
struct Engine {
    counting: Counting,
    scoring: Scoring,
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (*, tokenizer, lowercase, max_order, reference_length, smoothing, smooth_value, weights, effective_order, phantom_ngrams))]
    #[expect(
        clippy::too_many_arguments,
        reason = "one for each setting, all by name"
    )]
    fn new(
        tokenizer: &str,
        lowercase: bool,
        max_order: usize,
        reference_length: &str,
        smoothing: &str,
        smooth_value: Option<f64>,
        weights: Vec<Vec<f64>>,
        effective_order: bool,
        phantom_ngrams: bool,
    ) -> PyResult<Self> {
        let scoring = Scoring {
            max_order,
            smoothing: Smoothing::named(smoothing, smooth_value)?,
            effective_order,
            weights,
        };
        Ok(Self {
            counting: Counting {
                tokenizer: Tokenizer::named(tokenizer)?,
                lowercase,
                orders: scoring.counted_orders(),
                reference_length: ReferenceLength::named(reference_length)?,
                phantom_ngrams,
            },
            scoring,
        })
    }

    #[getter]
    fn row_width(&self) -> usize {
        row_width(self.counting.orders)
    }

    /// Statistics of a list of str against a list of references, each a str or a list or tuple
    /// of str and None.
    fn count<'py>(
        &self,
        py: Python<'py>,
        hypotheses: &Bound<'py, PyList>,
        references: &Bound<'py, PyList>,
        threads: usize,
        each: bool,
    ) -> PyResult<Counted<'py>> {
        let segments = hypotheses.len().min(references.len());
        let mut total = Total::new(self, each);
        for start in (0..segments).step_by(CHUNK) {
            py.check_signals()?;
            let end = segments.min(start + CHUNK);
            let mut held = Held::with_capacity(end - start);
            for index in start..end {
                arguments::prefetch(hypotheses, index + AHEAD);
                arguments::prefetch(references, index + AHEAD);
                held.push(hypotheses.get_item(index)?, references.get_item(index)?)?;
            }
            total.add(py, held.batch(), threads)?;
        }
        Ok(total.into_python(py))
    }

    /// The same for token ids: int64 buffers of values and of offsets into them; segment `i` has
    /// the references `reference_ends[i - 1]..reference_ends[i]`.
    #[expect(
        clippy::too_many_arguments,
        reason = "two ragged arrays, one of them twice so"
    )]
    fn count_ids<'py>(
        &self,
        py: Python<'py>,
        values: &Bound<'py, PyAny>,
        offsets: &Bound<'py, PyAny>,
        reference_values: &Bound<'py, PyAny>,
        reference_offsets: &Bound<'py, PyAny>,
        reference_ends: &Bound<'py, PyAny>,
        threads: usize,
        each: bool,
    ) -> PyResult<Counted<'py>> {
        let hypotheses = Ids::read(values, offsets)?;
        let references = Ids::read(reference_values, reference_offsets)?;
        let ends = arguments::integers(reference_ends)?;
        let mut total = Total::new(self, each);
        let mut first = 0;
        for start in (0..ends.len()).step_by(CHUNK) {
            py.check_signals()?;
            let mut batch = Batch::with_capacity(CHUNK.min(ends.len() - start));
            for (index, &end) in ends.iter().enumerate().skip(start).take(CHUNK) {
                let end = usize::try_from(end).map_err(|_| Error::BadTable)?;
                if end > references.len() {
                    return Err(Error::BadTable.into());
                }
                // `Ids` has checked its offsets.
                let own = (first..end).map_while(|i| references.segment(i).ok());
                batch.push(hypotheses.segment(index)?, own);
                first = end;
            }
            total.add(py, &batch, threads)?;
        }
        Ok(total.into_python(py))
    }

    /// The same for the first `segments` lines of files that are being read.
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over a list so")]
    fn count_lines<'py>(
        &self,
        py: Python<'py>,
        hypothesis: &Lines,
        references: Vec<PyRef<'py, Lines>>,
        segments: usize,
        threads: usize,
        each: bool,
    ) -> PyResult<Counted<'py>> {
        let guards: Vec<_> = references.iter().map(|lines| lines.lock(py)).collect();
        let own = hypothesis.lock(py);
        let batch = stream::batch(&own, &guards, segments);
        let mut total = Total::new(self, each);
        total.add(py, &batch, threads)?;
        Ok(total.into_python(py))
    }

    /// The same for columns of Arrow, of which those of the references are texts or lists of texts.
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over a list so")]
    fn count_columns<'py>(
        &self,
        py: Python<'py>,
        hypotheses: &Column,
        references: Vec<PyRef<'py, Column>>,
        threads: usize,
        each: bool,
    ) -> PyResult<Counted<'py>> {
        let own = hypotheses.get();
        let others: Vec<_> = references.iter().map(|column| column.get()).collect();
        let mut total = Total::new(self, each);
        for start in (0..own.len()).step_by(ROWS) {
            py.check_signals()?;
            let end = own.len().min(start + ROWS);
            let batch = py.detach(|| column::batch(own, &others, start..end));
            total.add(py, &batch, threads)?;
        }
        Ok(total.into_python(py))
    }

    /// The score, the row, and the number of references of one sentence.
    fn sentence<'py>(
        &self,
        py: Python<'py>,
        hypothesis: &Bound<'py, PyAny>,
        references: &Bound<'py, PyAny>,
    ) -> PyResult<(f64, Bound<'py, PyBytes>, usize)> {
        let mut row = vec![0; row_width(self.counting.orders)];
        let mut held = Held::with_capacity(1);
        held.push(hypothesis.clone(), references.clone())?;
        let (hypothesis, references) = held.batch().segment(0);
        let weight: usize = references.iter().map(crate::text::Segment::weight).sum();
        let mut count = || count_one(&self.counting, hypothesis, references, &mut row);
        if weight + hypothesis.weight() > LONG {
            py.detach(count)?;
        } else {
            count()?;
        }
        let score = self.scoring.score(&row).scores[0];
        Ok((score, to_bytes(py, &row), references.len()))
    }

    /// Scores, precisions in percent, brevity penalty and how many orders count, of one row.
    fn score(&self, row: &[u8]) -> PyResult<(Vec<f64>, Vec<f64>, f64, usize)> {
        let row = from_bytes(row)?;
        if row.len() != row_width(self.counting.orders) {
            return Err(Error::BadTable.into());
        }
        let score = self.scoring.score(&row);
        Ok((
            score.scores,
            score.precisions,
            score.brevity_penalty,
            score.orders,
        ))
    }

    /// The scores of all rows as little-endian float64, one for each row and list of weights.
    fn score_rows<'py>(&self, py: Python<'py>, rows: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let rows = from_bytes(rows)?;
        let scores = py.detach(|| self.scoring.score_rows(&rows))?;
        Ok(resample::floats(py, &scores))
    }

    /// The tokens of a str, and the characters of the str from which each one came.
    fn tokens(&self, text: &Bound<'_, PyAny>) -> PyResult<Vec<(Py<PyAny>, usize, usize)>> {
        let py = text.py();
        let mut held = Held::with_capacity(1);
        held.push(text.clone(), PyTuple::empty(py).into_any())?;
        let (text, _) = held.batch().segment(0);
        let mut scratch = Scratch::default();
        let mut found = TokenList::default();
        let spans = py.detach(|| spans(&self.counting, &mut scratch, text, &mut found));
        let tokens = found.as_slice().iter().zip(spans?);
        tokens
            .map(|(token, span)| {
                let token = arguments::to_str(py, token.bytes(&scratch))?;
                Ok((token, span.start, span.end))
            })
            .collect()
    }

    /// The tokens of the lines that are ready, one space between two, a line feed behind each line.
    fn tokenize_lines<'py>(
        &self,
        py: Python<'py>,
        lines: &Lines,
        threads: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let guard = lines.lock(py);
        let lines = &*guard;
        let out = py.detach(|| {
            let lines: Vec<&[u8]> = lines.iter().collect();
            tokens::join(&self.counting, &lines, threads)
        })?;
        Ok(PyBytes::new(py, &out))
    }
}

/// What the chunks of one call come to.
struct Total<'a> {
    engine: &'a Engine,
    each: bool,
    rows: Vec<i64>,
    fewest: usize,
    most: usize,
}

impl<'a> Total<'a> {
    fn new(engine: &'a Engine, each: bool) -> Self {
        let width = if each { 0 } else { engine.row_width() };
        Self {
            engine,
            each,
            rows: vec![0; width],
            fewest: usize::MAX,
            most: 0,
        }
    }

    /// Counts a batch without the interpreter.
    fn add(&mut self, py: Python<'_>, batch: &Batch<'_>, threads: usize) -> PyResult<()> {
        let counting = &self.engine.counting;
        let part = py.detach(|| statistics(batch, counting, threads, self.each))?;
        if self.each {
            self.rows
                .try_reserve(part.len())
                .map_err(|error| PyMemoryError::new_err(error.to_string()))?;
            self.rows.extend(part);
        } else {
            add_row(&mut self.rows, &part);
        }
        let (fewest, most) = batch.reference_counts();
        self.fewest = self.fewest.min(fewest);
        self.most = self.most.max(most);
        Ok(())
    }

    fn into_python(self, py: Python<'_>) -> Counted<'_> {
        (to_bytes(py, &self.rows), self.fewest, self.most)
    }
}

/// The sum of the rows of a table, itself a row.
#[pyfunction]
#[pyo3(name = "add_rows")]
fn add_table<'py>(py: Python<'py>, rows: &[u8], width: usize) -> PyResult<Bound<'py, PyBytes>> {
    let rows = from_bytes(rows)?;
    let sum = py.detach(|| add_rows(&rows, width))?;
    Ok(to_bytes(py, &sum))
}

/// A text in lower case, by the core's Unicode version.
#[pyfunction]
fn lowercase(text: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    let py = text.py();
    let mut held = Held::with_capacity(1);
    held.push(text.clone(), PyTuple::empty(py).into_any())?;
    let (segment, _) = held.batch().segment(0);
    let mut scratch = Scratch::default();
    let range = scratch.push(segment);
    let lower = scratch.push_lowercase(range);
    arguments::to_str(py, &scratch.bytes()[lower])
}

#[pymodule(gil_used = false)]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    let (major, minor, patch) = char::UNICODE_VERSION;
    module.add("UNICODE_VERSION", format!("{major}.{minor}.{patch}"))?;
    let (major, minor, patch) = unicode::VERSION;
    let version = format!("{major}.{minor}.{patch}");
    let tokenizers = PyDict::new(py);
    for (name, tokenizer) in Tokenizer::ALL {
        tokenizers.set_item(name, tokenizer.knows_unicode().then_some(&version))?;
    }
    module.add("TOKENIZERS", tokenizers)?;
    module.add(
        "SMOOTHINGS",
        Smoothing::ALL
            .into_iter()
            .collect::<std::collections::BTreeMap<_, _>>(),
    )?;
    module.add(
        "REFERENCE_LENGTHS",
        PyTuple::new(py, ReferenceLength::ALL.map(|(name, _)| name))?,
    )?;
    module.add("InvalidUtf8Error", py.get_type::<InvalidUtf8Error>())?;
    module.add_class::<Engine>()?;
    module.add_class::<Lines>()?;
    module.add_class::<Column>()?;
    module.add_class::<resample::Units>()?;
    module.add_class::<pairwise::Texts>()?;
    module.add_class::<pairwise::Pairs>()?;
    module.add("MOST_PERMUTED", crate::resample::MOST_PERMUTED)?;
    module.add_function(wrap_pyfunction!(resample::legacy_bootstrap, module)?)?;
    module.add_function(wrap_pyfunction!(resample::legacy_swaps, module)?)?;
    module.add_function(wrap_pyfunction!(resample::legacy_score, module)?)?;
    module.add_function(wrap_pyfunction!(add_table, module)?)?;
    module.add_function(wrap_pyfunction!(lowercase, module)?)
}
