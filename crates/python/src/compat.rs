//! What only the drop-in for torchmetrics needs: text that is tokenized as for TER.

use pyo3::prelude::*;

use super::arguments::{self, Held};
use super::interrupt::watched;
use truebleu_core::text::Scratch;
use truebleu_core::tokenize::{Tercom, TokenList};

/// Splits a str into words as TER does, joined by spaces.
#[pyfunction]
#[pyo3(signature = (text, *, normalized, no_punct, asian_support, case_sensitive))]
pub fn tercom(
    text: &Bound<'_, PyAny>,
    normalized: bool,
    no_punct: bool,
    asian_support: bool,
    case_sensitive: bool,
) -> PyResult<Py<PyAny>> {
    let py = text.py();
    let held = Held::one(text)?;
    let (text, _) = held.batch().segment(0);
    let tokenizer = Tercom {
        case_sensitive,
        normalized,
        no_punct,
        asian_support,
    };
    let joined = watched(py, text.weight(), || {
        let mut scratch = Scratch::default();
        let mut words = TokenList::default();
        let range = scratch.push(text);
        tokenizer.tokenize(&mut scratch, range, &mut words);
        let words = words.as_slice().iter();
        let words: Vec<_> = words.map(|word| word.bytes(&scratch)).collect();
        Ok(words.join(&b' '))
    })?;
    arguments::to_str(py, &joined)
}
