//! Batches that are computed from nothing against the CPU.

use limbforge::prelude::*;

use super::{CliError, Gpu, Outcome, run};
use crate::gpu_commands::selftest::cases::FillCase;
use limbforge_cli::gpu::batch::POISON;

/// Bits of the largest batch.
const BATCH_BITS: u64 = 1 << 25;
const SMALL_BATCH_BITS: u64 = 1 << 22;

/// The number of the first integer, by turns: integers beyond 2^64 random words too.
const FIRST: [u64; 3] = [0, 1 << 32, u64::MAX - (1 << 26)];

/// One integer, three, the first of a second block, and many, of each fill.
pub(super) fn check<B: Base>(
    gpu: &Gpu,
    name: &str,
    case: &FillCase,
    small: bool,
) -> Result<Outcome, CliError> {
    let program = gpu.load_planned(&case.spec(&case.fills[0]).program(&gpu.limits)?)?;
    let block = program.kernels().map(|kernel| u64::from(kernel.geometry().instances)).max().unwrap_or(1);
    let most = if small { SMALL_BATCH_BITS } else { BATCH_BITS } / u64::from(case.ty.bits());
    let mut compared = 0;
    for (turn, fill) in case.fills.iter().enumerate() {
        for instances in [1, 3, block + 3, most.min(1 << 20)] {
            let first = FIRST[turn % FIRST.len()];
            let expected: Batch<B> = fill
                .batch(case.ty, case.layout, first..first + instances)
                .map_err(|error| CliError::from(EngineError::from(error)))?;
            let expected = words(expected.limbs());
            let (found, _) = run(gpu, &program, &[&*case.spec(fill).operand(first)], instances as usize)?;
            let (found, margin) = found.split_at(expected.len());
            if let Some(at) = (0..found.len()).find(|&at| found[at] != expected[at]) {
                let why = format!("word {at}: expected {:#x}, found {:#x}", expected[at], found[at]);
                return Ok(Outcome::Failed(format!("{name}: {fill:?} from {first}, N={instances}, {why}")));
            }
            if margin.iter().any(|&word| word != u32::from_le_bytes([POISON; 4])) {
                return Ok(Outcome::Failed(format!("{name}: the kernel has written behind its result")));
            }
            compared += instances;
        }
    }
    Ok(Outcome::Equal { instances: compared })
}

/// The limbs as words of 32 bits, as they lie.
fn words<B: Base>(limbs: &[B]) -> Vec<u32> {
    let mut bytes = [0; 16];
    let mut words = vec![];
    for limb in limbs {
        limb.write_le_bytes(&mut bytes[..B::BYTES]);
        words.extend(bytes[..B::BYTES].chunks(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limbs_are_words_as_they_lie() {
        assert_eq!(words(&[1_u64, 2 << 32 | 3]), [1, 0, 3, 2]);
        assert_eq!(words(&[5_u32, 6]), [5, 6]);
        assert_eq!(words(&[7_u128 << 96]), [0, 0, 0, 7]);
    }
}
