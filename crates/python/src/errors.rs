//! The core's errors as Python exceptions.

use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use truebleu_core::error::Error;

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
        Error::OutOfMemory(_) => PyMemoryError::new_err(error.to_string()),
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
