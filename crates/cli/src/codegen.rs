//! `limbforge codegen`: a kernel as source, PTX or machine code, and what it takes.

mod cached;
mod json;
mod report;
mod usage;

use std::io::{self, IsTerminal};

use limbforge::prelude::*;
use limbforge_gpu::{Arch, Image, Nvrtc, Target, driver_version};
use limbforge_kernels_gen::{
    InputSpec, Kernel, KernelSpec, LimbKind, Mapping, Multiprocessor, Target as Compiler, render,
};
use serde_json::json;

use self::report::Report;
use crate::args::{CodegenArguments, Emit, LimbArgument};
use crate::error::CliError;
use crate::output::Output;

/// The architecture of everything but reports, unless another is asked for.
const DEFAULT_ARCH: Arch = Arch::new(9, 0);

pub(crate) fn run(arguments: &CodegenArguments) -> Result<(), CliError> {
    for arch in &arguments.archs {
        multiprocessor(*arch)?;
    }
    let spec = specification(arguments)?;
    let bytes = match arguments.emit {
        Emit::Source => source(arguments, &spec)?,
        Emit::Ptx | Emit::Cubin => image(arguments, &spec)?,
        Emit::Report => {
            let report = Report::new(&spec, &arguments.archs, &nvrtc()?)?;
            if arguments.json { json::bytes(&report.to_json()) } else { report.to_string().into_bytes() }
        }
    };
    let mut output = Output::create(arguments.out.as_deref())?;
    output.write(&bytes)?;
    output.finish()
}

fn specification(arguments: &CodegenArguments) -> Result<KernelSpec, CliError> {
    let ty = IntType::new(arguments.bits, arguments.signed).map_err(|error| usage(error.to_string()))?;
    let dag = Expr::parse(&arguments.expression)?.to_dag();
    let limb = match arguments.limb {
        LimbArgument::U32 => LimbKind::of::<u32>(),
        LimbArgument::U64 => LimbKind::of::<u64>(),
        LimbArgument::U128 => LimbKind::of::<u128>(),
    };
    let layout = arguments.layout.into();
    for name in &arguments.broadcast {
        if !dag.inputs().any(|used| used == name) {
            return Err(usage(format!("`--broadcast {name}`: the expression does not use `{name}`")));
        }
    }
    let input = |name: &str| {
        let broadcast = arguments.broadcast.iter().any(|other| other == name);
        InputSpec::integers(name, layout, broadcast)
    };
    let inputs = dag.inputs().map(input).collect();
    let mapping = match (arguments.limbs_per_thread, arguments.instances_per_block) {
        (Some(q), Some(ipb)) => Mapping::from_limbs_per_thread(&dag, ty, limb, q, ipb)?,
        _ => Mapping::plan(&dag, ty, limb, &[layout]),
    };
    Ok(KernelSpec::new(dag, ty, limb, inputs, layout, mapping, Compiler::Cuda)?)
}

fn usage(why: String) -> CliError {
    CliError::Usage { command: "codegen", why }
}

/// The one architecture that is asked for.
fn arch(arguments: &CodegenArguments) -> Result<Arch, CliError> {
    match arguments.archs.as_slice() {
        [] => Ok(DEFAULT_ARCH),
        [arch] => Ok(*arch),
        _ => Err(usage("several `--arch` need --emit report: expected one".to_owned())),
    }
}

fn multiprocessor(arch: Arch) -> Result<Multiprocessor, CliError> {
    Multiprocessor::of(arch.number()).ok_or_else(|| {
        let known: Vec<_> =
            Multiprocessor::KNOWN.iter().map(|&number| Arch::from_number(number).to_string()).collect();
        usage(format!("`--arch {arch}`: expected one of {}", known.join(", ")))
    })
}

fn kernel(spec: &KernelSpec, arch: Arch) -> Result<Kernel, CliError> {
    Ok(render(spec, &multiprocessor(arch)?.limits)?)
}

/// The best nvrtc for the driver of this machine, or the newest if there is no driver.
fn nvrtc() -> Result<Nvrtc, CliError> {
    Ok(Nvrtc::find(driver_version().ok())?)
}

fn source(arguments: &CodegenArguments, spec: &KernelSpec) -> Result<Vec<u8>, CliError> {
    let kernel = kernel(spec, arch(arguments)?)?;
    if !arguments.json {
        return Ok(kernel.source.into_bytes());
    }
    let mut object = json::kernel(spec, &kernel);
    object.insert("source".to_owned(), json!(kernel.source));
    Ok(json::bytes(&object.into()))
}

fn image(arguments: &CodegenArguments, spec: &KernelSpec) -> Result<Vec<u8>, CliError> {
    let arch = arch(arguments)?;
    let machine_code = arguments.emit == Emit::Cubin;
    if machine_code && !arguments.json && arguments.out.is_none() && io::stdout().is_terminal() {
        let why = "machine code is not for a terminal: expected --out FILE, --json, or a redirection";
        return Err(usage(why.to_owned()));
    }
    let kernel = kernel(spec, arch)?;
    let target = if machine_code { Target::Cubin(arch) } else { Target::Ptx(arch) };
    let nvrtc = nvrtc()?;
    let image = nvrtc.compile(&kernel.source, target, &[])?.image;
    if !arguments.json {
        return Ok(match image {
            Image::Cubin(code) => code,
            Image::Ptx(text) => text.into_bytes(),
        });
    }
    let mut object = json::kernel(spec, &kernel);
    object.insert("arch".to_owned(), json!(arch.to_string()));
    object.insert("nvrtc".to_owned(), json!(nvrtc.version().to_string()));
    match image {
        Image::Cubin(code) => object.insert("cubin".to_owned(), json!(json::hexadecimal(&code))),
        Image::Ptx(text) => object.insert("ptx".to_owned(), json!(text)),
    };
    Ok(json::bytes(&object.into()))
}
