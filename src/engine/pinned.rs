//! Batches in memory that GPUs copy from and to by themselves.

use limbforge_algos::cpu::EvalError;
use limbforge_limb::{Base, Batch, IntType, Layout};

use super::Engine;
use super::error::EngineError;
use super::gpu::Loaded;

impl Engine {
    /// A batch in page-locked (pinned) memory, which GPUs copy from and to at the full rate of their link,
    /// with no thread of the CPU. Use it for operands, for results and for the batch of
    /// [`eval_into`](Self::eval_into); everything else takes it, too.
    ///
    /// If all operands of an evaluation are pinned, so is the result, unless the machine has no more such
    /// memory (small batches and an operand of one integer for all instances do not count).
    ///
    /// The integers are not cleared: they are zeros or what an earlier batch has left. When the batch is
    /// dropped its memory goes to a pool of the engine, where the next one finds it: to lock new pages takes
    /// twenty times as long as to copy them. A clone shares the memory, and writing to a shared batch copies it
    /// to ordinary memory. An engine that computes on the CPU returns ordinary memory, of zeros.
    ///
    /// ```
    /// use limbforge::prelude::*;
    ///
    /// let engine = Engine::auto();
    /// let ty: IntType = "u256".parse()?;
    /// let mut a = engine.pinned::<u64>(ty, Layout::InstanceMajor, 1000)?;
    /// for (i, limbs) in (0..).zip(a.limbs_mut().chunks_exact_mut(4)) {
    ///     limbs.copy_from_slice(&[i, 0, 0, 0]);
    /// }
    /// let squares = engine.eval(&Expr::parse("a*a")?, &[("a", &a)])?;
    /// assert_eq!(squares.instance(999), [999 * 999, 0, 0, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Gpu`] if the machine has no such memory left, or its limit on locked memory is reached;
    /// [`EngineError::Eval`] if the limbs cannot be addressed.
    pub fn pinned<B: Base>(
        &self,
        ty: IntType,
        layout: Layout,
        instances: usize,
    ) -> Result<Batch<B>, EngineError> {
        match self.backend.gpu() {
            None => Ok(Batch::zeros(ty, layout, instances).map_err(EvalError::from)?),
            Some(gpus) => gpus.pinned(ty, layout, instances),
        }
    }
}

/// A batch for all results of operands that fit: in pinned memory if these are, with any content, else of
/// zeros.
pub(super) fn for_results<B: Base>(
    loaded: Option<&Loaded>,
    operands: &[&Batch<B>],
    ty: IntType,
    layout: Layout,
    instances: usize,
) -> Result<Batch<B>, EngineError> {
    let zeros = || Ok(Batch::zeros(ty, layout, instances).map_err(EvalError::from)?);
    let Some(gpus) = loaded.map(Loaded::gpus) else { return zeros() };
    let counted: Vec<&Batch<B>> =
        operands.iter().copied().filter(|operand| operand.instances() == instances).collect();
    if !gpus.are_pinned(&counted) {
        return zeros();
    }
    // Without pinned memory the copy is slower and the result the same.
    gpus.pinned_to_write(ty, layout, instances).or_else(|_| zeros())
}
