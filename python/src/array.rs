//! Arrays: N integers of one type that never change.

mod build;
mod compare;
mod convert;
mod index;
mod memory;
mod operators;
mod pickle;
mod text;

use limbforge::prelude::{Batch, Layout};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pub(crate) use self::build::*;
pub(crate) use self::compare::*;
pub(crate) use self::index::*;
pub(crate) use self::memory::{copied, room};
pub(crate) use self::operators::values;
pub(crate) use self::pickle::*;
pub(crate) use self::text::*;
use crate::dtype::IntType;
use crate::ints::Ints;
use crate::limbs::Limbs;

/// N integers of one type. An array never changes; slices and views share its memory.
///
/// Operators compute element by element, exactly modulo 2^bits of the type. An operand is an array of as many
/// integers, an array of one, or an int. ``lf.array`` and its relatives make arrays.
///
/// >>> import limbforge as lf
/// >>> a = lf.array([3, 4, 2**200], "u2048")
/// >>> (a * a + 1)[:2].tolist()
/// [10, 17]
/// >>> a[a > 3].tolist() == [4, 2**200]
/// True
/// >>> len(a), a.dtype
/// (3, IntType('u2048'))
#[pyclass(frozen, sequence, weakref, module = "limbforge")]
pub(crate) struct IntArray(pub(crate) Batch<u64>);

impl IntArray {
    /// The array of a batch, whose limbs then lie instance by instance.
    pub(crate) fn new(batch: Batch<u64>) -> Self {
        Self(batch.into_layout(Layout::InstanceMajor))
    }

    /// The integer of instance `i < N`.
    fn int<'py>(&self, py: Python<'py>, i: usize, room: &mut Vec<u64>) -> PyResult<Bound<'py, PyAny>> {
        let m = self.0.limbs_per_instance();
        Ints::get(py).write(py, &self.0.limbs()[i * m..(i + 1) * m], self.0.ty(), room)
    }

    /// Instance `i < N` in a few characters.
    fn shown(&self, py: Python<'_>, i: usize) -> PyResult<String> {
        let value = self.int(py, i, &mut vec![])?;
        let bits: u64 = value.call_method0("bit_length")?.extract()?;
        if bits <= 128 {
            return Ok(value.str()?.to_string());
        }
        let hex: String = value.call_method1("__format__", ("x",))?.extract()?;
        let (sign, hex) = hex.strip_prefix('-').map_or(("", &*hex), |hex| ("-", hex));
        Ok(format!("{sign}0x{}...{}", &hex[..8], &hex[hex.len() - 8..]))
    }
}

/// The iterator over the integers of an array.
#[pyclass(module = "limbforge")]
pub(crate) struct Integers {
    array: Py<IntArray>,
    next: usize,
}

#[pymethods]
impl Integers {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let array = self.array.get();
        if self.next == array.0.instances() {
            return Ok(None);
        }
        self.next += 1;
        array.int(py, self.next - 1, &mut vec![]).map(Some)
    }

    fn __length_hint__(&self) -> usize {
        self.array.get().0.instances() - self.next
    }
}

#[pymethods]
impl IntArray {
    /// NumPy's operators leave arrays to the operators of this class.
    #[classattr]
    fn __array_ufunc__(py: Python<'_>) -> Py<PyAny> {
        py.None()
    }

    /// The type of the integers.
    #[getter]
    fn dtype(&self) -> IntType {
        IntType(self.0.ty())
    }

    /// ``(N,)``.
    #[getter]
    fn shape(&self) -> (usize,) {
        (self.0.instances(),)
    }

    /// Bytes of the limbs in memory.
    #[getter]
    fn nbytes(&self) -> usize {
        size_of_val(self.0.limbs())
    }

    fn __len__(&self) -> usize {
        self.0.instances()
    }

    fn __iter__(slf: Bound<'_, Self>) -> Integers {
        Integers { array: slf.unbind(), next: 0 }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let n = self.0.instances();
        let shown =
            |range: std::ops::Range<usize>| range.map(|i| self.shown(py, i)).collect::<PyResult<Vec<_>>>();
        let values = match n {
            0..=6 => shown(0..n)?,
            _ => [shown(0..3)?, vec!["...".to_owned()], shown(n - 3..n)?].concat(),
        };
        let count = if n > 6 { format!(", {n} integers") } else { String::new() };
        Ok(format!("IntArray([{}], '{}'{count})", values.join(", "), self.0.ty()))
    }

    fn __bool__(&self) -> PyResult<bool> {
        Err(PyValueError::new_err(
            "an array is neither true nor false: use .any() or .all() of a comparison, or len(a) > 0",
        ))
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    /// Whether the other object is an array of the same type with the same integers.
    ///
    /// >>> import limbforge as lf
    /// >>> lf.array([1, 2], "u64").equals(lf.array([1, 2], "u65"))
    /// False
    #[pyo3(signature = (other, /))]
    fn equals(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().0 == self.0)
    }

    /// The limbs as a buffer of N x M words; ``lf.limbs`` is a view of it in NumPy.
    fn _limbs(&self) -> Limbs {
        Limbs::new(self.0.clone())
    }
}
