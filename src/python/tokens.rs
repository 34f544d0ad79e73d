//! Tokens for Python, with their positions in the text.

use pyo3::prelude::*;

use super::arguments::{self, Held};
use crate::text::Scratch;
use crate::tokenize::spans::spans;
use crate::tokenize::{Preprocessing, TokenList};

/// A token, and its start and end in the text, in characters.
pub type Spanned = (Py<PyAny>, usize, usize);

/// Tokenizes a str; see [`spans`].
pub fn spanned(
    preprocessing: Preprocessing,
    text: &Bound<'_, PyAny>,
    strip: bool,
) -> PyResult<Vec<Spanned>> {
    let py = text.py();
    let held = Held::one(text)?;
    let (text, _) = held.batch().segment(0);
    let mut scratch = Scratch::default();
    let mut list = TokenList::default();
    let spans = py.detach(|| spans(preprocessing, &mut scratch, text, &mut list, strip));
    let tokens = list.as_slice().iter().zip(spans?);
    tokens
        .map(|(token, span)| {
            let token = arguments::to_str(py, token.bytes(&scratch))?;
            Ok((token, span.start, span.end))
        })
        .collect()
}
