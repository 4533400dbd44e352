//! Polynomials of resident residues, along the last axis.

use limbforge::{DeviceResidues as Core, Engine as CoreEngine, EngineError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::DeviceResidues;
use crate::field::Field;

type Operation = fn(&CoreEngine, (&Core, usize), (&Core, usize)) -> Result<Core, EngineError>;

impl DeviceResidues {
    /// The terms of the polynomials of both operands, of which there are as many.
    fn terms(&self, field: &Bound<'_, Field>, other: &Self) -> PyResult<(usize, usize)> {
        self.check_field(field)?;
        other.check_field(field)?;
        let [a, b] = [self, other].map(|residues| residues.shape.split_last());
        match (a, b) {
            (Some((&n, rows)), Some((&m, others))) if rows == others && n > 0 && m > 0 => Ok((n, m)),
            _ => {
                let (a, b) = (&self.shape, &other.shape);
                Err(PyValueError::new_err(format!(
                    "polynomials of the shapes {a:?} and {b:?}: expected as many of both, with one term or more"
                )))
            }
        }
    }

    /// The shape of as many polynomials of other lengths.
    fn of_terms(&self, terms: usize) -> Vec<usize> {
        let rows = &self.shape[..self.shape.len().saturating_sub(1)];
        [rows, &[terms]].concat()
    }

    fn pairs(
        &self,
        py: Python<'_>,
        other: &Self,
        (n, m): (usize, usize),
        terms: usize,
        operation: Operation,
    ) -> PyResult<Self> {
        let found = self.computed(py, |engine| operation(engine, (&self.core, n), (&other.core, m)))?;
        Ok(self.beside(py, found, self.of_terms(terms)))
    }
}

#[pymethods]
impl DeviceResidues {
    fn _poly_mul(&self, field: &Bound<'_, Field>, other: &Bound<'_, Self>) -> PyResult<Self> {
        let (n, m) = self.terms(field, other.get())?;
        self.pairs(field.py(), other.get(), (n, m), n + m - 1, CoreEngine::poly_mul_residues)
    }

    fn _poly_gcd(&self, field: &Bound<'_, Field>, other: &Bound<'_, Self>) -> PyResult<Self> {
        let (n, m) = self.terms(field, other.get())?;
        self.pairs(field.py(), other.get(), (n, m), n.max(m), CoreEngine::poly_gcd_residues)
    }

    fn _poly_divmod(&self, field: &Bound<'_, Field>, other: &Bound<'_, Self>) -> PyResult<(Self, Self)> {
        let (py, divisor) = (field.py(), other.get());
        let (n, m) = self.terms(field, divisor)?;
        let (quotient, rest) =
            self.computed(py, |engine| engine.poly_div_rem_residues((&self.core, n), (&divisor.core, m)))?;
        let quotient = self.beside(py, quotient, self.of_terms(n - m + 1));
        Ok((quotient, self.beside(py, rest, self.of_terms(m - 1))))
    }
}
