//! The functions of the language: one of Python for each row of the table of operations.

use limbforge::algos::expr::{Expr as Core, Operation, Outcome, operation, operations};
use limbforge::algos::op::Domain;
use limbforge::prelude::{Batch, IntType};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::array::{IntArray, truths, values};
use crate::device::{self, DeviceArray};
use crate::errors::{defect, only};
use crate::expr::{Expr, operand as expr_operand};
use crate::operand::{Operand, operand, operand_or_range, type_of};
use crate::program::Program;

/// The rows of functions, each as a dict: what Python's functions and their documentation are made of.
#[pyfunction]
#[pyo3(name = "_functions")]
pub(crate) fn functions(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let rows = operations().filter(|row| row.is_function()).map(|row| {
        let dict = PyDict::new(py);
        dict.set_item("name", row.name)?;
        dict.set_item("operands", row.operands)?;
        dict.set_item("group", row.group)?;
        dict.set_item("summary", row.summary)?;
        dict.set_item("result", row.result.to_string())?;
        dict.set_item("is_truth", row.result == Outcome::Truth)?;
        dict.set_item("is_wide", row.result == Outcome::Wide)?;
        let failures: Vec<(&str, &str)> =
            row.failures.iter().map(|(why, when)| (why.mark(), *when)).collect();
        dict.set_item("failures", failures)?;
        let examples: Vec<(&str, &str, &str)> =
            row.examples.iter().map(|example| (example.text, example.ty, example.value)).collect();
        dict.set_item("examples", examples)?;
        Ok(dict)
    });
    PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)
}

/// The value of a function of the table on these operands: bools if it says true or false, an `Expr` of an
/// `Expr`, a resident array of a resident array.
#[pyfunction]
#[pyo3(name = "_apply", signature = (name, args, /))]
pub(crate) fn apply(py: Python<'_>, name: &str, args: &Bound<'_, PyTuple>) -> PyResult<Py<PyAny>> {
    let row = operation(name).filter(|row| row.is_function());
    let row = row.ok_or_else(|| PyValueError::new_err(format!("no function `{name}`")))?;
    let args: Vec<Bound<'_, PyAny>> = args.iter().collect();
    if args.len() != row.operands.len() {
        let (expected, found) = (row.operands.len(), args.len());
        return Err(PyTypeError::new_err(format!(
            "{} takes {expected} operands, found {found}",
            row.signature()
        )));
    }
    if let Some(expr) = args.iter().find_map(|arg| arg.cast::<Expr>().ok()) {
        let found = expression(row, &args)?;
        return Ok(Py::new(py, expr.get().new_like(found))?.into_any());
    }
    if let Some(array) = args.iter().find_map(|arg| arg.cast::<DeviceArray>().ok()) {
        return resident(py, row, array.get().batch.ty(), &args);
    }
    let ty = type_of(&args.iter().collect::<Vec<_>>())?;
    let (mut text, mut named): (Vec<String>, Vec<(&str, Batch<u64>)>) = (vec![], vec![]);
    for ((&name, domain), arg) in row.operands.iter().zip(row.domains).zip(&args) {
        // A number of bits may be one that the type does not have: it is a constant then.
        if *domain == Domain::Amount
            && let Some(Operand::Beyond(_)) = operand_or_range(arg, ty)?
        {
            text.push(arg.call_method0("__index__")?.str()?.to_string());
            continue;
        }
        text.push(name.to_owned());
        let batch = operand(arg, ty)?;
        if batch.ty() != ty {
            let found = batch.ty();
            return Err(PyTypeError::new_err(format!(
                "{}: operand `{name}` has the type {found}; expected {ty} as the first array: .astype('{ty}') converts",
                row.signature()
            )));
        }
        named.push((name, batch));
    }
    let text = format!("{}({})", row.name, text.join(", "));
    let found = only(values(py, &[&text], &named)?)?;
    if row.result == Outcome::Truth {
        truths(py, &found)
    } else {
        Ok(Py::new(py, IntArray::new(found))?.into_any())
    }
}

/// The values where the operands lie; 1 for true and 0 for false.
fn resident(py: Python<'_>, row: &Operation, ty: IntType, args: &[Bound<'_, PyAny>]) -> PyResult<Py<PyAny>> {
    let (mut text, mut given): (Vec<String>, Vec<(String, Bound<'_, PyAny>)>) = (vec![], vec![]);
    for ((&name, domain), arg) in row.operands.iter().zip(row.domains).zip(args) {
        let is_array = arg.cast::<DeviceArray>().is_ok();
        if *domain == Domain::Amount
            && !is_array
            && let Some(Operand::Beyond(_)) = operand_or_range(arg, ty)?
        {
            text.push(arg.call_method0("__index__")?.str()?.to_string());
            continue;
        }
        text.push(name.to_owned());
        given.push((name.to_owned(), arg.clone()));
    }
    let program = Program::parse(py, &format!("{}({})", row.name, text.join(", ")))?;
    let found = device::eval(py, &program, &given)?.map(only).transpose()?;
    let found = found.ok_or_else(|| defect("a resident operand is none of the expression"))?;
    Ok(Py::new(py, found)?.into_any())
}

fn expression(row: &Operation, args: &[Bound<'_, PyAny>]) -> PyResult<Core> {
    let operands = args.iter().map(|arg| {
        expr_operand(arg)?.ok_or_else(|| {
            let found = arg.get_type();
            PyTypeError::new_err(format!("{}: expected an Expr or an int, found {found}", row.signature()))
        })
    });
    let operands = operands.collect::<PyResult<_>>()?;
    match &row.op {
        Some(op) => Ok(Core::operation(op.clone(), operands)),
        None => Err(PyValueError::new_err(format!("`{}` is no function", row.name))),
    }
}
