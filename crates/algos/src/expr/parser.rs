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

mod calls;
mod parsed;
mod powers;
mod tokens;

use core::ops::Range;

pub use parsed::Parsed;

use super::lexer::Token;
use super::{Expr, Op, Operation, ParseErrorKind, ParseExprError, ParseWarning};
use crate::op::{function, infix};
use parsed::Literals;

/// Operators that bind more tightly than comparisons.
const TIGHTER: u8 = Operation::COMPARISON + 1;

/// Deepest nesting of parentheses, functions and signs: each level takes stack.
const MAX_DEPTH: usize = 200;

impl Expr {
    /// The expression that `text` writes, as in `(a*a + b) * (b + 1) - (a << 3)`.
    ///
    /// From loosest to tightest: comparisons `== != < <= > >=` (which do not chain), `|`, `^`, `&`, `<< >>`
    /// by a number or a value, `+ -`, `* / %`, unary `- ~`, `**` with a number on its right.
    /// [`operations`](super::operations()) lists all operators and functions. The wide products `mul_wide`
    /// and `sqr_wide` may only be the whole expression. Numbers are decimal, or hexadecimal after `0x`, of at
    /// most 2^24 bits. Where the expression is evaluated they must fit the type
    /// ([`TypeError`](super::TypeError)), but numbers of bits to shift by and the like may be any.
    ///
    /// ```
    /// use limbforge_algos::expr::Expr;
    /// let poly = Expr::parse("(a**2 + b) * (b + 1)")?;
    /// assert_eq!(poly.to_dag().inputs().collect::<Vec<_>>(), ["a", "b"]);
    /// assert!(Expr::parse("a +").is_err());
    /// # Ok::<(), limbforge_algos::expr::ParseExprError>(())
    /// ```
    ///
    /// # Errors
    /// [`ParseExprError`] with the place, what was expected there and what was found.
    pub fn parse(text: &str) -> Result<Self, ParseExprError> {
        Ok(Self::parse_with_warnings(text, None)?.expr)
    }

    /// As [`parse`](Expr::parse), where every name must be one of `inputs`.
    ///
    /// ```
    /// use limbforge_algos::expr::Expr;
    /// let error = Expr::parse_with_inputs("number + 1", &["numbers"]).unwrap_err();
    /// assert_eq!(error.to_string(), "column 1: unknown variable `number`: did you mean `numbers`?");
    /// ```
    ///
    /// # Errors
    /// As [`parse`](Expr::parse).
    pub fn parse_with_inputs(text: &str, inputs: &[&str]) -> Result<Self, ParseExprError> {
        Ok(Self::parse_with_warnings(text, Some(inputs))?.expr)
    }

    /// As [`parse`](Expr::parse), or [`parse_with_inputs`](Expr::parse_with_inputs), with warnings of what
    /// may not be meant: a `^` that is likely to be a power ([`ParseWarning`]).
    ///
    /// ```
    /// use limbforge_algos::expr::Expr;
    /// let text = "2^61 - 1";
    /// let parsed = Expr::parse_with_warnings(text, None)?;
    /// assert_eq!(parsed.expr.to_dag(), Expr::parse("2 ^ (61 - 1)")?.to_dag());
    /// let report = parsed.warnings[0].report(text).to_string();
    /// assert!(report.starts_with("^ is exclusive or; write ** for powers\n  2^61 - 1\n   ^ "));
    /// # Ok::<(), limbforge_algos::expr::ParseExprError>(())
    /// ```
    ///
    /// # Errors
    /// As [`parse`](Expr::parse).
    pub fn parse_with_warnings(text: &str, inputs: Option<&[&str]>) -> Result<Parsed, ParseExprError> {
        Parser::new(text, inputs).parse()
    }
}

struct Parser<'t> {
    text: &'t str,
    inputs: Option<&'t [&'t str]>,
    token: Token<'t>,
    /// The bytes of the token in the text, and of the one before it.
    at: Range<usize>,
    before: Range<usize>,
    depth: usize,
    /// Where wide products are called, in order: their names.
    wide: Vec<Range<usize>>,
    literals: Literals,
    warnings: Vec<ParseWarning>,
}

impl<'t> Parser<'t> {
    fn parse(mut self) -> Result<Parsed, ParseExprError> {
        let expr = self.comparison()?;
        if self.token != Token::End {
            return Err(self.unexpected_operator());
        }
        // The outermost call comes first.
        match self.wide.get(usize::from(expr.0.op.is_wide())) {
            None => Ok(Parsed { expr, warnings: self.warnings, literals: self.literals }),
            Some(span) => {
                let found = format!("`{}`", &self.text[span.clone()]);
                Err(ParseExprError {
                    help: Some(
                        "a wide product must be the whole expression; `*` and `mulhi` are its halves"
                            .to_owned(),
                    ),
                    ..self.error_at(span.clone(), ParseErrorKind::WideOperand, "an operand of N bits", found)
                })
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

    /// Operators that bind at least so tightly, by precedence climbing: a level of nesting takes few frames
    /// of the stack.
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

    /// How far to shift: no sum, and a sum of shifts needs parentheses.
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
            self.literals.negated(literals);
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
                self.literals.push(value.clone(), self.at.clone());
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

    /// No operand begins with the next token.
    #[cold]
    fn no_operand(&self) -> ParseExprError {
        let expected = match self.token {
            Token::BadNumber(_) => "a number (decimal, or hexadecimal after 0x)",
            Token::LongNumber(_) => "a number of at most 16777216 bits",
            _ => "a number, a variable, a function or `(`",
        };
        // A sign twice is an operator of another language.
        let doubled = self.text[self.before.clone()] == self.text[self.at.clone()];
        let help = match &self.token {
            Token::BadNumber(word) => {
                product_of(word).map(|product| format!("write {product} for a product"))
            }
            Token::Stray('!') => Some("`~` flips all bits; `a == 0` is 1 where a is 0".to_owned()),
            Token::Sign("&" | "|") if doubled => {
                Some("`&` and `|` act bit by bit; comparisons are 1 or 0".to_owned())
            }
            Token::Sign("/") if doubled => {
                Some("`/` rounds towards 0, `div_euclid(a, b)` to a remainder of 0 or more".to_owned())
            }
            _ => None,
        };
        let error = self.expected(expected);
        let is_long = matches!(self.token, Token::LongNumber(_));
        let kind = if is_long { ParseErrorKind::LongNumber } else { error.kind };
        ParseExprError { kind, help, ..error }
    }

    fn parentheses(&mut self) -> Result<Expr, ParseExprError> {
        let opened = self.column(self.at.start);
        self.advance();
        let expr = self.comparison()?;
        if self.eat(")") {
            return Ok(expr);
        }
        let help = (self.token == Token::End).then(|| format!("the `(` of column {opened} is open"));
        Err(ParseExprError { help, ..self.expected("an operator or `)`") })
    }
}

/// A word of digits and letters as a product.
fn product_of(word: &str) -> Option<String> {
    let at = word.find(|c: char| !c.is_ascii_digit())?;
    let (number, name) = word.split_at(at);
    let is_hex = number == "0" && name.starts_with(['x', 'X']);
    (!is_hex && name.len() < 20 && number.len() < 20).then(|| format!("{number}*{name}"))
}
