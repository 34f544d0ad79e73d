//! What only the drop-in for torchmetrics needs: text that is tokenized as for TER.

use pyo3::prelude::*;

use super::arguments::Held;
use super::errors::caught;
use super::interrupt::watched;
use super::objects::to_str;
use truebleu_core::memory;
use truebleu_core::text::Scratch;
use truebleu_core::tokenize::{Tercom, TokenList};

/// Splits a str into words as TER does, joined by spaces.
#[pyfunction]
#[pyo3(signature = (text, *, normalized, no_punct, asian_support, case_sensitive))]
pub fn tercom<'py>(
    text: &Bound<'py, PyAny>,
    normalized: bool,
    no_punct: bool,
    asian_support: bool,
    case_sensitive: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = text.py();
    let held = caught(py, || Held::one(text))?;
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
        Ok(memory::separated(
            words.map(|word| word.bytes(&scratch)),
            b' ',
        ))
    })?;
    to_str(py, &joined)
}
