//! The place of GPUs in a build without the feature `gpu`: there are none.

use core::fmt;
use core::ops::Range;
use std::sync::Arc;

use limbforge_algos::cpu::{Evaluator, Failure};
use limbforge_algos::fill::Fill;
use limbforge_algos::transform::elementwise::Elementwise;
use limbforge_algos::transform::ntt::{Direction, NttPlan};
use limbforge_field::{DynField, Word};
use limbforge_limb::{Base, Batch, IntType, Layout};

use super::error::EngineError;
use super::placement::Placed;
use super::poly::Operation;

/// Results that are computed together.
pub(super) const MOST_RESULTS: usize = 32;

/// Types without values, and methods that therefore never run.
macro_rules! never {
    ($(#[$doc:meta] $type:ident {
        $(fn $name:ident $(<$($parameter:ident: $bound:path),*>)? (&self $(, $argument:ident: $of:ty)*) -> $result:ty;)*
    })*) => { $(
        #[$doc]
        #[derive(Clone, Debug)]
        pub(super) enum $type {}

        #[allow(clippy::unused_self, clippy::needless_pass_by_value, reason = "as where there are GPUs")]
        impl $type {
            $(pub(super) fn $name $(<$($parameter: $bound),*>)? (&self $(, $argument: $of)*) -> $result {
                $(let _ = $argument;)*
                match *self {}
            })*
        }
    )* };
}

never! {
    /// The GPUs of an engine.
    Gpus {
        fn with_memory(&self, bytes: u64) -> Arc<Self>;
        fn with_residue_loops(&self) -> Arc<Self>;
        fn name(&self) -> &str;
        fn left(&self) -> Option<Arc<EngineError>>;
        fn present(&self) -> Vec<usize>;
        fn named_as(&self, batch: &GpuBatch) -> String;
        fn are_pinned<B: Base>(&self, batches: &[&Batch<B>]) -> bool;
        fn pinned<B: Base>(&self, ty: IntType, layout: Layout, instances: usize) -> Result<Batch<B>, EngineError>;
        fn pinned_to_write<B: Base>(&self, ty: IntType, layout: Layout, instances: usize) -> Result<Batch<B>, EngineError>;
        fn is_same(&self, other: &Self) -> bool;
        fn transform<W: Word>(
            &self, field: &DynField, plan: &NttPlan, direction: Direction, values: &mut [W]
        ) -> Result<(), EngineError>;
        fn poly<F: Fn(usize) -> [Vec<u64>; 2]>(
            &self, field: &DynField, operation: Operation, lengths: &[[usize; 2]], pair: F
        ) -> Result<Vec<Option<[Vec<u64>; 2]>>, EngineError>;
    }

    /// An expression on GPUs.
    Loaded {
        fn gpus(&self) -> &Arc<Gpus>;
        fn run<B: Base>(
            &self, evaluator: &Evaluator<B>, operands: &[&Batch<B>], results: &mut [&mut Batch<B>]
        ) -> Result<Vec<Vec<Failure>>, EngineError>;
        fn run_resident(
            &self, operands: &[&GpuBatch], instances: usize
        ) -> Result<Vec<GpuBatch>, EngineError>;
    }

    /// A batch in the memory of a GPU.
    GpuBatch {
        fn upload_beside<B: Base>(
            &self, limbs: &[B], instances: usize, failed: &[usize]
        ) -> Result<Self, EngineError>;
        fn download<B: Base>(&self, limbs: &mut [B]) -> Result<(), EngineError>;
        fn failed(&self, instances: usize) -> Result<Vec<usize>, EngineError>;
        fn wait(&self) -> Result<(), EngineError>;
        fn gpus(&self) -> &Arc<Gpus>;
        fn device_name(&self) -> String;
        fn is_beside(&self, other: &Self) -> bool;
        fn transformed(
            &self, field: &DynField, plan: &NttPlan, direction: Direction, transforms: usize
        ) -> Result<Self, EngineError>;
        fn elementwise(
            &self, field: &DynField, operation: Elementwise, other: &Self, counts: (usize, Option<usize>)
        ) -> Result<Self, EngineError>;
        fn poly_rows(
            &self, field: &DynField, operation: Operation, other: &Self, terms: [usize; 2], count: usize
        ) -> Result<Self, EngineError>;
        fn part(
            &self, field: &DynField, row: usize, part: Range<usize>, count: usize
        ) -> Result<Self, EngineError>;
    }
}

impl Gpus {
    pub(super) const fn open(_ordinals: &[usize]) -> Result<Self, EngineError> {
        Err(EngineError::BuiltWithoutGpu)
    }

    pub(super) const fn open_all() -> Result<Self, EngineError> {
        Err(EngineError::BuiltWithoutGpu)
    }
}

impl Loaded {
    pub(super) fn new<B: Base>(
        gpus: &Arc<Gpus>,
        _evaluator: &Evaluator<B>,
        _placed: &Placed,
    ) -> Result<Self, EngineError> {
        match **gpus {}
    }
}

impl GpuBatch {
    pub(super) fn upload<B: Base>(
        gpus: &Arc<Gpus>,
        _place: usize,
        _limbs: &[B],
    ) -> Result<Self, EngineError> {
        match **gpus {}
    }
}

impl GpuBatch {
    #[expect(clippy::extra_unused_type_parameters, reason = "as with GPUs")]
    pub(super) fn filled<B: Base>(
        gpus: &Arc<Gpus>,
        _place: usize,
        _fill: &Fill,
        _lies: (IntType, Layout),
        _numbers: Range<u64>,
    ) -> Result<Self, EngineError> {
        match **gpus {}
    }
}

impl fmt::Display for Loaded {
    fn fmt(&self, _f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}
