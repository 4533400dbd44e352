//! Operands: numbers, truth values, names, calls, tuples, arrays, and `if`.

use super::{LINE, Parsed, Parser, Token};
use crate::program::text::lexer::is_word;
use crate::program::text::syntax::{Block, Expression, ExpressionKind, Name, Span, Statement, StatementKind};

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Parsed<Expression> {
        let start = self.here();
        match self.token() {
            Token::Number(value) => {
                let value = value.clone();
                self.advance();
                Ok(self.made(ExpressionKind::Number(value), start))
            }
            Token::Name(word @ ("true" | "false")) => {
                let truth = *word == "true";
                self.advance();
                Ok(self.made(ExpressionKind::Truth(truth), start))
            }
            Token::Name(word) if !is_word(word) => self.named(),
            Token::Sign("(") => self.parentheses(),
            Token::Sign("[") => self.array(),
            _ => Err(self.no_operand()),
        }
    }

    fn named(&mut self) -> Parsed<Expression> {
        let name = self.name()?;
        let start = name.span;
        if !self.is_sign("(") {
            return Ok(self.made(ExpressionKind::Name(name.text), start));
        }
        let (operands, _) = self.members()?;
        Ok(self.made(ExpressionKind::Call(name, operands), start))
    }

    /// A value, or a tuple of several.
    fn parentheses(&mut self) -> Parsed<Expression> {
        let start = self.here();
        let (mut members, closed) = self.members()?;
        match members.len() {
            0 => Err(self.expected_at(closed, "an expression", "`)`")),
            1 => Ok(members.swap_remove(0)),
            _ => Ok(self.made(ExpressionKind::Tuple(members), start)),
        }
    }

    /// Expressions in parentheses, and the place of the last one.
    pub(super) fn members(&mut self) -> Parsed<(Vec<Expression>, Span)> {
        let (opened, beside) = (self.here(), self.enter());
        self.advance();
        let mut members = vec![];
        while !self.is_sign(")") || !members.is_empty() {
            members.push(self.expression()?);
            if !self.eat(",") {
                break;
            }
        }
        self.grow()?;
        self.leave(beside);
        let closed = self.here();
        let is_closed = self.eat(")");
        if is_closed {
            Ok((members, closed))
        } else {
            Err(self.not_closed("an operator, `,` or `)`", opened))
        }
    }

    /// `[a, b]`, or `[a for i in 0 .. n]`.
    fn array(&mut self) -> Parsed<Expression> {
        let (opened, beside) = (self.here(), self.enter());
        self.advance();
        let mut elements = vec![self.expression()?];
        let kind = if self.eat_word("for") {
            self.each(elements.swap_remove(0), opened)?
        } else {
            while self.eat(",") {
                elements.push(self.expression()?);
            }
            if !self.eat("]") {
                let few = elements.len() == 1;
                let expected = if few { "an operator, `,`, `for` or `]`" } else { "an operator, `,` or `]`" };
                return Err(self.not_closed(expected, opened));
            }
            ExpressionKind::Array(elements)
        };
        self.grow()?;
        self.leave(beside);
        Ok(self.made(kind, opened))
    }

    fn each(&mut self, element: Expression, opened: Span) -> Parsed<ExpressionKind> {
        let name = self.loop_name()?;
        let from = self.expression()?;
        if !self.eat("..") {
            return Err(self.not_closed("an operator or `..`", opened));
        }
        let to = self.expression()?;
        if !self.eat("]") {
            return Err(self.not_closed("an operator or `]`", opened));
        }
        Ok(ExpressionKind::Each { element, name, from, to })
    }

    /// `name in`
    pub(super) fn loop_name(&mut self) -> Parsed<Name> {
        let name = self.name()?;
        if self.eat_word("in") { Ok(name) } else { Err(self.expected("`in`")) }
    }

    /// `if condition { ... }`, with `else { ... }` or `else if ...`.
    pub(super) fn condition(&mut self) -> Parsed<Expression> {
        let (start, beside) = (self.here(), self.enter());
        self.advance();
        self.descend()?;
        let condition = self.expression()?;
        let then = self.block("an operator or `{`")?;
        let otherwise = if self.eat_else() { Some(self.otherwise()?) } else { None };
        self.depth -= 1;
        self.grow()?;
        self.leave(beside);
        Ok(self.made(ExpressionKind::If { condition, then, otherwise }, start))
    }

    /// Steps over an `else`, which may stand in a line of its own.
    fn eat_else(&mut self) -> bool {
        let lines = self.lexemes[self.next..].iter().take_while(|lexeme| lexeme.token == Token::Sign(LINE));
        let at = self.next + lines.count();
        let found = self.lexemes[at].token == Token::Name("else");
        if found {
            self.next = at;
            self.advance();
        }
        found
    }

    fn otherwise(&mut self) -> Parsed<Block> {
        if !self.is_word("if") {
            return self.block("`{` or `if`");
        }
        let beside = self.enter();
        let value = self.condition()?;
        let span = value.span;
        self.grow()?;
        self.leave(beside);
        let statement = Statement { kind: StatementKind::Value(value), span };
        Ok(Block { statements: vec![statement], span })
    }
}
