//! The normal forms of Unicode.

use unicode_normalization::UnicodeNormalization;

use crate::error::Error;

/// A normal form (Unicode Standard Annex 15).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Composed.
    C,
    /// Decomposed.
    D,
    /// Composed, compatibility characters replaced.
    Kc,
    /// Decomposed, compatibility characters replaced.
    Kd,
}

impl Form {
    /// Every form under its name.
    pub const ALL: [(&str, Self); 4] = [
        ("NFC", Self::C),
        ("NFD", Self::D),
        ("NFKC", Self::Kc),
        ("NFKD", Self::Kd),
    ];

    /// How many times as long as before a text can be in a normal form, in bytes of UTF-8.
    pub const GROWTH: usize = 11;

    /// The form of that name.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownName`] if there is none.
    pub fn named(name: &str) -> Result<Self, Error> {
        Self::ALL
            .iter()
            .find(|(known, _)| *known == name)
            .map(|&(_, form)| form)
            .ok_or_else(|| Error::UnknownName {
                what: "unicode_form",
                name: name.to_owned(),
            })
    }

    /// A text in this form.
    #[must_use]
    pub fn apply(self, text: &str) -> String {
        match self {
            Self::C => text.nfc().collect(),
            Self::D => text.nfd().collect(),
            Self::Kc => text.nfkc().collect(),
            Self::Kd => text.nfkd().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No character grows more than room is made for.
    #[test]
    fn growth_is_bounded() {
        let longest = char::MIN..=char::MAX;
        for c in longest {
            for (_, form) in Form::ALL {
                assert!(form.apply(&c.to_string()).len() <= Form::GROWTH * c.len_utf8());
            }
        }
    }
}
