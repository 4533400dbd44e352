//! Arrays of integers, words, bytes and digits.

use limbforge::prelude::{Batch, IntType, Layout};
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyBufferError, PyOverflowError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use super::{IntArray, memory};
use crate::dtype;
use crate::errors::of_batch;
use crate::ints::Ints;
use crate::looks::Looks;

pub(super) fn made(ty: IntType, limbs: Vec<u64>) -> PyResult<IntArray> {
    Batch::from_limbs(ty, Layout::InstanceMajor, limbs).map(IntArray).map_err(|error| of_batch(&error))
}

/// The array of an iterable of integers: ints, or any objects with ``__index__`` such as ``gmpy2.mpz``.
///
/// Raises ``OverflowError`` for the first integer that is not of the type.
///
/// >>> import limbforge as lf
/// >>> lf.array([1, 2**2047], "u2048")
/// IntArray([1, 0x80000000...00000000], 'u2048')
/// >>> lf.array(range(3), "i64").tolist()
/// [0, 1, 2]
/// >>> lf.array([0, 256], "u8")
/// Traceback (most recent call last):
/// OverflowError: instance 1: the number does not fit u8: it needs 9 bits; expected 0 to 2^8 - 1
#[pyfunction]
#[pyo3(signature = (values, /, dtype))]
pub(crate) fn array(values: &Bound<'_, PyAny>, dtype: &Bound<'_, PyAny>) -> PyResult<IntArray> {
    let (py, ty) = (values.py(), dtype::dtype(dtype)?);
    if let Ok(array) = values.cast::<IntArray>() {
        return array.get().resized(py, ty, false);
    }
    let list = list_of(values)?;
    let (ints, m, n) = (Ints::get(py), ty.limbs::<u64>(), list.len());
    let (mut limbs, mut looks) = (memory::zeros(n.saturating_mul(m))?, Looks::default());

    for (i, out) in limbs.chunks_exact_mut(m).enumerate() {
        looks.after(py, m)?;
        // The code of an `__index__` may change the list.

        let value = list.get_item(i).map_err(|_| changed(n, list.len()))?;
        match ints.read(&value, ty, out).map_err(|error| named(py, &error, i))? {
            Ok(()) => {}
            Err(error) => return Err(PyOverflowError::new_err(format!("instance {i}: {error}"))),
        }
    }
    if list.len() == n { made(ty, limbs) } else { Err(changed(n, list.len())) }
}

fn changed(expected: usize, found: usize) -> PyErr {
    PyRuntimeError::new_err(format!(
        "the list had {expected} integers and has {found}: it changed while it was read"
    ))
}

/// A `TypeError` with the instance before its text; other errors as they are.
fn named(py: Python<'_>, error: &PyErr, instance: usize) -> PyErr {
    if !error.get_type(py).is(py.get_type::<PyTypeError>()) {
        return error.clone_ref(py);
    }
    PyTypeError::new_err(format!("instance {instance}: {}", error.value(py)))
}

fn list_of<'py>(values: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    if let Ok(list) = values.cast::<PyList>() {
        return Ok(list.clone());
    }
    // The integers of a NumPy array, all at once.
    if let Ok(dimensions) = values.getattr("ndim").and_then(|ndim| ndim.extract::<usize>()) {
        if dimensions != 1 {
            let shape = values.getattr("shape")?;
            return Err(PyValueError::new_err(format!(
                "expected a one-dimensional array, found shape {shape}: lf.from_limbs takes (N, M) words"
            )));
        }
        return Ok(values.call_method0("tolist")?.cast_into()?);
    }
    if values.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(
            "expected an iterable of ints, found a text: lf.from_hex reads digits",
        ));
    }
    Ok(values.py().get_type::<PyList>().call1((values,))?.cast_into()?)
}

/// The array of ``(N, M)`` words of 64 bits, least significant first, in two's complement for a signed type.
///
/// ``words`` is any object with a C-contiguous buffer of uint64, as a NumPy array. The array shares its
/// memory if nobody can write to it (as the views of ``lf.limbs``), else it is a copy.
///
/// >>> import limbforge as lf, numpy as np
/// >>> lf.from_limbs(np.array([[1, 0], [0, 1]], dtype=np.uint64), "u128").tolist() == [1, 2**64]
/// True
#[pyfunction]
#[pyo3(signature = (words, /, dtype))]
pub(crate) fn from_limbs(words: &Bound<'_, PyAny>, dtype: &Bound<'_, PyAny>) -> PyResult<IntArray> {
    let (py, ty) = (words.py(), dtype::dtype(dtype)?);
    let m = ty.limbs::<u64>();
    let raw = PyUntypedBuffer::get(words)?;
    let (shape, format) = (raw.shape().to_vec(), raw.format().to_string_lossy().into_owned());
    let (is_contiguous, size) = (raw.is_c_contiguous(), raw.item_size());
    raw.release(py);
    if size != 8 || !matches!(&*format, "Q" | "L" | "<Q" | "<L" | "=Q" | "=L" | "@Q" | "@L") {
        return Err(PyTypeError::new_err(format!(
            "expected words of uint64, found the format '{format}': use .astype('uint64')"
        )));
    }
    if !is_contiguous {
        return Err(PyBufferError::new_err("expected C-contiguous words: use numpy.ascontiguousarray"));
    }
    if !matches!(*shape, [_, columns] if columns == m) {
        let found = format!("expected words of shape (N, {m}) for {ty}, found {}", shown(&shape));
        return Err(PyValueError::new_err(found));
    }
    memory::batch_of(ty, words).map(IntArray)
}

fn shown(shape: &[usize]) -> String {
    let comma = if shape.len() == 1 { "," } else { "" };
    format!("({}{comma})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", "))
}
