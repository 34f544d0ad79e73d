//! Tokens as Python sees them: each with its place in the text.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::arguments::{self, Held};
use crate::text::Scratch;
use crate::tokenize::spans::spans;
use crate::tokenize::{Preprocessing, TokenList};

/// A token, its first character, and the first character behind it.
pub type Spanned = (Py<PyAny>, usize, usize);

/// Splits a str; see [`spans`].
pub fn spanned(
    preprocessing: Preprocessing,
    text: &Bound<'_, PyAny>,
    strip: bool,
) -> PyResult<Vec<Spanned>> {
    let py = text.py();
    let mut held = Held::with_capacity(1);
    held.push(text.clone(), PyTuple::empty(py).into_any())?;
    let (text, _) = held.batch().segment(0);
    let mut scratch = Scratch::default();
    let mut found = TokenList::default();
    let spans = py.detach(|| spans(preprocessing, &mut scratch, text, &mut found, strip));
    let tokens = found.as_slice().iter().zip(spans?);
    tokens
        .map(|(token, span)| {
            let token = arguments::to_str(py, token.bytes(&scratch))?;
            Ok((token, span.start, span.end))
        })
        .collect()
}
