//! One kernel, program or transform against the CPU backend.

mod batched;
mod difference;
mod known;
mod programs;
mod random;
mod rounds;
mod subject;

use limbforge::algos::cpu;
use limbforge::prelude::*;
use limbforge_gpu::{GpuError, LoadedProgram, NvrtcError, Word};

use self::difference::difference;
use self::subject::{Chunks, Subject};
use super::arguments::Extent;
use super::cases::{Case, Evaluation, Method};
use super::report::Outcome;
use crate::error::CliError;
use limbforge_cli::gpu::kernels::Gpu;
use limbforge_cli::gpu::operands::Operands;
use limbforge_cli::with_limb;

/// What the result's buffer holds before a kernel runs: a value that no kernel leaves there by itself.
const POISON: u8 = 0xa5;

/// Bytes behind the result that a kernel must not touch.
const MARGIN: u64 = 256;

/// Bits of the largest batch, and of the largest one with products, which take the CPU longer.
const BATCH_BITS: usize = 1 << 22;
const PRODUCT_BITS: usize = 1 << 20;

/// Bits of each batch of many instances.
const MANY_BITS: usize = 1 << 26;

/// Instances of the largest batch.
const MAX_INSTANCES: usize = 5003;

/// Compiles the case's kernels, runs them on several batches and compares every instance. Random expressions take the way of a
/// user's, through an engine of the same GPU.
///
/// # Errors
/// For a failure that leaves the GPU or the machine in no state to go on.
pub(super) fn check(
    gpu: &Gpu,
    engine: &Engine,
    case: &Case,
    seed: u64,
    extent: Extent,
) -> Result<Outcome, CliError> {
    match case {
        Case::Evaluation(case) => evaluate(gpu, case, seed, extent),
        Case::Batched(case) => batched::check(gpu, case, seed, extent.small),
        Case::Program(case) => programs::check(gpu, case, seed),
        Case::Random(case) => random::check(engine, case, extent),
    }
}

/// The outcome of a case whose kernels are not loaded.
fn not_loaded(error: CliError, may_refuse: impl Fn(&CliError) -> bool) -> Result<Outcome, CliError> {
    match error {
        _ if may_refuse(&error) => Ok(Outcome::Refused(error.to_string())),
        error if is_about_kernel(&error) => Ok(Outcome::Failed(error.to_string())),
        error => Err(error),
    }
}

fn evaluate(gpu: &Gpu, case: &Evaluation, seed: u64, extent: Extent) -> Result<Outcome, CliError> {
    let subject = match Subject::load(gpu, case, Chunks::Small) {
        Ok(subject) => subject,
        Err(error) => return not_loaded(error, |error| case.may_refuse(error)),
    };
    with_limb!(case.limb, B => compare::<B>(gpu, &subject, case, seed, extent))
}

/// Whether another kernel may well run.
const fn is_about_kernel(error: &CliError) -> bool {
    matches!(
        error,
        CliError::Spec(_)
            | CliError::Internal(_)
            | CliError::Gpu(
                GpuError::Nvrtc(NvrtcError::Compile(_))
                    | GpuError::Refused { .. }
                    | GpuError::Entry { .. }
                    | GpuError::SharedMemory { .. }
                    | GpuError::Threads { .. }
            )
    )
}

