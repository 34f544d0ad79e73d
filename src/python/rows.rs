//! Rows of statistics for Python: added up, checked; and the brevity penalty of two lengths.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::arguments::{from_bytes, integers, to_bytes};
use crate::count::rows;
use crate::error::Error;
use crate::metric::bleu_formula;
use crate::metric::bleu_row::{self, field_name};

/// Puts the functions of this file into the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(add_rows, module)?)?;
    module.add_function(wrap_pyfunction!(add_groups, module)?)?;
    module.add_function(wrap_pyfunction!(check_rows, module)?)?;
    module.add_function(wrap_pyfunction!(brevity_penalty, module)?)
}

/// The sum of the rows of a table, itself a row.
#[pyfunction]
fn add_rows<'py>(py: Python<'py>, rows: &[u8], width: usize) -> PyResult<Bound<'py, PyBytes>> {
    let rows = from_bytes(rows)?;
    let sum = py.detach(|| rows::add_rows(&rows, width));
    let sum = sum.map_err(|error| named(error, width))?;
    Ok(to_bytes(py, &sum))
}

/// The sums of the rows of each group; an int64 buffer has a number below `count` for each row.
///
/// More groups than there is memory for are an error of Python's.
#[pyfunction]
fn add_groups<'py>(
    py: Python<'py>,
    rows: &[u8],
    width: usize,
    groups: &Bound<'py, PyAny>,
    count: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let (rows, groups) = (from_bytes(rows)?, integers(groups)?);
    let size = count.saturating_mul(width);
    let mut sums = Vec::new();
    if sums.try_reserve_exact(size).is_err() {
        let message = format!("there is no memory for the sums of {count} groups");
        return Err(PyMemoryError::new_err(message));
    }
    let added = py.detach(|| {
        sums.resize(size, 0);
        rows::add_groups(&rows, width, &groups, &mut sums)
    });
    added.map_err(|error| named(error, width))?;
    PyBytes::new_with(py, 8 * size, |bytes| {
        let (bytes, _) = bytes.as_chunks_mut();
        for (bytes, sum) in bytes.iter_mut().zip(sums) {
            *bytes = sum.to_le_bytes();
        }
        Ok(())
    })
}

/// The error with the name of the field.
fn named(error: Error, width: usize) -> Error {
    error.named(|column| field_name(column, width))
}

/// Refuses rows that no text has.
#[pyfunction]
fn check_rows(py: Python<'_>, rows: &[u8], width: usize, phantom: bool) -> PyResult<()> {
    let rows = from_bytes(rows)?;
    Ok(py.detach(|| bleu_row::check_rows(&rows, width, phantom))?)
}

/// The brevity penalty of these lengths.
#[pyfunction]
fn brevity_penalty(hyp_len: f64, ref_len: f64) -> f64 {
    bleu_formula::brevity_penalty(hyp_len, ref_len)
}
