//! All errors of the core.

use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// A field of a row of statistics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// By its column, where the metric is not known.
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

/// An error, with what the caller needs for a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A setting has no value of this name.
    UnknownName {
        /// The setting, such as `"tokenizer"`.
        what: &'static str,
        /// The value that was given.
        name: String,
    },
    /// Settings that cannot be combined, or a value outside its range.
    InvalidSetting(String),
    /// A line is not valid UTF-8. Lines, and bytes within a line, count from 1.
    InvalidUtf8 {
        /// The line.
        line: u64,
        /// The first invalid byte of the line.
        byte: u64,
    },
    /// A line is longer than the caller allows.
    LongLine {
        /// The line, counted from 1.
        line: u64,
        /// The number of bytes allowed.
        longest: usize,
    },
    /// A file cannot be opened or read.
    Read {
        /// The error number of the operating system.
        code: Option<i32>,
        /// The message of the operating system.
        message: String,
    },
    /// A segment and its references are too long for 32-bit positions.
    TooLong {
        /// Index of the segment.
        segment: usize,
    },
    /// A segment has more references than TER can average.
    TooManyReferences {
        /// Index of the segment.
        segment: usize,
        /// Number of its references.
        references: usize,
        /// The largest number that it can average.
        most: usize,
    },
    /// An Arrow column of this type holds neither strings nor lists of strings.
    WrongType(String),
    /// An Arrow column violates the format or is inconsistent; the text says how.
    BadColumn(&'static str),
    /// A table of statistics, or what comes with it, does not have the expected shape.
    BadTable,
    /// The sum of this field does not fit into 64 bits.
    Overflow(Field),
    /// There is not enough memory for what the text names.
    OutOfMemory(String),
    /// Statistics that no text can have.
    ImpossibleRow {
        /// Index of the row.
        index: usize,
        /// The field and the condition that it violates.
        why: String,
    },
    /// A row of a table cannot be read.
    #[cfg(feature = "tables")]
    BadRow {
        /// The line where it is wrong, counted from 1.
        line: u64,
        /// Index of the column whose value is wrong, among those that are read.
        column: Option<usize>,
        /// What is wrong: `"cells"`, `"text"` ...
        problem: &'static str,
        /// The value that is wrong.
        value: String,
    },
    /// The caller asked to stop.
    Interrupted,
    /// A bug, caught before it reached the caller as a panic.
    Internal,
}

impl Error {
    /// The same error, if the segments come after so many others.
    #[must_use]
    pub fn after(self, segments: usize) -> Self {
        match self {
            Self::TooLong { segment } => Self::TooLong {
                segment: segments + segment,
            },
            Self::TooManyReferences {
                segment,
                references,
                most,
            } => Self::TooManyReferences {
                segment: segments + segment,
                references,
                most,
            },
            other => other,
        }
    }

    /// The one of two errors that concerns the earlier segment; one without a segment comes last.
    #[must_use]
    pub fn or_earlier(self, other: Self) -> Self {
        let segment = |error: &Self| match error {
            Self::TooLong { segment } | Self::TooManyReferences { segment, .. } => *segment,
            _ => usize::MAX,
        };
        if segment(&other) < segment(&self) {
            return other;
        }
        self
    }

    /// The same error with the name of the field instead of its column.
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
            Self::InvalidSetting(message) | Self::Read { message, .. } => f.write_str(message),
            Self::InvalidUtf8 { line, byte } => {
                write!(f, "line {line}, byte {byte}: invalid UTF-8")
            }
            Self::LongLine { line, longest } => write!(
                f,
                "line {line} has more than {longest} bytes: is this a file with one segment per \
                 line? If so, set the environment variable TRUEBLEU_MAX_LINE to a larger number"
            ),
            Self::TooLong { segment } => write!(
                f,
                "segment {segment} (counted from 0) is too long: with its references, if it has any, \
                 it needs more than 4 GiB of working memory"
            ),
            Self::TooManyReferences {
                segment,
                references,
                most,
            } => write!(
                f,
                "segment {segment} (counted from 0) has {references} references, but TER takes at \
                 most {most}: leave some out, or score with sacreBLEU, which has no limit"
            ),
            Self::WrongType(name) => write!(f, "a column of type {name} does not hold strings"),
            Self::BadColumn(what) => write!(f, "not a valid Arrow column: {what}"),
            Self::BadTable => f.write_str("the statistics do not have the expected shape"),
            Self::Overflow(field) => write!(
                f,
                "the sum of {field} does not fit into int64: add up fewer rows at a time"
            ),
            Self::OutOfMemory(what) => write!(f, "not enough memory for {what}"),
            Self::ImpossibleRow { index, why } => {
                write!(f, "impossible statistics: in row {index} (from 0), {why}")
            }
            #[cfg(feature = "tables")]
            Self::BadRow {
                line,
                problem,
                value,
                ..
            } => write!(f, "line {line}: {problem} {value}"),
            Self::Interrupted => f.write_str("interrupted"),
            Self::Internal => f.write_str(
                "internal error in truebleu: please report it with the input that caused it",
            ),
        }
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        let text = error.to_string();
        let message = text.split(" (os error").next().unwrap_or(&text);
        Self::Read {
            code: error.raw_os_error(),
            message: message.to_owned(),
        }
    }
}

/// Called from time to time during long work; an error stops it.
pub type Pause<'a> = &'a dyn Fn() -> Result<(), Error>;

/// Looks up the value of a setting (`what`) by its name.
///
/// # Errors
///
/// [`Error::UnknownName`] if the table does not have the name.
pub fn by_name<T: Copy>(table: &[(&str, T)], what: &'static str, name: &str) -> Result<T, Error> {
    let entry = table.iter().find(|(known, _)| *known == name);
    entry
        .map(|&(_, value)| value)
        .ok_or_else(|| Error::UnknownName {
            what,
            name: name.to_owned(),
        })
}

/// Ends work with an error by unwinding to [`catch_panic`], from deep inside loops that have no
/// other errors. Nothing is printed.
pub fn unwind(error: Error) -> ! {
    resume_unwind(Box::new(error))
}

/// Runs `work`; a panic becomes an error.
///
/// # Errors
///
/// Those of `work` and of [`unwind`], or [`Error::Internal`] instead of a panic.
pub fn catch_panic<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        Err(payload
            .downcast()
            .map_or(Error::Internal, |error: Box<Error>| *error))
    })
}
