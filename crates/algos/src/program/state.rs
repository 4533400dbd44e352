//! States of a run: plain integers, from which any backend goes on.

use limbforge_limb::{Batch, IntType};

use super::region::TypedProgram;
use super::rows::Rows;
use super::text::syntax::Span;
use super::ty::{BIT, Element, ValueId};
use crate::op::Why;

/// A run of a program between two rounds of a loop of the top region, or at its end.
///
/// It holds no form of a backend: neither limbs of other sizes nor residues in Montgomery's form. The inputs
/// are not part of it.
///
/// ```text
/// stage 1, round 500      500 rounds of the loop of stage 1 are done
/// values  %4  %5  %11     those of `Stage::held`: the alive ones and what the loop carries
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The index of the stage ([`stages`](super::stages())). Its straight nodes are done. The last stage has
    /// no loop: there the run is at its end.
    pub stage: usize,
    /// The rounds of its loop that are done, without those that `after` leaves out; 0 in the last stage. An
    /// instance whose own rounds are fewer has done them all.
    pub round: u64,
    /// The values of [`Stage::held`](super::Stage::held) in this order, as integers of the type
    /// [`TypedProgram::plain`]: a `bool` as 0 or 1 of `u1`, a residue as its number from 0 to n - 1.
    ///
    /// A batch has k integers for each instance, k for an array of k elements and else 1; or just k integers,
    /// which are one for all instances. Those of instances that failed are 0 and mean nothing.
    pub values: Vec<(ValueId, Batch<u64>)>,
    /// The instances that failed, in order.
    pub failures: Vec<ProgramFailure>,
    /// The rows of each list so far, by their instances, and how many have been taken before.
    pub lists: Vec<Rows>,
}

/// An instance without results: it stopped at its first failure in program order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProgramFailure {
    /// The instance, from 0.
    pub instance: usize,
    /// The reason.
    pub why: Why,
    /// The place in the text.
    pub span: Span,
}

impl TypedProgram {
    /// The type of a value, or of the elements of an array, in a [`State`]: `u1` for a `bool`, the type of
    /// the modulus for a residue.
    #[must_use]
    pub fn plain(&self, value: ValueId) -> IntType {
        self.plain_of(self.ty(value).element)
    }

    pub(crate) fn plain_of(&self, element: Element) -> IntType {
        match element {
            Element::Bool => BIT,
            Element::Int(ty) => ty,
            Element::Residue(modulus) => self.modulus(modulus).ty,
        }
    }

    /// The elements of an array; 1 for a value that is none.
    #[must_use]
    pub fn elements(&self, value: ValueId) -> usize {
        self.ty(value).length.map_or(1, |length| length as usize)
    }
}
