//! What stands outside of all blocks: constants, inputs, functions, results.

use super::{LINE, Parsed, Parser, Token};
use crate::program::text::syntax::{Block, Function, Item, List, Span, Statement, StatementKind};

impl Parser<'_> {
    pub(super) fn items(&mut self) -> Parsed<Vec<Item>> {
        let mut items = vec![];
        loop {
            self.skip_ends();
            if *self.token() == Token::End {
                return Ok(items);
            }
            self.height = 0;
            items.push(self.item()?);
            self.end()?;
        }
    }

    fn item(&mut self) -> Parsed<Item> {
        match *self.token() {
            Token::Name("const") => self.constant(),
            Token::Name("in") => self.inputs(),
            Token::Name("list") => self.list(),
            Token::Name("fn") => self.function(),
            Token::Name("out") => self.outputs(),
            _ => Ok(Item::Statement(self.statement()?)),
        }
    }

    fn constant(&mut self) -> Parsed<Item> {
        self.advance();
        let name = self.name()?;
        if !self.eat_and_go_on("=") {
            return Err(self.expected("`=`"));
        }
        Ok(Item::Const { name, value: self.expression()? })
    }

    /// A type belongs to the name before it.
    fn inputs(&mut self) -> Parsed<Item> {
        self.advance();
        let mut inputs = vec![];
        loop {
            let name = self.name()?;
            let ty = if self.eat(":") { Some(self.ty()?) } else { None };
            let has_type = ty.is_some();
            inputs.push((name, ty));
            if !self.eat_and_go_on(",") {
                if self.is_end() {
                    return Ok(Item::Inputs(inputs));
                }
                let expected =
                    if has_type { "`,` or the end of the line" } else { "`:`, `,` or the end of the line" };
                return Err(self.no_end(expected));
            }
        }
    }

    fn list(&mut self) -> Parsed<Item> {
        self.advance();
        let name = self.name()?;
        if !self.eat(":") {
            return Err(self.expected("`:` and the types of the columns"));
        }
        let ty = self.ty()?;
        for word in ["at", "most"] {
            if !self.eat_word(word) {
                return Err(self.expected("`at most` and a number of rows"));
            }
        }
        Ok(Item::List(List { name, ty, most: self.expression()? }))
    }

    fn function(&mut self) -> Parsed<Item> {
        self.advance();
        let name = self.name()?;
        if !self.eat("(") {
            return Err(self.expected("`(` and parameters"));
        }
        let parameters = self.patterns()?;
        let start = self.here();
        let body = if self.eat_and_go_on("=") { self.value(start)? } else { self.block("`=` or `{`")? };
        Ok(Item::Function(Function { name, parameters, body }))
    }

    /// `= value`: a block of nothing but a value.
    fn value(&mut self, start: Span) -> Parsed<Block> {
        let value = self.expression()?;
        let statement = Statement { span: value.span, kind: StatementKind::Value(value) };
        Ok(Block { statements: vec![statement], span: self.since(start) })
    }

    fn outputs(&mut self) -> Parsed<Item> {
        self.advance();
        let mut outputs = vec![];
        loop {
            let name = self.name()?;
            let value = if self.eat_and_go_on("=") { Some(self.expression()?) } else { None };
            let has_value = value.is_some();
            outputs.push((name, value));
            if !self.eat_and_go_on(",") {
                if self.is_end() {
                    return Ok(Item::Outputs(outputs));
                }
                let expected = if has_value {
                    "an operator, `,` or the end of the line"
                } else {
                    "`=`, `,` or the end of the line"
                };
                return Err(self.no_end(expected));
            }
        }
    }

    fn is_end(&self) -> bool {
        matches!(self.token(), Token::End | Token::Sign(LINE | ";"))
    }
}
