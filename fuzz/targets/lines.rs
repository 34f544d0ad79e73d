//! Lines are those of the definition, and neither they nor the rows of tables depend on the blocks
//! that a stream or a file is read in.
#![no_main]

use std::fs::File;
use std::io::{Write, pipe};
use std::os::fd::OwnedFd;

use libfuzzer_sys::fuzz_target;
use truebleu_core::error::Error;
use truebleu_core::tables::{Json, Rows, Separated};
use truebleu_core::text::Segment;
use truebleu_core::text::lines::{Lines, batch};

fuzz_target!(|data: &[u8]| {
    let Some((&step, text)) = data.split_first() else {
        return;
    };
    let block = usize::from(step % 13) + 1;
    let (whole, cut) = (read(text, usize::MAX), read(text, block));
    match (&whole, cut) {
        (Ok(whole), Ok(cut)) => {
            assert!(whole.iter().eq(cut.iter()));
            assert!(whole.iter().eq(defined(text).iter().map(String::as_bytes)));
            as_references(whole);
            rows(text, block);
        }
        (Err(one), Err(other)) => assert_eq!(*one, other),
        (one, other) => panic!("{one:?} differs from {other:?}"),
    }
    let found = read_file(text, block, None, step & 16 != 0);
    let expected = whole.map(|lines| lines.iter().map(<[u8]>::to_vec).collect::<Vec<_>>());
    assert_eq!(found, expected);
    let Ok(expected) = expected else {
        return;
    };
    // A line is refused only if, with what ends it, it is too long.
    let longest = usize::from(step >> 5);
    match read_file(text, block, Some(longest), false) {
        Ok(found) => assert_eq!(found, expected),
        Err(Error::LongLine {
            line,
            longest: most,
        }) => {
            let index = usize::try_from(line).expect("few lines") - 1;
            let bytes = expected.get(index).map_or(0, Vec::len);
            assert!(most == longest && bytes + 1 > longest, "line {line}");
        }
        Err(error) => panic!("{error}"),
    }
});

/// Reads text in blocks of `step` bytes.
fn read(text: &[u8], step: usize) -> Result<Lines, Error> {
    let mut lines = Lines::of_blocks(None);
    text.chunks(step).try_for_each(|block| lines.push(block))?;
    lines.finish()?;
    Ok(lines)
}

/// Rows of each form, or their error, are the same in whatever blocks the text comes.
fn rows(text: &[u8], block: usize) {
    let separated = |separator: u8, places| {
        let form = Separated::new(separator, separator != b'\t', false, places);
        Rows::separated(form, 99)
    };
    let forms: [&dyn Fn() -> Rows; 4] = [
        &|| separated(b',', None),
        &|| separated(b';', Some(&[1, 0][..])),
        &|| separated(b'\t', Some(&[1][..])),
        &|| Rows::json(Json::new(&["a", "a.0", "b.a"], &["a"], true, true), 99),
    ];
    for form in forms {
        assert_eq!(table(form(), text, usize::MAX), table(form(), text, block));
    }
}

/// The texts of each column.
fn table(
    mut rows: Rows,
    text: &[u8],
    block: usize,
) -> Result<Vec<Vec<Vec<Option<Vec<u8>>>>>, Error> {
    let mut lines = Lines::of_blocks(None);
    for block in text.chunks(block) {
        lines.push(block)?;
        rows.push(&mut lines, &|| Ok(()))?;
    }
    lines.finish()?;
    rows.push(&mut lines, &|| Ok(()))?;
    rows.finish()?;
    let columns = rows.take()?.into_iter();
    Ok(columns
        .map(|column| {
            column.check().expect("UTF-8");
            let items = |item: Option<&[u8]>| item.map(<[u8]>::to_vec);
            column
                .rows(0)
                .map(|row| row.items().map(items).collect())
                .collect()
        })
        .collect())
}

/// Reads text as a file, of which the first line that is ready is taken each time.
fn read_file(
    text: &[u8],
    block: usize,
    longest: Option<usize>,
    ahead: bool,
) -> Result<Vec<Vec<u8>>, Error> {
    let (reader, mut writer) = pipe().expect("a pipe");
    // It has room for 64 KiB.
    writer.write_all(&text[..text.len().min(1 << 15)])?;
    drop(writer);
    let mut lines = Lines::of_file(File::from(OwnedFd::from(reader)), block, longest);
    let mut found = Vec::new();
    while !lines.has_ended() || lines.available() > 0 {
        lines.read()?;
        if ahead {
            let (_, reader) = lines.parts();
            reader.read_ahead();
        }
        found.extend(lines.iter().next().map(<[u8]>::to_vec));
        lines.drop_front(1);
        assert_eq!(lines.dropped(), found.len());
    }
    assert_eq!(lines.total(), found.len() as u64);
    assert_eq!(lines.read_bytes(), text.len() as u64);
    Ok(found)
}

/// Lines without text are no references, if they shall be none.
fn as_references(lines: &Lines) {
    let texts: Vec<_> = lines.iter().collect();
    let mut some = Lines::of_blocks(None);
    some.skip_empty();
    // Not at the start, where a byte-order mark would be none of the text.
    some.push(b"\n").expect("UTF-8");
    for text in &texts {
        some.push(&[text, &b"\n"[..]].concat()).expect("UTF-8");
    }
    some.finish().expect("UTF-8");
    some.drop_front(1);
    let found = batch(
        &[lines.ready()],
        &[lines.ready(), some.ready()],
        texts.len(),
    );
    assert_eq!(found.is_empty(), texts.is_empty());
    for (segment, &text) in texts.iter().enumerate() {
        let empty = text.iter().all(|&byte| byte == b' ');
        let (hypothesis, references) = found.segment(segment);
        assert!(matches!(hypothesis, Segment::Utf8(own) if own == text));
        assert_eq!(references.len(), 2 - usize::from(empty));
    }
}

/// The lines of valid UTF-8, without a byte-order mark.
fn defined(text: &[u8]) -> Vec<String> {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let text = std::str::from_utf8(text).expect("it has been accepted");
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    if lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}
