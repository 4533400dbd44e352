//! Errors of engines.

mod placement;
mod residues;

use limbforge_algos::cpu::EvalError;
use limbforge_algos::cpu::program::RunError;
use limbforge_algos::fill::FillError;
use limbforge_algos::poly::PolyError;
use limbforge_algos::program::ProgramError;
use limbforge_algos::transform::ntt::NttError;
#[cfg(feature = "gpu")]
use limbforge_gpu::GpuError;
#[cfg(feature = "gpu")]
use limbforge_kernels_gen::SpecError;

pub use self::placement::PlacementError;
pub use self::residues::ResidueError;
use super::program::{CheckpointError, InputError};

/// An error of an evaluation, a transform or a computation with polynomials.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The expression and the batches do not go together.
    #[error(transparent)]
    Eval(#[from] EvalError),
    /// A placement and an expression, or a prepared expression and batches, do not go together.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// A batch cannot hold the integers that it should be filled with.
    #[error(transparent)]
    Fill(#[from] FillError),
    /// The field has no such transform, or the values are no batch of its residues.
    #[error(transparent)]
    Ntt(#[from] NttError),
    /// Resident residues do not go together.
    #[error(transparent)]
    Residues(#[from] ResidueError),
    /// A program has no types for its inputs.
    #[error(transparent)]
    Program(Box<ProgramError>),
    /// A program and batches do not go together.
    #[error(transparent)]
    Input(#[from] InputError),
    /// Batches or a state that do not fit a program.
    #[error(transparent)]
    Run(Box<RunError>),
    /// A checkpoint cannot be written or read.
    #[error(transparent)]
    Checkpoint(Box<CheckpointError>),
    /// A pair of polynomials has no result.
    #[error("pair {pair}: {source}")]
    Poly {
        /// Its number, from 0.
        pair: usize,
        /// The reason.
        source: PolyError,
    },
    /// Polynomials that do not make pairs.
    #[error("{a} polynomials and {b}: expected as many of both, or one of either")]
    PolyCounts {
        /// Polynomials of the first operand.
        a: usize,
        /// Polynomials of the second operand.
        b: usize,
    },
    /// A GPU is asked for, and this program was built without the feature `gpu`.
    #[error(
        "there is no GPU support in this program: build limbforge with its feature `gpu`, or compute on the CPU"
    )]
    BuiltWithoutGpu,
    /// One GPU is asked for several times.
    #[error("GPU {ordinal} is given twice: expected different numbers")]
    GpuTwice {
        /// Its number, from 0.
        ordinal: usize,
    },
    /// A GPU of several has failed; the others have computed everything without it.
    #[error("GPU {ordinal} has left the set: {source}; the other GPUs go on")]
    GpuLeft {
        /// Its number, from 0.
        ordinal: usize,
        /// Why.
        source: Box<EngineError>,
    },
    /// Operands that lie in the memory of different devices.
    #[error(
        "operand `{operand}` lies on {found}; expected {expected}: download it and upload it there, or scatter all operands alike"
    )]
    OtherDevice {
        /// The operand.
        operand: String,
        /// Where the first operand lies, or the expression was prepared for.
        expected: String,
        /// Where the operand lies.
        found: String,
    },
    /// An operand on a GPU of the expression, which another engine has opened.
    #[error(
        "operand `{operand}` lies on {found} of another engine: clone an engine rather than open its GPU again, or download the batch and upload it with this one"
    )]
    OtherEngine {
        /// The operand.
        operand: String,
        /// Where it lies.
        found: String,
    },
    /// An engine, or a batch of one, that computes on the CPU where a GPU is needed.
    #[error("{what} is on the CPU; expected one of a GPU, as from `Engine::gpu` or `Engine::gpus`")]
    NotOnGpu {
        /// The engine or the batch.
        what: &'static str,
    },
    /// The GPU of the operands has not loaded the expression's kernels, as it has left the set.
    #[error(
        "the GPU of the operands does not compute any more: {why}; download them and upload them to another"
    )]
    NotLoaded {
        /// Why it has left.
        why: String,
    },
    /// An operand that is one integer for all instances, and has no value.
    #[error("operand `{operand}`, which all instances share, is the result of an evaluation that failed")]
    FailedOperand {
        /// The operand.
        operand: String,
    },
    /// Instances of a batch have no value.
    #[error("instance {first} has no result, the first of {count}: `download_checked` returns all others")]
    Failed {
        /// The first of them.
        first: usize,
        /// How many there are.
        count: usize,
    },
    /// There is no kernel for the expression or the transform on this device.
    #[cfg(feature = "gpu")]
    #[error("no kernel: {0}")]
    Spec(#[from] SpecError),
    /// The device, its driver or its compiler failed.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Gpu(Box<GpuError>),
    /// A kernel and the CPU backend contradict each other: a defect of this library. Nothing is computed
    /// elsewhere instead.
    #[error("the GPU's kernels and the CPU backend contradict each other: {what}; please report this")]
    Internal {
        /// The contradiction.
        what: String,
    },
}

impl From<ProgramError> for EngineError {
    fn from(error: ProgramError) -> Self {
        Self::Program(Box::new(error))
    }
}

impl From<RunError> for EngineError {
    fn from(error: RunError) -> Self {
        Self::Run(Box::new(error))
    }
}

impl From<CheckpointError> for EngineError {
    fn from(error: CheckpointError) -> Self {
        Self::Checkpoint(Box::new(error))
    }
}

#[cfg(feature = "gpu")]
impl From<GpuError> for EngineError {
    fn from(error: GpuError) -> Self {
        Self::Gpu(Box::new(error))
    }
}

impl EngineError {
    /// True if the device refuses or fails, so that another one may compute it.
    pub(super) const fn is_of_device(&self) -> bool {
        match self {
            #[cfg(feature = "gpu")]
            Self::Spec(_) | Self::Gpu(_) => true,
            _ => false,
        }
    }
}
