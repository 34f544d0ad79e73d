//! Everything that can go wrong in the core, in one enum.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A field of a row of statistics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// By its place, where it is not known which metric the row belongs to.
    Column(usize),
    /// By its name.
    Named(String),
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Column(column) => write!(f, "column {column} (from 0)"),
            Self::Named(name) => f.write_str(name),
        }
    }
}

/// What the core refuses, in terms that the caller can put into a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A setting has no such value: `what` is the setting, `name` what was given.
    UnknownName {
        /// The setting, such as `"tokenizer"`.
        what: &'static str,
        /// The value that was given.
        name: String,
    },
    /// Settings that cannot be combined, or a value outside its range.
    InvalidSetting(String),
    /// A line is not UTF-8. Lines and bytes count from 1; the byte is that of the line.
    InvalidUtf8 {
        /// Number of the line.
        line: u64,
        /// Position of the first offending byte in the line.
        byte: u64,
    },
    /// The text of a segment and its references does not fit into 32-bit positions.
    TooLong {
        /// Index of the segment.
        segment: usize,
    },
    /// A column of Arrow of this type is neither of text nor of lists of text.
    WrongType(String),
    /// A column of Arrow contradicts the format or itself: this is wrong with it.
    BadColumn(&'static str),
    /// A table of statistics has a size that is no multiple of its row.
    BadTable,
    /// A sum of this field does not fit into 64 bits.
    Overflow(Field),
    /// Statistics that no text has.
    ImpossibleRow {
        /// Index of the row.
        index: usize,
        /// Field and condition.
        why: String,
    },
    /// The caller wants no more.
    Interrupted,
    /// A defect of ours, caught before it could reach the caller as a panic.
    Internal,
}

impl Error {
    /// The same error with the name of the field instead of its place.
    #[must_use]
    pub fn named(self, name: impl FnOnce(usize) -> String) -> Self {
        match self {
            Self::Overflow(Field::Column(column)) => Self::Overflow(Field::Named(name(column))),
            other => other,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownName { what, name } => write!(f, "unknown {what} {name:?}"),
            Self::InvalidSetting(message) => f.write_str(message),
            Self::InvalidUtf8 { line, byte } => {
                write!(f, "line {line}, byte {byte}: invalid UTF-8")
            }
            Self::TooLong { segment } => write!(
                f,
                "segment {segment} with its references needs more than 4 GiB of working memory"
            ),
            Self::WrongType(name) => write!(f, "a column of {name}"),
            Self::BadColumn(what) => write!(f, "not a valid Arrow column: {what}"),
            Self::BadTable => f.write_str("the table of statistics does not consist of whole rows"),
            Self::Overflow(field) => write!(
                f,
                "the sum of {field} does not fit into int64: add up fewer rows at a time"
            ),
            Self::ImpossibleRow { index, why } => {
                write!(
                    f,
                    "statistics that no text has: in row {index} (from 0), {why}"
                )
            }
            Self::Interrupted => f.write_str("interrupted"),
            Self::Internal => f.write_str(
                "internal error in truebleu: please report it with the input that caused it",
            ),
        }
    }
}

impl std::error::Error for Error {}

/// Runs `work`; a panic becomes an error.
///
/// # Errors
///
/// Those of `work`, or [`Error::Internal`] instead of a panic.
pub fn catch_panic<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(Error::Internal))
}
