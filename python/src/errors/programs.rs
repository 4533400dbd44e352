//! Errors of programs and their runs.

use std::io;

use limbforge::algos::program::{ProgramErrorKind, ProgramFailure};
use limbforge::prelude::ProgramError;
use limbforge::{CheckpointError, InputError};
use pyo3::exceptions::{PyFileExistsError, PyOverflowError, PyTypeError, PyValueError, PyZeroDivisionError};
use pyo3::prelude::*;

use super::value_error;

/// `FILE:LINE:COLUMN`, or `LINE:COLUMN` of a text that is not from a file.
fn place(file: Option<&str>, (line, column): (usize, usize)) -> String {
    file.map_or_else(|| format!("{line}:{column}"), |file| format!("{file}:{line}:{column}"))
}

/// An error in a text with its place and its line: `TypeError` where values do not have the types that an
/// operation takes, else `ValueError`.
pub(crate) fn of_program(error: &ProgramError, text: &str, file: Option<&str>) -> PyErr {
    let text = format!("{}: {}", place(file, (error.line, error.column)), error.report(text));
    match error.kind {
        ProgramErrorKind::Type => PyTypeError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}

/// The exception of the first instance of `count` that failed, as that of an expression.
pub(crate) fn of_program_failure(
    first: &ProgramFailure,
    count: usize,
    text: &str,
    file: Option<&str>,
) -> PyErr {
    let others = match count {
        1 => String::new(),
        count => format!("{count} instances fail; "),
    };
    let text = format!(
        "{}: {}\n{others}on_error='mask' returns the results of all others",
        place(file, first.place(text)),
        first.report(text)
    );
    match first.why.mark() {
        "DIV0" => PyZeroDivisionError::new_err(text),
        "OVERFLOW" => PyOverflowError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}

pub(super) fn of_input(error: &InputError) -> PyErr {
    match error {
        InputError::Elements { .. } | InputError::Instances { .. } => value_error(error),
        _ => PyTypeError::new_err(error.to_string()),
    }
}

/// `FileNotFoundError`, `PermissionError` and others as of the system; `FileExistsError` for a folder that is no
/// checkpoint; `ValueError` for a checkpoint that is damaged or of another version.
pub(super) fn of_checkpoint(error: &CheckpointError) -> PyErr {
    match error {
        CheckpointError::File { source, .. } => io::Error::new(source.kind(), error.to_string()).into(),
        CheckpointError::Occupied { .. } => PyFileExistsError::new_err(error.to_string()),
        _ => value_error(error),
    }
}
