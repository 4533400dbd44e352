//! Curves as JSON files: hexadecimal numbers by their names.

use std::fs;
use std::path::Path;

use limbforge::num_bigint::BigUint;
use limbforge::prelude::{NumberTheory, U1024};
use serde::{Deserialize, Serialize};

use crate::curve::Curve;
use crate::error::EcdlpError;

/// The bits of the widest prime.
pub const MOST_BITS: u32 = 1024;

/// The file of a curve.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case)]
struct Form {
    name: String,
    p: String,
    a: String,
    b: String,
    n: String,
    P: [String; 2],
    Q: [String; 2],
}

/// Reads a curve, and checks that p and n are prime and that P and Q are points of order n.
///
/// # Errors
/// [`EcdlpError::File`] if the file cannot be read, and [`EcdlpError::Curve`] for what is not such a curve.
pub fn read(path: &Path) -> Result<Curve, EcdlpError> {
    let text = fs::read_to_string(path).map_err(EcdlpError::file(path))?;
    from_text(&text).map_err(|why| EcdlpError::Curve { path: path.to_owned(), why })
}

/// The curve of a text, or what is wrong with it.
///
/// # Errors
/// What is expected, and what was found.
pub fn from_text(text: &str) -> Result<Curve, String> {
    let form: Form = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let number = |name: &str, text: &str| {
        let digits = text.strip_prefix("0x").unwrap_or(text);
        BigUint::parse_bytes(digits.as_bytes(), 16)
            .ok_or_else(|| format!("expected a hexadecimal number as `{name}`, found `{text}`"))
    };
    let point = |name: &str, [x, y]: &[String; 2]| Ok::<_, String>((number(name, x)?, number(name, y)?));
    let curve = Curve {
        p: number("p", &form.p)?,
        a: number("a", &form.a)?,
        b: number("b", &form.b)?,
        n: number("n", &form.n)?,
        base: point("P", &form.P)?,
        target: point("Q", &form.Q)?,
        name: form.name,
    };
    check(&curve)?;
    Ok(curve)
}

/// The text of a curve.
#[must_use]
pub fn to_text(curve: &Curve) -> String {
    let hex = |number: &BigUint| format!("{number:X}");
    let point = |(x, y): &(BigUint, BigUint)| format!("[\"{x:X}\", \"{y:X}\"]");
    format!(
        "{{\n  \"name\": {:?},\n  \"p\": \"{}\",\n  \"a\": \"{}\",\n  \"b\": \"{}\",\n  \"n\": \"{}\",\n  \"P\": {},\n  \
         \"Q\": {}\n}}\n",
        curve.name,
        hex(&curve.p),
        hex(&curve.a),
        hex(&curve.b),
        hex(&curve.n),
        point(&curve.base),
        point(&curve.target)
    )
}

/// Whether a number is a prime; above 2^64 by Baillie-PSW.
pub(crate) fn is_prime(number: &BigUint) -> bool {
    U1024::try_from(number).is_ok_and(|number| number.is_prime())
}

fn check(curve: &Curve) -> Result<(), String> {
    let Curve { p, a, b, n, .. } = curve;
    if p.bits() > u64::from(MOST_BITS) || p.bits() < 8 || !is_prime(p) {
        return Err(format!("expected a prime p of 8 to {MOST_BITS} bits, found {p:#x}"));
    }
    if a >= p || b >= p {
        return Err("expected a and b below p".to_owned());
    }
    if (a * a * a * 4_u32 + b * b * 27_u32) % p == BigUint::ZERO {
        return Err("expected 4 a^3 + 27 b^2 other than 0 modulo p".to_owned());
    }
    if n.bits() < 5 || !is_prime(n) {
        return Err(format!("expected a prime order n of at least 5 bits, found {n:#x}"));
    }
    for (name, point) in [("P", &curve.base), ("Q", &curve.target)] {
        if !curve.contains(point) {
            return Err(format!("{name} is not a point of the curve"));
        }
        if curve.times(n, &Some(point.clone())).is_some() {
            return Err(format!("{name} has another order than n"));
        }
    }
    Ok(())
}
