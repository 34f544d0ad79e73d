//! What some tokenizers replace in a text before they split it, and the way back.

use std::ops::Range;

use memchr::memmem;

/// Replaces everything of one kind, from left to right, without overlaps.
pub enum Pass {
    /// One text by another.
    Literal(&'static [u8], &'static [u8]),
    /// A hyphen before a line separator, and the separator, by nothing.
    HyphenAtLineSeparator,
}

/// `<skipped>`, hyphens at line ends, line ends, four entities; one after the other, so that
/// `&amp;lt;` ends as `<`.
pub const WESTERN: &[Pass] = &[
    Pass::Literal(b"<skipped>", b""),
    Pass::Literal(b"-\n", b""),
    Pass::Literal(b"\n", b" "),
    Pass::Literal(b"&quot;", b"\""),
    Pass::Literal(b"&amp;", b"&"),
    Pass::Literal(b"&lt;", b"<"),
    Pass::Literal(b"&gt;", b">"),
];

/// The same for the international segmentation of `mteval-v14.pl`.
pub const INTERNATIONAL_V14: &[Pass] = &[
    Pass::Literal(b"<skipped>", b""),
    Pass::Literal(LINE_SEPARATOR, b" "),
    Pass::Literal(b"&quot;", b"\""),
    Pass::Literal(b"&amp;", b"&"),
    Pass::Literal(b"&lt;", b"<"),
    Pass::Literal(b"&gt;", b">"),
    Pass::Literal(b"&apos;", b"'"),
];

/// And of `mteval-v13a.pl`, which joins lines at a hyphen.
pub const INTERNATIONAL_V13A: &[Pass] = &[
    Pass::Literal(b"<skipped>", b""),
    Pass::HyphenAtLineSeparator,
    Pass::Literal(LINE_SEPARATOR, b" "),
    Pass::Literal(b"&quot;", b"\""),
    Pass::Literal(b"&amp;", b"&"),
    Pass::Literal(b"&lt;", b"<"),
    Pass::Literal(b"&gt;", b">"),
    Pass::Literal(b"&apos;", b"'"),
];

const LINE_SEPARATOR: &[u8] = "\u{2028}".as_bytes();

/// Unicode's property `Hyphen`.
const HYPHENS: [char; 11] = [
    '-', '\u{AD}', '\u{58A}', '\u{1806}', '\u{2010}', '\u{2011}', '\u{2E17}', '\u{30FB}',
    '\u{FE63}', '\u{FF0D}', '\u{FF65}',
];

/// One replacement: where it stands in the text that came out, and the lengths before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Edit {
    at: usize,
    old: usize,
    new: usize,
}

/// All replacements in a text, pass by pass.
#[derive(Debug, Default)]
pub struct History(Vec<Vec<Edit>>);

impl History {
    /// The range of the original text from which `range` of the rewritten one came.
    ///
    /// What was deleted at either end is not part of it.
    #[must_use]
    pub fn original(&self, mut range: Range<usize>) -> Range<usize> {
        for edits in self.0.iter().rev() {
            range = origin(edits, range.start, true)..origin(edits, range.end, false);
        }
        range
    }
}

/// The position before a pass of a position behind it: of a start, behind what was deleted there;
/// of an end, before it.
fn origin(edits: &[Edit], position: usize, start: bool) -> usize {
    edits
        .iter()
        .take_while(|edit| {
            let end = edit.at + edit.new;
            // Nothing longer than one byte comes in, so no position is inside of it.
            position > edit.at || position == end && start
        })
        .fold(position, |moved, edit| moved + edit.old - edit.new)
}

/// Runs passes over a text, and notes in `history` what they did if somebody will ask.
#[must_use]
pub fn rewrite(mut text: Vec<u8>, passes: &[Pass], mut history: Option<&mut History>) -> Vec<u8> {
    for pass in passes {
        let mut next = Vec::new();
        let mut edits = Vec::new();
        let mut rest = 0;
        for (found, new) in pass.matches(&text) {
            next.extend_from_slice(&text[rest..found.start]);
            edits.push(Edit {
                at: next.len(),
                old: found.len(),
                new: new.len(),
            });
            next.extend_from_slice(new);
            rest = found.end;
        }
        if edits.is_empty() {
            continue;
        }
        next.extend_from_slice(&text[rest..]);
        text = next;
        if let Some(history) = &mut history {
            history.0.push(edits);
        }
    }
    text
}

impl Pass {
    fn matches(&self, text: &[u8]) -> Vec<(Range<usize>, &'static [u8])> {
        match *self {
            Self::Literal(old, new) => memmem::find_iter(text, old)
                .map(|at| (at..at + old.len(), new))
                .collect(),
            Self::HyphenAtLineSeparator => memmem::find_iter(text, LINE_SEPARATOR)
                .filter_map(|at| {
                    let hyphen = HYPHENS.iter().find(|&&hyphen| {
                        let mut bytes = [0; 4];
                        text[..at].ends_with(hyphen.encode_utf8(&mut bytes).as_bytes())
                    })?;
                    let found = at - hyphen.len_utf8()..at + LINE_SEPARATOR.len();
                    Some((found, &b""[..]))
                })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(text: &str, passes: &[Pass]) -> (String, History) {
        let mut history = History::default();
        let bytes = rewrite(text.as_bytes().to_vec(), passes, Some(&mut history));
        (String::from_utf8(bytes).expect("UTF-8"), history)
    }

    /// The original of each part of a text that came out.
    fn check(text: &str, passes: &[Pass], expected: &[(&str, &str)]) {
        let (new, history) = rewritten(text, passes);
        let mut from = 0;
        for (part, original) in expected {
            let start = from + new[from..].find(part).expect("the part is there");
            from = start + part.len();
            assert_eq!(&text[history.original(start..from)], *original, "{part:?}");
        }
    }

    #[test]
    fn the_way_back_leads_to_the_original() {
        check(
            "a &amp;lt; b&quot;c",
            WESTERN,
            &[
                ("a", "a"),
                ("<", "&amp;lt;"),
                ("b", "b"),
                ("\"", "&quot;"),
                ("c", "c"),
            ],
        );
        check(
            "<skipped>x hyphen-\nated<skipped> y",
            WESTERN,
            &[("x", "x"), ("hyphenated", "hyphen-\nated"), ("y", "y")],
        );
        check("a\n<skipped>\nb", WESTERN, &[("a", "a"), ("b", "b")]);
        check(
            "don&apos;t x\u{2011}\u{2028}y",
            INTERNATIONAL_V13A,
            &[("'", "&apos;"), ("t", "t"), ("xy", "x\u{2011}\u{2028}y")],
        );
    }

    #[test]
    fn hyphens_are_deleted_in_one_pass() {
        let (text, _) = rewritten("\u{2010}-\u{2028}\u{2028}b", INTERNATIONAL_V13A);
        assert_eq!(text, "\u{2010} b");
        let (text, _) = rewritten("\u{2010}-\u{2028}b", INTERNATIONAL_V14);
        assert_eq!(text, "\u{2010}- b");
    }
}
