//! The devices that an engine or a prepared expression computes on.

use std::sync::{Arc, Mutex, PoisonError};

use super::error::EngineError;

/// The device, with what is known of it if it is a GPU: an engine's `Gpu`, or an expression's kernels.
#[derive(Clone, Debug)]
pub(super) enum Backend<G> {
    /// The CPU, and why no GPU if one was looked for.
    Cpu(Option<Arc<EngineError>>),
    Gpu(G),
    /// A GPU, and the CPU for what it cannot do.
    Auto(G, Refused),
}

type Last = Arc<Mutex<Option<Arc<EngineError>>>>;

/// The last thing that a GPU has refused and the CPU has computed instead; clones share it.
#[derive(Clone, Debug, Default)]
pub(super) struct Refused {
    last: Last,
    /// The engine's, if this is that of a prepared expression.
    engine: Option<Last>,
}

impl<G> Backend<G> {
    pub(super) const fn gpu(&self) -> Option<&G> {
        match self {
            Self::Cpu(_) => None,
            Self::Gpu(gpu) | Self::Auto(gpu, _) => Some(gpu),
        }
    }

    /// The reason why the CPU computes, or did last, although a GPU was looked for.
    pub(super) fn fallback(&self) -> Option<Arc<EngineError>> {
        match self {
            Self::Cpu(why) => why.clone(),
            Self::Gpu(_) => None,
            Self::Auto(_, refused) => refused.last(),
        }
    }

    /// The same choice of devices for kernels that `load` loads. If a GPU refuses them and the engine may
    /// choose, it is the CPU.
    pub(super) fn load<L>(
        &self,
        load: impl FnOnce(&G) -> Result<L, EngineError>,
    ) -> Result<Backend<L>, EngineError> {
        match self {
            Self::Cpu(why) => Ok(Backend::Cpu(why.clone())),
            Self::Gpu(gpu) => Ok(Backend::Gpu(load(gpu)?)),
            Self::Auto(gpu, refused) => match load(gpu) {
                Ok(loaded) => {
                    let refused = Refused { last: Last::default(), engine: Some(refused.last.clone()) };
                    Ok(Backend::Auto(loaded, refused))
                }
                Err(error) if error.is_of_device() => Ok(Backend::Cpu(Some(refused.note(error)))),
                Err(error) => Err(error),
            },
        }
    }

    /// The GPU's result, or the CPU's if there is no GPU, or it has no kernel or fails and the CPU may
    /// compute instead. Wrong operands are errors on both. Both get `state`.
    pub(super) fn run<S: ?Sized, T>(
        &self,
        state: &mut S,
        on_gpu: impl FnOnce(&G, &mut S) -> Result<T, EngineError>,
        on_cpu: impl FnOnce(&mut S) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        match self {
            Self::Cpu(_) => on_cpu(state),
            Self::Gpu(gpu) => on_gpu(gpu, state),
            Self::Auto(gpu, refused) => match on_gpu(gpu, state) {
                Err(error) if error.is_of_device() => {
                    refused.note(error);
                    on_cpu(state)
                }
                done => done,
            },
        }
    }
}

impl Refused {
    fn last(&self) -> Option<Arc<EngineError>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, why: EngineError) -> Arc<EngineError> {
        let why = Arc::new(why);
        for last in [&self.last].into_iter().chain(&self.engine) {
            *last.lock().unwrap_or_else(PoisonError::into_inner) = Some(why.clone());
        }
        why
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
        let backend = Backend::Auto((), Refused::default());
        let of_cpu = |on_gpu| backend.run(&mut (), |(), _| on_gpu, |_| Ok("CPU")).ok();
        let why = || backend.clone().fallback().map(|error| error.to_string());
        assert_eq!((of_cpu(Ok("GPU")), why()), (Some("GPU"), None));
        assert_eq!(of_cpu(Err(SpecError::Matrices.into())), Some("CPU"));
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
        let engine = Backend::Auto((), Refused::default());
        let [one, other] = [(); 2].map(|()| engine.load(|()| Ok(())).unwrap());
        one.run(&mut (), |(), _| Err(SpecError::Matrices.into()), |_| Ok(())).unwrap();
        assert!(one.fallback().is_some() && engine.fallback().is_some() && other.fallback().is_none());
        let refused = engine.load(|()| Err::<(), _>(GpuError::NoDevice.into())).unwrap();
        assert!(matches!(refused, Backend::Cpu(Some(_))));
    }
}
