//! Matrices of limbs that others read in place.

use std::any::Any;
use std::ptr::{self, NonNull};

use limbforge::gpu::cudarc::driver::result;
use limbforge::gpu::cudarc::driver::sys::{CUevent_wait_flags, CUstream};
use limbforge::prelude::{Batch, DeviceBatch};
use pyo3::exceptions::{PyBufferError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::{
    DataType, Device, IS_COPIED, Managed, READ_ONLY, Tensor, UNSIGNED, Unversioned, Versioned, capsule,
};
use crate::errors::{DeviceError, of_engine};

/// The legacy default stream, which a consumer without a stream of its own uses.
const DEFAULT_STREAM: isize = 1;
/// The consumer asks for no order.
const NO_STREAM: isize = -1;

/// The arguments of `__dlpack__`.
pub(crate) struct Request {
    pub(crate) stream: Option<isize>,
    pub(crate) max_version: Option<(u32, u32)>,
    pub(crate) device: Option<(i32, i32)>,
    pub(crate) copy: Option<bool>,
}

/// A matrix and who keeps its memory.
struct Matrix {
    data: *mut u64,
    device: Device,
    shape: [i64; 2],
    flags: u64,
    owner: Box<dyn Any + Send>,
}

/// What a managed tensor points to.
struct Held<T> {
    managed: T,
    shape: [i64; 2],
    strides: [i64; 2],
    _owner: Box<dyn Any + Send>,
}

/// A batch on a GPU that others read: their work is done before its memory is freed.
struct Lent(DeviceBatch<u64>);

impl Drop for Lent {
    fn drop(&mut self) {
        if let Ok(stream) = self.0.stream() {
            // A failure of the GPU is returned by the next evaluation.
            let _ = stream.context().synchronize();
        }
    }
}

impl Request {
    /// The capsule of the limbs of a batch on the host. Nobody may write to them: consumers that cannot be
    /// told so, those of versions below 1, get a copy.
    pub(crate) fn of_host<'py>(
        &self,
        py: Python<'py>,
        batch: &Batch<u64>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        if self.stream.is_some_and(|stream| stream != NO_STREAM) {
            return Err(PyValueError::new_err("stream: expected None for an array on the host"));
        }
        if self.device.is_some_and(|device| device != Device::HOST.pair()) {
            return Err(self.other_device(Device::HOST));
        }
        let copies = self.copy.unwrap_or(!self.is_versioned());
        if !copies && !self.is_versioned() {
            return Err(PyBufferError::new_err(
                "the array is read-only, which DLPack can say from version 1 on: ask for max_version=(1, 0), or a copy",
            ));
        }
        self.host(py, batch, copies)
    }

    fn host<'py>(
        &self,
        py: Python<'py>,
        batch: &Batch<u64>,
        copies: bool,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let shape = [batch.instances() as i64, batch.limbs_per_instance() as i64];
        let (data, owner, flags): (_, Box<dyn Any + Send>, _) = if copies {
            let mut limbs = crate::array::copied(batch.limbs())?;
            (limbs.as_mut_ptr(), Box::new(limbs), IS_COPIED)
        } else {
            (batch.limbs().as_ptr().cast_mut(), Box::new(batch.clone()), READ_ONLY)
        };
        self.capsule(py, Matrix { data, device: Device::HOST, shape, flags, owner })
    }

    /// The capsule of the limbs of a batch on a GPU, behind what computes them in the consumer's stream; of a
    /// copy on the host if the consumer asks for that.
    pub(crate) fn of_gpu<'py>(
        &self,
        py: Python<'py>,
        batch: &DeviceBatch<u64>,
        copied: impl FnOnce() -> PyResult<DeviceBatch<u64>>,
        host: impl FnOnce() -> PyResult<Batch<u64>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let memory = batch.as_raw().map_err(|error| of_engine(&error))?;
        let device = Device::gpu(memory.ordinal);
        match self.device {
            Some(asked) if asked == Device::HOST.pair() && self.copy != Some(false) => {
                return self.host(py, &host()?, true);
            }
            Some(asked) if asked != device.pair() => return Err(self.other_device(device)),
            _ => {}
        }
        let copies = self.copy == Some(true);
        let lent = Lent(if copies { copied()? } else { batch.clone() });
        self.order(&lent.0)?;
        let memory = lent.0.as_raw().map_err(|error| of_engine(&error))?;
        let shape = [batch.instances() as i64, batch.ty().limbs::<u64>() as i64];
        let flags = if copies { IS_COPIED } else { READ_ONLY };
        let data = memory.pointer as *mut u64;
        self.capsule(py, Matrix { data, device, shape, flags, owner: Box::new(lent) })
    }

    /// Lets the consumer's stream wait for what computes a batch.
    fn order(&self, batch: &DeviceBatch<u64>) -> PyResult<()> {
        let consumer = self.stream.unwrap_or(DEFAULT_STREAM);
        if consumer == NO_STREAM {
            return Ok(());
        }
        if consumer <= 0 {
            return Err(PyValueError::new_err(format!(
                "stream: expected -1, 1 (the legacy default stream), 2 (that of the thread) or a stream, found {consumer}"
            )));
        }
        let stream = batch.stream().map_err(|error| of_engine(&error))?;
        let failed = |error| DeviceError::new_err(format!("order the streams: {error}"));
        let computed = stream.record_event(None).map_err(failed)?;
        let wait = CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        // SAFETY: the event is alive; the consumer vouches for its stream, by the protocol.
        unsafe { result::stream::wait_event(consumer as CUstream, computed.cu_event(), wait) }.map_err(failed)
    }

    /// Whether the consumer knows version 1, which has flags.
    fn is_versioned(&self) -> bool {
        self.max_version.is_some_and(|(major, _)| major >= 1)
    }

    fn other_device(&self, own: Device) -> PyErr {
        let (asked, own) = (self.device.unwrap_or(own.pair()), own.pair());
        PyBufferError::new_err(format!(
            "the array lies on the device {own:?} of DLPack, found {asked:?} in dl_device: .to_host() and lf.device move arrays"
        ))
    }

    fn capsule<'py>(&self, py: Python<'py>, matrix: Matrix) -> PyResult<Bound<'py, PyCapsule>> {
        match self.is_versioned() {
            true => capsule(py, held::<Versioned>(matrix)),
            false => capsule(py, held::<Unversioned>(matrix)),
        }
    }
}

