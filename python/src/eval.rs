//! `lf.eval` and `lf.eval_checked`: expressions over named arrays.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::array::IntArray;
use crate::checked::Checked;
use crate::device;
use crate::errors::of_failure;
use crate::request::{self, Request};

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
    let (program, given) = request::parsed(expr, inputs, operands)?;
    if let Some(found) = device::eval(py, &program, &given)? {
        let is_plain = dtype.is_none() && bits.is_none() && engine.is_none() && overflow == "wrap";
        let what = "a DeviceArray is evaluated where it lies, in its type: leave out dtype, bits, engine and overflow";
        return if is_plain { Ok(Py::new(py, found)?.into_any()) } else { Err(PyTypeError::new_err(what)) };
    }
    let request = Request::new(program, given, dtype, bits)?;
    let found = match overflow {
        "wrap" => request.evaluate(py, engine, request.ty)?,
        "raise" => request.exact(py, engine)?,
        _ => {
            return Err(PyValueError::new_err(format!(
                "overflow: expected 'wrap' or 'raise', found '{overflow}'"
            )));
        }
    };
    match found.failures.first() {
        Some(first) => Err(of_failure(first, found.failures.len())),
        None => Ok(Py::new(py, IntArray::new(found.values))?.into_any()),
    }
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
    let (program, given) = request::parsed(expr, inputs, operands)?;
    let request = Request::new(program, given, dtype, bits)?;
    Checked::new(py, request.evaluate(py, engine, request.ty)?)
}
