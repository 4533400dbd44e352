//! What a typed program tells.

use limbforge_limb::IntType;

use super::region::{Input, List, Modulus, Output, Region, TypedProgram};
use super::ty::{Element, ModulusId, Ty, ValueId};

impl TypedProgram {
    /// The text that it was parsed from.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The inputs in order.
    #[must_use]
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The moduli.
    #[must_use]
    pub fn moduli(&self) -> &[Modulus] {
        &self.moduli
    }

    /// The type of each value.
    #[must_use]
    pub fn types(&self) -> &[Ty] {
        &self.types
    }

    /// The type of a value.
    #[must_use]
    pub fn ty(&self, value: ValueId) -> Ty {
        self.types[value.index()]
    }

    /// The modulus of a residue.
    #[must_use]
    pub fn modulus(&self, modulus: ModulusId) -> &Modulus {
        &self.moduli[modulus.index()]
    }

    /// The lists in order.
    #[must_use]
    pub fn lists(&self) -> &[List] {
        &self.lists
    }

    /// The type of the integers of a column: `u1` for a `bool`, the type of the modulus for a residue.
    #[must_use]
    pub fn column(&self, column: Element) -> IntType {
        self.plain_of(column)
    }

    /// The whole program. It has no parameters and no yields; the values of inputs come before its nodes.
    #[must_use]
    pub const fn body(&self) -> &Region {
        &self.body
    }

    /// The results in order.
    #[must_use]
    pub fn results(&self) -> &[Output] {
        &self.results
    }
}
