//! Memory of other objects: shared if nobody can write to it, else copied.

use std::sync::Arc;

use limbforge::limb::SharedLimbs;
use limbforge::prelude::{Batch, IntType, Layout};
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::PyMemoryError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};

use crate::errors::of_batch;
use crate::limbs::Limbs;

/// Words of a memory that Python keeps.
struct Foreign {
    /// The interpreter frees it when it is next held, also if a thread of ours drops it.
    _owner: Py<PyMemoryView>,
    first: *const u64,
    len: usize,
}

// SAFETY: the memory is never written, and `Py` may be dropped on any thread.
unsafe impl Send for Foreign {}
// SAFETY: as above.
unsafe impl Sync for Foreign {}

impl AsRef<[u64]> for Foreign {
    fn as_ref(&self) -> &[u64] {
        // SAFETY: the owner keeps the memory, which is aligned, contiguous and of this length, and which
        // nobody can write to.
        unsafe { std::slice::from_raw_parts(self.first, self.len) }
    }
}

/// The batch of the bytes of a contiguous buffer, which are whole words of 64 bits.
pub(super) fn batch_of(ty: IntType, buffer: &Bound<'_, PyAny>) -> PyResult<Batch<u64>> {
    let py = buffer.py();
    let view = PyMemoryView::from(buffer)?;
    let raw = PyUntypedBuffer::get(&view)?;
    let (first, len) = (raw.buf_ptr().cast::<u64>().cast_const(), raw.len_bytes() / 8);
    let layout = Layout::InstanceMajor;
    let batch = if len > 0 && first.is_aligned() && cfg!(target_endian = "little") && is_immutable(buffer)? {
        let owner = view.unbind();
        let limbs: SharedLimbs<u64> = Arc::new(Foreign { _owner: owner, first, len });
        py.detach(|| Batch::from_shared(ty, layout, limbs))
    } else {
        let words = words_of(raw.len_bytes(), |out| {
            // SAFETY: the buffer has this many bytes. The interpreter is held: no code of Python's runs
            // meanwhile.
            unsafe { std::ptr::copy_nonoverlapping(raw.buf_ptr().cast::<u8>(), out, raw.len_bytes()) };
        })?;
        py.detach(|| Batch::from_limbs(ty, layout, words))
    };
    raw.release(py);
    batch.map_err(|error| of_batch(&error))
}

/// Words whose little-endian bytes `fill` writes.
fn words_of(bytes: usize, fill: impl FnOnce(*mut u8)) -> PyResult<Vec<u64>> {
    let mut words = zeros(bytes / 8)?;
    fill(words.as_mut_ptr().cast());
    words.iter_mut().for_each(|word| *word = u64::from_le(*word));
    Ok(words)
}

/// Zeros, or `MemoryError`.
pub(super) fn zeros(len: usize) -> PyResult<Vec<u64>> {
    let mut words = room(len)?;
    words.resize(len, 0);
    Ok(words)
}

pub(crate) fn copied(limbs: &[u64]) -> PyResult<Vec<u64>> {
    let mut words = room(limbs.len())?;
    words.extend_from_slice(limbs);
    Ok(words)
}

pub(crate) fn room(len: usize) -> PyResult<Vec<u64>> {
    let mut words = vec![];
    let bytes = len.saturating_mul(8);
    let full = |_| PyMemoryError::new_err(format!("no memory for {bytes} bytes: use smaller arrays"));
    words.try_reserve_exact(len).map_err(full)?;
    Ok(words)
}

/// Whether no code of Python's can write to the memory of a buffer: its owner lends it only for reading.
fn is_immutable(buffer: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = buffer.py();
    let ndarray = py.import(intern!(py, "numpy"))?.getattr(intern!(py, "ndarray"))?;
    let mut owner = buffer.clone();
    loop {
        if owner.is_instance_of::<PyBytes>() || owner.is_instance_of::<Limbs>() {
            return Ok(true);
        }
        owner = if owner.is_instance(&ndarray)? {
            // An array that owns its memory may become writable again; one that was writable has writable
            // views.
            if owner.getattr(intern!(py, "flags"))?.getattr(intern!(py, "writeable"))?.extract()? {
                return Ok(false);
            }
            owner.getattr(intern!(py, "base"))?
        } else if let Ok(view) = owner.cast::<PyMemoryView>() {
            view.getattr(intern!(py, "obj"))?
        } else {
            // Owners such as the buffers of Arrow and Ray: what they lend for reading they lend to nobody for
            // writing.
            return Ok(!owner.is_none() && PyMemoryView::from(&owner).is_ok_and(|view| is_read_only(&view)));
        };
        if owner.is_none() {
            return Ok(false);
        }
    }
}

fn is_read_only(view: &Bound<'_, PyMemoryView>) -> bool {
    view.getattr("readonly").and_then(|flag| flag.extract()).unwrap_or(false)
}
