//! Replacements before splitting, and how to map positions back to the original text.

use std::ops::Range;

use memchr::memmem;

use crate::memory::{extend, listed, push};
use crate::stop::stop_here;

/// Replaces all matches of one kind, from left to right, without overlaps.
pub enum Pass {
    /// The first text by the second.
    Literal(&'static [u8], &'static [u8]),
    /// Deletes a hyphen and the line separator after it.
    HyphenAtLineSeparator,
}

/// Passes that are applied in order, in groups that several tokenizers share.
pub type Passes = &'static [&'static [Pass]];

/// Deletes `<skipped>`, joins lines (and words hyphenated at a line end), and resolves four
/// entities, in this order, so that `&amp;lt;` becomes `<`.
pub const WESTERN: Passes = &[
    &[
        SKIPPED,
        Pass::Literal(b"-\n", b""),
        Pass::Literal(b"\n", b" "),
    ],
    ENTITIES,
];

/// The same for the international segmentation of `mteval-v14.pl`.
pub const INTERNATIONAL_V14: Passes = &[&[SKIPPED, SEPARATED], ENTITIES, APOSTROPHE];

/// The same for that of `mteval-v13a.pl`, which also joins words hyphenated at a line end.
pub const INTERNATIONAL_V13A: Passes = &[
    &[SKIPPED, Pass::HyphenAtLineSeparator, SEPARATED],
    ENTITIES,
    APOSTROPHE,
];

/// The replacements of Tercom, which deletes hyphens at the start of a line.
pub const TERCOM: Passes = &[
    &[Pass::Literal(b"\n-", b""), Pass::Literal(b"\n", b" ")],
    ENTITIES,
];

const SKIPPED: Pass = Pass::Literal(b"<skipped>", b"");

const SEPARATED: Pass = Pass::Literal(LINE_SEPARATOR, b" ");

const ENTITIES: &[Pass] = &[
    Pass::Literal(b"&quot;", b"\""),
    Pass::Literal(b"&amp;", b"&"),
    Pass::Literal(b"&lt;", b"<"),
    Pass::Literal(b"&gt;", b">"),
];

const APOSTROPHE: &[Pass] = &[Pass::Literal(b"&apos;", b"'")];

const LINE_SEPARATOR: &[u8] = "\u{2028}".as_bytes();

/// Unicode's property `Hyphen`.
const HYPHENS: [char; 11] = [
    '-', '\u{AD}', '\u{58A}', '\u{1806}', '\u{2010}', '\u{2011}', '\u{2E17}', '\u{30FB}',
    '\u{FE63}', '\u{FF0D}', '\u{FF65}',
];

/// A replacement: its range in the rewritten text, and where the replaced text ended.
#[derive(Debug)]
struct Edit {
    range: Range<usize>,
    end_before: usize,
}

/// All replacements in a text, by pass.
#[derive(Debug, Default)]
pub struct History(Vec<Vec<Edit>>);

impl History {
    /// The range of the original text that was rewritten to `range`, which is not empty.
    ///
    /// It does not include text deleted at either end.
    #[must_use]
    pub fn original(&self, mut range: Range<usize>) -> Range<usize> {
        for edits in self.0.iter().rev() {
            range = origin(edits, range.start, true)..origin(edits, range.end, false);
        }
        range
    }
}

/// Maps a position after a pass to the position before it. A start is mapped to the end of text
/// deleted there, an end to its start.
fn origin(edits: &[Edit], position: usize, start: bool) -> usize {
    // Replacements are at most one byte long, so no position is inside one.
    let count = edits.partition_point(|Edit { range, .. }| {
        position > range.start || position == range.end && start
    });
    match edits[..count].last() {
        Some(edit) => edit.end_before + position - edit.range.end,
        None => position,
    }
}

/// Applies passes to a text, and records them in `history` if it is given.
#[must_use]
pub fn rewrite(mut text: Vec<u8>, passes: Passes, mut history: Option<&mut History>) -> Vec<u8> {
    for pass in passes.iter().copied().flatten() {
        stop_here();
        let mut next = Vec::new();
        let mut edits = Vec::new();
        let mut rest = 0;
        for (range, new) in pass.matches(&text) {
            extend(&mut next, &text[rest..range.start]);
            let at = next.len();
            extend(&mut next, new);
            rest = range.end;
            let edit = Edit {
                range: at..next.len(),
                end_before: rest,
            };
            push(&mut edits, edit);
        }
        if edits.is_empty() {
            continue;
        }
        extend(&mut next, &text[rest..]);
        text = next;
        if let Some(history) = &mut history {
            history.0.push(edits);
        }
    }
    text
}

