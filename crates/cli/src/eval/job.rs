//! What a run computes, from which files.

use limbforge::prelude::*;

use super::arguments::{EvalArguments, InputArgument};
use super::sizes::Sizes;
use super::source::Reading;

/// A command whose arguments go together.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub(super) arguments: EvalArguments,
    pub(super) expr: Expr,
    pub(super) ty: IntType,
    pub(super) sizes: Sizes,
}

impl Job {
    pub(super) fn inputs(&self) -> &[InputArgument] {
        &self.arguments.inputs
    }

    pub(super) const fn reading(&self) -> Reading {
        Reading::new(&self.arguments, self.ty)
    }
}
