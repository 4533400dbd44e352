//! The proof that a system of residues computes exactly, with integers: each step has its largest value, and
//! each value fits its word. `docs/modmul_rns.md` has the inequalities.

use num_bigint::BigUint;

use super::bases::Bases;
use super::error::Unproved;
use super::limits::RowLimits;
use super::matrix::{Joining, Matrix};
use super::prime::Prime;
use crate::sequence::MOST_SUMMED;

/// Every residue in base 2 is below `2^31`.
const SECOND_BITS: u32 = 31;

/// The proved bounds of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Numbers modulo N are from `-lambda N` to `lambda N`.
    pub lambda: u32,
    /// How the digit sums of both extensions are joined; those of conversions are joined separately.
    pub joining: Joining,
    /// The largest sum of products of bytes of an extension.
    pub largest_digit_sum: u32,
    /// The largest joined sum of an extension.
    pub largest_sum: u64,
    /// The largest alpha.
    pub largest_alpha: u32,
}

/// The matrices of a plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matrices<'m> {
    pub(crate) to_second: &'m Matrix,
    pub(crate) to_first: &'m Matrix,
    pub(crate) enter: &'m Matrix,
    pub(crate) leave: &'m Matrix,
}

/// What products may have beside `a b / P`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slack {
    /// `a b / P` is taken so often, at most.
    pub(crate) factor: u32,
    /// Numbers from 0 to N - 1 that are subtracted.
    pub(crate) less: u32,
    /// Sums of products are at most so many times lambda N.
    pub(crate) sums: u32,
}

impl Slack {
    /// Products of powers.
    pub(crate) const NONE: Self = Self { factor: 1, less: 0, sums: 1 };
    /// Products of tests of primality: doubled ones, or less a number.
    pub(crate) const TESTS: Self = Self { factor: 2, less: 1, sums: 1 };
    /// Sequences: products of sums of up to [`MOST_SUMMED`] numbers.
    pub(crate) const SEQUENCES: Self = Self { factor: MOST_SUMMED * MOST_SUMMED, less: 0, sums: MOST_SUMMED };
}

/// `lambda = floor(7 k / 4) + 2`, and 1 for each number that is subtracted.
pub(crate) const fn lambda(residues: usize, slack: Slack) -> u32 {
    (7 * residues as u32) / 4 + 2 + slack.less
}

/// The largest alpha: all residues in base 2 are `2^31 - 1`.
const fn largest_alpha(residues: usize) -> u32 {
    estimate(residues as u64 * ((1 << (SECOND_BITS - 16)) - 1))
}

/// Alpha of the sum of the upper 16 bits of the residues in base 2 (Kawamura's estimate, rounded).
pub(crate) const fn estimate(upper_halves: u64) -> u32 {
    ((upper_halves + (1 << 14)) >> 15) as u32
}

/// Proves that products stay in range and that alpha is exact, which depends on the bases alone.
pub(crate) fn prove_bases(bits: u32, bases: &Bases, slack: Slack) -> Result<(), Unproved> {
    let (k, width) = (bases.residues(), BigUint::from(1_u32) << bits);
    let lambda = lambda(k, slack);
    // (7 k / 4) + factor lambda^2 2^bits / P + less <= lambda.
    let room = &bases.first.product * (4 * (lambda - slack.less) - 7 * k as u32);
    if room < &width * (4 * u64::from(slack.factor) * u64::from(lambda).pow(2)) {
        return Err(Unproved::FirstBase);
    }
    // Units of 2^-31. The estimate lacks x (1/q - 2^-31) and the lower halves of the residues.
    let lacks = |q: u32| ((1_u64 << SECOND_BITS) - 1) * ((1 << SECOND_BITS) - u64::from(q));
    let lacks = |q: u32| lacks(q).div_ceil(q.into()) + (1 << 16);
    let error: u64 = bases.second.values().map(lacks).sum();
    let value = ((width * (lambda * slack.sums)) << SECOND_BITS) / &bases.second.product + 1_u32;
    let half = BigUint::from(1_u32 << (SECOND_BITS - 1));
    if value >= half || value + error > half {
        return Err(Unproved::Alpha);
    }
    Ok(())
}

