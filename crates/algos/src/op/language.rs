//! The rows of the table, and the operators and functions by their names.

use core::ops::Range;

use super::define::{Operation, ROWS};
use super::{Domain, Flag, Syntax};

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
    /// How tightly comparisons bind: of all operators least.
    pub(crate) const COMPARISON: u8 = 0;
    /// How tightly shifts bind. They take no sum or product on their right without parentheses.
    pub(crate) const SHIFT: u8 = 4;
    /// How tightly signs before an operand bind.
    pub(crate) const PREFIX: u8 = 7;

    /// How it is written, with the names of its operands.
    #[must_use]
    pub fn signature(&self) -> String {
        self.written(self.operands)
    }

    /// How it is written with these operands.
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

    /// Whether it is a function, and its name taken.
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
