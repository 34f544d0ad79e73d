//! Lines of files, and of streams that Python reads in blocks of bytes.

use std::fs::File;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyList;

use super::arrow::Column;
use super::errors::OrRaise;
use super::objects;
use truebleu_core::error::{Error, catch_panic};
use truebleu_core::text::lines;

/// The lines of a stream of bytes.
#[pyclass(frozen, module = "truebleu._core")]
pub struct Lines(Mutex<lines::Lines>);

impl Lines {
    /// Locks the lines; other Python threads can run while this one waits.
    pub fn lock(&self, py: Python<'_>) -> MutexGuard<'_, lines::Lines> {
        self.0
            .lock_py_attached(py)
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Lines {
    /// The lines of a stream, which may have so many bytes.
    #[new]
    #[pyo3(signature = (longest=None))]
    fn new(longest: Option<usize>) -> Self {
        Self(Mutex::new(lines::Lines::of_blocks(longest)))
    }

    /// The lines of a file, to be read in blocks of so many bytes.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf, block: usize, longest: usize) -> PyResult<Self> {
        let file = py
            .detach(|| File::open(path))
            .map_err(Error::from)
            .or_raise()?;
        let lines = || Ok(lines::Lines::of_file(file, block, Some(longest)));
        Ok(Self(Mutex::new(catch_panic(lines).or_raise()?)))
    }

    /// Reads the next block of the file, unless enough lines are waiting. If no line can be read
    /// then, the file has ended.
    fn read(&self, py: Python<'_>) -> PyResult<()> {
        let mut guard = self.lock(py);
        let lines = &mut *guard;
        loop {
            py.detach(|| catch_panic(|| lines.read())).or_raise()?;
            if lines.available() > 0 || lines.has_ended() {
                return Ok(());
            }
            // A line may be as long as the file.
            py.check_signals()?;
        }
    }

    /// Adds the next block of a stream.
    fn push(&self, py: Python<'_>, block: &[u8]) -> PyResult<()> {
        let mut guard = self.lock(py);
        let lines = &mut *guard;
        py.detach(|| catch_panic(|| lines.push(block))).or_raise()
    }

    /// Adds the texts of a column, each as a line.
    fn push_column(&self, py: Python<'_>, column: &Column) -> PyResult<()> {
        let mut guard = self.lock(py);
        let lines = &mut *guard;
        let texts = column.get();
        let push = || {
            // A mark that the first text begins with is of the text, and not dropped with this one.
            if lines.read_bytes() == 0 {
                lines.push(b"\xEF\xBB\xBF")?;
            }
            lines.push(&texts.lines())
        };
        py.detach(|| catch_panic(push)).or_raise()
    }

    /// Ends the stream.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        let mut lines = self.lock(py);
        catch_panic(|| lines.finish()).or_raise()
    }

    /// Number of lines that can be read.
    #[getter]
    fn available(&self, py: Python<'_>) -> usize {
        self.lock(py).available()
    }

    /// Number of lines completed so far.
    #[getter]
    fn total(&self, py: Python<'_>) -> u64 {
        self.lock(py).total()
    }

    /// Number of bytes read so far.
    #[getter]
    fn read_bytes(&self, py: Python<'_>) -> u64 {
        self.lock(py).read_bytes()
    }

    /// The first line with a line separator, U+2028, from 1, of those read so far.
    #[getter]
    fn separator(&self, py: Python<'_>) -> Option<u64> {
        self.lock(py).separator()
    }

    /// The lines that can be read, at most `count` behind so many, as str; None for one that is no
    /// reference.
    #[pyo3(signature = (count, behind=0))]
    fn texts<'py>(
        &self,
        py: Python<'py>,
        count: usize,
        behind: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        let lines = self.lock(py);
        let texts = lines.ready().references().skip(behind).take(count);
        let none = || Ok(py.None().into_bound(py));
        let texts = texts.map(|line| line.map_or_else(none, |line| objects::to_str(py, line)));
        objects::listed(py, texts)
    }

    /// Lets lines without text be no references.
    fn skip_empty(&self, py: Python<'_>) {
        self.lock(py).skip_empty();
    }

    /// Drops the first `count` lines.
    fn drop_front(&self, py: Python<'_>, count: usize) {
        self.lock(py).drop_front(count);
    }
}
