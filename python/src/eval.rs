//! `lf.eval`, `lf.eval_all` and their checked forms: expressions over named arrays.

mod all;

use limbforge::prelude::Checked as Core;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

pub(crate) use self::all::*;
use crate::array::IntArray;
use crate::checked::Checked;
use crate::device::{self, DeviceArray};
use crate::errors::{of_failure, only};
use crate::request::{self, Given, Request};

/// The values of an expression over named arrays, as one kernel: a text in the language of limbforge, or an
/// ``Expr``.
///
/// Operands are keywords, or a dict. An int is one integer for all instances. The type is that of the first
/// array; ``dtype`` or ``bits`` convert all arrays first, as to a wider type in which nothing overflows.
/// Values are exact modulo 2^bits. With ``overflow="raise"`` they are computed over all integers, and the
/// first that is not of the type raises ``OverflowError``. An instance without a result raises:
/// ``ZeroDivisionError``, else ``ValueError``.
///
/// >>> import limbforge as lf
/// >>> a = lf.array([2**1024 - 1, 5], "u1024")
/// >>> lf.eval("(a*a + b) % n", a=a, b=7, n=1009).tolist()[1]
/// 32
/// >>> lf.eval("a + 1", a=a).tolist()
/// [0, 6]
/// >>> lf.eval("a + 1", a=a, bits=2048)[0] == 2**1024
/// True
/// >>> lf.eval("a + 1", a=a, overflow="raise")  # doctest: +ELLIPSIS
/// Traceback (most recent call last):
/// OverflowError: instance 0: the number does not fit u1024: it needs 1025 bits; ...
/// >>> lf.eval("gcd(12, 18)", dtype="u64").tolist()
/// [6]
#[pyfunction]
#[pyo3(signature = (expr, inputs=None, /, *, dtype=None, bits=None, overflow="wrap", engine=None, **operands))]
#[allow(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn eval(
    py: Python<'_>,
    expr: &Bound<'_, PyAny>,
    inputs: Option<&Bound<'_, PyDict>>,
    dtype: Option<&Bound<'_, PyAny>>,
    bits: Option<u64>,
    overflow: &str,
    engine: Option<&Bound<'_, PyAny>>,
    operands: Option<&Bound<'_, PyDict>>,
) -> PyResult<Py<PyAny>> {
    let (program, given) = (request::program_of(expr)?, request::given_of(inputs, operands)?);
    if let Some(found) = device::eval(py, &program, &given)? {
        resident_is_plain([dtype.is_some(), bits.is_some(), engine.is_some(), overflow != "wrap"])?;
        return Ok(Py::new(py, only(found)?)?.into_any());
    }
    let request = Request::new(program, given, dtype, bits)?;
    let found = only(request.results(py, engine, overflow)?.map_err(|(_, error)| error)?)?;
    Ok(Py::new(py, complete(found)?)?.into_any())
}

/// The array of results, or the error of the first instance that has none.
fn complete(found: Core<u64>) -> PyResult<IntArray> {
    match found.failures.first() {
        Some(first) => Err(of_failure(first, found.failures.len())),
        None => Ok(IntArray::new(found.values)),
    }
}

fn resident_is_plain(given: [bool; 4]) -> PyResult<()> {
    let what =
        "a DeviceArray is evaluated where it lies, in its type: leave out dtype, bits, engine and overflow";
    if given.contains(&true) { Err(PyTypeError::new_err(what)) } else { Ok(()) }
}

/// As ``lf.eval``, with the instances that have no result beside the results of all others.
///
/// >>> import limbforge as lf
/// >>> found = lf.eval_checked("modinv(a, 12)", a=lf.array([5, 6], "u64"))
/// >>> found.values.tolist(), found.failures[0].mark
/// ([5, 0], 'NOINVERSE')
#[pyfunction]
#[pyo3(signature = (expr, inputs=None, /, *, dtype=None, bits=None, engine=None, **operands))]
pub(crate) fn eval_checked(
    py: Python<'_>,
    expr: &Bound<'_, PyAny>,
    inputs: Option<&Bound<'_, PyDict>>,
    dtype: Option<&Bound<'_, PyAny>>,
    bits: Option<u64>,
    engine: Option<&Bound<'_, PyAny>>,
    operands: Option<&Bound<'_, PyDict>>,
) -> PyResult<Checked> {
    let (program, given) = (request::program_of(expr)?, request::given_of(inputs, operands)?);
    none_resident(&given)?;
    let request = Request::new(program, given, dtype, bits)?;
    Checked::new(py, only(request.evaluate(py, engine, request.ty)?)?)
}

/// Failures of resident arrays stay with them.
fn none_resident(given: &Given<'_>) -> PyResult<()> {
    if !given.iter().any(|(_, value)| value.cast::<DeviceArray>().is_ok()) {
        return Ok(());
    }
    Err(PyTypeError::new_err(
        "a DeviceArray keeps its failures: use lf.eval, and .failed() or .to_host(mask=True) of the result",
    ))
}
