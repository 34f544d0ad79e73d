//! Import of arrays through Arrow's C data interface, with validation.
//!
//! The interface passes pointers without sizes. The exporting library guarantees that buffers exist
//! and are as long as their offsets or lengths say. Everything else in the structs is checked here.

use std::ffi::{CStr, c_char, c_void};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::{ArrayRef, OffsetSizeTrait, make_array, new_empty_array, new_null_array};
use arrow_schema::DataType;

use crate::error::Error;

/// `ArrowSchema` of the interface; its fields are private in the crate `arrow-schema`.
#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *const *const Schema,
    dictionary: *const Schema,
    release: *const c_void,
    private_data: *const c_void,
}

/// `ArrowArray` of the interface.
#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *const *const c_void,
    children: *const *const Array,
    dictionary: *const Array,
    release: *const c_void,
    private_data: *const c_void,
}

const _: () = assert!(size_of::<Schema>() == size_of::<FFI_ArrowSchema>());
const _: () = assert!(size_of::<Array>() == size_of::<FFI_ArrowArray>());

/// Maximum nesting of types, because the checks are recursive.
const DEEPEST: usize = 64;

/// Imports an array of strings, or of lists of strings.
///
/// # Errors
///
/// [`Error::WrongType`] if it holds something else, [`Error::BadColumn`] if its fields violate the
/// interface or are inconsistent.
///
/// # Safety
///
/// Pointers that are not null must point to what the interface specifies, and buffers must be as
/// long as lengths and offsets say.
pub unsafe fn import(array: FFI_ArrowArray, schema: &FFI_ArrowSchema) -> Result<ArrayRef, Error> {
    // SAFETY: both types are the struct of the interface, of the same size.
    let (raw, raw_schema) = unsafe {
        (
            &*(&raw const array).cast::<Array>(),
            &*std::ptr::from_ref(schema).cast::<Schema>(),
        )
    };
    require(!raw.release.is_null(), "it has been released")?;
    require(!raw_schema.release.is_null(), "its type has been released")?;
    // SAFETY: the caller's promise.
    unsafe { check_schema(raw_schema, DEEPEST)? };
    let kind = DataType::try_from(schema).map_err(|error| Error::WrongType(error.to_string()))?;
    let items = items_of(&kind).unwrap_or(&kind);
    if !is_text(items) {
        return Err(Error::WrongType(items.to_string()));
    }
    // SAFETY: the caller's promise.
    unsafe { check_array(raw, &kind)? };
    if raw.length == 0 {
        // Its buffers may be empty, even though the format asks for one offset.
        return Ok(new_empty_array(&kind));
    }
    if let DataType::Null = items {
        // A null, an empty list and a list of nulls all mean that there is no text. Polars exports
        // them with a buffer, which the format does not have.
        let length = whole(raw.length, "its length is negative")?;
        return Ok(new_null_array(&kind, length));
    }
    // SAFETY: what can be checked has been checked; the rest is the caller's promise.
    let data = unsafe { from_ffi(array, schema) };
    Ok(make_array(
        data.map_err(|_| Error::BadColumn("a buffer is missing"))?,
    ))
}

fn require(condition: bool, otherwise: &'static str) -> Result<(), Error> {
    condition.then_some(()).ok_or(Error::BadColumn(otherwise))
}

/// The type of the items of a list.
fn items_of(kind: &DataType) -> Option<&DataType> {
    use DataType::{FixedSizeList, LargeList, LargeListView, List, ListView};
    match kind {
        List(inner)
        | LargeList(inner)
        | ListView(inner)
        | LargeListView(inner)
        | FixedSizeList(inner, _) => Some(inner.data_type()),
        _ => None,
    }
}

fn is_text(kind: &DataType) -> bool {
    use DataType::{Dictionary, LargeUtf8, Null, Utf8, Utf8View};
    match kind {
        Dictionary(_, values) => matches!(**values, Utf8 | LargeUtf8 | Utf8View),
        _ => matches!(kind, Utf8 | LargeUtf8 | Utf8View | Null),
    }
}

