//! The reference length of a segment with several references.

use crate::error::{Error, by_name};

/// A rule that derives the reference length from the lengths of the references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReferenceLength {
    /// The closest to the hypothesis; if two are equally close, the shorter.
    Closest,
    /// The closest to the hypothesis; if two are equally close, that of the earlier reference.
    ClosestFirst,
    /// The shortest.
    Shortest,
    /// The longest.
    Longest,
    /// The mean, rounded down to whole tokens as in Moses' tuning.
    Average,
}

impl ReferenceLength {
    /// All rules with their names.
    pub const ALL: [(&str, Self); 5] = [
        ("closest", Self::Closest),
        ("closest-first", Self::ClosestFirst),
        ("shortest", Self::Shortest),
        ("longest", Self::Longest),
        ("average", Self::Average),
    ];

    /// The rule with this name.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownName`] if there is none.
    pub fn named(name: &str) -> Result<Self, Error> {
        by_name(&Self::ALL, "reference_length", name)
    }

    /// The reference length, or 0 if there are no references.
    #[must_use]
    pub fn choose(self, hypothesis: usize, references: &[usize]) -> usize {
        let lengths = references.iter().copied();
        let distance = |length: &usize| length.abs_diff(hypothesis);
        match self {
            Self::Closest => lengths.min_by_key(|length| (distance(length), *length)),
            // `min_by_key` returns the first of several minima.
            Self::ClosestFirst => lengths.min_by_key(distance),
            Self::Shortest => lengths.min(),
            Self::Longest => lengths.max(),
            Self::Average => lengths.sum::<usize>().checked_div(references.len()),
        }
        .unwrap_or(0)
    }
}
