//! Why a specification has no kernel.

use limbforge_algos::block::mul_tensor::TooManyDigits;
use limbforge_algos::expr::TypeError;
use limbforge_limb::IntType;

use super::product::{Product, ProductMapping};

/// A specification that cannot be rendered, or whose kernel cannot run on the device.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// A block with too many threads.
    #[error(
        "a block would have {needed} threads; expected at most {limit}: use more limbs per thread or fewer instances per block"
    )]
    Threads {
        /// Threads that the mapping asks for.
        needed: u32,
        /// The device's limit.
        limit: u32,
    },
    /// Too much shared memory.
    #[error(
        "a block would need {needed} bytes of shared memory; expected at most {limit}: use fewer instances per block or a narrower type"
    )]
    SharedMemory {
        /// Bytes that the expression and the mapping ask for.
        needed: u64,
        /// The device's limit.
        limit: u64,
    },
    /// Too many values at once.
    #[error(
        "a thread would need about {needed} registers; expected at most {limit}: use fewer limbs per thread, or split the expression"
    )]
    Registers {
        /// Estimated registers of a thread.
        needed: u32,
        /// What the device gives a thread of a block of this size.
        limit: u32,
    },
    /// A mapping that does not fit the width.
    #[error("the mapping holds {held} words of 32 bits per integer; expected at least the {needed} of {ty}")]
    Width {
        /// Words that the threads of an instance hold.
        held: u64,
        /// Words of the type.
        needed: u64,
        /// The type.
        ty: IntType,
    },
    /// A mapping with impossible numbers.
    #[error("the mapping's {what} is {found}; expected {expected}")]
    Mapping {
        /// Which parameter.
        what: &'static str,
        /// Its value.
        found: u32,
        /// What it may be.
        expected: &'static str,
    },
    /// A mapping of another kind of kernel.
    #[error("the expression's kernels have no mapping `{mapping}`: expected one of {product} products")]
    Unmapped {
        /// The mapping.
        mapping: ProductMapping,
        /// How its products are computed.
        product: Product,
    },
    /// A limb that kernels do not read.
    #[error(
        "kernels do not read limbs of type {name}, {bits} bits: expected 32, 64 or 128 bits whose bytes lie least significant first; compute on the CPU"
    )]
    Limb {
        /// Its name.
        name: &'static str,
        /// Its bits.
        bits: u32,
    },
    /// A variable that the specification does not list, or a listed one twice.
    #[error("the expression's variable `{name}` is listed {found} times among the inputs; expected once")]
    Input {
        /// The variable.
        name: String,
        /// How often it is listed.
        found: usize,
    },
    /// Residues of a transform that could leave a word.
    #[error(
        "modulo {p} a residue could reach {bound}; expected less than 2^31: use smaller primes or fewer terms"
    )]
    ResidueRange {
        /// The largest prime.
        p: u32,
        /// The proved bound.
        bound: u64,
    },
    /// A prime that a class of residues is not proved for.
    #[error("modulo {p} residues of the class {class} could leave their word: let the plan choose the class")]
    ResidueClass {
        /// The prime.
        p: u64,
        /// The class.
        class: String,
    },
    /// A transform that is not there.
    #[error(
        "no transform of {points} points modulo {p}, which has roots of order up to 2^{adicity}: expected 2^k or 3*2^k points, k at least 4, up to 2^24, that divide p - 1 (twice if negacyclic)"
    )]
    Points {
        /// The points asked for.
        points: u32,
        /// The prime.
        p: u64,
        /// n in p = k 2^n + 1.
        adicity: u32,
    },
    /// Two launches that do not fit the device.
    #[error(
        "{points} points have no launches with columns of 2^{log2_columns} points, or three times as many for 3*2^k: expected rows and columns of 2^4 points to what a block takes"
    )]
    Columns {
        /// Points of the transform.
        points: u32,
        /// log2 of the points of a column; 0 for one launch.
        log2_columns: u32,
    },
    /// A product that transforms of one block do not reach.
    #[error(
        "products of {digits} digits of 64 bits, {terms} at a time, have no transform in a block; expected at most {limit} digits: use another product"
    )]
    Transform {
        /// Digits of an operand.
        digits: u32,
        /// Products that are added.
        terms: u32,
        /// Digits up to which there is one.
        limit: u32,
    },
    /// A product on tensor cores whose digit sums could leave their 32 bits.
    #[error(transparent)]
    Digits(#[from] TooManyDigits),
    /// A product on tensor cores for a device without them.
    #[error(
        "the device multiplies no matrices of bytes; expected compute capability 7.5 or later: use another product"
    )]
    Matrices,
    /// An operation whose kernel computes an instance within a warp, in a type that is too wide for that.
    #[error(
        "`{operation}` takes at most {limit} bits in a kernel; found {ty}: use the CPU backend for wider ones"
    )]
    Warp {
        /// The operation, as an expression.
        operation: String,
        /// The type.
        ty: IntType,
        /// The most bits.
        limit: u32,
    },
    /// Integers that are wider than the expression's kernels hold on the device ([`ProgramSpec::blame_width`]).
    ///
    /// [`ProgramSpec::blame_width`]: crate::ProgramSpec::blame_width
    #[error(
        "{ty} is too wide for kernels of this expression on this device, {limit} bits are not: use narrower integers, or the CPU backend"
    )]
    TooWide {
        /// The type.
        ty: IntType,
        /// Bits of the widest narrower type with kernels, among powers of two.
        limit: u32,
        /// What does not suffice.
        #[source]
        why: Box<SpecError>,
    },
    /// A division by an inverse, of integers that are too wide for the products it needs.
    #[error(
        "`{operation}` takes every width up to {limit} bits in kernels, and some above; found {ty}: use the CPU backend for the others"
    )]
    Division {
        /// The operation, as an expression.
        operation: String,
        /// The type.
        ty: IntType,
        /// Bits up to which all widths have kernels.
        limit: u32,
    },
    /// A constant that does not fit the type, or a wide product where none may stand.
    #[error(transparent)]
    Type(#[from] TypeError),
    /// A broken invariant: a defect of this crate.
    #[error("the kernel generator contradicts itself: {what}; please report this")]
    Internal {
        /// What should have held.
        what: String,
    },
    /// A template that does not render: a defect of this crate.
    #[error("the kernel template does not render: {0}; please report this")]
    Template(String),
}

