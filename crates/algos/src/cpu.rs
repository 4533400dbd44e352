//! The CPU backend: an expression over batches, on all cores.
//!
//! A [`Schedule`] says in which order the operations run and which buffers they share. The batch is cut into
//! tiles of instances that fit the cache; each thread runs the whole schedule on a tile before it takes the
//! next, so that intermediate values never leave the cache.

mod error;
mod eval;
mod evaluator;
pub mod program;
mod schedule;
mod tile;

pub use error::{Checked, EvalError, Failure};
pub use eval::{Shape, bind, eval, eval_checked, eval_into};
pub use evaluator::Evaluator;
pub use schedule::{Output, Schedule, Source, Step, Target};

pub use crate::integer::Product;
pub use crate::op::Why;
