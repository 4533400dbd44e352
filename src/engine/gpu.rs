//! A GPU, and what has been loaded on it so far.

mod at_once;
mod born;
mod expression;
mod failures;
mod foreign;
mod loops;
mod marks;
mod pinned;
mod poly;
mod powers;
mod program;
mod resident;
mod residues;
mod set;
mod transform;

use std::sync::Arc;

use limbforge_gpu::{Compiler, Device, LoadedProgram, LoadedTape, TuningError};
use limbforge_kernels_gen::{Kernel, Limits, Planner, Program, SpecError};
use quick_cache::sync::Cache;

pub(super) use self::at_once::all_at_once;
pub(super) use self::expression::Loaded;
pub(super) use self::foreign::Content;
pub(super) use self::program::GpuTape;
pub(super) use self::resident::GpuBatch;
pub(super) use self::set::Gpus;
use super::error::EngineError;

/// Results that are computed together.
pub(super) const MOST_RESULTS: usize = Program::MOST_RESULTS;

/// Programs that a GPU keeps loaded. Of more, those that are used least are dropped as soon as no prepared
/// expression has them.
const KEPT: usize = 256;

/// Loaded programs by the canonical text of what they were made from. Of several threads that ask for the
/// same one, one loads it.
type LoadedPrograms = Arc<Cache<String, Arc<LoadedProgram>>>;

#[derive(Debug)]
struct Gpu {
    device: Device,
    compiler: Arc<Compiler>,
    limits: Limits,
    /// Chooses products, by what was measured on this GPU if `limbforge tune` was run.
    planner: Arc<Planner>,
    /// The error that keeps measurements from being used.
    tuning_error: Option<Arc<TuningError>>,
    programs: LoadedPrograms,
    /// Kernels of programs with loops, by text.
    tapes: Arc<Cache<String, Arc<LoadedTape>>>,
}

impl Gpu {
    fn new(device: Device, compiler: &Arc<Compiler>) -> Self {
        let compiler = compiler.clone();
        let limits = device.info().limits();
        let (planner, error) = device.info().planner();
        let (planner, tuning_error) = (Arc::new(planner), error.map(Arc::new));
        let (programs, tapes) = (Arc::new(Cache::new(KEPT)), Arc::new(Cache::new(KEPT)));
        Self { device, compiler, limits, planner, tuning_error, programs, tapes }
    }

    /// The loaded program of a specification with this canonical text, and its rendered kernels, if it is not
    /// loaded yet.
    fn loaded(
        &self,
        text: &str,
        make: impl FnOnce() -> Result<(Program, Vec<Kernel>), EngineError>,
    ) -> Result<Arc<LoadedProgram>, EngineError> {
        Self::kept(&self.programs, text, || {
            let (program, kernels) = make()?;
            Ok(self.device.load_program(&self.compiler, &program, &kernels)?)
        })
    }

    /// The loaded program of a specification by its canonical text.
    fn rendered(
        &self,
        spec: &impl ToString,
        program: impl FnOnce(&Limits) -> Result<Program, SpecError>,
    ) -> Result<Arc<LoadedProgram>, EngineError> {
        self.loaded(&spec.to_string(), || {
            let program = program(&self.limits)?;
            let kernels = program.render(&self.limits)?;
            Ok((program, kernels))
        })
    }

    /// The loaded form with this canonical text, loaded by `load` if it is new.
    fn kept<Loaded>(
        programs: &Cache<String, Arc<Loaded>>,
        text: &str,
        load: impl FnOnce() -> Result<Loaded, EngineError>,
    ) -> Result<Arc<Loaded>, EngineError> {
        programs.get_or_insert_with(text, || load().map(Arc::new))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_the_bound_is_kept_and_what_is_kept_is_not_loaded_again() {
        let programs = Cache::new(KEPT);
        for number in 0..10 * KEPT {
            let loaded = Gpu::kept(&programs, &number.to_string(), || Ok(number)).unwrap();
            assert_eq!(*loaded, number);
            assert!(programs.len() <= KEPT, "{}", programs.len());
        }
        assert!(programs.len() > KEPT / 2, "{}", programs.len());
        let last = (10 * KEPT - 1).to_string();
        let again = Gpu::kept(&programs, &last, || Err(EngineError::BuiltWithoutGpu)).unwrap();
        assert_eq!(again.to_string(), last);
        let failed = Gpu::kept(&programs, "other", || Err(EngineError::BuiltWithoutGpu));
        assert!(failed.is_err() && programs.peek("other").is_none());
    }
}
