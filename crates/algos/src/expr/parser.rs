//! Expressions from text.
//!
//! ```text
//! comparison := or (("==" | "!=" | "<" | "<=" | ">" | ">=") or)?
//! or         := xor ("|" xor)*          xor   := and ("^" and)*        and := shift ("&" shift)*
//! shift      := sum (("<<" | ">>") unary)*
//! sum        := product (("+" | "-") product)*                product := unary (("*" | "/" | "%") unary)*
//! unary      := ("-" | "~") unary | power
//! power      := primary ("**" unary)?
//! primary    := NUMBER | NAME | FUNCTION "(" comparison ("," comparison)* ")" | "(" comparison ")"
//! ```

mod assignments;
mod operands;
mod parsed;
mod tokens;

use core::ops::Range;
use std::collections::HashMap;

pub(super) use assignments::has_assignments;
pub use assignments::{Assignment, ParsedAll};
pub use parsed::Parsed;

use super::{Expr, Op, Operation, ParseErrorKind, ParseExprError, ParseWarning};
use crate::lexer::Token;
use crate::op::{function, infix};
use parsed::Literal;

/// The loosest level that binds more tightly than comparisons.
const TIGHTER: u8 = Operation::COMPARISON + 1;

/// Deepest nesting of parentheses, functions and signs: each level takes stack.
const MAX_DEPTH: usize = 200;

pub(super) struct Parser<'t> {
    text: &'t str,
    inputs: Option<&'t [&'t str]>,
    token: Token<'t>,
    /// The bytes of the token in the text, and of the one before it.
    at: Range<usize>,
    before: Range<usize>,
    depth: usize,
    /// Where wide products are called, in order: their names.
    wide: Vec<Range<usize>>,
    /// The numbers that must fit the type.
    literals: Vec<Literal>,
    warnings: Vec<ParseWarning>,
    /// The assignments that were parsed.
    assigned: Vec<Assignment>,
    /// The names of all assignments of the text, with the places of those that were parsed.
    names: HashMap<&'t str, Option<usize>>,
}

impl<'t> Parser<'t> {
    pub(super) fn parse(mut self) -> Result<Parsed, ParseExprError> {
        let expr = self.whole()?;
        Ok(Parsed { expr, warnings: self.warnings, literals: self.literals })
    }

    /// An expression up to the end.
    fn whole(&mut self) -> Result<Expr, ParseExprError> {
        let expr = self.comparison()?;
        if self.token != Token::End {
            return Err(self.unexpected_operator());
        }
        // The outermost call comes first.
        match self.wide.get(usize::from(expr.0.op.is_wide())) {
            None => Ok(expr),
            Some(span) => {
                let found = format!("`{}`", &self.text[span.clone()]);
                let help = "a wide product must be the whole expression; `*` and `mulhi` are its halves";
                let kind = ParseErrorKind::WideOperand;
                Err(self.error_at(span.clone(), kind, "an operand of N bits", found).with_help(help))
            }
        }
    }

    fn comparison(&mut self) -> Result<Expr, ParseExprError> {
        let comparison = |token: &Token<'_>| match token {
            Token::Sign(sign) => infix(sign, Operation::COMPARISON..TIGHTER),
            _ => None,
        };
        let left = self.binary(TIGHTER)?;
        let Some(row) = comparison(&self.token) else { return Ok(left) };
        self.advance();
        let right = self.binary(TIGHTER)?;
        if comparison(&self.token).is_some() {
            return Err(self.expected("no second comparison (write (a < b) & (b < c))"));
        }
        Ok(Expr::of_row(row, vec![left, right]))
    }

    /// Operators of at least this precedence, by precedence climbing: a level of nesting takes few frames.
    fn binary(&mut self, least: u8) -> Result<Expr, ParseExprError> {
        let mut left = self.unary()?;
        while let Token::Sign(sign) = self.token
            && let Some(row) = infix(sign, least..Operation::PREFIX)
        {
            let (left_operand, operator) = (self.before.clone(), self.at.clone());
            self.advance();
            if row.op == Some(Op::Xor) {
                self.warn_of_power(left_operand, operator);
            }
            let is_shift = row.precedence == Operation::SHIFT;
            let right = if is_shift { self.distance()? } else { self.binary(row.precedence + 1)? };
            left = Expr::of_row(row, vec![left, right]);
        }
        Ok(left)
    }

    /// The right operand of a shift, which is no sum; a sum of shifts needs parentheses.
    fn distance(&mut self) -> Result<Expr, ParseExprError> {
        let distance = self.amount(Self::unary)?;
        match self.token {
            Token::Sign(sign) if infix(sign, Operation::SHIFT + 1..Operation::PREFIX).is_some() => {
                Err(self.expected("parentheses around the shift, as in (a << 1) + b"))
            }
            _ => Ok(distance),
        }
    }

    fn unary(&mut self) -> Result<Expr, ParseExprError> {
        if self.depth == MAX_DEPTH {
            return Err(self.expected(&format!("at most {MAX_DEPTH} levels of nesting")));
        }
        self.depth += 1;
        let expr = if self.eat("-") {
            let literals = self.literals.len();
            let negated = self.unary()?;
            if let [literal] = &mut self.literals[literals..] {
                literal.negated = true;
            }
            -negated
        } else if self.eat("~") {
            !self.unary()?
        } else {
            self.power()?
        };
        self.depth -= 1;
        Ok(expr)
    }

    fn primary(&mut self) -> Result<Expr, ParseExprError> {
        match &self.token {
            Token::Number(value) => {
                let value = value.clone();
                let literal = Literal { value: value.clone(), span: self.at.clone(), negated: false };
                self.literals.push(literal);
                self.advance();
                Ok(Expr::literal(value))
            }
            Token::Name(name) => match function(name) {
                Some(function) => self.call(function),
                None => self.variable(name),
            },
            Token::Sign("(") => self.parentheses(),
            _ => Err(self.no_operand()),
        }
    }

    fn parentheses(&mut self) -> Result<Expr, ParseExprError> {
        let opened = self.column(self.at.start);
        self.advance();
        let expr = self.comparison()?;
        if self.eat(")") {
            return Ok(expr);
        }
        let error = self.expected("an operator or `)`");
        let is_end = self.token == Token::End;
        Err(if is_end { error.with_help(format!("the `(` of column {opened} is open")) } else { error })
    }
}
