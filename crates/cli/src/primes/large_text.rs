//! What `limbforge primes check` says of a number above 2^64.

use num_bigint::BigUint;
use serde_json::{Value, json};

use super::large::{Proof, Reason, Verdict};

/// As text and as JSON.
pub(super) fn large(number: &BigUint) -> (String, Value) {
    let verdict = Verdict::of(number);
    let (form, bits) = (form(number), number.bits());
    let (what, why) = match &verdict {
        Verdict::Prime(proof) => ("prime", format!("proved:      {}", proof_line(proof))),
        Verdict::Probable => ("a probable prime", format!("not proved:  {PROBABLE}")),
        Verdict::Composite(reason) => ("composite", format!("proved:      {}", reason_line(reason))),
    };
    let text = format!("{number}{form} is {what}\nbits:        {bits}\n{why}\n");
    (text, to_json(number, &verdict))
}

const PROBABLE: &str =
    "it passes the test of Baillie, Pomerance, Selfridge and Wagstaff, as no composite number is known to";

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

fn proof_line(proof: &Proof) -> String {
    match proof {
        Proof::LucasLehmer { q } => {
            format!("element {} of the sequence 4, s^2 - 2 is 0 modulo it (Lucas and Lehmer)", q - 2)
        }
        Proof::Proth { a, n } => format!("{a}^((p-1)/2) = -1, and k < 2^{n} (Proth)"),
    }
}

fn reason_line(reason: &Reason) -> String {
    match reason {
        Reason::Factor(factor) => format!("{factor} divides it"),
        Reason::Exponent { q, divisor } => format!("{divisor} divides {q}, so 2^{divisor} - 1 divides it"),
        Reason::LucasLehmer { q } => {
            format!("element {} of the sequence 4, s^2 - 2 is not 0 modulo it (Lucas and Lehmer)", q - 2)
        }
        Reason::Test => "it fails the test of Baillie, Pomerance, Selfridge and Wagstaff".to_owned(),
        Reason::Euler { a } => {
            format!("{a}^((p-1)/2) is not -1, though {a} would be no square modulo a prime (Euler)")
        }
    }
}

fn to_json(number: &BigUint, verdict: &Verdict) -> Value {
    let (test, factor) = match verdict {
        Verdict::Prime(Proof::LucasLehmer { .. }) | Verdict::Composite(Reason::LucasLehmer { .. }) => {
            ("Lucas-Lehmer", None)
        }
        Verdict::Prime(Proof::Proth { .. }) => ("Proth", None),
        Verdict::Probable | Verdict::Composite(Reason::Test) => ("Baillie-PSW", None),
        Verdict::Composite(Reason::Factor(factor)) => ("division", Some(factor.to_string())),
        Verdict::Composite(Reason::Exponent { divisor, .. }) => {
            ("exponent", Some(((BigUint::from(1_u32) << *divisor) - 1_u32).to_string()))
        }
        Verdict::Composite(Reason::Euler { .. }) => ("Euler", None),
    };
    json!({
        "number": number.to_string(),
        "bits": number.bits(),
        "prime": !matches!(verdict, Verdict::Composite(_)),
        "proved": *verdict != Verdict::Probable,
        "test": test,
        "factor": factor,
    })
}
