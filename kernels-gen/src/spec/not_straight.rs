//! Why a program has no straight kernel.

/// Why a program has no straight kernel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "a variant's message names its fields")]
#[non_exhaustive]
pub enum NotStraight {
    /// Numbers are too wide.
    #[error("its values have {bits} bits; expected at most {limit}")]
    Width { bits: u32, limit: u32 },
    /// A thread alone does not compute an operation.
    #[error("it computes {what}, which takes the lanes of a warp")]
    Operation { what: String },
    /// The code would be too long.
    #[error("its code would be about {needed} instructions; expected at most {limit}")]
    Code { needed: u32, limit: u32 },
    /// A thread would hold too many values at once.
    #[error("a thread would need about {needed} registers; expected at most {limit}")]
    Registers { needed: u32, limit: u32 },
    /// Arrays take too much local memory.
    #[error("its arrays would take {needed} bytes of a thread; expected at most {limit}")]
    Arrays { needed: u32, limit: u32 },
    /// The lowering refuses the program at this width.
    #[error("{what}")]
    Lowering { what: String },
}