/// Checks the fields from which the crate `arrow-schema` reads the type.
///
/// # Safety
///
/// As for [`import`].
unsafe fn check_schema(schema: &Schema, depth: usize) -> Result<(), Error> {
    require(depth > 0, "its type is nested too deeply")?;
    require(!schema.format.is_null(), "its type is missing")?;
    for text in [schema.format, schema.name] {
        // SAFETY: a string that is not null is zero-terminated.
        let is_utf8 = text.is_null() || unsafe { CStr::from_ptr(text) }.to_str().is_ok();
        require(is_utf8, "its type or name is not UTF-8")?;
    }
    // SAFETY: as above, and it is not null.
    let format = unsafe { CStr::from_ptr(schema.format) }.to_bytes();
    // No child is read unless the type has exactly one.
    let is_list = match format {
        b"+l" | b"+L" | b"+vl" | b"+vL" | [b'+', b'w', b':', ..] => true,
        [b'+', ..] => return Err(Error::WrongType(nested_name(format).to_owned())),
        _ => false,
    };
    require(
        schema.n_children == i64::from(is_list),
        "its number of child types is wrong for its type",
    )?;
    if is_list {
        let missing = Error::BadColumn("the type of its items is missing");
        // SAFETY: the caller's promise.
        let child = unsafe { schema.children.as_ref() }.ok_or(missing.clone())?;
        // SAFETY: the caller's promise.
        let child = unsafe { child.as_ref() }.ok_or(missing)?;
        // SAFETY: the caller's promise.
        unsafe { check_schema(child, depth - 1)? };
    }
    // SAFETY: the caller's promise.
    unsafe { schema.dictionary.as_ref() }.map_or(Ok(()), |values| {
        // The crate `arrow-array` would panic.
        require(
            matches!(
                format,
                [b'c' | b'C' | b's' | b'S' | b'i' | b'I' | b'l' | b'L']
            ),
            "the keys of its dictionary are not whole numbers",
        )?;
        // SAFETY: the caller's promise.
        unsafe { check_schema(values, depth - 1) }
    })
}

/// What a nested type is called that is not a list.
fn nested_name(format: &[u8]) -> &'static str {
    match format {
        [_, b's', ..] => "struct",
        [_, b'm', ..] => "map",
        [_, b'u', ..] => "union",
        [_, b'r', ..] => "run-end encoded",
        _ => "that is unknown",
    }
}

/// Checks an array of type `kind`: strings, or lists of strings.
///
/// # Safety
///
/// As for [`import`].
unsafe fn check_array(array: &Array, kind: &DataType) -> Result<(), Error> {
    let length = whole(array.length, "its length is negative")?;
    let offset = whole(array.offset, "its offset is negative")?;
    let end = length.checked_add(offset);
    // So that no size in bytes overflows; the widest items have 16 bytes.
    let end = end.filter(|&end| end < isize::MAX.cast_unsigned() / 16);
    let end = end.ok_or(Error::BadColumn("it is too long"))?;
    require(
        (-1..=array.length).contains(&array.null_count),
        "its null count is not between 0 and its length",
    )?;
    let buffers = whole(array.n_buffers, "its number of buffers is negative")?;
    let valid = match kind {
        // The format has none, but Polars exports an empty one.
        DataType::Null => buffers <= 1,
        DataType::FixedSizeList(..) => buffers == 1,
        DataType::List(_) | DataType::LargeList(_) | DataType::Dictionary(..) => buffers == 2,
        DataType::Utf8View => buffers >= 3,
        _ => buffers == 3,
    };
    require(valid, "its number of buffers is wrong for its type")?;
    require(
        buffers == 0 || !array.buffers.is_null(),
        "its buffers are missing",
    )?;
    let values = match kind {
        DataType::Dictionary(_, values) => Some(&**values),
        _ => None,
    };
    require(
        array.dictionary.is_null() == values.is_none(),
        "its dictionary does not fit its type",
    )?;
    let inner = items_of(kind);
    require(
        array.n_children == i64::from(inner.is_some()),
        "its number of child arrays is wrong for its type",
    )?;
    if length == 0 || *kind == DataType::Null {
        return Ok(());
    }
    // SAFETY: there are `buffers` pointers.
    let buffers = unsafe { std::slice::from_raw_parts(array.buffers, buffers) };
    // SAFETY: the caller's promise.
    unsafe { check_nulls(array.null_count, buffers[0].cast(), offset, end)? };
    // SAFETY: the caller's promise.
    let last = unsafe {
        match kind {
            DataType::Utf8View => return check_views(buffers),
            DataType::Utf8 | DataType::List(_) => last::<i32>(buffers[1].cast(), offset, end)?,
            DataType::LargeUtf8 | DataType::LargeList(_) => {
                last::<i64>(buffers[1].cast(), offset, end)?
            }
            DataType::FixedSizeList(_, size) => {
                let size = whole(i64::from(*size), "the size of its lists is negative")?;
                end.checked_mul(size)
                    .ok_or(Error::BadColumn("it is too long"))?
            }
            // Keys, and where list views begin and end, are checked when they are read.
            _ => {
                let present = buffers[1..].iter().all(|buffer| !buffer.is_null());
                require(present, "its keys or offsets are missing")?;
                0
            }
        }
    };
    // SAFETY: what is not null points to an array.
    if let (Some(kind), Some(array)) = (values, unsafe { array.dictionary.as_ref() }) {
        // SAFETY: the caller's promise.
        return unsafe { check_array(array, kind) };
    }
    let Some(inner) = inner else {
        return require(last == 0 || !buffers[2].is_null(), "its text is missing");
    };
    require(!array.children.is_null(), "its items are missing")?;
    // SAFETY: there is one child.
    let child = unsafe { (*array.children).as_ref() };
    let child = child.ok_or(Error::BadColumn("its items are missing"))?;
    // SAFETY: the caller's promise.
    unsafe { check_array(child, inner)? };
    let items = whole(child.length, "its length is negative")?;
    require(last <= items, "its offsets point past its items")
}

