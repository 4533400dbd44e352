//! The evaluation of an expression by an engine, which keeps it prepared.

use std::collections::HashMap;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;

use limbforge::prelude::{Batch, Checked, IntType, Placement};
use pyo3::prelude::*;

use super::Engine;
use crate::errors::{defect, of_engine};
use crate::program::Program;
use crate::run::{self, Entry};

/// Prepared expressions that an engine keeps.
const KEPT: usize = 512;
/// Words up to which an evaluation is done at once, without a thread: one tile of the CPU's.
const TILE: usize = 1024;
/// Words of operands up to which the first evaluation of an expression is done at once.
const FIRST: usize = 64;
/// The longest evaluation that is done at once.
const SHORT: Duration = Duration::from_micros(100);

/// An expression over operands of a type, those that are one integer for all, and the device.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    program: u64,
    ty: IntType,
    broadcast: u64,
    is_gpu: bool,
}

impl Engine {
    /// The values of an expression over operands in its order, all of type `ty`, and the instances that failed.
    pub(crate) fn evaluate(
        &self,
        py: Python<'_>,
        program: &Arc<Program>,
        ty: IntType,
        operands: Vec<Batch<u64>>,
    ) -> PyResult<Checked<u64>> {
        let instances = program.instances(&operands)?;
        let words = operands.iter().map(|batch| batch.limbs().len()).max().unwrap_or(ty.limbs::<u64>());
        let (core, is_gpu) = self.core_for(words)?;
        let mut broadcast = 0;
        for (i, batch) in operands.iter().enumerate() {
            broadcast |= u64::from(batch.instances() == 1 && instances != 1) << i.min(63);
        }
        let key = Key { program: program.number, ty, broadcast, is_gpu };
        let known = self.entries().get(&key).cloned();
        let is_short = match &known {
            Some(entry) => words <= TILE && entry.estimate(instances).is_some_and(|time| time <= SHORT),
            None => words <= FIRST,
        };
        let is_known = known.is_some();
        let program = program.clone();
        let prepare = move |operands: &[Batch<u64>]| match known {
            Some(entry) => Ok(entry),
            None => {
                let names = program
                    .inputs
                    .iter()
                    .zip(operands)
                    .filter(|(_, batch)| batch.instances() == 1 && instances != 1);
                let placement =
                    names.fold(Placement::default(), |placement, (name, _)| placement.with_broadcast(name));
                core.prepare(&program.expr, ty, &placement).map(|prepared| Arc::new(Entry::new(prepared)))
            }
        };
        let done = if is_short && !is_gpu {
            run::at_once(py, || {
                prepare(&operands).and_then(|entry| entry.eval(&operands).map(|found| (entry, found)))
            })?
        } else {
            let done = run::wait(py, move |stop| match prepare(&operands) {
                Ok(entry) => entry
                    .eval_until(&operands, instances, stop)
                    .map(|found| found.map(|found| (entry, found))),
                Err(error) => Some(Err(error)),
            })?;
            done.ok_or_else(|| defect("an evaluation stopped by itself"))?
        };
        let (entry, found) = done.map_err(|error| of_engine(&error))?;
        // Beyond 64 operands a key would not tell which are one integer for all.
        if !is_known && broadcast >> 63 == 0 {
            let mut entries = self.entries();
            if entries.len() == KEPT {
                entries.clear();
            }
            entries.insert(key, entry);
        }
        Ok(found)
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<Key, Arc<Entry>>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
