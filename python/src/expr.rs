//! Expressions that are not evaluated yet: what functions of `lf.fused` compute with.

use std::sync::Arc;

use limbforge::prelude::Expr as Core;
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyInt;

use crate::array::IntArray;
use crate::device::DeviceArray;
use crate::floor;
use crate::operand::index;
use crate::program::Program;

/// An expression of named operands: ``Expr("a*a + b")`` parses the language of limbforge, and operators
/// combine expressions. Ints in it are constants. ``//`` and ``%`` of expressions round down as Python's do,
/// for operands of the signedness ``signed``; in a text, ``/`` and ``%`` are the language's, which round
/// towards 0.
///
/// >>> import limbforge as lf
/// >>> a, b = lf.Expr("a"), lf.Expr("b")
/// >>> square = (a + b) * (a + b)
/// >>> square.inputs
/// ['a', 'b']
/// >>> lf.eval(square, a=lf.array([1, 2], "u64"), b=10).tolist()
/// [121, 144]
#[pyclass(frozen, module = "limbforge")]
pub(crate) struct Expr {
    pub(crate) program: Arc<Program>,
    signed: bool,
}

impl Expr {
    fn of(&self, expr: Core) -> Self {
        Self { program: Program::new(vec![expr]), signed: self.signed }
    }

    pub(crate) fn core(&self) -> &Core {
        // An `Expr` is a program of one expression.
        &self.program.exprs[0]
    }

    /// As the function of a row of the table.
    pub(crate) fn new_like(&self, expr: Core) -> Self {
        self.of(expr)
    }

    fn binary(&self, other: &Bound<'_, PyAny>, op: impl FnOnce(&Core, &Core) -> Core) -> PyResult<Py<PyAny>> {
        let py = other.py();
        match operand(other)? {
            Some(other) => Ok(Py::new(py, self.of(op(self.core(), &other)))?.into_any()),
            None => Ok(py.NotImplemented()),
        }
    }
}

/// An expression, or an int as a constant; none for other objects.
pub(crate) fn operand(value: &Bound<'_, PyAny>) -> PyResult<Option<Core>> {
    if let Ok(expr) = value.cast::<Expr>() {
        return Ok(Some(expr.get().core().clone()));
    }
    if value.cast::<IntArray>().is_ok() || value.cast::<DeviceArray>().is_ok() {
        return Err(PyTypeError::new_err(
            "an array within an expression: make it an operand, as in lf.eval(expr, a=array), or an argument of the function",
        ));
    }
    if !value.hasattr(intern!(value.py(), "__index__"))? || value.hasattr(intern!(value.py(), "__len__"))? {
        return Ok(None);
    }
    let digits: String = value.call_method0("__index__")?.call_method1("__format__", ("x",))?.extract()?;
    let (digits, sign) = digits.strip_prefix('-').map_or((&*digits, "0x"), |digits| (digits, "-0x"));
    Core::parse(&format!("{sign}{digits}"))
        .map(Some)
        .map_err(|error| PyValueError::new_err(error.to_string()))
}

/// `a^n` by squarings.
fn power(a: &Core, n: u32) -> Core {
    if n == 0 {
        // 1 for each instance of a.
        return a.cmp_eq(a);
    }
    let bits = u32::BITS - n.leading_zeros();
    (0..bits - 1).rev().fold(a.clone(), |power, i| {
        let square = power.sqr();
        if n >> i & 1 == 1 { square * a } else { square }
    })
}

macro_rules! infix {
    ($($name:ident $swapped:ident |$own:ident, $a:ident, $b:ident| $op:expr;)*) => {
        #[pymethods]
        impl Expr {
            $(
                fn $name(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                    let $own = self;
                    self.binary(other, |$a, $b| $op)
                }

                fn $swapped(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                    let $own = self;
                    self.binary(other, |$b, $a| $op)
                }
            )*
        }
    };
}

infix! {
    __add__ __radd__ |_own, a, b| a + b;
    __sub__ __rsub__ |_own, a, b| a - b;
    __mul__ __rmul__ |_own, a, b| a * b;
    __floordiv__ __rfloordiv__ |own, a, b| floor::quotient_of(a, b, own.signed);
    __mod__ __rmod__ |own, a, b| floor::remainder_of(a, b, own.signed);
    __and__ __rand__ |_own, a, b| a & b;
    __or__ __ror__ |_own, a, b| a | b;
    __xor__ __rxor__ |_own, a, b| a ^ b;
    __lshift__ __rlshift__ |_own, a, b| a << b;
    __rshift__ __rrshift__ |_own, a, b| a >> b;
}

#[pymethods]
impl Expr {
    #[new]
    #[pyo3(signature = (text, /, *, signed=false))]
    fn new(py: Python<'_>, text: &str, signed: bool) -> PyResult<Self> {
        Ok(Self { program: Program::parse(py, text)?, signed })
    }

    /// The names of the operands, in the order of first use.
    #[getter]
    fn inputs(&self) -> Vec<String> {
        self.program.inputs.clone()
    }

    fn __pow__(&self, exponent: &Bound<'_, PyAny>, modulus: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = exponent.py();
        if modulus.is_none() {
            let what = "** takes an int from 0 to 2^32 - 1 as exponent; pow(a, e, m) takes expressions";
            let exponent: u32 = exponent.extract().map_err(|_| PyTypeError::new_err(what))?;
            return Ok(Py::new(py, self.of(power(self.core(), exponent)))?.into_any());
        }
        let (Some(e), Some(m)) = (operand(exponent)?, operand(modulus)?) else {
            return Ok(py.NotImplemented());
        };
        let exponent = &if exponent.cast::<Self>().is_ok() { exponent.clone() } else { index(exponent)? };
        let is_inverse = exponent.is_instance_of::<PyInt>() && exponent.lt(0)?;
        let found = if is_inverse {
            let inverse = self.core().modinv(&m);
            if exponent.eq(-1)? { inverse } else { inverse.powmod(&-e, &m) }
        } else {
            self.core().powmod(&e, &m)
        };
        Ok(Py::new(py, self.of(found))?.into_any())
    }

    fn __truediv__(&self, _other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Err(PyTypeError::new_err(
            "/ would give fractions, which integers do not have: use // for the quotient rounded down",
        ))
    }

    fn __neg__(&self) -> Self {
        self.of(-self.core())
    }

    fn __pos__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __invert__(&self) -> Self {
        self.of(!self.core())
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        self.binary(other, |a, b| match op {
            CompareOp::Lt => a.cmp_lt(b),
            CompareOp::Le => a.cmp_le(b),
            CompareOp::Eq => a.cmp_eq(b),
            CompareOp::Ne => a.cmp_ne(b),
            CompareOp::Gt => a.cmp_gt(b),
            CompareOp::Ge => a.cmp_ge(b),
        })
    }

    fn __bool__(&self) -> PyResult<bool> {
        Err(PyTypeError::new_err(
            "an expression has no value yet: use lf.select(condition, then, otherwise), not if",
        ))
    }

    fn __repr__(&self) -> String {
        format!("Expr({})", self.core().to_dag())
    }
}
