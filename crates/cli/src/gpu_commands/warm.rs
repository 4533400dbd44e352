//! `limbforge warm`: compiles the kernels of expressions ahead, into the cache that evaluations read.

mod arguments;
mod kernels;
mod report;

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use limbforge_gpu::{Cache, CacheWarning, Compiler, Source};

pub(crate) use self::arguments::WarmArguments;
use self::kernels::{Kernels, kernels};
use self::report::{Report, Warmed};
use crate::{error::CliError, output};

pub(crate) fn run(arguments: &WarmArguments) -> Result<(), CliError> {
    let expressions = arguments.expressions()?;
    let compiler = Compiler::from_environment()?;
    let folder = compiler.cache().folder().ok_or(CliError::NoCacheFolder)?.to_owned();
    // Kernels that are not kept would be compiled for nothing.
    Cache::probe(&folder)?;
    let begin = Instant::now();
    let kernels = kernels(arguments, &expressions, compiler.nvrtc())?;
    let warmed = compile(&compiler, &kernels, |line| match arguments.json {
        true => Ok(()),
        false => output::write(None, line),
    })?;
    let report = Report {
        nvrtc: compiler.nvrtc().version().to_string(),
        cache: folder.display().to_string(),
        seconds: begin.elapsed().as_secs_f64(),
        kernels: warmed,
        refused: kernels.refused,
    };
    let text = if arguments.json { format!("{:#}\n", serde_json::json!(report)) } else { report.summary() };
    output::write(None, text)
}

/// Compiles all kernels on several cores, and prints a line on each as soon as it is ready. The first kernel
/// that does not compile or is not kept is the error, after all others are done.
fn compile(
    compiler: &Compiler,
    kernels: &Kernels,
    print: impl Fn(&str) -> Result<(), CliError> + Sync,
) -> Result<Vec<Warmed>, CliError> {
    let sources: Vec<_> = kernels.all.iter().map(|kernel| (&*kernel.source, kernel.target)).collect();
    let done: Mutex<Vec<(usize, Result<Warmed, CliError>)>> = Mutex::default();
    compiler.compile_all(&sources, &[], |compilation| {
        let (index, taken) = (compilation.index, compilation.taken);
        let warmed = compilation.cached.map_err(CliError::from).and_then(|cached| match cached.warning {
            // What was damaged has been replaced.
            None | Some(CacheWarning::Corrupt { .. }) => {
                Ok(Warmed::new(&kernels.all[index], cached.source == Source::Compiler, taken))
            }
            Some(warning) => Err(warning.into()),
        });
        let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
        let printed = warmed.and_then(|warmed| print(&format!("{warmed}\n")).map(|()| warmed));
        done.push((index, printed));
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, warmed)| warmed).collect()
}