/// The managed tensor of a matrix, on the heap together with its owner.
fn held<T: Managed>(matrix: Matrix) -> NonNull<T> {
    unsafe extern "C" fn delete<T: Managed>(managed: *mut T) {
        // SAFETY: a tensor of `held`, whose manager is what holds it. It is deleted once.
        drop(unsafe { Box::from_raw((*(*managed).parts().1).cast::<Held<T>>()) });
    }
    let tensor = Tensor {
        data: if matrix.shape[0] == 0 { ptr::null_mut() } else { matrix.data.cast() },
        device: matrix.device,
        ndim: 2,
        dtype: DataType { code: UNSIGNED, bits: 64, lanes: 1 },
        shape: ptr::null(),
        strides: ptr::null(),
        byte_offset: 0,
    };
    let held = Box::into_raw(Box::new(Held {
        managed: T::new(tensor, matrix.flags, delete::<T>),
        shape: matrix.shape,
        strides: [matrix.shape[1], 1],
        _owner: matrix.owner,
    }));
    // SAFETY: allocated just now, and known to nobody else.
    unsafe {
        let (shape, strides) = ((&raw const (*held).shape).cast(), (&raw const (*held).strides).cast());
        let (tensor, manager) = (*held).managed.parts();
        (tensor.shape, tensor.strides, *manager) = (shape, strides, held.cast());
        NonNull::new_unchecked(&raw mut (*held).managed)
    }
}
