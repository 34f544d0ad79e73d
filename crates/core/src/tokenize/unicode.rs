//! The groups of Unicode categories that tokenizers need, from tables pinned in `Cargo.lock`.

use std::sync::OnceLock;

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// The version of the tables.
pub const VERSION: (u64, u64, u64) = unicode_properties::UNICODE_VERSION;

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
#[expect(
    clippy::cast_possible_truncation,
    reason = "there are 0x110000 code points"
)]
fn look_up(block: usize) -> Box<[Group; BLOCK]> {
    Box::new(std::array::from_fn(|index| {
        let Some(c) = char::from_u32((block * BLOCK + index) as u32) else {
            return Group::Other;
        };
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
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

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
