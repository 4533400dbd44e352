//! The CPU for what a GPU refuses.

use std::sync::{Arc, Mutex, PoisonError};

use super::error::EngineError;

type Last = Arc<Mutex<Option<Arc<EngineError>>>>;

/// The last thing that a GPU has refused and the CPU has computed instead; clones share it.
#[derive(Clone, Debug, Default)]
pub(super) struct Refused {
    last: Last,
    /// That of the engine, if this is a prepared expression's.
    engine: Option<Last>,
}

impl Refused {
    /// One of a prepared expression: what it notes, the engine notes too.
    pub(super) fn of_prepared(&self) -> Self {
        Self { last: Last::default(), engine: Some(self.last.clone()) }
    }

    pub(super) fn last(&self) -> Option<Arc<EngineError>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn note(&self, why: &Arc<EngineError>) {
        for last in [&self.last].into_iter().chain(&self.engine) {
            *last.lock().unwrap_or_else(PoisonError::into_inner) = Some(why.clone());
        }
    }

    /// The GPU's result, or the CPU's if the GPU has no kernel for it or fails. Wrong operands are errors on
    /// both.
    pub(super) fn or_cpu<T>(
        &self,
        on_gpu: Result<T, EngineError>,
        on_cpu: impl FnOnce() -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        match on_gpu {
            Err(error) if error.is_of_device() => {
                self.note(&Arc::new(error));
                on_cpu()
            }
            done => done,
        }
    }
}

#[cfg(all(test, feature = "gpu"))]
mod tests {
    use limbforge_algos::poly::PolyError;
    use limbforge_gpu::GpuError;
    use limbforge_kernels_gen::SpecError;

    use super::*;

    #[test]
    fn what_a_gpu_refuses_the_cpu_computes_and_says_why() {
        let refused = Refused::default();
        let of_cpu = |on_gpu| refused.or_cpu(on_gpu, || Ok("CPU")).ok();
        assert_eq!((of_cpu(Ok("GPU")), refused.last().is_none()), (Some("GPU"), true));
        assert_eq!(of_cpu(Err(SpecError::Matrices.into())), Some("CPU"));
        let why = || refused.clone().last().map(|error| error.to_string());
        assert_eq!(why(), Some(format!("no kernel: {}", SpecError::Matrices)));
        let memory = GpuError::OutOfMemory { asked: 2, free: 1 };
        assert_eq!(of_cpu(Err(memory.clone().into())), Some("CPU"));
        assert_eq!(why(), Some(memory.to_string()));
        // What is wrong on both is no reason to compute it again.
        let wrong = || Err(EngineError::Poly { pair: 3, source: PolyError::ZeroDivisor });
        assert_eq!((of_cpu(wrong()), why()), (None, Some(memory.to_string())));
    }

    #[test]
    fn an_engine_notes_what_is_refused_to_its_prepared_expressions() {
        let engine = Refused::default();
        let [one, other] = [engine.of_prepared(), engine.of_prepared()];
        one.note(&Arc::new(SpecError::Matrices.into()));
        assert!(one.last().is_some() && engine.last().is_some() && other.last().is_none());
    }
}
