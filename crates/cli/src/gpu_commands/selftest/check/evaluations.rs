//! Expressions over integers against the CPU backend.

use limbforge::{algos::cpu, algos::expr::Op, prelude::*};
use limbforge_gpu::{LoadedProgram, Word};
use limbforge_kernels_gen::ProgramKernel;
use rayon::prelude::*;

use super::{Case, CliError, Extent, Gpu, Outcome, difference::difference, known, run};
use crate::gpu_commands::selftest::cases::{Evaluation, Method, has};
use limbforge_cli::gpu::operands::Operands;

/// Bits of the largest batch, and of the largest one with products, which take the CPU longer.
const BATCH_BITS: usize = 1 << 22;
const PRODUCT_BITS: usize = 1 << 20;

/// Bits of each batch beyond the usual ones.
const MANY_BITS: usize = 1 << 26;

/// Instances of the largest batch.
const MAX_INSTANCES: usize = 5003;

/// A case's kernels on a GPU.
struct Subject<'a> {
    gpu: &'a Gpu,
    case: &'a Evaluation,
    /// The name in failures.
    name: String,
    loaded: LoadedProgram,
    /// Instances of the largest block.
    block: usize,
}

/// The instances that pass through a program's kernels before the next ones do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chunks {
    /// Little more than two blocks, so that even small batches are cut.
    Small,
    Planned,
}

/// Compares known divisions, batches of several sizes, and further batches up to the wanted instances.
pub(super) fn check<B: Base + Word>(
    gpu: &Gpu,
    case: &Case,
    evaluation: &Evaluation,
    seed: u64,
    extent: Extent,
) -> Result<Outcome, CliError> {
    let Evaluation { dag, ty, places, .. } = evaluation;
    let subject = Subject::load(gpu, case, evaluation, Chunks::Small)?;
    let mut operands = Operands::new(seed);
    let sizes = batch_sizes(subject.block, *ty, has(dag, Op::is_product), extent.small);
    let many = MANY_BITS / ty.bits() as usize + 1;
    // Tiny batches, and divisors that all instances share, meet only the pairs with a name.
    let all_pairs = !extent.small && !places.broadcast_last;
    let known = if known::divides(dag) { known::pairs::<B>(*ty, all_pairs) } else { vec![] };
    // A shared divisor takes a batch for each pair.
    let at_once = if places.broadcast_last && dag.inputs().count() == 2 { 1 } else { many };
    let mut next = |pairs: &[known::Pair<B>], instances| {
        let mut batches = subject.batches(&mut operands, instances)?;
        known::put(&mut batches, pairs);
        subject.compare::<B>(&batches, instances)
    };
    for pairs in known.chunks(at_once) {
        if let Some(why) = next(pairs, pairs.len())? {
            return Ok(Outcome::Failed(format!("known divisions: {why}")));
        }
    }
    for &instances in &sizes {
        if let Some(why) = next(&[], instances)? {
            return Ok(Outcome::Failed(why));
        }
    }
    let compared = (known.len() + sizes.iter().sum::<usize>()) as u64;
    let rounds = extent.instances.saturating_sub(compared).div_ceil(many as u64);
    if rounds == 0 {
        return Ok(Outcome::Equal { instances: compared });
    }
    let subject = Subject::load(gpu, case, evaluation, Chunks::Planned)?;
    // Operands and expected results of some rounds are computed while the GPU runs others.
    let round = |round| {
        let mut operands = Operands::new(seed.wrapping_add((round + 1) << 32));
        let batches = subject.batches(&mut operands, many);
        batches.and_then(|batches| subject.compare::<B>(&batches, many)).transpose()
    };
    let first_wrong = || (0..rounds).into_par_iter().find_map_first(round);
    let why = pool(extent.threads)?.install(first_wrong).transpose()?;
    Ok(why.map_or(Outcome::Equal { instances: compared + rounds * many as u64 }, Outcome::Failed))
}

fn pool(threads: usize) -> Result<rayon::ThreadPool, CliError> {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| {
        let why = format!("{threads} threads do not start: {error}");
        CliError::Usage { command: "selftest", why }
    })
}

