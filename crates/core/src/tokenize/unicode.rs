//! The groups of Unicode categories that tokenizers need.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// The version of the tables.
pub use unicode_properties::UNICODE_VERSION as VERSION;

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

/// The group of a code point; [`Group::Other`] for surrogates and for numbers that are not code
/// points.
#[must_use]
pub fn group(c: u32) -> Group {
    let Some(c) = char::from_u32(c) else {
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
}
