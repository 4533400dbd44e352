//! Operators of arrays, wherever they lie: element by element, modulo 2^bits.

mod operators;
mod powers;

use limbforge::prelude::IntType;
use pyo3::PyClass;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;
use pyo3::types::PyTuple;

pub(crate) use self::operators::{infix, operators};
pub(crate) use self::powers::{power, power_of, shift};
use crate::errors::only;
use crate::floor;

/// Operands by their names.
pub(crate) type Named<'a, 'py> = [(&'a str, &'a Bound<'py, PyAny>)];

/// A class of arrays.
pub(crate) trait Arithmetic: PyClass<Frozen = True> + Sync + Sized {
    /// The type of the integers.
    fn ty(&self) -> IntType;

    /// The arrays of the values of each expression of operands of type `ty`: arrays of this class, of which
    /// there is at least one, and ints. None if an object is no operand.
    fn computed(
        py: Python<'_>,
        texts: &[&str],
        ty: IntType,
        named: &Named<'_, '_>,
    ) -> PyResult<Option<Vec<Self>>>;

    fn new_object(self, py: Python<'_>) -> PyResult<Py<PyAny>>;
}

/// The names of the array and of the other operand.
const fn names(swapped: bool) -> [&'static str; 2] {
    if swapped { ["b", "a"] } else { ["a", "b"] }
}

/// `text` of `a`, which is the array, and `b`; the other way round if `swapped`. `NotImplemented` for objects
/// that are no operands.
pub(crate) fn binary<A: Arithmetic>(
    array: &Bound<'_, A>,
    other: &Bound<'_, PyAny>,
    text: &str,
    swapped: bool,
) -> PyResult<Py<PyAny>> {
    let (py, [own, others]) = (array.py(), names(swapped));
    match A::computed(py, &[text], array.get().ty(), &[(own, array.as_any()), (others, other)])? {
        Some(found) => only(found)?.new_object(py),
        None => Ok(py.NotImplemented()),
    }
}

/// Quotient and remainder, rounded down, in one pass.
pub(crate) fn divmod<A: Arithmetic>(
    array: &Bound<'_, A>,
    other: &Bound<'_, PyAny>,
    swapped: bool,
) -> PyResult<Py<PyAny>> {
    let (py, [own, others], ty) = (array.py(), names(swapped), array.get().ty());
    let texts = [floor::quotient(ty.is_signed()), floor::remainder(ty.is_signed())];
    let Some(found) = A::computed(py, &texts, ty, &[(own, array.as_any()), (others, other)])? else {
        return Ok(py.NotImplemented());
    };
    let found = found.into_iter().map(|one| one.new_object(py)).collect::<PyResult<Vec<_>>>()?;
    Ok(PyTuple::new(py, found)?.into_any().unbind())
}

pub(crate) fn unary<A: Arithmetic>(array: &Bound<'_, A>, text: &str) -> PyResult<Py<PyAny>> {
    let py = array.py();
    all::<A>(py, text, array.get().ty(), &[("a", array.as_any())])?.new_object(py)
}

/// As [`Arithmetic::computed`] of one expression; an error if an object is no operand.
pub(crate) fn all<A: Arithmetic>(
    py: Python<'_>,
    text: &str,
    ty: IntType,
    named: &Named<'_, '_>,
) -> PyResult<A> {
    let found = A::computed(py, &[text], ty, named)?.ok_or_else(|| {
        let kinds: Vec<String> = named.iter().map(|(_, value)| value.get_type().to_string()).collect();
        let kinds = kinds.join(", ");
        PyTypeError::new_err(format!("expected arrays of one class or ints as operands, found {kinds}"))
    })?;
    only(found)
}

pub(crate) fn no_fractions() -> PyErr {
    PyTypeError::new_err(
        "/ would give fractions, which arrays of integers do not have: use // for the quotient rounded down",
    )
}
