//! Residues that stay where an engine computes: for chains of transforms, products and polynomials.

mod arithmetic;
mod poly;

use limbforge::algos::transform::ntt::{Direction, NttPlan, Wrap};
use limbforge::{DeviceResidues as Core, Engine as CoreEngine, EngineError};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

use crate::engine::{Engine, engine_of};
use crate::errors::{of_engine, value_error};
use crate::field::Field;
use crate::run;

/// Residues of a prime field in the memory of an engine's GPU, as from ``lf.residues``; in that of the
/// machine for an engine on the CPU. They have a shape, as NumPy's arrays.
///
/// ``+``, ``-`` and ``*`` compute modulo p, value by value; ints, and operands of the last dimensions, are
/// repeated. ``lf.ntt``, ``lf.intt`` and the functions of ``lf.poly`` take such residues, too, with
/// polynomials along the last axis. Results stay there; computations are started and not waited for.
///
/// >>> import limbforge as lf
/// >>> field = lf.Field(998244353)
/// >>> x, y = (lf.ntt(field, lf.residues(field, v)) for v in ([1, 2, 0, 0], [3, 1, 0, 0]))
/// >>> lf.intt(field, x * y).to_host().tolist()  # (1 + 2x)(3 + x)
/// [3, 7, 2, 0]
#[pyclass(frozen, weakref, module = "limbforge")]
pub(crate) struct DeviceResidues {
    core: Core,
    shape: Vec<usize>,
    field: Py<Field>,
    engine: Py<Engine>,
}

impl DeviceResidues {
    /// The last dimension, and how many rows of it there are.
    fn rows(&self) -> (usize, usize) {
        let last = self.shape.last().copied().unwrap_or(1);
        (last, self.shape.iter().rev().skip(1).product())
    }

    /// What an engine computes of these residues.
    fn computed<T: Send>(
        &self,
        py: Python<'_>,
        compute: impl FnOnce(&CoreEngine) -> Result<T, EngineError> + Send,
    ) -> PyResult<T> {
        let (core, _) = self.engine.get().core_for(usize::MAX)?;
        run::at_once(py, || compute(&core))?.map_err(|error| of_engine(&error))
    }

    /// Others of the same field and engine.
    fn beside(&self, py: Python<'_>, core: Core, shape: Vec<usize>) -> Self {
        Self { core, shape, field: self.field.clone_ref(py), engine: self.engine.clone_ref(py) }
    }
}

/// The residues of words, in this shape.
#[pyfunction]
#[pyo3(name = "_residues")]
pub(crate) fn residues(
    field: Bound<'_, Field>,
    words: &Bound<'_, PyAny>,
    shape: Vec<usize>,
    engine: Option<&Bound<'_, PyAny>>,
) -> PyResult<DeviceResidues> {
    let (py, core_field) = (field.py(), field.get().0);
    let words = PyBuffer::<u64>::get(words)?.to_vec(py)?;
    let engine = engine_of(py, engine)?;
    let (core, _) = engine.get().core_for(usize::MAX)?;
    let found = run::at_once(py, || core.upload_residues(&core_field, &words))?;
    let core = found.map_err(|error| of_engine(&error))?;
    Ok(DeviceResidues { core, shape, field: field.unbind(), engine: engine.unbind() })
}

#[pymethods]
impl DeviceResidues {
    /// NumPy's operators leave residues to the operators of this class.
    #[classattr]
    fn __array_ufunc__(py: Python<'_>) -> Py<PyAny> {
        py.None()
    }

    /// The field.
    #[getter]
    fn field(&self, py: Python<'_>) -> Py<Field> {
        self.field.clone_ref(py)
    }

    /// The engine that computes.
    #[getter]
    fn engine(&self, py: Python<'_>) -> Py<Engine> {
        self.engine.clone_ref(py)
    }

    /// The length of each dimension.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyTuple>> {
        pyo3::types::PyTuple::new(py, &self.shape)
    }

    /// Where they lie: ``CPU``, or a GPU with its number and name.
    #[getter]
    fn device_name(&self) -> String {
        self.core.device_name()
    }

    fn __len__(&self) -> PyResult<usize> {
        self.shape.first().copied().ok_or_else(|| {
            pyo3::exceptions::PyTypeError::new_err("a residue without dimensions has no length")
        })
    }

    /// The words, after a wait for what computes them.
    fn _words<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        let core = self.core.clone();
        let words = run::wait(py, move |_| core.download::<u64>())?.map_err(|error| of_engine(&error))?;
        Ok(PyByteArray::new(py, limbforge::limb::bytemuck::cast_slice(&words)))
    }

    /// Waits until the residues are computed. Raises ``lf.DeviceError`` for a failure of what was started
    /// before.
    ///
    /// >>> import limbforge as lf
    /// >>> lf.residues(lf.Field(97), [1, 2], engine="cpu").wait()
    fn wait(&self, py: Python<'_>) -> PyResult<()> {
        let core = self.core.clone();
        run::wait(py, move |_| core.wait())?.map_err(|error| of_engine(&error))
    }

    /// NumPy's array of the residues, uint64, after a wait for what computes them.
    ///
    /// >>> import limbforge as lf
    /// >>> lf.residues(lf.Field(97), [[1, 2], [3, 96]], engine="cpu").to_host().tolist()
    /// [[1, 2], [3, 96]]
    fn to_host<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("limbforge._residues")?.call_method1("to_host", (slf,))
    }

    /// The residues in another shape of as many, as NumPy's ``reshape``.
    ///
    /// >>> import limbforge as lf
    /// >>> lf.residues(lf.Field(97), [1, 2, 3, 4]).reshape(2, 2).shape
    /// (2, 2)
    #[pyo3(signature = (*shape))]
    fn reshape(&self, py: Python<'_>, shape: Vec<usize>) -> PyResult<Self> {
        if shape.iter().try_fold(1_usize, |all, &n| all.checked_mul(n)) != Some(self.core.count()) {
            let found = self.core.count();
            return Err(PyValueError::new_err(format!("{found} residues do not have the shape {shape:?}")));
        }
        Ok(self.beside(py, self.core.clone(), shape))
    }

    fn _transform(
        &self,
        py: Python<'_>,
        field: &Bound<'_, Field>,
        negacyclic: bool,
        inverse: bool,
    ) -> PyResult<Self> {
        self.check_field(field)?;
        let wrap = if negacyclic { Wrap::Negacyclic } else { Wrap::Cyclic };
        let direction = if inverse { Direction::Inverse } else { Direction::Forward };
        let plan = NttPlan::new(self.rows().0, wrap).map_err(value_error)?;
        let found = self.computed(py, |engine| engine.transform_residues(&plan, direction, &self.core))?;
        Ok(self.beside(py, found, self.shape.clone()))
    }

    fn __repr__(&self) -> String {
        let (p, shape, place) = (self.core.field().modulus(), &self.shape, self.core.device_name());
        format!("DeviceResidues(modulo {p}, shape {shape:?}, on {place})")
    }
}

impl DeviceResidues {
    fn check_field(&self, field: &Bound<'_, Field>) -> PyResult<()> {
        let (own, given) = (self.core.field(), &field.get().0);
        if own == given {
            return Ok(());
        }
        let (own, given) = (own.modulus(), given.modulus());
        Err(PyValueError::new_err(format!(
            "residues modulo {own}, and a field modulo {given}: expected the field of the residues, with its root"
        )))
    }
}
