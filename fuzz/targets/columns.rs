//! Texts of Arrow columns come back as they were, in every layout, sliced and in chunks; what is not
//! UTF-8, of another type, or contradicts itself is refused.
#![no_main]

use std::sync::Arc;

use arrow_array::builder::{
    FixedSizeListBuilder, GenericListBuilder, GenericListViewBuilder, StringBuilder,
    StringDictionaryBuilder,
};
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, to_ffi};
use arrow_array::types::{
    ArrowDictionaryKeyType, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, Int32Array, LargeBinaryArray,
    LargeStringArray, ListArray, NullArray, OffsetSizeTrait, StringArray, StringViewArray,
    StructArray, UInt8Array, make_array,
};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field};
use libfuzzer_sys::fuzz_target;
use truebleu_core::error::Error;
use truebleu_core::text::Segment;
use truebleu_core::text::arrow::{self, Column, batch};
use truebleu_core::text::c_data::import;

type Row = Vec<Option<String>>;

// Keys of 8 bits do for as many.
const MOST_ROWS: usize = 100;

// Of lists of a fixed size.
const SIZE: usize = 2;

fuzz_target!(|data: &[u8]| {
    let &[layout, cut, ref data @ ..] = data else {
        return;
    };
    let parts = data.split(|&byte| byte == 0).take(MOST_ROWS);
    match layout / 25 {
        0..=7 => valid(layout, cut, &parts.map(row).collect::<Vec<_>>()),
        8 => invalid_text(cut, &parts.collect::<Vec<_>>()),
        9 => contradictory(cut, layout, &parts.map(row).collect::<Vec<_>>()),
        _ => of_other_types(layout, usize::from(cut % 4) + 1),
    }
});

fn valid(layout: u8, cut: u8, rows: &[Option<Row>]) {
    let (array, expected) = column(layout, rows);
    let start = usize::from(cut) % (array.len() + 1);
    let slices = [
        array.slice(0, start),
        array.slice(start, array.len() - start),
    ];
    let mut column = Column::default();
    for slice in slices {
        column
            .push(&imported(&slice).expect("texts"))
            .expect("texts");
    }
    column.check().expect("UTF-8");
    assert_eq!(column.len(), array.len());
    assert_eq!(column.is_empty(), array.is_empty());
    assert_eq!(column.has_lists(), is_list(layout));
    let items = |row: arrow::Row<'_>| row.items().map(|item| item.map(text)).collect();
    let found: Vec<Row> = column.rows(0).map(items).collect();
    assert_eq!(found, expected);
    let later: Vec<Row> = column.rows(start).map(items).collect();
    assert_eq!(later, expected[start..]);
    let first = rows_with_null(&array, rows, layout);
    assert_eq!(column.first_null(), first);
    // Nulls are no references.
    let segments = batch(&column, &[&column, &column], start..array.len());
    for (segment, row) in expected[start..].iter().enumerate() {
        let texts: Vec<_> = row.iter().flatten().map(String::as_bytes).collect();
        let (hypothesis, references) = segments.segment(segment);
        let bytes = |segment: &Segment<'_>| match *segment {
            Segment::Utf8(bytes) => bytes.to_vec(),
            _ => panic!("{segment:?}"),
        };
        assert_eq!(
            bytes(&hypothesis),
            texts.first().copied().unwrap_or_default()
        );
        let references: Vec<_> = references.iter().map(bytes).collect();
        assert_eq!(references, [&texts[..], &texts[..]].concat());
    }
}

fn imported(array: &ArrayRef) -> Result<ArrayRef, Error> {
    let (exported, schema) = to_ffi(&array.to_data()).expect("a layout of the interface");
    // SAFETY: both were exported from an array.
    unsafe { import(exported, &schema) }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("it has been checked")
}

/// A row: null if it begins with 1; texts between bytes of 2, null if they begin with 3.
fn row(bytes: &[u8]) -> Option<Row> {
    (bytes.first() != Some(&1)).then(|| {
        let texts = bytes.split(|&byte| byte == 2);
        texts
            .map(|text| (text.first() != Some(&3)).then(|| String::from_utf8_lossy(text).into()))
            .collect()
    })
}

const LAYOUTS: u8 = 17;

fn is_list(layout: u8) -> bool {
    (3..8).contains(&(layout % LAYOUTS))
}

