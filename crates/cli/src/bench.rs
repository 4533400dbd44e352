//! `limbforge bench`: how fast kernels are, next to the memory floor.

mod arguments;
mod batch;
mod ntt;
mod operations;
pub(crate) mod peers;
mod report;
mod vector_add;

use limbforge::limb::{Base, IntType, Layout};
use limbforge::prelude::Expr;
use limbforge_gpu::{LoadedKernel, Word};
use limbforge_kernels_gen::{InputSpec, Product, ProgramSpec, Target};

pub(crate) use self::arguments::BenchArguments;
use self::arguments::What;
pub(crate) use self::arguments::Widths;
pub(crate) use self::batch::{DeviceOperands, NAMES, operand_count};
use self::operations::{Operation, operations};
pub(crate) use self::operations::{POLY, product_of};
use self::report::{Floor, Report, Row, Section, Setting};
use crate::args::LimbArgument;
use crate::error::CliError;
use crate::kernels::{Gpu, limb_kind};

/// Runs before those that are timed.
const WARMUP: usize = 3;

pub(crate) fn run(arguments: &BenchArguments) -> Result<(), CliError> {
    let gpu = Gpu::open(arguments.backend)?;
    let setting = Setting::new(arguments, &gpu);
    let mut sections = vec![];
    if matches!(arguments.what, What::Ntt | What::All) {
        sections.push(Section::of(&ntt::run(arguments, &gpu)?));
    }
    if arguments.what != What::Ntt {
        sections.insert(0, Section::of(&kernels(arguments, gpu)?));
    }
    Report { setting, sections }.write(arguments)
}

/// Measures the operations at all widths with all limbs.
fn kernels(arguments: &BenchArguments, gpu: Gpu) -> Result<Vec<Row>, CliError> {
    let mut bench = Bench { arguments, floor_kernel: vector_add::load(&gpu)?, gpu, rows: vec![] };
    for &ty in arguments.bits.0.iter().filter(|ty| arguments.what.takes(ty.bits())) {
        for limb in &arguments.limb {
            match limb {
                LimbArgument::U32 => bench.width::<u32>(ty, LimbArgument::U32)?,
                LimbArgument::U64 => bench.width::<u64>(ty, LimbArgument::U64)?,
                LimbArgument::U128 => bench.width::<u128>(ty, LimbArgument::U128)?,
            }
        }
    }
    Ok(bench.rows)
}

struct Bench<'a> {
    arguments: &'a BenchArguments,
    gpu: Gpu,
    floor_kernel: LoadedKernel,
    rows: Vec<Row>,
}

impl Bench<'_> {
    /// Measures all operations of a width, and the memory floor with the same buffers.
    fn width<B: Base + Word>(&mut self, ty: IntType, limb: LimbArgument) -> Result<(), CliError> {
        let repeats = self.arguments.repeats as usize;
        let count = operations(self.arguments.what).map(Operation::operands).max().unwrap_or(0).max(2);
        let mut operands = DeviceOperands::<B>::new(&self.gpu, ty, self.arguments.batch_bits, count)?;
        let DeviceOperands { inputs, output, .. } = &mut operands;
        let (a, b) = (&inputs[0], &inputs[1]);
        let vectors = a.bytes() / vector_add::VECTOR_BYTES;
        let floor = Floor {
            bytes: vector_add::bytes(vectors),
            timings: vector_add::time(&self.gpu, &self.floor_kernel, [a, b], output, repeats)?,
        };
        for operation in operations(self.arguments.what) {
            let row = self.operation(operation, ty, limb, &mut operands, &floor)?;
            self.rows.push(row);
        }
        Ok(())
    }

    fn operation<B: Base + Word>(
        &self,
        operation: &Operation,
        ty: IntType,
        limb: LimbArgument,
        operands: &mut DeviceOperands<B>,
        floor: &Floor,
    ) -> Result<Row, CliError> {
        let gpu = &self.gpu;
        let mut spec = program_spec(operation.expression, operation.product, ty, limb)?;
        for input in &mut spec.inputs {
            input.broadcast = operation.shared == Some(&*input.name);
        }
        let device = &gpu.device.info().name;
        let mut row = Row {
            operation: operation.name,
            limb: B::NAME,
            bits: ty.bits(),
            instances: operands.instances,
            mapping: String::new(),
            batch_bits: self.arguments.batch_bits,
            device: device.clone(),
            outcome: Err(String::new()),
        };
        let (mapping, program) = match gpu.load_program(&spec) {
            Ok(loaded) => loaded,
            // A width that this algorithm does not reach.
            Err(CliError::Spec(error)) => {
                row.outcome = Err(error.to_string());
                return Ok(row);
            }
            Err(error) => return Err(error),
        };
        let all = operands.instances;
        if operation.is_measured_once_over() {
            operands.instances = all.min(program.resident_instances());
        }
        row.instances = operands.instances;
        row.mapping = mapping;
        operands.set_second(gpu, operation.second)?;
        operands.set_shared(gpu, operation.shared)?;
        let timings = operands.time(gpu, &spec, &program, self.arguments.repeats)?;
        let launches = if self.arguments.launches {
            operands.time_launches(gpu, &spec, &program, self.arguments.repeats)?
        } else {
            vec![]
        };
        operands.instances = all;
        let footprint = program.footprint();
        let bytes_per_instance = footprint.inputs.iter().sum::<u64>() + footprint.output;
        let resources = || program.kernels().map(LoadedKernel::resources);
        row.outcome = Ok(report::Measured {
            registers: resources().map(|kernel| kernel.registers).max().unwrap_or(0),
            local_bytes: resources().map(|kernel| kernel.local_bytes).max().unwrap_or(0),
            occupancy: program.kernels().map(LoadedKernel::occupancy).fold(1.0, f64::min),
            bytes: bytes_per_instance * row.instances,
            median_ms: timings.median_ms,
            min_ms: timings.min_ms,
            launches: launches.iter().map(|launch| launch.median_ms).collect(),
            floor: floor.clone(),
        });
        Ok(row)
    }
}

/// A program over instance-major batches.
pub(crate) fn program_spec(
    expression: &str,
    product: Product,
    ty: IntType,
    limb: LimbArgument,
) -> Result<ProgramSpec, CliError> {
    let dag = Expr::parse(expression)?.to_dag();
    let inputs = dag.inputs().map(|name| InputSpec::integers(name, Layout::InstanceMajor, false)).collect();
    Ok(ProgramSpec {
        dag,
        ty,
        limb: limb_kind(limb),
        inputs,
        output: Layout::InstanceMajor,
        product,
        target: Target::Cuda,
    })
}
