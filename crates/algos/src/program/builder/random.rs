//! Random integers and the number of the instance.

use limbforge_limb::IntType;

use super::{Operand, ProgramBuilder, Value};

impl ProgramBuilder {
    /// The number of the instance in its batch, from 0: a `u64`.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let program = p.finish([("x", p.instance() * 32)])?;
    /// assert_eq!(program.to_string(), "let _1 = instance * 32\nout x = _1\n");
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    #[must_use]
    pub fn instance(&self) -> Value {
        self.value("instance")
    }

    /// A random integer of this type: bits of Philox4x32-10 with the key `seed` and this counter, both modulo
    /// 2^64. Every backend computes the same.
    ///
    /// ```
    /// use limbforge_algos::program::builder::ProgramBuilder;
    /// let p = ProgramBuilder::new();
    /// let x = p.random("u131".parse().unwrap(), p.input("seed"), p.instance());
    /// let program = p.finish([("x", x)])?;
    /// assert!(program.to_string().contains("_1 = random(u131, seed, instance)\n"));
    /// # Ok::<(), limbforge_algos::program::ProgramError>(())
    /// ```
    #[must_use]
    pub fn random(&self, ty: IntType, seed: impl Operand, counter: impl Operand) -> Value {
        let (seed, counter) = (seed.written(&self.writer), counter.written(&self.writer));
        self.computed(&format!("random({ty}, {seed}, {counter})"))
    }
}
