//! The many-core model's measures of integer kernels, and the time that follows from them without a measured one.
//!
//! `limbforge_algos::model` (Haque, Moreno Maza and Xie 2014) has formulas for programs on polynomials; here the measures are
//! counted from the launches of a [`Program`]: work, span, words moved, blocks. The time is that of the model's refinement, with the cycles of an
//! operation by what computes it. Putting residues together after transforms is counted by its words alone.
//!
//! What tells mappings of the same kernel apart is in [`super::resident`]: idle lanes, warps that hide what others wait for, barriers.

use limbforge_algos::expr::{Dag, Op};
use limbforge_algos::model::Refinement;
use limbforge_algos::model::machine::Figures;
use limbforge_algos::model::refined::Counts;
use limbforge_algos::mul_tensor::{matrix_products, wide_steps};
use limbforge_limb::IntType;

use super::device::Device;
use super::resident::Resident;
use crate::error::SpecError;
use crate::ntt::MulNttSpec;
use crate::program::{Launch, LaunchKernel, Program, Sink, Source};
use crate::resources::Limits;
use crate::spec::KernelSpec;
use crate::tensor::MulTensorSpec;

/// Bits of an operand's batch.
const BATCH_BITS: u64 = 1 << 32;

/// Cycles of each of a multiprocessor's 128 lanes for a 32-bit multiplication with its addition and carry; for 32-bit words of other
/// operations; and for a butterfly. From the times of low products on an H200 (`data/plans/sm_90.json`): the test
/// `times_are_near_what_was_measured` has how near.
const MULTIPLY_CYCLES: f64 = 4.6;
const LINEAR_CYCLES: f64 = 2.0;
const BUTTERFLY_CYCLES: f64 = 10.5;

/// Cycles of one of the four schedulers for a product of matrices, and instructions of a step, which loads fragments for all tiles
/// that are computed together: counted in the machine code (`docs/mul_tensor.md`). The fragments of a step take the shared memory's pipe,
/// which the schedulers share, three cycles, ready made ones six: from times with one to three tiles together.
const MATRIX_CYCLES: f64 = 6.1;
const STEP_CYCLES: f64 = 5.0;
const FRAGMENT_CYCLES: f64 = 4.0 * 3.0;
const QUAD_CYCLES: f64 = 4.0 * 6.0;

/// Lanes of a scheduler.
const SCHEDULER_LANES: f64 = 32.0;

/// Cycles for each word of such a product that is not a multiplication: digits go through shared memory, sums of digits become words.
const STAGING_CYCLES: f64 = 28.0;

/// Cycles of a product by columns for each thread, where several share an instance: words go through shared memory, and carries are
/// resolved. From products of 512 bits with 4, 8 and 16 words of a thread.
const EXCHANGE_CYCLES: f64 = 190.0;

/// Multiplications of 32-bit words in a product of 16 x 32 and 32 x 8 bytes.
const WORDS_OF_MATRICES: f64 = 256.0;

/// What a launch costs for a batch of 2^32 bits of each operand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaunchMeasures {
    /// W: operations of all threads. An operation is a multiplication of 32-bit words with its addition, a butterfly of a transform, or
    /// a word of another operation.
    pub work: f64,
    /// S: operations of a thread for all its instances.
    pub span: f64,
    /// Words of 32 bits that all threads move between global memory and the multiprocessors: O / U times the threads of a block.
    pub words: f64,
    /// N: thread blocks.
    pub blocks: u64,
    /// Threads of a block.
    pub threads: u32,
    /// Share of the lanes' operations that are those of W: the others are of padding, or of warps that have nothing to do.
    pub busy: f64,
    /// Warps that a multiprocessor holds at once.
    pub warps: u32,
    /// Barriers that nothing else is done at, one after the other.
    pub waits: f64,
    /// The time of the model.
    pub milliseconds: f64,
}

/// The measures of a program for a batch of 2^32 bits of each operand.
#[derive(Clone, Debug, PartialEq)]
pub struct ManyCore {
    /// Launch by launch.
    pub launches: Vec<LaunchMeasures>,
}

