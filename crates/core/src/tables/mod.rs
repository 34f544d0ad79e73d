//! Tables in files of text, CSV, TSV and JSON Lines, as columns in Arrow's layout.
//!
//! Rows are read from [`Lines`], which are UTF-8 and have numbers, so every error has a line. All
//! cells are text, and no types are guessed. Only the columns that are asked for are kept.
//!
//! Neither form is read by a crate. `csv-core` accepts a quote that is never closed, and text after
//! a closing one. `serde_json` accepts a key twice, and refuses what Python's `json` reads in fields
//! that nobody asks for: NaN, 1e999, half a surrogate pair, and more than 128 levels.

mod columns;
mod json;
mod literals;
mod objects;
mod separated;

use crate::error::{Error, Pause};
use crate::text::arrow::Column;
use crate::text::lines::Lines;

use columns::Batch;
pub use columns::{Kind, Texts};
pub use json::Json;
pub use separated::Separated;

/// Number of bytes that are read between two calls of a [`Pause`].
const BETWEEN_PAUSES: usize = 1 << 22;

/// How lines become rows.
#[derive(Debug)]
enum Form {
    Separated(Separated),
    Json(Json),
}

/// Reads the rows of a table in batches.
#[derive(Debug)]
pub struct Rows {
    form: Form,
    batch: Batch,
}

impl Rows {
    /// The rows of CSV or TSV. A row of more than `longest` bytes is refused.
    #[must_use]
    pub fn separated(form: Separated, longest: usize) -> Self {
        let columns = form.columns();
        Self::new(Form::Separated(form), columns, longest)
    }

    /// The rows of JSON Lines.
    #[must_use]
    pub fn json(form: Json, longest: usize) -> Self {
        let columns = form.columns();
        Self::new(Form::Json(form), columns, longest)
    }

    fn new(form: Form, columns: Vec<Texts>, longest: usize) -> Self {
        let batch = Batch::new(columns, longest);
        Self { form, batch }
    }

    /// Reads lines that are ready, and drops them; stops when the batch is full, and returns whether
    /// it is.
    ///
    /// # Errors
    ///
    /// [`Error::BadRow`] if a row cannot be read, and those of `pause`.
    pub fn push(&mut self, lines: &mut Lines, pause: Pause<'_>) -> Result<bool, Error> {
        let (mut read, mut since_pause) = (0, 0);
        let mut number = lines.dropped() as u64;
        for line in lines.iter() {
            if self.batch.is_full() {
                break;
            }
            (read, number) = (read + 1, number + 1);
            match &mut self.form {
                Form::Separated(form) => form.read(line, number, &mut self.batch)?,
                Form::Json(form) => form.read(line, number, &mut self.batch, pause)?,
            }
            since_pause += line.len() + 1;
            if since_pause >= BETWEEN_PAUSES {
                pause()?;
                since_pause = 0;
            }
        }
        lines.drop_front(read);
        Ok(self.batch.is_full())
    }

    /// Ends the table.
    ///
    /// # Errors
    ///
    /// [`Error::BadRow`] if a quote is open.
    pub fn finish(&self) -> Result<(), Error> {
        match &self.form {
            Form::Separated(form) => form.finish(),
            Form::Json(_) => Ok(()),
        }
    }

    /// Number of rows that have been read since the last batch was taken.
    #[must_use]
    pub fn len(&self) -> usize {
        self.batch.rows
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// For each column of JSON whether any row so far has it.
    #[must_use]
    pub fn seen(&self) -> &[bool] {
        match &self.form {
            Form::Separated(_) => &[],
            Form::Json(form) => form.seen(),
        }
    }

    /// Takes the columns of the rows that have been read.
    ///
    /// # Errors
    ///
    /// [`Error::Internal`] if they are no valid columns, which is a bug.
    pub fn take(&mut self) -> Result<Vec<Column>, Error> {
        self.batch.take()
    }
}

#[cfg(test)]
mod tests {
    use super::columns::{BYTES, ROWS};
    use super::*;
    use crate::error::catch_panic;

    /// All rows of all batches, whatever blocks the bytes come in.
    fn rows(
        made: &dyn Fn() -> Rows,
        bytes: &[u8],
        block: usize,
    ) -> Result<Vec<Vec<Option<String>>>, Error> {
        let (mut rows, mut lines, mut all) = (made(), Lines::of_blocks(None), Vec::new());
        let mut take = |rows: &mut Rows| -> Result<(), Error> {
            let columns = rows.take()?;
            for row in 0..columns[0].len() {
                let cell = |column: &Column| {
                    let row = column.rows(row).next()?;
                    let text = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
                    let texts = row.items().map(|item| item.map(text));
                    texts
                        .collect::<Option<Vec<_>>>()
                        .map(|texts| texts.join("|"))
                };
                all.push(columns.iter().map(cell).collect());
            }
            Ok(())
        };
        for block in bytes.chunks(block) {
            lines.push(block)?;
            rows.push(&mut lines, &|| Ok(()))?;
            if rows.len() > 1 {
                take(&mut rows)?;
            }
        }
        lines.finish()?;
        rows.push(&mut lines, &|| Ok(()))?;
        rows.finish()?;
        take(&mut rows)?;
        Ok(all)
    }

