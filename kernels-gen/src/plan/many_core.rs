//! The many-core model's measures of integer kernels, and the time that follows from them.
//!
//! `limbforge_algos::model` (Haque, Moreno Maza and Xie 2014) has formulas for programs on polynomials; here
//! work, span, words moved and blocks are counted from the launches of a [`Program`]. The time is that of the
//! model's refinement, with cycles per kind of operation ([`super::cycles`]). Mappings of a kernel differ in
//! idle lanes and in work that does not scale with W ([`super::cycles`]), in warps that hide latency, and in
//! barriers . Putting residues together after transforms counts by its words alone.

use limbforge_algos::model::Refinement;
use limbforge_algos::model::machine::Figures;
use limbforge_algos::model::refined::Counts;
use limbforge_limb::IntType;
use serde::{Serialize, Serializer};

use super::cycles::{busy, operations};
use super::device::DeviceFigures;
use crate::kernel::Block;
use crate::occupancy::{BlockUsage, Multiprocessor};
use crate::pipeline::{Launch, Program, Source};
use crate::spec::{Limits, SpecError, WARP};

/// Bits of an operand's batch.
const BATCH_BITS: u64 = 1 << 32;

/// The cost of a launch for a batch of 2^32 bits of each operand.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LaunchMeasures {
    /// W: operations of all threads. An operation is a multiplication of 32-bit words with its addition, a
    /// butterfly of a transform, or a word of another operation.
    pub work: f64,
    /// S: operations of a thread for all its instances.
    pub span: f64,
    /// Words of 32 bits to and from global memory: O / U times the threads of a block.
    pub words: f64,
    /// N: thread blocks.
    pub blocks: u64,
    /// Threads of a block.
    pub threads: u32,
    /// Share of the lanes' operations that are those of W: others are of padding or of idle warps.
    pub busy: f64,
    /// Resident warps of a multiprocessor.
    pub warps: u32,
    /// Consecutive barriers that no other work hides.
    pub waits: f64,
    /// The time of the model.
    #[serde(rename = "ms")]
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

    pub(super) fn serialize_milliseconds<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.milliseconds())
    }

    pub(super) fn of(
        ty: IntType,
        program: &Program,
        limits: &Limits,
        device: &DeviceFigures,
    ) -> Result<Self, SpecError> {
        let (all, clock_hz) = (BATCH_BITS / u64::from(ty.bits()).max(1), 1e6 * f64::from(device.clock_mhz));
        let read = |source: &Source| match *source {
            Source::Input(i) => program.input_words[i],
            Source::Buffer(i) => program.buffers[i],
            Source::Plane { words, .. } => words,
            // One table for all instances, and one number.
            Source::Table(_) | Source::Uniform { .. } => 0,
        };
        let measures = |launch: &Launch| -> Result<_, SpecError> {
            let instances = if launch.is_uniform() { 1 } else { all };
            let kernel = program.kernel(launch);
            let block = kernel.block(limits)?;
            let geometry = block.geometry;
            let (operations, cycles) = operations(kernel, device);
            let held = f64::from(geometry.instances.max(1)) / f64::from(geometry.planes.max(1));
            let (work, span) =
                (operations * instances as f64, operations / (f64::from(geometry.threads) / held));
            let written: u64 = launch.outputs.iter().map(|&output| program.words_written(output)).sum();
            let words = (launch.inputs.iter().map(read).sum::<u64>() + written) as f64 * instances as f64;
            let refinement = Refinement {
                lanes: Figures::H200.lanes,
                launch: Figures::H200.launch_seconds,
                wait: Figures::H200.wait_cycles / clock_hz,
                operation: cycles / clock_hz,
                word: device.memory_milliseconds(1.0) / 1e3 / (BATCH_BITS / 32) as f64,
            };
            let lanes = refinement.lanes as f64;
            let (blocks, busy) = (geometry.blocks(instances), busy(kernel));
            let resident = Resident::of(&block, device);
            let waits = resident.waits(block.barriers, operations * held / busy * cycles / lanes, blocks);
            let slower = resident.slower() / busy;
            let operations = slower * span * (f64::from(geometry.threads) / lanes).ceil()
                + slower * work / (f64::from(device.multiprocessors) * lanes);
            let launches = instances.div_ceil(program.chunk.max(1)) as f64;
            let milliseconds = 1e3 * refinement.seconds(&Counts { launches, waits, operations, words });
            let (threads, warps) = (geometry.threads, resident.warps());
            Ok(LaunchMeasures { work, span, words, blocks, threads, busy, warps, waits, milliseconds })
        };
        Ok(Self { launches: program.launches.iter().map(measures).collect::<Result<_, _>>()? })
    }
}

/// Schedulers of a multiprocessor.
const SCHEDULERS: f64 = 4.0;
/// The share of an operation's time that a warp waits if its scheduler has no other one: on an H200, products
/// on tensor cores with one warp per scheduler take 10 to 17 % longer than with two.
const WAITING: f64 = 0.25;
/// Registers are allocated to threads in eights.
const REGISTER_UNIT: u32 = 8;

