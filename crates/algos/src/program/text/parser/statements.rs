//! Statements, and blocks of them.

use super::{LINE, Parsed, Parser, Token};
use crate::program::text::error::{ProgramError, ProgramErrorKind};
use crate::program::text::syntax::{
    Block, Expression, ExpressionKind, Name, Over, Place, Span, Statement, StatementKind,
};

impl Parser<'_> {
    /// `{ statements }`
    pub(super) fn block(&mut self, opening: &str) -> Parsed<Block> {
        let opened = self.here();
        if !self.eat("{") {
            return Err(self.expected(opening));
        }
        let beside = self.enter();
        self.descend()?;
        let mut statements = vec![];
        loop {
            self.skip_ends();
            if self.eat("}") {
                break;
            }
            if *self.token() == Token::End {
                return Err(self.not_closed("a statement or `}`", opened));
            }
            statements.push(self.statement()?);
            if !self.is_sign("}") {
                self.end()?;
            }
        }
        self.depth -= 1;
        self.grow()?;
        self.leave(beside);
        Ok(Block { statements, span: self.since(opened) })
    }

    /// Steps over ends of lines and `;`.
    pub(super) fn skip_ends(&mut self) {
        while self.eat(LINE) || self.eat(";") {}
    }

    /// Steps over the end of a statement.
    pub(super) fn end(&mut self) -> Parsed<()> {
        if self.eat(LINE) || self.eat(";") || *self.token() == Token::End {
            return Ok(());
        }
        let is_block = self.text_at(self.before) == "}";
        Err(self.no_end(if is_block { "the end of the line" } else { "an operator or the end of the line" }))
    }

    pub(super) fn statement(&mut self) -> Parsed<Statement> {
        let start = self.here();
        let word = if let Token::Name(word) = *self.token() { word } else { "" };
        let beside = self.enter();
        let (kind, span) = match word {
            "let" | "var" => self.declaration(word == "var")?,
            "repeat" => self.repeat(start)?,
            "for" => self.for_loop(start)?,
            "while" => self.while_loop(start)?,
            "require" => {
                self.advance();
                (StatementKind::Require(self.expression()?), self.since(start))
            }
            "emit" => self.emit(start)?,
            _ => self.assignment_or_value(start)?,
        };
        self.grow()?;
        self.leave(beside);
        Ok(Statement { kind, span })
    }

    fn declaration(&mut self, is_variable: bool) -> Parsed<(StatementKind, Span)> {
        let start = self.here();
        self.advance();
        let pattern = self.pattern()?;
        let ty = if self.eat(":") { Some(self.ty()?) } else { None };
        if !self.eat_and_go_on("=") {
            return Err(self.no_end(if ty.is_some() { "`=`" } else { "`:` or `=`" }));
        }
        let value = self.expression()?;
        Ok((StatementKind::Declare { is_variable, pattern, ty, value }, self.since(start)))
    }

    fn repeat(&mut self, start: Span) -> Parsed<(StatementKind, Span)> {
        self.advance();
        let count = self.expression()?;
        let span = self.since(start);
        Ok((StatementKind::Repeat { count, body: self.block("an operator or `{`")? }, span))
    }

    fn for_loop(&mut self, start: Span) -> Parsed<(StatementKind, Span)> {
        self.advance();
        let name = self.loop_name()?;
        let first = self.expression()?;
        let over = if self.eat_and_go_on("..") {
            Over::Range(first, self.expression()?)
        } else {
            Over::Values(first)
        };
        let after = if self.eat_word("after") { Some(self.expression()?) } else { None };
        let span = self.since(start);
        let opening = match (&over, &after) {
            (_, Some(_)) => "an operator or `{`",
            (Over::Range(..), None) => "an operator, `after` or `{`",
            (Over::Values(_), None) => "an operator, `..`, `after` or `{`",
        };
        let body = self.block(opening)?;
        Ok((StatementKind::For { name, over, after, body }, span))
    }

    fn while_loop(&mut self, start: Span) -> Parsed<(StatementKind, Span)> {
        self.advance();
        let condition = self.expression()?;
        if !self.eat_word("limit") {
            let error = self.expected("an operator or `limit`");
            let help = "a loop says its most rounds, as in while x > 0 limit 100 { ... }";
            return Err(if error.help.is_none() { error.with_help(help).into() } else { error });
        }
        let limit = self.expression()?;
        let span = self.since(start);
        let body = self.block("an operator or `{`")?;
        Ok((StatementKind::While { condition, limit, body }, span))
    }

    fn emit(&mut self, start: Span) -> Parsed<(StatementKind, Span)> {
        self.advance();
        let list = self.name()?;
        if !self.is_sign("(") {
            return Err(self.expected("`(` and the values of a row"));
        }
        let (values, _) = self.members()?;
        let condition = if self.eat_word("where") { Some(self.expression()?) } else { None };
        Ok((StatementKind::Emit { list, values, condition }, self.since(start)))
    }

    fn assignment_or_value(&mut self, start: Span) -> Parsed<(StatementKind, Span)> {
        let value = self.expression()?;
        if !self.eat_and_go_on("=") {
            return Ok((StatementKind::Value(value), self.since(start)));
        }
        let place = self.place(value)?;
        let value = self.expression()?;
        Ok((StatementKind::Assign { place, value }, self.since(start)))
    }

    /// The variables that an expression before `=` names.
    fn place(&self, expression: Expression) -> Parsed<Place> {
        let span = expression.span;
        match *expression.kind {
            ExpressionKind::Name(text) => Ok(Place::Name(Name { text, span })),
            ExpressionKind::Element(array, index) => match *array.kind {
                ExpressionKind::Name(text) => Ok(Place::Element(Name { text, span: array.span }, index)),
                _ => Err(self.no_place(span)),
            },
            ExpressionKind::Tuple(members) => {
                let places = members.into_iter().map(|member| self.place(member));
                Ok(Place::Tuple(places.collect::<Parsed<_>>()?, span))
            }
            _ => Err(self.no_place(span)),
        }
    }

    fn no_place(&self, span: Span) -> Box<ProgramError> {
        let error = self.expected_at(span, "a variable, an element a[i] or a tuple of them", "an expression");
        ProgramError { kind: ProgramErrorKind::Assignment, ..error.with_help("`==` compares") }.into()
    }

    /// An error at another place than the next token.
    pub(super) fn expected_at(&self, span: Span, expected: &str, found: &str) -> Box<ProgramError> {
        ProgramError::new(ProgramErrorKind::Syntax, span, expected, found).into()
    }
}
