//! The current engine: that of the innermost `lf.use`; and engines by their names.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;

use super::Engine;

static VARIABLE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
static DEFAULT: PyOnceLock<Py<Engine>> = PyOnceLock::new();

/// The context variable of `lf.use`.
pub(crate) fn variable(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    let make = || -> PyResult<Py<PyAny>> {
        let kwargs = pyo3::types::PyDict::new(py);
        kwargs.set_item("default", py.None())?;
        Ok(py
            .import("contextvars")?
            .getattr("ContextVar")?
            .call(("limbforge.engine",), Some(&kwargs))?
            .unbind())
    };
    Ok(VARIABLE.get_or_try_init(py, make)?.bind(py))
}

/// The engine of the innermost ``lf.use``, else one of ``"auto"`` that is opened when it is first needed.
///
/// >>> import limbforge as lf
/// >>> with lf.use("cpu"):
/// ...     lf.current_engine()
/// Engine('cpu': CPU)
#[pyfunction]
pub(crate) fn current_engine(py: Python<'_>) -> PyResult<Bound<'_, Engine>> {
    let chosen = variable(py)?.call_method0(intern!(py, "get"))?;
    if !chosen.is_none() {
        return Ok(chosen.cast_into()?);
    }
    default(py)
}

fn default(py: Python<'_>) -> PyResult<Bound<'_, Engine>> {
    let engine = DEFAULT.get_or_try_init(py, || Py::new(py, Engine::new(py, "auto", None)?))?;
    Ok(engine.bind(py).clone())
}

/// Engines by their names and the process that has opened them.
type Opened = HashMap<(String, u32), Py<Engine>>;

/// The engine of a name, which this process opens once: arrays on it go together.
fn named<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, Engine>> {
    // Locked only while the interpreter is held, so that no child of `fork` finds it locked.
    static OPENED: LazyLock<Mutex<Opened>> = LazyLock::new(Mutex::default);
    let opened = || OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    if name == "auto" {
        return default(py);
    }
    let key = (name.to_owned(), std::process::id());
    if let Some(engine) = opened().get(&key) {
        return Ok(engine.bind(py).clone());
    }
    // Another thread may open it meanwhile: the first one stays.
    let engine = Py::new(py, Engine::new(py, name, None)?)?;
    Ok(opened().entry(key).or_insert(engine).bind(py).clone())
}

/// As [`engine_of`], for Python's own functions.
#[pyfunction]
#[pyo3(name = "_engine_of")]
pub(crate) fn engine_of_object<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Engine>> {
    engine_of(given.py(), Some(given))
}

/// An engine that is given, by its name or itself, else the current one.
pub(crate) fn engine_of<'py>(
    py: Python<'py>,
    given: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, Engine>> {
    let Some(given) = given else { return current_engine(py) };
    if let Ok(engine) = given.cast::<Engine>() {
        return Ok(engine.clone());
    }
    let name = given.cast::<PyString>().map_err(|_| {
        let found = given.get_type();
        PyTypeError::new_err(format!("engine: expected an Engine or a text such as 'cpu', found {found}"))
    })?;
    named(py, &name.to_cow()?)
}