/// The blocks of a kernel on a multiprocessor.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Resident {
    /// Blocks at once.
    blocks: u32,
    threads: u32,
    multiprocessors: u32,
}

impl Resident {
    /// The blocks by all resources; as many registers as a thread wants, or as the wanted blocks leave it.
    fn of(block: &Block, device: &DeviceFigures) -> Self {
        let (threads, multiprocessors) = (block.geometry.threads, device.multiprocessors);
        let shared_bytes = block.geometry.shared_bytes.into();
        let blocks = Multiprocessor::of(device.arch).map_or(1, |multiprocessor| {
            let all = multiprocessor.registers / (threads * block.wanted).max(1);
            let left = (all / REGISTER_UNIT * REGISTER_UNIT)
                .clamp(REGISTER_UNIT, multiprocessor.limits.thread_registers);
            let registers = block.registers.min(left);
            multiprocessor.occupancy(&BlockUsage { threads, registers, shared_bytes }).blocks
        });
        Self { blocks: blocks.max(1), threads, multiprocessors }
    }

    /// Warps at once.
    const fn warps(&self) -> u32 {
        self.blocks * self.threads.div_ceil(WARP)
    }

    /// The factor by which operations take longer than if a warp were always ready.
    fn slower(&self) -> f64 {
        let warps = f64::from(self.warps()) / SCHEDULERS;
        (1.0 + WAITING / warps.max(1.0)) / warps.min(1.0)
    }

    /// Consecutive barriers of `all` blocks that other resident blocks do not hide by `block_cycles` of work.
    fn waits(&self, barriers: u32, block_cycles: f64, all: u64) -> f64 {
        let others = f64::from(self.blocks - 1) * block_cycles / Figures::H200.wait_cycles;
        let rounds = (all as f64 / (f64::from(self.multiprocessors) * f64::from(self.blocks))).ceil();
        rounds * (f64::from(barriers) - others).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use limbforge_algos::expr::Expr;
    use limbforge_limb::Layout;

    use super::*;
    use crate::kernel::Geometry;
    use crate::pipeline::{Product, ProgramSpec};
    use crate::plan::{Basis, Planner};
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
        let all = ManyCore::of(spec.ty, &program, &Limits::SM_90, DeviceFigures::of(90)).unwrap();
        let [launch] = &all.launches[..] else { panic!("one launch") };
        let (words, instances) = (128.0, f64::from(1 << 20));
        assert!((launch.work - words * (words + 1.0) / 2.0 * instances).abs() < 1.0);
        assert!((launch.words - 3.0 * words * instances).abs() < 1.0);
        assert_eq!(launch.blocks * u64::from(launch.threads) % 32, 0);
        assert!(launch.span > 100.0 && launch.span * f64::from(1 << 20) < launch.work);
        // 2^27 words, three times, at the bandwidth that an addition reaches: 0.372 ms at least.
        assert!(all.milliseconds() > 0.372 && all.milliseconds() == launch.milliseconds);
    }

    /// As measured on an H200: low products within two fifths, others within a factor of 2.2. What the model
    /// takes for the fastest is nowhere more than 1.6 times as slow as the fastest.
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

    fn resident(threads: u32, shared_bytes: u32, registers: u32, wanted: u32) -> Resident {
        let geometry = Geometry { threads, instances: 1, planes: 1, shared_bytes };
        Resident::of(&Block { geometry, wanted, registers, barriers: 4 }, DeviceFigures::of(90))
    }

    #[test]
    fn the_scarcest_resource_decides() {
        // 64 K registers: 4 blocks of 128 threads with 128 each, or 8 if so many are asked for.
        assert_eq!((resident(128, 0, 128, 1).warps(), resident(128, 0, 128, 8).warps()), (16, 32));
        assert_eq!(resident(128, 100 << 10, 64, 1).warps(), 8);
        // A block that does not fit is one at a time.
        assert_eq!(resident(1024, 0, 200, 1).warps(), 32);
        // Two warps leave half of the schedulers idle.
        assert!((resident(32, 110 << 10, 64, 1).slower() - 2.5).abs() < 1e-9);
        assert!((resident(128, 100 << 10, 64, 1).slower() - 1.125).abs() < 1e-9);
    }

    #[test]
    fn others_compute_while_a_block_waits() {
        let alone = resident(1024, 200 << 10, 32, 1);
        assert!((alone.waits(4, 1e6, 132) - 4.0).abs() < 1e-9);
        assert!((alone.waits(4, 1e6, 264) - 8.0).abs() < 1e-9);
        let two = resident(1024, 100 << 10, 32, 1);
        assert!((two.waits(4, 75.0, 264) - 3.0).abs() < 1e-9 && two.waits(4, 1e6, 264) == 0.0);
    }
}
