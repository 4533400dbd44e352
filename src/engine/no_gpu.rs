//! The place of a GPU in a build without the feature `gpu`: there is none.

use std::sync::Arc;

use limbforge_algos::cpu::Checked;
use limbforge_algos::expr::Dag;
use limbforge_algos::transform::ntt::{Direction, NttPlan};
use limbforge_field::{DynField, Word};
use limbforge_limb::{Base, Batch};

use super::EngineError;
use super::poly::Operation;

/// It has no value, so that nothing below ever runs.
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

    pub(super) const fn eval<B: Base>(
        &self,
        _dag: &Dag,
        _inputs: &[(&str, &Batch<B>)],
    ) -> Result<Checked<B>, EngineError> {
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
