//! The place of GPUs in a build without the feature `gpu`: there is none.

use core::fmt;
use std::sync::Arc;

use limbforge_algos::cpu::{Evaluator, Failure};
use limbforge_algos::transform::ntt::{Direction, NttPlan};
use limbforge_field::{DynField, Word};
use limbforge_limb::{Base, Batch};

use super::error::EngineError;
use super::placement::Placed;
use super::poly::Operation;

/// It has no value, so that nothing below ever runs.
#[derive(Debug)]
pub(super) enum Gpus {}

impl Gpus {
    pub(super) const fn open(_ordinals: &[usize]) -> Result<Self, EngineError> {
        Err(EngineError::BuiltWithoutGpu)
    }

    pub(super) const fn open_all() -> Result<Self, EngineError> {
        Err(EngineError::BuiltWithoutGpu)
    }

    pub(super) const fn left(&self) -> Option<Arc<EngineError>> {
        match *self {}
    }

    pub(super) const fn with_memory(&self, _bytes: u64) -> Arc<Self> {
        match *self {}
    }

    pub(super) const fn name(&self) -> &str {
        match *self {}
    }

    pub(super) const fn transform<W: Word>(
        &self,
        _field: &DynField,
        _plan: &NttPlan,
        _direction: Direction,
        _values: &mut [W],
    ) -> Result<(), EngineError> {
        match *self {}
    }

    pub(super) const fn poly<F>(
        &self,
        _field: &DynField,
        _operation: Operation,
        _lengths: &[[usize; 2]],
        _pair: F,
    ) -> Result<Vec<Option<[Vec<u64>; 2]>>, EngineError> {
        match *self {}
    }
}

/// An expression on a GPU.
#[derive(Debug)]
pub(super) enum Loaded {}

impl Loaded {
    pub(super) fn new<B: Base>(
        gpus: &Arc<Gpus>,
        _evaluator: &Evaluator<B>,
        _placed: &Placed,
    ) -> Result<Self, EngineError> {
        match **gpus {}
    }

    pub(super) const fn gpus(&self) -> &Gpus {
        match *self {}
    }

    pub(super) const fn run<B: Base>(
        &self,
        _evaluator: &Evaluator<B>,
        _operands: &[&Batch<B>],
        _result: &mut Batch<B>,
    ) -> Result<Vec<Failure>, EngineError> {
        match *self {}
    }
}

impl fmt::Display for Loaded {
    fn fmt(&self, _f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}
