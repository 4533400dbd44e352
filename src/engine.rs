//! Where expressions are evaluated and values are transformed.

mod fallback;
#[cfg(feature = "gpu")]
mod gpu;
#[cfg(not(feature = "gpu"))]
#[path = "engine/no_gpu.rs"]
mod gpu;
mod poly;
mod transform;

use std::sync::Arc;

use limbforge_algos::cpu::{self, Checked, EvalError};
use limbforge_algos::expr::Expr;
use limbforge_algos::poly::PolyError;
use limbforge_algos::transform::ntt::NttError;
#[cfg(feature = "gpu")]
use limbforge_gpu::{GpuError, TuningError};
#[cfg(feature = "gpu")]
use limbforge_kernels_gen::SpecError;
use limbforge_limb::{Base, Batch};

use self::fallback::Refused;
use self::gpu::Gpu;
pub use self::poly::Coefficients;

/// Why an expression was not evaluated, values were not transformed, or polynomials have no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The expression and the batches do not go together.
    #[error(transparent)]
    Eval(#[from] EvalError),
    /// The field has no such transform, or the values are no batch of its residues.
    #[error(transparent)]
    Ntt(#[from] NttError),
    /// A pair of polynomials has no result.
    #[error("pair {pair}: {source}")]
    Poly {
        /// Which one, from 0.
        pair: usize,
        /// Why not.
        source: PolyError,
    },
    /// Polynomials that do not make pairs.
    #[error("{a} polynomials and {b}: expected as many of both, or one of either")]
    PolyCounts {
        /// Of the first operand.
        a: usize,
        /// Of the second.
        b: usize,
    },
    /// A GPU is asked for, and this program was built without the feature `gpu`.
    #[error(
        "there is no GPU support in this program: build limbforge with its feature `gpu`, or compute on the CPU"
    )]
    BuiltWithoutGpu,
    /// There is no kernel for the expression or the transform on this device.
    #[cfg(feature = "gpu")]
    #[error("no kernel: {0}")]
    Spec(#[from] SpecError),
    /// The device, its driver or its compiler failed.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Gpu(Box<GpuError>),
    /// A kernel and the CPU backend contradict each other: a defect of this library. Nothing is computed elsewhere instead.
    #[error("the GPU's kernels and the CPU backend contradict each other: {what}; please report this")]
    Internal {
        /// What they say.
        what: String,
    },
}

#[cfg(feature = "gpu")]
impl From<GpuError> for EngineError {
    fn from(error: GpuError) -> Self {
        Self::Gpu(Box::new(error))
    }
}

/// Evaluates expressions over batches, transforms values over prime fields, and computes with polynomials over them, on a device.
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
    backend: Backend,
}

#[derive(Clone, Debug)]
enum Backend {
    /// The CPU, and why no GPU if one was looked for.
    Cpu(Option<Arc<EngineError>>),
    Gpu(Arc<Gpu>),
    /// A GPU, and the CPU for what it cannot do.
    Auto(Arc<Gpu>, Refused),
}

impl Engine {
    /// The first GPU if there is one with a driver and nvrtc, else the CPU; without the feature `gpu`, the CPU. What the GPU refuses (an expression that
    /// does not fit it, too little memory) the CPU computes: [`fallback`](Self::fallback) says why.
    #[must_use]
    pub fn auto() -> Self {
        let backend = match Gpu::open(0) {
            Ok(gpu) => Backend::Auto(Arc::new(gpu), Refused::default()),
            #[cfg_attr(not(feature = "gpu"), allow(clippy::useless_conversion))]
            Err(error) => Backend::Cpu(Some(Arc::new(error.into()))),
        };
        Self { backend }
    }

    /// The CPU, all its cores. `RAYON_NUM_THREADS` in the environment sets another number of threads.
    #[must_use]
    pub const fn cpu() -> Self {
        Self { backend: Backend::Cpu(None) }
    }

    /// GPU number `ordinal`, counted from 0 as the driver does.
    ///
    /// # Errors
    /// [`EngineError::Gpu`] if there is no driver, no such device or no nvrtc, with what to do about it;
    /// [`EngineError::BuiltWithoutGpu`] without the feature `gpu`.
    pub fn gpu(ordinal: usize) -> Result<Self, EngineError> {
        Ok(Self { backend: Backend::Gpu(Arc::new(Gpu::open(ordinal)?)) })
    }

    /// Limits the memory that an evaluation takes on the GPU, in bytes: larger batches go through it in chunks. The
    /// default is four fifths of what is free. Without effect on the CPU.
    #[must_use]
    pub fn with_device_memory(mut self, bytes: u64) -> Self {
        if let Backend::Gpu(gpu) | Backend::Auto(gpu, _) = &mut self.backend {
            *gpu = gpu.with_memory(bytes);
        }
        self
    }

