//! Sums, differences and products of resident residues, value by value.

use limbforge::{DeviceResidues as Core, Engine as CoreEngine, EngineError};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;

use super::DeviceResidues;

type Operation = fn(&CoreEngine, &Core, &Core) -> Result<Core, EngineError>;

impl DeviceResidues {
    /// The residues that are an operand; an int is one residue. None for other objects.
    fn operand<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, Self>>> {
        let py = value.py();
        if let Ok(residues) = value.cast::<Self>() {
            return Ok(Some(residues.clone()));
        }
        if !value.hasattr(intern!(py, "__index__"))? || value.hasattr(intern!(py, "__len__"))? {
            return Ok(None);
        }
        let residue: u64 =
            value.call_method0(intern!(py, "__index__"))?.rem(self.core.field().modulus())?.extract()?;
        self.one(py, residue).and_then(|one| Bound::new(py, one)).map(Some)
    }

    fn one(&self, py: Python<'_>, residue: u64) -> PyResult<Self> {
        let field = *self.core.field();
        let core = self.computed(py, |engine| engine.upload_residues(&field, &[residue]))?;
        Ok(self.beside(py, core, vec![]))
    }

    /// Whether it has fewer dimensions.
    fn is_shorter(&self, other: &Self) -> bool {
        self.shape.len() < other.shape.len()
    }

    /// The values of an operation; the smaller operand is repeated.
    fn elementwise(&self, py: Python<'_>, other: &Self, operation: Operation) -> PyResult<Self> {
        // Operations that do not commute have their smaller operand last.
        let [long, short] = if self.is_shorter(other) { [other, self] } else { [self, other] };
        if !long.shape.ends_with(&short.shape) {
            let (a, b) = (&self.shape, &other.shape);
            return Err(PyValueError::new_err(format!(
                "residues of the shapes {a:?} and {b:?}: expected equal ones, or the last dimensions of the other"
            )));
        }
        if long.core.count() == 0 {
            return Ok(self.beside(py, long.core.clone(), long.shape.clone()));
        }
        let found = self.computed(py, |engine| operation(engine, &long.core, &short.core))?;
        Ok(self.beside(py, found, long.shape.clone()))
    }

    fn negated(&self, py: Python<'_>) -> PyResult<Self> {
        let minus_one = self.one(py, self.core.field().modulus() - 1)?;
        self.elementwise(py, &minus_one, CoreEngine::mul_residues)
    }

    fn subtracted(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        if self.is_shorter(other) {
            return other.negated(py)?.elementwise(py, self, CoreEngine::add_residues);
        }
        self.elementwise(py, other, CoreEngine::sub_residues)
    }

    fn binary(
        &self,
        other: &Bound<'_, PyAny>,
        compute: impl FnOnce(&Self, &Self) -> PyResult<Self>,
    ) -> PyResult<Py<PyAny>> {
        let py = other.py();
        match self.operand(other)? {
            Some(other) => Ok(Py::new(py, compute(self, other.get())?)?.into_any()),
            None => Ok(py.NotImplemented()),
        }
    }
}

#[pymethods]
impl DeviceResidues {
    fn __add__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.binary(other, |a, b| a.elementwise(other.py(), b, CoreEngine::add_residues))
    }

    fn __radd__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.__add__(other)
    }

    fn __mul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.binary(other, |a, b| a.elementwise(other.py(), b, CoreEngine::mul_residues))
    }

    fn __rmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.__mul__(other)
    }

    fn __sub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.binary(other, |a, b| a.subtracted(other.py(), b))
    }

    fn __rsub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.binary(other, |a, b| b.subtracted(other.py(), a))
    }

    fn __neg__(&self, py: Python<'_>) -> PyResult<Self> {
        self.negated(py)
    }
}
