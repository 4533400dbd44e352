//! From an expression to a kernel on a GPU.

use limbforge::algos::expr::{Dag, Expr};
use limbforge::limb::{IntType, Layout};
use limbforge_gpu::{Arch, Cache, Compiler, Device, DeviceInfo, Footprint, GpuError, LoadedProgram};
use limbforge_kernels_gen::{
    InputSpec, KernelSpec, LimbKind, Limits, Mapping, Multiprocessor, Planner, Product, Program,
    ProgramKernel, ProgramSpec, SpecError, Target, render,
};

use crate::args::{GpuArgument, LimbArgument};
use crate::error::CliError;
use crate::with_limb;

/// Which thread holds what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// What suits the kernel.
    Planned,
    /// Q limbs per thread and IPB instances per block.
    Limbs(u32, u32),
}

/// Where the limbs of a kernel's batches lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Places {
    pub inputs: Layout,
    pub output: Layout,
    /// Whether the last of several operands is one integer for all instances.
    pub broadcast_last: bool,
}

/// The limb as the generator knows it.
pub const fn limb_kind(limb: LimbArgument) -> LimbKind {
    with_limb!(limb, B => LimbKind::of::<B>())
}

/// The specification of an expression's kernel.
pub fn specification(
    dag: Dag,
    ty: IntType,
    limb: LimbKind,
    threads: Threads,
    places: Places,
) -> Result<KernelSpec, SpecError> {
    let mapping = match threads {
        Threads::Planned => Mapping::plan(&dag, ty, limb, &[places.inputs, places.output]),
        Threads::Limbs(q, ipb) => Mapping::from_limbs_per_thread(&dag, ty, limb, q, ipb)?,
    };
    let count = dag.inputs().count();
    let input = |(i, name): (usize, &str)| {
        let broadcast = places.broadcast_last && count > 1 && i + 1 == count;
        InputSpec::integers(name, places.inputs, broadcast)
    };
    let inputs = dag.inputs().enumerate().map(input).collect();
    KernelSpec::new(dag, ty, limb, inputs, places.output, mapping, Target::Cuda)
}

/// A program over instance-major batches.
pub fn program_spec(
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

/// The multiprocessor of an architecture that a command is asked for by an option.
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

/// A GPU, what compiles for it, and what its blocks may take.
#[derive(Debug)]
pub struct Gpu {
    pub device: Device,
    pub compiler: Compiler,
    pub limits: Limits,
    /// By what was measured on it, as far as that goes.
    pub planner: Planner,
}

/// The planner for a GPU, and on standard error why measurements are not used if they are not.
pub fn planner(info: &DeviceInfo) -> Planner {
    let (planner, error) = info.planner();
    if let Some(error) = error {
        eprintln!("warning: {error}");
    }
    planner
}

/// On standard error why compiled kernels are not kept, if others can write to the folder of the cache.
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

    /// The specification's kernels, compiled and loaded, with the threads that each has.
    pub fn load_program(&self, spec: &ProgramSpec) -> Result<(String, LoadedProgram), CliError> {
        let program = Program::planned(spec, &self.limits, &self.planner)?;
        Ok((threads(&program), self.load_planned(&program)?))
    }

    /// A program's kernels, compiled and loaded.
    pub fn load_planned(&self, program: &Program) -> Result<LoadedProgram, CliError> {
        let kernels = program.render(&self.limits)?;
        Ok(self.device.load_program(&self.compiler, program, &kernels)?)
    }

    /// The specification's kernel, compiled and loaded.
    pub fn load(&self, spec: &KernelSpec) -> Result<LoadedProgram, CliError> {
        let kernel = render(spec, &self.limits)?;
        Ok(self.device.load_kernel(&self.compiler, &kernel, Footprint::of(spec))?)
    }
}

/// Which threads compute what in each kernel of a program.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_of_several_operands_is_broadcast() {
        let spec = |text: &str| {
            let dag = Expr::parse(text).unwrap().to_dag();
            let places = Places { broadcast_last: true, ..Places::default() };
            let ty = IntType::unsigned(131).unwrap();
            specification(dag, ty, LimbKind::of::<u64>(), Threads::Limbs(1, 3), places).unwrap()
        };
        let broadcast = |text: &str| spec(text).inputs.iter().map(|i| i.broadcast).collect::<Vec<_>>();
        assert_eq!(broadcast("a + b - c"), [false, false, true]);
        assert_eq!(broadcast("-a"), [false]);
        assert_eq!((spec("a").mapping.instances, spec("a").words()), (3, 6));
    }
}
