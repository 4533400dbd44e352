//! Memory of a device that others have allocated, and memory that is given to others.
#![allow(unsafe_code)]

use std::mem;
use std::sync::Arc;

use cudarc::driver::sys::{CUdeviceptr, CUstream};
use cudarc::driver::{CudaSlice, CudaStream, DevicePtrMut, result};

use crate::buffer::DeviceBuffer;
use crate::device::Device;
use crate::driver::failed;
use crate::error::GpuError;
use crate::host_memory::{Kind, kind_of};
use crate::invariant::broken_invariant;
use crate::owner::{Keeper, Owner};

/// Bytes that kernels read and write at once: memory begins at a multiple.
const ALIGNMENT: u64 = 16;

/// Memory of a GPU as CUDA's other users name it, in Python's `__cuda_array_interface__` and DLPack, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawMemory {
    /// The number of the GPU, from 0, in the driver's order.
    pub ordinal: usize,
    /// The address of the first byte on the GPU, a multiple of 16.
    pub pointer: u64,
    /// Bytes from there.
    pub bytes: u64,
    /// The stream (a `CUstream` as a number, 0 for the default one) whose work so far writes the memory. None
    /// if nothing is to be waited for.
    pub stream: Option<usize>,
}

impl Device {
    /// The stream in which this device runs everything that is started on it, in order, except pipelines of
    /// batches in the machine's memory.
    #[must_use]
    pub const fn stream(&self) -> &Arc<CudaStream> {
        self.queue()
    }

    /// Whether a slice belongs to this device's context, the primary one of its GPU.
    #[must_use]
    pub fn has<T>(&self, slice: &CudaSlice<T>) -> bool {
        **self.context() == **slice.context()
    }

    /// The buffer that lies in a slice of cudarc's. What was started on the slice comes before what uses the
    /// buffer, and the slice is freed after that, in its own stream.
    ///
    /// # Errors
    /// [`GpuError::Foreign`] for a slice of another GPU or context, or at an address that is no multiple of
    /// 16; [`GpuError::Driver`].
    pub fn adopt<T: 'static>(&self, mut slice: CudaSlice<T>) -> Result<DeviceBuffer, GpuError> {
        if !self.has(&slice) {
            let found = match slice.ordinal() {
                same if same == self.info().ordinal => format!("of another context of GPU {same}"),
                other => format!("of GPU {other}"),
            };
            return Err(self.foreign(found));
        }
        let (bytes, stream) = (slice.num_bytes() as u64, slice.stream().clone());
        self.queue().join(&stream).map_err(failed("order the queues"))?;
        // Makes the queue wait for what other streams do with the slice, too.
        let (address, recorded) = slice.device_ptr_mut(self.queue());
        drop(recorded);
        self.check_alignment(address)?;
        Ok(DeviceBuffer {
            address,
            bytes,
            device: self.clone(),
            owner: Owner::Slice(Box::new(slice), stream),
        })
    }

    /// The buffer that lies in foreign memory. `keeper` is dropped with the buffer, after a wait for all that
    /// was started on the device: dropping its last clone may free the memory.
    ///
    /// # Safety
    /// All bytes of the memory must be allocated while `keeper` lives, in the primary context of this GPU or
    /// mapped there, and nobody may write to them while the buffer lives, or read what the buffer's user
    /// writes, without a wait for [`stream`](Self::stream). The stream must be one of this context.
    ///
    /// # Errors
    /// [`GpuError::Foreign`] for memory of the machine or of another GPU, or at an address that is no
    /// multiple of 16; [`GpuError::Driver`].
    pub unsafe fn adopt_raw(&self, memory: RawMemory, keeper: Keeper) -> Result<DeviceBuffer, GpuError> {
        let RawMemory { ordinal, pointer: address, bytes, stream } = memory;
        if ordinal != self.info().ordinal {
            return Err(self.foreign(format!("of GPU {ordinal}")));
        }
        self.check_alignment(address)?;
        self.context().bind_to_thread().map_err(failed("select the GPU"))?;
        let last = address.saturating_add(bytes.saturating_sub(1));
        for place in [address, last].into_iter().filter(|_| bytes > 0) {
            match kind_of(place) {
                Kind::Device { ordinal } if ordinal == self.info().ordinal => {}
                Kind::Device { ordinal } => return Err(self.foreign(format!("of GPU {ordinal}"))),
                Kind::Pinned => return Err(self.foreign("pinned memory of the machine".to_owned())),
                Kind::Unknown => {
                    return Err(self.foreign(format!("not known to the driver at address {place:#x}")));
                }
            }
        }
        if let Some(stream) = stream {
            // SAFETY: the caller vouches for the stream.
            unsafe { self.wait_for(stream as CUstream) }?;
        }
        Ok(DeviceBuffer { address, bytes, device: self.clone(), owner: Owner::Keeper(keeper) })
    }

    /// Makes the queue wait for what a stream has got so far.
    ///
    /// # Safety
    /// The stream is one of this context.
    unsafe fn wait_for(&self, stream: CUstream) -> Result<(), GpuError> {
        let event = self.context().new_event(None).map_err(failed("create an event"))?;
        // SAFETY: the event is alive, and the caller vouches for the stream.
        let recorded = unsafe { result::event::record(event.cu_event(), stream) };
        recorded.and_then(|()| self.queue().wait(&event)).map_err(failed("order the queues"))
    }

    fn foreign(&self, found: String) -> GpuError {
        GpuError::Foreign {
            found,
            expected: format!("of the primary context of GPU {}", self.info().ordinal),
        }
    }

    fn check_alignment(&self, address: CUdeviceptr) -> Result<(), GpuError> {
        match address % ALIGNMENT {
            0 => Ok(()),
            _ => Err(GpuError::Foreign {
                found: format!("at address {address:#x}"),
                expected: format!("at a multiple of {ALIGNMENT} bytes"),
            }),
        }
    }
}

