//! The engine that `--backend` names, and a note where `--backend auto` computes on the CPU.

use limbforge::{Engine, EngineError};
#[cfg(feature = "gpu")]
use limbforge_cli::gpu::kernels;
#[cfg(feature = "gpu")]
use limbforge_gpu::{Cache, GpuError};

use crate::{args::BackendArgument, error::engine_line};

pub(crate) fn open(backend: BackendArgument) -> Result<Engine, EngineError> {
    let engine = match backend {
        BackendArgument::Auto => Engine::auto(),
        BackendArgument::Cpu => Engine::cpu(),
        BackendArgument::Gpu(ordinal) => Engine::gpu(ordinal)?,
        BackendArgument::Gpus => Engine::all_gpus()?,
    };
    #[cfg(feature = "gpu")]
    if engine.device_name() != "CPU" {
        // Never dropped: the end of the process frees everything, an H200's context in 80 ms less.
        std::mem::forget(engine.clone());
        kernels::warn_of_cache(&Cache::new(Cache::usual_folder()));
    }
    Ok(engine)
}

/// Reports once why the CPU computes in place of an existing GPU, or other GPUs in place of one.
#[derive(Debug, Default)]
pub(crate) struct Fallback {
    is_said: bool,
}

impl Fallback {
    /// Prints the line if the CPU computes and the line was not printed. A run that fails prints only its
    /// error: but for a person at a terminal this line belongs after the results.
    pub(crate) fn say(&mut self, engine: &Engine, print: impl FnOnce(String)) {
        if let Some(why) = engine.fallback().filter(|why| !self.is_said && !is_without_gpu(why)) {
            let line = engine_line(&why);
            print(match *why {
                EngineError::GpuLeft { .. } => format!("note: {line}"),
                _ => format!("note: --backend auto computes on the CPU: {line}"),
            });
            self.is_said = true;
        }
    }
}

/// A machine without GPU is not reported: its user knows.
fn is_without_gpu(why: &EngineError) -> bool {
    match why {
        EngineError::BuiltWithoutGpu => true,
        #[cfg(feature = "gpu")]
        EngineError::Gpu(error) => matches!(**error, GpuError::NoDriver | GpuError::NoDevice),
        _ => false,
    }
}
