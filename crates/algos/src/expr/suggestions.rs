//! What a name that is no function was probably meant to be.

use super::FUNCTIONS;
use super::operators::function_names;

/// Names from other libraries and languages, and what they are called here.
const ELSEWHERE: [(&[&str], &str); 8] = [
    (&["divmod", "divrem", "div_rem", "div_mod", "quorem"], "`a / b` and `a % b`"),
    (&["xgcd", "egcd", "gcdext", "gcdex", "extended_gcd"], "`xgcd_x(a, b)` and `xgcd_y(a, b)`"),
    (&["mod", "rem", "modulo"], "`a % b` or `rem_euclid(a, b)`"),
    (&["div", "quo"], "`a / b` or `div_euclid(a, b)`"),
    (&["pow", "powm", "modpow", "modexp"], "`powmod(a, exponent, m)`"),
    (&["sqrt"], "`isqrt(a)`"),
    (&["inv", "inverse", "invmod", "invert"], "`modinv(a, m)`"),
    (&["cbrt", "nth_root", "iroot"], "`root(a, k)`"),
];

/// All functions, after what `name` may have been meant to be.
pub(super) fn functions_for(name: &str) -> String {
    let names = function_names();
    match suggestion(name) {
        Some(suggestion) => format!("did you mean {suggestion}? All are {names}"),
        None => names,
    }
}

fn suggestion(name: &str) -> Option<String> {
    let name = name.to_ascii_lowercase();
    if let Some((_, here)) = ELSEWHERE.iter().find(|(names, _)| names.contains(&&*name)) {
        return Some((*here).to_owned());
    }
    // Names of less than three letters are near to too many.
    let near = |function: &str| strsim::osa_distance(&name, function);
    let (function, ..) = FUNCTIONS.iter().min_by_key(|(function, ..)| near(function))?;
    (near(function) <= (name.len() / 3).min(2)).then(|| format!("`{function}`"))
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
            ("GCD", "`gcd`"),
            ("isprime", "`is_prime`"),
            ("mulmd", "`mulmod`"),
        ] {
            assert_eq!(suggestion(name).as_deref(), Some(expected), "{name}");
        }
        for name in ["", "x", "ab", "frobnicate"] {
            assert_eq!(suggestion(name), None, "{name}");
        }
        assert!(functions_for("frobnicate").starts_with("sqr, "));
        assert!(functions_for("gdc").starts_with("did you mean `gcd`? All are sqr, "));
    }

    /// A function needs no name of its own.
    #[test]
    fn names_from_elsewhere_are_not_taken() {
        let mut names = ELSEWHERE.iter().flat_map(|(names, _)| names.iter());
        assert!(names.all(|name| FUNCTIONS.iter().all(|(function, ..)| function != name)));
    }
}
