//! Operators on resident arrays: where the arrays lie.

use limbforge::prelude::IntType;
use pyo3::basic::CompareOp;
use pyo3::intern;
use pyo3::prelude::*;

use super::{DeviceArray, eval};
use crate::arithmetic::{Arithmetic, Named, binary, operators, unary};
use crate::array::IntArray;
use crate::operand::{Operand, operand_or_range};
use crate::program::Program;

impl Arithmetic for DeviceArray {
    fn ty(&self) -> IntType {
        self.batch.ty()
    }

    fn computed(
        py: Python<'_>,
        texts: &[&str],
        _ty: IntType,
        named: &Named<'_, '_>,
    ) -> PyResult<Option<Vec<Self>>> {
        for (_, value) in named {
            if value.cast::<Self>().is_err()
                && value.cast::<IntArray>().is_err()
                && !value.hasattr(intern!(py, "__index__"))?
            {
                return Ok(None);
            }
        }
        let given: Vec<_> = named.iter().map(|&(name, value)| (name.to_owned(), value.clone())).collect();
        eval(py, &Program::parse_all(py, texts)?, &given)
    }

    fn new_object(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, self)?.into_any())
    }
}

operators!(DeviceArray);

#[pymethods]
impl DeviceArray {
    /// A comparison is a resident array, too: of 1 where it holds, else 0.
    fn __richcmp__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        // An int beyond the type is above or below all integers.
        if other.cast::<Self>().is_err()
            && let Some(Operand::Beyond(order)) = operand_or_range(other, slf.get().batch.ty())?
        {
            return unary(slf, if op.matches(order.reverse()) { "a == a" } else { "a != a" });
        }
        let text = match op {
            CompareOp::Lt => "a < b",
            CompareOp::Le => "a <= b",
            CompareOp::Eq => "a == b",
            CompareOp::Ne => "a != b",
            CompareOp::Gt => "a > b",
            CompareOp::Ge => "a >= b",
        };
        binary(slf, other, text, false)
    }

    fn __bool__(&self) -> PyResult<bool> {
        Err(pyo3::exceptions::PyValueError::new_err(
            "a resident array is neither true nor false: use .to_host(), or len(a) > 0",
        ))
    }
}