/// An array of some layout, and what its rows hold.
fn column(layout: u8, rows: &[Option<Row>]) -> (ArrayRef, Vec<Row>) {
    let first = || {
        rows.iter()
            .map(|row| row.as_ref().and_then(|row| row[0].clone()))
    };
    let single = || first().map(|text| vec![text]).collect();
    let listed = || {
        rows.iter()
            .map(|row| row.clone().unwrap_or_default())
            .collect()
    };
    match layout % LAYOUTS {
        0 => (Arc::new(first().collect::<StringArray>()), single()),
        1 => (Arc::new(first().collect::<LargeStringArray>()), single()),
        2 => (Arc::new(first().collect::<StringViewArray>()), single()),
        3 => (lists::<i32>(rows), listed()),
        4 => (lists::<i64>(rows), listed()),
        5 => (list_views::<i32>(rows), listed()),
        6 => (list_views::<i64>(rows), listed()),
        7 => {
            // Those of a null row are null, too, and it has none.
            let sized = |row: &Row| row.iter().cloned().chain([None, None]).take(SIZE).collect();
            let mut builder = FixedSizeListBuilder::new(StringBuilder::new(), SIZE as i32);
            for row in rows {
                let items: Row = row.as_ref().map_or_else(|| vec![None; SIZE], sized);
                items
                    .iter()
                    .for_each(|item| builder.values().append_option(item.as_ref()));
                builder.append(row.is_some());
            }
            let expected = rows
                .iter()
                .map(|row| row.as_ref().map(sized).unwrap_or_default());
            (Arc::new(builder.finish()), expected.collect())
        }
        8 => (
            Arc::new(NullArray::new(rows.len())),
            vec![vec![None]; rows.len()],
        ),
        9 => (keyed::<Int8Type>(first()), single()),
        10 => (keyed::<Int16Type>(first()), single()),
        11 => (keyed::<Int32Type>(first()), single()),
        12 => (keyed::<Int64Type>(first()), single()),
        13 => (keyed::<UInt8Type>(first()), single()),
        14 => (keyed::<UInt16Type>(first()), single()),
        15 => (keyed::<UInt32Type>(first()), single()),
        _ => (keyed::<UInt64Type>(first()), single()),
    }
}

fn lists<O: OffsetSizeTrait>(rows: &[Option<Row>]) -> ArrayRef {
    let mut builder = GenericListBuilder::<O, _>::new(StringBuilder::new());
    rows.iter()
        .for_each(|row| builder.append_option(row.clone()));
    Arc::new(builder.finish())
}

fn list_views<O: OffsetSizeTrait>(rows: &[Option<Row>]) -> ArrayRef {
    let mut builder = GenericListViewBuilder::<O, _>::new(StringBuilder::new());
    for row in rows {
        row.iter()
            .flatten()
            .for_each(|item| builder.values().append_option(item.as_ref()));
        builder.append(row.is_some());
    }
    Arc::new(builder.finish())
}

fn keyed<K: ArrowDictionaryKeyType>(texts: impl Iterator<Item = Option<String>>) -> ArrayRef {
    let mut builder = StringDictionaryBuilder::<K>::new();
    texts.for_each(|text| builder.append_option(text));
    Arc::new(builder.finish())
}

/// The first row that is null or has a null.
fn rows_with_null(array: &ArrayRef, rows: &[Option<Row>], layout: u8) -> Option<usize> {
    (0..array.len()).find(|&index| match &rows[index] {
        _ if layout % LAYOUTS == 8 => true,
        None => true,
        Some(row) if layout % LAYOUTS == 7 => row.len() < SIZE || row[..SIZE].contains(&None),
        Some(row) if is_list(layout) => row.contains(&None),
        Some(row) => row[0].is_none(),
    })
}

/// Texts of which some may not be UTF-8, and some are null: the first row with such a text is named.
fn invalid_text(layout: u8, rows: &[&[u8]]) {
    let texts = || {
        rows.iter()
            .map(|row| (row.first() != Some(&1)).then_some(*row))
    };
    let (array, kind): (ArrayRef, _) = match layout % 3 {
        0 => (Arc::new(texts().collect::<BinaryArray>()), DataType::Utf8),
        1 => (
            Arc::new(texts().collect::<LargeBinaryArray>()),
            DataType::LargeUtf8,
        ),
        _ => (
            Arc::new(texts().collect::<BinaryViewArray>()),
            DataType::Utf8View,
        ),
    };
    let data = array.to_data().into_builder().data_type(kind.clone());
    // SAFETY: it has the layout of this type, and only what checks them reads the texts.
    let array = make_array(unsafe { data.build_unchecked() });
    let errors = texts().map(|text| std::str::from_utf8(text?).err());
    let errors: Vec<_> = errors
        .map(|error| error.map(|error| error.valid_up_to()))
        .collect();
    check_invalid(&array, &mut errors.iter().copied());
    // Each row but the last has two of them.
    let lengths = rows.chunks(SIZE).map(<[_]>::len);
    let field = Arc::new(Field::new_list_field(kind, true));
    let lists = ListArray::new(
        field,
        OffsetBuffer::from_lengths(lengths),
        Arc::clone(&array),
        None,
    );
    let of_lists = errors
        .chunks(SIZE)
        .map(|errors| errors.iter().flatten().copied().next());
    check_invalid(&(Arc::new(lists) as ArrayRef), &mut of_lists.into_iter());
    // In another order, and not all of them.
    let places = || (0..rows.len()).rev().step_by(2);
    let keys: Int32Array = places().map(|place| i32::try_from(place).ok()).collect();
    let keyed: ArrayRef = Arc::new(DictionaryArray::new(keys, array));
    check_invalid(&keyed, &mut places().map(|place| errors[place]));
}

