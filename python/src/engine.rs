//! Engines: where arrays are evaluated.

mod current;
mod evaluate;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use limbforge::Engine as Core;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pub(crate) use self::current::*;
use self::evaluate::Key;
pub(crate) use self::evaluate::preparation;
use crate::errors::{DeviceError, of_engine};
use crate::run::{self, Entry};

/// Words of operands up to which the CPU takes less time than a launch.
const SMALL: usize = 4096;
/// Where arrays are evaluated: ``"auto"`` is all GPUs, or the CPU if there is none; ``"cpu"`` is all cores of
/// the CPU; ``"cuda:1"`` is GPU 1, ``"cuda:0,2"`` are two GPUs that share every array, ``"cuda:all"`` all
/// GPUs.
///
/// ``device_memory`` limits the bytes that an evaluation takes on each GPU.
///
/// An engine of ``"auto"`` evaluates small arrays on the CPU, as that takes less time than to reach a GPU,
/// and what a GPU refuses. Engines keep compiled kernels; threads may share them. A forked child cannot use
/// its parent's GPUs: ``"auto"`` computes on the CPU there, an engine that names a GPU is an error.
///
/// >>> import limbforge as lf
/// >>> engine = lf.Engine("cpu")
/// >>> engine.device_name
/// 'CPU'
/// >>> with lf.use(engine):
/// ...     (lf.array([3], "u256") * 5).tolist()
/// [15]
#[pyclass(frozen, module = "limbforge")]
pub(crate) struct Engine {
    name: String,
    device_memory: Option<u64>,
    pub(crate) core: Core,
    is_gpu: bool,
    /// The process that has opened it.
    process: u32,
    /// Locked only while the interpreter is held, so that no child of `fork` finds it locked.
    entries: Mutex<HashMap<Key, Arc<Entry>>>,
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (device="auto", *, device_memory=None))]
    fn new(py: Python<'_>, device: &str, device_memory: Option<u64>) -> PyResult<Self> {
        let name = device.to_owned();
        let core = run::at_once(py, || open(device))??;
        let core = match device_memory {
            Some(bytes) => core.with_device_memory(bytes),
            None => core,
        };
        let is_gpu = core.device_name() != Core::cpu().device_name();
        Ok(Self { name, device_memory, core, is_gpu, process: std::process::id(), entries: Mutex::default() })
    }

    /// The device's name: ``CPU``, or as the driver calls the GPU, or ``2 x`` that name.
    #[getter]
    fn device_name(&self) -> &str {
        self.core.device_name()
    }

    /// The reason why an engine of ``"auto"`` computes on the CPU, or why one of several GPUs has left; else
    /// None.
    #[getter]
    fn fallback(&self) -> Option<String> {
        self.core.fallback().map(|why| why.to_string())
    }

    /// The number of programs that it keeps prepared.
    fn _prepared(&self) -> usize {
        self.prepared()
    }

    fn __repr__(&self) -> String {
        format!("Engine('{}': {})", self.name, self.core.device_name())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let engine = py.get_type::<Self>();
        let kwargs = pyo3::types::PyDict::new(py);
        kwargs.set_item("device_memory", self.device_memory)?;
        let partial = py.import("functools")?.getattr("partial")?.call((engine,), Some(&kwargs))?;
        Ok((partial, (self.name.clone(),)).into_pyobject(py)?.into_any())
    }
}

fn open(device: &str) -> PyResult<Core> {
    let unknown = || {
        PyValueError::new_err(format!(
            "device: expected 'auto', 'cpu', 'cuda:1', 'cuda:0,2' or 'cuda:all', found '{device}'"
        ))
    };
    let opened = match device {
        "auto" => return Ok(Core::auto()),
        "cpu" => return Ok(Core::cpu()),
        "cuda:all" => Core::all_gpus(),
        _ => {
            let numbers = device.strip_prefix("cuda:").ok_or_else(unknown)?;
            let numbers: Result<Vec<usize>, _> = numbers.split(',').map(str::parse).collect();
            Core::gpus(&numbers.map_err(|_| unknown())?)
        }
    };
    opened.map_err(|error| of_engine(&error))
}

impl Engine {
    /// The core engine for operands of this many words, and whether it is on a GPU.
    pub(crate) fn core_for(&self, words: usize) -> PyResult<(Core, bool)> {
        let is_auto = self.name == "auto";
        if !self.is_gpu || words == 0 || is_auto && words <= SMALL {
            return Ok((Core::cpu(), false));
        }
        if self.process == std::process::id() {
            return Ok((self.core.clone(), true));
        }
        if is_auto {
            return Ok((Core::cpu(), false));
        }
        Err(DeviceError::new_err(format!(
            "Engine('{}') was opened by the parent of this forked process, whose GPU it cannot use: start processes \
             with multiprocessing's method 'spawn', or use Engine('cpu')",
            self.name
        )))
    }
}
