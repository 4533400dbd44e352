//! Batched transforms against those of the CPU.

use limbforge::EngineError;
use limbforge::algos::transform::ntt::{DynNtt, NttPlan};
use limbforge_gpu::LoadedProgram;
use limbforge_kernels_gen::ntt::TransformPlan;

use super::{MARGIN, POISON, not_loaded};
use crate::error::CliError;
use crate::gpu_commands::selftest::cases::BatchedTransform;
use crate::gpu_commands::selftest::report::Outcome;
use limbforge_cli::gpu::kernels::Gpu;

/// Points of the largest batch, unless one transform has more.
const BATCH_POINTS: usize = 1 << 19;
const SMALL_BATCH_POINTS: usize = 1 << 16;

/// Compiles the transform's kernels, runs them on several batches and compares every point.
///
/// # Errors
/// For a failure that leaves the GPU or the machine in no state to go on.
pub(super) fn check(gpu: &Gpu, case: &BatchedTransform, seed: u64, small: bool) -> Result<Outcome, CliError> {
    let plan = case.plan(&gpu.limits)?;
    let (program, block) = match load(gpu, &plan) {
        Ok(loaded) => loaded,
        Err(error) => return not_loaded(error, |error| case.may_refuse(error)),
    };
    let points = case.points as usize;
    let cpu = DynNtt::new(case.field()?, NttPlan::new(points, case.wrap).map_err(EngineError::from)?)
        .map_err(EngineError::from)?;
    let mut compared = 0;
    for transforms in batch_sizes(block as usize, points, small) {
        let values = operands(case.prime, points, transforms, seed);
        let mut expected = values.clone();
        cpu.run_residues(case.direction, &mut expected).map_err(EngineError::from)?;
        let found = run(gpu, &program, &plan, &values)?;
        if let Some(why) = difference(&plan, &expected, &found) {
            return Ok(Outcome::Failed(format!("{case}: N={transforms}, {why}")));
        }
        compared += transforms as u64;
    }
    Ok(Outcome::Equal { instances: compared })
}

fn load(gpu: &Gpu, plan: &TransformPlan) -> Result<(LoadedProgram, u32), CliError> {
    let program = gpu.load_planned(&plan.program(&gpu.limits)?)?;
    let block = program.kernels().map(|kernel| kernel.geometry().instances).max().unwrap_or(1);
    Ok((program, block))
}

/// Batches of one transform, of less than a block, of several blocks of which the last is not full, and a large one.
fn batch_sizes(block: usize, points: usize, small: bool) -> Vec<usize> {
    let most = if small { SMALL_BATCH_POINTS } else { BATCH_POINTS } / points;
    let large = if small { 0 } else { most.next_multiple_of(block).saturating_sub(block.div_ceil(2)) };
    let mut sizes = vec![1, block - 1, 2 * block + block.div_ceil(2), large];
    sizes.retain(|&size| size == 1 || (2..=most).contains(&size));
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// The worst for lazy residues first: p - 1 everywhere; then runs of p - 1, 0 and 1; then words that look random.
fn operands(p: u64, points: usize, transforms: usize, seed: u64) -> Vec<u64> {
    let mut state = seed;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state ^ state >> 31) % p
    };
    let value = |at: usize| match at / points {
        0 => p - 1,
        1 => [p - 1, 0, 1][at / 3 % 3],
        _ => random(),
    };
    (0..points * transforms).map(value).collect()
}

/// The points and the margin behind them, as words of 32 bits.
fn run(
    gpu: &Gpu,
    program: &LoadedProgram,
    plan: &TransformPlan,
    values: &[u64],
) -> Result<Vec<u32>, CliError> {
    let transforms = values.len() as u64 / u64::from(plan.spec.points());
    let input = gpu.device.upload(&words(plan, values))?;
    let mut output = gpu.device.alloc(input.bytes() + MARGIN)?;
    output.fill(POISON)?;
    let scratch = gpu.device.scratch(program, transforms)?;
    gpu.device.run_program(program, &[&input], &scratch, &mut output, transforms)?;
    let mut found = vec![0; output.bytes() as usize / 4];
    output.copy_to(&mut found)?;
    Ok(found)
}

fn words(plan: &TransformPlan, values: &[u64]) -> Vec<u32> {
    let words = plan.spec.point_words() as usize;
    values.iter().flat_map(|&value| [value as u32, (value >> 32) as u32].into_iter().take(words)).collect()
}

/// What is wrong with the points, whose margin must still be poison.
fn difference(plan: &TransformPlan, expected: &[u64], found: &[u32]) -> Option<String> {
    let (words_of_point, points) = (plan.spec.point_words() as usize, plan.spec.points() as usize);
    let (result, margin) = found.split_at_checked(expected.len() * words_of_point)?;
    if margin.iter().any(|&word| word != u32::from_le_bytes([POISON; 4])) {
        return Some("the kernel has written behind its result".to_owned());
    }
    let value = |words: &[u32]| words.iter().rev().fold(0, |value, &word| value << 32 | u64::from(word));
    let found: Vec<u64> = result.chunks_exact(words_of_point).map(value).collect();
    let wrong: Vec<usize> = (0..found.len()).filter(|&at| found[at] != expected[at]).collect();
    let &first = wrong.first()?;
    Some(format!(
        "{} points differ, the first is {} of transform {}: expected {}, found {}",
        wrong.len(),
        first % points,
        first / points,
        expected[first],
        found[first]
    ))
}

#[cfg(test)]
mod tests {
    use limbforge::algos::transform::ntt::{Direction, Wrap};
    use limbforge::field::DynField;
    use limbforge_kernels_gen::ntt::TransformSpec;

    use super::*;

    #[test]
    fn sizes_leave_the_last_block_open() {
        assert_eq!(batch_sizes(8, 16, false), [1, 7, 20, 32764]);
        assert_eq!(batch_sizes(8, 16, true), [1, 7, 20]);
        assert_eq!(batch_sizes(1, 1 << 14, true), [1, 3]);
        assert_eq!(batch_sizes(1, 1 << 17, false), [1, 3]);
        assert_eq!(batch_sizes(1, 1 << 24, false), [1]);
    }

    #[test]
    fn differences_are_named() {
        for p in [97, u64::MAX - (1 << 32) + 2] {
            let spec = TransformSpec::new(&DynField::new(p).unwrap(), 16, Wrap::Cyclic, Direction::Forward);
            let plan = TransformPlan::new(spec.unwrap()).unwrap();
            let expected = operands(p, 16, 3, 5);
            assert!(expected.iter().all(|&value| value < p));
            let mut found = words(&plan, &expected);
            found.extend([u32::from_le_bytes([POISON; 4]); 4]);
            assert_eq!(difference(&plan, &expected, &found), None);
            let last = found.len() - 5;
            found[last] ^= 1 << 30;
            let why = difference(&plan, &expected, &found).unwrap();
            assert!(why.starts_with("1 points differ, the first is 15 of transform 2: expected "), "{why}");
            found[last + 1] = 0;
            let why = difference(&plan, &expected, &found).unwrap();
            assert_eq!(why, "the kernel has written behind its result");
        }
    }
}
