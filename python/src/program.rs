//! Expressions as they are evaluated: one or several together, with the names of their operands, and a number
//! by which engines know them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use limbforge::algos::expr::Dag;
use limbforge::prelude::Expr;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Texts that are kept with their expressions, and as many groups of expressions.
const KEPT: usize = 1024;

pub(crate) struct Program {
    /// The expressions, which are evaluated together.
    pub(crate) exprs: Vec<Expr>,
    /// The operands in the order of first use.
    pub(crate) inputs: Vec<String>,
    /// No other program of this process has it.
    pub(crate) number: u64,
}

/// Programs that are kept.
#[derive(Default)]
struct Known {
    texts: HashMap<String, Arc<Program>>,
    /// By the numbers of the programs of each expression.
    groups: HashMap<Vec<u64>, Arc<Program>>,
}

/// `py` is held while the programs are locked, so that no child of `fork` finds them so.
fn known(_py: Python<'_>) -> MutexGuard<'_, Known> {
    static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Program {
    pub(crate) fn new(exprs: Vec<Expr>) -> Arc<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let inputs = Dag::of_all(&exprs).inputs().map(ToOwned::to_owned).collect();
        Arc::new(Self { exprs, inputs, number: NEXT.fetch_add(1, Ordering::Relaxed) })
    }

    /// The expression of a text.
    pub(crate) fn parse(py: Python<'_>, text: &str) -> PyResult<Arc<Self>> {
        let mut known = known(py);
        if let Some(program) = known.texts.get(text) {
            return Ok(program.clone());
        }
        let expr =
            Expr::parse(text).map_err(|error| PyValueError::new_err(error.report(text).to_string()))?;
        if known.texts.len() == KEPT {
            known.texts.clear();
        }
        let program = Self::new(vec![expr]);
        known.texts.insert(text.to_owned(), program.clone());
        Ok(program)
    }

    /// The expressions of several texts, to be evaluated together.
    pub(crate) fn parse_all(py: Python<'_>, texts: &[&str]) -> PyResult<Arc<Self>> {
        if let [text] = texts {
            return Self::parse(py, text);
        }
        let parts = texts.iter().map(|text| Self::parse(py, text)).collect::<PyResult<Vec<_>>>()?;
        Ok(Self::of_all(py, &parts))
    }

    /// The expressions of several programs, to be evaluated together.
    pub(crate) fn of_all(py: Python<'_>, parts: &[Arc<Self>]) -> Arc<Self> {
        let mut known = known(py);
        let numbers: Vec<u64> = parts.iter().map(|part| part.number).collect();
        if let Some(program) = known.groups.get(&numbers) {
            return program.clone();
        }
        if known.groups.len() == KEPT {
            known.groups.clear();
        }
        let program = Self::new(parts.iter().flat_map(|part| part.exprs.clone()).collect());
        known.groups.insert(numbers, program.clone());
        program
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
