//! Rings of residues.

use super::{Operand, ProgramBuilder, Value};

impl ProgramBuilder {
    /// The ring of residues modulo a value that no loop changes. An instance fails where it is even, 0 or
    /// negative.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let ring = p.modulus(p.input("n"));
    /// let program = p.finish([("half", ring.of(1) / 2)])?;
    /// assert_eq!(program.to_string(), "in n\nlet _1 = 1 mod n\nlet _2 = _1 / 2\nout half = _2\n");
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    #[must_use]
    pub fn modulus(&self, n: impl Operand) -> Ring {
        Ring { modulus: self.number(n) }
    }
}

/// The residues modulo a value.
#[derive(Clone, Debug)]
pub struct Ring {
    modulus: Value,
}

impl Ring {
    /// The residue of an integer.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let ring = p.modulus(p.input("n"));
    /// let program = p.finish([("x", ring.of(7))])?;
    /// assert!(program.to_string().contains("_1 = 7 mod n\n"));
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    #[must_use]
    pub fn of(&self, integer: impl Operand) -> Value {
        let integer = integer.written(&self.modulus.writer);
        self.modulus.computed(&format!("{integer} mod {}", self.modulus.written))
    }
}