impl DeviceBuffer {
    /// Where it lies, and the stream that has to be waited for before it is read.
    #[must_use]
    pub fn as_raw(&self) -> RawMemory {
        let (ordinal, stream) = (self.device.info().ordinal, self.queue().cu_stream() as usize);
        RawMemory { ordinal, pointer: self.address, bytes: self.bytes, stream: Some(stream) }
    }

    /// A copy on the same device, after everything that was started there; returns at once.
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`] and [`GpuError::Driver`].
    pub fn try_clone(&self) -> Result<Self, GpuError> {
        let copy = self.device.alloc(self.bytes)?;
        let (size, stream) = (self.bytes as usize, self.queue().cu_stream());
        // SAFETY: both memories have this size, and are freed after what the queue has.
        let copied = unsafe { result::memcpy_dtod_async(copy.address, self.address, size, stream) };
        copied.map_err(failed("copy on the GPU"))?;
        Ok(copy)
    }

    /// Its memory as a slice of cudarc's: the slice that it came as if that has the same elements, a copy if
    /// it is other foreign memory, else its own in the device's [`stream`](Device::stream). What other
    /// streams do with the slice comes after all that was started on the device. Bytes beyond the last whole
    /// `T` are not part of it.
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`] and [`GpuError::Driver`].
    pub fn into_cuda_slice<T: 'static>(mut self) -> Result<CudaSlice<T>, GpuError> {
        let is_given = match &self.owner {
            Owner::Device => true,
            Owner::Slice(slice, _) => slice.is::<CudaSlice<T>>(),
            Owner::Keeper(_) | Owner::Other => false,
        };
        if !is_given {
            self = self.try_clone()?;
        }
        let queue = self.queue().clone();
        let event = || queue.context().new_event(None).map_err(failed("create an event"));
        // cudarc panics if it gets none of these.
        drop((event()?, event()?));
        let length = self.bytes as usize / size_of::<T>().max(1);
        let mut slice = match mem::replace(&mut self.owner, Owner::Other) {
            Owner::Slice(slice, stream) => {
                stream.join(&queue).map_err(failed("order the queues"))?;
                let slice = slice.downcast::<CudaSlice<T>>();
                *slice.unwrap_or_else(|_| broken_invariant("the slice has these elements"))
            }
            // SAFETY: the memory has this size and was allocated in the queue as cudarc does it; from now on
            // the slice frees it.
            _ => unsafe { queue.upgrade_device_ptr(self.address, length) },
        };
        // Takes note of the queue's work as the last that has written to the slice.
        drop(slice.device_ptr_mut(&queue));
        Ok(slice)
    }
}
