//! Python objects that may find no memory: `PyO3`'s own constructors panic then.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::type_object::PyTypeInfo;
use pyo3::types::{PyBytes, PyList, PyTuple};

use truebleu_core::stop::STEPS;

/// A new object, or the exception that is set if the pointer is null.
///
/// # Safety
///
/// The pointer must be a new reference, or null with an exception set.
unsafe fn made(py: Python<'_>, object: *mut ffi::PyObject) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: the caller's promise.
    unsafe { Bound::from_owned_ptr_or_err(py, object) }
}

/// A str from UTF-8 that may contain surrogates.
pub fn to_str<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    let length = ffi::Py_ssize_t::try_from(bytes.len())?;
    let errors = c"surrogatepass".as_ptr();
    // SAFETY: the pointer and length are those of `bytes`.
    unsafe {
        let text = ffi::PyUnicode_DecodeUTF8(bytes.as_ptr().cast(), length, errors);
        made(py, text)
    }
}

/// The same bytes.
pub fn copy<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, bytes.len(), |copy| {
        copy.copy_from_slice(bytes);
        Ok(())
    })
}

/// An int.
pub fn int(py: Python<'_>, number: i64) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: the interpreter is held.
    unsafe { made(py, ffi::PyLong_FromLongLong(number)) }
}

/// Two objects.
pub fn pair(items: [Bound<'_, PyAny>; 2]) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: the items are alive, and the tuple takes references of its own.
    unsafe {
        let [one, other] = items.each_ref().map(Bound::as_ptr);
        made(items[0].py(), ffi::PyTuple_Pack(2, one, other))
    }
}

/// A tuple of objects.
pub fn tuple<'py>(py: Python<'py>, items: &[Bound<'py, PyAny>]) -> PyResult<Bound<'py, PyAny>> {
    let count = ffi::Py_ssize_t::try_from(items.len())?;
    // SAFETY: each item of the new tuple, which nothing else has, takes a reference of its own.
    unsafe {
        let tuple = made(py, ffi::PyTuple_New(count))?;
        for (place, item) in (0..).zip(items) {
            ffi::PyTuple_SET_ITEM(tuple.as_ptr(), place, item.clone().into_ptr());
        }
        Ok(tuple)
    }
}

/// A text, and where it begins and ends.
pub fn spanned<'py>(
    py: Python<'py>,
    bytes: &[u8],
    span: std::ops::Range<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    let [start, end] = [span.start, span.end].map(|place| int(py, i64::try_from(place)?));
    let items = [to_str(py, bytes)?, start?, end?];
    // SAFETY: the items are alive, and the tuple takes references of its own.
    let tuple = unsafe {
        let [text, start, end] = items.each_ref().map(Bound::as_ptr);
        made(py, ffi::PyTuple_Pack(3, text, start, end))?
    };
    Ok(tuple.cast_into()?)
}

/// Makes a list of what may be millions of objects, and checks for Ctrl-C between them.
pub fn listed<'py, T: PyTypeInfo>(
    py: Python<'py>,
    items: impl Iterator<Item = PyResult<Bound<'py, T>>>,
) -> PyResult<Bound<'py, PyList>> {
    // SAFETY: the interpreter is held.
    let list = unsafe { made(py, ffi::PyList_New(0))? };
    let list = list.cast_into::<PyList>()?;
    for (number, item) in items.enumerate() {
        if number.is_multiple_of(STEPS) {
            py.check_signals()?;
        }
        list.append(item?)?;
    }
    Ok(list)
}
