//! The place of a GPU in a build without the feature `gpu`: there is none.

use core::fmt;
use std::sync::Arc;

use limbforge_algos::cpu::{Evaluator, Failure};
use limbforge_algos::transform::ntt::{Direction, NttPlan};
use limbforge_field::{DynField, Word};
use limbforge_limb::{Base, Batch};

use super::error::EngineError;
use super::placement::Placed;
use super::poly::Operation;

/// A type without values: nothing below ever runs.
#[derive(Debug)]
pub(super) enum Gpu {}

impl Gpu {
    pub(super) const fn open(_ordinal: usize) -> Result<Self, EngineError> {
        Err(EngineError::BuiltWithoutGpu)
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
        gpu: &Arc<Gpu>,
        _evaluator: &Evaluator<B>,
        _placed: &Placed,
    ) -> Result<Self, EngineError> {
        match **gpu {}
    }

    pub(super) const fn device_name(&self) -> &str {
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
