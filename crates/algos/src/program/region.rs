//! The intermediate representation: regions in static single assignment form, with carried values.
//!
//! There are no jumps and no variables. A region is a list of nodes; a node computes values from earlier ones
//! of its region and of the regions around it. Loops carry values: their operands are the first ones, the
//! parameters of the body those of a round, its yields those of the next, the results those after the last.

mod kind;

use std::sync::Arc;

use limbforge_limb::IntType;

use super::text::syntax::Span;
use super::ty::{Element, Ty, ValueId};
pub use kind::{Kind, ResidueOp, Rounds};

/// A program with a type for each value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedProgram {
    pub(crate) text: Arc<str>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) moduli: Vec<Modulus>,
    pub(crate) types: Vec<Ty>,
    pub(crate) body: Region,
    pub(crate) results: Vec<Output>,
    pub(crate) lists: Vec<List>,
}

/// A list, to which instances append rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// Its name.
    pub name: Arc<str>,
    /// The types of the columns. Those of residues hold their numbers.
    pub columns: Vec<Element>,
    /// The most rows of a run.
    pub most: u64,
}

/// An input: a batch of one type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its name.
    pub name: Arc<str>,
    /// The type of the batch.
    pub ty: IntType,
    /// Integers of the batch for each instance: 1, or more for arrays and tuples.
    pub elements: u32,
    /// The values, integers or arrays of them.
    pub parts: Vec<Part>,
}

/// A result: a batch of one type. A `bool` is 0 or 1 of `u1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its name.
    pub name: Arc<str>,
    /// The type of the batch.
    pub ty: IntType,
    /// Integers of the batch for each instance.
    pub elements: u32,
    /// The values: integers of type `ty`, `bool`, or arrays of them.
    pub parts: Vec<Part>,
}

/// A value among the integers of an instance: element e of it is the integer `first + e * stride`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The value.
    pub value: ValueId,
    /// The place of its first element.
    pub first: u32,
    /// From each element to the next; 1 for a value that is no array.
    pub stride: u32,
}

/// A modulus: a value of the top region. An instance fails where it is 0, negative (`DIV0`) or even (`EVEN`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modulus {
    /// The modulus.
    pub value: ValueId,
    /// Its type, which is that of [`ResidueOp::Int`].
    pub ty: IntType,
    /// The place that an error names.
    pub span: Span,
}

/// A list of nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Region {
    /// The values that the region is given: the index of a loop and what it carries.
    pub params: Vec<ValueId>,
    /// The nodes in order.
    pub nodes: Vec<Node>,
    /// The values that it gives.
    pub yields: Vec<ValueId>,
}

/// An operation, a loop or a branch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// What it computes.
    pub kind: Kind,
    /// Its operands.
    pub args: Vec<ValueId>,
    /// Its results.
    pub results: Vec<ValueId>,
    /// Its place in the text.
    pub span: Span,
}
