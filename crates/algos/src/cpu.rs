//! The CPU backend: an expression over batches, on all cores.
//!
//! A [`Schedule`] says in which order the operations run and which buffers they share. The batch is cut into
//! tiles of instances that fit the cache; each thread runs the whole schedule on a tile before it takes the
//! next, so that intermediate values never leave the cache.

mod error;
mod eval;
mod evaluator;
mod failure;
mod schedule;
mod tile;
mod workspace;

pub use error::EvalError;
pub use eval::{Shape, bind, eval, eval_checked, eval_into, eval_into_checked};
pub use evaluator::Evaluator;
pub use failure::{Checked, Failure};
pub use schedule::{Schedule, Source, Step};
pub use workspace::Workspace;

pub use crate::integer::products::Product;
pub use crate::op::Why;
pub use crate::op::instances::Operand;
