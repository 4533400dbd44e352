//! Properties of operations, from their class and their row.

use core::fmt;

use super::define::{Class, Op, class};
use super::language::operations;
use super::{Amount, Flag, Operation};

impl Op {
    /// Every operation of the language once, with amounts as operands: all but variables, constants and
    /// shifts by constants.
    ///
    /// ```
    /// use limbforge_algos::expr::Op;
    /// assert_eq!(Op::all().filter(|op| op.is_wide()).collect::<Vec<_>>(), [Op::MulWide, Op::SqrWide]);
    /// ```
    pub fn all() -> impl Iterator<Item = Self> {
        let canonical =
            |row: &&Operation| row.op.as_ref().and_then(Self::row).is_some_and(|own| own.word == row.word);
        operations().filter(canonical).filter_map(|row| row.op.clone())
    }

    /// Number of operands.
    #[must_use]
    pub fn arity(&self) -> usize {
        match self {
            Self::Shl(_) | Self::Shr(_) => 1,
            op => op.row().map_or(0, |row| row.operands.len()) - op.constants(),
        }
    }

    /// Amounts that are constants.
    fn constants(&self) -> usize {
        self.amounts().iter().filter(|amount| matches!(amount, Amount::Constant(_))).count()
    }

    /// Whether it is a product of two values, of any width.
    #[must_use]
    pub const fn is_product(&self) -> bool {
        matches!(self.class(), Class::Product(_))
    }

    /// Whether it divides two values.
    #[must_use]
    pub const fn is_division(&self) -> bool {
        matches!(self.class(), Class::Division(_))
    }

    /// Whether it divides a number of two operands.
    #[must_use]
    pub const fn is_wide_division(&self) -> bool {
        matches!(self.class(), Class::WideDivision(_))
    }

    /// Whether it reads the bits of its operands as unsigned numbers, in signed types too.
    #[must_use]
    pub const fn reads_bits_as_unsigned(&self) -> bool {
        matches!(self.class(), Class::WideDivision(_) | Class::Montgomery(_))
    }

    /// Whether kernels compute it word by word, an instance in one warp.
    #[must_use]
    pub const fn is_within_warp(&self) -> bool {
        match self.class() {
            Class::Leaf | Class::FixedShift(_) | Class::Sum(_) | Class::Product(_) => false,
            Class::Comparison(_) | Class::Choice(_) | Class::Bitwise(_) => false,
            Class::Count(_) | Class::Shift(_) | Class::Field(_) => false,
            Class::Division(_) | Class::WideDivision(_) | Class::Gcd(_) | Class::Modular(_) => true,
            Class::Montgomery(_) | Class::Root(_) | Class::Primality(_) => true,
        }
    }

    /// Whether the result has twice the bits of the operands. Such an operation is the last of an expression.
    #[must_use]
    pub const fn is_wide(&self) -> bool {
        matches!(self.class(), Class::Product(class::Product::MulWide | class::Product::SqrWide))
    }

    /// Whether some operands have no result, as a division by zero: such instances fail.
    #[must_use]
    pub fn may_fail(&self, is_signed: bool) -> bool {
        let failures = self.row().map_or(&[][..], |row| row.failures);
        failures.iter().any(|(why, _)| is_signed || !why.is_of_sign())
    }

    /// Whether the two operands may be exchanged.
    #[must_use]
    pub fn is_commutative(&self) -> bool {
        self.row().is_some_and(|row| row.has(Flag::Commutative))
    }
}

/// The word of the row, and the amounts that the operation holds.
impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(name) => return write!(f, "input {name}"),
            Self::Literal(value) => return write!(f, "literal {value:#x}"),
            _ => f.write_str(self.row().map_or("", |row| row.word))?,
        }
        match self {
            Self::Shl(bits) | Self::Shr(bits) => return write!(f, "[{bits}]"),
            _ => {}
        }
        for (i, amount) in self.amounts().into_iter().enumerate() {
            write!(f, "{}{amount}", if i == 0 { "[" } else { ", " })?;
        }
        f.write_str(if self.amounts().is_empty() { "" } else { "]" })
    }
}
