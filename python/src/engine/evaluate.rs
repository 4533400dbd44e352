//! The evaluation of programs by an engine, which keeps them prepared.

use std::collections::HashMap;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;

use limbforge::prelude::{Batch, Checked, IntType, Placement};
use limbforge::{Engine as Core, EngineError};
use pyo3::prelude::*;

use super::Engine;
use crate::errors::{defect, of_engine};
use crate::program::Program;
use crate::run::{self, Entry};

/// Prepared programs that an engine keeps.
const KEPT: usize = 512;
/// Words of operands up to which the first evaluation of a program is done at once.
const FIRST: usize = 64;
/// The longest evaluation that is done at once.
const SHORT: Duration = Duration::from_micros(100);

/// A program over operands of a type, those that are one integer for all, and the device.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    program: u64,
    ty: IntType,
    broadcast: u64,
    is_gpu: bool,
}

impl Engine {
    /// The values of each expression over operands in the program's order, all of type `ty`, and the
    /// instances that failed.
    pub(crate) fn evaluate(
        &self,
        py: Python<'_>,
        program: &Arc<Program>,
        ty: IntType,
        operands: Vec<Batch<u64>>,
    ) -> PyResult<Vec<Checked<u64>>> {
        let counts: Vec<usize> = operands.iter().map(Batch::instances).collect();
        let instances = program.instances(&counts)?;
        let words = operands.iter().map(|batch| batch.limbs().len()).max().unwrap_or(ty.limbs::<u64>());
        let (core, is_gpu) = self.core_for(words)?;
        let (key, known) = self.known(program, ty, &counts, instances, is_gpu);
        let is_short = match &known {
            Some(entry) => words <= run::TILE && entry.estimate(instances).is_some_and(|time| time <= SHORT),
            None => words <= FIRST,
        };
        let is_known = known.is_some();
        let prepare = preparation(core, program, ty, &counts, instances, known);
        let done = if is_short && !is_gpu {
            run::at_once(py, || {
                prepare().and_then(|entry| entry.eval(&operands).map(|found| (entry, found)))
            })?
        } else {
            let done = run::wait(py, move |stop| match prepare() {
                Ok(entry) => {
                    let found = entry.eval_until(&operands, instances, stop)?;
                    Some(found.map(|found| (entry, found)))
                }
                Err(error) => Some(Err(error)),
            })?;
            done.ok_or_else(|| defect("an evaluation stopped by itself"))?
        };
        let (entry, found) = done.map_err(|error| of_engine(&error))?;
        if !is_known {
            self.keep(key, entry);
        }
        Ok(found)
    }

    /// The key of a program over operands of so many instances each, and what is kept for it.
    pub(crate) fn known(
        &self,
        program: &Program,
        ty: IntType,
        counts: &[usize],
        instances: usize,
        is_gpu: bool,
    ) -> (Key, Option<Arc<Entry>>) {
        let bit = |(i, &count): (usize, &usize)| u64::from(count == 1 && instances != 1) << i.min(63);
        let broadcast = counts.iter().enumerate().map(bit).fold(0, |all, bit| all | bit);
        let key = Key { program: program.number, ty, broadcast, is_gpu };
        let known = self.entries().get(&key).cloned();
        (key, known)
    }

    /// Keeps a prepared program. From 64 operands on, a key does not tell which are one integer for all.
    pub(crate) fn keep(&self, key: Key, entry: Arc<Entry>) {
        if key.broadcast >> 63 == 1 {
            return;
        }
        let mut entries = self.entries();
        if entries.len() == KEPT {
            entries.clear();
        }
        entries.insert(key, entry);
    }

    /// The number of programs that are kept.
    pub(super) fn prepared(&self) -> usize {
        self.entries().len()
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<Key, Arc<Entry>>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What gives the prepared program: the one that is known, or a new one, which may take a second on a GPU.
pub(crate) fn preparation(
    core: Core,
    program: &Arc<Program>,
    ty: IntType,
    counts: &[usize],
    instances: usize,
    known: Option<Arc<Entry>>,
) -> impl FnOnce() -> Result<Arc<Entry>, EngineError> + Send + 'static {
    let (program, counts) = (program.clone(), counts.to_vec());
    move || {
        if let Some(entry) = known {
            return Ok(entry);
        }
        let ones = program.inputs.iter().zip(counts).filter(|(_, count)| *count == 1 && instances != 1);
        let placement =
            ones.fold(Placement::default(), |placement, (name, _)| placement.with_broadcast(name));
        core.prepare_all(&program.exprs, ty, &placement).map(|prepared| Arc::new(Entry::new(prepared)))
    }
}
