//! Operations of integer kernels, and the cycles that lanes take for each.

use limbforge_algos::block::mul_tensor::{matrix_products, matrix_products_by_half, wide_steps};
use limbforge_algos::expr::Dag;

use super::device::DeviceFigures;
use crate::tensor::MulTensorSpec;
use crate::{lower::lowering, ntt::MulNttSpec, pipeline::ProgramKernel, spec::KernelSpec};

/// Cycles of each of a multiprocessor's 128 lanes for a 32-bit multiplication with its addition and carry,
/// for a 32-bit word of another operation, and for a butterfly. From the times of low products on an H200
/// (`data/plans/sm_90.json`); `times_are_near_what_was_measured` of [`super::many_core`] tests how near they
/// are.
const MULTIPLY_CYCLES: f64 = 4.3;
const LINEAR_CYCLES: f64 = 2.0;
const BUTTERFLY_CYCLES: f64 = 10.5;
/// Cycles of one of the four schedulers for a matrix product, and instructions of a step, which loads the
/// fragments of all tiles of a pass: counted in the machine code (`docs/mul_tensor.md`). The fragments of a
/// step go through the pipe of the shared memory, which the schedulers share: nine loads for four steps, or
/// six cycles a step of prebuilt fragments. From times with one to three tiles a pass.
const MATRIX_CYCLES: f64 = 6.1;
const STEP_CYCLES: f64 = 5.0;
const FRAGMENT_CYCLES: f64 = 4.0 * 2.25;
const QUAD_CYCLES: f64 = 4.0 * 6.0;
/// Lanes of a scheduler.
const SCHEDULER_LANES: f64 = 32.0;
/// Cycles for each word of a tensor product beside multiplications: staging digits, assembling words.
const STAGING_CYCLES: f64 = 24.0;
/// Cycles of a product by columns for each thread, where several share an instance: words go through shared
/// memory, and carries are resolved. From products of 512 bits with 4, 8 and 16 words of a thread.
const EXCHANGE_CYCLES: f64 = 190.0;
/// Multiplications of 32-bit words in a product of 16 x 32 and 32 x 8 bytes.
const WORDS_OF_MATRICES: f64 = 256.0;

/// Operations for an instance, and the cycles of one.
pub(super) fn operations(kernel: &ProgramKernel, device: &DeviceFigures) -> (f64, f64) {
    match kernel {
        ProgramKernel::Expression(spec) => {
            let (operations, cycles) = of_expression(&spec.dag, spec.words().into());
            (operations, cycles + exchange_cycles(spec) / operations.max(1.0))
        }
        ProgramKernel::MulNtt(spec) => (butterflies(spec), BUTTERFLY_CYCLES),
        ProgramKernel::DivNewton(spec) => (f64::from(spec.planes().iter().sum::<u32>()), LINEAR_CYCLES),
        // Counted by the words that it moves alone.
        ProgramKernel::Rendered(_) => (0.0, LINEAR_CYCLES),
        ProgramKernel::MulTensor(spec) => {
            let products = WORDS_OF_MATRICES * matrices(spec);
            let words = spec.phases.products().count() as f64 * f64::from(spec.result_words());
            let cycles = products * matrix_cycles(spec, device) * SCHEDULER_LANES / WORDS_OF_MATRICES
                + words * STAGING_CYCLES;
            (products + words, cycles / (products + words).max(1.0))
        }
    }
}

/// Cycles of a scheduler for a matrix product with its share of a step: instructions, or loads of fragments.
fn matrix_cycles(spec: &MulTensorSpec, device: &DeviceFigures) -> f64 {
    let tiles_per_pass = f64::from(spec.plan.schedule.tiles_per_pass);
    let instructions = tiles_per_pass * MATRIX_CYCLES * device.matrix_cycles_ratio() + STEP_CYCLES;
    instructions.max(if spec.plan.slots.prebuilt_fragments { QUAD_CYCLES } else { FRAGMENT_CYCLES })
        / tiles_per_pass
}

