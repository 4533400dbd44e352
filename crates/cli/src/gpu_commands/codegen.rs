//! `limbforge codegen`: a kernel as source, PTX or machine code, and the resources that it takes.

mod arguments;
mod json;
mod parts;
mod report;
mod transforms;

use std::io::{self, IsTerminal};

use limbforge_cli::gpu::kernels;
use limbforge_gpu::{Arch, Image, Nvrtc, Target, driver_version};
use limbforge_kernels_gen::Multiprocessor;
use serde_json::{Value, json};

pub(crate) use self::arguments::CodegenArguments;
use self::parts::{Part, parts};
use self::{arguments::Emit, report::Report};
use crate::{error::CliError, output};

/// The architecture of everything but reports, unless another is given.
const DEFAULT_ARCH: Arch = Arch::new(9, 0);

pub(crate) fn run(arguments: &CodegenArguments) -> Result<(), CliError> {
    for arch in &arguments.archs {
        multiprocessor(*arch)?;
    }
    let parts = parts(arguments)?;
    let bytes = if arguments.emit == Emit::Report {
        let report = Report::new(&parts, &arguments.archs, &nvrtc()?)?;
        let text = if arguments.json { format!("{:#}\n", report.to_json()) } else { report.to_string() };
        text.into_bytes()
    } else {
        code(arguments, &parts)?
    };
    output::write(arguments.out.as_deref(), &bytes)
}

/// The best nvrtc for the driver of this machine, or the newest if there is no driver.
fn nvrtc() -> Result<Nvrtc, CliError> {
    Ok(Nvrtc::find(driver_version().ok())?)
}

fn multiprocessor(arch: Arch) -> Result<Multiprocessor, CliError> {
    kernels::multiprocessor("codegen", "--arch", arch)
}

fn wrong_usage(why: impl Into<String>) -> CliError {
    CliError::Usage { command: "codegen", why: why.into() }
}

/// The kernels as source, PTX or machine code. Each of several sources has a heading.
fn code(arguments: &CodegenArguments, parts: &[Part]) -> Result<Vec<u8>, CliError> {
    let arch = match *arguments.archs {
        [] => DEFAULT_ARCH,
        [arch] => arch,
        _ => return Err(wrong_usage("several `--arch` need --emit report: expected one")),
    };
    let target = match arguments.emit {
        Emit::Source | Emit::Report => None,
        Emit::Ptx => Some(Target::Ptx(arch)),
        Emit::Cubin => Some(Target::Cubin(arch)),
    };
    let to_terminal = || arguments.out.is_none() && io::stdout().is_terminal();
    if arguments.emit == Emit::Cubin && !arguments.json && to_terminal() {
        let why = "machine code is not for a terminal: expected --out FILE, --json, or a redirection";
        return Err(wrong_usage(why));
    }
    if target.is_some() && parts.len() > 1 && !arguments.json {
        let of = parts.len();
        let why = format!("this program has {of} kernels: expected --kernel I, from 1 to {of}, or --json");
        return Err(wrong_usage(why));
    }
    let limits = multiprocessor(arch)?.limits;
    let compiler = target.map(|target| Ok::<_, CliError>((nvrtc()?, target))).transpose()?;
    let (mut bytes, mut objects) = (vec![], vec![]);
    for part in parts {
        let kernel = part.kernel.render(&limits)?;
        let mut object = json::kernel(part, &kernel);
        if let Some((nvrtc, target)) = &compiler {
            object.insert("arch".to_owned(), json!(arch.to_string()));
            object.insert("nvrtc".to_owned(), json!(nvrtc.version().to_string()));
            match nvrtc.compile(&kernel.source, *target, &[])?.image {
                Image::Cubin(code) => {
                    let digits: Vec<String> = code.iter().map(|byte| format!("{byte:02x}")).collect();
                    object.insert("cubin".to_owned(), json!(digits.concat()));
                    bytes.extend(code);
                }
                Image::Ptx(text) => {
                    bytes.extend_from_slice(text.as_bytes());
                    object.insert("ptx".to_owned(), json!(text));
                }
            }
        } else {
            if parts.len() > 1 {
                bytes.extend(format!("// ======== {part} ========\n").into_bytes());
            }
            bytes.extend_from_slice(kernel.source.as_bytes());
            object.insert("source".to_owned(), json!(kernel.source));
        }
        objects.push(Value::from(object));
    }
    let list = || format!("{:#}\n", json::one_or_list(objects));
    Ok(if arguments.json { list().into_bytes() } else { bytes })
}
