//! Why a specification has no kernel.

use core::fmt;

use limbforge_algos::{block::mul_tensor::TooManyDigits, expr::TypeError};
use limbforge_limb::IntType;

use super::not_straight::NotStraight;
use super::product::{Product, ProductMapping};

/// What would fit of a program that needs too much.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProgramFits {
    /// The program has a kernel if these inputs have this many bits.
    Inputs {
        /// The inputs whose types the text leaves open and that have more bits.
        names: Vec<String>,
        /// The widest at which a kernel was planned; one bit more has none.
        bits: u32,
    },
    /// No width of the inputs fits: types that the text writes, or the values held at once, need too much.
    Values,
    /// Operations are as many at all widths.
    Operations,
}

impl fmt::Display for ProgramFits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inputs { names, bits } => {
                let names = names.join("`, `");
                write!(f, "the program fits with `{names}` of {bits} bits; or use the CPU backend")
            }
            Self::Values => f.write_str(
                "no narrower input fits; write narrower types, hold fewer values at once, or use the CPU backend",
            ),
            Self::Operations => f.write_str(
                "as many at all widths; write loops in place of repeated text, or use the CPU backend",
            ),
        }
    }
}

/// A specification that cannot be rendered, or whose kernel cannot run on the device.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "a variant's message names its fields, with their units")]
#[non_exhaustive]
pub enum SpecError {
    /// The results of one kernel have different types.
    #[error("a kernel has results of {first} and of {other}; expected one type: use a kernel for each")]
    Results { first: IntType, other: IntType },
    /// A program has too many results.
    #[error("a program would have {found} results; expected at most {limit}: use several programs")]
    TooManyResults { found: usize, limit: usize },
    /// A block has too many threads.
    #[error(
        "a block would have {needed} threads; expected at most {limit}: use more limbs per thread or fewer instances per block"
    )]
    Threads { needed: u32, limit: u32 },
    /// A block needs too much shared memory.
    #[error(
        "a block would need {needed} bytes of shared memory; expected at most {limit}: use fewer instances per block or a narrower type"
    )]
    SharedMemory { needed: u64, limit: u64 },
    /// A thread holds too many values at once: an estimate.
    #[error(
        "a thread would need about {needed} registers; expected at most {limit}: use fewer limbs per thread, or split the expression"
    )]
    Registers { needed: u32, limit: u32 },
    /// The threads of an instance hold fewer words than the type has.
    #[error("the mapping holds {held} words of 32 bits per integer; expected at least the {needed} of {ty}")]
    Width { held: u64, needed: u64, ty: IntType },
    /// A number of the mapping is impossible.
    #[error("the mapping's {what} is {found}; expected {expected}")]
    Mapping { what: &'static str, found: u32, expected: &'static str },
    /// The mapping belongs to another kind of kernel.
    #[error("the expression's kernels have no mapping `{mapping}`: expected one of {product} products")]
    Unmapped { mapping: ProductMapping, product: Product },
    /// Kernels do not read this limb.
    #[error(
        "kernels do not read limbs of type {name}, {bits} bits: expected 32, 64 or 128 bits whose bytes lie least significant first; compute on the CPU"
    )]
    Limb { name: &'static str, bits: u32 },
    /// A variable is not listed, or listed twice.
    #[error("the expression's variable `{name}` is listed {found} times among the inputs; expected once")]
    Input { name: String, found: usize },
    /// A residue of a transform could leave its word: the proved bound is too large.
    #[error(
        "modulo {p} a residue could reach {bound}; expected less than 2^31: use smaller primes or fewer terms"
    )]
    ResidueRange { p: u32, bound: u64 },
    /// The class of residues is not proved for this prime.
    #[error("modulo {p} residues of the class {class} could leave their word: let the plan choose the class")]
    ResidueClass { p: u64, class: String },
    /// There is no such transform. The prime is p = k 2^adicity + 1 with an odd k.
    #[error(
        "no transform of {points} points modulo {p}, which has roots of order up to 2^{adicity}: expected 2^k or 3*2^k points, k at least 4, up to 2^24, that divide p - 1 (twice if negacyclic)"
    )]
    Points { points: u32, p: u64, adicity: u32 },
    /// No two launches of these columns fit the device; log2 is 0 for one launch.
    #[error(
        "{points} points have no launches with columns of 2^{log2_columns} points, or three times as many for 3*2^k: expected rows and columns of 2^4 points to what a block takes"
    )]
    Columns { points: u32, log2_columns: u32 },
    /// No transform of one block is long enough for the product.
    #[error(
        "products of {digits} digits of 64 bits, {terms} at a time, have no transform in a block; expected at most {limit} digits: use another product"
    )]
    Transform { digits: u32, terms: u32, limit: u32 },
    /// A coefficient of a product on tensor cores could leave its 32 bits.
    #[error(transparent)]
    Digits(#[from] TooManyDigits),
    /// The device has no tensor cores for bytes.
    #[error(
        "the device multiplies no matrices of bytes; expected compute capability 7.5 or later: use another product"
    )]
    Matrices,
    /// The type is too wide for an operation that computes each instance within a warp.
    #[error(
        "`{operation}` takes at most {limit} bits in a kernel; found {ty}: use the CPU backend for wider ones"
    )]
    Warp { operation: String, ty: IntType, limit: u32 },
    /// The type is too wide for the expression's kernels on this device ([`ProgramSpec::blame_width`]);
    /// `limit` is the widest narrower power of two of bits that has kernels.
    ///
    /// [`ProgramSpec::blame_width`]: crate::ProgramSpec::blame_width
    #[error(
        "{ty} is too wide for kernels of this expression on this device, {limit} bits are not: use narrower integers, or the CPU backend"
    )]
    TooWide {
        ty: IntType,
        limit: u32,
        #[source]
        why: Box<SpecError>,
    },
    /// The type is too wide for a division by an inverse; all widths up to `limit` bits have kernels.
    #[error(
        "`{operation}` takes every width up to {limit} bits in kernels, and some above; found {ty}: use the CPU backend for the others"
    )]
    Division { operation: String, ty: IntType, limit: u32 },
    /// A value of a program has too many bits for a kernel.
    #[error("the program has values of {ty}; kernels of programs take at most {limit} bits")]
    ProgramWidth { ty: IntType, limit: u32 },
    /// A kernel of a program does not take an operation.
    #[error(
        "{line}:{column}: kernels of programs do not compute {what}; expected {fits}: use the CPU backend"
    )]
    ProgramOperation { line: u32, column: u32, what: String, fits: String },
    /// A program has no kernel with its values in registers.
    #[error("the program has no straight kernel: {why}; leave the emission to the planner")]
    Straight {
        #[source]
        why: NotStraight,
    },
    /// A program needs too much of a resource.
    #[error("the program's kernel would need {needed} {what}; expected at most {limit}")]
    Program { what: &'static str, needed: u32, limit: u32 },
    /// A program needs too much of a resource, and what would fit.
    #[error("{why}: {fits}")]
    ProgramRefused { why: Box<SpecError>, fits: ProgramFits },
    /// A constant does not fit the type, or a wide product stands where none may.
    #[error(transparent)]
    Type(#[from] TypeError),
    /// A broken invariant: a defect of this crate.
    #[error("the kernel generator contradicts itself: {what}; please report this")]
    Internal { what: String },
    /// A template does not render: a defect of this crate.
    #[error("the kernel template does not render: {0}; please report this")]
    Template(String),
}

impl SpecError {
    /// [`SpecError::Mapping`] unless the number is possible.
    pub(crate) fn require(
        is_possible: bool,
        what: &'static str,
        found: u32,
        expected: &'static str,
    ) -> Result<(), Self> {
        is_possible.then_some(()).ok_or(Self::Mapping { what, found, expected })
    }

    /// [`SpecError::Program`] if a program needs more than the limit.
    pub(crate) const fn program(what: &'static str, needed: u32, limit: u32) -> Result<(), Self> {
        if needed > limit { Err(Self::Program { what, needed, limit }) } else { Ok(()) }
    }

    /// The documented limit that was exceeded: narrower integers, another mapping or another device have a
    /// kernel. `None` for contradictions in a specification and defects of this crate.
    ///
    /// ```
    /// use limbforge_kernels_gen::SpecError;
    /// let error = SpecError::SharedMemory { needed: 1 << 20, limit: 227 << 10 };
    /// assert_eq!(error.limit(), Some("shared memory of a block"));
    /// assert_eq!(SpecError::Template("...".to_owned()).limit(), None);
    /// ```
    #[must_use]
    pub const fn limit(&self) -> Option<&'static str> {
        Some(match self {
            Self::Threads { .. } => "threads of a block",
            Self::SharedMemory { .. } => "shared memory of a block",
            Self::Registers { .. } => "registers of a thread",
            Self::Warp { .. } => "bits of an operation within a warp",
            Self::TooWide { .. } => "bits of an expression's kernels",
            Self::Division { .. } => "bits of a division",
            Self::Digits(_) => "digits of a product on tensor cores",
            Self::Transform { .. } => "digits of a product by transforms",
            Self::Matrices => "products of matrices of the device",
            Self::Limb { .. } => "limbs that kernels read",
            Self::ProgramWidth { .. } => "bits of a program's values",
            Self::ProgramOperation { .. } => "operations of a program's kernel",
            Self::Program { what, .. } => what,
            Self::Straight { .. } => "operations and widths of straight kernels",
            Self::ProgramRefused { why, .. } => return why.limit(),
            Self::Width { .. } | Self::Mapping { .. } | Self::Unmapped { .. } => return None,
            Self::Results { .. }
            | Self::TooManyResults { .. }
            | Self::Input { .. }
            | Self::ResidueRange { .. }
            | Self::ResidueClass { .. } => return None,
            Self::Points { .. } | Self::Columns { .. } | Self::Type(_) => return None,
            Self::Internal { .. } | Self::Template(_) => return None,
        })
    }
}
