//! Suggestions for unknown names.

use crate::op::{function, functions};

/// Names from other libraries and languages, and the names here.
const ELSEWHERE: [(&[&str], &str); 14] = [
    (&["divmod", "divrem", "div_rem", "div_mod", "quorem"], "`a / b` and `a % b`"),
    (&["xgcd", "egcd", "gcdext", "gcdex", "extended_gcd", "bezout"], "`xgcd_x(a, b)` and `xgcd_y(a, b)`"),
    (&["mod", "rem", "modulo"], "`a % b`, `rem_euclid(a, b)` or `rem_floor(a, b)`"),
    (&["floordiv", "fdiv", "fdiv_q"], "`div_floor(a, b)`"),
    (&["div", "quo"], "`a / b`, `div_euclid(a, b)` or `div_floor(a, b)`"),
    (&["pow", "power", "powm", "modpow", "modexp"], "`a**3` or `powmod(a, exponent, m)`"),
    (&["sqrt", "sqrtint"], "`isqrt(a)`"),
    (&["inv", "inverse", "invmod", "invert", "mod_inverse"], "`modinv(a, m)`"),
    (&["cbrt", "nth_root", "iroot", "sqrtnint"], "`root(a, k)`"),
    (&["bit_count", "count_ones", "hamming_weight", "hammingweight"], "`popcount(a)`"),
    (&["valuation", "trailing_zeros"], "`ctz(a)`"),
    (&["abs"], "`max(a, -a)`"),
    (&["kronecker", "legendre"], "`jacobi(a, n)`"),
    (&["issquare", "ispower", "ispseudoprime"], "`is_square`, `is_perfect_power` or `is_prime`"),
];

/// The function that a name before parentheses probably means.
pub(super) fn function_for(name: &str) -> Option<String> {
    let name = name.to_ascii_lowercase();
    if let Some((_, here)) = ELSEWHERE.iter().find(|(names, _)| names.contains(&&*name)) {
        return Some((*here).to_owned());
    }
    nearest(&name, functions().map(|function| function.name)).map(|function| format!("`{function}`"))
}

/// The input that a name probably means.
pub(super) fn input_for<'i>(name: &str, inputs: &[&'i str]) -> Option<&'i str> {
    let same = inputs.iter().find(|input| input.eq_ignore_ascii_case(name));
    same.copied().or_else(|| nearest(name, inputs.iter().copied()))
}

/// The nearest name by at most two edits, and at most one per three letters.
pub(crate) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let most = (name.len() / 3).min(2);
    // Names of less than three letters are near to too many; long ones take time.
    if most == 0 || name.len() > 64 {
        return None;
    }
    let near = names.map(|other| (strsim::osa_distance(name, other), other));
    near.min_by_key(|(distance, _)| *distance).filter(|(distance, _)| *distance <= most).map(|(_, name)| name)
}

/// The operator or function that an unknown name probably means.
///
/// ```
/// use limbforge_algos::expr::suggest_operation;
/// assert_eq!(suggest_operation("gdc").as_deref(), Some("`gcd`"));
/// assert_eq!(suggest_operation("sqrt").as_deref(), Some("`isqrt(a)`"));
/// assert_eq!(suggest_operation("frobnicate"), None);
/// ```
#[must_use]
pub fn suggest_operation(name: &str) -> Option<String> {
    if function(name).is_some() { None } else { function_for(name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_were_meant() {
        for (name, expected) in [
            ("divmod", "`a / b` and `a % b`"),
            ("div_rem", "`a / b` and `a % b`"),
            ("divrem", "`a / b` and `a % b`"),
            ("xgcd", "`xgcd_x(a, b)` and `xgcd_y(a, b)`"),
            ("gdc", "`gcd`"),
            ("gcdd", "`gcd`"),
            ("GCD", "`gcd`"),
            ("mod_inverse", "`modinv(a, m)`"),
            ("mul_mod", "`mulmod`"),
            ("pow_mod", "`powmod`"),
            ("count_ones", "`popcount(a)`"),
            ("isprime", "`is_prime`"),
            ("mulmd", "`mulmod`"),
            ("pow", "`a**3` or `powmod(a, exponent, m)`"),
        ] {
            assert_eq!(function_for(name).as_deref(), Some(expected), "{name}");
        }
        for name in ["", "x", "ab", "frobnicate"] {
            assert_eq!(function_for(name), None, "{name}");
        }
    }

    #[test]
    fn inputs_that_were_meant() {
        let inputs = ["a", "numbers", "N"];
        for (name, expected) in [("number", Some("numbers")), ("A", Some("a")), ("n", Some("N")), ("x", None)]
        {
            assert_eq!(input_for(name, &inputs), expected, "{name}");
        }
    }

    /// A function needs no name of its own.
    #[test]
    fn names_from_elsewhere_are_not_taken() {
        let mut names = ELSEWHERE.iter().flat_map(|(names, _)| names.iter());
        assert!(names.all(|name| function(name).is_none()));
    }
}
