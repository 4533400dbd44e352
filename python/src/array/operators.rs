//! Operators on arrays: element by element, modulo 2^bits, on the current engine.

use limbforge::prelude::Batch;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::IntArray;
use crate::engine::current_engine;
use crate::errors::of_failure;
use crate::floor;
use crate::operand::{Operand, mismatch, operand, operand_or_range};
use crate::program::Program;

/// The values of an expression of named batches of one type.
pub(crate) fn values(py: Python<'_>, text: &str, named: &[(&str, Batch<u64>)]) -> PyResult<Batch<u64>> {
    let program = Program::parse(py, text)?;
    let ty = named[0].1.ty();
    let operands = program.bind(named)?.into_iter().cloned().collect();
    let found = current_engine(py)?.get().evaluate(py, &program, ty, operands)?;
    match found.failures.first() {
        Some(first) => Err(of_failure(first, found.failures.len())),
        None => Ok(found.values),
    }
}

impl IntArray {
    /// `text` of `a`, which is this array, and `b`; the other way round if `swapped`. `NotImplemented` for
    /// objects that are no operands.
    pub(super) fn binary(&self, other: &Bound<'_, PyAny>, text: &str, swapped: bool) -> PyResult<Py<PyAny>> {
        let (py, ty) = (other.py(), self.0.ty());
        let b = match operand_or_range(other, ty)? {
            Some(Operand::Batch(batch)) => batch,
            Some(Operand::Beyond(_)) => operand(other, ty)?,
            None => return Ok(py.NotImplemented()),
        };
        if let Some(error) = mismatch(&self.0, &b) {
            return Err(error);
        }
        let names = if swapped { ["b", "a"] } else { ["a", "b"] };
        let found = values(py, text, &[(names[0], self.0.clone()), (names[1], b)])?;
        Ok(Py::new(py, Self::new(found))?.into_any())
    }

    pub(super) fn unary(&self, py: Python<'_>, text: &str) -> PyResult<Self> {
        values(py, text, &[("a", self.0.clone())]).map(Self::new)
    }
}

macro_rules! infix {
    ($($name:ident $swapped:ident $text:literal;)*) => {
        #[pymethods]
        impl IntArray {
            $(
                fn $name(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                    self.binary(other, $text, false)
                }

                fn $swapped(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                    self.binary(other, $text, true)
                }
            )*
        }
    };
}

infix! {
    __add__ __radd__ "a + b";
    __sub__ __rsub__ "a - b";
    __mul__ __rmul__ "a * b";
    __and__ __rand__ "a & b";
    __or__ __ror__ "a | b";
    __xor__ __rxor__ "a ^ b";
}

#[pymethods]
impl IntArray {
    fn __floordiv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.binary(other, floor::quotient(self.0.ty().is_signed()), false)
    }

    fn __rfloordiv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.binary(other, floor::quotient(self.0.ty().is_signed()), true)
    }

    fn __mod__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.binary(other, floor::remainder(self.0.ty().is_signed()), false)
    }

    fn __rmod__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.binary(other, floor::remainder(self.0.ty().is_signed()), true)
    }

    fn __divmod__(&self, other: &Bound<'_, PyAny>) -> PyResult<(Py<PyAny>, Py<PyAny>)> {
        Ok((self.__floordiv__(other)?, self.__mod__(other)?))
    }

    fn __truediv__(&self, _other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        Err(no_fractions())
    }

    fn __rtruediv__(&self, _other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        Err(no_fractions())
    }

    fn __neg__(&self, py: Python<'_>) -> PyResult<Self> {
        self.unary(py, "-a")
    }

    fn __pos__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __invert__(&self, py: Python<'_>) -> PyResult<Self> {
        self.unary(py, "~a")
    }

    fn __abs__(slf: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
        let (py, this) = (slf.py(), slf.get());
        if this.0.ty().is_signed() { Bound::new(py, this.unary(py, "max(a, -a)")?) } else { Ok(slf) }
    }
}

fn no_fractions() -> PyErr {
    PyTypeError::new_err(
        "/ would give fractions, which arrays of integers do not have: use // for the quotient rounded down",
    )
}
