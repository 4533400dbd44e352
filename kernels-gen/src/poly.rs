//! Kernels of polynomials over a prime field, in batches of polynomials of equal sizes.
//!
//! | program | kernels |
//! | --- | --- |
//! | [`PolyMulSpec`] | the schoolbook product: one multiplication phase, then steps of the addition phase |
//! | [`PolyNttSpec`] | the product by transforms over the field |
//! | [`PolyDivSpec`] | quotient and remainder: a start, launches of s division steps |
//! | [`PolyNewtonSpec`] | quotient and remainder by Newton's inverse, with transforms over the field |
//! | [`ElementwiseSpec`] | sums, differences and products, value by value |
//! | [`PartSpec`] | neighbouring values of each row |
//! | [`PolyGcdSpec`] | the greatest common divisor: a start, launches of s division steps, a finish |
//!
//! [`PolyShape`] chooses among them for pairs of any lengths. The programs without transforms are those of
//! Haque, Moreno Maza and Xie (2014), for any odd prime below 2^64; `limbforge_algos::model` estimates them
//! by their parameter s. Words have 32 bits for p below 2^32, else 64.

mod batch;
mod builder;
mod div_newton;
mod elementwise;
mod euclid;
mod mul;
mod part;

pub use batch::{PolyOperation, PolyShape};
pub use div_newton::PolyNewtonSpec;
pub use elementwise::ElementwiseSpec;
pub use euclid::{PolyDivSpec, PolyGcdSpec};
pub use mul::{PolyMulSpec, PolyNttSpec};
pub use part::PartSpec;

use core::fmt::{self, Debug};
use core::hash::Hash;
use core::marker::PhantomData;

use limbforge_field::DynField;

use crate::spec::SpecError;

/// Most terms of a polynomial.
const MOST_TERMS: u32 = 1 << 26;

/// Words of 32 bits of a residue below p.
pub(crate) const fn residue_words(p: u64) -> u32 {
    if p >> 32 == 0 { 1 } else { 2 }
}

/// Checks that a parameter is within its range.
pub(crate) fn check(
    what: &'static str,
    found: u32,
    range: core::ops::RangeInclusive<u32>,
    expected: &'static str,
) -> Result<(), SpecError> {
    if range.contains(&found) { Ok(()) } else { Err(SpecError::Mapping { what, found, expected }) }
}

/// Checks that blocks consist of whole warps.
pub(crate) fn check_threads(threads: u32) -> Result<(), SpecError> {
    check("threads", threads, 32..=1024, "a multiple of 32 up to 1024")?;
    check("threads mod 32", threads % 32, 0..=0, "0: whole warps")
}

/// An operation with the parameter s: [`Mul`], [`Div`] or [`Gcd`].
pub trait SteppedProgram: Copy + Debug + Eq + Hash + sealed::Sealed {
    /// The name, as in `gcd`.
    const NAME: &'static str;
    /// The largest s.
    const MOST_S: u32;
    /// The range of s in words.
    const EXPECTED_S: &'static str;
    /// Whether n must be at least m.
    const DESCENDS: bool;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! stepped_programs {
    ($($(#[$doc:meta])* $program:ident: $name:literal, s to $most:literal: $expected:literal, descends: $descends:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $program;

        impl sealed::Sealed for $program {}

        impl SteppedProgram for $program {
            const NAME: &'static str = $name;
            const MOST_S: u32 = $most;
            const EXPECTED_S: &'static str = $expected;
            const DESCENDS: bool = $descends;
        }
    )*};
}

// A thread's sums of a product are unrolled, s^2 products.
stepped_programs! {
    /// The schoolbook product, s coefficients of each thread.
    Mul: "mul", s to 64: "1 to 64 coefficients of a thread", descends: false;
    /// Division with remainder, s steps of each launch.
    Div: "div", s to 8192: "1 to 2^13 steps of a launch", descends: true;
    /// The greatest common divisor, s steps of each launch.
    Gcd: "gcd", s to 8192: "1 to 2^13 steps of a launch", descends: false;
}

/// A program on polynomials of n and m terms over the field of p elements, with the model's parameter s.
/// Equal specifications render equal kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PolySpec<O> {
    p: u64,
    n: u32,
    m: u32,
    s: u32,
    threads: u32,
    operation: PhantomData<O>,
}

impl<O: SteppedProgram> PolySpec<O> {
    /// A program for `n` and `m` terms, 1 to 2^26 (a division: n at least m), with `s` from 1 to
    /// [`MOST_S`](SteppedProgram::MOST_S) and blocks of `threads` threads, a multiple of 32 up to 1024.
    ///
    /// For s = 1 a thread of a division or gcd has one coefficient of each polynomial. For larger s a block
    /// of a division has 2s coefficients, and a block of a gcd s coefficients of both, at which 3s threads
    /// work in every step.
    ///
    /// # Errors
    /// [`SpecError::Mapping`] for other numbers.
    pub fn new(field: &DynField, n: u32, m: u32, s: u32, threads: u32) -> Result<Self, SpecError> {
        check("terms of b", m, 1..=MOST_TERMS, "1 to 2^26")?;
        let (least, expected) =
            if O::DESCENDS { (m, "as many as b has or more, up to 2^26") } else { (1, "1 to 2^26") };
        check("terms of a", n, least..=MOST_TERMS, expected)?;
        check("s", s, 1..=O::MOST_S, O::EXPECTED_S)?;
        check_threads(threads)?;
        Ok(Self { p: field.modulus(), n, m, s, threads, operation: PhantomData })
    }

    /// p.
    #[must_use]
    pub const fn modulus(&self) -> u64 {
        self.p
    }

    /// Words of 32 bits of a coefficient.
    #[must_use]
    pub const fn residue_words(&self) -> u32 {
        residue_words(self.p)
    }
}

impl<O: SteppedProgram> fmt::Display for PolySpec<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { p, n, m, s, threads, .. } = self;
        write!(f, "poly {} p={p} n={n} m={m} s={s} threads={threads}", O::NAME)
    }
}
