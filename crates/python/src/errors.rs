//! The core's errors as Python exceptions.

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::type_object::PyTypeInfo;

use super::objects::{int, pair, to_str, tuple};
use truebleu_core::error::{Error, catch_panic};

pyo3::create_exception!(
    _core,
    InvalidUtf8Error,
    PyValueError,
    "Invalid UTF-8. Arguments: line and byte, both from 1."
);

pyo3::create_exception!(
    _core,
    RowError,
    PyValueError,
    "A row of a table cannot be read. Arguments: line, from 1; index of the column or None; what is \
     wrong; and the value, as text."
);

pyo3::import_exception!(truebleu.errors, InputError);

/// The exception that stands for an error of the core.
pub fn exception(error: Error) -> PyErr {
    let text = || error.to_string();
    match &error {
        Error::InvalidUtf8 { line, byte } => {
            let [line, byte] = [line, byte].map(|number| number.cast_signed());
            raised::<InvalidUtf8Error>(|py| pair([int(py, line)?, int(py, byte)?]))
        }
        Error::BadRow {
            line,
            column,
            problem,
            value,
        } => raised::<RowError>(|py| {
            let column = match column {
                Some(column) => int(py, i64::try_from(*column)?)?,
                None => py.None().into_bound(py),
            };
            let line = int(py, line.cast_signed())?;
            let texts = [problem, &**value].map(|text| to_str(py, text.as_bytes()));
            let [problem, value] = texts;
            tuple(py, &[line, column, problem?, value?])
        }),
        Error::Read { code, message } => os_error(*code, message),
        Error::OutOfMemory(_) => with_message::<PyMemoryError>(&text()),
        Error::WrongType(name) => with_message::<PyTypeError>(name),
        Error::Internal | Error::Interrupted => with_message::<PyRuntimeError>(&text()),
        Error::LongLine { .. }
        | Error::TooLong { .. }
        | Error::TooManyReferences { .. }
        | Error::Overflow(_)
        | Error::ImpossibleRow { .. } => with_message::<InputError>(&text()),
        Error::UnknownName { .. }
        | Error::InvalidSetting(_)
        | Error::BadTable
        | Error::BadColumn(_) => with_message::<PyValueError>(&text()),
    }
}

/// An exception with a message; a `MemoryError` if there is no memory for it.
///
/// `PyO3`'s own `new_err` makes the message when the exception is raised, where its panic would end
/// the process.
pub fn with_message<E: PyTypeInfo>(message: &str) -> PyErr {
    raised::<E>(|py| to_str(py, message.as_bytes()))
}

/// `ENOMEM`, on all systems.
const NO_MEMORY: i32 = 12;

/// An error of the operating system, which Python makes a `PermissionError` or whatever the number
/// stands for; a `MemoryError` if it is that there is too little memory.
pub fn os_error(code: Option<i32>, message: &str) -> PyErr {
    if code == Some(NO_MEMORY) {
        return with_message::<PyMemoryError>(message);
    }
    raised::<PyOSError>(|py| {
        let code = match code {
            Some(code) => int(py, code.into())?,
            None => py.None().into_bound(py),
        };
        pair([code, to_str(py, message.as_bytes())?])
    })
}

/// An exception with a value or a tuple of values, or the one that there is no memory for them.
fn raised<E: PyTypeInfo>(
    value: impl for<'py> FnOnce(Python<'py>) -> PyResult<Bound<'py, PyAny>>,
) -> PyErr {
    Python::attach(|py| {
        // The type may have to be imported, and `PyO3` panics if it cannot be.
        let set = catch_panic(|| {
            match value(py) {
                // SAFETY: the type and the value are alive.
                Ok(value) => unsafe {
                    ffi::PyErr_SetObject(E::type_object_raw(py).cast(), value.as_ptr());
                },
                Err(error) => error.restore(py),
            }
            Ok(())
        });
        if set.is_err() {
            // SAFETY: the interpreter is held.
            unsafe { ffi::PyErr_NoMemory() };
        }
        PyErr::fetch(py)
    })
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