/// One instance, less than a block, several blocks of which the last is not full, and a large batch.
fn batch_sizes(block: usize, ty: IntType, products: bool, small: bool) -> Vec<usize> {
    let mut sizes = vec![1, 2 * block + block.div_ceil(2)];
    if !small {
        let bits = if products { PRODUCT_BITS } else { BATCH_BITS };
        let large = (bits / ty.bits() as usize).min(MAX_INSTANCES).max(3 * block) + 1;
        // One more if it would fill its last block.
        let is_full = block > 1 && large.is_multiple_of(block);
        sizes.extend([block.saturating_sub(1), large + usize::from(is_full)]);
    }
    sizes.retain(|&size| size > 0);
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

impl<'a> Subject<'a> {
    /// Compiles and loads the kernels.
    fn load(gpu: &'a Gpu, case: &Case, evaluation: &'a Evaluation, chunks: Chunks) -> Result<Self, CliError> {
        let mut program = case.program(&gpu.limits)?;
        let kernels = program.render(&gpu.limits)?;
        let block = kernels.iter().map(|kernel| kernel.geometry.instances).max().unwrap_or(1);
        let name = match (evaluation.method, &*program.kernels) {
            (Method::Kernel(_), [ProgramKernel::Expression(spec)]) => spec.to_string(),
            _ => case.name.clone(),
        };
        // Kernels want chunks to begin at multiples of 16 bytes, as those of a multiple of four instances do.
        if chunks == Chunks::Small && program.chunk != u64::MAX {
            program.chunk = program.chunk.min((2 * u64::from(block) + 1).next_multiple_of(4));
        }
        let loaded = gpu.device.load_program(&gpu.compiler, &program, &kernels)?;
        Ok(Self { gpu, case: evaluation, name, loaded, block: block as usize })
    }

    /// The next operands.
    fn batches<B: Base>(&self, operands: &mut Operands, instances: usize) -> Result<Vec<Batch<B>>, CliError> {
        let Evaluation { dag, ty, method, places, .. } = self.case;
        let batches = operands.batches(*ty, dag.inputs().count(), instances, *places);
        let mut batches = batches.map_err(EvalError::from)?;
        if has(dag, Op::is_division) {
            operands.divisions(&mut batches);
        }
        if !matches!(method, Method::Kernel(_)) {
            largest_first(&mut batches, instances);
        }
        Ok(batches)
    }

    /// Runs the kernels on a batch; how the results differ, if they do.
    fn compare<B: Base + Word>(
        &self,
        batches: &[Batch<B>],
        instances: usize,
    ) -> Result<Option<String>, CliError> {
        let named: Vec<(&str, &Batch<B>)> = self.case.dag.inputs().zip(batches).collect();
        let Checked { values, failures } = cpu::eval_checked(&self.case.dag, &named)?;
        let expected = values.into_layout(self.case.places.output);
        let limbs: Vec<&[B]> = batches.iter().map(Batch::limbs).collect();
        let (mut found, marked) = run(self.gpu, &self.loaded, &limbs, instances)?;
        let why = wrongly_marked(&failures, &marked).or_else(|| {
            clear(&mut found, &expected, &marked);
            difference(&expected, &found, &named)
        });
        Ok(why.map(|why| format!("{}: N={instances}, {why}", self.name)))
    }
}

/// Makes the first instance all ones, for the largest coefficients, except in an operand that several
/// instances share.
fn largest_first<B: Base>(batches: &mut [Batch<B>], instances: usize) {
    for batch in batches.iter_mut().filter(|batch| batch.instances() == instances) {
        batch.set_instance(0, &vec![B::HIGHEST; batch.limbs_per_instance()]);
    }
}

/// How the instances that failed on the CPU and those that a kernel has marked differ.
pub(super) fn wrongly_marked(failures: &[Failure], marked: &[u64]) -> Option<String> {
    let mut failed: Vec<u64> = failures.iter().map(|failure| failure.instance as u64).collect();
    failed.dedup();
    let only =
        |some: &[u64], others: &[u64]| some.iter().find(|one| others.binary_search(one).is_err()).copied();
    let unmarked =
        only(&failed, marked).map(|instance| format!("instance {instance} has no result and is not marked"));
    unmarked.or_else(|| {
        only(marked, &failed).map(|instance| format!("instance {instance} has a result and is marked"))
    })
}

/// Sets instances without a result to 0, as the CPU backend does.
pub(super) fn clear<B: Base>(found: &mut [B], expected: &Batch<B>, marked: &[u64]) {
    let (m, n) = (expected.limbs_per_instance(), expected.instances());
    for &instance in marked {
        for limb in 0..m {
            found[expected.layout().index(n, m, instance as usize, limb)] = B::ZERO;
        }
    }
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
