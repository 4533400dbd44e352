//! Evaluations: at once if they are short, else on the threads of the pool while Python's other threads run
//! and signals are looked for.

mod wait;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use limbforge::EngineError;
use limbforge::prelude::{Batch, Checked, DeviceBatch, EvalError, PreparedAll};

pub(crate) use self::wait::*;
use crate::recycled;

/// Evaluations from this time on go in pieces, between which they may stop.
const LONG: Duration = Duration::from_secs(2);
/// The time of a piece.
const PIECE: Duration = Duration::from_millis(500);
/// Words up to which the calling thread computes: one tile of the CPU's. Handing them to another thread takes
/// longer.
pub(crate) const TILE: usize = 1024;
/// An evaluation of this many instances is timed with a 64th of them if it is the first of its expression.
const PROBED: usize = 64;

/// Prepared expressions, and how long their last evaluation took.
pub(crate) struct Entry {
    prepared: PreparedAll<u64>,
    is_on_cpu: bool,
    /// Nanoseconds per instance; 0 before the first evaluation.
    pace: AtomicU64,
}

impl Entry {
    pub(crate) fn new(prepared: PreparedAll<u64>) -> Self {
        let is_on_cpu = prepared.device_name() == "CPU";
        Self { prepared, is_on_cpu, pace: AtomicU64::new(0) }
    }

    /// The time that an evaluation of so many instances should take, if one was timed.
    pub(crate) fn estimate(&self, instances: usize) -> Option<Duration> {
        let pace = self.pace.load(Ordering::Relaxed);
        (pace > 0).then(|| Duration::from_nanos(pace.saturating_mul(instances as u64)))
    }

    /// Evaluates and notes the time: a result for each expression.
    pub(crate) fn eval(&self, operands: &[Batch<u64>]) -> Result<Vec<Checked<u64>>, EngineError> {
        let named: Vec<(&str, &Batch<u64>)> = self.prepared.operands().zip(operands).collect();
        let started = Instant::now();
        let instances = operands.iter().map(Batch::instances).find(|&count| count != 1).unwrap_or(1);
        let words = instances.saturating_mul(self.prepared.ty().limbs::<u64>());
        let found = if self.is_on_cpu && recycled::is_kept(words) {
            self.eval_recycled(&named, instances)?
        } else {
            self.prepared.eval_checked(&named)?
        };
        let pace = started.elapsed().as_nanos() as u64 / instances.max(1) as u64;
        self.pace.store(pace.max(1), Ordering::Relaxed);
        Ok(found)
    }

    /// The results in memory of earlier ones.
    fn eval_recycled(
        &self,
        named: &[(&str, &Batch<u64>)],
        instances: usize,
    ) -> Result<Vec<Checked<u64>>, EngineError> {
        let batch = |ty| recycled::batch_to_write(ty, instances).map_err(EvalError::from);
        let mut values = self.prepared.result_types().map(batch).collect::<Result<Vec<_>, _>>()?;
        let failures = self.prepared.eval_into(named, &mut values.iter_mut().collect::<Vec<_>>())?;
        let pairs = values.into_iter().zip(failures);
        Ok(pairs.map(|(values, failures)| Checked { values, failures }).collect())
    }

    /// The values over resident operands, which stay there.
    pub(crate) fn run(&self, operands: &[DeviceBatch<u64>]) -> Result<Vec<DeviceBatch<u64>>, EngineError> {
        let named: Vec<(&str, &DeviceBatch<u64>)> = self.prepared.operands().zip(operands).collect();
        self.prepared.run(&named)
    }

    /// As [`eval`](Self::eval), in pieces if it takes long. None if it was stopped.
    pub(crate) fn eval_until(
        &self,
        operands: &[Batch<u64>],
        instances: usize,
        stop: &AtomicBool,
    ) -> Option<Result<Vec<Checked<u64>>, EngineError>> {
        let part = |range: std::ops::Range<usize>| -> Vec<Batch<u64>> {
            let of = |batch: &Batch<u64>| match batch.instances() {
                1 => batch.clone(),
                _ => batch.slice(range.clone()),
            };
            operands.iter().map(of).collect()
        };
        if self.estimate(1).is_none()
            && instances >= PROBED
            && let Err(error) = self.eval(&part(0..instances / PROBED))
        {
            return Some(Err(error));
        }
        let estimate = self.estimate(instances).unwrap_or_default();
        if estimate < LONG {
            return Some(self.eval(operands));
        }
        let step = (instances as f64 * PIECE.as_secs_f64() / estimate.as_secs_f64()) as usize;
        let mut pieces = vec![];
        for first in (0..instances).step_by(step.max(1)) {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            match self.eval(&part(first..instances.min(first + step.max(1)))) {
                Ok(piece) => pieces.push((first, piece)),
                Err(error) => return Some(Err(error)),
            }
        }
        Some(joined_all(pieces))
    }
}

/// The results of each expression, of pieces that begin at these instances.
fn joined_all(pieces: Vec<(usize, Vec<Checked<u64>>)>) -> Result<Vec<Checked<u64>>, EngineError> {
    let mut all: Vec<Vec<(usize, Checked<u64>)>> = vec![];
    for (first, piece) in pieces {
        all.resize_with(piece.len(), Vec::new);
        all.iter_mut().zip(piece).for_each(|(pieces, piece)| pieces.push((first, piece)));
    }
    all.into_iter().map(joined).collect()
}

fn joined(pieces: Vec<(usize, Checked<u64>)>) -> Result<Checked<u64>, EngineError> {
    let values = Batch::concat(&pieces.iter().map(|(_, piece)| &piece.values).collect::<Vec<_>>());
    let mut failures = vec![];
    for (first, piece) in pieces {
        failures.extend(piece.failures.into_iter().map(|mut failure| {
            failure.instance += first;
            failure
        }));
    }
    Ok(Checked { values: values.map_err(EvalError::from)?, failures })
}
