//! `limbforge primes check`.

use limbforge_field::factor::{Factorization, PrimePower, factor};
use limbforge_field::root::{GeneratorProof, Root};
use limbforge_field::search::NttPrime;
use serde_json::{Value, json};

use super::arguments::CheckArguments;
use super::large_text::large;
use crate::error::CliError;
use crate::output;

pub(super) fn run(arguments: &CheckArguments) -> Result<(), CliError> {
    let (text, value) = match u64::try_from(&arguments.number.0) {
        Ok(number) => small(number, arguments.verbose)?,
        Err(_) => large(&arguments.number.0),
    };
    let text = if arguments.json { format!("{value:#}\n") } else { text };
    output::write(None, &text)
}

/// A number below 2^64, of which all is known.
fn small(number: u64, verbose: bool) -> Result<(String, Value), CliError> {
    let usage = |why| CliError::Usage { command: "primes check", why };
    let factors = factor(number).map_err(|error| usage(error.to_string()))?;
    Ok(match NttPrime::new(number) {
        Some(prime) => {
            let prime = Prime::new(prime);
            (prime.to_text(verbose), prime.to_json())
        }
        None if number == 2 => ("2 is prime; transforms need an odd prime\n".to_owned(), even_prime()),
        None => (format!("{number} = {factors} is composite\n"), composite(number, &factors)),
    })
}

/// What is said of an odd prime.
struct Prime {
    prime: NttPrime,
    root: Root,
    proof: GeneratorProof,
    reductions: Reductions,
}

impl Prime {
    fn new(prime: NttPrime) -> Self {
        Self {
            prime,
            root: Root::of(prime),
            proof: GeneratorProof::of(prime),
            reductions: Reductions::of(prime),
        }
    }

    fn to_text(&self, verbose: bool) -> String {
        let Self { prime, root, proof, reductions } = self;
        let (p, k, n) = (prime.p(), prime.k(), prime.adicity());
        let units: Vec<String> = proof.factors.iter().map(ToString::to_string).collect();
        let three = if p % 3 == 1 { format!(", and 3*2^k up to 3*2^{n}") } else { String::new() };
        let qs: Vec<String> = proof.factors.iter().map(|factor| factor.prime.to_string()).collect();
        let g = proof.generator;
        let mut text = format!("{p} = {prime} is prime\n");
        text += &format!("p - 1:       {}\n", units.join(" * "));
        text += &format!("transforms:  2^i points up to 2^{n}{three}\n");
        text += &format!("root:        {} = {}^{k}, of order 2^{n}\n", root.root(), root.base());
        text += &format!("generator:   {g}, the smallest\n");
        text += &format!("  {g}^((p-1)/q) is not 1 for q = {}\n", qs.join(", "));
        for line in proof.smaller.iter().filter(|_| verbose) {
            text += &format!("  {}^((p-1)/{}) = 1\n", line.a, line.q);
        }
        text += &format!(
            "word:        {} bits, {} to spare: {}\n",
            reductions.word,
            reductions.spare,
            reductions.lazy()
        );
        text += &format!("reductions:  {}\n", reductions.names.join(", "));
        text
    }

    fn to_json(&self) -> Value {
        let Self { prime, root, proof, reductions } = self;
        let smaller: Vec<_> = proof.smaller.iter().map(|line| json!({ "a": line.a, "q": line.q })).collect();
        json!({
            "number": prime.p(),
            "prime": true,
            "k": prime.k(),
            "n": prime.adicity(),
            "factors_of_units": powers(&proof.factors),
            "root": { "g": root.root(), "a": root.base() },
            "generator": { "g": proof.generator, "smaller": smaller },
            "reductions": {
                "names": reductions.names,
                "word_bits": reductions.word,
                "spare_bits": reductions.spare,
            },
        })
    }
}

fn even_prime() -> Value {
    json!({ "number": 2, "prime": true })
}

fn composite(number: u64, factors: &Factorization) -> Value {
    json!({ "number": number, "prime": false, "factors": powers(factors.factors()) })
}

fn powers(factors: &[PrimePower]) -> Vec<Value> {
    let power = |factor: &PrimePower| json!({ "prime": factor.prime, "exponent": factor.exponent });
    factors.iter().map(power).collect()
}

/// How products can be reduced.
struct Reductions {
    /// Bits of the word that holds a residue.
    word: u32,
    /// Bits of the word above the prime's.
    spare: u32,
    names: Vec<&'static str>,
}

impl Reductions {
    fn of(prime: NttPrime) -> Self {
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
        Self { word, spare, names }
    }

    /// What the spare bits are good for.
    fn lazy(&self) -> String {
        match self.spare {
            0 => "every result has to be below p".to_owned(),
            spare => format!("lazy results may stay below 2^{spare}*p"),
        }
    }
}
