//! Operators: from `or`, the loosest, to `**`.

use super::{Parsed, Parser, Token};
use crate::expr::ParseWarning;
use crate::op::{Op, Operation, infix};
use crate::program::text::error::ProgramWarning;
use crate::program::text::syntax::{Expression, ExpressionKind, Infix, Prefix, Span};

/// The loosest operators: `or`, then `and`, then `not`.
const OR: u8 = 0;
const AND: u8 = 1;
const NOT: u8 = 2;

/// The loosest level that binds more tightly than comparisons.
const TIGHTER: u8 = Operation::COMPARISON + 1;

/// The row of a comparison.
fn comparison(token: &Token<'_>) -> Option<Infix> {
    match token {
        Token::Sign(sign) => infix(sign, Operation::COMPARISON..TIGHTER).map(Infix::Operation),
        _ => None,
    }
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expression> {
        if self.is_word("if") { self.condition() } else { self.logic(OR) }
    }

    /// `or`, `and` and `not` of at least this level.
    fn logic(&mut self, least: u8) -> Parsed<Expression> {
        let (start, beside) = (self.here(), self.enter());
        let mut left = if self.eat_word("not") { self.negation(start)? } else { self.comparison()? };
        loop {
            let (operator, level) = match self.token() {
                Token::Name("or") if least == OR => (Infix::Or, OR),
                Token::Name("and") if least <= AND => (Infix::And, AND),
                _ => break,
            };
            self.advance();
            self.skip_lines();
            let right = self.logic(level + 1)?;
            left = self.operation(operator, left, right, start)?;
        }
        self.leave(beside);
        Ok(left)
    }

    fn negation(&mut self, start: Span) -> Parsed<Expression> {
        self.descend()?;
        let operand = self.logic(NOT)?;
        self.depth -= 1;
        self.grow()?;
        Ok(self.made(ExpressionKind::Prefix(Prefix::Not, operand), start))
    }

    fn comparison(&mut self) -> Parsed<Expression> {
        let (start, beside) = (self.here(), self.enter());
        let mut left = self.ring()?;
        if let Some(operator) = comparison(self.token()) {
            self.advance();
            self.skip_lines();
            let right = self.ring()?;
            if comparison(self.token()).is_some() {
                return Err(self.expected("no second comparison (write a < b and b < c)"));
            }
            left = self.operation(operator, left, right, start)?;
        }
        self.leave(beside);
        Ok(left)
    }

    /// `value mod modulus`, or a value.
    fn ring(&mut self) -> Parsed<Expression> {
        let (start, beside) = (self.here(), self.enter());
        let mut value = self.binary(TIGHTER)?;
        if self.eat_word("mod") {
            self.skip_lines();
            let modulus = self.binary(TIGHTER)?;
            self.grow()?;
            value = self.made(ExpressionKind::Mod(value, modulus), start);
        }
        self.leave(beside);
        Ok(value)
    }

    /// Operators of at least this precedence, by precedence climbing: a level of nesting takes few frames.
    fn binary(&mut self, least: u8) -> Parsed<Expression> {
        let (start, beside) = (self.here(), self.enter());
        let mut left = self.unary()?;
        while let Token::Sign(sign) = self.token()
            && let Some(row) = infix(sign, least..Operation::PREFIX)
        {
            let (operand, operator) = (self.before, self.here());
            self.advance();
            self.skip_lines();
            if row.op == Some(Op::Xor) {
                self.warn_of_power(operand, operator);
            }
            let is_shift = row.precedence == Operation::SHIFT;
            let right = if is_shift { self.distance()? } else { self.binary(row.precedence + 1)? };
            left = self.operation(Infix::Operation(row), left, right, start)?;
        }
        self.leave(beside);
        Ok(left)
    }

    /// The right operand of a shift, which is no sum; a sum of shifts needs parentheses.
    fn distance(&mut self) -> Parsed<Expression> {
        let distance = self.unary()?;
        match self.token() {
            Token::Sign(sign) if infix(sign, Operation::SHIFT + 1..Operation::PREFIX).is_some() => {
                Err(self.expected("parentheses around the shift, as in (a << 1) + b"))
            }
            _ => Ok(distance),
        }
    }

    /// Signs before an operand, and `**`, which associates to the right.
    fn unary(&mut self) -> Parsed<Expression> {
        let (start, beside) = (self.here(), self.enter());
        let prefix = match self.token() {
            Token::Sign("-") => Some(Prefix::Negative),
            Token::Sign("~") => Some(Prefix::Flip),
            _ => None,
        };
        self.descend()?;
        let mut value = if let Some(prefix) = prefix {
            self.advance();
            let operand = self.unary()?;
            self.grow()?;
            self.made(ExpressionKind::Prefix(prefix, operand), start)
        } else {
            self.postfix(start)?
        };
        if prefix.is_none()
            && let Token::Sign(sign) = self.token()
            && let Some(row) = infix(sign, Operation::PREFIX + 1..u8::MAX)
        {
            self.advance();
            self.skip_lines();
            let exponent = self.unary()?;
            value = self.operation(Infix::Operation(row), value, exponent, start)?;
        }
        self.depth -= 1;
        self.leave(beside);
        Ok(value)
    }

    fn postfix(&mut self, start: Span) -> Parsed<Expression> {
        let mut value = self.primary()?;
        while self.is_sign("[") {
            let opened = self.here();
            self.advance();
            let index = self.expression()?;
            if !self.eat("]") {
                return Err(self.not_closed("an operator or `]`", opened));
            }
            self.grow()?;
            value = self.made(ExpressionKind::Element(value, index), start);
        }
        Ok(value)
    }

    fn operation(
        &mut self,
        operator: Infix,
        left: Expression,
        right: Expression,
        start: Span,
    ) -> Parsed<Expression> {
        self.grow()?;
        Ok(self.made(ExpressionKind::Infix(operator, left, right), start))
    }

    /// An expression from a token to the one before the next.
    pub(super) fn made(&self, kind: ExpressionKind, start: Span) -> Expression {
        Expression { kind: Box::new(kind), span: self.since(start) }
    }

    /// Warns of an exclusive or where the numbers beside it suggest a power.
    fn warn_of_power(&mut self, left: Span, operator: Span) {
        let Token::Number(exponent) = self.token() else { return };
        let (left, right) = (self.text_at(left), self.text_at(self.here()));
        if let Some(help) = ParseWarning::help_for_power(left, right, exponent)
            && self.warnings.len() < ParseWarning::MOST
        {
            self.warnings.push(ProgramWarning::new(self.text, operator, help));
        }
    }
}
