//! The groups of Unicode categories that tokenizers need.

use std::sync::OnceLock;

use crate::text::packed::Packed;

/// The version of the tables.
pub const VERSION: (u64, u64, u64) = (18, 0, 0);

/// The group of a code point, as far as tokenizers need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// `\p{L}`
    Letter,
    /// `\p{Nd}`
    Digit,
    /// The rest of `\p{N}`
    Number,
    /// `\p{P}`
    Punctuation,
    /// `\p{S}`
    Symbol,
    /// `\p{Z}`
    Separator,
    /// Marks, controls, surrogates, and unassigned code points.
    Other,
}

/// By their numbers.
const ALL: [Group; 7] = [
    Group::Letter,
    Group::Digit,
    Group::Number,
    Group::Punctuation,
    Group::Symbol,
    Group::Separator,
    Group::Other,
];

/// Runs of code points: 7 times their number, and the number of their group. A test makes the file,
/// of `unicode-properties`.
const RUNS: Packed = Packed(include_bytes!("groups.bin"));

/// Number of code points that are looked up at a time.
const BLOCK: usize = 256;

const BLOCKS: usize = (char::MAX as usize + 1) / BLOCK;

/// Filled block by block, because most texts use few of them.
static GROUPS: [OnceLock<Box<[Group; BLOCK]>>; BLOCKS] = [const { OnceLock::new() }; BLOCKS];

/// The group of a code point; [`Group::Other`] for surrogates and for numbers that are not code
/// points.
#[inline]
pub fn group(c: u32) -> Group {
    let (block, index) = (c as usize / BLOCK, c as usize % BLOCK);
    GROUPS.get(block).map_or(Group::Other, |groups| {
        groups.get_or_init(|| look_up(block))[index]
    })
}

#[cold]
fn look_up(block: usize) -> Box<[Group; BLOCK]> {
    let mut groups = Box::new([Group::Other; BLOCK]);
    let mut start = 0;
    for run in RUNS {
        let (length, group) = (run as usize / ALL.len(), ALL[run as usize % ALL.len()]);
        let within = |at: usize| at.saturating_sub(block * BLOCK).min(BLOCK);
        groups[within(start)..within(start + length)].fill(group);
        start += length;
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::packed::compare;
    use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

    fn group_of(c: char) -> Group {
        match c.general_category_group() {
            GeneralCategoryGroup::Letter => Group::Letter,
            GeneralCategoryGroup::Number => match c.general_category() {
                GeneralCategory::DecimalNumber => Group::Digit,
                _ => Group::Number,
            },
            GeneralCategoryGroup::Punctuation => Group::Punctuation,
            GeneralCategoryGroup::Symbol => Group::Symbol,
            GeneralCategoryGroup::Separator => Group::Separator,
            GeneralCategoryGroup::Mark | GeneralCategoryGroup::Other => Group::Other,
        }
    }

    /// The file is what `unicode-properties` has, and each code point has its group.
    #[test]
    fn groups_are_those_of_the_crate() {
        let mut runs: Vec<(u32, Group)> = Vec::new();
        for c in 0..=u32::from(char::MAX) {
            let expected = char::from_u32(c).map_or(Group::Other, group_of);
            match runs.last_mut() {
                Some((length, known)) if *known == expected => *length += 1,
                _ => runs.push((1, expected)),
            }
        }
        let number = |group| ALL.iter().position(|&each| each == group).expect("known");
        let packed = |(length, group)| 7 * length + u32::try_from(number(group)).expect("few");
        compare(
            concat!(env!("CARGO_MANIFEST_DIR"), "/src/tokenize/groups.bin"),
            runs.into_iter().map(packed),
        );
        assert_eq!(VERSION, unicode_properties::UNICODE_VERSION);
        for c in char::MIN..=char::MAX {
            assert_eq!(group(c.into()), group_of(c), "{c:?}");
        }
    }

    #[test]
    fn groups_are_those_of_unicode() {
        let cases = [
            ('a', Group::Letter),
            ('語', Group::Letter),
            ('7', Group::Digit),
            ('٣', Group::Digit),
            ('²', Group::Number),
            ('Ⅷ', Group::Number),
            ('_', Group::Punctuation),
            ('。', Group::Punctuation),
            ('€', Group::Symbol),
            ('\u{3000}', Group::Separator),
            ('\u{301}', Group::Other),
            ('\t', Group::Other),
            (char::MAX, Group::Other),
        ];
        for (c, expected) in cases {
            assert_eq!(group(c.into()), expected, "{c:?}");
        }
        assert_eq!(group(0xD800), Group::Other);
        assert_eq!(group(u32::MAX), Group::Other);
    }
}
