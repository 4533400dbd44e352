//! `limbforge codegen`: a kernel as source, PTX or machine code, and what it takes.

mod arch;
mod arguments;
mod cached;
mod json;
mod parts;
mod report;
mod transforms;
mod usage;

use std::io::{self, IsTerminal};

use limbforge_gpu::{Image, Nvrtc, Target, driver_version};
use serde_json::{Value, json};

use self::arch::{arch, multiprocessor, wrong_usage};
pub(crate) use self::arguments::CodegenArguments;
use self::arguments::Emit;
use self::parts::{Part, parts};
use self::report::Report;
use crate::error::CliError;
use crate::output;

pub(crate) fn run(arguments: &CodegenArguments) -> Result<(), CliError> {
    for arch in &arguments.archs {
        multiprocessor(*arch)?;
    }
    let parts = parts(arguments)?;
    let bytes = match arguments.emit {
        Emit::Source => source(arguments, &parts)?,
        Emit::Ptx | Emit::Cubin => image(arguments, &parts)?,
        Emit::Report => {
            let report = Report::new(&parts, &arguments.archs, &nvrtc()?)?;
            if arguments.json { json::bytes(&report.to_json()) } else { report.to_string().into_bytes() }
        }
    };
    output::write(arguments.out.as_deref(), &bytes)
}

/// The best nvrtc for the driver of this machine, or the newest if there is no driver.
fn nvrtc() -> Result<Nvrtc, CliError> {
    Ok(Nvrtc::find(driver_version().ok())?)
}

/// The sources of several kernels one after the other, below a comment each: they do not compile as one file.
fn source(arguments: &CodegenArguments, parts: &[Part]) -> Result<Vec<u8>, CliError> {
    let limits = multiprocessor(arch(arguments)?)?.limits;
    let (mut text, mut objects) = (String::new(), vec![]);
    for part in parts {
        let kernel = part.render(&limits)?;
        if arguments.json {
            let mut object = json::kernel(part, &kernel);
            object.insert("source".to_owned(), json!(kernel.source));
            objects.push(Value::from(object));
            continue;
        }
        if parts.len() > 1 {
            text += &format!("// ======== {part} ========\n");
        }
        text += &kernel.source;
    }
    Ok(if arguments.json { json::bytes(&json::one_or_list(objects)) } else { text.into_bytes() })
}

fn image(arguments: &CodegenArguments, parts: &[Part]) -> Result<Vec<u8>, CliError> {
    let arch = arch(arguments)?;
    let machine_code = arguments.emit == Emit::Cubin;
    if machine_code && !arguments.json && arguments.out.is_none() && io::stdout().is_terminal() {
        let why = "machine code is not for a terminal: expected --out FILE, --json, or a redirection";
        return Err(wrong_usage(why.to_owned()));
    }
    if parts.len() > 1 && !arguments.json {
        let why = format!(
            "this program has {0} kernels: expected --kernel I, from 1 to {0}, or --json",
            parts.len()
        );
        return Err(wrong_usage(why));
    }
    let target = if machine_code { Target::Cubin(arch) } else { Target::Ptx(arch) };
    let (limits, nvrtc) = (multiprocessor(arch)?.limits, nvrtc()?);
    let (mut bytes, mut objects) = (vec![], vec![]);
    for part in parts {
        let kernel = part.render(&limits)?;
        let image = nvrtc.compile(&kernel.source, target, &[])?.image;
        if !arguments.json {
            bytes.extend(match image {
                Image::Cubin(code) => code,
                Image::Ptx(text) => text.into_bytes(),
            });
            continue;
        }
        let mut object = json::kernel(part, &kernel);
        object.insert("arch".to_owned(), json!(arch.to_string()));
        object.insert("nvrtc".to_owned(), json!(nvrtc.version().to_string()));
        match image {
            Image::Cubin(code) => object.insert("cubin".to_owned(), json!(json::hexadecimal(&code))),
            Image::Ptx(text) => object.insert("ptx".to_owned(), json!(text)),
        };
        objects.push(Value::from(object));
    }
    Ok(if arguments.json { json::bytes(&json::one_or_list(objects)) } else { bytes })
}
