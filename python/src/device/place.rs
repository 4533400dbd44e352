//! Arrays to where an engine computes, and back.

use limbforge::prelude::{Batch, DeviceBatch};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::DeviceArray;
use crate::array::{IntArray, booleans};
use crate::engine::{Engine, engine_of};
use crate::errors::of_engine;
use crate::run;

#[pymethods]
impl Engine {
    /// As ``lf.device(array, engine)``: the array in the memory of this engine's first GPU, or where it is
    /// for an engine on the CPU.
    ///
    /// >>> import limbforge as lf
    /// >>> lf.Engine("cpu").upload(lf.array([5], "u64"))
    /// DeviceArray(1 integers of u64 on CPU)
    #[pyo3(signature = (array, /))]
    fn upload(slf: Bound<'_, Self>, array: &Bound<'_, IntArray>) -> PyResult<DeviceArray> {
        let batch = slf.get().uploaded(slf.py(), array.get().0.clone())?;
        Ok(DeviceArray::new(batch, slf.unbind()))
    }
}

impl Engine {
    pub(super) fn uploaded(&self, py: Python<'_>, batch: Batch<u64>) -> PyResult<DeviceBatch<u64>> {
        let (core, _) = self.core_for(usize::MAX)?;
        run::at_once(py, move || core.upload(&batch))?.map_err(|error| of_engine(&error))
    }
}

/// The array where an engine computes: an ``IntArray``, or a ``DeviceArray`` of another engine, on its first
/// GPU. ``engine`` is an ``Engine`` or its name, such as ``"cuda:0"``; else the current one.
///
/// >>> import limbforge as lf
/// >>> x = lf.device(lf.array([3, 5], "u1024"))
/// >>> (pow(x, 1000, 10**9 + 7) + 1).to_host().tolist()
/// [56888194, 169547126]
#[pyfunction]
#[pyo3(signature = (array, /, engine=None))]
pub(crate) fn device<'py>(
    array: &Bound<'py, PyAny>,
    engine: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, DeviceArray>> {
    let py = array.py();
    let host = match array.cast::<DeviceArray>() {
        Ok(resident) => {
            let own = resident.get();
            if engine.is_none() || engine_of(py, engine)?.is(&own.engine) {
                return Ok(resident.clone());
            }
            own.download(py)?.0
        }
        Err(_) => match array.cast::<IntArray>() {
            Ok(array) => array.get().0.clone(),
            Err(_) => {
                let found = array.get_type();
                return Err(PyTypeError::new_err(format!(
                    "expected an IntArray or a DeviceArray, found {found}: lf.array takes ints, lf.from_dlpack words"
                )));
            }
        },
    };
    let engine = engine_of(py, engine)?;
    Bound::new(py, DeviceArray::new(engine.get().uploaded(py, host)?, engine.unbind()))
}

impl DeviceArray {
    /// The integers, 0 for instances without a result, and these instances.
    pub(super) fn downloaded(&self, py: Python<'_>) -> PyResult<(IntArray, Vec<usize>)> {
        let batch = self.batch.clone();
        let found = run::wait(py, move |_| batch.download_checked())?.map_err(|error| of_engine(&error))?;
        Ok((IntArray::new(found.0), found.1))
    }
}

#[pymethods]
impl DeviceArray {
    /// Waits until the integers are computed. Raises ``lf.DeviceError`` for a failure of what was started
    /// before.
    ///
    /// >>> import limbforge as lf
    /// >>> lf.zeros(5, "u64", device="cpu").wait()
    fn wait(&self, py: Python<'_>) -> PyResult<()> {
        let batch = self.batch.clone();
        run::wait(py, move |_| batch.wait())?.map_err(|error| of_engine(&error))
    }

    /// As ``to_host()``.
    fn download(&self, py: Python<'_>) -> PyResult<IntArray> {
        let (values, failed) = self.downloaded(py)?;
        let Some(first) = failed.first() else { return Ok(values) };
        let count = failed.len();
        Err(PyValueError::new_err(format!(
            "instance {first} has no result, the first of {count}: .failed() lists them, .to_host(mask=True) returns the others"
        )))
    }

    /// The integers as an ``IntArray``, after a wait for what computes them. Raises ``ValueError`` if an
    /// instance has no result; with ``mask=True`` the result is the array, 0 for such instances, and a mask
    /// that is true for the others.
    ///
    /// >>> import limbforge as lf
    /// >>> x = lf.device(lf.array([7, 8, 9], "u64"), "cpu")
    /// >>> values, ok = (1000 // (x - 8)).to_host(mask=True)
    /// >>> ok.tolist(), values[2]
    /// ([True, False, True], 1000)
    #[pyo3(signature = (*, mask=false))]
    fn to_host(&self, py: Python<'_>, mask: bool) -> PyResult<Py<PyAny>> {
        if !mask {
            return Ok(Py::new(py, self.download(py)?)?.into_any());
        }
        let (values, failed) = self.downloaded(py)?;
        let mut ok = vec![1; self.batch.instances()];
        failed.into_iter().for_each(|instance| ok[instance] = 0);
        Ok((Py::new(py, values)?, booleans(py, &ok)?).into_pyobject(py)?.into_any().unbind())
    }

    /// The instances without a result, in order, after a wait for what computes them.
    fn failed(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        let batch = self.batch.clone();
        run::wait(py, move |_| batch.failed())?.map_err(|error| of_engine(&error))
    }
}
