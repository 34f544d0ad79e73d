//! Counting a corpus in chunks, and the total of the chunks.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::list::BoundListIterator;
use pyo3::types::{PyBytes, PyList};

use super::arguments::{self, Held, to_bytes};
use super::errors::{OrRaise, with_message};
use super::interrupt::Interrupt;
use truebleu_core::corpus::{Finish, Observed, count_batch_while};
use truebleu_core::count::rows::add_row;
use truebleu_core::error::Error;
use truebleu_core::memory;
use truebleu_core::metric::Metric;
use truebleu_core::text::{Batch, threads_for};

/// Number of segments between two checks for Ctrl-C.
pub const CHUNK: usize = 1 << 13;

/// Number of list items to prefetch ahead of the one being read.
const AHEAD: usize = 12;

/// Statistics (little-endian int64), and the smallest and the largest number of references.
pub type Counted<'py> = (Bound<'py, PyBytes>, usize, usize);

/// Reads lists of str, one for each system, and a list of references in chunks, and checks for Ctrl-C
/// between them.
///
/// `take` may call its second argument to read the next chunk while other threads count this one.
pub fn for_chunks(
    py: Python<'_>,
    systems: &[Bound<'_, PyList>],
    references: &Bound<'_, PyList>,
    mut take: impl FnMut(&Batch<'_>, &mut dyn FnMut()) -> PyResult<()>,
) -> PyResult<()> {
    let lengths = systems.iter().map(PyListMethods::len);
    let mut chunks = Chunks {
        systems,
        references,
        hypotheses: systems.iter().map(PyListMethods::iter).collect(),
        segments: 0..lengths.fold(references.len(), usize::min),
        several: references.iter(),
    };
    let mut next = chunks.next();
    while let Some(held) = next.take() {
        py.check_signals()?;
        let mut read = false;
        take(held?.batch(), &mut || {
            next = chunks.next();
            read = true;
        })?;
        if !read {
            next = chunks.next();
        }
    }
    Ok(())
}

/// Segments in lists of str and of references, in chunks.
struct Chunks<'a, 'py> {
    systems: &'a [Bound<'py, PyList>],
    references: &'a Bound<'py, PyList>,
    /// The segments that have not been read.
    segments: Range<usize>,
    hypotheses: Vec<BoundListIterator<'py>>,
    several: BoundListIterator<'py>,
}

impl<'py> Iterator for Chunks<'_, 'py> {
    type Item = PyResult<Held<'py>>;

    fn next(&mut self) -> Option<PyResult<Held<'py>>> {
        let chunk = (CHUNK / self.systems.len().max(1)).max(1);
        let end = self.segments.end.min(self.segments.start + chunk);
        let segments = self.segments.start..end;
        self.segments.start = end;
        (!segments.is_empty()).then(|| {
            let shorter = || {
                with_message::<PyRuntimeError>(
                    "a list became shorter while its segments were counted",
                )
            };
            let mut held = Held::with_capacity(self.systems.len(), segments.len());
            for segment in segments {
                for (list, hypotheses) in self.systems.iter().zip(&mut self.hypotheses) {
                    arguments::prefetch(list, segment + AHEAD);
                    held.hypothesis(hypotheses.next().ok_or_else(shorter)?)?;
                }
                arguments::prefetch(self.references, segment + AHEAD);
                held.references(self.several.next().ok_or_else(shorter)?)?;
            }
            Ok(held)
        })
    }
}

/// The total of the chunks of one call: a table or a sum of rows for each system.
pub struct Total<'a, M> {
    metric: &'a M,
    each: bool,
    rows: Vec<Vec<i64>>,
    /// What was seen of each system, for those who asked: it is added when all is counted.
    seen: Vec<Mutex<Observed>>,
    observed: Vec<&'a Mutex<Observed>>,
    /// Number of segments counted so far, or before.
    counted: usize,
    fewest: usize,
    most: usize,
}

impl<'a, M: Metric> Total<'a, M> {
    /// A total without any rows, of tables if `each`, else of sums.
    pub fn new(
        metric: &'a M,
        systems: usize,
        each: bool,
        observed: Vec<&'a Mutex<Observed>>,
    ) -> Self {
        let width = if each { 0 } else { metric.width() };
        Self {
            metric,
            each,
            rows: (0..systems).map(|_| memory::zeros(width)).collect(),
            seen: observed.iter().map(|_| Mutex::default()).collect(),
            observed,
            counted: 0,
            fewest: usize::MAX,
            most: 0,
        }
    }

    /// The same, for segments that come after others.
    pub fn after(self, segments: usize) -> Self {
        Self {
            counted: segments,
            ..self
        }
    }

    /// Makes room for the rows of this many segments, if they are kept.
    pub fn reserve(&mut self, segments: usize) {
        if !self.each {
            return;
        }
        for rows in &mut self.rows {
            memory::reserve_exact(rows, segments.saturating_mul(self.metric.width()));
        }
    }

    /// Counts a batch, with the interpreter released.
    pub fn add(&mut self, py: Python<'_>, batch: &Batch<'_>, threads: usize) -> PyResult<()> {
        self.add_while(py, batch, threads, || {})
    }

    /// The same. If other threads count, too, calls `call` meanwhile.
    pub fn add_while(
        &mut self,
        py: Python<'_>,
        batch: &Batch<'_>,
        threads: usize,
        call: impl FnOnce(),
    ) -> PyResult<()> {
        let threads = threads_for(batch.weight(), threads);
        let interrupt = Interrupt::default();
        let count = |finish: &mut Finish<'_>| {
            if threads > 1 {
                call();
            }
            py.detach(|| finish(&|| interrupt.check()))
        };
        let seen: Vec<_> = self.seen.iter().collect();
        let part = count_batch_while(self.metric, batch, threads, self.each, &seen, count)
            .map_err(|error| interrupt.exception(error.after(self.counted)))?;
        self.counted += batch.len();
        for (system, seen) in self.seen.iter_mut().enumerate() {
            let seen = seen.get_mut().unwrap_or_else(PoisonError::into_inner);
            py.detach(|| seen.signs.look(batch, system));
        }
        if self.each {
            for rows in &mut self.rows {
                memory::reserve(rows, part.len() / batch.systems());
            }
        }
        let metric = self.metric;
        // The rows of all systems alternate.
        for (row, system) in part
            .chunks_exact(metric.width())
            .zip((0..self.rows.len()).cycle())
        {
            let rows = &mut self.rows[system];
            if self.each {
                rows.extend(row);
            } else {
                add_row(rows, row)
                    .map_err(|error| error.named(|column| metric.field(column)))
                    .or_raise()?;
            }
        }
        let (fewest, most) = batch.reference_counts();
        self.fewest = self.fewest.min(fewest);
        self.most = self.most.max(most);
        Ok(())
    }

    /// The result for one system.
    pub fn into_python(self, py: Python<'_>) -> PyResult<Counted<'_>> {
        self.of_systems(py)?.pop().ok_or(Error::Internal).or_raise()
    }

    /// The result for each system.
    pub fn of_systems(self, py: Python<'_>) -> PyResult<Vec<Counted<'_>>> {
        for (all, seen) in self.observed.iter().zip(self.seen) {
            let seen = seen.into_inner().unwrap_or_else(PoisonError::into_inner);
            let mut all = all
                .lock_py_attached(py)
                .unwrap_or_else(PoisonError::into_inner);
            *all += &seen;
        }
        let counted = |rows: &Vec<i64>| Ok((to_bytes(py, rows)?, self.fewest, self.most));
        self.rows.iter().map(counted).collect()
    }
}
