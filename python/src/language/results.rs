//! The results of programs as Python's objects.

use limbforge::algos::program::{Element, List, Part, ProgramFailure, TypedProgram};
use limbforge::prelude::{Batch, IntType, Layout, ProgramList, ProgramRun};
use pyo3::prelude::*;

use crate::array::{IntArray, truths};
use crate::errors::{defect, of_program_failure};

/// A name; N integers, or NumPy's N bools; or N k of them, where each instance has k.
type Value = (String, Py<PyAny>, Option<u32>);
/// Instance, mark, reason, line, column.
type Failed = (usize, &'static str, String, usize, usize);

/// The instances of rows and their columns: N integers, or NumPy's N bools.
pub(super) type RowsOf = (IntArray, Vec<Py<PyAny>>);
/// A name, the instances of rows, the columns.
type Listed = (String, IntArray, Vec<Py<PyAny>>);

/// The number of instances, the results, the failures and the lists.
pub(super) type Results = (usize, Vec<Value>, Vec<Failed>, Vec<Listed>);

/// Whether integers of an input or a result are an array or a tuple.
pub(super) fn is_array(program: &TypedProgram, parts: &[Part]) -> bool {
    parts.len() != 1 || parts.iter().any(|part| program.ty(part.value).length.is_some())
}

/// What a run has computed.
pub(super) fn results(py: Python<'_>, run: &ProgramRun<u64>) -> PyResult<Results> {
    let program = run.program();
    let outputs = program.results().iter().zip(run.results());
    let values = outputs.map(|(output, (name, batch))| {
        let is_truth = output.parts.iter().all(|part| program.ty(part.value).element == Element::Bool);
        let value =
            if is_truth { truths(py, batch)? } else { Py::new(py, IntArray::new(batch.clone()))?.into_any() };
        Ok((name.to_owned(), value, is_array(program, &output.parts).then_some(output.elements)))
    });
    let failures = run.failures().iter().map(|failure| failed(failure, program.text()));
    let lists = program.lists().iter().zip(run.lists());
    let lists = lists.map(|(declared, (name, list))| {
        let (instances, columns) = rows(py, declared, list)?;
        Ok((name.to_owned(), instances, columns))
    });
    Ok((
        run.instances(),
        values.collect::<PyResult<_>>()?,
        failures.collect(),
        lists.collect::<PyResult<_>>()?,
    ))
}

/// The rows of a list.
pub(super) fn rows(py: Python<'_>, declared: &List, list: &ProgramList<u64>) -> PyResult<RowsOf> {
    let columns = declared.columns.iter().zip(list.columns()).map(|(element, batch)| match element {
        Element::Bool => truths(py, batch),
        _ => Ok(Py::new(py, IntArray::new(batch.clone()))?.into_any()),
    });
    let word = IntType::unsigned(64).map_err(|error| defect(&error.to_string()))?;
    let instances = Batch::from_limbs(word, Layout::InstanceMajor, list.instances().to_vec());
    let instances = instances.map_err(|error| defect(&error.to_string()))?;
    Ok((IntArray::new(instances), columns.collect::<PyResult<_>>()?))
}

fn failed(failure: &ProgramFailure, text: &str) -> Failed {
    let (mark, reason, (line, column)) = (failure.why.mark(), failure.reason(), failure.place(text));
    let without = reason.strip_suffix(&format!(" ({mark})")).map(ToOwned::to_owned);
    (failure.instance, mark, without.unwrap_or(reason), line, column)
}

/// The error of the first instance that failed.
pub(super) fn complete(run: &ProgramRun<u64>, file: Option<&str>) -> PyResult<()> {
    match run.failures() {
        [] => Ok(()),
        failures @ [first, ..] => Err(of_program_failure(first, failures.len(), run.program().text(), file)),
    }
}