impl SpecError {
    /// The error of a mapping with an impossible number.
    pub(crate) const fn mapping<T>(
        what: &'static str,
        found: u32,
        expected: &'static str,
    ) -> Result<T, Self> {
        Err(Self::Mapping { what, found, expected })
    }

    /// The documented limit that this is, if it is one: with narrower integers, another mapping or another device there is a kernel.
    /// All others are contradictions in a specification or defects of this crate.
    ///
    /// ```
    /// use limbforge_kernels_gen::SpecError;
    /// let error = SpecError::SharedMemory { needed: 1 << 20, limit: 227 << 10 };
    /// assert_eq!(error.limit(), Some("shared memory of a block"));
    /// assert_eq!(SpecError::Template("...".to_owned()).limit(), None);
    /// ```
    #[must_use]
    pub const fn limit(&self) -> Option<&'static str> {
        match self {
            Self::Threads { .. } => Some("threads of a block"),
            Self::SharedMemory { .. } => Some("shared memory of a block"),
            Self::Registers { .. } => Some("registers of a thread"),
            Self::Warp { .. } => Some("bits of an operation within a warp"),
            Self::TooWide { .. } => Some("bits of an expression's kernels"),
            Self::Division { .. } => Some("bits of a division"),
            Self::Digits(_) => Some("digits of a product on tensor cores"),
            Self::Transform { .. } => Some("digits of a product by transforms"),
            Self::Matrices => Some("products of matrices of the device"),
            Self::Limb { .. } => Some("limbs that kernels read"),
            Self::Width { .. }
            | Self::Mapping { .. }
            | Self::Unmapped { .. }
            | Self::Input { .. }
            | Self::ResidueRange { .. }
            | Self::ResidueClass { .. }
            | Self::Points { .. }
            | Self::Columns { .. }
            | Self::Type(_)
            | Self::Internal { .. }
            | Self::Template(_) => None,
        }
    }
}
