//! Arrays that are computed from nothing: zeros, constants, counters and random integers. They have the same
//! integers on the host and on every GPU.

use limbforge::num_bigint::BigInt;
use limbforge::prelude::{Fill, IntType, Layout};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::array::{IntArray, room};
use crate::device::DeviceArray;
use crate::dtype;
use crate::engine::engine_of;
use crate::errors::{of_engine, value_error};
use crate::operand::operand;
use crate::run;

/// The array of `count` integers from number `first` on, on the host or on the first GPU of an engine.
fn born<'py>(
    py: Python<'py>,
    fill: Fill,
    ty: IntType,
    (first, count): (u64, usize),
    device: Option<&Bound<'py, PyAny>>,
) -> PyResult<Py<PyAny>> {
    let Some(end) = first.checked_add(count as u64) else {
        let text = format!("first {first} and count {count}: expected less than 2^64 together");
        return Err(PyOverflowError::new_err(text));
    };
    let layout = Layout::InstanceMajor;
    let Some(device) = device else {
        // An allocation that fails would end the process.
        let words = count.saturating_mul(ty.limbs::<u64>());
        drop(room(words)?);
        let make = move || fill.batch(ty, layout, first..end);
        let batch =
            if words <= run::TILE { run::at_once(py, make)? } else { run::wait(py, move |_| make())? };
        let batch = batch.map_err(|error| of_engine(&error.into()))?;
        return Ok(Py::new(py, IntArray::new(batch))?.into_any());
    };
    let engine = engine_of(py, Some(device))?;
    let (core, is_gpu) = engine.get().core_for(usize::MAX)?;
    if !is_gpu {
        drop(room(count.saturating_mul(ty.limbs::<u64>()))?);
    }
    let batch = run::wait(py, move |_| core.fill::<u64>(&fill, ty, layout, first..end))?;
    let array = DeviceArray::new(batch.map_err(|error| of_engine(&error))?, engine.unbind());
    Ok(Py::new(py, array)?.into_any())
}

/// An int of the type.
fn number(value: &Bound<'_, PyAny>, ty: IntType) -> PyResult<BigInt> {
    let one = operand(value, ty)?;
    match &*one.to_bigints() {
        [number] => Ok(number.clone()),
        several => {
            let found = several.len();
            Err(PyValueError::new_err(format!("expected an int, found an array of {found} integers")))
        }
    }
}

/// ``count`` zeros: on the host, or a ``DeviceArray`` where the engine ``device`` computes.
///
/// >>> import limbforge as lf
/// >>> lf.zeros(3, "u2048")
/// IntArray([0, 0, 0], 'u2048')
/// >>> lf.zeros(3, "u2048", device="cpu")
/// DeviceArray(3 integers of u2048 on CPU)
#[pyfunction]
#[pyo3(signature = (count, /, dtype, *, device=None))]
pub(crate) fn zeros<'py>(
    py: Python<'py>,
    count: usize,
    dtype: &Bound<'py, PyAny>,
    device: Option<&Bound<'py, PyAny>>,
) -> PyResult<Py<PyAny>> {
    born(py, Fill::ZERO, dtype::dtype(dtype)?, (0, count), device)
}

/// ``count`` times one integer: on the host, or where the engine ``device`` computes.
///
/// >>> import limbforge as lf
/// >>> lf.constant(2, -(2**100), "i128").tolist() == [-(2**100)] * 2
/// True
#[pyfunction]
#[pyo3(signature = (count, value, /, dtype, *, device=None))]
pub(crate) fn constant<'py>(
    py: Python<'py>,
    count: usize,
    value: &Bound<'py, PyAny>,
    dtype: &Bound<'py, PyAny>,
    device: Option<&Bound<'py, PyAny>>,
) -> PyResult<Py<PyAny>> {
    let ty = dtype::dtype(dtype)?;
    born(py, Fill::Constant(number(value, ty)?), ty, (0, count), device)
}

/// The integers ``start + i * step`` modulo 2^bits for i from 0 to ``count - 1``, as the candidates of a
/// search: on the host, or where the engine ``device`` computes. ``start`` is of the type, ``step`` is any
/// int.
///
/// >>> import limbforge as lf
/// >>> odd = lf.counter(50, "u256", start=1, step=2)
/// >>> odd[lf.is_prime(odd)][-3:].tolist()
/// [83, 89, 97]
#[pyfunction]
#[pyo3(signature = (count, /, dtype, *, start=None, step=None, device=None))]
pub(crate) fn counter<'py>(
    py: Python<'py>,
    count: usize,
    dtype: &Bound<'py, PyAny>,
    start: Option<&Bound<'py, PyAny>>,
    step: Option<&Bound<'py, PyAny>>,
    device: Option<&Bound<'py, PyAny>>,
) -> PyResult<Py<PyAny>> {
    let ty = dtype::dtype(dtype)?;
    let start = start.map_or(Ok(BigInt::ZERO), |start| number(start, ty))?;
    let step = step.map_or(Ok(BigInt::from(1)), |step| residue(step, ty))?;
    born(py, Fill::counter(start, step), ty, (0, count), device)
}

/// An int modulo 2^bits.
fn residue(value: &Bound<'_, PyAny>, ty: IntType) -> PyResult<BigInt> {
    let unsigned = IntType::unsigned(ty.bits().into()).map_err(value_error)?;
    let modulus = 1_i32.into_pyobject(value.py())?.into_any().lshift(ty.bits())?;
    let index = value.call_method0("__index__").map_err(|error| match value.hasattr("__index__") {
        Ok(true) => error,
        _ => {
            let found = value.get_type();
            PyTypeError::new_err(format!("step: expected an int, found {found}"))
        }
    })?;
    number(&index.rem(modulus)?, unsigned)
}

/// ``count`` uniform random integers of all of the type: on the host, or where the engine ``device``
/// computes.
///
/// An integer depends on ``seed`` (below 2^64), ``stream`` (below 2^32, independent of each other) and its
/// number alone, which counts from ``first``: every device has the same integers, and parts are equal to the
/// whole. Without a seed the system's entropy gives one. They are not for secrets.
///
/// Source: Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (2011), Philox4x32-10.
///
/// >>> import limbforge as lf
/// >>> a = lf.random(1000, "u100", seed=42)
/// >>> lf.random(200, "u100", seed=42, first=400, device="cpu").to_host().equals(a[400:600])
/// True
#[pyfunction]
#[pyo3(signature = (count, /, dtype, *, seed=None, stream=0, first=0, device=None))]
pub(crate) fn random<'py>(
    py: Python<'py>,
    count: usize,
    dtype: &Bound<'py, PyAny>,
    seed: Option<u64>,
    stream: u32,
    first: u64,
    device: Option<&Bound<'py, PyAny>>,
) -> PyResult<Py<PyAny>> {
    let seed = match seed {
        Some(seed) => seed,
        None => py.import("secrets")?.call_method1("randbits", (64,))?.extract()?,
    };
    born(py, Fill::Random { seed, stream }, dtype::dtype(dtype)?, (first, count), device)
}
