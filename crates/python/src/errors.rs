//! The core's errors as Python exceptions.

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;

use super::objects::to_str;
use truebleu_core::error::{Error, catch_panic};

pyo3::create_exception!(
    _core,
    InvalidUtf8Error,
    PyValueError,
    "Invalid UTF-8. Arguments: line and byte, both from 1."
);

pyo3::import_exception!(truebleu.errors, InputError);

/// The exception that stands for an error of the core.
pub fn exception(error: Error) -> PyErr {
    match error {
        Error::InvalidUtf8 { line, byte } => InvalidUtf8Error::new_err((line, byte)),
        // Python makes it a `PermissionError` or whatever the number stands for.
        Error::Read { code, message } => PyOSError::new_err((code, message)),
        Error::OutOfMemory(_) => Python::attach(|py| no_memory(py, &error.to_string())),
        Error::WrongType(name) => PyTypeError::new_err(name),
        Error::Internal | Error::Interrupted => PyRuntimeError::new_err(error.to_string()),
        Error::LongLine { .. }
        | Error::TooLong { .. }
        | Error::TooManyReferences { .. }
        | Error::Overflow(_)
        | Error::ImpossibleRow { .. } => InputError::new_err(error.to_string()),
        Error::UnknownName { .. }
        | Error::InvalidSetting(_)
        | Error::BadTable
        | Error::BadColumn(_) => PyValueError::new_err(error.to_string()),
    }
}

/// A `MemoryError`, without its message if there is no memory for it.
fn no_memory(py: Python<'_>, message: &str) -> PyErr {
    match to_str(py, message.as_bytes()) {
        Ok(message) => {
            // SAFETY: the type and the message are alive.
            unsafe { ffi::PyErr_SetObject(ffi::PyExc_MemoryError, message.as_ptr()) };
            PyErr::fetch(py)
        }
        Err(error) => error,
    }
}

/// Makes an object, in Rust and then in Python. Where there is not enough memory, this is a
/// `MemoryError`, also where `PyO3` panics because there is no object.
pub fn made<'py, T: IntoPyObject<'py>>(
    py: Python<'py>,
    work: impl FnOnce() -> PyResult<T>,
) -> PyResult<Bound<'py, PyAny>> {
    caught(py, || work()?.into_bound_py_any(py))
}

/// The same for work whose result is no object.
pub fn caught<T>(py: Python<'_>, work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_panic(|| Ok(work())).unwrap_or_else(|error| match error {
        Error::Internal => Err(PyErr::take(py).unwrap_or_else(|| exception(error))),
        _ => Err(exception(error)),
    })
}

/// Results of the core, whose errors become exceptions.
pub trait OrRaise<T> {
    /// The result, with the exception that stands for its error.
    fn or_raise(self) -> PyResult<T>;
}

impl<T> OrRaise<T> for Result<T, Error> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(exception)
    }
}
