//! The output of `limbforge primes check` for a number above 2^64.

use num_bigint::BigUint;
use serde_json::{Value, json};

use super::large::Verdict;

/// Text and JSON.
pub(super) fn large(number: &BigUint) -> (String, Value) {
    let verdict = Verdict::of(number);
    let (is_proved, bits) = (verdict != Verdict::Probable, number.bits());
    let (what, test, why) = described(&verdict);
    let proved = if is_proved { "proved:    " } else { "not proved:" };
    let text = format!("{number}{} is {what}\nbits:        {bits}\n{proved}  {why}\n", form(number));
    let factor = match verdict {
        Verdict::Factor(factor) => Some(factor.to_string()),
        Verdict::Exponent { divisor, .. } => Some(((BigUint::from(1_u32) << divisor) - 1_u32).to_string()),
        _ => None,
    };
    let value = json!({
        "number": number.to_string(),
        "bits": bits,
        "prime": what != "composite",
        "proved": is_proved,
        "test": test,
        "factor": factor,
    });
    (text, value)
}

/// ` = k*2^n + 1` or ` = 2^n - 1` where that is shorter than the number.
fn form(number: &BigUint) -> String {
    if number.trailing_ones() == number.bits() {
        return format!(" = 2^{} - 1", number.bits());
    }
    let units = number - 1_u32;
    let n = units.trailing_zeros().unwrap_or(0);
    if n < number.bits() / 2 {
        return String::new();
    }
    let k = units >> n;
    if k == BigUint::from(1_u8) { format!(" = 2^{n} + 1") } else { format!(" = {k}*2^{n} + 1") }
}

/// The result, the name of the test, and the reason.
fn described(verdict: &Verdict) -> (&'static str, &'static str, String) {
    match verdict {
        Verdict::LucasLehmer { q, is_prime } => {
            let (what, not) = if *is_prime { ("prime", "") } else { ("composite", "not ") };
            let element = q - 2;
            let why = format!(
                "element {element} of the sequence 4, s^2 - 2 is {not}0 modulo it (Lucas and Lehmer)"
            );
            (what, "Lucas-Lehmer", why)
        }
        Verdict::Proth { a, n } => ("prime", "Proth", format!("{a}^((p-1)/2) = -1, and k < 2^{n} (Proth)")),
        Verdict::Probable => {
            let why = "it passes the test of Baillie, Pomerance, Selfridge and Wagstaff, as no composite number is known to";
            ("a probable prime", "Baillie-PSW", why.to_owned())
        }
        Verdict::Factor(factor) => ("composite", "division", format!("{factor} divides it")),
        Verdict::Exponent { q, divisor } => {
            let why = format!("{divisor} divides {q}, so 2^{divisor} - 1 divides it");
            ("composite", "exponent", why)
        }
        Verdict::Fails => {
            let why = "it fails the test of Baillie, Pomerance, Selfridge and Wagstaff";
            ("composite", "Baillie-PSW", why.to_owned())
        }
        Verdict::Euler { a } => {
            let why =
                format!("{a}^((p-1)/2) is not -1, though {a} would be no square modulo a prime (Euler)");
            ("composite", "Euler", why)
        }
    }
}
