//! Powers, and what is probably meant to be one.

use core::ops::Range;

use limbforge_limb::IntType;
use num_bigint::Sign;

use super::{Parser, Token};
use crate::expr::amount::constant;
use crate::expr::lexer::is_decimal;
use crate::expr::power::constant_power;
use crate::expr::{Expr, ParseErrorKind, ParseExprError, ParseWarning};

/// Warnings of a text; more say nothing new.
const MOST_WARNINGS: usize = 10;

impl Parser<'_> {
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
        let span = exponent_at..self.before.end;
        let exponent = self.exponent(&exponent, span)?;
        let Some(number) = constant(&base) else { return Ok(base.pow(exponent)) };
        let Some(power) = constant_power(&number, exponent) else {
            let span = start..self.before.end;
            let expected = format!("a number of at most {} bits", IntType::MAX_BITS);
            return Err(self.error_at(span, ParseErrorKind::LongNumber, &expected, "more".to_owned()));
        };
        self.literals.truncate(literals);
        self.literals.push(power.magnitude().clone(), start..self.before.end);
        Ok(Expr::literal(power))
    }

    fn exponent(&self, exponent: &Expr, span: Range<usize>) -> Result<u32, ParseExprError> {
        let error = |found: &str, help: &str| ParseExprError {
            help: Some(help.to_owned()),
            ..self.error_at(
                span.clone(),
                ParseErrorKind::Exponent,
                "a number from 0 to 4294967295 as exponent",
                found.to_owned(),
            )
        };
        let Some(number) = constant(exponent) else {
            return Err(error("a value", "powmod(a, exponent, m) takes an exponent that is a value"));
        };
        if number.sign() == Sign::Minus {
            return Err(error("a negative number", "modinv(a, m) is the power -1 modulo m"));
        }
        u32::try_from(&number).map_err(|_| {
            let found =
                if number.bits() > 128 { "a longer number".to_owned() } else { format!("`{number}`") };
            error(&found, "powmod(a, exponent, m) takes an exponent of any size")
        })
    }

    /// Warns of an exclusive or at `operator` whose next token, and perhaps the one before it, look like
    /// those of a power.
    pub(super) fn warn_of_power(&mut self, left: Range<usize>, operator: Range<usize>) {
        let Token::Number(exponent) = &self.token else { return };
        let Ok(exponent) = u32::try_from(exponent) else { return };
        let of_numbers = is_decimal(&self.text[left]);
        if self.warnings.len() < MOST_WARNINGS
            && is_decimal(&self.text[self.at.clone()])
            && (of_numbers || exponent >= 2)
        {
            let help = format!("`**{exponent}` is the power, `^ {exponent:#x}` the bits");
            self.warnings.push(ParseWarning { column: self.column(operator.start), span: operator, help });
        }
    }
}