    /// The device's name: `CPU`, or as the driver calls the GPU.
    #[must_use]
    pub fn device_name(&self) -> &str {
        match &self.backend {
            Backend::Cpu(_) => "CPU",
            Backend::Gpu(gpu) | Backend::Auto(gpu, _) => gpu.name(),
        }
    }

    /// Why the measurements that `limbforge tune` has made on this GPU are not used, if they are not: results are the same, but
    /// another algorithm may be faster. None if all is well, and on the CPU.
    #[cfg(feature = "gpu")]
    #[must_use]
    pub fn tuning_error(&self) -> Option<&TuningError> {
        match &self.backend {
            Backend::Cpu(_) => None,
            Backend::Gpu(gpu) | Backend::Auto(gpu, _) => gpu.tuning_error(),
        }
    }

    /// Why an engine of [`auto`](Self::auto) computes on the CPU: there is no GPU or nothing to compile for it, or what the GPU
    /// refused last, which it or a clone of it has then computed on the CPU. None of an engine that was asked for a device.
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
        match &self.backend {
            Backend::Cpu(why) => why.clone(),
            Backend::Gpu(_) => None,
            Backend::Auto(_, refused) => refused.last(),
        }
    }

    /// The values of `expr` over the named batches, instance by instance, exact modulo `2^bits` of their type.
    ///
    /// All batches have one type; all have N instances, or 1, which is broadcast. The result has the layout of the first
    /// batch and its type, or for a wide product that of twice the bits.
    ///
    /// # Errors
    /// [`EngineError`] if the expression and the batches do not go together, the device fails, or an instance has no
    /// result, as in a division by zero: [`eval_checked`](Engine::eval_checked) then has the others.
    pub fn eval<B: Base>(&self, expr: &Expr, inputs: &[(&str, &Batch<B>)]) -> Result<Batch<B>, EngineError> {
        Ok(self.eval_checked(expr, inputs)?.complete()?)
    }

    /// As [`eval`](Engine::eval), with the instances that failed beside the results of all others.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let ty = IntType::unsigned(128)?;
    /// let a = Batch::<u64>::from_biguints(ty, Layout::InstanceMajor, &[7u32.into(), 8u32.into()])?;
    /// let b = Batch::<u64>::from_biguints(ty, Layout::InstanceMajor, &[2u32.into(), 0u32.into()])?;
    /// let quotients = Engine::auto().eval_checked(&Expr::parse("a / b")?, &[("a", &a), ("b", &b)])?;
    /// assert_eq!(quotients.values.to_biguints()[0], 3u32.into());
    /// assert_eq!(quotients.failures[0].to_string(), "instance 1: division by zero: `b` is 0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError`] if the expression and the batches do not go together or the device fails.
    pub fn eval_checked<B: Base>(
        &self,
        expr: &Expr,
        inputs: &[(&str, &Batch<B>)],
    ) -> Result<Checked<B>, EngineError> {
        let dag = expr.to_dag();
        let on_cpu = || Ok(cpu::eval_checked(&dag, inputs)?);
        match &self.backend {
            Backend::Cpu(_) => on_cpu(),
            Backend::Gpu(gpu) => gpu.eval(&dag, inputs),
            Backend::Auto(gpu, refused) => refused.or_cpu(gpu.eval(&dag, inputs), on_cpu),
        }
    }

    /// As [`eval`](Engine::eval), into a batch of the result's type and the inputs' number of instances, in its own
    /// layout. On the CPU this spares the allocation when one result after the other is computed.
    ///
    /// # Errors
    /// As [`eval`](Engine::eval), and if `result` does not fit the inputs.
    pub fn eval_into<B: Base>(
        &self,
        expr: &Expr,
        inputs: &[(&str, &Batch<B>)],
        result: &mut Batch<B>,
    ) -> Result<(), EngineError> {
        let dag = expr.to_dag();
        if matches!(self.backend, Backend::Cpu(_)) {
            return Ok(cpu::eval_into(&dag, inputs, result)?);
        }
        let shape = cpu::Shape::of(inputs)?;
        let expected = dag.result_type(shape.ty).map_err(EvalError::from)?;
        if (result.ty(), result.instances()) != (expected, shape.instances) {
            let (found, found_instances) = (result.ty(), result.instances());
            let instances = shape.instances;
            return Err(EvalError::ResultMismatch { expected, instances, found, found_instances }.into());
        }
        *result = self.eval(expr, inputs)?.into_layout(result.layout());
        Ok(())
    }
}
