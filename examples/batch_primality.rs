//! Batch primality: published counts of primes, reproduced by testing every number of a range.
//!
//! The tables are sequences of the On-Line Encyclopedia of Integer Sequences: A006880 (primes below `10^k`),
//! A131043 (between `10^n` and `10^n + 10^(n-1)`), A093538 (between `10^n` and `10^n + 100`, up to 333 bits),
//! A049014 (primes above a googol); and that of Jones, Lal and Blundon ("Statistics on certain large primes",
//! Mathematics of Computation 21, 1967). The numbers of a range are one batch, and `is_prime(first + i)` is
//! one expression over it.
//!
//! ```sh
//! cargo run --release --example batch_primality
//! ```

use std::error::Error;
use std::ops::Range;
use std::time::Instant;

use limbforge::num_bigint::BigUint;
use limbforge::prelude::*;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A006880: primes below `10^k`, k = 1 to 6.
const BELOW: [usize; 6] = [4, 25, 168, 1229, 9592, 78498];

/// A131043: primes between `10^n` and `10^n + 10^(n-1)`, n = 1 to 7.
const TENTHS: [usize; 7] = [1, 4, 16, 106, 861, 7216, 61938];

/// A093538: primes between `10^n` and `10^n + 100`, n = 0 to 100.
#[rustfmt::skip]
const HUNDREDS: [usize; 101] = [
    26, 25, 21, 16, 11, 6, 6, 2, 6, 7, 5, 7, 4, 3, 4, 2, 4, 7, 4, 5, 1, 0, 3, 0, 2, 1, 1, 0, 0, 0, 2, 3,
    1, 1, 0, 1, 1, 2, 0, 4, 0, 0, 1, 3, 2, 1, 0, 1, 0, 2, 0, 0, 0, 0, 1, 1, 2, 0, 0, 1, 4, 1, 0, 0, 2, 1,
    1, 2, 1, 2, 1, 0, 1, 2, 0, 0, 0, 1, 1, 1, 0, 3, 0, 2, 0, 0, 0, 0, 0, 2, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0,
];

/// Jones, Lal and Blundon: primes between `10^n` and `10^n + 150000`, n = 8 to 15.
const INTERVALS: [usize; 8] = [8154, 7242, 6511, 5974, 5433, 5065, 4643, 4251];

/// A049014: `10^100 + i` is prime, for i below 13000.
#[rustfmt::skip]
const ABOVE_A_GOOGOL: [u64; 39] = [
    267, 949, 1243, 1293, 1983, 2773, 2809, 2911, 2967, 3469, 3501, 3799, 4317, 4447, 4491, 5383, 5641, 5949, 6403,
    6637, 6903, 7443, 8583, 8653, 9013, 9223, 9259, 9631, 10071, 10557, 10833, 10903, 11143, 11173, 11529, 11667,
    11839, 12207, 12817,
];

/// The i of the range for which `first + i` is prime, in batches.
fn primes(engine: &Engine, first: &BigUint, range: Range<u64>) -> Result<Vec<u64>> {
    const BATCH: usize = 1 << 16;
    // Few types: a GPU has a kernel for each.
    let ty = IntType::unsigned((first + range.end).bits().next_power_of_two().max(64))?;
    let test = Expr::parse("is_prime(first + i)")?;
    let first = Batch::<u64>::from_biguints(ty, Layout::InstanceMajor, std::slice::from_ref(first))?;
    let mut primes = vec![];
    for start in range.clone().step_by(BATCH) {
        let numbers = start..range.end.min(start + BATCH as u64);
        let offsets: Vec<BigUint> = numbers.clone().map(BigUint::from).collect();
        let offsets = Batch::from_biguints(ty, Layout::InstanceMajor, &offsets)?;
        let found = engine.eval(&test, &[("i", &offsets), ("first", &first)])?;
        let is_prime = |&(k, _): &(usize, u64)| found.limb(k, 0) == 1;
        primes.extend(numbers.enumerate().filter(is_prime).map(|(_, i)| i));
    }
    Ok(primes)
}

fn power_of_ten(k: u32) -> BigUint {
    BigUint::from(10_u32).pow(k)
}

/// Prints a row and compares it with the published number.
fn row(what: &str, found: usize, published: usize) -> Result<()> {
    println!("{what}: {found}");
    if found == published {
        return Ok(());
    }
    Err(format!("{what}: found {found} primes, published are {published}").into())
}

/// The tables up to the given rows.
fn tables(engine: &Engine, rows: [usize; 4], googol: u64) -> Result<()> {
    let [below, tenths, intervals, hundreds] = rows;
    for (k, &published) in (1..).zip(&BELOW[..below]) {
        let found = primes(engine, &BigUint::ZERO, 0..10_u64.pow(k))?;
        row(&format!("primes below 10^{k}"), found.len(), published)?;
    }
    for (n, &published) in (1..).zip(&TENTHS[..tenths]) {
        let found = primes(engine, &power_of_ten(n), 0..10_u64.pow(n - 1) + 1)?;
        row(&format!("primes from 10^{n} to 10^{n} + 10^{}", n - 1), found.len(), published)?;
    }
    for (n, &published) in (8..).zip(&INTERVALS[..intervals]) {
        let found = primes(engine, &power_of_ten(n), 0..150_001)?;
        row(&format!("primes from 10^{n} to 10^{n} + 150000"), found.len(), published)?;
    }
    let (mut found, mut published) = (0, 0);
    for (n, &count) in (0..).zip(&HUNDREDS[..hundreds]) {
        let primes = primes(engine, &power_of_ten(n), 0..101)?;
        if primes.len() != count {
            return Err(format!("10^{n}: found {} primes, published are {count}", primes.len()).into());
        }
        (found, published) = (found + primes.len(), published + count);
    }
    row(&format!("primes from 10^n to 10^n + 100, all n below {hundreds}"), found, published)?;
    let found = primes(engine, &power_of_ten(100), 0..googol)?;
    let published: Vec<u64> = ABOVE_A_GOOGOL.into_iter().filter(|&i| i < googol).collect();
    if found != published {
        return Err(format!("above a googol: found {found:?}, published are {published:?}").into());
    }
    row(&format!("primes from 10^100 to 10^100 + {googol}"), found.len(), published.len())
}

fn main() -> Result<()> {
    let engine = Engine::auto();
    let start = Instant::now();
    tables(&engine, [BELOW.len(), TENTHS.len(), INTERVALS.len(), HUNDREDS.len()], 12_818)?;
    println!("{:.2} s on {}", start.elapsed().as_secs_f64(), engine.device_name());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_tables() -> Result<()> {
        tables(&Engine::cpu(), [4, 5, 0, 40], 1300)
    }
}
