//! Matrices that others lend.

use std::ptr;
use std::sync::Arc;

use limbforge::gpu::RawMemory;
use limbforge::prelude::{Batch, IntType, Layout};
use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::tensor::{Lent, Matrix, matrix};
use super::{CPU, CUDA, CUDA_HOST, CUDA_MANAGED};
use crate::array::{IntArray, room};
use crate::device::borrowed;
use crate::dtype;
use crate::engine::engine_of;
use crate::errors::of_batch;

/// The capsule of an object; versions below 1 know fewer arguments.
fn capsule<'py>(words: &Bound<'py, PyAny>, stream: Option<i32>) -> PyResult<Bound<'py, PyAny>> {
    let py = words.py();
    let arguments = PyDict::new(py);
    if let Some(stream) = stream {
        arguments.set_item("stream", stream)?;
    }
    let old = arguments.copy()?;
    arguments.set_item("max_version", (1, 0))?;
    match words.call_method(intern!(py, "__dlpack__"), (), Some(&arguments)) {
        Err(error) if error.is_instance_of::<PyTypeError>(py) => {
            words.call_method(intern!(py, "__dlpack__"), (), Some(&old))
        }
        found => found,
    }
}

/// The array of an (N, M) matrix of uint64, least significant word first, or of any integers that have the
/// bytes of its limbs: of an object with ``__dlpack__``, as the arrays of NumPy and CuPy and the tensors of
/// PyTorch. On the host it is an ``IntArray``, on a GPU a ``DeviceArray`` of ``engine``, else of the current
/// one.
///
/// ``dtype`` is unsigned with all bits of a row if it is not given. The array is a copy where its memory was.
/// With ``copy=False`` memory on a GPU is shared, and nobody may write to it while the array or anything that
/// is computed from it is in use. Bits above the width raise ``ValueError`` on the host, and are cleared on a
/// GPU.
///
/// >>> import limbforge as lf, numpy as np
/// >>> words = np.array([[1, 0], [0, 1]], dtype=np.uint64)
/// >>> lf.from_dlpack(words).tolist() == [1, 2**64]
/// True
/// >>> np.from_dlpack(lf.from_dlpack(words, "i128")).tolist()
/// [[1, 0], [0, 1]]
#[pyfunction]
#[pyo3(signature = (words, /, dtype=None, *, engine=None, copy=true))]
pub(crate) fn from_dlpack(
    words: &Bound<'_, PyAny>,
    dtype: Option<&Bound<'_, PyAny>>,
    engine: Option<&Bound<'_, PyAny>>,
    copy: bool,
) -> PyResult<Py<PyAny>> {
    let (py, ty) = (words.py(), dtype.map(dtype::dtype).transpose()?);
    let device = words.call_method0(intern!(py, "__dlpack_device__")).map_err(|error| {
        let found = words.get_type();
        match words.hasattr("__dlpack_device__") {
            Ok(true) => error,
            _ => PyTypeError::new_err(format!("expected an object with __dlpack__, found {found}")),
        }
    })?;
    let (kind, _): (i32, i32) = device.extract()?;
    match kind {
        CPU | CUDA_HOST if copy => Ok(Py::new(py, on_host(&capsule(words, None)?, ty)?)?.into_any()),
        CPU | CUDA_HOST => Err(PyBufferError::new_err(
            "memory on the host is copied, as others may write to it: leave out copy=False; lf.from_limbs shares read-only memory",
        )),
        CUDA | CUDA_MANAGED => {
            // Ordered before what follows in the legacy default stream, for which the engine then waits.
            let mut lent = Lent::new(&capsule(words, Some(1))?)?;
            let Matrix { ty, rows, first, number } = matrix(lent.tensor(), ty)?;
            let bytes = (rows * ty.limbs::<u64>() * 8) as u64;
            let memory = RawMemory { ordinal: number, pointer: first as u64, bytes, stream: Some(1) };
            let array = borrowed(engine_of(py, engine)?, memory, Arc::new(lent), (ty, rows), copy)?;
            Ok(Py::new(py, array)?.into_any())
        }
        _ => Err(PyValueError::new_err(format!(
            "memory of the device kind {kind} of DLPack: expected 1 (CPU) or 2 (CUDA)"
        ))),
    }
}

fn on_host(capsule: &Bound<'_, PyAny>, ty: Option<IntType>) -> PyResult<IntArray> {
    let mut lent = Lent::new(capsule)?;
    let Matrix { ty, rows, first, .. } = matrix(lent.tensor(), ty)?;
    let len = rows * ty.limbs::<u64>();
    let mut limbs: Vec<u64> = room(len)?;
    // SAFETY: the matrix has these bytes, which need not be aligned, and the vector has room for them.
    unsafe {
        if len > 0 {
            ptr::copy_nonoverlapping(first, limbs.as_mut_ptr().cast(), 8 * len);
        }
        limbs.set_len(len);
    }
    limbs.iter_mut().for_each(|limb| *limb = u64::from_le(*limb));
    let batch = Batch::from_limbs(ty, Layout::InstanceMajor, limbs);
    batch.map(IntArray::new).map_err(|error| of_batch(&error))
}

#[pymethods]
impl IntArray {
    /// ``(1, 0)``: the host, for ``from_dlpack`` of other libraries.
    #[allow(clippy::unused_self, reason = "a method of the protocol")]
    fn __dlpack_device__(&self) -> (i32, i32) {
        super::Device::HOST.pair()
    }

    /// The (N, M) matrix of the limbs as uint64, for ``from_dlpack`` of other libraries. They share the
    /// memory if they know that it is read-only, by version 1 of DLPack; others get a copy.
    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<isize>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, pyo3::types::PyCapsule>> {
        super::Request { stream, max_version, device: dl_device, copy }.of_host(py, &self.0)
    }
}
