//! Batch gcd: which public RSA moduli share a prime factor?
//!
//! `examples/data/moduli.dec` has the 54 RSA challenge numbers and ten moduli that share primes with them, as
//! devices with too little entropy make them. The program finds every shared factor from the moduli alone. A
//! product tree and a remainder tree (Bernstein; Heninger, Durumeric, Wustrow and Halderman, "Mining your Ps
//! and Qs", 2012) replace the gcds of all pairs. Every level is one expression over a batch:
//!
//! ```sh
//! cargo run --release --example batch_gcd
//! ```

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Instant;

use limbforge::limb::num_traits::One;
use limbforge::num_bigint::BigUint;
use limbforge::prelude::*;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The moduli that are broken: their index, and one of their factors.
type Broken = Vec<(usize, BigUint)>;

/// The greatest common divisor of each modulus with the product of all others.
fn batch_gcd(engine: &Engine, moduli: &[BigUint]) -> Result<Vec<BigUint>> {
    let bits = moduli.iter().map(BigUint::bits).max().unwrap_or(1).next_multiple_of(64);
    let mut leaves = moduli.to_vec();
    leaves.resize(moduli.len().next_power_of_two(), BigUint::one());
    let ty = IntType::unsigned(bits)?;
    let mut levels = vec![Batch::<u64>::from_biguints(ty, Layout::InstanceMajor, &leaves)?];

    // Up: each node is the product of its two children, exactly, in twice the bits.
    let product = Expr::parse("mul_wide(a, b)")?;
    while let Some(level) = levels.last().filter(|level| level.instances() > 1) {
        let (even, odd) = halves(level)?;
        levels.push(engine.eval(&product, &[("a", &even), ("b", &odd)])?);
    }

    // Down: the product of all moduli modulo the square of each node, which the square of its parent leaves.
    let remainder = Expr::parse("r % sqr(n)")?;
    let Some(root) = levels.pop() else { return Ok(vec![]) };
    let mut remainders = resized(&root, 2 * u64::from(root.ty().bits()), 1)?;
    for level in levels.iter().rev() {
        let bits = u64::from(level.ty().bits());
        // Two children take the remainder of one parent, which has four times their bits.
        let parents = resized(&remainders, 4 * bits, 2)?;
        let nodes = resized(level, 4 * bits, 1)?;
        remainders = resized(&engine.eval(&remainder, &[("r", &parents), ("n", &nodes)])?, 2 * bits, 1)?;
    }

    // (P mod n^2) / n is the product of the others modulo n.
    let moduli = resized(&Batch::from_biguints(ty, Layout::InstanceMajor, &leaves)?, 2 * bits, 1)?;
    let shared = engine.eval(&Expr::parse("gcd(r / n, n)")?, &[("r", &remainders), ("n", &moduli)])?;
    Ok(shared.to_biguints())
}

/// The instances with even numbers, and those with odd ones.
fn halves(batch: &Batch<u64>) -> Result<(Batch<u64>, Batch<u64>)> {
    let [even, odd] = [0, 1].map(|first| (first..batch.instances()).step_by(2).collect::<Vec<_>>());
    Ok((batch.take(&even)?, batch.take(&odd)?))
}

/// The integers in a type of `bits` bits, which they fit, each so many times in a row.
fn resized(batch: &Batch<u64>, bits: u64, times: usize) -> Result<Batch<u64>> {
    let repeated: Vec<usize> = (0..batch.instances() * times).map(|i| i / times).collect();
    Ok(batch.take(&repeated)?.resize(IntType::unsigned(bits)?)?)
}

/// One prime factor of each modulus that shares one. Where both factors are shared, the batch gcd is the
/// modulus itself, and a gcd with each of the others that are broken, one expression over them, tells them
/// apart.
fn shared_factors(engine: &Engine, moduli: &[BigUint]) -> Result<Broken> {
    let one = BigUint::one();
    let found = batch_gcd(engine, moduli)?;
    let broken: Vec<usize> = (0..moduli.len()).filter(|&i| found[i] != one).collect();
    let suspects: Vec<BigUint> = broken.iter().map(|&i| moduli[i].clone()).collect();
    let bits = moduli.iter().map(BigUint::bits).max().unwrap_or(1);
    let batch = |values: &[BigUint]| {
        Batch::<u64>::from_biguints(IntType::unsigned(bits)?, Layout::InstanceMajor, values)
            .map_err(Box::<dyn Error>::from)
    };
    let mut factors = vec![];
    for i in broken {
        let mut factor = found[i].clone();
        if factor == moduli[i] {
            let gcds = engine.eval(
                &Expr::parse("gcd(a, b)")?,
                &[("a", &batch(&suspects)?), ("b", &batch(&moduli[i..=i])?)],
            )?;
            let proper = gcds.to_biguints().into_iter().find(|gcd| *gcd != one && *gcd != moduli[i]);
            factor = proper.unwrap_or(factor);
        }
        factors.push((i, factor));
    }
    Ok(factors)
}

