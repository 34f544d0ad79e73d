//! The border to Python, and the only place that names pyo3: read arguments, release the
//! interpreter, map errors. Shapes are checked, and messages written, on the Python side.

mod arguments;
mod arrow;
mod observe;
mod pairwise;
mod resample;
mod rows;
mod spanned;
mod stream;
mod total;

use pyo3::exceptions::{PyOverflowError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};

use crate::batch::{Batch, Counting, count_one};
use crate::bleu::{ReferenceLength, Scoring};
use crate::column;
use crate::error::Error;
use crate::normalize::Form;
use crate::rows::row_width;
use crate::smoothing::Smoothing;
use crate::tokenize::{Tokenizer, unicode};
use crate::tokens;

use arguments::{Held, Ids, from_bytes, to_bytes};
use arrow::Column;
use observe::Observed;
use spanned::{Spanned, spanned};
use stream::Lines;
use total::{CHUNK, Counted, Total, for_chunks};

pyo3::create_exception!(
    _core,
    InvalidUtf8Error,
    PyValueError,
    "Arguments: line, byte (from 1)."
);

pyo3::import_exception!(truebleu.errors, InputError);

impl From<Error> for PyErr {
    fn from(error: Error) -> Self {
        match error {
            Error::InvalidUtf8 { line, byte } => InvalidUtf8Error::new_err((line, byte)),
            Error::TooLong { .. } => PyOverflowError::new_err(error.to_string()),
            Error::WrongType(name) => PyTypeError::new_err(name),
            Error::Internal | Error::Interrupted => PyRuntimeError::new_err(error.to_string()),
            Error::Overflow(_) | Error::ImpossibleRow { .. } => {
                InputError::new_err(error.to_string())
            }
            Error::UnknownName { .. }
            | Error::InvalidSetting(_)
            | Error::BadTable
            | Error::BadColumn(_) => PyValueError::new_err(error.to_string()),
        }
    }
}

/// The same where nothing waits for the interpreter.
const ROWS: usize = 1 << 15;

/// Bytes of text from which one sentence is worth releasing the interpreter for.
const LONG: usize = 1 << 16;

