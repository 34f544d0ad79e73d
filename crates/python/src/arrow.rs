//! Columns of other libraries, through Arrow's C data interface.

use std::ffi::CStr;

use arrow_array::Array;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, to_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::critical_section::with_critical_section;
use pyo3::types::{PyCapsule, PyList, PyString};

use super::errors::{OrRaise, caught, exception, os_error, with_message};
use super::objects::{self, pair};
use truebleu_core::error::{Error, catch_panic};
use truebleu_core::tables::{Kind, Texts};
use truebleu_core::text::{arrow, c_data};

/// The capsule that an export method has returned.
fn exported<'a, 'py>(
    given: &'a Bound<'py, PyAny>,
    method: &str,
) -> PyResult<&'a Bound<'py, PyCapsule>> {
    given
        .cast()
        .map_err(|_| no_export(given, method, "a capsule"))
}

/// The error if an export method has returned something else.
fn no_export(given: &Bound<'_, PyAny>, method: &str, needed: &str) -> PyErr {
    let kind = given
        .get_type()
        .name()
        .map_or_else(|_| "object".into(), |name| name.to_string());
    with_message::<PyTypeError>(&format!(
        "unknown type, as its {method} returns an object of type {kind} instead of {needed}"
    ))
}

/// A column of strings, or of lists of strings, without a copy.
#[pyclass(frozen, module = "truebleu._core")]
pub struct Column(pub arrow::Column);

#[pymethods]
impl Column {
    /// Accepts any object with `__arrow_c_stream__` or `__arrow_c_array__`.
    #[new]
    fn new(source: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = source.py();
        let mut column = arrow::Column::default();
        let export = intern!(py, "__arrow_c_stream__");
        if source.hasattr(export)? {
            let capsule = source.call_method0(export)?;
            read_stream(exported(&capsule, "__arrow_c_stream__")?, &mut column)?;
        } else {
            let pair = source.call_method0(intern!(py, "__arrow_c_array__"))?;
            let method = "__arrow_c_array__";
            let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair
                .extract()
                .map_err(|_| no_export(&pair, method, "two capsules"))?;
            read_array(
                exported(&schema, method)?,
                exported(&array, method)?,
                &mut column,
            )?;
        }
        Ok(Self(column))
    }

    /// A column of these str, with None for nulls.
    #[staticmethod]
    fn of(texts: &Bound<'_, PyList>) -> PyResult<Self> {
        let mut column = Texts::new(Kind::Texts);
        caught(texts.py(), || {
            for text in texts {
                let added = if text.is_none() {
                    column.null_row()
                } else {
                    let text = text.cast::<PyString>()?.to_str()?;
                    column.append(text.as_bytes());
                    column.end_text()
                };
                added.or_raise()?;
            }
            Ok(Self(column.take(texts.len()).or_raise()?))
        })
    }

    /// Exports the column, if it is in one piece, whatever type was asked for.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = requested_schema;
        let pieces = Error::BadColumn("it is in several pieces");
        let array = self.0.array().ok_or(pieces).or_raise()?;
        let data = array.to_data();
        caught(py, || {
            let (array, schema) = to_ffi(&data).map_err(|_| exception(Error::Internal))?;
            let schema = PyCapsule::new_with_value(py, schema, c"arrow_schema")?;
            let array = PyCapsule::new_with_value(py, array, c"arrow_array")?;
            pair([schema.into_any(), array.into_any()])
        })
    }

    /// Validates all texts. Must be called before any is read.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.0.check()).or_raise()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// Whether rows are lists of strings.
    #[getter]
    fn has_lists(&self) -> bool {
        self.0.has_lists()
    }

    /// The first row that is null or contains a null.
    #[getter]
    fn first_null(&self) -> Option<usize> {
        self.0.first_null()
    }

    /// The rows as str or lists of str, with None for nulls.
    fn texts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let text = |bytes: Option<&[u8]>| {
            bytes.map_or_else(
                || Ok(py.None().into_bound(py)),
                |bytes| objects::to_str(py, bytes),
            )
        };
        let rows = self.0.rows(0).map(|row| {
            let mut items = row.items().map(text);
            if self.0.has_lists() {
                Ok(objects::listed(py, items)?.into_any())
            } else {
                items.next().unwrap_or_else(|| text(None))
            }
        });
        objects::listed(py, rows)
    }
}

