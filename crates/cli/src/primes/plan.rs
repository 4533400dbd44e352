//! `limbforge primes plan`.

use limbforge_field::digits::{DigitRequest, PrimeSet, Ranked, rank};
use serde_json::{Value, json};

use super::arguments::PlanArguments;
use crate::error::CliError;
use crate::output;
use crate::table::aligned;

pub(super) fn run(arguments: &PlanArguments) -> Result<(), CliError> {
    let request = DigitRequest { terms: arguments.terms.get(), ..DigitRequest::product(arguments.bits) };
    let ranked = rank(PrimeSet::known(), &request);
    let text = if arguments.json {
        let sets: Vec<Value> = ranked.iter().map(set_json).collect();
        format!("{:#}\n", json!({ "bits": arguments.bits, "terms": arguments.terms, "sets": sets }))
    } else {
        to_text(&ranked)
    };
    output::write(None, &text)
}

const HEADER: [&str; 7] = ["set", "primes", "digit bits", "digits", "points", "butterflies", "cycles"];

fn to_text(ranked: &[Ranked]) -> String {
    let mut lines = vec![HEADER.map(str::to_owned).to_vec()];
    let mut refused = String::new();
    for Ranked { set, outcome } in ranked {
        match outcome {
            Ok((plan, cost)) => lines.push(vec![
                set.name().to_owned(),
                plan.primes().to_string(),
                plan.digit_bits().to_string(),
                plan.a_digits().to_string(),
                plan.points().to_string(),
                cost.butterflies.to_string(),
                cost.cycles.to_string(),
            ]),
            Err(error) => refused += &format!("\nrefused: {error}"),
        }
    }
    let table = if lines.len() > 1 {
        aligned(&lines, &[0]).join("\n") + "\n"
    } else {
        "no set can compute this exactly\n".to_owned()
    };
    if refused.is_empty() { table } else { format!("{table}{refused}\n") }
}

fn set_json(ranked: &Ranked) -> Value {
    let plan = ranked.outcome.as_ref().ok();
    json!({
        "set": ranked.set.name(),
        "primes": ranked.set.primes(),
        "product": ranked.set.product().to_string(),
        "digit_bits": plan.map(|(plan, _)| plan.digit_bits()),
        "digits": plan.map(|(plan, _)| plan.a_digits()),
        "largest_coefficient": plan.map(|(plan, _)| plan.largest_coefficient().to_string()),
        "points": plan.map(|(plan, _)| plan.points()),
        "butterflies": plan.map(|(_, cost)| cost.butterflies),
        "cycles": plan.map(|(_, cost)| cost.cycles),
        "refused": ranked.outcome.as_ref().err().map(ToString::to_string),
    })
}
