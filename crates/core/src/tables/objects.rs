//! The text of an object of JSON: its syntax, and where the values of paths are.

use std::borrow::Cow;
use std::ops::Range;

use super::literals::{decode, string_length, word_length};
use crate::error::{Error, Pause};
use crate::memory::{listed, push};
use crate::stop::STEPS;

/// Values in more objects and lists than these are refused, about as many as Python reads.
const DEEPEST: usize = 1000;

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
    let all = paths.iter().enumerate().map(|(column, _)| Active {
        column,
        before: 0,
        steps: 0,
    });
    let mut scanner = Scanner {
        text,
        at: 0,
        paths,
        found: listed(paths.iter().map(|_| None)),
        active: listed(all),
        steps: 0,
        pause,
    };
    if scanner.next() != Some(b'{') {
        return Err(Problem::Malformed);
    }
    scanner.value(0, DEEPEST)?;
    if scanner.next().is_some() {
        return Err(Problem::Malformed);
    }
    let found = scanner.found.into_iter();
    Ok(listed(found.map(|found| found.map(|(range, _)| range))))
}

/// A column whose value may be inside the present one.
#[derive(Clone, Copy)]
struct Active {
    column: usize,
    /// Number of bytes of the path that lead to the present value, and of fields and items.
    before: usize,
    steps: usize,
}

/// Finds values in the text of an object, and checks its syntax.
struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    paths: &'a [Vec<u8>],
    /// Where the value of each column is, and how many fields and items lead to it.
    found: Vec<Option<(Range<usize>, usize)>>,
    active: Vec<Active>,
    /// Number of fields and items so far.
    steps: usize,
    pause: Pause<'a>,
}

impl<'a> Scanner<'a> {
    /// Reads a value in which columns may be that are active from `first` on.
    fn value(&mut self, first: usize, depth: usize) -> Result<(), Problem> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        self.at += match rest.first() {
            Some(b'{') => return self.items(b'}', first, depth),
            Some(b'[') => return self.items(b']', first, depth),
            Some(b'"') => string_length(rest),
            _ => word_length(rest),
        }
        .ok_or(Problem::Malformed)?;
        Ok(())
    }

    /// Reads the fields of an object, or the items of a list, up to its end.
    fn items(&mut self, end: u8, first: usize, depth: usize) -> Result<(), Problem> {
        let inside = depth.checked_sub(1).ok_or(Problem::Malformed)?;
        let last = self.active.len();
        let mut keys = Vec::new();
        self.at += 1;
        if self.next() == Some(end) {
            self.at += 1;
            return Ok(());
        }
        for number in 0_usize.. {
            self.steps += 1;
            if self.steps.is_multiple_of(STEPS) {
                (self.pause)().map_err(Problem::Paused)?;
            }
            self.next();
            let mut is_column = false;
            if end == b'}' {
                let key = self.key()?;
                self.expect(b':')?;
                self.next();
                is_column = self.enter(&key, first..last);
                push(&mut keys, key);
            } else if first < last {
                is_column = self.enter(number.to_string().as_bytes(), first..last);
            }
            let start = self.at;
            self.value(last, inside)?;
            self.active.truncate(last);
            if is_column {
                let mut found = self.found.iter_mut().flatten();
                while let Some((range, _)) = found.find(|(range, _)| range.start == start) {
                    range.end = self.at;
                }
            }
            if self.next() == Some(end) {
                break;
            }
            self.expect(b',')?;
        }
        self.at += 1;
        twice(&mut keys).map_or(Ok(()), |key| Err(Problem::Twice(key)))
    }

    /// Finds the columns whose value comes next, under this name, or may be inside it; returns
    /// whether it is that of any.
    #[inline]
    fn enter(&mut self, name: &[u8], active: Range<usize>) -> bool {
        let paths = self.paths;
        let mut is_column = false;
        for index in active {
            let Active {
                column,
                before,
                steps,
            } = self.active[index];
            let Some(rest) = paths[column][before..].strip_prefix(name) else {
                continue;
            };
            let steps = steps + 1;
            match (rest.first(), &self.found[column]) {
                (None, Some((_, fewer))) if *fewer <= steps => {}
                (None, _) => {
                    self.found[column] = Some((self.at..self.at, steps));
                    is_column = true;
                }
                (Some(b'.'), _) => {
                    let before = paths[column].len() - rest.len() + 1;
                    let inside = Active {
                        column,
                        before,
                        steps,
                    };
                    push(&mut self.active, inside);
                }
                _ => {}
            }
        }
        is_column
    }

    fn key(&mut self) -> Result<Cow<'a, [u8]>, Problem> {
        let rest = self.text.get(self.at..).unwrap_or_default();
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

    /// Skips spaces; returns what is behind them.
    #[inline]
    fn next(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.text.get(self.at) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn expect(&mut self, byte: u8) -> Result<(), Problem> {
        if self.next() != Some(byte) {
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