    fn in_any_blocks(made: &dyn Fn() -> Rows, text: &str) -> Result<Vec<Vec<String>>, Error> {
        let whole = rows(made, text.as_bytes(), usize::MAX);
        for block in 1..text.len() {
            assert_eq!(
                rows(made, text.as_bytes(), block),
                whole,
                "{text:?} by {block}"
            );
        }
        let shown = |cell: Option<String>| cell.unwrap_or_else(|| "null".to_owned());
        Ok(whole?
            .into_iter()
            .map(|row| row.into_iter().map(shown).collect())
            .collect())
    }

    fn problem(found: Result<Vec<Vec<String>>, Error>) -> (u64, &'static str, String) {
        match found {
            Err(Error::BadRow {
                line,
                problem,
                value,
                ..
            }) => (line, problem, value),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn cells() {
        let read = |text: &str, quoted: bool, header: bool| {
            let separator = if quoted { b',' } else { b'\t' };
            let places: &[usize] = &[0, 2];
            let made =
                || Rows::separated(Separated::new(separator, quoted, header, Some(places)), 99);
            in_any_blocks(&made, text)
        };
        let rows = |rows: &[[&str; 2]]| {
            Ok(rows
                .iter()
                .map(|row| row.map(str::to_owned).to_vec())
                .collect())
        };
        let text = "\u{FEFF}a,b,c\r\n\n\"x\"\"y\",,z\r\"1\n\n2\r\n3\",\",\"\"\",é\nq\"q,\"\",";
        let expected = [["x\"y", "z"], ["1\n\n2\n3", "é"], ["q\"q", ""]];
        assert_eq!(read(text, true, true), rows(&expected));
        assert_eq!(read("\"a\t\"b\"\tc\n", false, false), rows(&[["\"a", "c"]]));
        assert_eq!(read("", true, true), rows(&[]));
        for (text, expected) in [
            ("a,b,c\n1,2\n", (2, "cells", "2 3")),
            ("a,b,c\n\"1\n\",2\n", (2, "cells", "2 3")),
            ("a,b,c\n  \n", (2, "empty", "")),
            ("a,b,c\n\"1\"x,2,3\n", (2, "after quote", "2")),
            ("a,b,c\n\"1,2,3\n4,\"5\",6\n", (3, "after quote", "2")),
            ("a,b,c\n1,2,3\n4,\"5,6\n7", (3, "open quote", "")),
        ] {
            let (line, problem, value) = problem(read(text, true, false));
            assert_eq!((line, problem, &*value), expected, "{text:?}");
        }
        let long = format!("a,b,c\n\"{}", "x\n".repeat(60));
        assert_eq!(problem(read(&long, true, false)).1, "long");
        assert_eq!(
            in_any_blocks(
                &|| Rows::separated(Separated::new(b';', true, false, None), 99),
                "a;\n\"b;\";c\n"
            ),
            Ok(vec![vec!["a|".to_owned()], vec!["b;|c".to_owned()]])
        );
    }

    #[test]
    fn fields() {
        let read = |text: &str, path: &str, nulls: bool, lists: bool| {
            let made = || Rows::json(Json::new(&[path], &["l"], nulls, lists), 1 << 20);
            in_any_blocks(&made, text)
        };
        let column = |found: Result<Vec<Vec<String>>, Error>| {
            found.map(|rows| {
                rows.into_iter()
                    .map(|mut row| row.swap_remove(0))
                    .collect::<Vec<_>>()
            })
        };
        for (text, path, expected) in [
            (r#"{"a": "x"}"#, "a", "x"),
            (
                r#" {"b": [NaN, -Infinity, 1e999, "\ud83d", {}], "a": "\u00e9\ud83D\uDe00\n\/"} "#,
                "a",
                "é😀\n/",
            ),
            (r#"{"a": {"b": [0, {"c": "x"}]}}"#, "a.b.1.c", "x"),
            (r#"{"a": {"b": "path"}, "a.b": "key"}"#, "a.b", "key"),
            (r#"{"a.b": "key", "a": {"b": "path"}}"#, "a.b", "key"),
            (r#"{"a.b": {"c": "x"}}"#, "a.b.c", "x"),
            (r#"{"\u0061": null}"#, "a", "null"),
            (r#"{"x": 1}"#, "a", "null"),
            (r#"{"a": ["x", null, "y"]}"#, "a", "null"),
            (r#"{"a": [ "x" ,"y\t" ]}"#, "a", "x|y\t"),
            (r#"{"a": []}"#, "a", ""),
        ] {
            assert_eq!(
                column(read(text, path, true, true)),
                Ok(vec![expected.to_owned()]),
                "{text}"
            );
        }
        let labels = "{\"l\": 1.50}\n\n{\"l\": true, \"a\": null}\n{\"a\": \"y\"}\n{\"l\": NaN}";
        let found: Vec<_> = read(labels, "a", true, true).expect("objects").concat();
        let expected = ["null", "1.50", "null", "true", "y", "null", "null", "NaN"];
        assert_eq!(found, expected);
        for (text, expected) in [
            (r#"{"a": 2017}"#, (1, "text", "2017")),
            ("{\"a\": \"x\"}\n{\"a\": [\"x\"]}", (2, "text", "[\"x\"]")),
            ("{\"a\": [\"x\"]}\n{\"a\": \"x\"}", (2, "list", "\"x\"")),
            ("{\"a\": [\"x\", 3]}", (1, "list", "[\"x\", 3]")),
            ("{\"a\": [\"x\", [\"y\"]]}", (1, "list", "[\"x\", [\"y\"]]")),
            ("{\"l\": 1}\n{\"l\": \"1\"}", (2, "label", "\"1\"")),
            ("{\"l\": \"1\"}\n{}\n{\"l\": 1}", (3, "label", "1")),
            ("{\"a\": \"x\\ud83d\"}", (1, "half", "D83D")),
            ("{\"a\": [\"\\udc00\\ud83d\"]}", (1, "half", "DC00")),
            ("{\"b\": [{\"\\u0061\": 1, \"a\": 1}]}", (1, "twice", "a")),
            ("{}\n\n[]", (3, "object", "")),
            ("{} {}", (1, "object", "")),
            ("{\"a\": \"x\"", (1, "object", "")),
            ("{\"a\": 01}", (1, "object", "")),
            ("{\"a\": 1,}", (1, "object", "")),
            ("{\"a\": [1,]}", (1, "object", "")),
            ("{\"a\" 1}", (1, "object", "")),
            ("{a: 1}", (1, "object", "")),
            ("{\"a\": \"\t\"}", (1, "object", "")),
            ("{\"a\": \"\\x\"}", (1, "object", "")),
            ("{\"a\": nul}", (1, "object", "")),
            ("{\"a\": [1}", (1, "object", "")),
        ] {
            let (line, problem, value) = problem(read(text, "a", true, true));
            assert_eq!((line, problem, &*value), expected, "{text:?}");
        }
        let needed = |text| problem(read(text, "a", false, false));
        assert_eq!(needed("{\"a\": null}").1, "null");
        assert_eq!(needed("{}").1, "missing");
        assert_eq!(needed("{\"a\": []}").1, "text");
    }

    /// Nested values take no stack, and too deep ones are refused.
    #[test]
    fn nesting() {
        let made = || Rows::json(Json::new(&["b"], &[], true, true), 1 << 30);
        for (depth, is_read) in [(9_000, true), (1_000_000, false)] {
            let text = format!(
                "{{\"a\": {}{}, \"b\": \"x\"}}",
                "[".repeat(depth),
                "]".repeat(depth)
            );
            let found = catch_panic(|| rows(&made, text.as_bytes(), usize::MAX));
            assert_eq!(found.is_ok(), is_read);
        }
    }

    /// Many keys are compared as few are.
    #[test]
    fn many_keys() {
        let keys: Vec<_> = (0..500).map(|number| format!("\"k{number}\": 1")).collect();
        let made = || Rows::json(Json::new(&[], &["k7"], true, true), 1 << 20);
        let text = format!("{{{}}}", keys.join(","));
        assert_eq!(
            rows(&made, text.as_bytes(), 99),
            Ok(vec![vec![Some("1".to_owned())]])
        );
        let text = format!("{{{},\"k3\": 2}}", keys.join(","));
        let found = rows(&made, text.as_bytes(), 99);
        assert!(matches!(
            found,
            Err(Error::BadRow {
                problem: "twice",
                ..
            })
        ));
    }

    /// A batch that is full is taken before more is read.
    #[test]
    fn batches() {
        let mut rows = Rows::separated(Separated::new(b'\t', false, false, Some(&[1])), 1 << 26);
        let mut lines = Lines::default();
        let long = format!("a\t{}\n", "x".repeat(BYTES / 2));
        lines.push(long.repeat(3).as_bytes()).expect("UTF-8");
        let mut sizes = Vec::new();
        while rows.push(&mut lines, &|| Ok(())).expect("rows") {
            sizes.push(rows.take().expect("columns")[0].len());
        }
        assert_eq!((sizes, rows.len()), (vec![2], 1));
        rows.take().expect("columns");
        lines
            .push("a\tb\n".repeat(ROWS + 1).as_bytes())
            .expect("UTF-8");
        assert!(rows.push(&mut lines, &|| Ok(())).expect("rows"));
        assert_eq!((rows.len(), lines.available()), (ROWS, 1));
        let long = format!("{}\tb\n", "a".repeat(BETWEEN_PAUSES));
        rows.take().expect("columns");
        lines.push(long.as_bytes()).expect("UTF-8");
        let stopped = rows.push(&mut lines, &|| Err(Error::Interrupted));
        assert_eq!(stopped, Err(Error::Interrupted));
    }
}
