//! The text of an object of JSON: its syntax, and where the values of paths are.

use std::borrow::Cow;
use std::ops::Range;

use super::literals::{decode, string_length, word_length};
use crate::error::{Error, Pause};
use crate::memory::{listed, push};
use crate::stop::STEPS;

/// Values in more objects and lists than these are refused; Python reads about a tenth of them.
const DEEPEST: usize = 10_000;

/// So many keys of an object are compared with each other; more are sorted.
const FEW_KEYS: usize = 16;

/// What is wrong with a line.
pub enum Problem {
    /// It is no object.
    Malformed,
    /// An object has this key twice.
    Twice(Vec<u8>),
    /// The caller stopped.
    Paused(Error),
}

/// Finds where the value of each path is, in an object.
pub fn find(
    text: &[u8],
    paths: &[Vec<u8>],
    pause: Pause<'_>,
) -> Result<Vec<Option<Range<usize>>>, Problem> {
    let mut scanner = Scanner {
        text,
        at: 0,
        paths,
        found: listed(paths.iter().map(|_| None)),
        active: Vec::new(),
        open: Vec::new(),
        whole: Vec::new(),
        keys: Vec::new(),
        pause,
    };
    scanner.object()?;
    let found = scanner.found.into_iter();
    Ok(listed(found.map(|found| {
        found.map(|Found { start, end, .. }| start..end)
    })))
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
fn twice(keys: &mut [Cow<'_, [u8]>]) -> Option<Vec<u8>> {
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
    found.map(|key| key.to_vec())
}
