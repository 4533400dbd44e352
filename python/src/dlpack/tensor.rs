//! Tensors of others, and what must hold of them.

use std::ptr::NonNull;

use limbforge::prelude::IntType;
use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::{Managed, SIGNED, Tensor, UNSIGNED, Unversioned, Versioned, delete, taken};
use crate::device::{rows, scattered};
use crate::errors::value_error;

/// A tensor of somebody else, which is deleted when it is dropped.
pub(super) enum Lent {
    Versioned(NonNull<Versioned>),
    Unversioned(NonNull<Unversioned>),
}

// SAFETY: deleters may be called on any thread, by the protocol; the tensor is only read.
unsafe impl Send for Lent {}
// SAFETY: as above.
unsafe impl Sync for Lent {}

impl Drop for Lent {
    fn drop(&mut self) {
        // SAFETY: taken from its capsule, and deleted once.
        unsafe {
            match self {
                Self::Versioned(managed) => delete(managed.as_ptr()),
                Self::Unversioned(managed) => delete(managed.as_ptr()),
            }
        }
    }
}

impl Lent {
    /// The tensor of a capsule.
    pub(super) fn new(capsule: &Bound<'_, PyAny>) -> PyResult<Self> {
        let versioned = taken(capsule).map(Self::Versioned);
        let found = versioned.or_else(|| taken(capsule).map(Self::Unversioned));
        let found = found.ok_or_else(|| {
            PyTypeError::new_err(format!("__dlpack__ returned {capsule}: expected a capsule of a tensor"))
        })?;
        if let Self::Versioned(managed) = &found {
            // SAFETY: the tensor is alive, and its version comes first in every version.
            let major = unsafe { managed.as_ref().major };
            if major != 1 {
                return Err(PyBufferError::new_err(format!("DLPack {major}: expected version 1")));
            }
        }
        Ok(found)
    }

    pub(super) fn tensor(&mut self) -> &Tensor {
        // SAFETY: the tensor is alive until it is deleted, and only we have it.
        unsafe {
            match self {
                Self::Versioned(managed) => managed.as_mut().parts().0,
                Self::Unversioned(managed) => managed.as_mut().parts().0,
            }
        }
    }
}

/// The parts of a tensor that were looked at.
pub(super) struct Matrix {
    pub(super) ty: IntType,
    pub(super) rows: usize,
    pub(super) first: *const u8,
    /// The number of the device.
    pub(super) number: usize,
}

/// The matrix of a tensor, of the type or of the unsigned type that fills its columns.
pub(super) fn matrix(tensor: &Tensor, ty: Option<IntType>) -> PyResult<Matrix> {
    let dimensions = usize::try_from(tensor.ndim).unwrap_or(0);
    let shape: &[i64] = match dimensions {
        0 => &[],
        // SAFETY: a tensor has a length for each dimension.
        _ => unsafe { std::slice::from_raw_parts(tensor.shape, dimensions) },
    };
    let lengths: Vec<usize> = shape.iter().map(|&length| usize::try_from(length).unwrap_or(0)).collect();
    let (code, bits, lanes) = (tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes);
    let is_integer = [SIGNED, UNSIGNED].contains(&code) && lanes == 1 && bits.is_multiple_of(8);
    let bytes = is_integer.then_some(usize::from(bits / 8));
    let kind = match (code, lanes) {
        (SIGNED, 1) => format!("int{bits}"),
        (UNSIGNED, 1) => format!("uint{bits}"),
        _ => format!("elements of code {code}, {bits} bits and {lanes} lanes"),
    };
    let row = match (&*lengths, bytes) {
        (&[_, columns], Some(bytes)) => columns.checked_mul(bytes).filter(|row| row.is_multiple_of(8)),
        _ => None,
    };
    let own = || {
        let row = row.ok_or_else(|| {
            let text = format!("expected words of uint64 and shape (N, M), found {kind} and {shape:?}");
            PyValueError::new_err(text)
        })?;
        IntType::unsigned((row as u64).saturating_mul(8)).map_err(value_error)
    };
    let ty = ty.map_or_else(own, Ok)?;
    let rows = rows(ty, &lengths, bytes, &kind)?;
    // SAFETY: the strides are null, or one for each dimension.
    let strides =
        (!tensor.strides.is_null()).then(|| unsafe { std::slice::from_raw_parts(tensor.strides, 2) });
    // The stride of a dimension with one element, or of none, tells nothing.
    let is_dense = |strides: &[i64]| {
        rows == 0 || (strides[1] == 1 || shape[1] == 1) && (strides[0] == shape[1] || rows == 1)
    };
    if !strides.is_none_or(is_dense) {
        return Err(scattered());
    }
    let first = tensor.data.cast::<u8>().cast_const().wrapping_add(tensor.byte_offset as usize);
    Ok(Matrix { ty, rows, first, number: usize::try_from(tensor.device.number).unwrap_or(0) })
}
