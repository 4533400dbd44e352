//! `limbforge primes plan`.

use std::num::NonZero;

use clap::Args;
use limbforge_field::digits::{DigitPlan, DigitRequest, PrimeSet, Ranked, rank};
use serde_json::{Value, json};

use crate::{args::parse_bits, error::CliError, output, table::aligned};

/// Compare sets of primes for a product of two integers: digit width, transform length, estimated cost,
/// cheapest first; for the sets that cannot compute it exactly the reason.
///
/// Full and low products take the same transforms. The cost is estimated in cycles of a GPU's busiest pipe.
/// Exit status: 0, or 2 for wrong usage.
#[derive(Args, Debug)]
#[command(after_help = "Example: limbforge primes plan --bits 131072")]
pub(super) struct PlanArguments {
    /// Width of both operands in bits, 1 to 16777216
    #[arg(long, value_name = "N", value_parser = parse_bits)]
    bits: u64,

    /// Products that are added before they are transformed back
    #[arg(long, value_name = "T", default_value = "1")]
    terms: NonZero<u64>,

    /// One JSON object: bits, terms, sets (set, primes, product, `digit_bits`, digits, `largest_coefficient`,
    /// points, butterflies, cycles, refused)
    #[arg(long)]
    json: bool,
}

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
    let (plan, cost) = ranked.outcome.as_ref().ok().map(|(plan, cost)| (plan, cost)).unzip();
    json!({
        "set": ranked.set.name(),
        "primes": ranked.set.primes(),
        "product": ranked.set.product().to_string(),
        "digit_bits": plan.map(DigitPlan::digit_bits),
        "digits": plan.map(DigitPlan::a_digits),
        "largest_coefficient": plan.map(|plan| plan.largest_coefficient().to_string()),
        "points": plan.map(DigitPlan::points),
        "butterflies": cost.map(|cost| cost.butterflies),
        "cycles": cost.map(|cost| cost.cycles),
        "refused": ranked.outcome.as_ref().err().map(ToString::to_string),
    })
}
