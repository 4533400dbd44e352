//! `limbforge primes check`.

use clap::Args;
use limbforge_field::factor::{PrimePower, factor};
use limbforge_field::root::{GeneratorProof, Root};
use limbforge_field::search::NttPrime;
use num_bigint::BigUint;
use serde_json::{Value, json};

use super::large_text::large;
use crate::{args::parse_large_number, error::CliError, output};

/// Test a number for primality, and state the proof.
///
/// Below 2^64 the answer is proved: a composite number is factored, and an odd prime is described by the
/// factors of p - 1, transforms, root, generator with its proof, and reductions. Above 2^64, "composite" is
/// always proved. "prime" is proved for 2^q - 1, by the test of Lucas and Lehmer, and for k*2^n + 1 with k <
/// 2^n, by Proth's theorem; any other "probable prime" passes the test of Baillie, Pomerance, Selfridge and
/// Wagstaff, which no known composite number passes.
///
/// Numbers may have 131072 bits; those of 10000 bits take seconds, and the time grows with the cube of the
/// bits. Exit status: 0, also for composite numbers, or 2 for wrong usage.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  limbforge primes check 3221225473
  limbforge primes check '29*2^57 + 1'
  limbforge primes check 2^127-1
  limbforge primes check 10^100+267")]
pub(super) struct CheckArguments {
    /// A number of at least 2, or an expression of + - * ^ ** and parentheses: decimal, or hexadecimal after
    /// 0x. Here ^ is a power, as is **; in expressions of `limbforge eval` it is the exclusive or
    #[arg(value_name = "P", value_parser = parse_large_number)]
    number: BigUint,

    /// Also show for each number below the generator why it is not one
    #[arg(long)]
    verbose: bool,

    /// One JSON object: number, prime, factors (of a composite), and of an odd prime k, n, `factors_of_units`
    /// (prime, exponent of each), root (g, a), generator (g, smaller: a and q of each), reductions. Above
    /// 2^64: number (a text), bits, prime, proved, test, and factor or null
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &CheckArguments) -> Result<(), CliError> {
    let (text, value) = match u64::try_from(&arguments.number) {
        Ok(number) => small(number, arguments.verbose)?,
        Err(_) => large(&arguments.number),
    };
    output::write(None, if arguments.json { format!("{value:#}\n") } else { text })
}

/// A number below 2^64.
fn small(number: u64, verbose: bool) -> Result<(String, Value), CliError> {
    let refused = CliError::usage("primes check");
    let factors = factor(number).map_err(|error| refused(error.to_string()))?;
    Ok(match NttPrime::new(number) {
        Some(prime) => odd_prime(prime, verbose),
        None if number == 2 => {
            let text = "2 is prime; transforms need an odd prime\n".to_owned();
            (text, json!({ "number": 2, "prime": true }))
        }
        None => {
            let value = json!({ "number": number, "prime": false, "factors": powers(factors.factors()) });
            (format!("{number} = {factors} is composite\n"), value)
        }
    })
}

fn odd_prime(prime: NttPrime, verbose: bool) -> (String, Value) {
    let (p, k, n) = (prime.p(), prime.k(), prime.adicity());
    let root = Root::of(prime);
    let GeneratorProof { factors, generator: g, smaller, .. } = GeneratorProof::of(prime);
    let joined = |text: fn(&PrimePower) -> String, separator| -> String {
        factors.iter().map(text).collect::<Vec<_>>().join(separator)
    };
    let units = joined(ToString::to_string, " * ");
    let qs = joined(|factor| factor.prime.to_string(), ", ");
    let three = if p % 3 == 1 { format!(", and 3*2^k up to 3*2^{n}") } else { String::new() };
    let (word, spare, names) = reductions(prime);
    let lazy = match spare {
        0 => "every result has to be below p".to_owned(),
        spare => format!("lazy results may stay below 2^{spare}*p"),
    };
    let not: String = smaller.iter().map(|line| format!("  {}^((p-1)/{}) = 1\n", line.a, line.q)).collect();
    let text = format!(
        "{p} = {prime} is prime\n\
         p - 1:       {units}\n\
         transforms:  2^i points up to 2^{n}{three}\n\
         root:        {} = {}^{k}, of order 2^{n}\n\
         generator:   {g}, the smallest\n  {g}^((p-1)/q) is not 1 for q = {qs}\n{}\
         word:        {word} bits, {spare} to spare: {lazy}\n\
         reductions:  {}\n",
        root.root(),
        root.base(),
        if verbose { &*not } else { "" },
        names.join(", "),
    );
    let smaller: Vec<_> = smaller.iter().map(|line| json!({ "a": line.a, "q": line.q })).collect();
    let value = json!({
        "number": p,
        "prime": true,
        "k": k,
        "n": n,
        "factors_of_units": powers(&factors),
        "root": { "g": root.root(), "a": root.base() },
        "generator": { "g": g, "smaller": smaller },
        "reductions": { "names": names, "word_bits": word, "spare_bits": spare },
    });
    (text, value)
}

fn powers(factors: &[PrimePower]) -> Vec<Value> {
    let power = |factor: &PrimePower| json!({ "prime": factor.prime, "exponent": factor.exponent });
    factors.iter().map(power).collect()
}

/// Bits of the word that holds a residue, its bits above the prime's, and the ways to reduce products.
fn reductions(prime: NttPrime) -> (u32, u32, Vec<&'static str>) {
    let p = prime.p();
    let word = if p >> 32 == 0 { 32 } else { 64 };
    let spare = p.leading_zeros() - (64 - word);
    let mut names = vec!["Montgomery"];
    if word == 64 && prime.adicity() >= 32 {
        names.push("Proth (p = 1 mod 2^32: Montgomery's without products by 1/p)");
    }
    if p == 0xffff_ffff_0000_0001 {
        names.push("Goldilocks (2^64 = 2^32 - 1: no products)");
    }
    if spare > 0 {
        names.push("Shoup (by constants)");
    }
    (word, spare, names)
}
