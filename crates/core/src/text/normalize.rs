//! Unicode normal forms.

use crate::error::{Error, by_name};

/// The version of the tables.
pub const VERSION: (u8, u8, u8) = unicode_normalization::UNICODE_VERSION;

/// A normal form (Unicode Standard Annex 15).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Composed.
    C,
    /// Decomposed.
    D,
    /// Composed, with compatibility characters replaced.
    Kc,
    /// Decomposed, with compatibility characters replaced.
    Kd,
}

impl Form {
    /// All forms with their names.
    pub const ALL: [(&str, Self); 4] = [
        ("NFC", Self::C),
        ("NFD", Self::D),
        ("NFKC", Self::Kc),
        ("NFKD", Self::Kd),
    ];

    /// Maximum factor by which normalizing lengthens a text, in bytes of UTF-8.
    pub const GROWTH: usize = 11;

    /// The form with this name.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownName`] if there is none.
    pub fn named(name: &str) -> Result<Self, Error> {
        by_name(&Self::ALL, "unicode_form", name)
    }

    /// Normalizes a text to this form.
    ///
    /// # Panics
    ///
    /// Without the feature `normalization`, whose tables are most of what a page would load.
    #[must_use]
    pub fn apply(self, text: &str) -> String {
        #[cfg(not(feature = "normalization"))]
        unreachable!("{self:?} of {text:?} needs the feature `normalization`");
        #[cfg(feature = "normalization")]
        {
            use crate::memory::string;
            use unicode_normalization::UnicodeNormalization;

            match self {
                Self::C => string(text.nfc()),
                Self::D => string(text.nfd()),
                Self::Kc => string(text.nfkc()),
                Self::Kd => string(text.nfkd()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No character grows by more than the maximum factor.
    #[test]
    fn growth_is_bounded() {
        for c in char::MIN..=char::MAX {
            for (_, form) in Form::ALL {
                assert!(form.apply(&c.to_string()).len() <= Form::GROWTH * c.len_utf8());
            }
        }
    }
}
