//! Texts of Arrow columns come back as they were, in every layout, sliced and in chunks.
#![no_main]

use std::sync::Arc;

use arrow_array::builder::{LargeListBuilder, ListBuilder, StringBuilder};
use arrow_array::ffi::to_ffi;
use arrow_array::{Array, ArrayRef, LargeStringArray, StringArray, StringViewArray};
use libfuzzer_sys::fuzz_target;
use truebleu_core::text::arrow::Column;
use truebleu_core::text::c_data::import;

type Row = Vec<Option<String>>;

fuzz_target!(|data: &[u8]| {
    let &[layout, cut, ref data @ ..] = data else {
        return;
    };
    let rows: Vec<Option<Row>> = data.split(|&byte| byte == 0).map(row).collect();
    let (array, expected) = column(layout, &rows);
    let start = usize::from(cut) % (array.len() + 1);
    let slices = [
        array.slice(0, start),
        array.slice(start, array.len() - start),
    ];
    let mut column = Column::default();
    for slice in slices {
        let (exported, schema) = to_ffi(&slice.to_data()).expect("a layout of the interface");
        // SAFETY: both were exported from an array.
        let imported = unsafe { import(exported, &schema) }.expect("texts");
        column.push(&imported).expect("texts");
    }
    column.check().expect("UTF-8");
    let found: Vec<Row> = column
        .rows(0)
        .map(|row| row.items().map(|item| item.map(text)).collect())
        .collect();
    assert_eq!(found, expected);
    let first = rows_with_null(&array, &rows, layout);
    assert_eq!(column.first_null(), first);
});

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
    match layout % 5 {
        0 => (Arc::new(first().collect::<StringArray>()), single()),
        1 => (Arc::new(first().collect::<LargeStringArray>()), single()),
        2 => (Arc::new(first().collect::<StringViewArray>()), single()),
        3 => {
            let mut builder = ListBuilder::new(StringBuilder::new());
            rows.iter()
                .for_each(|row| builder.append_option(row.clone()));
            (Arc::new(builder.finish()), listed())
        }
        _ => {
            let mut builder = LargeListBuilder::new(StringBuilder::new());
            rows.iter()
                .for_each(|row| builder.append_option(row.clone()));
            (Arc::new(builder.finish()), listed())
        }
    }
}

/// The first row that is null or has a null.
fn rows_with_null(array: &ArrayRef, rows: &[Option<Row>], layout: u8) -> Option<usize> {
    let lists = layout % 5 > 2;
    (0..array.len()).find(|&index| match &rows[index] {
        None => true,
        Some(row) if lists => row.contains(&None),
        Some(row) => row[0].is_none(),
    })
}
