//! Comparisons of arrays, as NumPy's arrays of bools. The CPU compares: that takes as long as reading.

use std::cmp::Ordering;

use limbforge::limb::slice::cmp;
use limbforge::prelude::Batch;
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use rayon::prelude::*;

use super::IntArray;
use crate::device::{self, DeviceArray};
use crate::errors::{defect, only};
use crate::operand::{Operand, mismatch, operand_or_range};
use crate::pool;
use crate::program::Program;

/// Limbs from which on several threads compare.
const PARALLEL: usize = 1 << 16;

#[pymethods]
impl IntArray {
    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let other = match operand_or_range(other, self.0.ty())? {
            Some(Operand::Batch(batch)) => batch,
            // An int beyond the type is above or below all integers.
            Some(Operand::Beyond(order)) => {
                let is_true = op.matches(order.reverse());
                return booleans(py, &vec![u8::from(is_true); self.0.instances()]);
            }
            None => return Ok(py.NotImplemented()),
        };
        if let Some(error) = mismatch(&self.0, &other) {
            return Err(error);
        }
        let bytes = py.detach(|| compared(&self.0, &other, op));
        booleans(py, &bytes)
    }
}

/// 1 where the comparison holds, else 0. One of the batches may have one integer for all of the other.
fn compared(a: &Batch<u64>, b: &Batch<u64>, op: CompareOp) -> Vec<u8> {
    let (ty, m) = (a.ty(), a.limbs_per_instance());
    let n = if a.instances() == 1 { b.instances() } else { a.instances() };
    let of = |batch: &Batch<u64>, i: usize| if batch.instances() == 1 { 0 } else { i * m };
    let (left, right) = (a.limbs(), b.limbs());
    let holds = |i: usize| {
        let (x, y) = (&left[of(a, i)..][..m], &right[of(b, i)..][..m]);
        let order = match op {
            CompareOp::Eq | CompareOp::Ne if x == y => Ordering::Equal,
            CompareOp::Eq | CompareOp::Ne => Ordering::Less,
            _ if ty.is_signed() => cmp::cmp_signed(x, y, ty.bits()),
            _ => cmp::cmp(x, y),
        };
        u8::from(op.matches(order))
    };
    if n * m < PARALLEL {
        return (0..n).map(holds).collect();
    }
    pool::install(|| (0..n).into_par_iter().with_min_len(256).map(holds).collect())
}

/// NumPy's array of these bools.
pub(crate) fn booleans(py: Python<'_>, bytes: &[u8]) -> PyResult<Py<PyAny>> {
    let numpy = py.import(intern!(py, "numpy"))?;
    let bytes = PyByteArray::new(py, bytes);
    Ok(numpy.call_method1(intern!(py, "frombuffer"), (bytes, intern!(py, "bool")))?.unbind())
}

/// NumPy's array of bools of integers that are 0 or 1.
pub(crate) fn truths(py: Python<'_>, batch: &Batch<u64>) -> PyResult<Py<PyAny>> {
    let m = batch.limbs_per_instance();
    let bytes: Vec<u8> = batch.limbs().chunks_exact(m).map(|limbs| u8::from(limbs[0] != 0)).collect();
    booleans(py, &bytes)
}

/// ``then`` where ``condition`` is true, else ``otherwise``: arrays of one type, or ints. Resident arrays are
/// chosen from where they lie, by a resident condition such as ``x < y``.
///
/// >>> import limbforge as lf
/// >>> a = lf.array([5, 300, 7], "u2048")
/// >>> lf.where(a > 100, 0, a).tolist()
/// [5, 0, 7]
#[pyfunction]
#[pyo3(name = "where", signature = (condition, then, otherwise, /))]
pub(crate) fn choose(
    condition: &Bound<'_, PyAny>,
    then: &Bound<'_, PyAny>,
    otherwise: &Bound<'_, PyAny>,
) -> PyResult<Py<PyAny>> {
    let py = condition.py();
    let named = [("c", condition), ("a", then), ("b", otherwise)];
    if named.iter().any(|(_, value)| value.cast::<DeviceArray>().is_ok()) {
        let given = named.map(|(name, value)| (name.to_owned(), value.clone()));
        let found = device::eval(py, &Program::parse(py, "select(c, a, b)")?, &given)?;
        let found = found.map(only).transpose()?;
        return Ok(Py::new(py, found.ok_or_else(|| defect("a resident operand is none"))?)?.into_any());
    }
    let numpy = py.import(intern!(py, "numpy"))?;
    let flags = numpy.call_method1("ascontiguousarray", (condition, intern!(py, "bool")))?;
    let flags = pyo3::buffer::PyBuffer::<u8>::get(&flags.call_method1("view", ("uint8",))?)?;
    if flags.dimensions() != 1 {
        return Err(PyValueError::new_err(format!(
            "expected a condition of one dimension, found shape {:?}",
            flags.shape()
        )));
    }
    let (flags, ty) = (flags.to_vec(py)?, crate::operand::type_of(&[then, otherwise])?);
    let [then, otherwise] = [then, otherwise].map(|value| crate::operand::operand(value, ty));
    let (then, otherwise) = (then?, otherwise?);
    for batch in [&then, &otherwise] {
        if batch.ty() != ty || ![1, flags.len()].contains(&batch.instances()) {
            let (n, found) = (flags.len(), batch.instances());
            return Err(PyValueError::new_err(format!(
                "expected arrays of {n} or 1 integers of {ty} for a condition of {n}, found {found} of {}",
                batch.ty()
            )));
        }
    }
    let m = ty.limbs::<u64>();
    let mut limbs = super::memory::zeros(flags.len() * m)?;
    for (i, (out, &flag)) in limbs.chunks_exact_mut(m).zip(&flags).enumerate() {
        let batch = if flag != 0 { &then } else { &otherwise };
        let start = if batch.instances() == 1 { 0 } else { i * m };
        out.copy_from_slice(&batch.limbs()[start..start + m]);
    }
    Ok(Py::new(py, super::build::made(ty, limbs)?)?.into_any())
}
