//! Operators on resident arrays.

use pyo3::intern;
use pyo3::prelude::*;

use super::{DeviceArray, eval};
use crate::array::IntArray;
use crate::floor;
use crate::program::Program;

impl DeviceArray {
    fn binary(
        slf: &Bound<'_, Self>,
        other: &Bound<'_, PyAny>,
        text: &str,
        swapped: bool,
    ) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        if other.cast::<Self>().is_err()
            && !other.hasattr(intern!(py, "__index__"))?
            && other.cast::<IntArray>().is_err()
        {
            return Ok(py.NotImplemented());
        }
        let names = if swapped { ["b", "a"] } else { ["a", "b"] };
        let given = [(names[0].to_owned(), slf.as_any().clone()), (names[1].to_owned(), other.clone())];
        let found = eval(py, &Program::parse(py, text)?, &given)?;
        found.map_or_else(|| Ok(py.NotImplemented()), |found| Ok(Py::new(py, found)?.into_any()))
    }
}

macro_rules! infix {
    ($($name:ident $swapped:ident |$signed:ident| $text:expr;)*) => {
        #[pymethods]
        impl DeviceArray {
            $(
                fn $name(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                    let $signed = slf.get().batch.ty().is_signed();
                    Self::binary(slf, other, $text, false)
                }

                fn $swapped(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                    let $signed = slf.get().batch.ty().is_signed();
                    Self::binary(slf, other, $text, true)
                }
            )*
        }
    };
}

infix! {
    __add__ __radd__ |_signed| "a + b";
    __sub__ __rsub__ |_signed| "a - b";
    __mul__ __rmul__ |_signed| "a * b";
    __floordiv__ __rfloordiv__ |signed| floor::quotient(signed);
    __mod__ __rmod__ |signed| floor::remainder(signed);
    __and__ __rand__ |_signed| "a & b";
    __or__ __ror__ |_signed| "a | b";
    __xor__ __rxor__ |_signed| "a ^ b";
}
