//! The place of runs on GPUs in a build without the feature `gpu`: there are none.

use std::sync::Arc;

use limbforge_algos::program::{State, TypedProgram};
use limbforge_limb::Batch;

use super::slices::Slices;
use crate::engine::EngineError;
use crate::engine::gpu::Gpus;

pub(super) enum OnGpu {}

impl OnGpu {
    pub(super) fn start(
        gpus: &Arc<Gpus>,
        _program: &TypedProgram,
        _inputs: &[Batch<u64>],
        _instances: usize,
    ) -> Result<Box<dyn Slices>, EngineError> {
        match **gpus {}
    }

    pub(super) fn resume(
        gpus: &Arc<Gpus>,
        _program: &TypedProgram,
        _inputs: &[Batch<u64>],
        _instances: usize,
        _state: &State,
    ) -> Result<Box<dyn Slices>, EngineError> {
        match **gpus {}
    }
}