fn read(name: &str) -> Result<Vec<BigUint>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data").join(name);
    fs::read_to_string(path)?.lines().map(|line| Ok(line.parse()?)).collect()
}

/// The challenge numbers, then so many moduli of the factors `p[2 i]` and `q[2 i + step]`; and how many are
/// public.
#[cfg(test)]
fn collection(planted: usize, step: usize) -> Result<(Vec<BigUint>, usize)> {
    let (p, q) = (read("rsa_p.dec")?, read("rsa_q.dec")?);
    let mut moduli = [read("rsa_n.dec")?, read("rsa_open.dec")?].concat();
    let public = moduli.len();
    moduli.extend((0..planted).map(|i| &p[2 * i] * &q[2 * i + step]));
    Ok((moduli, public))
}

/// A number by its first and last digits if it is long.
fn short(number: &BigUint) -> String {
    let digits = number.to_string();
    match digits.len() {
        0..=24 => digits,
        length => format!("{}...{} ({length} digits)", &digits[..8], &digits[length - 8..]),
    }
}

fn main() -> Result<()> {
    let engine = Engine::auto();
    let moduli = read("moduli.dec")?;
    let start = Instant::now();
    let broken = shared_factors(&engine, &moduli)?;
    let time = start.elapsed();
    for (i, factor) in &broken {
        let (n, other) = (&moduli[*i], &moduli[*i] / factor);
        assert_eq!(n, &(factor * &other), "a factor");
        println!("modulus {:2}, {:3} bits = {} * {}", i + 1, n.bits(), short(factor), short(&other));
    }
    println!(
        "{} of {} moduli share a factor, and are factored; {:.0} ms on {}",
        broken.len(),
        moduli.len(),
        time.as_secs_f64() * 1e3,
        engine.device_name()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn euclid(mut a: BigUint, mut b: BigUint) -> BigUint {
        while b != BigUint::ZERO {
            (a, b) = (b.clone(), a % b);
        }
        a
    }

    /// The definition: the product of the greatest common divisors with the others may hold a prime twice, so
    /// that it is the product of the others itself that counts.
    fn naive(moduli: &[BigUint]) -> Vec<BigUint> {
        let others = |i: usize| moduli.iter().enumerate().filter(move |(j, _)| *j != i);
        (0..moduli.len()).map(|i| euclid(moduli[i].clone(), others(i).map(|(_, n)| n).product())).collect()
    }

    #[test]
    fn the_trees_agree_with_the_definition() -> Result<()> {
        for count in [1, 2, 3, 5, 8, 13] {
            let moduli: Vec<BigUint> =
                (0..count).map(|i: u64| BigUint::from((2 * i + 3) * (i * i + 7)) << (40 * i)).collect();
            let found = batch_gcd(&Engine::cpu(), &moduli)?;
            assert_eq!(found[..moduli.len()], naive(&moduli), "{moduli:?}");
        }
        Ok(())
    }

    #[test]
    fn planted_factors_of_challenge_numbers_are_found() -> Result<()> {
        let (p, q) = (read("rsa_p.dec")?, read("rsa_q.dec")?);
        let (moduli, public) = collection(4, 3)?;
        let broken = shared_factors(&Engine::cpu(), &moduli)?;
        // Planted moduli 0 to 3 take p[0], p[2], p[4], p[6] and q[3], q[5], q[7], q[9].
        let mut expected: Vec<(usize, BigUint)> = [0, 2, 4, 6].map(|i| (i, p[i].clone())).to_vec();
        expected.extend([3, 5, 7, 9].map(|i| (i, q[i].clone())));
        expected.sort();
        assert_eq!(broken[..8], expected);
        // Both factors of the planted ones are shared: they are told apart.
        let planted: Vec<usize> = broken[8..].iter().map(|(i, _)| *i).collect();
        assert_eq!(planted, [public, public + 1, public + 2, public + 3]);
        for (i, factor) in &broken[8..] {
            let k = i - public;
            assert!(*factor == p[2 * k] || *factor == q[2 * k + 3], "a prime factor");
        }
        Ok(())
    }

    #[test]
    fn the_file_of_moduli_is_the_challenge_and_ten_planted_ones() -> Result<()> {
        assert_eq!(read("moduli.dec")?, collection(10, 3)?.0);
        Ok(())
    }

    #[test]
    fn challenge_numbers_alone_share_nothing() -> Result<()> {
        let (moduli, _) = collection(0, 0)?;
        assert_eq!(shared_factors(&Engine::cpu(), &moduli)?, []);
        Ok(())
    }
}
