//! The rows of the table by name, and the properties of rows and operations.

use core::fmt;
use core::ops::Range;

use super::define::{Class, Op, Operation, ROWS, class};
use super::{Amount, Domain, Flag, Syntax};

/// All operators and functions, those of a group together.
///
/// ```
/// use limbforge_algos::expr::operations;
/// assert!(operations().any(|row| row.signature() == "a << n"));
/// assert!(operations().filter(|row| row.is_function()).count() >= 46);
/// ```
pub fn operations() -> impl Iterator<Item = &'static Operation> {
    ROWS.iter().copied()
}

/// The operator or function of this name, the one with two operands if there are two.
#[must_use]
pub fn operation(name: &str) -> Option<&'static Operation> {
    let named = || operations().filter(|row| row.name == name);
    named().find(|row| row.syntax == Syntax::Infix).or_else(|| named().next())
}

/// The functions of the language.
pub(crate) fn functions() -> impl Iterator<Item = &'static Operation> {
    operations().filter(|row| row.is_function())
}

/// The function of this name.
pub(crate) fn function(name: &str) -> Option<&'static Operation> {
    functions().find(|row| row.name == name)
}

/// The operator of this sign between two operands that binds as tightly as one of `levels`.
pub(crate) fn infix(sign: &str, levels: Range<u8>) -> Option<&'static Operation> {
    operations()
        .find(|row| row.syntax == Syntax::Infix && row.name == sign && levels.contains(&row.precedence))
}

impl Operation {
    /// Precedence of comparisons, the lowest of all operators.
    pub(crate) const COMPARISON: u8 = 0;
    /// Precedence of shifts, which take no sum or product on their right without parentheses.
    pub(crate) const SHIFT: u8 = 4;
    /// Precedence of signs before an operand.
    pub(crate) const PREFIX: u8 = 7;

    /// The row as it is written, with the names of its operands.
    #[must_use]
    pub fn signature(&self) -> String {
        self.written(self.operands)
    }

    /// The row as it is written with these operands.
    ///
    /// ```
    /// use limbforge_algos::expr::Op;
    /// assert_eq!(Op::Gcd.row().unwrap().written(&["a + b", "7"]), "gcd(a + b, 7)");
    /// ```
    #[must_use]
    pub fn written(&self, operands: &[&str]) -> String {
        match (self.syntax, operands) {
            (Syntax::Prefix, [a]) => format!("{}{a}", self.name),
            (Syntax::Infix, [a, b]) => format!("{a} {} {b}", self.name),
            (_, operands) => format!("{}({})", self.name, operands.join(", ")),
        }
    }

    /// The row as it is written with a variable for each operand, or the number 5 where none may stand.
    ///
    /// ```
    /// use limbforge_algos::expr::operation;
    /// assert_eq!(operation("gcd").unwrap().of_variables(), "gcd(a, b)");
    /// assert_eq!(operation("**").unwrap().of_variables(), "a ** 5");
    /// ```
    #[must_use]
    pub fn of_variables(&self) -> String {
        let operand = |(name, domain)| if domain == &Domain::Exponent { "5" } else { name };
        self.written(&self.operands.iter().copied().zip(self.domains).map(operand).collect::<Vec<_>>())
    }

    /// Whether it is a function.
    #[must_use]
    pub const fn is_function(&self) -> bool {
        matches!(self.syntax, Syntax::Function)
    }

    /// Whether it has this property.
    #[must_use]
    pub fn has(&self, flag: Flag) -> bool {
        self.flags.contains(&flag)
    }

    /// Operands that are integers of the type, before those that are amounts.
    pub(crate) fn values(&self) -> usize {
        self.domains.iter().filter(|domain| **domain != Domain::Amount).count()
    }
}

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
            op => {
                let is_constant = |amount: &&&Amount| matches!(amount, Amount::Constant(_));
                let constants = op.amounts().iter().filter(is_constant).count();
                op.row().map_or(0, |row| row.operands.len()) - constants
            }
        }
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

    /// Whether the dividend is double-width: high * 2^N + low.
    #[must_use]
    pub const fn is_wide_division(&self) -> bool {
        matches!(self.class(), Class::WideDivision(_))
    }

    /// Whether kernels compute it within a warp, word by word.
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

    /// Whether the result is double-width. Such an operation is the last of an expression.
    #[must_use]
    pub const fn is_wide(&self) -> bool {
        matches!(self.class(), Class::Product(class::Product::MulWide | class::Product::SqrWide))
    }

    /// Whether instances may fail, as a division by zero.
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
        let word = self.row().map_or("", |row| row.word);
        match self {
            Self::Input(name) => return write!(f, "input {name}"),
            Self::Literal(value) => return write!(f, "literal {value:#x}"),
            Self::Shl(bits) | Self::Shr(bits) => return write!(f, "{word}[{bits}]"),
            _ => f.write_str(word)?,
        }
        for (i, amount) in self.amounts().into_iter().enumerate() {
            write!(f, "{}{amount}", if i == 0 { "[" } else { ", " })?;
        }
        f.write_str(if self.amounts().is_empty() { "" } else { "]" })
    }
}
