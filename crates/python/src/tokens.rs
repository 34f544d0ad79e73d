//! Tokens for Python, with their positions in the text.

use pyo3::prelude::*;
use pyo3::types::PyList;

use super::arguments::Held;
use super::interrupt::watched;
use super::objects;
use truebleu_core::text::Scratch;
use truebleu_core::tokenize::spans::spans;
use truebleu_core::tokenize::{Preprocessing, TokenList};

/// Lists the tokens of a str, each with its start and end in the text, in characters; see [`spans`].
pub fn spanned<'py>(
    preprocessing: Preprocessing,
    text: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyList>> {
    let py = text.py();
    let held = Held::one(text)?;
    let (text, _) = held.batch().segment(0);
    let mut scratch = Scratch::default();
    let mut list = TokenList::default();
    let spans = watched(py, text.weight(), || {
        spans(preprocessing, &mut scratch, text, &mut list)
    })?;
    let tokens = list
        .as_slice()
        .iter()
        .zip(spans)
        .map(|(token, span)| objects::spanned(py, token.bytes(&scratch), span));
    objects::listed(py, tokens)
}
