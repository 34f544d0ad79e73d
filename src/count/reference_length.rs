//! Which length of several references counts.

use crate::error::Error;

/// A rule that chooses among the lengths of the references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReferenceLength {
    /// The closest to the hypothesis; of two, the shorter.
    Closest,
    /// The closest to the hypothesis; of two, that of the earlier reference.
    ClosestFirst,
    /// The shortest.
    Shortest,
    /// The longest.
    Longest,
    /// The mean, rounded down to whole tokens as Moses' tuning does.
    Average,
}

impl ReferenceLength {
    /// Every rule under its name.
    pub const ALL: [(&str, Self); 5] = [
        ("closest", Self::Closest),
        ("closest-first", Self::ClosestFirst),
        ("shortest", Self::Shortest),
        ("longest", Self::Longest),
        ("average", Self::Average),
    ];

    /// The rule of that name.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownName`] if there is none.
    pub fn named(name: &str) -> Result<Self, Error> {
        Self::ALL
            .iter()
            .find(|(known, _)| *known == name)
            .map(|&(_, rule)| rule)
            .ok_or_else(|| Error::UnknownName {
                what: "reference_length",
                name: name.to_owned(),
            })
    }

    /// The length that counts. 0 if there are no references.
    #[must_use]
    pub fn choose(self, hypothesis: usize, references: &[usize]) -> usize {
        let lengths = references.iter().copied();
        let distance = |length: &usize| length.abs_diff(hypothesis);
        match self {
            Self::Closest => lengths.min_by_key(|length| (distance(length), *length)),
            // `min_by_key` returns the first of equals.
            Self::ClosestFirst => lengths.min_by_key(distance),
            Self::Shortest => lengths.min(),
            Self::Longest => lengths.max(),
            Self::Average => lengths.sum::<usize>().checked_div(references.len()),
        }
        .unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_between_reference_lengths() {
        let rule = |name| {
            ReferenceLength::named(name)
                .expect("known")
                .choose(10, &[11, 9, 20])
        };
        assert_eq!(rule("closest"), 9);
        assert_eq!(rule("closest-first"), 11);
        assert_eq!(rule("shortest"), 9);
        assert_eq!(rule("longest"), 20);
        assert_eq!(rule("average"), 13);
        assert!(ReferenceLength::named("nearest").is_err());
    }
}