/// Each row has a text that is valid up to some byte only, or none.
fn check_invalid(array: &ArrayRef, errors: &mut dyn Iterator<Item = Option<usize>>) {
    let mut column = Column::default();
    column
        .push(&imported(array).expect("texts"))
        .expect("texts");
    let first = errors
        .enumerate()
        .find_map(|(row, error)| Some((row, error?)));
    let expected = first.map(|(row, valid)| Error::InvalidUtf8 {
        line: row as u64 + 1,
        byte: valid as u64 + 1,
    });
    assert_eq!(column.check().err(), expected);
}

/// Other types are refused, whatever they are in.
fn of_other_types(kind: u8, length: usize) {
    let numbers = || Int32Array::from(vec![7; length]);
    let keys = || UInt8Array::from(vec![0; length]);
    let items: ArrayRef = match kind % 6 {
        0 => Arc::new(numbers()),
        1 => Arc::new(BinaryArray::from(vec![&b"a"[..]; length])),
        2 => Arc::new(StructArray::new_empty_fields(length, None)),
        3 => Arc::new(DictionaryArray::new(
            keys(),
            Arc::new(Int32Array::from(vec![7])),
        )),
        4 => lists::<i64>(&vec![None; length]),
        _ => {
            let inner = DictionaryArray::new(keys(), Arc::new(StringArray::from(vec!["a"])));
            Arc::new(DictionaryArray::new(keys(), Arc::new(inner)))
        }
    };
    let field = Arc::new(Field::new_list_field(items.data_type().clone(), true));
    let lengths = OffsetBuffer::from_lengths(vec![1; length]);
    let lists: ArrayRef = Arc::new(ListArray::new(field, lengths, Arc::clone(&items), None));
    // A list of lists is of another type, a list is not.
    let given = if kind % 6 == 4 {
        vec![lists]
    } else {
        vec![items, lists]
    };
    for array in given {
        let pushed = Column::default().push(&array);
        assert!(matches!(pushed, Err(Error::WrongType(_))), "{pushed:?}");
        let imported = imported(&array);
        assert!(matches!(imported, Err(Error::WrongType(_))), "{imported:?}");
    }
}

// The fields of the structs of the interface, of 64 bits each.
const LENGTH: usize = 0;
const NULLS: usize = 1;
const OFFSET: usize = 2;
const BUFFERS: usize = 3;
const CHILDREN: usize = 4;
const POINTERS_TO_BUFFERS: usize = 5;
const POINTERS_TO_CHILDREN: usize = 6;
const DICTIONARY: usize = 7;
const CHILD_TYPES: usize = 4;

/// A column whose structs contradict themselves is refused before anything else of it is read.
fn contradictory(layout: u8, field: u8, rows: &[Option<Row>]) {
    let (array, _) = column(layout, rows);
    let (kind, nulls) = (layout % LAYOUTS, array.null_count() as i64);
    let (mut exported, mut schema) = to_ffi(&array.to_data()).expect("a layout of the interface");
    let some = !array.is_empty();
    let (place, value) = match field % 16 {
        0 => (LENGTH, -1),
        1 => (LENGTH, i64::MAX),
        2 => (OFFSET, -1),
        3 => (OFFSET, i64::MAX / 16),
        4 => (NULLS, -2),
        5 => (NULLS, i64::MAX),
        6 if kind != 8 => (NULLS, nulls + 1),
        7 => (BUFFERS, -1),
        8 if kind != 2 => (BUFFERS, 4),
        9 => (BUFFERS, if kind == 8 { 2 } else { 0 }),
        10 => (CHILDREN, if is_list(layout) { 0 } else { 1 }),
        11 if kind != 8 => (POINTERS_TO_BUFFERS, 0),
        12 if is_list(layout) && some => (POINTERS_TO_CHILDREN, 0),
        13 if kind > 8 => (DICTIONARY, 0),
        14 if kind > 8 => (BUFFERS, 3),
        _ => {
            set_type(&mut schema, layout);
            return;
        }
    };
    // SAFETY: the struct begins with fields of 64 bits, and what was exported is released by what
    // the exporter keeps besides.
    unsafe { (&raw mut exported).cast::<i64>().add(place).write(value) };
    // SAFETY: what contradicts itself is all that is wrong.
    let found = unsafe { import(exported, &schema) };
    assert!(
        matches!(found, Err(Error::BadColumn(_))),
        "{kind}, {field}: {found:?}"
    );
}

/// A type that has too many child types, or none that it needs.
fn set_type(schema: &mut FFI_ArrowSchema, layout: u8) {
    let array = FFI_ArrowArray::new(&StringArray::from(vec!["a"]).to_data());
    let place = (&raw mut *schema).cast::<i64>();
    // SAFETY: as above; what it was is written back before it is released.
    let found = unsafe {
        let before = place.add(CHILD_TYPES).read();
        place
            .add(CHILD_TYPES)
            .write(before + 1 + i64::from(layout % 2));
        let found = import(array, schema);
        place.add(CHILD_TYPES).write(before);
        found
    };
    assert!(matches!(found, Err(Error::BadColumn(_))), "{found:?}");
}
