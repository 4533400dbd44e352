//! Expressions as text.

use core::fmt::{self, Display, Formatter};

use super::{block, separated};
use crate::op::Operation;
use crate::program::text::syntax::{
    Block, Expression, ExpressionKind, Infix, Prefix, Statement, StatementKind,
};

/// Levels of binding, from loosest to tightest. Those of the table of operations follow [`MOD`].
const ANY: u8 = 0;
const OR: u8 = 1;
const AND: u8 = 2;
const NOT: u8 = 3;
const COMPARISON: u8 = 4;
const MOD: u8 = 5;
const BITS: u8 = MOD + Operation::COMPARISON + 1;
const PREFIX: u8 = MOD + Operation::PREFIX;
const POWER: u8 = PREFIX + 1;
const POSTFIX: u8 = POWER + 1;

/// Most bits of a number in decimal digits; longer ones are hexadecimal.
const DECIMAL: u64 = 64;

/// An expression in a block of so many levels, where an operator that binds as tightly as `least` may stand.
pub(super) struct Value<'t> {
    expression: &'t Expression,
    level: usize,
    least: u8,
}

impl<'t> Value<'t> {
    pub(super) const fn new(expression: &'t Expression, level: usize) -> Self {
        Self { expression, level, least: ANY }
    }

    /// An operand in the same block.
    const fn part(&self, expression: &'t Expression, least: u8) -> Self {
        Self { expression, level: self.level, least }
    }
}

/// The level of an operator and the least ones of its operands.
fn levels(operator: Infix) -> [u8; 3] {
    let Infix::Operation(row) = operator else {
        return if operator == Infix::Or { [OR, OR, AND] } else { [AND, AND, NOT] };
    };
    let own = MOD + row.precedence;
    match row.precedence {
        Operation::COMPARISON => [COMPARISON, MOD, MOD],
        Operation::SHIFT => [own, own, PREFIX],
        _ if own > PREFIX => [POWER, POSTFIX, PREFIX],
        _ => [own, own, own + 1],
    }
}

impl Display for Value<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let own = match &*self.expression.kind {
            ExpressionKind::If { .. } => ANY,
            ExpressionKind::Infix(operator, ..) => levels(*operator)[0],
            ExpressionKind::Prefix(Prefix::Not, _) => NOT,
            ExpressionKind::Prefix(..) => PREFIX,
            ExpressionKind::Mod(..) => MOD,
            _ => POSTFIX,
        };
        if own >= self.least {
            return self.bare(f);
        }
        f.write_str("(")?;
        self.bare(f)?;
        f.write_str(")")
    }
}

impl<'t> Value<'t> {
    /// The expression without parentheses around it.
    fn bare(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &*self.expression.kind {
            ExpressionKind::Number(value) if value.bits() <= DECIMAL => write!(f, "{value}"),
            ExpressionKind::Number(value) => write!(f, "{value:#x}"),
            ExpressionKind::Truth(truth) => write!(f, "{truth}"),
            ExpressionKind::Name(name) => f.write_str(name),
            ExpressionKind::Tuple(members) => self.list(f, "(", members, ")"),
            ExpressionKind::Array(elements) => self.list(f, "[", elements, "]"),
            ExpressionKind::Each { element, name, from, to } => {
                let [element, from, to] = [element, from, to].map(|part| self.part(part, ANY));
                write!(f, "[{element} for {name} in {from} .. {to}]")
            }
            ExpressionKind::Call(name, operands) => {
                f.write_str(&name.text)?;
                self.list(f, "(", operands, ")")
            }
            ExpressionKind::Element(array, index) => {
                write!(f, "{}[{}]", self.part(array, POSTFIX), self.part(index, ANY))
            }
            ExpressionKind::Prefix(prefix, operand) => match prefix {
                Prefix::Negative => write!(f, "-{}", self.part(operand, PREFIX)),
                Prefix::Flip => write!(f, "~{}", self.part(operand, PREFIX)),
                Prefix::Not => write!(f, "not {}", self.part(operand, NOT)),
            },
            ExpressionKind::Infix(operator, a, b) => {
                let [_, left, right] = levels(*operator);
                write!(f, "{} {operator} {}", self.part(a, left), self.part(b, right))
            }
            ExpressionKind::Mod(value, modulus) => {
                write!(f, "{} mod {}", self.part(value, BITS), self.part(modulus, BITS))
            }
            ExpressionKind::If { condition, then, otherwise } => {
                write!(f, "if {}", self.part(condition, ANY))?;
                block(f, then, self.level)?;
                otherwise.as_ref().map_or(Ok(()), |otherwise| self.otherwise(f, otherwise))
            }
        }
    }

    fn list(&self, f: &mut Formatter<'_>, open: &str, members: &[Expression], close: &str) -> fmt::Result {
        f.write_str(open)?;
        separated(f, members, |f, member| write!(f, "{}", Value::new(member, self.level)))?;
        f.write_str(close)
    }

    fn otherwise(&self, f: &mut Formatter<'_>, otherwise: &'t Block) -> fmt::Result {
        f.write_str(" else")?;
        match &*otherwise.statements {
            [Statement { kind: StatementKind::Value(value), .. }]
                if matches!(*value.kind, ExpressionKind::If { .. }) =>
            {
                write!(f, " {}", self.part(value, ANY))
            }
            _ => block(f, otherwise, self.level),
        }
    }
}
