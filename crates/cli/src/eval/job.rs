//! What a run computes, from which files.

use limbforge::prelude::*;

use super::arguments::{EvalArguments, InputArgument};
use super::outputs::Target;
use super::shard::Part;
use super::sizes::Sizes;
use super::source::Reading;

/// Bytes of a GPU's memory that are not worth to be divided.
const LITTLE_DEVICE_MEMORY: u64 = 1 << 30;

/// A command whose arguments go together.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub(super) arguments: EvalArguments,
    pub(super) targets: Vec<Target>,
    pub(super) ty: IntType,
    pub(super) sizes: Sizes,
    pub(super) part: Option<Part>,
}

impl Job {
    pub(super) fn inputs(&self) -> &[InputArgument] {
        &self.arguments.inputs
    }

    /// Threads that evaluate. Each takes memory of a GPU: of little there is one.
    pub(super) fn evaluators(&self) -> usize {
        match self.arguments.device_memory {
            Some(bytes) if bytes < LITTLE_DEVICE_MEMORY => 1,
            _ => self.sizes.evaluators,
        }
    }

    /// Bytes of a GPU's memory that an evaluation may take, if that is limited.
    pub(super) fn device_memory(&self) -> Option<u64> {
        Some(self.arguments.device_memory? / self.evaluators() as u64)
    }

    pub(super) fn reading(&self) -> Reading {
        Reading::new(&self.arguments, self.ty)
    }
}
