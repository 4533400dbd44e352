//! Shifts and powers, whose right operand is a number of its own.

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;

use pyo3::types::PyInt;

use super::{Arithmetic, all, binary, unary};
use crate::operand::index;

/// Whether an operand is a number of its own, not an array.
fn is_int<A: Arithmetic>(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(value.cast::<A>().is_err() && value.hasattr(intern!(value.py(), "__index__"))?)
}

/// A shift to the left, or to the right. An int may be any number from 0 on, whether the type has it or not.
pub(crate) fn shift<A: Arithmetic>(
    array: &Bound<'_, A>,
    distance: &Bound<'_, PyAny>,
    left: bool,
) -> PyResult<Py<PyAny>> {
    let (py, ty) = (array.py(), array.get().ty());
    let text = if left { "a << b" } else { "a >> b" };
    if !is_int::<A>(distance)? {
        return binary(array, distance, text, false);
    }
    let distance = &index(distance)?;
    if distance.lt(0)? {
        return Err(PyValueError::new_err("a negative shift count: shift the other way"));
    }
    if distance.lt(ty.bits())? {
        return binary(array, distance, text, false);
    }
    if left || !ty.is_signed() {
        return unary(array, "a - a");
    }
    // All bits are then the sign.
    let distance = (ty.bits() - 1).into_pyobject(py)?;
    binary(array, distance.as_any(), text, false)
}

/// `a ** exponent`, or with a modulus `a ^ exponent mod |modulus|`.
pub(crate) fn power<A: Arithmetic>(
    array: &Bound<'_, A>,
    exponent: &Bound<'_, PyAny>,
    modulus: &Bound<'_, PyAny>,
) -> PyResult<Py<PyAny>> {
    if !modulus.is_none() {
        return power_mod(array, [array.as_any(), exponent, modulus]);
    }
    if !is_int::<A>(exponent)? {
        let found = exponent.get_type();
        return Err(PyTypeError::new_err(format!(
            "** takes an int as exponent, found {found}: pow(a, e, m) takes arrays modulo m"
        )));
    }
    let exponent = &index(exponent)?;
    if exponent.lt(0)? {
        return Err(PyValueError::new_err(
            "a negative exponent has no integer: pow(a, -1, m) inverts modulo m",
        ));
    }
    let exponent: u32 = exponent.extract().map_err(|_| {
        PyOverflowError::new_err(
            "the exponent is too large: expected 0 to 2^32 - 1; pow(a, e, m) takes larger ones",
        )
    })?;
    unary(array, &format!("a ** {exponent}"))
}

/// `base ^ a mod |modulus|` for exponents `a`.
pub(crate) fn power_of<A: Arithmetic>(
    array: &Bound<'_, A>,
    base: &Bound<'_, PyAny>,
    modulus: &Bound<'_, PyAny>,
) -> PyResult<Py<PyAny>> {
    if modulus.is_none() {
        return Err(PyTypeError::new_err(
            "** takes an int as exponent, found an array: 1 << a is a power of two, pow(b, a, m) a power modulo m",
        ));
    }
    power_mod(array, [base, array.as_any(), modulus])
}

/// `base ^ exponent mod |modulus|`; the array is one of the three.
fn power_mod<A: Arithmetic>(
    array: &Bound<'_, A>,
    [base, exponent, modulus]: [&Bound<'_, PyAny>; 3],
) -> PyResult<Py<PyAny>> {
    let (py, ty) = (array.py(), array.get().ty());
    let exponent = &if is_int::<A>(exponent)? { index(exponent)? } else { exponent.clone() };
    let is_inverse = exponent.is_instance_of::<PyInt>() && exponent.lt(0)?;
    let found: A = if is_inverse && exponent.eq(-1)? {
        all(py, "modinv(a, m)", ty, &[("a", base), ("m", modulus)])
    } else if is_inverse {
        let named = [("a", base), ("e", &exponent.neg()?), ("m", modulus)];
        all(py, "powmod(modinv(a, m), e, m)", ty, &named)
    } else {
        all(py, "powmod(a, e, m)", ty, &[("a", base), ("e", exponent), ("m", modulus)])
    }?;
    found.new_object(py)
}
