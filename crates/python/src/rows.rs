//! Functions on rows of statistics: adding and checking them; and the brevity penalty.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::arguments::{from_bytes, integers, to_bytes};
use super::errors::{OrRaise, caught};
use truebleu_core::count::rows;
use truebleu_core::error::Error;
use truebleu_core::metric::{bleu_formula, bleu_row, chrf_formula};

/// Adds the functions of this file to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(add_rows, module)?)?;
    module.add_function(wrap_pyfunction!(add_groups, module)?)?;
    module.add_function(wrap_pyfunction!(check_counts, module)?)?;
    module.add_function(wrap_pyfunction!(check_rows, module)?)?;
    module.add_function(wrap_pyfunction!(brevity_penalty, module)?)
}

/// The sum of the rows of a table. `fields` has the name of each column.
#[pyfunction]
fn add_rows<'py>(
    py: Python<'py>,
    rows: &[u8],
    fields: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    caught(py, || {
        let (rows, width) = (from_bytes(rows)?, fields.len()?);
        let sum = py.detach(|| rows::add_rows(&rows, width));
        to_bytes(py, &sum.map_err(|error| named(error, fields)).or_raise()?)
    })
}

/// The sum of the rows of each group. `groups` is an int64 buffer with the group of each row, from
/// 0 to `count - 1`.
#[pyfunction]
fn add_groups<'py>(
    py: Python<'py>,
    rows: &[u8],
    fields: &Bound<'py, PyAny>,
    groups: &Bound<'py, PyAny>,
    count: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    caught(py, || {
        let (rows, width, groups) = (from_bytes(rows)?, fields.len()?, integers(groups)?);
        let sums = py.detach(|| rows::add_groups(&rows, width, &groups, count));
        to_bytes(py, &sums.map_err(|error| named(error, fields)).or_raise()?)
    })
}

/// Adds the name of the field to an error.
fn named(error: Error, fields: &Bound<'_, PyAny>) -> Error {
    error.named(|column| {
        let name = fields.get_item(column).and_then(|name| name.extract());
        name.unwrap_or_else(|_| format!("column {column}"))
    })
}

/// Rejects rows that no metric with these fields has: negative counts and, of n-grams, what
/// contradicts itself.
#[pyfunction]
fn check_counts(py: Python<'_>, rows: &[u8], fields: Vec<String>) -> PyResult<()> {
    let rows = from_bytes(rows)?;
    py.detach(|| {
        rows::check_counts(&rows, &fields)?;
        chrf_formula::check_rows(&rows, &fields)
    })
    .or_raise()
}

/// Rejects impossible rows of BLEU.
#[pyfunction]
fn check_rows(py: Python<'_>, rows: &[u8], width: usize, phantom: bool) -> PyResult<()> {
    let rows = from_bytes(rows)?;
    py.detach(|| bleu_row::check_rows(&rows, width, phantom))
        .or_raise()
}

/// The brevity penalty of two lengths.
#[pyfunction]
fn brevity_penalty(hyp_len: f64, ref_len: f64) -> f64 {
    bleu_formula::brevity_penalty(hyp_len, ref_len)
}
