//! Variables, functions with their operands, and powers.

use core::ops::Range;

use limbforge_limb::IntType;
use num_bigint::Sign;

use super::parsed::Literal;
use super::{Parser, Token};
use crate::expr::constant::{constant, constant_power};
use crate::expr::suggestions::{function_for, input_for};
use crate::expr::{Expr, Operation, Outcome, ParseErrorKind, ParseExprError, ParseWarning};

impl<'t> Parser<'t> {
    pub(super) fn variable(&mut self, name: &'t str) -> Result<Expr, ParseExprError> {
        let span = self.at.clone();
        let found = self.token.to_string();
        self.advance();
        let is_called = matches!(self.token, Token::Sign("("));
        let is_input = self.inputs.map(|inputs| inputs.contains(&name));
        let assigned = self.names.get(name).copied();
        if is_called && (is_input == Some(true) || assigned.is_some()) {
            let help = format!("`{name}` is a variable; write {name} * (...) for a product");
            return Err(self.expected("an operator or the end").with_help(help));
        }
        if is_called {
            let error = self.error_at(span, ParseErrorKind::UnknownFunction, "a function", found);
            return Err(match function_for(name) {
                Some(function) => error.with_help(format!("did you mean {function}?")),
                None => error,
            });
        }
        match (assigned, self.inputs) {
            (Some(place), _) => self.assigned_value(place, span, found),
            (None, Some(inputs)) if is_input == Some(false) => Err(self.unknown(name, inputs, span, found)),
            (None, _) => Ok(Expr::input(name)),
        }
    }

    /// The value of an assignment.
    fn assigned_value(
        &mut self,
        place: Option<usize>,
        span: Range<usize>,
        found: String,
    ) -> Result<Expr, ParseExprError> {
        let Some(assignment) = place.and_then(|place| self.assigned.get_mut(place)) else {
            let error = self.error_at(span, ParseErrorKind::UnknownVariable, "a variable", found);
            return Err(error.with_help("a name has a value after its assignment: move that before this one"));
        };
        assignment.is_used = true;
        if assignment.expr.0.op.is_wide() {
            self.wide.push(span);
        }
        Ok(assignment.expr.clone())
    }

    fn unknown(&self, name: &str, inputs: &[&str], span: Range<usize>, found: String) -> ParseExprError {
        let assigned = self.assigned.iter().map(|assignment| &*assignment.name);
        let known: Vec<&str> = inputs.iter().copied().chain(assigned).collect();
        let help = match input_for(name, &known) {
            Some(input) => format!("did you mean `{input}`?"),
            None if inputs.is_empty() => "no inputs are given".to_owned(),
            None => format!("the inputs are {}", inputs.join(", ")),
        };
        self.error_at(span, ParseErrorKind::UnknownVariable, "a variable", found).with_help(help)
    }

    pub(super) fn call(&mut self, function: &'static Operation) -> Result<Expr, ParseExprError> {
        let name = self.at.clone();
        if function.result == Outcome::Wide {
            self.wide.push(name.clone());
        }
        self.advance();
        let error =
            |parser: &Self, expected: &str| Err(parser.expected(expected).with_help(function.signature()));
        if !self.eat("(") {
            return error(self, "`(`");
        }
        let mut args = vec![];
        if !self.eat(")") {
            loop {
                if let Token::Sign(")" | ",") = self.token {
                    return error(self, "an operand");
                }
                // Amounts come last.
                let is_amount = (function.values()..function.operands.len()).contains(&args.len());
                args.push(if is_amount { self.amount(Self::comparison)? } else { self.comparison()? });
                if self.eat(")") {
                    break;
                }
                if !self.eat(",") {
                    return error(self, "`,` or `)`");
                }
            }
        }
        let operands = function.operands.len();
        if args.len() != operands {
            let plural = if operands == 1 { "" } else { "s" };
            let expected = format!("{operands} operand{plural} of `{}`", function.name);
            let (span, found) = (name.start..self.before.end, args.len().to_string());
            let error = self.error_at(span, ParseErrorKind::Operands, &expected, found);
            return Err(error.with_help(function.signature()));
        }
        Ok(Expr::of_row(function, args))
    }

    /// An operand that is a number of bits: as a constant it need not fit the type.
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

    /// A primary expression, or its power. The exponent may itself be a power: `**` associates to the right.
    pub(super) fn power(&mut self) -> Result<Expr, ParseExprError> {
        let (start, literals) = (self.at.start, self.literals.len());
        let base = self.primary()?;
        if !self.eat("**") {
            return Ok(base);
        }
        let (exponent_at, numbers) = (self.at.start, self.literals.len());
        let exponent = self.unary()?;
        self.literals.truncate(numbers);
        let exponent = self.exponent(&exponent, exponent_at..self.before.end)?;
        let Some(number) = constant(&base) else { return Ok(base.pow(exponent)) };
        let span = start..self.before.end;
        let Some(power) = constant_power(&number, exponent) else {
            let expected = format!("a number of at most {} bits", IntType::MAX_BITS);
            return Err(self.error_at(span, ParseErrorKind::LongNumber, &expected, "more".to_owned()));
        };
        self.literals.truncate(literals);
        self.literals.push(Literal { value: power.magnitude().clone(), span, negated: false });
        Ok(Expr::literal(power))
    }

    fn exponent(&self, exponent: &Expr, span: Range<usize>) -> Result<u32, ParseExprError> {
        let error = |found: &str, help: &str| {
            let expected = "a number from 0 to 4294967295 as exponent";
            self.error_at(span, ParseErrorKind::Exponent, expected, found.to_owned()).with_help(help)
        };
        match constant(exponent) {
            None => Err(error("a value", "powmod(a, exponent, m) takes an exponent that is a value")),
            Some(number) if number.sign() == Sign::Minus => {
                Err(error("a negative number", "modinv(a, m) is the power -1 modulo m"))
            }
            Some(number) => u32::try_from(&number).map_err(|_| {
                let is_long = number.bits() > 128;
                let found = if is_long { "a longer number".to_owned() } else { format!("`{number}`") };
                error(&found, "powmod(a, exponent, m) takes an exponent of any size")
            }),
        }
    }

    /// Warns of an exclusive or at `operator` where the next token, and perhaps the one before it, suggest a
    /// power.
    pub(super) fn warn_of_power(&mut self, left: Range<usize>, operator: Range<usize>) {
        let Token::Number(exponent) = &self.token else { return };
        let help = ParseWarning::help_for_power(&self.text[left], &self.text[self.at.clone()], exponent);
        if let Some(help) = help
            && self.warnings.len() < ParseWarning::MOST
        {
            self.warnings.push(ParseWarning { column: self.column(operator.start), span: operator, help });
        }
    }
}