impl ManyCore {
    /// The time of the model.
    #[must_use]
    pub fn milliseconds(&self) -> f64 {
        self.launches.iter().map(|launch| launch.milliseconds).sum()
    }

    pub(super) fn of(
        ty: IntType,
        program: &Program,
        limits: &Limits,
        device: &Device,
    ) -> Result<Self, SpecError> {
        let instances = BATCH_BITS / u64::from(ty.bits()).max(1);
        let measures = |launch| measures(launch, program, limits, device, instances);
        Ok(Self { launches: program.launches.iter().map(measures).collect::<Result<_, _>>()? })
    }
}

fn measures(
    launch: &Launch,
    program: &Program,
    limits: &Limits,
    device: &Device,
    instances: u64,
) -> Result<LaunchMeasures, SpecError> {
    let block = launch.kernel.block(limits)?;
    let geometry = block.geometry;
    let (operations, cycles) = operations(&launch.kernel, device);
    let held = f64::from(geometry.instances.max(1)) / f64::from(geometry.planes.max(1));
    let threads = f64::from(geometry.threads) / held;
    let (work, span) = (operations * instances as f64, operations / threads);
    let read = |source: &Source| match *source {
        Source::Input(i) => program.input_words[i],
        Source::Buffer(i) => program.buffers[i],
        Source::Plane { words, .. } => words,
        // One table for all instances.
        Source::Table(_) => 0,
    };
    let written = match launch.output {
        Sink::Result => program.result_words,
        Sink::Buffer(i) => program.buffers[i],
    };
    let words = (launch.inputs.iter().map(read).sum::<u64>() + written) as f64 * instances as f64;
    let refinement = refinement(device, cycles);
    let lanes = refinement.lanes as f64;
    let (blocks, busy) = (geometry.blocks(instances), busy(&launch.kernel));
    let resident = Resident::of(&block, device);
    let block_cycles = operations * held / busy * cycles / lanes;
    let waits = resident.waits(block.barriers, block_cycles, blocks);
    let slower = resident.slower() / busy;
    let counts = Counts {
        launches: instances.div_ceil(program.chunk.max(1)) as f64,
        waits,
        operations: slower * span * (f64::from(geometry.threads) / lanes).ceil()
            + slower * work / (f64::from(device.multiprocessors) * lanes),
        words,
    };
    let (threads, warps, milliseconds) =
        (geometry.threads, resident.warps(), 1e3 * refinement.seconds(&counts));
    Ok(LaunchMeasures { work, span, words, blocks, threads, busy, warps, waits, milliseconds })
}

/// The model's times on a device, with operations of so many cycles.
fn refinement(device: &Device, cycles: f64) -> Refinement {
    let clock_hz = 1e6 * f64::from(device.clock_mhz);
    Refinement {
        lanes: Figures::H200.lanes,
        launch: Figures::H200.launch_seconds,
        wait: Figures::H200.wait_cycles / clock_hz,
        operation: cycles / clock_hz,
        word: device.memory_milliseconds(1.0) / 1e3 / (BATCH_BITS / 32) as f64,
    }
}

/// Operations for an instance, and the cycles of one.
fn operations(kernel: &LaunchKernel, device: &Device) -> (f64, f64) {
    match kernel {
        LaunchKernel::Expression(spec) => {
            let (operations, cycles) = of_expression(&spec.dag, spec.words().into());
            (operations, cycles + exchange_cycles(spec) / operations.max(1.0))
        }
        LaunchKernel::MulNtt(spec) => (butterflies(spec), BUTTERFLY_CYCLES),
        LaunchKernel::DivNewton(spec) => (f64::from(spec.planes().iter().sum::<u32>()), LINEAR_CYCLES),
        LaunchKernel::MulTensor(spec) => {
            let products = WORDS_OF_MATRICES * matrices(spec);
            let words = spec.phases.products().count() as f64 * f64::from(spec.result_words());
            let cycles = products * matrix_cycles(spec, device) * SCHEDULER_LANES / WORDS_OF_MATRICES
                + words * STAGING_CYCLES;
            (products + words, cycles / (products + words).max(1.0))
        }
    }
}

