//! Memory of a GPU that CuPy, PyTorch and others read in place or lend: `__cuda_array_interface__`, version
//! 3.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use limbforge::gpu::RawMemory;
use limbforge::prelude::{DeviceBatch, Layout};
use pyo3::exceptions::{PyAttributeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::DeviceArray;
use crate::dtype::dtype;
use crate::engine::Engine;
use crate::errors::of_engine;
use crate::run;

/// The legacy default stream: 0 is not allowed.
const DEFAULT_STREAM: usize = 1;

#[pymethods]
impl DeviceArray {
    /// The (N, M) matrix of the limbs on the GPU. Limbs of instances without a result are not defined.
    #[getter]
    fn __cuda_array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let memory = self.batch.as_raw().map_err(|error| {
            PyAttributeError::new_err(format!(
                "no __cuda_array_interface__: {error}; .download() gives an IntArray"
            ))
        })?;
        self.is_lent.store(true, Ordering::Relaxed);
        let interface = PyDict::new(py);
        interface.set_item("shape", (self.batch.instances(), self.batch.ty().limbs::<u64>()))?;
        interface.set_item("typestr", "<u8")?;
        interface.set_item("data", (memory.pointer, true))?;
        interface.set_item("strides", py.None())?;
        interface.set_item("stream", memory.stream.map(|stream| stream.max(DEFAULT_STREAM)))?;
        interface.set_item("version", 3)?;
        Ok(interface)
    }
}

/// What others have started on lent memory is done before it is freed.
impl Drop for DeviceArray {
    fn drop(&mut self) {
        if *self.is_lent.get_mut()
            && let Ok(stream) = self.batch.stream()
        {
            // A failure of the GPU is returned by the next evaluation.
            let _ = stream.context().synchronize();
        }
    }
}

#[pymethods]
impl Engine {
    /// The array of an (N, M) matrix of uint64 or int64 on a GPU: of any object with
    /// ``__cuda_array_interface__``, as the arrays of CuPy and the tensors of PyTorch. It is a copy on the
    /// GPU; bits above the width are cleared.
    #[pyo3(signature = (words, /, dtype))]
    fn from_cuda(
        slf: Bound<'_, Self>,
        words: &Bound<'_, PyAny>,
        dtype: &Bound<'_, PyAny>,
    ) -> PyResult<DeviceArray> {
        let (py, ty) = (slf.py(), self::dtype(dtype)?);
        let found = words.getattr("__cuda_array_interface__").map_err(|_| {
            let found = words.get_type();
            PyTypeError::new_err(format!("expected an object with __cuda_array_interface__, found {found}: engine.upload takes an IntArray"))
        })?;
        let interface = found.cast::<PyDict>()?;
        let item = |name: &str| {
            let missing = || PyTypeError::new_err(format!("__cuda_array_interface__ has no {name:?}"));
            interface.get_item(name)?.ok_or_else(missing)
        };
        let (shape, kind): (Vec<usize>, String) = (item("shape")?.extract()?, item("typestr")?.extract()?);
        let m = ty.limbs::<u64>();
        let [n, columns] = *shape else {
            return Err(PyValueError::new_err(format!(
                "expected words of shape (N, {m}) for {ty}, found {shape:?}"
            )));
        };
        if columns != m || !matches!(&*kind, "<u8" | "<i8") {
            return Err(PyValueError::new_err(format!(
                "expected words of uint64 and shape (N, {m}) for {ty}, found {kind} and {shape:?}"
            )));
        }
        let strides: Option<Vec<usize>> =
            interface.get_item("strides")?.map_or(Ok(None), |strides| strides.extract())?;
        if strides.is_some_and(|strides| strides != [8 * m, 8]) {
            return Err(PyValueError::new_err(
                "expected C-contiguous words: use ascontiguousarray or .contiguous()",
            ));
        }
        let (pointer, _): (u64, bool) = item("data")?.extract()?;
        let stream: Option<usize> =
            interface.get_item("stream")?.map_or(Ok(None), |stream| stream.extract())?;
        let memory = RawMemory { ordinal: ordinal_of(words), pointer, bytes: (n * m * 8) as u64, stream };
        let (core, _) = slf.get().core_for(usize::MAX)?;
        let keeper = Arc::new(words.clone().unbind());
        let copied = run::at_once(py, move || {
            // SAFETY: the object has lent the memory, keeps it while it is referenced, and names the stream
            // that writes it. Nothing but the copy below reads it.
            let lent =
                unsafe { DeviceBatch::<u64>::from_raw(&core, memory, keeper, ty, Layout::InstanceMajor, n) }?;
            DeviceBatch::from_cuda_slice(&core, lent.into_cuda_slice()?, ty, Layout::InstanceMajor, n)
        })?;
        Ok(DeviceArray::new(copied.map_err(|error| of_engine(&error))?, slf.unbind()))
    }
}

/// The number of an array's GPU: `.device.id` of CuPy, `.device.index` of PyTorch, else 0.
fn ordinal_of(words: &Bound<'_, PyAny>) -> usize {
    let device = words.getattr("device");
    let number = |name| device.as_ref().ok()?.getattr(name).ok()?.extract().ok();
    number("id").or_else(|| number("index")).unwrap_or(0)
}
