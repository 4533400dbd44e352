//! Signs, words and functions of expressions.

use core::fmt;

use crate::op::Operation;

/// Signs before an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Prefix {
    /// `-a`
    Negative,
    /// `~a`: all bits flipped.
    Flip,
    /// `not a`, of a `bool`.
    Not,
}

/// Operators between two operands.
#[derive(Clone, Copy, Debug)]
pub enum Infix {
    /// A row of the table of operations, `**` among them.
    Operation(&'static Operation),
    /// `and`: the right side is evaluated where the left one holds.
    And,
    /// `or`: the right side is evaluated where the left one does not hold.
    Or,
}

impl Infix {
    /// The sign or word.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Operation(row) => row.name,
            Self::And => "and",
            Self::Or => "or",
        }
    }
}

impl PartialEq for Infix {
    fn eq(&self, other: &Self) -> bool {
        self.sign() == other.sign()
    }
}

impl Eq for Infix {}

impl fmt::Display for Infix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.sign())
    }
}

/// The name of the number of an instance, unless the program declares it.
pub const INSTANCE: &str = "instance";

/// The name of the numbers of elements, in an `emit` of arrays.
pub const ELEMENT: &str = "element";

/// The function whose first operand is a type.
pub(in crate::program) const RANDOM: &str = "random";

/// Functions of programs that are not in the table of operations: name, operands, value.
pub const BUILT_IN: &[(&str, &[&str], &str)] = &[
    ("int", &["x"], "the number of a residue, from 0 to n - 1, of the type of its modulus"),
    ("key", &["x"], "the number of x 2^(32 W), for a modulus of W words of 32 bits: residues are held so"),
    ("bit", &["k", "i"], "bit i of k as a `bool`; false beyond the highest one"),
    ("bit_length", &["k"], "the bits of |k| without leading zeros, as a `u32`"),
    ("jacobi", &["x"], "the Jacobi symbol (x / n) of a residue mod n, an `i64`"),
    ("swap", &["c", "P", "Q"], "(Q, P) where c holds, else (P, Q)"),
    (
        RANDOM,
        &["u64", "seed", "i"],
        "random bits as a value of this type: those of Philox4x32-10 with key seed and counter i",
    ),
    ("bits", &["k"], "after `in` of a `for`: the bits of k from its highest one"),
    ("digits", &["k", "w"], "after `in` of a `for`: the digits of k of w bits each, from its highest one"),
];