/// All settings, checked once; immutable.
#[pyclass(frozen, module = "truebleu._core")]
struct Engine {
    counting: Counting,
    scoring: Scoring,
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (*, tokenizer, unicode_form, lowercase, max_order, reference_length, smoothing, smooth_value, weights, effective_order, phantom_ngrams))]
    #[expect(
        clippy::too_many_arguments,
        reason = "one for each setting, all by name"
    )]
    fn new(
        tokenizer: &str,
        unicode_form: Option<&str>,
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
                unicode_form: unicode_form.map(Form::named).transpose()?,
                lowercase,
                orders: scoring.counted_orders(),
                reference_length: ReferenceLength::named(reference_length)?,
                phantom_ngrams,
            },
            scoring,
        })
    }

    /// The same settings but this one.
    fn with_effective_order(&self, effective: bool) -> Self {
        let mut scoring = self.scoring.clone();
        scoring.effective_order = effective;
        Self {
            counting: self.counting,
            scoring,
        }
    }

    #[getter]
    fn row_width(&self) -> usize {
        row_width(self.counting.orders)
    }

    /// Statistics of a list of str against a list of references, each a str or a list or tuple
    /// of str and None.
    #[pyo3(signature = (hypotheses, references, threads, each, observed=None))]
    fn count<'py>(
        &self,
        py: Python<'py>,
        hypotheses: &Bound<'py, PyList>,
        references: &Bound<'py, PyList>,
        threads: usize,
        each: bool,
        observed: Option<&Observed>,
    ) -> PyResult<Counted<'py>> {
        let mut total = Total::new(self, each, observed);
        for_chunks(py, hypotheses, references, |batch| {
            total.add(py, batch, threads)
        })?;
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
        let mut total = Total::new(self, each, None);
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
    #[pyo3(signature = (hypothesis, references, segments, threads, each, observed=None))]
    #[expect(clippy::too_many_arguments, reason = "where to look, and what at")]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over a list so")]
    fn count_lines<'py>(
        &self,
        py: Python<'py>,
        hypothesis: &Lines,
        references: Vec<PyRef<'py, Lines>>,
        segments: usize,
        threads: usize,
        each: bool,
        observed: Option<&Observed>,
    ) -> PyResult<Counted<'py>> {
        let guards: Vec<_> = references.iter().map(|lines| lines.lock(py)).collect();
        let own = hypothesis.lock(py);
        let batch = stream::batch(&own, &guards, segments);
        let mut total = Total::new(self, each, observed);
        total.add(py, &batch, threads)?;
        Ok(total.into_python(py))
    }

    /// The same for columns of Arrow, of which those of the references are texts or lists of texts.
    #[pyo3(signature = (hypotheses, references, threads, each, observed=None))]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over a list so")]
    fn count_columns<'py>(
        &self,
        py: Python<'py>,
        hypotheses: &Column,
        references: Vec<PyRef<'py, Column>>,
        threads: usize,
        each: bool,
        observed: Option<&Observed>,
    ) -> PyResult<Counted<'py>> {
        let own = hypotheses.get();
        let others: Vec<_> = references.iter().map(|column| column.get()).collect();
        let mut total = Total::new(self, each, observed);
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
        let score = self.scoring.score(&self.row(row)?);
        Ok((
            score.scores,
            score.precisions,
            score.brevity_penalty,
            score.orders,
        ))
    }

    /// The precisions of one row from 0 to 1.
    fn precision_fractions(&self, row: &[u8]) -> PyResult<Vec<f64>> {
        Ok(self.scoring.precision_fractions(&self.row(row)?))
    }

    /// Whether precisions of 0 are left out of the mean.
    #[getter]
    fn skips_zeros(&self) -> bool {
        self.scoring.smoothing.skips_zeros()
    }

    /// The scores of all rows as little-endian float64, one for each row and list of weights.
    fn score_rows<'py>(&self, py: Python<'py>, rows: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let rows = from_bytes(rows)?;
        let scores = py.detach(|| self.scoring.score_rows(&rows))?;
        Ok(resample::floats(py, &scores))
    }

    /// The tokens of a str, and the characters of the str from which each one came; as they are
    /// counted, or else with white space at the end left in place.
    #[pyo3(signature = (text, *, strip=true))]
    fn tokens(&self, text: &Bound<'_, PyAny>, strip: bool) -> PyResult<Vec<Spanned>> {
        spanned(&self.counting, text, strip)
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

impl Engine {
    /// One row of statistics.
    fn row(&self, row: &[u8]) -> PyResult<Vec<i64>> {
        let row = from_bytes(row)?;
        if row.len() != row_width(self.counting.orders) {
            return Err(Error::BadTable.into());
        }
        Ok(row)
    }
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
        std::collections::BTreeMap::from(Smoothing::ALL),
    )?;
    module.add(
        "REFERENCE_LENGTHS",
        PyTuple::new(py, ReferenceLength::ALL.map(|(name, _)| name))?,
    )?;
    module.add("InvalidUtf8Error", py.get_type::<InvalidUtf8Error>())?;
    module.add(
        "UNICODE_FORMS",
        PyTuple::new(py, Form::ALL.map(|(name, _)| name))?,
    )?;
    let (major, minor, patch) = unicode_normalization::UNICODE_VERSION;
    module.add("NORMALIZATION_VERSION", format!("{major}.{minor}.{patch}"))?;
    module.add_class::<Engine>()?;
    module.add_class::<Observed>()?;
    module.add_class::<Lines>()?;
    module.add_class::<Column>()?;
    module.add_class::<resample::Units>()?;
    module.add_class::<pairwise::Texts>()?;
    module.add_class::<pairwise::Pairs>()?;
    module.add("MOST_PERMUTED", crate::resample::MOST_PERMUTED)?;
    module.add_function(wrap_pyfunction!(resample::legacy_bootstrap, module)?)?;
    module.add_function(wrap_pyfunction!(resample::legacy_swaps, module)?)?;
    module.add_function(wrap_pyfunction!(resample::legacy_score, module)?)?;
    rows::register(module)?;
    module.add_function(wrap_pyfunction!(arguments::lowercase, module)?)?;
    module.add_function(wrap_pyfunction!(arguments::normalize, module)?)
}
