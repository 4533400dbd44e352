//! Expressions from text.
//!
//! ```text
//! comparison := or (("==" | "!=" | "<" | "<=" | ">" | ">=") or)?
//! or         := xor ("|" xor)*          xor   := and ("^" and)*        and := shift ("&" shift)*
//! shift      := sum (("<<" | ">>") unary)*
//! sum        := product (("+" | "-") product)*                product := unary (("*" | "/" | "%") unary)*
//! unary      := ("-" | "~") unary | primary
//! primary    := NUMBER | NAME | FUNCTION "(" comparison ("," comparison)* ")" | "(" comparison ")"
//! ```

use super::lexer::{Token, token};
use super::operators::{FUNCTIONS, LEVELS, SHIFT_LEVEL};
use super::suggestions::functions_for;
use super::{Expr, Op};

/// A text that is no expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: expected {expected}, found {found}")]
pub struct ParseExprError {
    /// Where, in characters from 1.
    pub column: usize,
    /// What could have stood there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

/// Deepest nesting of parentheses, functions and signs: each level takes stack.
const MAX_DEPTH: usize = 200;

impl Expr {
    /// The expression that `text` writes, as in `(a*a + b) * (b + 1) - (a << 3)`.
    ///
    /// From loosest to tightest: comparisons `== != < <= > >=` (which do not chain), `|`, `^`, `&`, `<< >>` by a
    /// number or a value, `+ -`, `* / %`, unary `- ~`. Functions: `sqr(a)`, `mulhi(a, b)`, `div_euclid(a, b)`, `rem_euclid(a, b)`,
    /// `div_exact(a, b)`, `divisible(a, b)`, `gcd(a, b)`, `lcm(a, b)`, `isqrt(a)`, `modinv(a, m)`, `powmod(a, e, m)`, `shl(a, n)`, `shr(a, n)`,
    /// `rotl(a, n)`, `rotr(a, n)`, `popcount(a)`, `clz(a)`, `ctz(a)`, `extract(a, start, length)`, `insert(a, b, start, length)`,
    /// `mask(n)`, `mask_high(n)`, `addmod(a, b, m)`, `submod(a, b, m)`, `mulmod(a, b, m)`, `modinv2k(a)`, `xgcd_x(a, b)`, `xgcd_y(a, b)`,
    /// `jacobi(a, n)`, `root(a, k)`, `isqrt_rem(a)`, `is_square(a)`, `is_perfect_power(a)`, `is_prime(n)`,
    /// `is_strong_probable_prime(n, base)`, `min(a, b)`, `max(a, b)`, `select(condition, then, otherwise)`; and, around the whole expression only, `mul_wide(a, b)` and `sqr_wide(a)`.
    /// Numbers are decimal, or hexadecimal after `0x`. Where the expression is evaluated they must fit the type: [`TypeError`](super::TypeError).
    ///
    /// # Errors
    /// [`ParseExprError`] with the column, what was expected there and what was found.
    pub fn parse(text: &str) -> Result<Self, ParseExprError> {
        Parser::new(text, None).parse()
    }

