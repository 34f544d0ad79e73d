//! Rows of tables in files of text.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyList;

use super::arrow::Column;
use super::errors::{OrRaise, caught};
use super::interrupt::interruptible;
use super::lines::Lines;
use super::objects;
use truebleu_core::error::catch_panic;
use truebleu_core::tables::{Json, Rows as CoreRows, Separated};

/// The rows of a table, in batches.
#[pyclass(frozen, module = "truebleu._core")]
pub struct Rows(Mutex<CoreRows>);

impl Rows {
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, CoreRows> {
        self.0
            .lock_py_attached(py)
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Rows {
    /// Reads cells by their numbers, from 0 on and each once; or all, as a column of lists.
    #[staticmethod]
    fn separated(
        separator: u8,
        quoted: bool,
        header: bool,
        places: Option<Vec<usize>>,
        longest: usize,
    ) -> PyResult<Self> {
        let form = || {
            let form = Separated::new(separator, quoted, header, places.as_deref());
            Ok(Self(Mutex::new(CoreRows::separated(form, longest))))
        };
        catch_panic(form).or_raise()
    }

    /// Reads fields of objects: texts, and labels, which may be anything.
    #[staticmethod]
    fn json(
        texts: Vec<String>,
        labels: Vec<String>,
        nulls: bool,
        lists: bool,
        longest: usize,
    ) -> PyResult<Self> {
        let form = || {
            let [texts, labels] =
                [&texts, &labels].map(|names| names.iter().map(|name| &**name).collect::<Vec<_>>());
            let form = Json::new(&texts, &labels, nulls, lists);
            Ok(Self(Mutex::new(CoreRows::json(form, longest))))
        };
        catch_panic(form).or_raise()
    }

    /// Reads the lines that are ready, and drops them, until the batch is full; returns whether it
    /// is.
    fn push(&self, py: Python<'_>, lines: &Lines) -> PyResult<bool> {
        let mut rows = self.lock(py);
        let mut lines = lines.lock(py);
        let (rows, lines) = (&mut *rows, &mut *lines);
        interruptible(py, |pause| rows.push(lines, pause))
    }

    /// Ends the table.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        self.lock(py).finish().or_raise()
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.lock(py).len()
    }

    /// For each column of JSON whether any row so far has it.
    #[getter]
    fn seen(&self, py: Python<'_>) -> Vec<bool> {
        self.lock(py).seen().to_vec()
    }

    /// Takes the columns of the rows that have been read.
    fn take<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let columns = caught(py, || self.lock(py).take().or_raise())?;
        let columns = columns
            .into_iter()
            .map(|column| Bound::new(py, Column(column)));
        objects::listed(py, columns)
    }
}
