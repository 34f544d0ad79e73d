//! Functions on rows of statistics: adding and checking them; and the brevity penalty.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::arguments::{from_bytes, integers, to_bytes};
use crate::count::rows;
use crate::error::Error;
use crate::metric::bleu_formula;
use crate::metric::bleu_row::{self, field_name};

/// Adds the functions of this file to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(add_rows, module)?)?;
    module.add_function(wrap_pyfunction!(add_groups, module)?)?;
    module.add_function(wrap_pyfunction!(check_rows, module)?)?;
    module.add_function(wrap_pyfunction!(brevity_penalty, module)?)
}

/// The sum of the rows of a table.
#[pyfunction]
fn add_rows<'py>(py: Python<'py>, rows: &[u8], width: usize) -> PyResult<Bound<'py, PyBytes>> {
    let rows = from_bytes(rows)?;
    let sum = py.detach(|| rows::add_rows(&rows, width));
    to_bytes(py, &sum.map_err(|error| named(error, width))?)
}

/// The sum of the rows of each group. `groups` is an int64 buffer with the group of each row, from
/// 0 to `count - 1`.
#[pyfunction]
fn add_groups<'py>(
    py: Python<'py>,
    rows: &[u8],
    width: usize,
    groups: &Bound<'py, PyAny>,
    count: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let (rows, groups) = (from_bytes(rows)?, integers(groups)?);
    let sums = py.detach(|| rows::add_groups(&rows, width, &groups, count));
    to_bytes(py, &sums.map_err(|error| named(error, width))?)
}

/// Adds the name of the field to an error.
fn named(error: Error, width: usize) -> Error {
    error.named(|column| field_name(column, width))
}

/// Rejects impossible rows.
#[pyfunction]
fn check_rows(py: Python<'_>, rows: &[u8], width: usize, phantom: bool) -> PyResult<()> {
    let rows = from_bytes(rows)?;
    Ok(py.detach(|| bleu_row::check_rows(&rows, width, phantom))?)
}

/// The brevity penalty of two lengths.
#[pyfunction]
fn brevity_penalty(hyp_len: f64, ref_len: f64) -> f64 {
    bleu_formula::brevity_penalty(hyp_len, ref_len)
}
