//! Several expressions over the same operands.

use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use super::{complete, none_resident, resident_is_plain};
use crate::checked::Checked;
use crate::device;
use crate::errors::prefixed;
use crate::program::Program;
use crate::request::{self, Request};

/// The names of results, if they have some.
struct Names<'py>(Option<Vec<Bound<'py, PyAny>>>);

impl<'py> Names<'py> {
    /// The error with the result before its text.
    fn named(&self, py: Python<'_>, result: usize, error: &PyErr) -> PyErr {
        let name = self.0.as_ref().map_or_else(|| result.to_string(), |names| format!("`{}`", names[result]));
        prefixed(py, &format!("result {name}: "), error)
    }

    /// The results as a dict, or as a list.
    fn collect<T: pyo3::PyClass + Into<PyClassInitializer<T>>>(
        &self,
        py: Python<'py>,
        results: impl ExactSizeIterator<Item = PyResult<T>>,
    ) -> PyResult<Py<PyAny>> {
        let mut values = vec![];
        for (i, result) in results.enumerate() {
            values.push(Py::new(py, result.map_err(|error| self.named(py, i, &error))?)?);
        }
        let Some(names) = &self.0 else { return Ok(PyList::new(py, values)?.into_any().unbind()) };
        let dict = PyDict::new(py);
        names.iter().zip(values).try_for_each(|(name, value)| dict.set_item(name, value))?;
        Ok(dict.into_any().unbind())
    }
}

/// The programs of a dict or a list of expressions.
fn parsed<'py>(exprs: &Bound<'py, PyAny>) -> PyResult<(Names<'py>, Arc<Program>)> {
    let py = exprs.py();
    let (names, exprs): (_, Vec<Bound<'_, PyAny>>) = if let Ok(dict) = exprs.cast::<PyDict>() {
        (Some(dict.keys().iter().collect()), dict.values().iter().collect())
    } else if exprs.is_instance_of::<PyList>() || exprs.is_instance_of::<PyTuple>() {
        (None, exprs.extract()?)
    } else {
        let found = exprs.get_type();
        return Err(PyTypeError::new_err(format!(
            "expected a dict or a list of expressions, found {found}: lf.eval evaluates one"
        )));
    };
    let names = Names(names);
    let parts = exprs
        .iter()
        .enumerate()
        .map(|(i, expr)| request::program_of(expr).map_err(|error| names.named(py, i, &error)));
    let parts = parts.collect::<PyResult<Vec<_>>>()?;
    Ok((names, Program::of_all(py, &parts)))
}

/// The values of several expressions over the same operands, in one pass: operands are read once, and what
/// the expressions share is computed once, as the division of ``a // b`` and ``a % b``.
///
/// ``exprs`` is a dict of expressions, or a list; so is the result. All else is as in ``lf.eval``. An
/// instance that lacks any of the results raises.
///
/// >>> import limbforge as lf
/// >>> a, b = lf.array([17, 2**100], "u128"), lf.array([5, 7], "u128")
/// >>> found = lf.eval_all({"quotient": "a / b", "rest": "a % b"}, a=a, b=b)
/// >>> found["rest"].tolist()
/// [2, 2]
/// >>> total, product = lf.eval_all(["a + b", "a * b"], a=a, b=b, bits=256)
/// >>> product[1] == 7 * 2**100
/// True
#[pyfunction]
#[pyo3(signature = (exprs, inputs=None, /, *, dtype=None, bits=None, overflow="wrap", engine=None, **operands))]
#[allow(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn eval_all<'py>(
    py: Python<'py>,
    exprs: &Bound<'py, PyAny>,
    inputs: Option<&Bound<'py, PyDict>>,
    dtype: Option<&Bound<'py, PyAny>>,
    bits: Option<u64>,
    overflow: &str,
    engine: Option<&Bound<'py, PyAny>>,
    operands: Option<&Bound<'py, PyDict>>,
) -> PyResult<Py<PyAny>> {
    let ((names, program), given) = (parsed(exprs)?, request::given_of(inputs, operands)?);
    if program.exprs.is_empty() {
        return names.collect(py, std::iter::empty::<PyResult<Checked>>());
    }
    if let Some(found) = device::eval(py, &program, &given)? {
        resident_is_plain([dtype.is_some(), bits.is_some(), engine.is_some(), overflow != "wrap"])?;
        return names.collect(py, found.into_iter().map(Ok));
    }
    let found = Request::new(program, given, dtype, bits)?.results(py, engine, overflow)?;
    let found = found.map_err(|(result, error)| names.named(py, result, &error))?;
    names.collect(py, found.into_iter().map(complete))
}

/// As ``lf.eval_all``, with the instances that have no result beside the results of all others, for each
/// expression: a dict or a list of what ``lf.eval_checked`` returns.
///
/// >>> import limbforge as lf
/// >>> a, b = lf.array([17, 8], "u64"), lf.array([5, 0], "u64")
/// >>> found = lf.eval_all_checked({"quotient": "a / b", "sum": "a + b"}, a=a, b=b)
/// >>> found["quotient"].ok.tolist(), found["sum"].ok.tolist()
/// ([True, False], [True, True])
#[pyfunction]
#[pyo3(signature = (exprs, inputs=None, /, *, dtype=None, bits=None, engine=None, **operands))]
pub(crate) fn eval_all_checked<'py>(
    py: Python<'py>,
    exprs: &Bound<'py, PyAny>,
    inputs: Option<&Bound<'py, PyDict>>,
    dtype: Option<&Bound<'py, PyAny>>,
    bits: Option<u64>,
    engine: Option<&Bound<'py, PyAny>>,
    operands: Option<&Bound<'py, PyDict>>,
) -> PyResult<Py<PyAny>> {
    let ((names, program), given) = (parsed(exprs)?, request::given_of(inputs, operands)?);
    none_resident(&given)?;
    if program.exprs.is_empty() {
        return names.collect(py, std::iter::empty::<PyResult<Checked>>());
    }
    let request = Request::new(program, given, dtype, bits)?;
    let found = request.evaluate(py, engine, request.ty)?;
    names.collect(py, found.into_iter().map(|found| Checked::new(py, found)))
}
