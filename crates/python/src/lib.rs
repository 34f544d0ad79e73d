//! The Python bindings: the module `truebleu._core`. They read arguments, release the interpreter
//! and map errors. Python code checks shapes and writes most messages.

#![expect(
    clippy::fn_params_excessive_bools,
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    reason = "PyO3 passes lists by value, and every Python parameter is an argument"
)]

mod arguments;
mod arrow;
mod bleu_engine;
mod engine;
mod errors;
mod ids;
mod interrupt;
mod lines;
mod meta_evaluation;
mod objects;
mod observe;
mod pairwise;
mod rows;
mod sentence;
mod significance;
mod steps;
mod survey;
mod tables;
mod token_numbers;
mod tokens;
mod total;

use std::collections::BTreeMap;
use std::ffi::CString;

use pyo3::exceptions::PyRuntimeWarning;
use pyo3::panic::PanicException;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use truebleu_core::count::ReferenceLength;
use truebleu_core::memory;
use truebleu_core::metric::smoothing::{Facts, SMOOTHINGS};
use truebleu_core::metric::ter;
use truebleu_core::processor::Level;
use truebleu_core::text::{Form, normalize};
use truebleu_core::tokenize::{Tokenizer, unicode};

#[global_allocator]
static ALLOCATOR: memory::Keeping = memory::Keeping;

#[pymodule(gil_used = false)]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    // A panic is an exception of Python's, and says nothing itself unless somebody looks for it. To
    // print where it came from takes memory; where there is none, the standard library waits for
    // itself.
    memory::keep();
    let tells = std::env::var_os("RUST_BACKTRACE").is_some();
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if tells && memory::keep() {
            tell(panic);
        }
    }));
    // Made here, because PyO3 makes it where it looks for an exception.
    module.py().get_type::<PanicException>();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    if let Some(error) = Level::misnamed() {
        let category = py.get_type::<PyRuntimeWarning>();
        let names = Level::names().join(", ");
        let message = CString::new(format!("{error} is ignored: choose one of {names}"))?;
        PyErr::warn(py, &category, &message, 2)?;
    }
    module.add("SIMD", Level::current().name())?;
    // Of the core that `make checked` tests.
    module.add("DEBUG_ASSERTIONS", cfg!(debug_assertions))?;
    let (major, minor, patch) = char::UNICODE_VERSION;
    module.add("UNICODE_VERSION", format!("{major}.{minor}.{patch}"))?;
    let (major, minor, patch) = unicode::VERSION;
    let version = format!("{major}.{minor}.{patch}");
    let tokenizers = PyDict::new(py);
    for (name, tokenizer) in Tokenizer::ALL {
        tokenizers.set_item(name, tokenizer.knows_unicode().then_some(&version))?;
    }
    module.add("TOKENIZERS", tokenizers)?;
    module.add("SIGNS", truebleu_core::corpus::SIGNS)?;
    let values = SMOOTHINGS
        .iter()
        .map(|facts| (facts.name, facts.takes_value.then_some(facts.value)));
    module.add("SMOOTHINGS", values.collect::<BTreeMap<_, _>>())?;
    let smoothings = |which: fn(&Facts) -> bool| {
        let chosen = SMOOTHINGS.iter().filter(|facts| which(facts));
        PyTuple::new(py, chosen.map(|facts| facts.name).collect::<Vec<_>>())
    };
    module.add(
        "SEGMENT_ONLY_SMOOTHINGS",
        smoothings(|facts| facts.sentence_only)?,
    )?;
    module.add(
        "DIVIDING_SMOOTHINGS",
        smoothings(|facts| facts.divides_by_value)?,
    )?;
    module.add(
        "REFERENCE_LENGTHS",
        PyTuple::new(py, ReferenceLength::ALL.map(|(name, _)| name))?,
    )?;
    module.add(
        "InvalidUtf8Error",
        py.get_type::<errors::InvalidUtf8Error>(),
    )?;
    module.add("RowError", py.get_type::<errors::RowError>())?;
    module.add(
        "UNICODE_FORMS",
        PyTuple::new(py, Form::ALL.map(|(name, _)| name))?,
    )?;
    let (major, minor, patch) = normalize::VERSION;
    module.add("NORMALIZATION_VERSION", format!("{major}.{minor}.{patch}"))?;
    module.add_class::<engine::Engine>()?;
    module.add_class::<bleu_engine::BleuEngine>()?;
    module.add_class::<observe::Observed>()?;
    module.add_class::<lines::Lines>()?;
    module.add_class::<arrow::Column>()?;
    module.add_class::<tables::Rows>()?;
    module.add_class::<significance::Units>()?;
    module.add_class::<significance::Contributions>()?;
    module.add_class::<meta_evaluation::JudgedTable>()?;
    module.add_class::<pairwise::Texts>()?;
    module.add_class::<pairwise::Pairs>()?;
    module.add("MOST_PERMUTED", truebleu_core::resample::MOST_PERMUTED)?;
    module.add("TER_UNITS", ter::UNITS)?;
    module.add_function(wrap_pyfunction!(significance::swap_all, module)?)?;
    module.add_function(wrap_pyfunction!(significance::neighbors, module)?)?;
    module.add_function(wrap_pyfunction!(significance::student_t_quantile, module)?)?;
    module.add_function(wrap_pyfunction!(significance::student_t_tail, module)?)?;
    rows::register(module)?;
    module.add_function(wrap_pyfunction!(sentence::take_left_over, module)?)?;
    module.add_function(wrap_pyfunction!(steps::chrf_units, module)?)?;
    module.add_function(wrap_pyfunction!(steps::ter_steps, module)?)?;
    module.add_function(wrap_pyfunction!(ids::unpadded, module)?)?;
    module.add_function(wrap_pyfunction!(arguments::whole_numbers, module)?)?;
    module.add_function(wrap_pyfunction!(survey::survey, module)?)?;
    module.add_function(wrap_pyfunction!(arguments::lowercase, module)?)?;
    module.add_function(wrap_pyfunction!(arguments::normalize, module)?)
}
