//! JSON Lines: an object per line, in which columns are fields or paths.

use super::columns::{Batch, Kind, Texts, bad_row};
use super::literals::{decode, string_length};
use super::objects::{Problem, find};
use crate::error::{Error, Pause};
use crate::memory::listed;

/// Number of bytes of a value that an error has.
const SHOWN: usize = 1 << 16;

/// Reads fields of objects.
///
/// A path has the names of fields and the numbers of items, from 0 on, with dots between them. A
/// field whose name is the path is preferred.
#[derive(Debug)]
pub struct Json {
    paths: Vec<Vec<u8>>,
    /// How many of these columns are texts; the others are labels.
    texts: usize,
    nulls: bool,
    lists: bool,
    seen: Vec<bool>,
    /// Whether the labels of a column are strings, once there is one.
    strings: Vec<Option<bool>>,
}

impl Json {
    /// Reads texts, and labels. A column of texts has strings or, if `lists` are allowed, lists of
    /// strings: its first row that is not null decides. A label that is no string is its JSON, and so
    /// are all others of its column then: 1 and "1" are not one label.
    #[must_use]
    pub fn new(texts: &[&str], labels: &[&str], nulls: bool, lists: bool) -> Self {
        let all = texts.iter().chain(labels);
        let paths = listed(all.map(|path| listed(path.bytes())));
        Self {
            seen: vec![false; paths.len()],
            strings: vec![None; paths.len()],
            paths,
            texts: texts.len(),
            nulls,
            lists,
        }
    }

    /// The columns to fill.
    pub(super) fn columns(&self) -> Vec<Texts> {
        let kinds = (0..self.paths.len()).map(|column| {
            if column < self.texts && self.lists {
                Kind::Unknown
            } else {
                Kind::Texts
            }
        });
        listed(kinds.map(Texts::new))
    }

    /// For each column whether a row has it.
    pub(super) fn seen(&self) -> &[bool] {
        &self.seen
    }

    /// Reads a line, unless it is blank.
    pub(super) fn read(
        &mut self,
        line: &[u8],
        number: u64,
        batch: &mut Batch,
        pause: Pause<'_>,
    ) -> Result<(), Error> {
        if line.trim_ascii().is_empty() {
            return Ok(());
        }
        if line.len() > batch.longest {
            return Err(bad_row(number, "long", batch.longest.to_string()));
        }
        let found = find(line, &self.paths, pause).map_err(|problem| match problem {
            Problem::Malformed => bad_row(number, "object", String::new()),
            Problem::Twice(key) => bad_row(number, "twice", shown(&key)),
            Problem::Paused(error) => error,
        })?;
        for (column, found) in found.into_iter().enumerate() {
            self.seen[column] |= found.is_some();
            let value = found.map(|found| &line[found]);
            let texts = &mut batch.columns[column];
            let added = if column < self.texts {
                self.add_text(texts, value, batch.rows)
            } else {
                add_label(texts, value, &mut self.strings[column])
            };
            added.map_err(|error| match error {
                Error::BadRow { problem, value, .. } => Error::BadRow {
                    line: number,
                    column: Some(column),
                    problem,
                    value,
                },
                other => other,
            })?;
        }
        batch.rows += 1;
        Ok(())
    }

    fn add_text(&self, texts: &mut Texts, value: Option<&[u8]>, rows: usize) -> Result<(), Error> {
        let Some(value) = value.filter(|value| value != b"null") else {
            if self.nulls {
                return texts.null_row();
            }
            let problem = value.map_or("missing", |_| "null");
            return Err(bad_row(0, problem, String::new()));
        };
        if texts.kind == Kind::Unknown {
            let is_list = value[0] == b'[';
            texts.become_known(if is_list { Kind::Lists } else { Kind::Texts }, rows)?;
        }
        if texts.kind == Kind::Lists {
            return add_list(texts, value, self.nulls);
        }
        match string(value) {
            Some(inside) => add_string(texts, inside),
            None => Err(bad_row(0, "text", shown(value))),
        }
    }
}

/// What is between the quotes, if a value is a string.
fn string(value: &[u8]) -> Option<&[u8]> {
    value.strip_prefix(b"\"")?.strip_suffix(b"\"")
}

/// Adds what is between quotes.
fn add_string(texts: &mut Texts, inside: &[u8]) -> Result<(), Error> {
    match decode(inside, texts.bytes()) {
        None => texts.end_text(),
        Some(half) => Err(bad_row(0, "half", format!("{half:04X}"))),
    }
}

fn add_label(
    texts: &mut Texts,
    value: Option<&[u8]>,
    strings: &mut Option<bool>,
) -> Result<(), Error> {
    let Some(value) = value.filter(|value| value != b"null") else {
        return texts.null_row();
    };
    let inside = string(value);
    if *strings.get_or_insert(inside.is_some()) != inside.is_some() {
        return Err(bad_row(0, "label", shown(value)));
    }
    if let Some(inside) = inside {
        return add_string(texts, inside);
    }
    texts.append(value);
    texts.end_text()
}

/// Adds a list of strings, and of `nulls`, whose syntax is valid.
fn add_list(texts: &mut Texts, value: &[u8], nulls: bool) -> Result<(), Error> {
    let wrong = || bad_row(0, "list", shown(value));
    let mut rest = value.strip_prefix(b"[").ok_or_else(wrong)?;
    while let Some(at) = rest.iter().position(|byte| !b" \t\r\n,".contains(byte)) {
        rest = &rest[at..];
        match rest[0] {
            b']' => break,
            b'"' => {
                let length = string_length(rest).ok_or(Error::Internal)?;
                add_string(texts, &rest[1..length - 1])?;
                rest = &rest[length..];
            }
            b'n' if nulls => {
                texts.null_text()?;
                rest = &rest[b"null".len()..];
            }
            _ => return Err(wrong()),
        }
    }
    texts.end_list()
}

/// A value in a message.
fn shown(value: &[u8]) -> String {
    let value = &value[..value.len().min(SHOWN)];
    String::from_utf8_lossy(value).into_owned()
}