/// Proves all bounds of a plan; `each` if every instance has a modulus of its own.
pub(crate) fn prove(
    bits: u32,
    bases: &Bases,
    (each, slack): (bool, Slack),
    matrices: Matrices<'_>,
) -> Result<Bounds, Unproved> {
    prove_bases(bits, bases, slack)?;
    let k = bases.residues();
    let alpha = largest_alpha(k);
    for (i, &p) in bases.first.primes.iter().enumerate() {
        prove_first(p, matrices.to_first.largest(i), alpha, each)?;
        if slack.sums > 1 {
            prove_once(p, matrices.to_first.largest(i), alpha)?;
        }
        prove_entry(p, matrices.enter.largest(i))?;
    }
    for (j, &q) in bases.second.primes.iter().enumerate() {
        prove_second(q, matrices.to_second.largest(j), (each, slack))?;
        prove_entry(q, matrices.enter.largest(k + j))?;
    }
    // The sum of x Q/q, and lambda N to make it positive.
    let lambda = lambda(k, slack);
    let largest = &bases.second.product * (alpha + 1) + (BigUint::from(lambda) << bits);
    if largest.bits() > 32 * matrices.leave.rows() as u64 {
        return Err(Unproved::Word("a number that leaves"));
    }
    let conversions = [matrices.enter, matrices.leave];
    if conversions.iter().any(|matrix| !matrix.fits(Joining::Separate)) {
        return Err(Unproved::Word("a digit sum of a conversion"));
    }
    let extensions = [matrices.to_second, matrices.to_first];
    let rows = || extensions.into_iter().flat_map(|matrix| (0..matrix.rows()).map(move |row| (matrix, row)));
    let digit_sums = rows().flat_map(|(matrix, row)| matrix.largest_sums(row));
    Ok(Bounds {
        lambda,
        joining: extensions.map(Matrix::joining).into_iter().max().unwrap_or(Joining::Separate),
        largest_digit_sum: digit_sums.max().unwrap_or(0),
        largest_sum: rows().map(|(matrix, row)| matrix.largest(row)).max().unwrap_or(0),
        largest_alpha: alpha,
    })
}

/// Proves the steps of one modulus for all instances, for all matrices whose rows are within these limits.
pub(crate) fn prove_rows(bases: &Bases, limits: &RowLimits) -> Result<(), Unproved> {
    let sums = limits.largest_sums();
    if !limits.joining.fits(sums) {
        return Err(Unproved::Word("a digit sum"));
    }
    let sum = sums.iter().rev().fold(0, |sum, &digits| (sum << 8) + u64::from(digits));
    let alpha = largest_alpha(bases.residues());
    bases.first.primes.iter().try_for_each(|&p| prove_first(p, sum, alpha, false))?;
    bases.second.primes.iter().try_for_each(|&q| prove_second(q, sum, (false, Slack::NONE)))
}

/// The largest result of a reduction of values up to v.
fn reduced(v: u128, prime: Prime, name: &'static str) -> Result<u128, Unproved> {
    let reduced = (v >> 32) + u128::from(prime.value);
    if v >> 64 != 0 || reduced >> 32 != 0 { Err(Unproved::Word(name)) } else { Ok(reduced) }
}

/// The steps of base 1, from the joined sum to the factor of the next extension.
fn prove_first(p: Prime, sum: u64, alpha: u32, each: bool) -> Result<(), Unproved> {
    let largest = u128::from(p.value - 1);
    let residue = reduced(u128::from(sum) + u128::from(alpha) * largest, p, "a residue in base 1")?;
    // The factor of a doubled product has twice the modulus' factor, which is subtracted once.
    let product = reduced(residue * residue, p, "a product in base 1")?;
    let factor = if each { reduced(product * largest, p, "a factor in base 1")? } else { product };
    // The multiple of N is then at most (7 k / 4) P N.
    if 4 * factor > 7 * u128::from(p.value) {
        return Err(Unproved::Word("7/4 of a prime of base 1"));
    }
    Ok(())
}

