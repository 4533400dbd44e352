//! The kinds of nodes.

use num_bigint::BigInt;

use super::Region;
use crate::op::Op;

/// The kinds of nodes. All but loops, branches, `Index`, `Update` and `Array` are elementwise: an operand
/// that is an array gives an array, of the same length as the others; one that is none is one for all
/// elements.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A number of the result's type, an integer or a `bool`.
    Constant(BigInt),
    /// An operation of the table. The operands are of one type; so is the result, or a `bool` where the table
    /// says `Truth`. Wide products are of twice as many bits.
    Integer(Op),
    /// An integer or a `bool` as another integer: modulo 2^N, with the sign of a signed operand.
    Cast,
    /// `a << n`, `a >> n`: of an integer and a number of bits, which may be of another type.
    Shift {
        /// Whether to the left.
        left: bool,
    },
    /// Of `bool`.
    Not,
    /// Of `bool`.
    And,
    /// Of `bool`.
    Or,
    /// Of a `bool` and two values of one type.
    Select,
    /// Of an integer and an index of any integer type: a `bool`; false for bits that it lacks, as for a negative
    /// index. Bits from N on of a negative number are ones.
    Bit,
    /// Of an integer: the bits of its absolute value, a `u32`.
    BitLength,
    /// Of residues of one modulus.
    Residue(ResidueOp),
    /// An array of its operands.
    Array,
    /// Of an array and an index of any integer type: an element. Outside the array the instance fails.
    Index,
    /// Of an array, an index and an element: the array with this element. Outside the array the instance fails.
    Update,
    /// A loop. The operands are those of `over`, then the carried values.
    For {
        /// What it runs over.
        over: Rounds,
        /// Rounds that are left out at the beginning.
        after: u64,
        /// Parameters: the index, unless it is `Times`, then the carried values.
        body: Region,
    },
    /// A loop. The operands are the carried values, which are the parameters of both regions.
    While {
        /// An instance that would need more rounds fails.
        limit: u64,
        /// Yields a `bool`.
        condition: Region,
        /// Yields the carried values.
        body: Region,
    },
    /// Of a `bool`: the yields of one of the regions, which have no parameters.
    If {
        /// Where it holds.
        then: Region,
        /// Where it does not.
        otherwise: Region,
    },
    /// Of a `bool`, without a result: the instance fails unless it holds.
    Require,
    /// A row of a list, without a result: of the values of the columns, behind a `bool` that says where if it is
    /// `guarded`. Operands that are arrays give a row for each element.
    Emit {
        /// The list, an index of [`lists`](super::TypedProgram::lists).
        list: u32,
        /// Whether the first operand says where.
        guarded: bool,
    },
    /// The number of the instance in its batch, from 0: a `u64`.
    Instance,
    /// Of two `u64`: the first bits of Philox4x32-10 with the first one as key and the second one as counter
    /// ([`random_words`](crate::program::random_words)), as many as the result has.
    Random,
}

/// Operations of residues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResidueOp {
    /// Of an integer of any type.
    Of,
    /// The number from 0 to n - 1, of the type of the modulus.
    Int,
    /// The number of x 2^(32 W), for W words of 32 bits of the type of the modulus.
    Key,
    /// The sum.
    Add,
    /// The difference.
    Sub,
    /// The negative.
    Neg,
    /// The product.
    Mul,
    /// The square.
    Sqr,
    /// x / 2^k.
    DivPower2(u32),
    /// 1 / x. An instance fails where there is none.
    Inverse,
    /// x^e for an integer e of any type: the inverse's power where e is negative.
    Power,
    /// A `bool`.
    Eq,
    /// The Jacobi symbol (x / n), an `i64`.
    Jacobi,
}

/// What a `for` loop runs over, and the operands that say so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounds {
    /// So many rounds without an index: of an integer of any type, none for a negative one.
    Times,
    /// Of two integers of one type: from the first up to the second one less 1. The index is of this type.
    Range,
    /// Of an integer: its bits from the highest one, each a `bool`. 0 and negative numbers have none.
    Bits,
    /// Of an integer: its digits from the highest one, unsigned integers of so many bits.
    Digits(u32),
    /// Of an array: its elements.
    Elements,
}

impl Kind {
    /// The regions in it.
    #[must_use]
    pub fn regions(&self) -> Vec<&Region> {
        match self {
            Self::For { body, .. } => vec![body],
            Self::While { condition, body, .. } => vec![condition, body],
            Self::If { then, otherwise } => vec![then, otherwise],
            _ => vec![],
        }
    }

    /// As [`regions`](Self::regions), to change.
    pub(crate) fn regions_mut(&mut self) -> Vec<&mut Region> {
        match self {
            Self::For { body, .. } => vec![body],
            Self::While { condition, body, .. } => vec![condition, body],
            Self::If { then, otherwise } => vec![then, otherwise],
            _ => vec![],
        }
    }
}