impl Column {
    /// The column itself.
    pub fn get(&self) -> &arrow::Column {
        &self.0
    }
}

/// The pointer in a capsule with this name.
fn pointer<T>(capsule: &Bound<'_, PyCapsule>, name: &CStr) -> PyResult<*mut T> {
    Ok(capsule.pointer_checked(Some(name))?.as_ptr().cast())
}

fn read_array(
    schema: &Bound<'_, PyCapsule>,
    array: &Bound<'_, PyCapsule>,
    column: &mut arrow::Column,
) -> PyResult<()> {
    let schema = with_critical_section(schema, || {
        let schema = pointer(schema, c"arrow_schema")?;
        // SAFETY: by the name of the capsule, this is the struct of the C data interface. Moving it
        // out leaves one marked as released; no other thread does so meanwhile.
        PyResult::Ok(unsafe { FFI_ArrowSchema::from_raw(schema) })
    })?;
    let array = with_critical_section(array, || {
        let array = pointer(array, c"arrow_array")?;
        // SAFETY: as above.
        PyResult::Ok(unsafe { FFI_ArrowArray::from_raw(array) })
    })?;
    if array.is_released() {
        return Err(with_message::<PyTypeError>(
            "an array that has been read already",
        ));
    }
    push(column, array, &schema)
}

fn read_stream(capsule: &Bound<'_, PyCapsule>, column: &mut arrow::Column) -> PyResult<()> {
    let mut stream = with_critical_section(capsule, || {
        let stream = pointer(capsule, c"arrow_array_stream")?;
        // SAFETY: by the name of the capsule, this is the struct of the C stream interface. Moving
        // it out leaves one marked as released; no other thread does so meanwhile.
        PyResult::Ok(unsafe { FFI_ArrowArrayStream::from_raw(stream) })
    })?;
    if stream.release().is_none() {
        return Err(with_message::<PyTypeError>(
            "a stream that has been read already",
        ));
    }
    let (Some(get_schema), Some(get_next)) = (stream.get_schema(), stream.get_next()) else {
        return Err(with_message::<PyTypeError>(
            "a stream that lacks a function",
        ));
    };
    let py = capsule.py();
    let mut schema = FFI_ArrowSchema::empty();
    // A stream may read files, or wait for threads that wait for the interpreter.
    //
    // SAFETY: the stream has not been released, and the schema is writable.
    let code = py.detach(|| unsafe { get_schema(&raw mut stream, &raw mut schema) });
    check_code(&mut stream, code)?;
    loop {
        py.check_signals()?;
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: as above.
        let code = py.detach(|| unsafe { get_next(&raw mut stream, &raw mut array) });
        check_code(&mut stream, code)?;
        if array.is_released() {
            return Ok(());
        }
        push(column, array, &schema)?;
    }
}

/// Raises the error of a stream, if any.
fn check_code(stream: &mut FFI_ArrowArrayStream, code: i32) -> PyResult<()> {
    if code == 0 {
        return Ok(());
    }
    let message = stream.get_last_error().map(|get| {
        // SAFETY: the stream has not been released.
        unsafe { get(&raw mut *stream) }
    });
    let message = match message {
        // SAFETY: the text is zero-terminated, and valid until the next call of the stream.
        Some(text) if !text.is_null() => unsafe { CStr::from_ptr(text) }.to_string_lossy(),
        _ => "the Arrow stream failed".into(),
    };
    Err(os_error(Some(code), &message))
}

fn push(
    column: &mut arrow::Column,
    array: FFI_ArrowArray,
    schema: &FFI_ArrowSchema,
) -> PyResult<()> {
    // The crate arrow-array may panic on invalid data.
    let pushed = catch_panic(|| {
        // SAFETY: the exporting library guarantees that pointers and the sizes of buffers follow
        // the C data interface. The rest is checked.
        column.push(&unsafe { c_data::import(array, schema) }?)
    });
    pushed
        .map_err(|error| match error {
            Error::Internal => Error::BadColumn("its type or its buffers are invalid"),
            other => other,
        })
        .or_raise()
}
