//! Programs: loops, residues and several results.

pub mod region;
pub mod text;
mod ty;

pub use region::{Input, Kind, Modulus, Node, Output, Part, Region, ResidueOp, Rounds, TypedProgram};
pub use text::{ProgramError, ProgramErrorKind, ProgramWarning};
pub use ty::{Element, ModulusId, Ty, ValueId};