/// Cycles of a scheduler for a product of matrices with its share of a step: instructions, or the fragments' way through the shared
/// memory's pipe.
fn matrix_cycles(spec: &MulTensorSpec, device: &Device) -> f64 {
    let together = f64::from(spec.plan.together);
    let instructions = together * MATRIX_CYCLES * device.matrix_cycles_ratio() + STEP_CYCLES;
    instructions.max(if spec.plan.quads { QUAD_CYCLES } else { FRAGMENT_CYCLES }) / together
}

/// Cycles of all lanes of an instance for what its threads tell each other in products by columns.
fn exchange_cycles(spec: &KernelSpec) -> f64 {
    let threads = spec.mapping.lanes * spec.mapping.warps;
    let products = spec.dag.nodes().iter().filter(|node| node.op.is_product()).count();
    if threads > 1 { EXCHANGE_CYCLES * f64::from(threads) * products as f64 } else { 0.0 }
}

/// Share of the lanes' operations that are of the instances.
fn busy(kernel: &LaunchKernel) -> f64 {
    match kernel {
        LaunchKernel::Expression(spec) => {
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
        LaunchKernel::MulTensor(spec) => team_share(spec),
        LaunchKernel::MulNtt(_) | LaunchKernel::DivNewton(_) => 1.0,
    }
}

/// Steps of an average warp of a team over those of the one with the most: groups go to the warps from the longest down and back again.
fn team_share(spec: &MulTensorSpec) -> f64 {
    let plan = &spec.plan;
    let (tiles, together, team) = (plan.tiles as usize, plan.together as usize, plan.team as usize);
    let steps: Vec<usize> = if plan.wide {
        (0..2 * tiles).map(|tile| wide_steps(tile, tiles).len()).collect()
    } else {
        (0..tiles).map(|tile| 4 * (tile + 1)).collect()
    };
    // The first group has what is left over.
    let mut groups: Vec<usize> = steps.rchunks(together).map(|group| group.iter().sum()).collect();
    groups.sort_unstable_by(|a, b| b.cmp(a));
    let mut warps = vec![0; team];
    for (i, group) in groups.iter().enumerate() {
        let (round, place) = (i / team, i % team);
        warps[if round % 2 == 0 { place } else { team - 1 - place }] += group;
    }
    let most = warps.iter().max().copied().unwrap_or(0).max(1);
    groups.iter().sum::<usize>() as f64 / (team * most) as f64
}

/// Multiplications, or words of other operations, of which a product takes none beside.
fn of_expression(dag: &Dag, words: u64) -> (f64, f64) {
    let w = words as f64;
    let (mut products, mut linear) = (0.0, 0.0);
    for node in dag.nodes() {
        match node.op {
            // Squares are computed as products.
            Op::Mul | Op::Sqr => products += w * (w + 1.0) / 2.0,
            Op::MulHigh | Op::MulWide | Op::SqrWide => products += w * w,
            // By schoolbook: quotient times divisor, at most when each has half the words.
            Op::Div | Op::Rem | Op::DivEuclid | Op::RemEuclid | Op::DivExact | Op::Divisible => {
                products += w * w / 4.0;
            }
            _ if node.args.is_empty() => {}
            _ => linear += w,
        }
    }
    let cycles = products * MULTIPLY_CYCLES + linear * LINEAR_CYCLES;
    let operations = products + linear;
    (operations, if operations > 0.0 { cycles / operations } else { LINEAR_CYCLES })
}

/// Of all transforms forward and back, modulo all primes.
fn butterflies(spec: &MulNttSpec) -> f64 {
    let forward: usize = spec.steps.iter().map(|step| step.operands.len()).sum();
    let (transforms, points) = (forward + spec.residues(), f64::from(spec.plan.points()));
    (transforms * spec.plan.primes.primes().len()) as f64 * points / 2.0 * points.log2()
}

/// Products of matrices of bytes.
fn matrices(spec: &MulTensorSpec) -> f64 {
    let (words, tiles) = (spec.words() as usize, spec.plan.tiles as usize);
    let steps = if spec.plan.wide {
        (0..2 * tiles).map(|tile| wide_steps(tile, tiles).len()).sum()
    } else {
        matrix_products(words)
    };
    let shared = if spec.plan.paired { 0.5 } else { 1.0 };
    let product = |[a, b]: [_; 2]| if spec.plan.squares && a == b { 0.5 } else { 1.0 };
    spec.phases.products().map(product).sum::<f64>() * steps as f64 * shared
}

#[cfg(test)]
mod tests {
    use limbforge_algos::expr::Expr;
    use limbforge_limb::Layout;

    use super::*;
    use crate::planner::{Basis, Planner};
    use crate::program::{Product, ProgramSpec};
    use crate::spec::{InputSpec, LimbKind, Target};

    fn program(expression: &str, bits: u32, product: Product) -> (ProgramSpec, Program) {
        let dag = Expr::parse(expression).unwrap().to_dag();
        let layout = Layout::InstanceMajor;
        let inputs = dag.inputs().map(|name| InputSpec::integers(name, layout, false)).collect();
        let ty = IntType::unsigned(bits.into()).unwrap();
        let limb = LimbKind::of::<u32>();
        let spec = ProgramSpec { dag, ty, limb, inputs, output: layout, product, target: Target::Cuda };
        let program = Program::new(&spec, &Limits::SM_90).unwrap();
        (spec, program)
    }

    #[test]
    fn measures_of_a_classical_product() {
        let (spec, program) = program("a * b", 4096, Product::Classical);
        let all = ManyCore::of(spec.ty, &program, &Limits::SM_90, Device::of(90)).unwrap();
        let [launch] = &all.launches[..] else { panic!("one launch") };
        let (words, instances) = (128.0, f64::from(1 << 20));
        assert!((launch.work - words * (words + 1.0) / 2.0 * instances).abs() < 1.0);
        assert!((launch.words - 3.0 * words * instances).abs() < 1.0);
        assert_eq!(launch.blocks * u64::from(launch.threads) % 32, 0);
        assert!(launch.span > 100.0 && launch.span * f64::from(1 << 20) < launch.work);
        // 2^27 words, three times, at the bandwidth that an addition reaches: 0.372 ms at least.
        assert!(all.milliseconds() > 0.372 && all.milliseconds() == launch.milliseconds);
    }

    /// As measured on an H200: low products within two fifths, others within a factor of 2.2. What the model takes for the
    /// fastest is nowhere more than 1.6 times as slow as the fastest.
    #[test]
    fn times_are_near_what_was_measured() {
        let planner = Planner::new(90);
        let mut compared = 0;
        for expression in ["a * b", "mul_wide(a, b)", "(a*a + b)*(b*b + b) + a*b"] {
            for bits in (9..17).map(|log2| 1 << log2) {
                let mut times = vec![];
                for product in [Product::Classical, Product::Tensor, Product::Ntt] {
                    let (spec, program) = program(expression, bits, product);
                    let Some(known) = planner.shipped_estimate(&spec, product, &program) else { continue };
                    assert_eq!(known.basis, Basis::Measured, "{expression} {bits} {product}");
                    let found = planner.many_core(&spec, &program, &Limits::SM_90).unwrap().milliseconds();
                    let ratio = found / known.milliseconds;
                    let range = if expression == "a * b" { 0.6..1.4 } else { 0.45..1.6 };
                    assert!(range.contains(&ratio), "{expression} {bits} {product}: {ratio}");
                    times.push((found, known.milliseconds));
                    compared += 1;
                }
                let best = times.iter().map(|time| time.1).fold(f64::MAX, f64::min);
                let chosen = times.iter().min_by(|a, b| a.0.total_cmp(&b.0)).unwrap().1;
                assert!(chosen <= 1.6 * best, "{expression} {bits}: {chosen} for {best}");
            }
        }
        assert!(compared > 40, "{compared}");
    }
}
