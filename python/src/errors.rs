//! Errors as Python's exceptions.

mod programs;

use limbforge::EngineError;
use limbforge::algos::fill::FillError;
use limbforge::limb::BatchError;
use limbforge::prelude::{EvalError, Failure, PolyError};
use pyo3::exceptions::{
    PyIndexError, PyMemoryError, PyOverflowError, PyRuntimeError, PyTypeError, PyValueError,
    PyZeroDivisionError,
};
use pyo3::prelude::*;

use self::programs::{of_checkpoint, of_input};
pub(crate) use self::programs::{of_program, of_program_failure};

pyo3::create_exception!(
    limbforge,
    DeviceError,
    PyRuntimeError,
    "The GPU, its driver or its compiler fails, or belongs to another process."
);

/// A `ValueError` with the text of an error.
pub(crate) fn value_error(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

pub(crate) fn of_batch(error: &BatchError) -> PyErr {
    let text = error.to_string();
    match error {
        BatchError::Value { .. } => PyOverflowError::new_err(text),
        BatchError::Type { .. } | BatchError::Types { .. } => PyTypeError::new_err(text),
        BatchError::Index { .. } => PyIndexError::new_err(text),
        BatchError::TooLarge { .. } => PyMemoryError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}

/// The error with a text before its own, if it is one of those that this library raises; others, as those of
/// a user's `__index__`, as they are.
pub(crate) fn prefixed(py: Python<'_>, prefix: &str, error: &PyErr) -> PyErr {
    let class = error.get_type(py);
    let own = [
        py.get_type::<PyTypeError>(),
        py.get_type::<PyValueError>(),
        py.get_type::<PyOverflowError>(),
        py.get_type::<PyZeroDivisionError>(),
    ];
    if own.iter().any(|own| class.is(own)) {
        PyErr::from_type(class, format!("{prefix}{}", error.value(py)))
    } else {
        error.clone_ref(py)
    }
}

/// The exception of Python's own operation: `ZeroDivisionError`, `OverflowError`, else `ValueError`.
pub(crate) fn of_failure(first: &Failure, count: usize) -> PyErr {
    let others = match count {
        1 => String::new(),
        count => format!(" ({count} instances fail)"),
    };
    let text = format!("{first}{others}; lf.eval_checked returns the results of all others");
    match first.why.mark() {
        "DIV0" => PyZeroDivisionError::new_err(text),
        "OVERFLOW" => PyOverflowError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}

fn of_eval(error: &EvalError) -> PyErr {
    match error {
        EvalError::Failed { first, count } => of_failure(first, *count),
        EvalError::Batch(error) => of_batch(error),
        EvalError::UnknownVariable { .. }
        | EvalError::NoInputs
        | EvalError::TypeMismatch { .. }
        | EvalError::OperandType { .. } => PyTypeError::new_err(error.to_string()),
        _ => value_error(error),
    }
}

pub(crate) fn of_engine(error: &EngineError) -> PyErr {
    match error {
        EngineError::Eval(error) => of_eval(error),
        EngineError::Placement(error) => PyTypeError::new_err(error.to_string()),
        EngineError::Poly { source: PolyError::ZeroDivisor, .. } => {
            PyZeroDivisionError::new_err(error.to_string())
        }
        EngineError::Fill(FillError::Range(_)) => PyOverflowError::new_err(error.to_string()),
        EngineError::Fill(FillError::Batch(error)) => of_batch(error),
        EngineError::Input(error) => of_input(error),
        EngineError::Checkpoint(error) => of_checkpoint(error),
        EngineError::Program(_)
        | EngineError::Run(_)
        | EngineError::Ntt(_)
        | EngineError::Poly { .. }
        | EngineError::PolyCounts { .. }
        | EngineError::Residues(_)
        | EngineError::OtherDevice { .. }
        | EngineError::OtherEngine { .. } => value_error(error),
        _ => DeviceError::new_err(error.to_string()),
    }
}

/// A defect of ours that a thread has met.
pub(crate) fn defect(what: &str) -> PyErr {
    PyRuntimeError::new_err(format!("a defect of limbforge: {what}; please report it"))
}

/// The result of a program of one expression.
pub(crate) fn only<T>(results: Vec<T>) -> PyResult<T> {
    results.into_iter().next().ok_or_else(|| defect("an expression has no result"))
}
