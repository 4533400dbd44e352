//! Arrays as lists, digits, NumPy's objects, and other types.

use limbforge::limb::slice::{bits, cmp, sub};
use limbforge::limb::text;
use limbforge::prelude::{Batch, IntType, Layout};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use super::{IntArray, memory};
use crate::errors::of_batch;
use crate::ints::Ints;
use crate::looks::Looks;

#[pymethods]
impl IntArray {
    /// The integers as a list.
    ///
    /// >>> import limbforge as lf
    /// >>> lf.array([5, -7], "i131").tolist()
    /// [5, -7]
    fn tolist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let (ints, m, ty, mut room) = (Ints::get(py), self.0.limbs_per_instance(), self.0.ty(), vec![]);
        let mut looks = Looks::default();
        let values = self.0.limbs().chunks_exact(m).map(|limbs| {
            looks.after(py, m)?;
            ints.write(py, limbs, ty, &mut room)
        });
        PyList::new(py, values.collect::<PyResult<Vec<_>>>()?)
    }

    /// NumPy's array of Python's integers: of ``dtype=object``. ``lf.limbs`` is the matrix of words instead.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyValueError::new_err("integers as objects are a copy: lf.limbs(a) shares memory"));
        }
        let objects = py.import("numpy")?.call_method1("array", (self.tolist(py)?, "object"))?;
        dtype.map_or(Ok(objects.clone()), |dtype| objects.call_method1("astype", (dtype,)))
    }

    /// The integers in hexadecimal, without a prefix; negative ones with a sign.
    ///
    /// >>> import limbforge as lf
    /// >>> lf.array([255, -16], "i64").to_hex()
    /// ['ff', '-10']
    fn to_hex<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let (ty, m) = (self.0.ty(), self.0.limbs_per_instance());
        let mut looks = Looks::default();
        let hex = |limbs: &[u64]| {
            looks.after(py, m)?;

            let (magnitude, negative) = magnitude_of(limbs, ty);
            let mut out = if negative { vec![b'-'] } else { vec![] };
            text::write_hex(&magnitude, &mut out);
            PyString::from_bytes(py, &out)
        };
        PyList::new(py, self.0.limbs().chunks_exact(m).map(hex).collect::<PyResult<Vec<_>>>()?)
    }

    /// The same integers in another type. Raises ``OverflowError`` for the first that does not fit; with
    /// ``wrap=True`` all are taken modulo 2^bits instead.
    ///
    /// >>> import limbforge as lf
    /// >>> a = lf.array([7, 300], "u64")
    /// >>> a.astype("i131").dtype
    /// IntType('i131')
    /// >>> a.astype("u8", wrap=True).tolist()
    /// [7, 44]
    #[pyo3(signature = (dtype, /, *, wrap=false))]
    #[allow(clippy::needless_pass_by_value, reason = "as pyo3 gives it")]
    fn astype(&self, py: Python<'_>, dtype: Bound<'_, PyAny>, wrap: bool) -> PyResult<Self> {
        let ty = crate::dtype::dtype(&dtype)?;
        self.resized(py, ty, wrap)
    }

    /// As ``lf.device(array, engine)``: the array on an engine's GPU.
    ///
    /// >>> import limbforge as lf
    /// >>> lf.array([3], "u64").to_device("cpu")
    /// DeviceArray(1 integers of u64 on CPU)
    #[pyo3(signature = (engine=None))]
    fn to_device<'py>(
        slf: &Bound<'py, Self>,
        engine: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, crate::device::DeviceArray>> {
        crate::device::device(slf.as_any(), engine)
    }

    /// A copy in memory of its own: it does not keep the array that this one is a slice of.
    fn copy(&self) -> PyResult<Self> {
        let (ty, limbs) = (self.0.ty(), memory::copied(self.0.limbs())?);
        Batch::from_limbs(ty, Layout::InstanceMajor, limbs).map(Self).map_err(|error| of_batch(&error))
    }
}

impl IntArray {
    pub(crate) fn resized(&self, py: Python<'_>, ty: IntType, wrap: bool) -> PyResult<Self> {
        if ty == self.0.ty() {
            return Ok(Self(self.0.clone()));
        }
        let found = py.detach(|| if wrap { self.0.wrapping_resize(ty) } else { self.0.resize(ty) });
        found.map(Self).map_err(|error| of_batch(&error))
    }
}

/// The absolute value of a residue, and whether the number is negative.
fn magnitude_of(limbs: &[u64], ty: IntType) -> (Vec<u64>, bool) {
    let (mut magnitude, negative) = (limbs.to_vec(), ty.is_signed() && cmp::is_negative(limbs, ty.bits()));
    if negative {
        sub::neg_assign(&mut magnitude);
        bits::truncate(&mut magnitude, ty.bits());
    }
    (magnitude, negative)
}
