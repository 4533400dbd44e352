//! `limbforge-lab powers`: powers by products of matrices on a GPU against those of the CPU.

mod check;
mod operands;
mod pool;

use std::time::Duration;

use clap::Args;
use limbforge_cli::args::{GpuArgument, Widths};
use limbforge_cli::gpu::kernels::Gpu;
use limbforge_kernels_gen::Product;

use self::check::Outcome;
use crate::error::LabError;

/// Compare powers in residue number systems or by folds on a GPU with those of the CPU, for structured operands.
///
/// Moduli are 1, 2, even, powers of two, 2^bits - 1 - 2c, multiples of the primes of both bases and numbers
/// beside them, short and random ones; exponents 0, 1, 2^k, all ones and random; bases 0, 1, n - 1, n, above n
/// and random. The CPU computes a pool of such powers once; the GPU computes each many times, in another order
/// in each batch, and every result is compared. A line for each width says how many were compared and how many
/// were wrong. Exit status: 0, or 1 for a missing GPU or a wrong result, or 2 for wrong usage.
#[derive(Args, Debug)]
#[command(after_help = "\
Example: limbforge-lab powers --bits 9..13,1000,1537,3000 --count 10000000 --seconds 120")]
pub(crate) struct PowersArguments {
    /// gpu or gpu:I
    #[arg(long, value_name = "WHERE", default_value = "gpu")]
    backend: GpuArgument,

    /// Widths: I..J for 2^I to 2^J, or a number of bits from 32 to 16384; several with commas
    #[arg(long, value_name = "WIDTHS", default_value = "9..13,1000,1537,3000")]
    bits: Widths,

    /// Powers that are compared at each width
    #[arg(long, value_name = "N", default_value = "10000000", value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,

    /// Bits of the longest exponents, at most the width
    #[arg(long, value_name = "N", default_value = "48", value_parser = clap::value_parser!(u32).range(1..=16_384))]
    exponent_bits: u32,

    /// Different powers, or with --one-modulus different pairs of base and exponent for each modulus
    #[arg(long, value_name = "N", default_value = "4096", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pool: u32,

    /// How the GPU computes them: rns, in residue number systems; or fold, with one modulus alone
    #[arg(long, value_name = "HOW", default_value = "rns", value_parser = product)]
    product: Product,

    /// One modulus for all instances of a batch: as many batches as structured moduli, or more
    #[arg(long)]
    one_modulus: bool,

    /// Seconds after which a width is left, after a whole batch; what was compared is said
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..))]
    seconds: Option<u64>,

    /// The seed of random numbers and orders
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
}

/// The products that are compared.
fn product(text: &str) -> Result<Product, String> {
    let found = [Product::Rns, Product::Fold].into_iter().find(|product| product.to_string() == text);
    found.ok_or_else(|| "expected rns or fold".to_owned())
}

impl PowersArguments {
    fn limit(&self) -> Duration {
        self.seconds.map_or(Duration::MAX, Duration::from_secs)
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &PowersArguments) -> Result<(), LabError> {
    let gpu = Gpu::open(arguments.backend)?;
    let mut wrong = None;
    for ty in &arguments.bits.0 {
        let outcome = check::check(arguments, &gpu, *ty)?;
        println!("{}", line(ty.bits(), &outcome));
        wrong = wrong.or(outcome.first_wrong);
    }
    wrong.map_or(Ok(()), |power| Err(LabError::WrongPower { power }))
}

/// The line of a width.
fn line(bits: u32, outcome: &Outcome) -> String {
    let Outcome { compared, wrong, moduli, seconds, .. } = outcome;
    format!("{bits:>5} bits: {compared} compared, {wrong} wrong, {moduli} moduli, {seconds:.1} s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_many_were_compared_and_wrong() {
        let outcome = Outcome { compared: 10, wrong: 2, moduli: 7, seconds: 1.25, first_wrong: None };
        assert_eq!(line(512, &outcome), "  512 bits: 10 compared, 2 wrong, 7 moduli, 1.2 s");
    }
}
