//! Programs: loops, residues and several results.

pub mod region;
mod stages;
mod state;
pub mod text;
mod ty;
mod uniform;
mod uses;

#[cfg(test)]
pub(crate) mod sketch;

pub use region::{Input, Kind, Modulus, Node, Output, Part, Region, ResidueOp, Rounds, TypedProgram};
pub use stages::{Stage, stages};
pub use state::{ProgramFailure, State};
pub use ty::{Element, ModulusId, Ty, ValueId};
pub use uniform::Uniform;
