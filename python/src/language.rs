//! Programs in the language of limbforge: texts and their runs. `limbforge/_programs.py` is what users see.

mod results;
mod session;
mod slices;

use limbforge::EngineError;
use limbforge::algos::program::{Input, ProgramWarning};
use limbforge::prelude::{Batch, IntType as Type, Program, ProgramError};
use pyo3::prelude::*;

use self::results::is_array;
pub(crate) use self::session::{Session, resume};
use crate::array::IntArray;
use crate::dtype::IntType;
use crate::engine::engine_of;
use crate::errors::{of_engine, of_program};
use crate::run;

/// The text of a program, and the file that it is from.
#[pyclass(frozen, name = "_Program", module = "limbforge._limbforge")]
pub(crate) struct ProgramText {
    program: Program,
    file: Option<String>,
}

#[pymethods]
impl ProgramText {
    #[new]
    #[pyo3(signature = (text, file, /))]
    fn new(text: &str, file: Option<String>) -> PyResult<Self> {
        let program = Program::parse(text).map_err(|error| of_program(&error, text, file.as_deref()))?;
        Ok(Self { program, file })
    }

    #[getter]
    fn text(&self) -> &str {
        self.program.text()
    }

    /// The text without comments and with one spelling: equal for equal programs.
    #[getter]
    fn canonical(&self) -> String {
        self.program.to_string()
    }

    /// The names of the inputs, and the types that the text says.
    #[getter]
    fn inputs(&self) -> Vec<(&str, Option<String>)> {
        self.program.inputs().map(|(name, ty)| (name, ty.map(ToString::to_string))).collect()
    }

    #[getter]
    fn outputs(&self) -> Vec<&str> {
        self.program.outputs().collect()
    }

    /// Texts about each `^` that is probably meant as a power.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        let text = |warning: &ProgramWarning| {
            format!("{}:{}: {}", warning.line, warning.column, warning.report(self.program.text()))
        };
        self.program.warnings().iter().map(text).collect()
    }

    /// The types of all inputs, and the elements of those that are arrays or tuples, for types of those that
    /// have none in the text.
    fn types(&self, given: Vec<(String, IntType)>) -> PyResult<Vec<(String, IntType, Option<u32>)>> {
        let types: Vec<(&str, Type)> = given.iter().map(|(name, ty)| (name.as_str(), ty.0)).collect();
        let typed = self.program.typed(&types).map_err(|error| self.error(&error))?;
        let of_input = |input: &Input| {
            let elements = is_array(&typed, &input.parts).then_some(input.elements);
            (input.name.to_string(), IntType(input.ty), elements)
        };
        Ok(typed.inputs().iter().map(of_input).collect())
    }

    /// Starts a run over arrays in the types of [`types`](Self::types).
    fn start(
        &self,
        py: Python<'_>,
        arrays: Vec<(String, Py<IntArray>)>,
        engine: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Session> {
        // The engine of a GPU says itself what it computes.
        let (core, _) = engine_of(py, engine)?.get().core_for(usize::MAX)?;
        let batches: Vec<(String, Batch<u64>)> =
            arrays.into_iter().map(|(name, array)| (name, array.get().0.clone())).collect();
        let program = self.program.clone();
        let started = run::wait(py, move |_| {
            let named: Vec<(&str, &Batch<u64>)> =
                batches.iter().map(|(name, batch)| (name.as_str(), batch)).collect();
            core.start(&program, &named)
        })?;
        let started = started.map_err(|error| match error {
            EngineError::Program(error) => self.error(&error),
            error => of_engine(&error),
        })?;
        Ok(Session::new(started, self.file.clone()))
    }
}

impl ProgramText {
    fn error(&self, error: &ProgramError) -> PyErr {
        of_program(error, self.program.text(), self.file.as_deref())
    }
}
