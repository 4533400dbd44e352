//! Parts of arrays: one integer, a slice, or chosen integers.

use limbforge::prelude::Batch;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple};

use super::IntArray;
use crate::errors::of_batch;

#[pymethods]
impl IntArray {
    /// ``a[3]`` is an int, ``a[2:5]`` shares memory, ``a[mask]`` and ``a[[4, 0, 4]]`` choose integers.
    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let n = self.0.instances();
        if let Ok(slice) = key.cast::<PySlice>() {
            return Ok(Bound::new(py, self.sliced(slice)?)?.into_any());
        }
        if key.is_instance_of::<PyTuple>() {
            return Err(PyIndexError::new_err(
                "an array has one dimension: lf.limbs(a)[i, j] is limb j of integer i",
            ));
        }
        let is_number = !key.hasattr(intern!(py, "__len__"))? || key.is_instance_of::<pyo3::types::PyInt>();
        let is_scalar =
            key.getattr(intern!(py, "shape")).is_ok_and(|shape| shape.len().is_ok_and(|len| len == 0));
        if is_number || is_scalar {
            let index: isize = key.extract().map_err(|error: PyErr| wrong_key(key, &error))?;
            return self.int(py, within(index, n)?, &mut vec![]);
        }
        Ok(Bound::new(py, self.taken(key)?)?.into_any())
    }

    /// Whether an int is among the integers.
    fn __contains__(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        let ty = self.0.ty();
        let mut limbs = vec![0; self.0.limbs_per_instance()];
        match crate::ints::Ints::get(py).read(value, ty, &mut limbs)? {
            Ok(()) => Ok(self.0.limbs().chunks_exact(limbs.len()).any(|found| found == limbs)),
            Err(_) => Ok(false),
        }
    }
}

fn wrong_key(key: &Bound<'_, PyAny>, error: &PyErr) -> PyErr {
    let py = key.py();
    if error.is_instance_of::<PyTypeError>(py) {
        let found = key.get_type();
        return PyTypeError::new_err(format!(
            "expected an int, a slice, a mask or a list of ints as index, found {found}"
        ));
    }
    PyIndexError::new_err(format!("index: {}", error.value(py)))
}

/// The instance of an index, which counts from the end if it is negative.
fn within(index: isize, n: usize) -> PyResult<usize> {
    let at = if index < 0 { index.checked_add_unsigned(n) } else { Some(index) };
    let at = at.and_then(|at| usize::try_from(at).ok()).filter(|&at| at < n);
    at.ok_or_else(|| PyIndexError::new_err(format!("index {index} of an array of {n} integers")))
}

impl IntArray {
    fn sliced(&self, slice: &Bound<'_, PySlice>) -> PyResult<Self> {
        let indices = slice.indices(self.0.instances() as isize)?;
        let (start, count) = (indices.start, indices.slicelength);
        if indices.step == 1 || count <= 1 {
            let start = if count == 0 { 0 } else { start as usize };
            return Ok(Self(self.0.slice(start..start + count)));
        }
        let rows: Vec<usize> = (0..count as isize).map(|i| (start + i * indices.step) as usize).collect();
        self.take(slice.py(), &rows)
    }

    fn take(&self, py: Python<'_>, rows: &[usize]) -> PyResult<Self> {
        let taken: Result<Batch<u64>, _> = py.detach(|| self.0.take(rows));
        taken.map(Self).map_err(|error| of_batch(&error))
    }

    /// The integers that a mask or a list of indices chooses.
    fn taken(&self, key: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, n) = (key.py(), self.0.instances());
        let numpy = py.import(intern!(py, "numpy"))?;
        let keys = numpy.call_method1(intern!(py, "ascontiguousarray"), (key,))?;
        // `ascontiguousarray` makes one dimension of none.
        let shape: Vec<usize> = keys.getattr("shape")?.extract()?;
        let [count] = *shape else {
            return Err(PyIndexError::new_err(format!(
                "expected an index of one dimension, found shape {shape:?}"
            )));
        };
        let kind: String = keys.getattr("dtype")?.getattr("kind")?.extract()?;
        let rows: Vec<usize> = match &*kind {
            _ if count == 0 && &*kind != "b" => vec![],
            "b" if count != n => {
                return Err(PyIndexError::new_err(format!(
                    "a mask of {count} for an array of {n} integers: expected {n}"
                )));
            }
            "b" => {
                let mask = PyBuffer::<u8>::get(&keys.call_method1("view", ("uint8",))?)?.to_vec(py)?;
                (0..n).filter(|&i| mask[i] != 0).collect()
            }
            "i" | "u" => {
                let keys = keys.call_method1("astype", ("int64",))?;
                let keys = PyBuffer::<i64>::get(&keys)?.to_vec(py)?;
                keys.into_iter().map(|index| within(index as isize, n)).collect::<PyResult<_>>()?
            }
            _ => {
                let found = keys.getattr("dtype")?;
                return Err(PyTypeError::new_err(format!(
                    "expected a mask of bools or indices of ints, found {found}"
                )));
            }
        };
        self.take(py, &rows)
    }
}

/// One array of the integers of several, which have one type.
///
/// >>> import limbforge as lf
/// >>> a = lf.array([1, 2, 3], "u128")
/// >>> lf.concatenate([a[2:], a]).tolist()
/// [3, 1, 2, 3]
#[pyfunction]
#[pyo3(signature = (arrays, /))]
pub(crate) fn concatenate(py: Python<'_>, arrays: Vec<Bound<'_, IntArray>>) -> PyResult<IntArray> {
    let batches: Vec<Batch<u64>> = arrays.iter().map(|array| array.get().0.clone()).collect();
    let joined = py.detach(|| Batch::concat(&batches.iter().collect::<Vec<_>>()));
    joined.map(IntArray).map_err(|error| of_batch(&error))
}
