//! Variables, and functions with their operands.

use super::{Parser, Token};
use crate::expr::amount::constant;
use crate::expr::suggestions::{function_for, input_for};
use crate::expr::{Expr, Operation, Outcome, ParseErrorKind, ParseExprError};

impl Parser<'_> {
    pub(super) fn variable(&mut self, name: &str) -> Result<Expr, ParseExprError> {
        let span = self.at.clone();
        let found = self.token.to_string();
        self.advance();
        let is_called = matches!(self.token, Token::Sign("("));
        let is_input = self.inputs.map(|inputs| inputs.contains(&name));
        if is_called && is_input == Some(true) {
            let help = Some(format!("`{name}` is a variable; write {name} * (...) for a product"));
            return Err(ParseExprError { help, ..self.expected("an operator or the end") });
        }
        if is_called {
            let help = function_for(name).map(|function| format!("did you mean {function}?"));
            let error = self.error_at(span, ParseErrorKind::UnknownFunction, "a function", found);
            return Err(ParseExprError { help, ..error });
        }
        if let (Some(inputs), Some(false)) = (self.inputs, is_input) {
            let help = Some(match input_for(name, inputs) {
                Some(input) => format!("did you mean `{input}`?"),
                None if inputs.is_empty() => "no inputs are given".to_owned(),
                None => format!("the inputs are {}", inputs.join(", ")),
            });
            let error = self.error_at(span, ParseErrorKind::UnknownVariable, "a variable", found);
            return Err(ParseExprError { help, ..error });
        }
        Ok(Expr::input(name))
    }

    pub(super) fn call(&mut self, function: &'static Operation) -> Result<Expr, ParseExprError> {
        let name = self.at.clone();
        if function.result == Outcome::Wide {
            self.wide.push(name.clone());
        }
        self.advance();
        if !self.eat("(") {
            return Err(self.in_call(function, "`(`"));
        }
        let operands = function.operands.len();
        // Amounts come last.
        let first_amount = function.values();
        let mut args = vec![];
        if !self.eat(")") {
            loop {
                if let Token::Sign(")" | ",") = self.token {
                    return Err(self.in_call(function, "an operand"));
                }
                let is_amount = (first_amount..operands).contains(&args.len());
                args.push(if is_amount { self.amount(Self::comparison)? } else { self.comparison()? });
                if self.eat(")") {
                    break;
                }
                if !self.eat(",") {
                    return Err(self.in_call(function, "`,` or `)`"));
                }
            }
        }
        if args.len() != operands {
            let plural = if operands == 1 { "" } else { "s" };
            let expected = format!("{operands} operand{plural} of `{}`", function.name);
            let found = args.len().to_string();
            let span = name.start..self.before.end;
            let error = self.error_at(span, ParseErrorKind::Operands, &expected, found);
            return Err(ParseExprError { help: Some(function.signature()), ..error });
        }
        Ok(Expr::of_row(function, args))
    }

    /// An error within the parentheses of a function.
    fn in_call(&self, function: &Operation, expected: &str) -> ParseExprError {
        ParseExprError { help: Some(function.signature()), ..self.expected(expected) }
    }

    /// An operand that is a number of bits, which fits any type if it is a constant.
    pub(super) fn amount(
        &mut self,
        operand: fn(&mut Self) -> Result<Expr, ParseExprError>,
    ) -> Result<Expr, ParseExprError> {
        let literals = self.literals.len();
        let amount = operand(self)?;
        if constant(&amount).is_some() {
            self.literals.truncate(literals);
        }
        Ok(amount)
    }
}
