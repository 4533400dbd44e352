//! Polynomials as residues in `0..p`, from low to high, with `%` on 128 bits: what everything else is
//! compared with.

/// The coefficients up to the last one that is not 0.
#[must_use]
pub fn trimmed(mut a: Vec<u64>) -> Vec<u64> {
    while a.last() == Some(&0) {
        a.pop();
    }
    a
}

fn times(a: u64, b: u64, p: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(p)) as u64
}

fn minus(a: u64, b: u64, p: u64) -> u64 {
    ((u128::from(a) + u128::from(p - b)) % u128::from(p)) as u64
}

/// `a^(p - 2)`.
fn inverse(a: u64, p: u64) -> u64 {
    let (mut power, mut result) = (a, 1);
    for bit in 0..64 {
        if (p - 2) >> bit & 1 == 1 {
            result = times(result, power, p);
        }
        power = times(power, power, p);
    }
    result
}

/// `a * b mod p`.
#[must_use]
pub fn product(a: &[u64], b: &[u64], p: u64) -> Vec<u64> {
    let mut sums = vec![0; a.len() + b.len()];
    for (i, &x) in a.iter().enumerate() {
        for (j, &y) in b.iter().enumerate() {
            sums[i + j] = ((u128::from(sums[i + j]) + u128::from(times(x, y, p))) % u128::from(p)) as u64;
        }
    }
    trimmed(sums)
}

/// Quotient and remainder, or `None` for a divisor 0.
#[must_use]
pub fn div_rem(a: &[u64], b: &[u64], p: u64) -> Option<(Vec<u64>, Vec<u64>)> {
    let (mut rest, b) = (trimmed(a.to_vec()), trimmed(b.to_vec()));
    let inverse = inverse(*b.last()?, p);
    let mut quotient = vec![0; (rest.len() + 1).saturating_sub(b.len())];
    while rest.len() >= b.len() {
        let (shift, leading) = (rest.len() - b.len(), rest[rest.len() - 1]);
        quotient[shift] = times(leading, inverse, p);
        for (j, &y) in b.iter().enumerate() {
            rest[shift + j] = minus(rest[shift + j], times(quotient[shift], y, p), p);
        }
        rest = trimmed(rest);
    }
    Some((quotient, rest))
}

/// The monic greatest common divisor, by remainders.
#[must_use]
pub fn gcd(a: &[u64], b: &[u64], p: u64) -> Vec<u64> {
    let (mut a, mut b) = (trimmed(a.to_vec()), trimmed(b.to_vec()));
    while let Some((_, rest)) = div_rem(&a, &b, p) {
        (a, b) = (b, rest);
    }
    let factor = a.last().map_or(0, |&leading| inverse(leading, p));
    a.iter().map(|&x| times(x, factor, p)).collect()
}
