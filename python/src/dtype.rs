//! The type of the integers of an array.

use limbforge::limb::ParseIntTypeError;
use limbforge::prelude::IntType as Type;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use crate::errors::value_error;

/// A width in bits and a signedness: ``u2048`` has the integers from 0 to 2^2048 - 1, ``i131`` those from
/// -2^130 to 2^130 - 1. Any width from 1 to 2^24 bits is a type.
///
/// >>> import limbforge as lf
/// >>> t = lf.IntType("i131")
/// >>> t.bits, t.signed, t.limbs
/// (131, True, 3)
/// >>> t == lf.IntType("i131")
/// True
#[pyclass(frozen, eq, hash, from_py_object, module = "limbforge")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct IntType(pub(crate) Type);

#[pymethods]
impl IntType {
    #[new]
    #[pyo3(signature = (name, /))]
    fn new(name: &Bound<'_, PyAny>) -> PyResult<Self> {
        dtype(name).map(Self)
    }

    /// The width in bits.
    #[getter]
    fn bits(&self) -> u32 {
        self.0.bits()
    }

    /// Whether there are negative integers.
    #[getter]
    fn signed(&self) -> bool {
        self.0.is_signed()
    }

    /// M, the 64-bit words of an integer.
    #[getter]
    fn limbs(&self) -> usize {
        self.0.limbs::<u64>()
    }

    /// Bytes of an integer in memory.
    #[getter]
    fn itemsize(&self) -> usize {
        self.0.limbs::<u64>() * 8
    }

    /// The smallest integer.
    #[getter]
    fn min<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let low = if self.0.is_signed() {
            power_of_two(py, self.0.bits() - 1)?
        } else {
            0_i32.into_pyobject(py)?.into_any()
        };
        low.neg()
    }

    /// The largest integer.
    #[getter]
    fn max<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        power_of_two(py, self.0.bits() - u32::from(self.0.is_signed()))?.sub(1)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("IntType('{}')", self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Self>(), (self.0.to_string(),))
    }
}

fn power_of_two(py: Python<'_>, exponent: u32) -> PyResult<Bound<'_, PyAny>> {
    1_i32.into_pyobject(py)?.into_any().lshift(exponent)
}

/// The type that an `IntType` is or a text such as `"u2048"` names.
pub(crate) fn dtype(value: &Bound<'_, PyAny>) -> PyResult<Type> {
    if let Ok(ty) = value.cast::<IntType>() {
        return Ok(ty.get().0);
    }
    let text = value.cast::<PyString>().map_err(|_| {
        let found = value.get_type();
        PyTypeError::new_err(format!(
            "dtype: expected a text such as 'u2048' or 'i131', or an IntType, found {found}"
        ))
    })?;
    text.to_cow()?.parse().map_err(|error: ParseIntTypeError| value_error(error))
}
