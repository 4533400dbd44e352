//! The limbs of an array by Python's buffer protocol: what NumPy, memoryview and pickle read without a copy.

use std::ffi::{CStr, c_int};
use std::ptr;

use limbforge::prelude::Batch;
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;

/// Words of 64 bits, in the byte order of the machine.
const FORMAT: &CStr = c"Q";

/// N x M words of 64 bits, least significant first, read-only.
#[pyclass(frozen, module = "limbforge")]
pub(crate) struct Limbs {
    batch: Batch<u64>,
    shape: [ffi::Py_ssize_t; 2],
    strides: [ffi::Py_ssize_t; 2],
}

impl Limbs {
    pub(crate) fn new(batch: Batch<u64>) -> Self {
        let m = batch.limbs_per_instance() as ffi::Py_ssize_t;
        Self { shape: [batch.instances() as ffi::Py_ssize_t, m], strides: [8 * m, 8], batch }
    }
}

#[pymethods]
impl Limbs {
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let has = |flag| flags & flag == flag;
        if view.is_null() || has(ffi::PyBUF_WRITABLE) {
            return Err(PyBufferError::new_err("the limbs of an IntArray are read-only: copy them to write"));
        }
        let this = slf.get();
        let limbs = this.batch.limbs();
        // SAFETY: the interpreter's view. What it points to lies in `slf`, which the view keeps and which
        // never changes, or is static. Nobody writes through a view that is read-only.
        unsafe {
            (*view).buf = limbs.as_ptr().cast_mut().cast();
            (*view).len = size_of_val(limbs) as ffi::Py_ssize_t;
            (*view).readonly = 1;
            (*view).itemsize = 8;
            (*view).format =
                if has(ffi::PyBUF_FORMAT) { FORMAT.as_ptr().cast_mut() } else { ptr::null_mut() };
            (*view).ndim = 2;
            (*view).shape = if has(ffi::PyBUF_ND) { this.shape.as_ptr().cast_mut() } else { ptr::null_mut() };
            (*view).strides =
                if has(ffi::PyBUF_STRIDES) { this.strides.as_ptr().cast_mut() } else { ptr::null_mut() };
            (*view).suboffsets = ptr::null_mut();
            (*view).internal = ptr::null_mut();
            (*view).obj = slf.clone().into_any().into_ptr();
        }
        Ok(())
    }

    fn __len__(&self) -> usize {
        self.batch.instances()
    }
}
