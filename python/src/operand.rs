//! Operands: arrays, and ints that stand for one integer for all instances.

use std::cmp::Ordering;

use limbforge::prelude::{Batch, IntType, Layout};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyTuple};

use crate::array::IntArray;
use crate::errors::of_batch;
use crate::ints::Ints;

/// An operand of a comparison.
pub(crate) enum Operand {
    Batch(Batch<u64>),
    /// An int that is not of the type: less or greater than all integers of it.
    Beyond(Ordering),
}

/// An array, or an int as one integer of the type.
///
/// # Errors
/// `OverflowError` for an int that is not of the type, `TypeError` for any other object.
pub(crate) fn operand(value: &Bound<'_, PyAny>, ty: IntType) -> PyResult<Batch<u64>> {
    match operand_or_range(value, ty)? {
        Some(Operand::Batch(batch)) => Ok(batch),
        Some(Operand::Beyond(_)) => Err(PyOverflowError::new_err(format!(
            "the int does not fit {ty}: expected {} to {}; convert the arrays to a wider type with .astype",
            ty.min_text(),
            ty.max_text()
        ))),
        None => {
            let found = value.get_type();
            Err(PyTypeError::new_err(format!("expected an IntArray or an int as operand, found {found}")))
        }
    }
}

/// The int of an object with `__index__`.
pub(crate) fn index<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if value.is_instance_of::<PyInt>() {
        return Ok(value.clone());
    }
    value.call_method0(intern!(value.py(), "__index__"))
}

/// As [`operand`], for operators: none for objects whose own operators may know what to do.
pub(crate) fn operand_or_range(value: &Bound<'_, PyAny>, ty: IntType) -> PyResult<Option<Operand>> {
    if let Ok(array) = value.cast::<IntArray>() {
        return Ok(Some(Operand::Batch(array.get().0.clone())));
    }
    let py = value.py();
    if is_collection(value)? {
        let found = value.get_type();
        return Err(PyTypeError::new_err(format!(
            "expected an IntArray or an int as operand, found {found}: lf.array(values, '{ty}') makes an array"
        )));
    }
    if !value.hasattr(intern!(py, "__index__"))? {
        return Ok(None);
    }
    let mut limbs = vec![0; ty.limbs::<u64>()];
    Ok(Some(match Ints::get(py).read(value, ty, &mut limbs)? {
        Ok(()) => {
            let batch = Batch::from_limbs(ty, Layout::InstanceMajor, limbs);
            Operand::Batch(batch.map_err(|error| of_batch(&error))?)
        }
        Err(_) if index(value)?.lt(0)? => Operand::Beyond(Ordering::Less),
        Err(_) => Operand::Beyond(Ordering::Greater),
    }))
}

/// Whether it holds several numbers, as a list or NumPy's arrays; NumPy's scalars are numbers.
fn is_collection(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        return Ok(true);
    }
    let Ok(dimensions) = value.getattr(intern!(value.py(), "ndim")) else { return Ok(false) };
    Ok(dimensions.extract::<usize>().is_ok_and(|dimensions| dimensions > 0))
}

/// The type of the first array among operands.
pub(crate) fn type_of(operands: &[&Bound<'_, PyAny>]) -> PyResult<IntType> {
    let array = operands.iter().find_map(|operand| operand.cast::<IntArray>().ok());
    array.map(|array| array.get().0.ty()).ok_or_else(|| {
        PyTypeError::new_err(
            "expected at least one IntArray among the operands: it sets the type of the ints",
        )
    })
}

/// The error of two batches that are no operands of one operation.
pub(crate) fn mismatch(a: &Batch<u64>, b: &Batch<u64>) -> Option<PyErr> {
    if a.ty() != b.ty() {
        let (a, b) = (a.ty(), b.ty());
        return Some(PyTypeError::new_err(format!(
            "the operands have the types {a} and {b}: expected one type; .astype('{a}') converts"
        )));
    }
    let (n, k) = (a.instances(), b.instances());
    (n != k && n != 1 && k != 1).then(|| {
        PyValueError::new_err(format!(
            "the operands have the shapes ({n},) and ({k},): expected equal ones, or one integer"
        ))
    })
}
