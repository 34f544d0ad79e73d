//! Lines are those of the definition, and do not depend on the blocks that a stream arrives in.
#![no_main]

use libfuzzer_sys::fuzz_target;
use truebleu_core::error::Error;
use truebleu_core::text::lines::Lines;

fuzz_target!(|data: &[u8]| {
    let Some((&step, text)) = data.split_first() else {
        return;
    };
    let (whole, cut) = (
        read(text, usize::MAX),
        read(text, usize::from(step % 13) + 1),
    );
    match (whole, cut) {
        (Ok(whole), Ok(cut)) => {
            assert!(whole.iter().eq(cut.iter()));
            assert!(whole.iter().eq(defined(text).iter().map(String::as_bytes)));
        }
        (Err(one), Err(other)) => assert_eq!(one, other),
        (one, other) => panic!("{one:?} differs from {other:?}"),
    }
});

/// Reads text in blocks of `step` bytes.
fn read(text: &[u8], step: usize) -> Result<Lines, Error> {
    let mut lines = Lines::default();
    text.chunks(step).try_for_each(|block| lines.push(block))?;
    lines.finish()?;
    Ok(lines)
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