    /// As [`parse`](Expr::parse), where every name must be one of `inputs`.
    ///
    /// # Errors
    /// As [`parse`](Expr::parse).
    pub fn parse_with_inputs(text: &str, inputs: &[&str]) -> Result<Self, ParseExprError> {
        Parser::new(text, Some(inputs)).parse()
    }
}

struct Parser<'t> {
    text: &'t str,
    inputs: Option<&'t [&'t str]>,
    token: Token<'t>,
    /// Byte offsets of the token in the text.
    start: usize,
    end: usize,
    depth: usize,
    /// Where wide products are called, in order: `start` and `end` of their names.
    wide: Vec<(usize, usize)>,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, inputs: Option<&'t [&'t str]>) -> Self {
        let mut parser = Self { text, inputs, token: Token::End, start: 0, end: 0, depth: 0, wide: vec![] };
        parser.advance();
        parser
    }

    fn parse(mut self) -> Result<Expr, ParseExprError> {
        let expr = self.comparison()?;
        if self.token != Token::End {
            return Err(self.expected("an operator or the end"));
        }
        // The outermost call comes first.
        match self.wide.get(usize::from(expr.0.op.is_wide())) {
            None => Ok(expr),
            Some(&(start, end)) => {
                (self.start, self.token) = (start, Token::Name(&self.text[start..end]));
                Err(self.expected(
                    "an operand of N bits (a wide product has 2N and must be the whole expression; `*` and `mulhi` are \
                     its halves)",
                ))
            }
        }
    }

    fn advance(&mut self) {
        let rest = &self.text[self.end..];
        self.start = self.text.len() - rest.trim_start().len();
        let (token, len) = token(&self.text[self.start..]);
        self.token = token;
        self.end = self.start + len;
    }

    /// Steps over the sign if it is next.
    fn eat(&mut self, sign: &str) -> bool {
        let found = matches!(self.token, Token::Sign(next) if next == sign);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), ParseExprError> {
        if self.eat(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    fn expected(&self, expected: &str) -> ParseExprError {
        let column = self.text[..self.start].chars().count() + 1;
        ParseExprError { column, expected: expected.to_owned(), found: self.token.to_string() }
    }

    fn comparison(&mut self) -> Result<Expr, ParseExprError> {
        let left = self.binary(0)?;
        let Token::Sign(sign) = self.token else { return Ok(left) };
        let build: fn(&Expr, &Expr) -> Expr = match sign {
            "==" => Expr::cmp_eq,
            "!=" => Expr::cmp_ne,
            "<" => Expr::cmp_lt,
            "<=" => Expr::cmp_le,
            ">" => Expr::cmp_gt,
            ">=" => Expr::cmp_ge,
            _ => return Ok(left),
        };
        self.advance();
        let right = self.binary(0)?;
        if matches!(self.token, Token::Sign("==" | "!=" | "<" | "<=" | ">" | ">=")) {
            return Err(self.expected("no second comparison (write (a < b) & (b < c))"));
        }
        Ok(build(&left, &right))
    }

    fn binary(&mut self, level: usize) -> Result<Expr, ParseExprError> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.shift_or_binary(level)?;
        while let Token::Sign(sign) = self.token
            && let Some((_, op)) = operators.iter().find(|(operator, _)| *operator == sign)
        {
            self.advance();
            let right = self.shift_or_binary(level)?;
            left = Expr::new(op.clone(), vec![left, right]);
        }
        Ok(left)
    }

    /// The operand of an operator of this level.
    fn shift_or_binary(&mut self, level: usize) -> Result<Expr, ParseExprError> {
        let left = self.binary(level + 1)?;
        let is_shifted = level + 1 == SHIFT_LEVEL && matches!(self.token, Token::Sign("<<" | ">>"));
        if is_shifted { self.shifts(left) } else { Ok(left) }
    }

    /// The shifts of `left`.
    fn shifts(&mut self, mut left: Expr) -> Result<Expr, ParseExprError> {
        while let Token::Sign(sign @ ("<<" | ">>")) = self.token {
            self.advance();
            let amount = self.unary()?;
            left = if sign == "<<" { left << amount } else { left >> amount };
            // The amount is no sum, and a sum of shifts needs parentheses.
            if matches!(self.token, Token::Sign("+" | "-" | "*" | "/" | "%")) {
                return Err(self.expected("parentheses around the shift, as in (a << 1) + b"));
            }
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, ParseExprError> {
        if self.depth == MAX_DEPTH {
            return Err(self.expected(&format!("at most {MAX_DEPTH} levels of nesting")));
        }
        self.depth += 1;
        let expr = if self.eat("-") {
            -self.unary()?
        } else if self.eat("~") {
            !self.unary()?
        } else {
            self.primary()?
        };
        self.depth -= 1;
        Ok(expr)
    }

    fn primary(&mut self) -> Result<Expr, ParseExprError> {
        match self.token.clone() {
            Token::Number(value) => {
                self.advance();
                Ok(Expr::literal(value))
            }
            Token::Name(name) => match FUNCTIONS.iter().find(|(function, ..)| *function == name) {
                Some((_, op, operands)) => self.call(name, op, operands),
                None => self.variable(name),
            },
            Token::Sign("(") => {
                self.advance();
                let expr = self.comparison()?;
                if self.eat(")") { Ok(expr) } else { Err(self.expected("an operator or `)`")) }
            }
            Token::BadNumber(_) => Err(self.expected("a number (decimal, or hexadecimal after 0x)")),
            _ => Err(self.expected("a number, a variable, a function or `(`")),
        }
    }

    fn variable(&mut self, name: &str) -> Result<Expr, ParseExprError> {
        if let Some(inputs) = self.inputs
            && !inputs.contains(&name)
        {
            let inputs = if inputs.is_empty() { "none are given".to_owned() } else { inputs.join(", ") };
            return Err(
                self.expected(&format!("a variable ({inputs}) or a function ({})", functions_for(name)))
            );
        }
        self.advance();
        if matches!(self.token, Token::Sign("(")) {
            return Err(
                self.expected(&format!("an operator (`{name}` is no function: {})", functions_for(name)))
            );
        }
        Ok(Expr::input(name))
    }

    fn call(&mut self, name: &str, op: &Op, operands: &[&str]) -> Result<Expr, ParseExprError> {
        if op.is_wide() {
            self.wide.push((self.start, self.end));
        }
        self.advance();
        self.expect("(")?;
        let takes = || {
            let plural = if operands.len() == 1 { "" } else { "s" };
            format!("{name} takes {} operand{plural}: {}", operands.len(), operands.join(", "))
        };
        let mut args = Vec::with_capacity(operands.len());
        for (i, _) in operands.iter().enumerate() {
            if let Token::Sign(")" | ",") = self.token {
                return Err(self.expected(&format!("an operand ({})", takes())));
            }
            args.push(self.comparison()?);
            let sign = if i + 1 < operands.len() { "," } else { ")" };
            if !self.eat(sign) {
                return Err(self.expected(&format!("`{sign}` ({})", takes())));
            }
        }
        Ok(Expr::new(op.clone(), args))
    }
}
