//! From an expression to a kernel on a GPU.

use limbforge::algos::expr::Dag;
use limbforge::limb::{IntType, Layout};
use limbforge_gpu::{Arch, Cache, Compiler, Device, DeviceInfo, GpuError, LoadedProgram};
use limbforge_kernels_gen::{
    InputSpec, KernelSpec, LimbKind, Limits, Mapping, Multiprocessor, Planner, Product, Program,
    ProgramKernel, ProgramSpec, SpecError, Target,
};

use crate::args::{GpuArgument, LimbArgument};
use crate::{error::CliError, with_limb};

/// The mapping of limbs to threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// The mapping that suits the kernel.
    Planned,
    /// Q limbs per thread and IPB instances per block.
    Limbs(u32, u32),
}

/// The generator's name of the limb.
pub const fn limb_kind(limb: LimbArgument) -> LimbKind {
    with_limb!(limb, B => LimbKind::of::<B>())
}

/// The kernel of a program's specification, with products in the same kernel.
pub fn kernel_spec(spec: ProgramSpec, threads: Threads) -> Result<KernelSpec, SpecError> {
    let ProgramSpec { dag, ty, limb, inputs, output, target, .. } = spec;
    let mapping = match threads {
        Threads::Planned => {
            let layouts: Vec<Layout> = inputs.iter().map(|input| input.layout).chain([output]).collect();
            Mapping::plan(&dag, ty, limb, &layouts)
        }
        Threads::Limbs(q, ipb) => Mapping::from_limbs_per_thread(&dag, ty, limb, q, ipb)?,
    };
    KernelSpec::new(dag, ty, limb, inputs, output, mapping, target)
}

/// A program over instance-major batches.
pub fn program_spec(dag: Dag, product: Product, ty: IntType, limb: LimbArgument) -> ProgramSpec {
    let input = |name| InputSpec::integers(name, Layout::InstanceMajor, false);
    let inputs = dag.inputs().map(input).collect();
    let (limb, output, target) = (limb_kind(limb), Layout::InstanceMajor, Target::Cuda);
    ProgramSpec { dag, ty, limb, inputs, output, product, target }
}

/// The multiprocessor of the architecture that a command's option names.
pub fn multiprocessor(command: &'static str, option: &str, arch: Arch) -> Result<Multiprocessor, CliError> {
    let known = Multiprocessor::of(arch.number()).ok_or_else(|| {
        let known: Vec<_> =
            Multiprocessor::KNOWN.iter().map(|&number| Arch::from_number(number).to_string()).collect();
        let why = format!("`{option} {arch}`: expected one of {}", known.join(", "));
        CliError::Usage { command, why }
    })?;
    let warpgroups = arch == Arch::new(9, 0).specific();
    Ok(Multiprocessor { limits: Limits { warpgroups, ..known.limits }, ..known })
}

/// A GPU with its compiler and limits.
#[derive(Debug)]
pub struct Gpu {
    pub device: Device,
    pub compiler: Compiler,
    pub limits: Limits,
    /// With the measurements of this GPU.
    pub planner: Planner,
}

/// The planner for a GPU. A warning says why it cannot use measurements.
pub fn planner(info: &DeviceInfo) -> Planner {
    let (planner, error) = info.planner();
    if let Some(error) = error {
        eprintln!("warning: {error}");
    }
    planner
}

/// Warns if compiled kernels are not kept because others can write to the folder of the cache.
pub fn warn_of_cache(cache: &Cache) {
    if let Err(warning) = cache.check() {
        eprintln!("warning: {warning}");
    }
}

impl Gpu {
    pub fn open(argument: GpuArgument) -> Result<Self, CliError> {
        let device = Device::open(argument.0)?;
        let compiler = Compiler::from_environment().map_err(GpuError::from)?;
        warn_of_cache(compiler.cache());
        let (limits, planner) = (device.info().limits(), planner(device.info()));
        Ok(Self { device, compiler, limits, planner })
    }

    /// The specification's kernels, compiled and loaded, and the threads of each.
    pub fn load_program(&self, spec: &ProgramSpec) -> Result<(String, LoadedProgram), CliError> {
        let program = Program::planned(spec, &self.limits, &self.planner)?;
        Ok((threads(&program), self.load_planned(&program)?))
    }

    /// A program's kernels, compiled and loaded.
    pub fn load_planned(&self, program: &Program) -> Result<LoadedProgram, CliError> {
        let kernels = program.render(&self.limits)?;
        Ok(self.device.load_program(&self.compiler, program, &kernels)?)
    }
}

/// The mapping of each kernel of a program.
pub fn threads(program: &Program) -> String {
    let threads = |kernel: &ProgramKernel| match kernel {
        ProgramKernel::Expression(spec) => spec.mapping.to_string(),
        ProgramKernel::MulNtt(spec) => spec.plan.to_string(),
        ProgramKernel::MulTensor(spec) => spec.plan.to_string(),
        ProgramKernel::DivNewton(spec) => spec.stage.name().to_owned(),
        ProgramKernel::Rendered(kernel) => format!("{}t", kernel.geometry.threads),
    };
    program.launched().map(threads).collect::<Vec<_>>().join(" ")
}
