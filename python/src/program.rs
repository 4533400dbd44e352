//! Expressions as they are evaluated: with the names of their operands, and a number by which engines know
//! them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use limbforge::prelude::Expr;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Texts that are kept with their expressions.
const KEPT: usize = 1024;

pub(crate) struct Program {
    pub(crate) expr: Expr,
    /// The operands in the order of first use.
    pub(crate) inputs: Vec<String>,
    /// No other expression of this process has it.
    pub(crate) number: u64,
}

impl Program {
    pub(crate) fn new(expr: Expr) -> Arc<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let inputs = expr.to_dag().inputs().map(ToOwned::to_owned).collect();
        Arc::new(Self { expr, inputs, number: NEXT.fetch_add(1, Ordering::Relaxed) })
    }

    /// The expression of a text. `py` is held while the texts are locked, so that no child of `fork` finds
    /// them so.
    pub(crate) fn parse(_py: Python<'_>, text: &str) -> PyResult<Arc<Self>> {
        static TEXTS: LazyLock<Mutex<HashMap<String, Arc<Program>>>> = LazyLock::new(Mutex::default);
        let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = texts.get(text) {
            return Ok(known.clone());
        }
        let expr =
            Expr::parse(text).map_err(|error| PyValueError::new_err(error.report(text).to_string()))?;
        if texts.len() == KEPT {
            texts.clear();
        }
        let program = Self::new(expr);
        texts.insert(text.to_owned(), program.clone());
        Ok(program)
    }

    /// The batches in the order of the operands.
    pub(crate) fn bind<'b, T>(&self, given: &'b [(&str, T)]) -> PyResult<Vec<&'b T>> {
        for (name, _) in given {
            if !self.inputs.iter().any(|input| input == name) {
                let expected = self.inputs.join(", ");
                return Err(PyTypeError::new_err(format!(
                    "the expression has no operand `{name}`; expected: {expected}"
                )));
            }
        }
        let find = |input: &String| {
            let found = given.iter().find(|(name, _)| name == input).map(|(_, value)| value);
            found.ok_or_else(|| {
                PyTypeError::new_err(format!("the expression uses `{input}`, which is not given"))
            })
        };
        self.inputs.iter().map(find).collect()
    }

    /// The number of instances of operands of so many each: that of those which are not one integer for all.
    pub(crate) fn instances(&self, counts: &[usize]) -> PyResult<usize> {
        let counted = counts.iter().position(|&count| count != 1);
        let Some(first) = counted else { return Ok(1) };
        let expected = counts[first];
        for (&found, name) in counts.iter().zip(&self.inputs) {
            if ![1, expected].contains(&found) {
                let first = &self.inputs[first];
                return Err(PyValueError::new_err(format!(
                    "operand `{name}` has shape ({found},); expected ({expected},) as `{first}`, or one integer"
                )));
            }
        }
        Ok(expected)
    }
}
