//! Files that Python opens and the core reads: bytes in, lines ready.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::sync::MutexExt;

use crate::text::lines;

/// Lines of one stream of bytes.
#[pyclass(frozen, module = "truebleu._core")]
#[derive(Default)]
pub struct Lines(Mutex<lines::Lines>);

impl Lines {
    /// Exclusive use; other threads may run meanwhile.
    pub fn lock(&self, py: Python<'_>) -> MutexGuard<'_, lines::Lines> {
        self.0
            .lock_py_attached(py)
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Lines {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Takes the next block in.
    fn push(&self, py: Python<'_>, block: &[u8]) -> PyResult<()> {
        let mut guard = self.lock(py);
        let lines = &mut *guard;
        Ok(py.detach(|| lines.push(block))?)
    }

    /// Ends the stream.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        Ok(self.lock(py).finish()?)
    }

    /// How many lines are ready.
    #[getter]
    fn available(&self, py: Python<'_>) -> usize {
        self.lock(py).available()
    }

    /// How many lines have been completed since the beginning.
    #[getter]
    fn total(&self, py: Python<'_>) -> u64 {
        self.lock(py).total()
    }

    /// The lines that are ready, at most `count`, as str.
    fn texts(&self, py: Python<'_>, count: usize) -> PyResult<Vec<Py<PyAny>>> {
        let lines = self.lock(py);
        let texts = lines.iter().take(count);
        texts
            .map(|line| super::arguments::to_str(py, line))
            .collect()
    }

    /// Forgets the first `count` lines that are ready.
    fn drop_front(&self, py: Python<'_>, count: usize) {
        self.lock(py).drop_front(count);
    }
}
