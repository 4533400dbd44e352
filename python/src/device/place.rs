//! Arrays to where an engine computes.

use limbforge::prelude::{Batch, DeviceBatch};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::DeviceArray;
use crate::array::IntArray;
use crate::engine::{Engine, engine_of};
use crate::errors::of_engine;
use crate::run;

#[pymethods]
impl Engine {
    /// As ``lf.device(array, engine)``: the array in the memory of this engine's first GPU, or where it is for an
    /// engine on the CPU.
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

/// The array where an engine computes: an ``IntArray``, or a ``DeviceArray`` of another engine, on its first GPU.
/// ``engine`` is an ``Engine`` or its name, such as ``"cuda:0"``; else the current one.
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