/// Batches of one instance, of less than a block, of several blocks of which the last is not full, and a large one.
fn batch_sizes(per_block: u32, ty: IntType, products: bool, small: bool) -> Vec<usize> {
    let block = per_block as usize;
    let mut sizes = vec![1, 2 * block + block.div_ceil(2)];
    if !small {
        let bits = if products { PRODUCT_BITS } else { BATCH_BITS };
        let large = (bits / ty.bits() as usize).min(MAX_INSTANCES).max(3 * block) + 1;
        // One more if it would fill its last block.
        sizes
            .extend([block.saturating_sub(1), large + usize::from(block > 1 && large.is_multiple_of(block))]);
    }
    sizes.retain(|&size| size > 0);
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

fn compare<B: Base + Word>(
    gpu: &Gpu,
    subject: &Subject,
    case: &Evaluation,
    seed: u64,
    extent: Extent,
) -> Result<Outcome, CliError> {
    let mut operands = Operands::new(seed);
    let sizes = batch_sizes(subject.block, case.ty, case.multiplies(), extent.small);
    let many = MANY_BITS / case.ty.bits() as usize + 1;
    let known = known_divisions::<B>(subject, case, extent.small);
    // A divisor that all instances have in common takes a batch for each pair.
    let at_once = if case.places.broadcast_last && subject.inputs.len() == 2 { 1 } else { many };
    for pairs in known.chunks(at_once) {
        let mut batches = batches(subject, case, &mut operands, pairs.len())?;
        known::put(&mut batches, pairs);
        if let Some(why) = compare_batch::<B>(gpu, subject, case, &batches, pairs.len())? {
            return Ok(Outcome::Failed(format!("known divisions: {why}")));
        }
    }
    for &instances in &sizes {
        let batches = batches(subject, case, &mut operands, instances)?;
        if let Some(why) = compare_batch::<B>(gpu, subject, case, &batches, instances)? {
            return Ok(Outcome::Failed(why));
        }
    }
    let compared = (known.len() + sizes.iter().sum::<usize>()) as u64;
    let rounds = extent.instances.saturating_sub(compared).div_ceil(many as u64);
    if rounds == 0 {
        return Ok(Outcome::Equal { instances: compared });
    }
    let subject = Subject::load(gpu, case, Chunks::Planned)?;
    let why = rounds::first_wrong(rounds, extent.threads, |round| {
        let mut operands = Operands::new(seed.wrapping_add((round + 1) << 32));
        let batches = batches(&subject, case, &mut operands, many)?;
        compare_batch::<B>(gpu, &subject, case, &batches, many)
    })?;
    Ok(why.map_or(Outcome::Equal { instances: compared + rounds * many as u64 }, Outcome::Failed))
}

/// What divisions of the first operand by the second one have failed on: only what has a name for tiny batches, and for divisors that
/// all instances have in common.
fn known_divisions<B: Base>(subject: &Subject, case: &Evaluation, small: bool) -> Vec<known::Pair<B>> {
    if known::divides(&subject.dag, &subject.inputs) {
        known::pairs(case.ty, !small && !case.places.broadcast_last)
    } else {
        vec![]
    }
}

/// A batch of the operands that come next.
fn batches<B: Base>(
    subject: &Subject,
    case: &Evaluation,
    operands: &mut Operands,
    instances: usize,
) -> Result<Vec<Batch<B>>, CliError> {
    let Subject { dag, inputs, .. } = subject;
    let mut batches =
        operands.batches(case.ty, inputs.len(), instances, case.places).map_err(EvalError::from)?;
    if dag.nodes().iter().any(|node| node.op.is_division()) {
        operands.divisions(&mut batches);
    }
    if matches!(case.method, Method::Transforms | Method::Tensor) {
        largest_first(&mut batches, instances);
    }
    Ok(batches)
}

/// Runs the kernels on a batch; what is wrong with the results, if anything.
fn compare_batch<B: Base + Word>(
    gpu: &Gpu,
    subject: &Subject,
    case: &Evaluation,
    batches: &[Batch<B>],
    instances: usize,
) -> Result<Option<String>, CliError> {
    let Subject { name, dag, inputs, .. } = subject;
    let named: Vec<(&str, &Batch<B>)> = inputs.iter().map(|input| input.name.as_str()).zip(batches).collect();
    let Checked { values, failures } = cpu::eval_checked(dag, &named)?;
    let expected = values.into_layout(case.places.output);
    let (mut found, marked) = run::<B>(gpu, &subject.loaded, batches, instances)?;
    let why = wrongly_marked(&failures, &marked).or_else(|| {
        clear(&mut found, &expected, &marked);
        difference(&expected, &found, &named)
    });
    Ok(why.map(|why| format!("{name}: N={instances}, {why}")))
}

/// Makes the first instance of all operands all ones: no digit sum is larger. An operand that is one integer for all
/// stays what it is, unless there is one instance.
fn largest_first<B: Base>(batches: &mut [Batch<B>], instances: usize) {
    for batch in batches.iter_mut().filter(|batch| batch.instances() == instances) {
        let ones = vec![B::HIGHEST; batch.limbs_per_instance()];
        batch.set_instance(0, &ones);
    }
}

/// How the instances that failed on the CPU and those that a kernel has marked differ.
fn wrongly_marked(failures: &[Failure], marked: &[u64]) -> Option<String> {
    let mut failed: Vec<u64> = failures.iter().map(|failure| failure.instance as u64).collect();
    failed.dedup();
    let only =
        |some: &[u64], others: &[u64]| some.iter().copied().find(|one| others.binary_search(one).is_err());
    if let Some(instance) = only(&failed, marked) {
        return Some(format!("instance {instance} has no result and is not marked"));
    }
    only(marked, &failed).map(|instance| format!("instance {instance} has a result and is marked"))
}

/// Sets instances that have no result to 0, as the CPU backend does.
fn clear<B: Base>(found: &mut [B], expected: &Batch<B>, marked: &[u64]) {
    let (m, n) = (expected.limbs_per_instance(), expected.instances());
    for &instance in marked {
        for limb in 0..m {
            let at = match expected.layout() {
                Layout::InstanceMajor => instance as usize * m + limb,
                Layout::Interleaved => limb * n + instance as usize,
            };
            found[at] = B::ZERO;
        }
    }
}

/// The result's limbs, those of the margin behind them, and the instances that have no result.
fn run<B: Base + Word>(
    gpu: &Gpu,
    program: &LoadedProgram,
    batches: &[Batch<B>],
    instances: usize,
) -> Result<(Vec<B>, Vec<u64>), GpuError> {
    let inputs =
        batches.iter().map(|batch| gpu.device.upload(batch.limbs())).collect::<Result<Vec<_>, _>>()?;
    let bytes = program.footprint().output * instances as u64 + MARGIN;
    let mut output = gpu.device.alloc(bytes)?;
    output.fill(POISON)?;
    let scratch = gpu.device.scratch(program, instances as u64)?;
    gpu.device.run_program(
        program,
        &inputs.iter().collect::<Vec<_>>(),
        &scratch,
        &mut output,
        instances as u64,
    )?;
    let mut found = vec![B::ZERO; bytes as usize / B::BYTES];
    output.copy_to(&mut found)?;
    Ok((found, gpu.device.marked(&scratch, instances as u64)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_leave_the_last_block_open() {
        let ty = IntType::unsigned(131).unwrap();
        assert_eq!(batch_sizes(16, ty, false, false), [1, 15, 40, 5004]);
        assert_eq!(batch_sizes(1, ty, false, true), [1, 3]);
        assert_eq!(batch_sizes(128, IntType::unsigned(1 << 18).unwrap(), true, false), [1, 127, 320, 385]);
    }

    #[test]
    fn the_first_instance_is_the_worst_case() {
        let ty = IntType::unsigned(131).unwrap();
        for (instances, broadcast_is_ones) in [(1, true), (3, false)] {
            let mut batches: Vec<Batch<u64>> =
                [instances, 1].map(|n| Batch::zeros(ty, Layout::Interleaved, n).unwrap()).into();
            largest_first(&mut batches, instances);
            let ones = [u64::MAX, u64::MAX, 7];
            assert_eq!(batches[0].instance(0), ones);
            assert_eq!(batches[1].instance(0) == ones, broadcast_is_ones);
            assert!((1..instances).all(|i| batches[0].instance(i) == [0; 3]));
        }
    }
}
