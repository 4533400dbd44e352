//! Pickles: by protocol 5 the limbs may leave out of band, without a copy.

use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView, PyTuple};

use super::{IntArray, memory};
use crate::dtype::IntType;

#[pymethods]
impl IntArray {
    fn __reduce_ex__<'py>(&self, py: Python<'py>, protocol: i32) -> PyResult<Bound<'py, PyTuple>> {
        let rebuild = py.import("limbforge._limbforge")?.getattr("_rebuild")?;
        let limbs = Bound::new(py, self._limbs())?;
        let data = if protocol >= 5 {
            py.import("pickle")?.getattr("PickleBuffer")?.call1((limbs,))?
        } else {
            py.get_type::<PyBytes>().call1((PyMemoryView::from(limbs.as_any())?,))?
        };
        (rebuild, (IntType(self.0.ty()), data)).into_pyobject(py)
    }
}

/// The array of a pickle: its type and a buffer of its limbs.
#[pyfunction]
#[pyo3(name = "_rebuild")]
pub(crate) fn rebuild(ty: IntType, data: &Bound<'_, PyAny>) -> PyResult<IntArray> {
    let py = data.py();
    let view = PyMemoryView::from(data)?;
    let (bytes, size): (usize, usize) =
        (view.getattr(intern!(py, "nbytes"))?.extract()?, 8 * ty.0.limbs::<u64>());
    let is_contiguous: bool = view.getattr(intern!(py, "c_contiguous"))?.extract()?;
    if !is_contiguous || !bytes.is_multiple_of(size) {
        let kind = if is_contiguous { "" } else { "scattered " };
        return Err(PyValueError::new_err(format!(
            "a pickle of {}: expected a multiple of {size} bytes, found {bytes} {kind}bytes",
            ty.0
        )));
    }
    memory::batch_of(ty.0, data).map(IntArray)
}