impl Pass {
    /// The ranges to replace, and by what.
    fn matches(&self, text: &[u8]) -> Vec<(Range<usize>, &'static [u8])> {
        match *self {
            Self::Literal(old, new) => {
                listed(memmem::find_iter(text, old).map(|at| (at..at + old.len(), new)))
            }
            Self::HyphenAtLineSeparator => {
                listed(memmem::find_iter(text, LINE_SEPARATOR).filter_map(|at| {
                    let hyphen = HYPHENS.iter().find(|&&hyphen| {
                        let mut bytes = [0; 4];
                        text[..at].ends_with(hyphen.encode_utf8(&mut bytes).as_bytes())
                    })?;
                    let range = at - hyphen.len_utf8()..at + LINE_SEPARATOR.len();
                    Some((range, &b""[..]))
                }))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(text: &str, passes: Passes) -> (String, History) {
        let mut history = History::default();
        let bytes = rewrite(text.as_bytes().to_vec(), passes, Some(&mut history));
        (String::from_utf8(bytes).expect("UTF-8"), history)
    }

    /// Rewritten bytes, each with the range of the original that it stands for: the definition.
    fn defined(text: &[u8], passes: Passes) -> Vec<(u8, Range<usize>)> {
        let bytes = text.iter().enumerate();
        let mut bytes: Vec<_> = bytes.map(|(at, &byte)| (byte, at..at + 1)).collect();
        for pass in passes.iter().copied().flatten() {
            let text: Vec<u8> = bytes.iter().map(|(byte, _)| *byte).collect();
            for (range, new) in pass.matches(&text).into_iter().rev() {
                let original = bytes[range.start].1.start..bytes[range.end - 1].1.end;
                bytes.splice(range, new.iter().map(|&byte| (byte, original.clone())));
            }
        }
        bytes
    }

    /// A range is what its first and its last byte stand for, after many replacements in all passes,
    /// of which some make what others replace.
    #[test]
    fn ranges_are_those_of_their_bytes() {
        const PIECES: [&[u8]; 20] = [
            b"a",
            b" ",
            b"-",
            b"\n",
            b"-\n",
            b"&",
            b"&amp;",
            b"amp;",
            b"&lt;",
            b"lt;",
            b"&quot;",
            b"&apos;",
            b"apos;",
            b"<skip",
            b"ped>",
            b"<skipped>",
            "\u{2010}".as_bytes(),
            "\u{2028}".as_bytes(),
            "-\u{2028}".as_bytes(),
            b"\xED\xA0\x80", // A lone surrogate.
        ];
        let mut random: u64 = 1;
        let mut below = |limit: usize| {
            random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(3);
            (random >> 33) as usize % limit
        };
        for passes in [WESTERN, INTERNATIONAL_V14, INTERNATIONAL_V13A] {
            for pieces in 0..300 {
                let text: Vec<u8> = (0..pieces)
                    .flat_map(|_| PIECES[below(PIECES.len())])
                    .copied()
                    .collect();
                let expected = defined(&text, passes);
                let mut history = History::default();
                let bytes = rewrite(text, passes, Some(&mut history));
                assert!(expected.iter().map(|(byte, _)| byte).eq(&bytes));
                for start in 0..bytes.len() {
                    let longest = bytes.len() - start;
                    for end in [start + 1, start + 1 + below(longest)] {
                        let original = expected[start].1.start..expected[end - 1].1.end;
                        assert_eq!(history.original(start..end), original);
                    }
                }
            }
        }
    }

    #[test]
    fn hyphens_are_deleted_in_one_pass() {
        let (text, _) = rewritten("\u{2010}-\u{2028}\u{2028}b", INTERNATIONAL_V13A);
        assert_eq!(text, "\u{2010} b");
        let (text, _) = rewritten("\u{2010}-\u{2028}b", INTERNATIONAL_V14);
        assert_eq!(text, "\u{2010}- b");
    }
}
