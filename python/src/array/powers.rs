//! Shifts and powers, whose right operand is a number of its own.

use limbforge::prelude::{Batch, Layout};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::IntArray;
use super::operators::values;
use crate::errors::of_batch;
use crate::operand::{mismatch, operand};

impl IntArray {
    /// A shift to the left, or to the right. An int may be any number from 0 on, whether the type has it or
    /// not.
    fn shift(&self, distance: &Bound<'_, PyAny>, left: bool) -> PyResult<Py<PyAny>> {
        let (py, ty) = (distance.py(), self.0.ty());
        let text = if left { "a << b" } else { "a >> b" };
        if distance.cast::<Self>().is_ok() || !distance.hasattr("__index__")? {
            return self.binary(distance, text, false);
        }
        if distance.lt(0)? {
            return Err(PyValueError::new_err("a negative shift count: shift the other way"));
        }
        let is_beyond = distance.ge(ty.bits())?;
        if is_beyond && (left || !ty.is_signed()) {
            let zeros = Batch::zeros(ty, Layout::InstanceMajor, self.0.instances());
            return Ok(Py::new(py, Self(zeros.map_err(|error| of_batch(&error))?))?.into_any());
        }
        // All bits are then the sign.
        let distance =
            if is_beyond { (ty.bits() - 1).into_pyobject(py)?.into_any() } else { distance.clone() };
        self.binary(&distance, text, false)
    }

    /// `base ^ exponent mod |modulus|`; this array is one of the three.
    fn power_mod(
        &self,
        base: &Bound<'_, PyAny>,
        exponent: &Bound<'_, PyAny>,
        modulus: &Bound<'_, PyAny>,
    ) -> PyResult<Py<PyAny>> {
        let (py, ty) = (base.py(), self.0.ty());
        let (a, m) = (operand(base, ty)?, operand(modulus, ty)?);
        let is_inverse = exponent.cast::<Self>().is_err() && exponent.lt(0)?;
        let named = if is_inverse && exponent.eq(-1)? {
            (vec![("a", a), ("m", m)], "modinv(a, m)")
        } else if is_inverse {
            (vec![("a", a), ("e", operand(&exponent.neg()?, ty)?), ("m", m)], "powmod(modinv(a, m), e, m)")
        } else {
            (vec![("a", a), ("e", operand(exponent, ty)?), ("m", m)], "powmod(a, e, m)")
        };
        let (named, text) = named;
        for (_, batch) in &named[1..] {
            if let Some(error) = mismatch(&named[0].1, batch) {
                return Err(error);
            }
        }
        Ok(Py::new(py, Self::new(values(py, text, &named)?))?.into_any())
    }
}

#[pymethods]
impl IntArray {
    fn __lshift__(&self, distance: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.shift(distance, true)
    }

    fn __rlshift__(&self, value: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.binary(value, "a << b", true)
    }

    fn __rshift__(&self, distance: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.shift(distance, false)
    }

    fn __rrshift__(&self, value: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.binary(value, "a >> b", true)
    }

    fn __pow__(&self, exponent: &Bound<'_, PyAny>, modulus: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = exponent.py();
        if !modulus.is_none() {
            let own = Bound::new(py, Self(self.0.clone()))?.into_any();
            return self.power_mod(&own, exponent, modulus);
        }
        let found = exponent.get_type();
        if exponent.cast::<Self>().is_ok() || !exponent.hasattr("__index__")? {
            let what =
                format!("** takes an int as exponent, found {found}: pow(a, e, m) takes arrays modulo m");
            return Err(PyTypeError::new_err(what));
        }
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
        Ok(Py::new(py, self.unary(py, &format!("a ** {exponent}"))?)?.into_any())
    }

    /// `pow(2, a, m)`: the exponents are this array.
    fn __rpow__(&self, base: &Bound<'_, PyAny>, modulus: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = base.py();
        if modulus.is_none() {
            return Err(PyTypeError::new_err(
                "** takes an int as exponent, found an array: 1 << a is a power of two, pow(b, a, m) a power modulo m",
            ));
        }
        let own = Bound::new(py, Self(self.0.clone()))?.into_any();
        self.power_mod(base, &own, modulus)
    }
}
