//! Engines: the devices that evaluate expressions and transform values.

mod backend;
mod born;
mod checked;
mod error;
mod eval;
#[cfg(feature = "gpu")]
mod foreign;
#[cfg(feature = "gpu")]
mod gpu;
#[cfg(not(feature = "gpu"))]
#[path = "engine/no_gpu.rs"]
mod gpu;
mod pinned;
mod placement;
mod poly;
mod prepared;
mod program;
mod ready;
mod resident;
mod residues;
mod several;
mod transform;

use std::sync::Arc;

#[cfg(feature = "gpu")]
use limbforge_gpu::TuningError;

use self::backend::Backend;
pub use self::error::{EngineError, PlacementError, ResidueError};
use self::gpu::Gpus;
pub use self::placement::Placement;
pub use self::poly::Coefficients;
pub use self::prepared::Prepared;
pub use self::program::{CheckpointError, InputError, ProgramList, ProgramRun, Progress, Session};
pub use self::resident::DeviceBatch;
pub use self::residues::DeviceResidues;
pub use self::several::PreparedAll;

/// Evaluates expressions over batches, transforms values over prime fields, and computes with polynomials
/// over them, on a device.
///
/// ```
/// use limbforge::prelude::*;
/// let ty = IntType::unsigned(128)?;
/// let a = Batch::<u32>::from_biguints(ty, Layout::InstanceMajor, &[3u32.into(), 4u32.into()])?;
/// let squares = Engine::auto().eval(&Expr::input("a").sqr(), &[("a", &a)])?;
/// assert_eq!(squares.to_biguints(), [9u32.into(), 16u32.into()]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Engine {
    backend: Backend<Arc<Gpus>>,
}

impl Engine {
    /// All GPUs if there are a driver and nvrtc, else the CPU; without the feature `gpu`, the
    /// CPU. What the GPU refuses (an expression that does not fit it, too little memory) the CPU computes:
    /// [`fallback`](Self::fallback) says why.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let engine = Engine::auto();
    /// println!("computing on {}", engine.device_name());
    /// ```
    #[must_use]
    pub fn auto() -> Self {
        let backend = match Gpus::open_all() {
            Ok(gpus) => Backend::Auto(Arc::new(gpus), Default::default()),
            Err(error) => Backend::Cpu(Some(Arc::new(error))),
        };
        Self { backend }
    }

    /// The CPU, all its cores. `RAYON_NUM_THREADS` in the environment sets another number of threads.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// assert_eq!(Engine::cpu().device_name(), "CPU");
    /// ```
    #[must_use]
    pub const fn cpu() -> Self {
        Self { backend: Backend::Cpu(None) }
    }

    /// GPU number `ordinal`, counted from 0 as the driver does.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// match Engine::gpu(1) {
    ///     Ok(engine) => println!("computing on {}", engine.device_name()),
    ///     Err(error) => eprintln!("no second GPU: {error}"),
    /// }
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Gpu`] if there is no driver, no such device or no nvrtc, with what to do about it;
    /// [`EngineError::BuiltWithoutGpu`] without the feature `gpu`.
    pub fn gpu(ordinal: usize) -> Result<Self, EngineError> {
        Self::gpus(&[ordinal])
    }

    /// Several GPUs by their numbers, which share every batch: a faster one computes more of it. One that
    /// fails gives what it has not computed to the others and leaves the set; [`fallback`](Self::fallback)
    /// names it.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// match Engine::gpus(&[0, 1]) {
    ///     Ok(engine) => println!("computing on {}", engine.device_name()),
    ///     Err(error) => eprintln!("not two GPUs: {error}"),
    /// }
    /// ```
    ///
    /// # Errors
    /// Those of [`gpu`](Self::gpu), and [`EngineError::GpuTwice`] for a number that is given twice.
    pub fn gpus(ordinals: &[usize]) -> Result<Self, EngineError> {
        Ok(Self { backend: Backend::Gpu(Arc::new(Gpus::open(ordinals)?)) })
    }

    /// All GPUs that the driver lists, as from [`gpus`](Self::gpus).
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// match Engine::all_gpus() {
    ///     Ok(engine) => println!("computing on {}", engine.device_name()),
    ///     Err(error) => eprintln!("no GPU: {error}"),
    /// }
    /// ```
    ///
    /// # Errors
    /// Those of [`gpu`](Self::gpu).
    pub fn all_gpus() -> Result<Self, EngineError> {
        Ok(Self { backend: Backend::Gpu(Arc::new(Gpus::open_all()?)) })
    }

    /// Limits the memory that an evaluation takes on each GPU, in bytes: larger batches go through it in
    /// chunks. The default is four fifths of what is free. Without effect on the CPU.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let engine = Engine::auto().with_device_memory(1 << 30); // one gibibyte
    /// # drop(engine);
    /// ```
    #[must_use]
    pub fn with_device_memory(mut self, bytes: u64) -> Self {
        if let Backend::Gpu(gpus) | Backend::Auto(gpus, _) = &mut self.backend {
            *gpus = gpus.with_memory(bytes);
        }
        self
    }

    /// Computes loops of programs over residues by products of matrices wherever they qualify, on GPUs of compute
    /// capability 8.0 and later: loops that carry residues of one modulus alone, whose rounds have only sums,
    /// products and choices by the bits of `for bit in bits(k)`, and are as many in all instances. Modulo one
    /// number for all instances, of up to 1536 bits, they run by folds, else in residue number systems of 32 to
    /// 16384 bits. Results are the same. Without this an engine takes them where they were measured to be faster.
    /// Without effect on the CPU.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let engine = Engine::auto().with_residue_loops();
    /// # drop(engine);
    /// ```
    #[must_use]
    pub fn with_residue_loops(mut self) -> Self {
        if let Backend::Gpu(gpus) | Backend::Auto(gpus, _) = &mut self.backend {
            *gpus = gpus.with_residue_loops();
        }
        self
    }

    /// The device's name: `CPU`, or as the driver calls the GPU, or `2 x` that name.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// assert_eq!(Engine::cpu().device_name(), "CPU");
    /// ```
    #[must_use]
    pub fn device_name(&self) -> &str {
        self.backend.gpu().map_or("CPU", |gpu| gpu.name())
    }

    /// The error that keeps the measurements of `limbforge tune` from being used on this GPU: results are the
    /// same, but another algorithm may be faster. None if all is well, and on the CPU.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// if let Some(error) = Engine::auto().tuning_error() {
    ///     eprintln!("warning: {error}");
    /// }
    /// ```
    #[cfg(feature = "gpu")]
    #[must_use]
    pub fn tuning_error(&self) -> Option<&TuningError> {
        self.backend.gpu()?.tuning_error()
    }

    /// The reason why an engine of [`auto`](Self::auto) computes on the CPU: there is no GPU or no nvrtc, or
    /// the GPU has refused an evaluation, which this engine or a clone then computed on the CPU; the last such
    /// refusal counts. Else, for any engine with several GPUs, the reason why one of them has left: the others
    /// compute without it.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let engine = Engine::auto();
    /// if let Some(why) = engine.fallback() {
    ///     eprintln!("on the CPU: {why}");
    /// }
    /// assert!(Engine::cpu().fallback().is_none());
    /// ```
    #[must_use]
    pub fn fallback(&self) -> Option<Arc<EngineError>> {
        self.backend.fallback().or_else(|| self.backend.gpu()?.left())
    }
}
