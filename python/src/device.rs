//! Arrays that stay where an engine computes.

mod interface;
mod operators;
mod place;

pub(crate) use self::interface::{borrowed, rows, scattered};
pub(crate) use self::place::device;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use limbforge::prelude::{DeviceBatch, IntType};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::array::IntArray;
use crate::engine::{Engine, preparation};
use crate::errors::of_engine;
use crate::operand::operand;
use crate::program::Program;
use crate::run;

/// N integers of one type in the memory of an engine's GPU, as from ``engine.upload``; in that of the machine
/// for an engine on the CPU. Operators and ``lf.eval`` compute with such arrays and ints, and their results
/// stay there.
///
/// Evaluations are started and not waited for. An instance without a result has none in all that is computed
/// from it; ``to_host`` raises then, and ``failed`` lists such instances. CuPy, PyTorch and Numba read the
/// limbs of an array on a GPU in place, by DLPack and ``__cuda_array_interface__``: an (N, M) matrix of
/// uint64.
///
/// >>> import limbforge as lf
/// >>> x = lf.Engine("cpu").upload(lf.array([2, 3], "u1024"))
/// >>> for _ in range(3):
/// ...     x = lf.eval("x*x % n", x=x, n=1009)
/// >>> x.to_host().tolist()
/// [256, 507]
#[pyclass(frozen, weakref, module = "limbforge")]
pub(crate) struct DeviceArray {
    pub(crate) batch: DeviceBatch<u64>,
    engine: Py<Engine>,
    /// Somebody else may read the memory on the GPU.
    is_lent: AtomicBool,
}

impl DeviceArray {
    pub(crate) fn new(batch: DeviceBatch<u64>, engine: Py<Engine>) -> Self {
        Self { batch, engine, is_lent: AtomicBool::new(false) }
    }
}

impl Engine {
    /// The values of each expression over resident operands in the program's order, on this engine.
    fn run_resident(
        &self,
        py: Python<'_>,
        program: &Arc<Program>,
        ty: IntType,
        operands: Vec<DeviceBatch<u64>>,
    ) -> PyResult<Vec<DeviceBatch<u64>>> {
        let ones: Vec<usize> = operands.iter().map(DeviceBatch::instances).collect();
        let instances = program.instances(&ones)?;
        let (core, is_gpu) = self.core_for(usize::MAX)?;
        let (key, known) = self.known(program, ty, &ones, instances, is_gpu);
        let is_known = known.is_some();
        let prepare = preparation(core, program, ty, &ones, instances, known);
        let work = move || {
            let entry = prepare()?;
            let found = entry.run(&operands)?;
            Ok((entry, found))
        };
        let done = if is_known && is_gpu { run::at_once(py, work)? } else { run::wait(py, move |_| work())? };
        let (entry, found) = done.map_err(|error| of_engine(&error))?;
        if !is_known {
            self.keep(key, entry);
        }
        Ok(found)
    }
}

/// The values of each expression of a program whose operands are resident arrays and ints; none if there is
/// no resident array.
pub(crate) fn eval(
    py: Python<'_>,
    program: &Arc<Program>,
    given: &[(String, Bound<'_, PyAny>)],
) -> PyResult<Option<Vec<DeviceArray>>> {
    let Some(first) = given.iter().find_map(|(_, value)| value.cast::<DeviceArray>().ok()) else {
        return Ok(None);
    };
    let (ty, engine) = (first.get().batch.ty(), first.get().engine.bind(py).get());
    let operand = |value: &Bound<'_, PyAny>| match value.cast::<DeviceArray>() {
        Ok(array) if array.get().batch.ty() == ty => Ok(array.get().batch.clone()),
        Ok(array) => {
            let found = array.get().batch.ty();
            Err(PyTypeError::new_err(format!("operands of the types {ty} and {found}: expected one type")))
        }
        Err(_) if value.cast::<IntArray>().is_ok() => Err(PyTypeError::new_err(
            "an IntArray beside a DeviceArray: engine.upload(array) takes it to the engine",
        )),
        Err(_) => engine.uploaded(py, operand(value, ty)?),
    };
    let named: Vec<(&str, &Bound<'_, PyAny>)> =
        given.iter().map(|(name, value)| (name.as_str(), value)).collect();
    let operands =
        program.bind(&named)?.into_iter().map(|value| operand(value)).collect::<PyResult<Vec<_>>>()?;
    let found = engine.run_resident(py, program, ty, operands)?.into_iter();
    Ok(Some(found.map(|batch| DeviceArray::new(batch, first.get().engine.clone_ref(py))).collect()))
}

#[pymethods]
impl DeviceArray {
    /// NumPy's operators leave arrays to the operators of this class.
    #[classattr]
    fn __array_ufunc__(py: Python<'_>) -> Py<PyAny> {
        py.None()
    }

    /// The type of the integers.
    #[getter]
    fn dtype(&self) -> crate::dtype::IntType {
        crate::dtype::IntType(self.batch.ty())
    }

    /// ``(N,)``.
    #[getter]
    fn shape(&self) -> (usize,) {
        (self.batch.instances(),)
    }

    /// Where it lies: ``CPU``, or a GPU with its number and name.
    #[getter]
    fn device_name(&self) -> String {
        self.batch.device_name()
    }

    fn __len__(&self) -> usize {
        self.batch.instances()
    }

    /// The engine on which it is evaluated.
    #[getter]
    fn engine(&self, py: Python<'_>) -> Py<Engine> {
        self.engine.clone_ref(py)
    }

    fn __repr__(&self) -> String {
        format!(
            "DeviceArray({} integers of {} on {})",
            self.batch.instances(),
            self.batch.ty(),
            self.batch.device_name()
        )
    }
}
