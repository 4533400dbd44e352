//! `limbforge primes search`.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::{ControlFlow, RangeInclusive};

use clap::Args;
use limbforge_field::search::{NttPrime, Search};
use serde_json::json;

use crate::{args::parse_range, error::CliError, output::Output, progress, table::aligned};

/// List all primes k*2^n + 1, k odd, of a range of bits, in ascending order.
///
/// Every one is proved prime. Exit status: 0, or 2 for wrong usage.
#[derive(Args, Debug)]
#[command(after_help = "Example: limbforge primes search --bits 60..62 --min-adicity 52")]
pub(super) struct SearchArguments {
    /// Bit lengths of the primes: I..J (both included), or one, from 2 to 64
    #[arg(long, value_name = "I..J", value_parser = parse_bit_range)]
    bits: RangeInclusive<u32>,

    /// The least n, 1 to 63: transforms of 2^n points exist
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=63))]
    min_adicity: u32,

    /// Stop after K primes
    #[arg(long, value_name = "K")]
    count: Option<NonZero<u64>>,

    /// Print only the number of primes of each adicity
    #[arg(long)]
    total: bool,

    /// One JSON object: bits, `min_adicity`, primes (p, k, n of each), found; with --total `by_adicity` (n,
    /// primes of each) in place of primes
    #[arg(long)]
    json: bool,
}

/// Most numbers that are tested when all primes are listed: a few minutes.
const MAX_CANDIDATES: u64 = 1 << 33;

const BAR: &str = "{bar:40} {percent:>3}%  {human_pos} of {human_len} numbers  {eta} left";

pub(super) fn run(arguments: &SearchArguments) -> Result<(), CliError> {
    let usage = CliError::usage("primes search");
    let search = Search::new(arguments.bits.clone(), arguments.min_adicity)
        .map_err(|error| usage(error.to_string()))?;
    let candidates = search.candidates();
    if candidates > MAX_CANDIDATES && arguments.count.is_none() {
        return Err(usage(format!(
            "there are {candidates} candidates; expected at most {MAX_CANDIDATES}: use a larger --min-adicity, \
             smaller --bits, or --count"
        )));
    }
    // Primes are written as they are found: there may be more than fit into memory.
    let mut output = Output::create(None)?;
    output.write(head(arguments).as_bytes())?;
    let bar = progress::start(Some(candidates), BAR);
    let (mut found, mut outcome, mut by_adicity) = (0, Ok(()), BTreeMap::new());
    search.for_each(
        |done| bar.set_position(done),
        |prime| {
            found += 1;
            if arguments.total {
                *by_adicity.entry(prime.adicity()).or_default() += 1;
            } else {
                outcome = output.write(line(prime, arguments.json.then_some(found)).as_bytes());
            }
            let enough = arguments.count.is_some_and(|count| found >= count.get());
            if enough || outcome.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    bar.finish_and_clear();
    outcome?;
    output.write(tail(arguments, found, &by_adicity).as_bytes())?;
    output.finish()
}

fn head(SearchArguments { bits, min_adicity, json, total, .. }: &SearchArguments) -> String {
    if !json {
        return String::new();
    }
    let (first, last) = (bits.start(), bits.end());
    let primes = if *total { "" } else { "  \"primes\": [" };
    format!("{{\n  \"bits\": [{first}, {last}],\n  \"min_adicity\": {min_adicity},\n{primes}")
}

/// A prime as text, or in JSON as the one of this number, from 1.
fn line(prime: NttPrime, number: Option<u64>) -> String {
    let (p, k, n) = (prime.p(), prime.k(), prime.adicity());
    match number {
        Some(number) => {
            let comma = if number > 1 { "," } else { "" };
            format!("{comma}\n    {{\"p\": {p}, \"k\": {k}, \"n\": {n}}}")
        }
        None => format!("{p} = {prime}\n"),
    }
}

fn tail(arguments: &SearchArguments, found: u64, by_adicity: &BTreeMap<u32, u64>) -> String {
    let counts = by_adicity.iter().rev();
    match (arguments.json, arguments.total) {
        (true, true) => {
            let counts: Vec<_> = counts.map(|(n, primes)| json!({ "n": n, "primes": primes })).collect();
            format!("  \"by_adicity\": {},\n  \"found\": {found}\n}}\n", json!(counts))
        }
        (true, false) => {
            format!("{}],\n  \"found\": {found}\n}}\n", if found > 0 { "\n  " } else { "" })
        }
        (false, true) => {
            let head = ["n", "primes"].map(str::to_owned).to_vec();
            let counts = counts.map(|(n, primes)| vec![n.to_string(), primes.to_string()]);
            let lines = [head].into_iter().chain(counts).chain([vec!["all".to_owned(), found.to_string()]]);
            aligned(&lines.collect::<Vec<_>>(), &[0]).join("\n") + "\n"
        }
        (false, false) => String::new(),
    }
}

fn parse_bit_range(text: &str) -> Result<RangeInclusive<u32>, &'static str> {
    parse_range(text, 2..=64).ok_or("expected I..J or one number, within 2..64, as in 60..62")
}
