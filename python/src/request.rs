//! Expressions and their operands, as programs of Python's give them.

use std::sync::Arc;

use limbforge::algos::expr::Dag;
use limbforge::prelude::{Batch, Checked as Core, IntType};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::array::IntArray;
use crate::dtype::dtype;
use crate::engine::engine_of;
use crate::errors::{of_batch, prefixed, value_error};
use crate::exact;
use crate::expr::Expr;
use crate::operand::operand;
use crate::program::Program;

/// Operands by their names.
pub(crate) type Given<'py> = Vec<(String, Bound<'py, PyAny>)>;

/// The results of each expression, or an error with the number of its expression.
type Results = Result<Vec<Core<u64>>, (usize, PyErr)>;

/// Expressions, their operands, and the type in which they are evaluated.
pub(crate) struct Request<'py> {
    program: Arc<Program>,
    given: Given<'py>,
    pub(crate) ty: IntType,
    /// Arrays of other types are converted to `ty`.
    converts: bool,
}

impl<'py> Request<'py> {
    pub(crate) fn new(
        program: Arc<Program>,
        given: Given<'py>,
        ty: Option<&Bound<'py, PyAny>>,
        bits: Option<u64>,
    ) -> PyResult<Self> {
        let converts = ty.is_some() || bits.is_some();
        let ty = type_of(&program, &given, ty, bits)?;
        Ok(Self { program, given, ty, converts })
    }

    /// The operands in the order of the program, converted to a type.
    fn operands(&self, py: Python<'_>, wide: IntType) -> PyResult<Vec<Batch<u64>>> {
        let given: Vec<(&str, (&str, &Bound<'_, PyAny>))> =
            self.given.iter().map(|(name, value)| (name.as_str(), (name.as_str(), value))).collect();
        let ty = self.ty;
        let operand = |(name, value): (&str, &Bound<'_, PyAny>)| {
            let batch = operand(value, self.ty).map_err(|error| prefixed(py, &operand_text(name), &error))?;
            if batch.ty() != self.ty && !self.converts {
                let (ty, found) = (self.ty, batch.ty());
                return Err(PyTypeError::new_err(format!(
                    "operand `{name}` has the type {found}; expected {ty} as the first array: dtype='{ty}' converts all"
                )));
            }
            let fits = if batch.ty() == self.ty { Ok(batch) } else { py.detach(|| batch.resize(ty)) };
            let fits = fits.map_err(|error| prefixed(py, &operand_text(name), &of_batch(&error)))?;
            if wide == self.ty {
                return Ok(fits);
            }
            py.detach(|| fits.resize(wide))
                .map_err(|error| prefixed(py, &operand_text(name), &of_batch(&error)))
        };
        self.program.bind(&given)?.into_iter().map(|&given| operand(given)).collect()
    }

    /// The results of each expression.
    pub(crate) fn evaluate(
        &self,
        py: Python<'_>,
        engine: Option<&Bound<'_, PyAny>>,
        ty: IntType,
    ) -> PyResult<Vec<Core<u64>>> {
        let operands = self.operands(py, ty)?;
        engine_of(py, engine)?.get().evaluate(py, &self.program, ty, operands)
    }

    /// The results of each expression over all integers; an error for the first that is not of the type, with
    /// the number of its expression.
    pub(crate) fn exact(&self, py: Python<'_>, engine: Option<&Bound<'_, PyAny>>) -> PyResult<Results> {
        for expr in &self.program.exprs {
            if expr.to_dag().nodes().last().is_some_and(|node| node.op.is_wide()) {
                return Err(PyValueError::new_err(
                    "a wide product never overflows: leave out overflow='raise', or write * and bits= for a wider type",
                ));
            }
        }
        let wide = exact::wide_type(&Dag::of_all(&self.program.exprs), self.ty).map_err(value_error)?;
        let mut all = self.evaluate(py, engine, wide)?;
        let ty = self.ty;
        for (number, found) in all.iter_mut().enumerate() {
            match py.detach(|| found.values.resize(ty)) {
                Ok(values) => found.values = values,
                Err(error) => {
                    let text = format!(
                        "{error}; bits= takes a wider type, and overflow='wrap' the value mod 2^bits"
                    );
                    return Ok(Err((number, PyOverflowError::new_err(text))));
                }
            }
        }
        Ok(Ok(all))
    }

    /// As [`evaluate`](Self::evaluate) in the type of the request, or [`exact`](Self::exact), as a caller's
    /// `overflow` says.
    pub(crate) fn results(
        &self,
        py: Python<'_>,
        engine: Option<&Bound<'_, PyAny>>,
        overflow: &str,
    ) -> PyResult<Results> {
        match overflow {
            "wrap" => self.evaluate(py, engine, self.ty).map(Ok),
            "raise" => self.exact(py, engine),
            _ => {
                let text = format!("overflow: expected 'wrap' or 'raise', found '{overflow}'");
                Err(PyValueError::new_err(text))
            }
        }
    }
}

/// The expression of a text or an `Expr`.
pub(crate) fn program_of(expr: &Bound<'_, PyAny>) -> PyResult<Arc<Program>> {
    if let Ok(expr) = expr.cast::<Expr>() {
        return Ok(expr.get().program.clone());
    }
    let text = expr.cast::<PyString>().map_err(|_| {
        let found = expr.get_type();
        PyTypeError::new_err(format!("expected an expression as text or an Expr, found {found}"))
    })?;
    Program::parse(expr.py(), &text.to_cow()?)
}

/// The operands of a dict and of keywords.
pub(crate) fn given_of<'py>(
    inputs: Option<&Bound<'py, PyDict>>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Given<'py>> {
    let mut given: Given<'py> = vec![];
    for (name, value) in inputs.into_iter().chain(keywords).flat_map(PyDictMethods::iter) {
        let name: String = name.extract()?;
        if given.iter().any(|(other, _)| *other == name) {
            return Err(PyTypeError::new_err(format!("operand `{name}` is given twice")));
        }
        given.push((name, value));
    }
    Ok(given)
}

/// The type of an evaluation: the one given, else that of the first array.
fn type_of(
    program: &Program,
    given: &[(String, Bound<'_, PyAny>)],
    ty: Option<&Bound<'_, PyAny>>,
    bits: Option<u64>,
) -> PyResult<IntType> {
    if let Some(ty) = ty {
        if bits.is_some() {
            return Err(PyTypeError::new_err("give dtype= or bits=, not both"));
        }
        return dtype(ty);
    }
    let array = |name: &String| {
        let found = given.iter().find(|(given, _)| given == name)?;
        found.1.cast::<IntArray>().ok().map(|array| array.get().0.ty())
    };
    let ty = program.inputs.iter().find_map(array).ok_or_else(|| {
        PyTypeError::new_err(
            "expected at least one IntArray among the operands, or dtype='u2048': it sets the type",
        )
    })?;
    bits.map_or(Ok(ty), |bits| IntType::new(bits, ty.is_signed()).map_err(value_error))
}

/// How an error about an operand begins.
fn operand_text(name: &str) -> String {
    format!("operand `{name}`: ")
}