/// Residues in base 1 of sequences are below the prime after one subtraction.
fn prove_once(p: Prime, sum: u64, alpha: u32) -> Result<(), Unproved> {
    let residue =
        reduced(u128::from(sum) + u128::from(alpha) * u128::from(p.value - 1), p, "a residue in base 1")?;
    if residue >= 2 * u128::from(p.value) { Err(Unproved::Word("twice a prime of base 1")) } else { Ok(()) }
}

/// The steps of base 2, from residues below `2^31` to such residues.
fn prove_second(q: Prime, sum: u64, (each, slack): (bool, Slack)) -> Result<(), Unproved> {
    let (prime, bound) = (u128::from(q.value), 1_u128 << SECOND_BITS);
    let product = reduced((bound - 1) * (bound - 1), q, "a product in base 2")?;
    let value = if each {
        // One subtraction, before and after it is doubled.
        if product >= 2 * prime {
            return Err(Unproved::Word("twice a prime of base 2"));
        }
        let extended = reduced(sum.into(), q, "an extended factor in base 2")?;
        (extended + prime - 1) * (prime - 1)
    } else {
        u128::from(sum) + product * (prime - 1)
    };
    let less = u128::from(slack.less) * (prime - 1);
    let residue = reduced(value + less, q, "a residue in base 2")?;
    // One subtraction.
    if (residue - prime).max(prime - 1) >= bound {
        return Err(Unproved::Word("31 bits of base 2"));
    }
    Ok(())
}

/// The residue of a number: a reduction and one subtraction.
fn prove_entry(prime: Prime, sum: u64) -> Result<(), Unproved> {
    if reduced(sum.into(), prime, "a residue of a number")? >= 2 * u128::from(prime.value) {
        return Err(Unproved::Word("twice a prime"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const EACH: (bool, Slack) = (true, Slack::TESTS);

    #[test]
    fn too_few_primes_are_refused() {
        for bits in [96, 1024, 2048] {
            let fits = |k| prove_bases(bits, &Bases::new(k), Slack::NONE);
            let least = (1..).find(|&k| fits(k).is_ok()).unwrap();
            assert_eq!(fits(least - 1), Err(Unproved::FirstBase), "{bits}");
            assert!(31 * least as u32 > bits, "{bits}");
        }
    }

    /// Doubled products need one bit more, and a number that is subtracted a larger range.
    #[test]
    fn slack_needs_more_primes() {
        for k in [20, 36, 68] {
            let bases = Bases::new(k);
            let most =
                |slack| (1..32 * k as u32).rev().find(|&bits| prove_bases(bits, &bases, slack).is_ok());
            let [none, tests] = [Slack::NONE, Slack::TESTS].map(|slack| most(slack).unwrap());
            assert_eq!(none - tests, 1, "{k}");
            assert_eq!(none - most(Slack::SEQUENCES).unwrap(), 8, "{k}");
            assert_eq!(lambda(k, Slack::TESTS) - lambda(k, Slack::NONE), 1);
        }
    }

    #[test]
    fn alpha_is_refused_where_its_estimate_lacks_a_half() {
        assert_eq!(prove_bases(64, &Bases::new(900), Slack::TESTS), Ok(()));
        assert_eq!(prove_bases(64, &Bases::new(980), Slack::NONE), Err(Unproved::Alpha));
    }

    #[test]
    fn steps_are_refused_where_a_value_leaves_its_word() {
        let prime = Prime::largest(1)[0];
        let sum = 1_u64 << 50;
        assert_eq!((prove_first(prime, sum, 532, true), prove_second(prime, sum, EACH)), (Ok(()), Ok(())));
        assert!(prove_first(prime, 1 << 60, 532, true).is_err());
        assert!(prove_once(prime, sum, 532).is_ok() && prove_once(prime, 1 << 63, 532).is_err());
        assert!(prove_second(prime, 1 << 63, EACH).is_err());
        assert!(prove_second(prime, u64::MAX, (false, Slack::NONE)).is_err());
        assert!(prove_entry(prime, 1 << 63).is_err());
        // A prime above the bound of all primes: a residue in base 2 may reach 2^31.
        let above = Prime::new((1 << 31) - 1);
        assert_eq!(prove_second(above, sum, EACH), Err(Unproved::Word("a residue in base 2")));
    }
}
