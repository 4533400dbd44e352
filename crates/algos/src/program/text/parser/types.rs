//! Types and patterns.

use limbforge_limb::IntType;

use super::{Parsed, Parser, Token};
use crate::program::text::error::{ProgramError, ProgramErrorKind};
use crate::program::text::lexer::is_integer_type;
use crate::program::text::syntax::{Pattern, Type, TypeKind};

impl Parser<'_> {
    /// A name, or names that take a tuple apart.
    pub(super) fn pattern(&mut self) -> Parsed<Pattern> {
        let start = self.here();
        if !self.eat("(") {
            return Ok(Pattern::Name(self.name()?));
        }
        let mut members = self.patterns()?;
        // Parentheses around one pattern are no tuple.
        if members.len() == 1 {
            return Ok(members.swap_remove(0));
        }
        Ok(Pattern::Tuple(members, self.since(start)))
    }

    /// Patterns after `(`, and the `)`.
    pub(super) fn patterns(&mut self) -> Parsed<Vec<Pattern>> {
        let opened = self.before;
        let beside = self.enter();
        self.descend()?;
        let mut members = vec![self.pattern()?];
        while self.eat(",") {
            members.push(self.pattern()?);
        }
        self.depth -= 1;
        self.grow()?;
        self.leave(beside);
        if self.eat(")") { Ok(members) } else { Err(self.not_closed("`,` or `)`", opened)) }
    }

    pub(super) fn ty(&mut self) -> Parsed<Type> {
        let start = self.here();
        let beside = self.enter();
        self.descend()?;
        let kind = self.type_kind()?;
        self.depth -= 1;
        self.grow()?;
        self.leave(beside);
        match kind {
            // Parentheses around one type are no tuple.
            TypeKind::Tuple(mut members) if members.len() == 1 => Ok(members.swap_remove(0)),
            kind => Ok(Type { kind, span: self.since(start) }),
        }
    }

    fn type_kind(&mut self) -> Parsed<TypeKind> {
        let opened = self.here();
        if self.eat_word("mod") {
            return Ok(TypeKind::Residue(self.name()?));
        }
        if self.eat("[") {
            let element = self.ty()?;
            if !self.eat(";") {
                return Err(self.not_closed("`;` and the number of elements", opened));
            }
            let length = self.expression()?;
            let closed = self.eat("]");
            return if closed {
                Ok(TypeKind::Array(Box::new(element), Box::new(length)))
            } else {
                Err(self.not_closed("an operator or `]`", opened))
            };
        }
        if self.eat("(") {
            let mut members = vec![self.ty()?];
            while self.eat(",") {
                members.push(self.ty()?);
            }
            let closed = self.eat(")");
            return if closed {
                Ok(TypeKind::Tuple(members))
            } else {
                Err(self.not_closed("`,` or `)`", opened))
            };
        }
        self.named_type()
    }

    /// `bool`, `u131`, `i64`
    fn named_type(&mut self) -> Parsed<TypeKind> {
        let expected = "a type (u64, i64, bool, mod n, [T; k] or (T, T))";
        let Token::Name(word) = *self.token() else { return Err(self.expected(expected)) };
        if word == "bool" {
            self.advance();
            return Ok(TypeKind::Bool);
        }
        if let Ok(ty) = word.parse::<IntType>() {
            self.advance();
            return Ok(TypeKind::Int(ty));
        }
        if !is_integer_type(word) {
            return Err(self.expected(expected));
        }
        let error = self.expected("a type of 1 to 16777216 bits");
        Err(ProgramError { kind: ProgramErrorKind::Constant, ..*error }.into())
    }
}
