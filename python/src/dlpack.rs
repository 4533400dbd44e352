//! DLPack: how NumPy, PyTorch, CuPy, JAX and others lend each other matrices, on the host and on GPUs.
//!
//! Source: the C header `dlpack.h` 1.0, and Python's protocol in the array API standard, 2024.12. Arrays lend
//! the (N, M) matrix of their limbs as uint64; matrices of integers that have the bytes of the limbs are
//! taken.

mod export;
mod import;
mod tensor;

use std::ffi::{CStr, c_void};
use std::ptr::{self, NonNull};

use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3::{PyTypeInfo as _, ffi};

pub(crate) use self::export::Request;
pub(crate) use self::import::*;

/// `DLDeviceType`.
const CPU: i32 = 1;
const CUDA: i32 = 2;
const CUDA_HOST: i32 = 3;
const CUDA_MANAGED: i32 = 13;

/// `DLDataTypeCode`.
const SIGNED: u8 = 0;
const UNSIGNED: u8 = 1;

/// Nobody may write to the memory.
const READ_ONLY: u64 = 1;
/// The memory is a copy for the consumer.
const IS_COPIED: u64 = 2;

/// `DLDevice`: the kind and the number of a device.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Device {
    kind: i32,
    number: i32,
}

impl Device {
    pub(crate) const HOST: Self = Self { kind: CPU, number: 0 };

    pub(crate) const fn gpu(ordinal: usize) -> Self {
        Self { kind: CUDA, number: ordinal as i32 }
    }

    /// As `__dlpack_device__` returns it.
    pub(crate) const fn pair(self) -> (i32, i32) {
        (self.kind, self.number)
    }
}

/// `DLDataType`.
#[repr(C)]
#[derive(Clone, Copy)]
struct DataType {
    code: u8,
    bits: u8,
    lanes: u16,
}

/// `DLTensor`.
#[repr(C)]
struct Tensor {
    data: *mut c_void,
    device: Device,
    ndim: i32,
    dtype: DataType,
    shape: *const i64,
    /// Elements from one to the next in each dimension; null for C-contiguous.
    strides: *const i64,
    byte_offset: u64,
}

/// `DLManagedTensor`, of versions below 1.
#[repr(C)]
struct Unversioned {
    tensor: Tensor,
    manager: *mut c_void,
    deleter: Option<Deleter<Self>>,
}

/// `DLManagedTensorVersioned`, from version 1 on.
#[repr(C)]
struct Versioned {
    major: u32,
    minor: u32,
    manager: *mut c_void,
    deleter: Option<Deleter<Self>>,
    flags: u64,
    tensor: Tensor,
}

type Deleter<T> = unsafe extern "C" fn(*mut T);

/// A tensor whose consumer calls the deleter when it is done.
trait Managed: Sized + 'static {
    /// The name of its capsule, and that of one whose tensor was taken.
    const NAMES: [&'static CStr; 2];

    fn new(tensor: Tensor, flags: u64, deleter: Deleter<Self>) -> Self;
    fn deleter(&self) -> Option<Deleter<Self>>;
    fn parts(&mut self) -> (&mut Tensor, &mut *mut c_void);
}

macro_rules! managed {
    ($class:ident $name:literal $used:literal |$flags:ident| { $($field:ident: $value:expr),* }) => {
        impl Managed for $class {
            const NAMES: [&'static CStr; 2] = [$name, $used];

            fn new(tensor: Tensor, $flags: u64, deleter: Deleter<Self>) -> Self {
                Self { tensor, manager: ptr::null_mut(), deleter: Some(deleter), $($field: $value),* }
            }

            fn deleter(&self) -> Option<Deleter<Self>> {
                self.deleter
            }

            fn parts(&mut self) -> (&mut Tensor, &mut *mut c_void) {
                (&mut self.tensor, &mut self.manager)
            }
        }
    };
}

// Consumers of versions below 1 are told of no flags.
managed!(Unversioned c"dltensor" c"used_dltensor" |_flags| {});
managed!(Versioned c"dltensor_versioned" c"used_dltensor_versioned" |flags| { major: 1, minor: 0, flags: flags });

/// Calls the deleter.
///
/// # Safety
/// The tensor is alive and is used by nobody from now on.
unsafe fn delete<T: Managed>(managed: *mut T) {
    // SAFETY: it is alive, and its deleter is called once.
    unsafe {
        if let Some(deleter) = (*managed).deleter() {
            deleter(managed);
        }
    }
}

/// The capsule of a tensor, which deletes it unless a consumer has taken it.
fn capsule<T: Managed>(py: Python<'_>, managed: NonNull<T>) -> PyResult<Bound<'_, PyCapsule>> {
    unsafe extern "C" fn destroy<T: Managed>(capsule: *mut ffi::PyObject) {
        // SAFETY: the interpreter's capsule, made below. Its name tells whether a consumer has taken the
        // tensor.
        unsafe {
            if ffi::PyCapsule_IsValid(capsule, T::NAMES[0].as_ptr()) == 1 {
                delete::<T>(ffi::PyCapsule_GetPointer(capsule, T::NAMES[0].as_ptr()).cast());
            }
        }
    }
    // SAFETY: the tensor lives until its deleter is called, by a consumer or by the capsule.
    let made = unsafe {
        PyCapsule::new_with_pointer_and_destructor(py, managed.cast(), T::NAMES[0], Some(destroy::<T>))
    };
    if made.is_err() {
        // SAFETY: nobody has it.
        unsafe { delete(managed.as_ptr()) };
    }
    made
}

/// Takes the tensor of a capsule, which then deletes nothing; none if the capsule has another one.
fn taken<T: Managed>(object: &Bound<'_, PyAny>) -> Option<NonNull<T>> {
    if !PyCapsule::is_type_of(object) {
        return None;
    }
    // SAFETY: a capsule of this name holds this structure; with the other name it is ours.
    unsafe {
        if ffi::PyCapsule_IsValid(object.as_ptr(), T::NAMES[0].as_ptr()) != 1 {
            return None;
        }
        let found = ffi::PyCapsule_GetPointer(object.as_ptr(), T::NAMES[0].as_ptr());
        ffi::PyCapsule_SetName(object.as_ptr(), T::NAMES[1].as_ptr());
        NonNull::new(found.cast())
    }
}
