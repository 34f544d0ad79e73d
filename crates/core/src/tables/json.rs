//! JSON Lines: an object per line, in which columns are fields or paths.

use std::borrow::Cow;

use super::columns::{Batch, Kind, Texts, bad_row};
use super::literals::{decode, string_length, word_length};
use crate::error::{Error, Pause};
use crate::memory::{listed, push, with_room};
use crate::stop::STEPS;

/// Values in more objects and lists than these are refused; Python reads about a tenth of them.
const DEEPEST: usize = 10_000;

/// So many keys of an object are compared with each other; more are sorted.
const FEW_KEYS: usize = 16;

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
}

impl Json {
    /// Reads texts, and labels. A column of texts has strings or, if `lists` are allowed, lists of
    /// strings: its first row that is not null decides. A label that is no string is its JSON.
    #[must_use]
    pub fn new(texts: &[&str], labels: &[&str], nulls: bool, lists: bool) -> Self {
        let all = texts.iter().chain(labels);
        let paths = listed(all.map(|path| listed(path.bytes())));
        Self {
            seen: vec![false; paths.len()],
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
        let mut scanner = Scanner {
            text: line,
            at: 0,
            paths: &self.paths,
            found: with_room(self.paths.len()),
            active: Vec::new(),
            open: Vec::new(),
            whole: Vec::new(),
            keys: Vec::new(),
            pause,
        };
        scanner.found.resize(self.paths.len(), None);
        scanner.object().map_err(|problem| match problem {
            Problem::Malformed => bad_row(number, "object", String::new()),
            Problem::Twice(key) => bad_row(number, "twice", key),
            Problem::Paused(error) => error,
        })?;
        for (column, found) in scanner.found.into_iter().enumerate() {
            self.seen[column] |= found.is_some();
            let value = found.map(|found| &line[found.start..found.end]);
            let texts = &mut batch.columns[column];
            let added = if column < self.texts {
                self.add_text(texts, value, batch.rows)
            } else {
                add_label(texts, value)
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

fn add_label(texts: &mut Texts, value: Option<&[u8]>) -> Result<(), Error> {
    let Some(value) = value.filter(|value| value != b"null") else {
        return texts.null_row();
    };
    if let Some(inside) = string(value) {
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

/// What is wrong with a line.
enum Problem {
    Malformed,
    Twice(String),
    Paused(Error),
}

/// Where the value of a column is.
#[derive(Clone, Copy, Debug)]
struct Found {
    start: usize,
    end: usize,
    /// Number of fields and items that lead to it.
    steps: usize,
}

/// A column that may be inside a value.
#[derive(Clone, Copy)]
struct Active {
    column: usize,
    /// Number of bytes of the path that lead to the value.
    before: usize,
    steps: usize,
}

/// An object or a list that has not ended.
struct Open {
    is_object: bool,
    /// Number of items so far, of a list.
    items: usize,
    /// Where those begin that belong to it, in the lists of the scanner.
    active: usize,
    whole: usize,
    keys: usize,
}

/// Finds values in the text of an object, and checks its syntax. It keeps what is open in lists, so
/// that nested values take no stack.
struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    paths: &'a [Vec<u8>],
    found: Vec<Option<Found>>,
    active: Vec<Active>,
    open: Vec<Open>,
    /// Columns whose whole value is open.
    whole: Vec<usize>,
    keys: Vec<Cow<'a, [u8]>>,
    pause: Pause<'a>,
}

impl<'a> Scanner<'a> {
    /// Reads the whole text.
    fn object(&mut self) -> Result<(), Problem> {
        self.skip_spaces();
        if self.text.get(self.at) != Some(&b'{') {
            return Err(Problem::Malformed);
        }
        self.active = listed((0..self.paths.len()).map(|column| Active {
            column,
            before: 0,
            steps: 0,
        }));
        self.begin(0, 0)?;
        // Whether what is open has just begun, so that it may be empty.
        let mut has_begun = true;
        let mut step = 0_usize;
        while !self.open.is_empty() {
            step += 1;
            if step.is_multiple_of(STEPS) {
                (self.pause)().map_err(Problem::Paused)?;
            }
            if !(has_begun && self.closes()?) {
                has_begun = self.item()?;
                if has_begun {
                    continue;
                }
            }
            while self.closes()? {}
            has_begun = false;
            if !self.open.is_empty() {
                self.expect(b',')?;
            }
        }
        self.skip_spaces();
        if self.at < self.text.len() {
            return Err(Problem::Malformed);
        }
        Ok(())
    }

    /// Reads an item of what is open, with its key if that is an object; returns whether it has begun
    /// an object or a list.
    fn item(&mut self) -> Result<bool, Problem> {
        let (active, whole) = (self.active.len(), self.whole.len());
        self.skip_spaces();
        let Some(open) = self.open.last_mut() else {
            return Err(Problem::Malformed);
        };
        if open.is_object {
            let key = self.key()?;
            self.expect(b':')?;
            self.skip_spaces();
            self.enter(&key);
            push(&mut self.keys, key);
        } else {
            let number = open.items;
            open.items += 1;
            if open.active < active {
                self.enter(number.to_string().as_bytes());
            }
        }
        let rest = &self.text[self.at..];
        self.at += match rest.first() {
            Some(b'{' | b'[') => {
                self.begin(active, whole)?;
                return Ok(true);
            }
            Some(b'"') => string_length(rest),
            _ => word_length(rest),
        }
        .ok_or(Problem::Malformed)?;
        self.leave(active, whole);
        Ok(false)
    }

    /// Begins the object or list that is here; what was entered since belongs to it.
    fn begin(&mut self, active: usize, whole: usize) -> Result<(), Problem> {
        if self.open.len() >= DEEPEST {
            return Err(Problem::Malformed);
        }
        let open = Open {
            is_object: self.text[self.at] == b'{',
            items: 0,
            active,
            whole,
            keys: self.keys.len(),
        };
        push(&mut self.open, open);
        self.at += 1;
        Ok(())
    }

    /// Ends what is open, if it ends here; returns whether it does.
    fn closes(&mut self) -> Result<bool, Problem> {
        self.skip_spaces();
        let end = |open: &mut Open| {
            let end = if open.is_object { b'}' } else { b']' };
            self.text.get(self.at) == Some(&end)
        };
        let Some(open) = self.open.pop_if(end) else {
            return Ok(false);
        };
        self.at += 1;
        if let Some(key) = twice(&mut self.keys[open.keys..]) {
            return Err(Problem::Twice(key));
        }
        self.keys.truncate(open.keys);
        self.leave(open.active, open.whole);
        Ok(true)
    }

    /// Finds the columns whose value is this field or item of what is open, or may be inside it.
    #[inline]
    fn enter(&mut self, name: &[u8]) {
        let paths = self.paths;
        let first = self.open.last().map_or(0, |open| open.active);
        for index in first..self.active.len() {
            let Active {
                column,
                before,
                steps,
            } = self.active[index];
            let Some(rest) = paths[column][before..].strip_prefix(name) else {
                continue;
            };
            let steps = steps + 1;
            match rest.first() {
                None if self.found[column].is_none_or(|found| steps < found.steps) => {
                    let (start, end) = (self.at, self.at);
                    self.found[column] = Some(Found { start, end, steps });
                    push(&mut self.whole, column);
                }
                Some(b'.') => {
                    let inside = Active {
                        column,
                        before: paths[column].len() - rest.len() + 1,
                        steps,
                    };
                    push(&mut self.active, inside);
                }
                _ => {}
            }
        }
    }

    /// Forgets what was entered, whose value has ended.
    #[inline]
    fn leave(&mut self, active: usize, whole: usize) {
        self.active.truncate(active);
        for column in self.whole.drain(whole..) {
            if let Some(found) = &mut self.found[column] {
                found.end = self.at;
            }
        }
    }

    fn key(&mut self) -> Result<Cow<'a, [u8]>, Problem> {
        let rest = &self.text[self.at..];
        let is_string = rest.first() == Some(&b'"');
        let length = is_string.then(|| string_length(rest)).flatten();
        let length = length.ok_or(Problem::Malformed)?;
        self.at += length;
        let inside = &rest[1..length - 1];
        if !inside.contains(&b'\\') {
            return Ok(Cow::Borrowed(inside));
        }
        let mut decoded = Vec::new();
        decode(inside, &mut decoded);
        Ok(Cow::Owned(decoded))
    }

    #[inline]
    fn skip_spaces(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.text.get(self.at) {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8) -> Result<(), Problem> {
        self.skip_spaces();
        if self.text.get(self.at) != Some(&byte) {
            return Err(Problem::Malformed);
        }
        self.at += 1;
        Ok(())
    }
}

/// A key that is there twice.
fn twice(keys: &mut [Cow<'_, [u8]>]) -> Option<String> {
    let found = if keys.len() <= FEW_KEYS {
        let mut each = keys.iter().enumerate();
        each.find(|(index, key)| keys[..*index].contains(key))
            .map(|(_, key)| key)
    } else {
        keys.sort_unstable();
        keys.windows(2)
            .find(|two| two[0] == two[1])
            .map(|two| &two[0])
    };
    found.map(|key| shown(key))
}
