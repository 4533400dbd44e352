//! Operators on arrays in the memory of the machine: by the current engine.

use limbforge::prelude::{Batch, IntType};
use pyo3::prelude::*;

use super::IntArray;
use crate::arithmetic::{Arithmetic, Named, operators};
use crate::engine::current_engine;
use crate::errors::of_failure;
use crate::operand::{Operand, mismatch, operand, operand_or_range};
use crate::program::Program;

/// The values of each expression of named batches of one type.
pub(crate) fn values(
    py: Python<'_>,
    texts: &[&str],
    named: &[(&str, Batch<u64>)],
) -> PyResult<Vec<Batch<u64>>> {
    let program = Program::parse_all(py, texts)?;
    let ty = named[0].1.ty();
    let operands = program.bind(named)?.into_iter().cloned().collect();
    let found = current_engine(py)?.get().evaluate(py, &program, ty, operands)?;
    match found.iter().find_map(|one| Some((one.failures.first()?, one.failures.len()))) {
        Some((first, count)) => Err(of_failure(first, count)),
        None => Ok(found.into_iter().map(|one| one.values).collect()),
    }
}

impl Arithmetic for IntArray {
    fn ty(&self) -> IntType {
        self.0.ty()
    }

    fn computed(
        py: Python<'_>,
        texts: &[&str],
        ty: IntType,
        named: &Named<'_, '_>,
    ) -> PyResult<Option<Vec<Self>>> {
        let mut batches: Vec<(&str, Batch<u64>)> = Vec::with_capacity(named.len());
        for &(name, value) in named {
            let batch = match operand_or_range(value, ty)? {
                Some(Operand::Batch(batch)) => batch,
                Some(Operand::Beyond(_)) => operand(value, ty)?,
                None => return Ok(None),
            };
            if let Some(error) = batches.first().and_then(|(_, first)| mismatch(first, &batch)) {
                return Err(error);
            }
            batches.push((name, batch));
        }
        Ok(Some(values(py, texts, &batches)?.into_iter().map(Self::new).collect()))
    }

    fn new_object(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, self)?.into_any())
    }
}

operators!(IntArray);
