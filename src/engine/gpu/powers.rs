//! Powers of large batches in residue number systems: another program of the same expression.

use std::sync::{Mutex, PoisonError};

use limbforge_kernels_gen::{MatrixPowers, ProgramSpec};
use limbforge_limb::{Base, Batch, slice};

use super::Gpu;
use super::set::{Gpus, Programs};
use crate::engine::error::EngineError;

/// Instances of a GPU below which none is full.
const FEWEST: u64 = 1000;

/// Exponents of a batch that are looked at.
const SAMPLE: usize = 64;

/// The programs of large batches, each loaded when it is the fastest one for the first time.
#[derive(Debug, Default)]
pub(super) struct Powers {
    /// None until a batch was large enough to ask.
    asked: Mutex<Option<Vec<Asked>>>,
}

#[derive(Clone, Debug)]
struct Asked {
    powers: MatrixPowers,
    /// None until it was the fastest once.
    programs: Option<Programs>,
}

impl Powers {
    /// The programs for `share` instances of each GPU if they are faster than those of `spec`. Exponents in memory of
    /// the machine are looked at; others are taken to be long.
    pub(super) fn programs<B: Base>(
        &self,
        gpus: &Gpus,
        spec: &ProgramSpec,
        share: u64,
        operands: Option<&[&Batch<B>]>,
    ) -> Result<Option<Programs>, EngineError> {
        if share < FEWEST {
            return Ok(None);
        }
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let gpu @ Gpu { planner, limits, .. } = gpus.first();
        let asked = match &mut *asked {
            Some(asked) => asked,
            none => {
                let all = planner.matrix_powers(spec, limits)?.into_iter();
                none.insert(all.map(|powers| Asked { powers, programs: None }).collect())
            }
        };
        let multiprocessors = gpu.device.info().multiprocessors;
        let time = |asked: &Asked| asked.powers.time(share, multiprocessors);
        let paying = asked.iter_mut().filter(|asked| asked.powers.pays(share, multiprocessors));
        let Some(fastest) = paying.min_by(|a, b| time(a).total_cmp(&time(b))) else { return Ok(None) };
        if !has_long_exponents(&fastest.powers, operands) {
            return Ok(None);
        }
        if fastest.programs.is_none() {
            fastest.programs = Some(gpus.load(|gpu| gpu.program(&fastest.powers.spec))?);
        }
        Ok(fastest.programs.clone())
    }
}

/// Whether the exponents of a batch are long enough on average, as far as they are known.
fn has_long_exponents<B: Base>(powers: &MatrixPowers, operands: Option<&[&Batch<B>]>) -> bool {
    let (Some(exponents), Some(operands)) = (&powers.exponents, operands) else { return true };
    exponents
        .iter()
        .filter_map(|&i| operands.get(i))
        .all(|batch| powers.pays_for_exponents(average_bits(batch)))
}

/// The average bit length of integers spread over a batch.
fn average_bits<B: Base>(batch: &Batch<B>) -> u64 {
    let count = batch.instances().min(SAMPLE);
    let at = |i: usize| batch.get(i * (batch.instances() / count.max(1)));
    let bits = |i: usize| at(i).map_or(0, |limbs| slice::bits::bit_len(&limbs).into());
    (0..count).map(bits).sum::<u64>() / count.max(1) as u64
}