/// Checks that a validity bitmap has as many nulls as `count` says, unless it is negative.
///
/// # Safety
///
/// The bitmap has `end` bits, or is null.
unsafe fn check_nulls(
    count: i64,
    bitmap: *const u8,
    start: usize,
    end: usize,
) -> Result<(), Error> {
    if bitmap.is_null() {
        return require(count <= 0, "it has nulls, but no validity bitmap");
    }
    if count < 0 {
        return Ok(());
    }
    // SAFETY: the caller's promise.
    let bytes = unsafe { std::slice::from_raw_parts(bitmap, end.div_ceil(8)) };
    let is_null = |&index: &usize| bytes[index / 8] >> (index % 8) & 1 == 0;
    let nulls = (start..end).filter(is_null).count();
    require(
        usize::try_from(count) == Ok(nulls),
        "its null count differs from its validity bitmap",
    )
}

/// Checks the offsets of rows, and returns the last and largest one.
///
/// # Safety
///
/// There are `end + 1` offsets, or the pointer is null.
unsafe fn last<O: OffsetSizeTrait>(
    offsets: *const O,
    start: usize,
    end: usize,
) -> Result<usize, Error> {
    require(!offsets.is_null(), "its offsets are missing")?;
    require(
        offsets.is_aligned(),
        "its offsets are not aligned in memory: copy the column first",
    )?;
    // SAFETY: the caller's promise.
    let offsets = unsafe { std::slice::from_raw_parts(offsets.add(start), end - start + 1) };
    require(offsets.is_sorted(), "its offsets decrease")?;
    require(offsets[0] >= O::zero(), "an offset is negative")?;
    Ok(offsets[end - start].as_usize())
}

/// Checks the buffers of a view array; the views are checked when they are read.
///
/// # Safety
///
/// The last buffer must hold the length of each buffer between it and the views.
unsafe fn check_views(buffers: &[*const c_void]) -> Result<(), Error> {
    let [_, views, texts @ .., lengths] = buffers else {
        return Err(Error::BadColumn("its buffers are missing"));
    };
    require(!views.is_null(), "its views are missing")?;
    let lengths = lengths.cast::<i64>();
    if texts.is_empty() {
        return Ok(());
    }
    require(!lengths.is_null(), "the lengths of its buffers are missing")?;
    require(
        lengths.is_aligned(),
        "the lengths of its buffers are not aligned",
    )?;
    // SAFETY: the caller's promise.
    let lengths = unsafe { std::slice::from_raw_parts(lengths, texts.len()) };
    for (text, &length) in texts.iter().zip(lengths) {
        whole(length, "the length of a buffer is negative")?;
        require(length == 0 || !text.is_null(), "its text is missing")?;
    }
    Ok(())
}

fn whole(number: i64, otherwise: &'static str) -> Result<usize, Error> {
    usize::try_from(number).map_err(|_| Error::BadColumn(otherwise))
}
