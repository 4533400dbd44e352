//! Batches of powers on a GPU, in an order of their own each, against a pool that the CPU has computed.

use std::time::Instant;

use limbforge::algos::modmul_rns::{LARGEST_BITS, LEAST_BITS, Plan};
use limbforge::prelude::*;
use limbforge_cli::args::LimbArgument;
use limbforge_cli::gpu::kernels::{Gpu, program_spec};
use limbforge_gpu::{DeviceBuffer, LoadedProgram, Scratch};
use limbforge_kernels_gen::Product;
use num_bigint::BigUint;
use rayon::prelude::*;

use super::PowersArguments;
use super::operands::{Random, moduli};
use super::pool::{Pool, powers};
use crate::error::LabError;

/// Bytes of an operand of a batch, at most.
const BATCH_BYTES: u64 = 256 << 20;
/// The byte of results before a run, which no kernel leaves by itself.
const POISON: u8 = 0xa5;

/// What was compared at a width.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) compared: u64,
    pub(super) wrong: u64,
    pub(super) moduli: usize,
    pub(super) seconds: f64,
    pub(super) first_wrong: Option<String>,
}

/// Compares the powers of a width.
pub(super) fn check(arguments: &PowersArguments, gpu: &Gpu, ty: IntType) -> Result<Outcome, LabError> {
    let bits = ty.bits();
    if ty.is_signed() || !(LEAST_BITS..=LARGEST_BITS).contains(&bits) {
        let why = format!("`--bits {ty}`: expected widths from {LEAST_BITS} to {LARGEST_BITS}");
        return Err(LabError::Usage { command: "powers", why });
    }
    if arguments.product == Product::Fold && !arguments.one_modulus {
        let why = "`--product fold`: expected `--one-modulus`, as folds serve one modulus".to_owned();
        return Err(LabError::Usage { command: "powers", why });
    }
    let begin = Instant::now();
    let mut random = Random(arguments.seed ^ (u64::from(bits) << 32));
    let plan =
        Plan::each(bits).map_err(|error| LabError::Usage { command: "powers", why: error.to_string() })?;
    let moduli = moduli(&plan, &mut random);
    let device = OnDevice::new(arguments, gpu, ty)?;
    let mut outcome = Outcome { moduli: moduli.len(), ..Outcome::default() };
    let pool_of = |moduli: &[BigUint], random: &mut Random| Pool::new(arguments, ty, moduli, random);
    let pools = if arguments.one_modulus { moduli.len() as u64 } else { 1 };
    // Each modulus by itself, as often as it takes; or all of them in each batch.
    let share = device.batch.min(arguments.count.div_ceil(pools));
    let mut turn = 0;
    let mut all = None;
    while outcome.compared < arguments.count && (turn == 0 || begin.elapsed() < arguments.limit()) {
        let count = share.min(arguments.count - outcome.compared);
        if arguments.one_modulus {
            let modulus = &moduli[turn % moduli.len()..][..1];
            device.compare(&pool_of(modulus, &mut random)?, count, &mut random, &mut outcome)?;
        } else {
            let pool = match &mut all {
                Some(pool) => pool,
                none => none.insert(pool_of(&moduli, &mut random)?),
            };
            device.compare(pool, count, &mut random, &mut outcome)?;
        }
        turn += 1;
    }
    outcome.seconds = begin.elapsed().as_secs_f64();
    Ok(outcome)
}

/// The loaded program.
struct OnDevice<'g> {
    gpu: &'g Gpu,
    program: LoadedProgram,
    scratch: Scratch,
    /// Instances that it has room for.
    batch: u64,
    one_modulus: bool,
}

impl<'g> OnDevice<'g> {
    fn new(arguments: &PowersArguments, gpu: &'g Gpu, ty: IntType) -> Result<Self, LabError> {
        let mut spec = program_spec(powers()?.to_dag(), arguments.product, ty, LimbArgument::U64);
        for input in spec.inputs.iter_mut().filter(|input| *input.name == *"c") {
            input.broadcast = arguments.one_modulus;
        }
        let (_, program) = gpu.load_program(&spec)?;
        let batch = (BATCH_BYTES / (8 * ty.limbs::<u64>() as u64)).min(arguments.count);
        let scratch = gpu.device.scratch(&program, batch).map_err(limbforge_cli::error::CliError::from)?;
        Ok(Self { gpu, program, scratch, batch, one_modulus: arguments.one_modulus })
    }

    /// Computes `count` powers of a pool in a random order, and compares each.
    fn compare(
        &self,
        pool: &Pool,
        count: u64,
        random: &mut Random,
        outcome: &mut Outcome,
    ) -> Result<(), LabError> {
        let size = pool.expected.instances();
        let order: Vec<u32> = (0..count).map(|_| random.below(size) as u32).collect();
        let m = pool.expected.limbs_per_instance();
        let [bases, exponents, moduli] = [0, 1, 2].map(|operand| match self.one_modulus && operand == 2 {
            true => pool.operands[operand].limbs().to_vec(),
            false => gathered(pool.operands[operand].limbs(), m, &order),
        });
        let found = self.powers([&bases, &exponents, &moduli], order.len() * m, count)?;
        let (wrong, first) = wrong(&found, pool.expected.limbs(), m, &order);
        outcome.compared += count;
        outcome.wrong += wrong;
        if let (None, Some(first)) = (&outcome.first_wrong, first) {
            outcome.first_wrong = Some(pool.describe(order[first] as usize));
        }
        Ok(())
    }

    /// The results of a batch.
    fn powers(&self, operands: [&[u64]; 3], words: usize, count: u64) -> Result<Vec<u64>, LabError> {
        let device = &self.gpu.device;
        let upload = |limbs: &[u64]| device.upload(limbs);
        let run = || -> Result<Vec<u64>, limbforge_gpu::GpuError> {
            let [a, b, c] = [upload(operands[0])?, upload(operands[1])?, upload(operands[2])?];
            let mut out: DeviceBuffer = device.alloc(8 * words as u64)?;
            out.fill(POISON)?;
            device.run_program(&self.program, &[&a, &b, &c], &self.scratch, &mut out, count)?;
            let mut found = vec![0; words];
            out.copy_to(&mut found)?;
            Ok(found)
        };
        Ok(run().map_err(limbforge_cli::error::CliError::from)?)
    }
}

/// The integers of m limbs in this order.
fn gathered(limbs: &[u64], m: usize, order: &[u32]) -> Vec<u64> {
    let mut all = vec![0; order.len() * m];
    all.par_chunks_mut(m).zip(order).for_each(|(to, &i)| to.copy_from_slice(&limbs[i as usize * m..][..m]));
    all
}

/// How many results of m limbs differ from those that they should be, and the first one.
fn wrong(found: &[u64], expected: &[u64], m: usize, order: &[u32]) -> (u64, Option<usize>) {
    let differs = |&(found, &i): &(&[u64], &u32)| *found != expected[i as usize * m..][..m];
    let pairs = || found.par_chunks(m).zip(order);
    (pairs().filter(differs).count() as u64, pairs().position_first(|pair| differs(&pair)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differing_limbs_are_counted_by_integers() {
        let expected = [1, 2, 3, 4, 5, 6];
        let order = [2, 0, 1, 2];
        let mut found = gathered(&expected, 2, &order);
        assert_eq!(found, [5, 6, 1, 2, 3, 4, 5, 6]);
        assert_eq!(wrong(&found, &expected, 2, &order), (0, None));
        (found[3], found[6], found[7]) = (9, 9, 9);
        assert_eq!(wrong(&found, &expected, 2, &order), (2, Some(1)));
    }
}