/// Cycles of all lanes of an instance for the exchanges between its threads in products by columns.
fn exchange_cycles(spec: &KernelSpec) -> f64 {
    let threads = spec.mapping.lanes * spec.mapping.warps;
    let products = spec.dag.nodes().iter().filter(|node| node.op.is_product()).count();
    if threads > 1 { EXCHANGE_CYCLES * f64::from(threads) * products as f64 } else { 0.0 }
}

/// Share of the lanes' operations that are not padding.
pub(super) fn busy(kernel: &ProgramKernel) -> f64 {
    match kernel {
        ProgramKernel::Expression(spec) => {
            let (mapping, dag) = (&spec.mapping, &spec.dag);
            let cycles = |words: u32| {
                let (operations, cycles) = of_expression(dag, words.into());
                operations * cycles
            };
            let computed = cycles(mapping.padded_words().max(spec.words()));
            let lanes = mapping.lanes * mapping.warps * mapping.instances;
            let padded = if computed > 0.0 { cycles(spec.words()) / computed } else { 1.0 };
            padded * f64::from(lanes) / f64::from(mapping.threads())
        }
        ProgramKernel::MulTensor(spec) => team_share(spec),
        ProgramKernel::MulNtt(_) | ProgramKernel::DivNewton(_) | ProgramKernel::Rendered(_) => 1.0,
    }
}

/// Average over maximum of the steps of an instance's warps: groups go to them from the longest down and up.
fn team_share(spec: &MulTensorSpec) -> f64 {
    let plan = &spec.plan;
    let (tiles, count) = (plan.tiling.tiles as usize, plan.schedule.warps_per_instance as usize);
    let steps: Vec<usize> = if plan.tiling.wide {
        (0..2 * tiles).map(|tile| wide_steps(tile, tiles).len()).collect()
    } else {
        (0..tiles).map(|tile| 4 * (tile + 1)).collect()
    };
    // The remainder is the first group.
    let groups = steps.rchunks(plan.schedule.tiles_per_pass as usize);
    let mut groups: Vec<usize> = groups.map(|group| group.iter().sum()).collect();
    groups.sort_unstable_by(|a, b| b.cmp(a));
    let mut warps = vec![0; count];
    for (i, group) in groups.iter().enumerate() {
        let (round, place) = (i / count, i % count);
        warps[if round % 2 == 0 { place } else { count - 1 - place }] += group;
    }
    let most = warps.iter().max().copied().unwrap_or(0).max(1);
    groups.iter().sum::<usize>() as f64 / (count * most) as f64
}

/// Multiplications, or words of other operations, and the cycles of one. Constants take none.
fn of_expression(dag: &Dag, words: u64) -> (f64, f64) {
    let (mut products, mut linear) = (0.0, 0.0);
    for node in dag.nodes().iter().filter(|node| !node.args.is_empty()) {
        let work = (lowering(&node.op).work)(words as f64);
        (products, linear) = (products + work.products, linear + work.words);
    }
    let cycles = products * MULTIPLY_CYCLES + linear * LINEAR_CYCLES;
    let operations = products + linear;
    (operations, if operations > 0.0 { cycles / operations } else { LINEAR_CYCLES })
}

/// Butterflies of all transforms forward and back, modulo all primes.
fn butterflies(spec: &MulNttSpec) -> f64 {
    let forward: usize = spec.steps.iter().map(|step| step.operands.len()).sum();
    let (transforms, points) = (forward + spec.residues(), f64::from(spec.plan.points()));
    (transforms * spec.plan.primes.primes().len()) as f64 * points / 2.0 * points.log2()
}

/// Matrix products of bytes.
fn matrices(spec: &MulTensorSpec) -> f64 {
    let (words, tiles) = (spec.words() as usize, spec.plan.tiling.tiles as usize);
    let steps = if spec.plan.tiling.wide {
        (0..2 * tiles).map(|tile| wide_steps(tile, tiles).len()).sum()
    } else if spec.plan.squaring.half > 0 {
        matrix_products_by_half(words)
    } else {
        matrix_products(words)
    };
    let shared = if spec.plan.tiling.paired { 0.5 } else { 1.0 };
    let product = |[a, b]: [_; 2]| if spec.plan.squaring.squares && a == b { 0.5 } else { 1.0 };
    spec.phases.products().map(product).sum::<f64>() * steps as f64 * shared
}
