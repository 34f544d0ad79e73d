//! Functions in Python that the core answers without running Python code, if it can.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use pyo3::{PyTraverseError, PyVisit};

use super::bleu_engine::BleuEngine;
use super::engine::Engine;

/// A function that scores one sentence.
///
/// A call with two positional arguments goes to the core. Any other call, and one that the core
/// cannot answer, goes to the function.
#[pyclass(frozen, dict, weakref, module = "truebleu._core")]
pub struct SentenceFunction {
    function: Py<PyAny>,
    engine: Py<Engine>,
    /// What the score keeps: the metric, or the settings of the drop-in.
    context: Py<PyAny>,
    /// For the score of the drop-in for sacreBLEU, a list. If it has items, methods that the core
    /// does not call may have been replaced, so all calls go to the function.
    sacrebleu: Option<Py<PyList>>,
}

#[pymethods]
impl SentenceFunction {
    #[new]
    fn new(
        function: Py<PyAny>,
        engine: Py<Engine>,
        context: Py<PyAny>,
        sacrebleu: Option<Py<PyList>>,
    ) -> Self {
        Self {
            function,
            engine,
            context,
            sacrebleu,
        }
    }

    #[pyo3(signature = (*arguments, **settings))]
    fn __call__<'py>(
        &self,
        arguments: &Bound<'py, PyTuple>,
        settings: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = arguments.py();
        if let ([hypothesis, references], None) = (arguments.as_slice(), settings) {
            let (engine, context) = (self.engine.bind(py), self.context.bind(py));
            let score = if let Some(replaced) = &self.sacrebleu {
                if !replaced.bind(py).is_empty() {
                    return self.function.bind(py).call(arguments, settings);
                }
                let context = context.cast()?;
                match engine.cast::<BleuEngine>() {
                    Ok(engine) => {
                        let engine = engine.get();
                        engine.sacrebleu_sentence(context, hypothesis, references)
                    }
                    Err(_) => engine
                        .get()
                        .sacrebleu_sentence(context, hypothesis, references),
                }
            } else {
                engine.get().sentence(context, hypothesis, references)
            };
            if let Some(score) = score? {
                return Ok(score);
            }
        }
        self.function.bind(py).call(arguments, settings)
    }

    /// Binds the function as a method, as for any other function in a class.
    fn __get__<'py>(
        slf: &Bound<'py, Self>,
        instance: &Bound<'py, PyAny>,
        _owner: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if instance.is_none() {
            return Ok(slf.clone().into_any());
        }
        let method = slf.py().import("types")?.getattr("MethodType")?;
        method.call1((slf, instance))
    }

    /// Pickles and copies the function by name.
    fn __reduce__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.function.getattr(py, "__qualname__")
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.function.bind(py).repr()?.to_string())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.function)?;
        visit.call(&self.sacrebleu)?;
        visit.call(&self.context)
    }
}
