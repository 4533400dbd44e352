//! Integers as people write them: `2^61-1`, `3*2^30 + 1`, `10**100+267`, `(2^31-1)*(2^61-1)`,
//! `0xffff_0001`.
//!
//! ```text
//! sum     = ["-"] product { ("+" | "-") product }
//! product = power { "*" power }
//! power   = atom [ ("^" | "**") power ]          so 2^3^2 = 2^9
//! atom    = "(" sum ")" | decimal digits | "0x" hexadecimal digits
//! ```
//! Unlike in expressions of `limbforge eval`, `^` is a power.

use num_bigint::{BigInt, BigUint, Sign};

/// Most bits of any number in an expression. Primality tests of wider ones would take hours.
const MAX_BITS: u64 = 1 << 17;

/// Most nested parentheses and powers.
const MAX_DEPTH: u32 = 100;

/// Evaluates an expression whose value is not negative.
pub fn evaluate(text: &str) -> Result<BigUint, String> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    let value = parser.sum()?;
    match parser.peek() {
        None => {
            value.to_biguint().ok_or_else(|| format!("expected a number that is not negative, found {value}"))
        }
        Some(_) => Err(parser.expected("an operator + - * ^ **, or the end")),
    }
}

struct Parser<'t> {
    text: &'t str,
    /// The next byte.
    at: usize,
    depth: u32,
}

impl Parser<'_> {
    fn sum(&mut self) -> Result<BigInt, String> {
        let is_negative = self.takes("-");
        let mut sum = self.product()?;
        if is_negative {
            sum = -sum;
        }
        loop {
            if self.takes("+") {
                sum += self.product()?;
            } else if self.takes("-") {
                sum -= self.product()?;
            } else {
                return self.fits(sum);
            }
        }
    }

    fn product(&mut self) -> Result<BigInt, String> {
        let mut product = self.power()?;
        while !self.rest().starts_with("**") && self.takes("*") {
            let factor = self.power()?;
            // Both factors are small enough; their product may not be.
            if product.bits() + factor.bits() > MAX_BITS + 1 {
                return Err(too_large(self.column()));
            }
            product *= factor;
        }
        self.fits(product)
    }

    fn power(&mut self) -> Result<BigInt, String> {
        let base = self.atom()?;
        if !self.takes("**") && !self.takes("^") {
            return Ok(base);
        }
        let column = self.column();
        let exponent = self.deeper(Self::power)?;
        if exponent.sign() == Sign::Minus {
            return Err(format!("column {column}: expected an exponent that is not negative"));
        }
        if base.bits() <= 1 {
            // 0, 1 and -1 have powers of any exponent.
            return Ok(match exponent.sign() {
                Sign::NoSign => 1.into(),
                _ if base.sign() == Sign::Minus && !exponent.bit(0) => -base,
                _ => base,
            });
        }
        // At least (bits - 1) * exponent bits.
        let exponent = u32::try_from(exponent).ok().filter(|&e| (base.bits() - 1) * u64::from(e) <= MAX_BITS);
        match exponent {
            Some(exponent) => self.fits(base.pow(exponent)),
            None => Err(too_large(column)),
        }
    }

    fn atom(&mut self) -> Result<BigInt, String> {
        if self.takes("(") {
            let value = self.deeper(Self::sum)?;
            return if self.takes(")") { Ok(value) } else { Err(self.expected("`)`")) };
        }
        self.skip_blanks();
        let (digits, radix) = match self.rest().strip_prefix("0x") {
            Some(digits) => (digits, 16),
            None => (self.rest(), 10),
        };
        let is_digit = |c: char| c.is_digit(radix) || c == '_';
        let digits = &digits[..digits.find(|c| !is_digit(c)).unwrap_or(digits.len())];
        // A digit has at least 3 bits.
        if digits.len() as u64 > MAX_BITS / 3 {
            return Err(too_large(self.column()));
        }
        let value = BigUint::parse_bytes(digits.replace('_', "").as_bytes(), radix);
        let Some(value) = value else { return Err(self.expected("a number or `(`")) };
        self.at += digits.len() + if radix == 16 { 2 } else { 0 };
        self.fits(value.into())
    }

    fn deeper(&mut self, parse: fn(&mut Self) -> Result<BigInt, String>) -> Result<BigInt, String> {
        if self.depth == MAX_DEPTH {
            let column = self.column();
            return Err(format!(
                "column {column}: expected at most {MAX_DEPTH} parentheses and powers within each other"
            ));
        }
        self.depth += 1;
        let value = parse(self);
        self.depth -= 1;
        value
    }

    fn fits(&self, value: BigInt) -> Result<BigInt, String> {
        if value.bits() > MAX_BITS { Err(too_large(self.column())) } else { Ok(value) }
    }

    /// Consumes an operator if it comes next.
    fn takes(&mut self, operator: &str) -> bool {
        self.skip_blanks();
        let is_next = self.rest().starts_with(operator);
        self.at += if is_next { operator.len() } else { 0 };
        is_next
    }

    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn peek(&mut self) -> Option<char> {
        self.skip_blanks();
        self.rest().chars().next()
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// The column of the next character, from 1.
    fn column(&self) -> usize {
        self.text[..self.at].chars().count() + 1
    }

    fn expected(&mut self, expected: &str) -> String {
        let found = self.peek().map_or_else(|| "the end".to_owned(), |found| format!("`{found}`"));
        format!("column {}: expected {expected}, found {found}", self.column())
    }
}

fn too_large(column: usize) -> String {
    format!("column {column}: expected numbers of at most {MAX_BITS} bits")
}

#[cfg(test)]
mod tests;
