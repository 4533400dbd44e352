//! Memory of a GPU that CuPy, PyTorch, Numba and others read in place or lend: `__cuda_array_interface__`,
//! version 3, and DLPack.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use limbforge::EngineError;
use limbforge::gpu::RawMemory;
use limbforge::prelude::{DeviceBatch, IntType, Layout};
use pyo3::exceptions::{PyAttributeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use super::DeviceArray;
use crate::dlpack::{Device, Request};
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
    /// The array of an (N, M) matrix of uint64 on a GPU, or of any integers that have the bytes of its limbs:
    /// of an object with ``__cuda_array_interface__``, as the arrays of CuPy and Numba and the tensors of
    /// PyTorch.
    ///
    /// It is a copy on the GPU. With ``copy=False`` the memory is shared, and nobody may write to it while
    /// the array or anything that is computed from it is in use. Bits above the width are cleared, in a copy.
    #[pyo3(signature = (words, /, dtype, *, copy=true))]
    fn from_cuda(
        slf: Bound<'_, Self>,
        words: &Bound<'_, PyAny>,
        dtype: &Bound<'_, PyAny>,
        copy: bool,
    ) -> PyResult<DeviceArray> {
        let ty = self::dtype(dtype)?;
        let found = words.getattr("__cuda_array_interface__").map_err(|_| {
            let found = words.get_type();
            PyTypeError::new_err(format!("expected an object with __cuda_array_interface__, found {found}: engine.upload takes an IntArray"))
        })?;
        let interface = found.cast::<PyDict>()?;
        let item = |name: &str| {
            let missing = || PyTypeError::new_err(format!("__cuda_array_interface__ has no {name:?}"));
            interface.get_item(name)?.ok_or_else(missing)
        };
        let optional =
            |name: &str| Ok::<_, PyErr>(interface.get_item(name)?.filter(|value| !value.is_none()));
        let (shape, kind): (Vec<usize>, String) = (item("shape")?.extract()?, item("typestr")?.extract()?);
        let bytes: Option<usize> =
            kind.strip_prefix(['<', '|']).and_then(|kind| kind.strip_prefix(['u', 'i'])?.parse().ok());
        let n = rows(ty, &shape, bytes, &kind)?;
        let strides: Option<Vec<usize>> =
            optional("strides")?.map(|strides| strides.extract()).transpose()?;
        let element = bytes.unwrap_or(8);
        if strides.is_some_and(|strides| strides != [element * shape[1], element]) {
            return Err(scattered());
        }
        let (pointer, _): (u64, bool) = item("data")?.extract()?;
        let stream: Option<usize> = optional("stream")?.map(|stream| stream.extract()).transpose()?;
        let bytes = (n * ty.limbs::<u64>() * 8) as u64;
        let memory = RawMemory { ordinal: ordinal_of(words), pointer, bytes, stream };
        borrowed(slf, memory, Arc::new(words.clone().unbind()), (ty, n), copy)
    }
}

/// N of a matrix with N rows of as many bytes as an integer of the type has. `bytes` are those of an element,
/// none for an element that is no integer.
pub(crate) fn rows(ty: IntType, shape: &[usize], bytes: Option<usize>, kind: &str) -> PyResult<usize> {
    let m = ty.limbs::<u64>();
    match (shape, bytes) {
        (&[n, columns], Some(bytes)) if columns.checked_mul(bytes) == Some(8 * m) => Ok(n),
        _ => Err(PyValueError::new_err(format!(
            "expected words of uint64 and shape (N, {m}) for {ty}, found {kind} and {shape:?}"
        ))),
    }
}

pub(crate) fn scattered() -> PyErr {
    PyValueError::new_err("expected C-contiguous words: use ascontiguousarray or .contiguous()")
}

/// The array of `n` integers in memory of a GPU that `keeper` has lent, and which the named stream writes; in
/// a copy if `copy`.
pub(crate) fn borrowed(
    engine: Bound<'_, Engine>,
    memory: RawMemory,
    keeper: Arc<dyn Any + Send + Sync>,
    (ty, n): (IntType, usize),
    copy: bool,
) -> PyResult<DeviceArray> {
    let (core, _) = engine.get().core_for(usize::MAX)?;
    let layout = Layout::InstanceMajor;
    let batch = run::at_once(engine.py(), move || {
        // SAFETY: the object has lent the memory, keeps it while it is referenced, and names the stream that
        // writes it. Nobody writes to it before the copy below is done, or at all, as the documentation asks
        // of callers.
        let lent = unsafe { DeviceBatch::<u64>::from_raw(&core, memory, keeper, ty, layout, n) }?;
        if copy { copied(&core, lent) } else { Ok(lent) }
    })?;
    Ok(DeviceArray::new(batch.map_err(|error| of_engine(&error))?, engine.unbind()))
}

/// A copy on the same GPU.
pub(super) fn copied(
    core: &limbforge::Engine,
    batch: DeviceBatch<u64>,
) -> Result<DeviceBatch<u64>, EngineError> {
    let (ty, layout, n) = (batch.ty(), batch.layout(), batch.instances());
    DeviceBatch::from_cuda_slice(core, batch.into_cuda_slice()?, ty, layout, n)
}

#[pymethods]
impl DeviceArray {
    /// The kind and number of its device, for ``from_dlpack`` of other libraries.
    fn __dlpack_device__(&self) -> (i32, i32) {
        let gpu = self.batch.as_raw().map(|memory| Device::gpu(memory.ordinal));
        gpu.unwrap_or(Device::HOST).pair()
    }

    /// The (N, M) matrix of the limbs as uint64, for ``from_dlpack`` of other libraries, which share the
    /// memory and must not write to it. Limbs of instances without a result are not defined.
    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<isize>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let request = Request { stream, max_version, device: dl_device, copy };
        let host = || self.downloaded(py).map(|(values, _)| values.0);
        if self.batch.as_raw().is_err() {
            return request.of_host(py, &host()?);
        }
        let (core, _) = self.engine.get().core_for(usize::MAX)?;
        let copy = || copied(&core, self.batch.clone()).map_err(|error| of_engine(&error));
        request.of_gpu(py, &self.batch, copy, host)
    }
}

/// The number of an array's GPU: `.device.id` of CuPy, `.device.index` of PyTorch, else 0.
fn ordinal_of(words: &Bound<'_, PyAny>) -> usize {
    let device = words.getattr("device");
    let number = |name| device.as_ref().ok()?.getattr(name).ok()?.extract().ok();
    number("id").or_else(|| number("index")).unwrap_or(0)
}
