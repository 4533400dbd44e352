//! Primes as types.

use core::fmt::Debug;

use crate::check::{self, FieldError};
use crate::reduction::{Goldilocks, Montgomery, Proth, Reduction, Remainder};

/// A prime `p = k * 2^n + 1` as a zero-sized type, with the reduction that computes modulo it.
///
/// [`Prime`] implements it for every prime, and [`prime_field!`](crate::prime_field) names one. A wrong prime
/// or root does not compile: every use of [`Zmod`](crate::Zmod) evaluates [`CHECKED`](PrimeModulus::CHECKED).
pub trait PrimeModulus: Copy + Debug + Eq + Send + Sync + 'static {
    /// The reduction.
    type Reduction: Reduction;
    /// p.
    const MODULUS: u64;
    /// An element of order exactly 2^n.
    const ROOT: u64;
    /// The reduction modulo p.
    const REDUCTION: Self::Reduction;
    /// The raw form of 1 in that reduction.
    const RAW_ONE: <Self::Reduction as Reduction>::Word;
    /// The odd k in `p = k * 2^n + 1`.
    const K: u64 = check::split(Self::MODULUS).0;
    /// n in `p = k * 2^n + 1`.
    const ADICITY: u32 = check::split(Self::MODULUS).1;
    /// A compile error unless p is an odd prime and the root has order 2^n.
    const CHECKED: () = {
        or_fail(check::check_prime(Self::MODULUS));
        or_fail(check::check_root(Self::MODULUS, Self::ROOT));
    };
}

/// The prime `K * 2^N + 1` with a root of order 2^N and the reduction R: [`Montgomery`] over `u32` or `u64`,
/// [`Proth`], [`Goldilocks`], or [`Remainder`], the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Prime<R, const K: u64, const N: u32, const ROOT: u64>(core::marker::PhantomData<fn() -> R>);

macro_rules! impl_modulus {
    ($($reduction:ident $(<$generic:ident>)?, $word:ident, one: |$p:ident| $one:expr;)*) => {$(
        impl<const K: u64, const N: u32, const ROOT: u64> PrimeModulus for Prime<$reduction $(<$generic>)?, K, N, ROOT> {
            type Reduction = $reduction $(<$generic>)?;
            const MODULUS: u64 = prime(K, N, $word::BITS);
            const ROOT: u64 = ROOT;
            const REDUCTION: Self::Reduction = <$reduction $(<$generic>)?>::new(Self::MODULUS as $word);
            const RAW_ONE: $word = {
                let $p = Self::MODULUS as $word;
                $one
            };
        }
    )*};
}

impl_modulus! {
    Montgomery<u32>, u32, one: |p| u32::MAX % p + 1;
    Montgomery<u64>, u64, one: |p| u64::MAX % p + 1;
    Proth, u64, one: |p| u64::MAX % p + 1;
    Remainder<u32>, u32, one: |_p| 1;
    Remainder<u64>, u64, one: |_p| 1;
    Goldilocks, u64, one: |_p| 1;
}

/// [`check::join`], or a compile error.
const fn prime(k: u64, n: u32, bits: u32) -> u64 {
    match check::join(k, n, bits) {
        Ok(p) => p,
        Err(error) => fail(error),
    }
}

/// The default root of [`prime_field!`](crate::prime_field), of order 2^n: a compile error unless
/// `k * 2^n + 1` is a prime below 2^64.
#[must_use]
pub const fn root_of(k: u64, n: u32) -> u64 {
    let p = prime(k, n, u64::BITS);
    or_fail(check::check_prime(p));
    check::two_adic_root(p)
}

const fn or_fail(result: Result<(), FieldError>) {
    if let Err(error) = result {
        fail(error);
    }
}

/// Turns an error into a compile error.
const fn fail(error: FieldError) -> ! {
    match error {
        FieldError::TooSmall { .. } => panic!("the modulus is below 3: expected an odd prime"),
        FieldError::TooLarge { .. } => {
            panic!("k * 2^n + 1 does not fit the word: choose a smaller prime, or u64")
        }
        FieldError::Composite { .. } => panic!("the modulus k * 2^n + 1 is composite: expected a prime"),
        FieldError::Split { .. } => {
            panic!("in k * 2^n + 1, k must be odd and n at least 1: move the powers of two of k into n")
        }
        FieldError::RootRange { .. } => panic!("the root is not a residue from 1 to p - 1"),
        FieldError::RootOrder { .. } => {
            panic!("the root is not of order 2^n: leave it out to have one found, or try g^k for some g")
        }
    }
}
