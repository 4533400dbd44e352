//! Number theory as methods of the fixed-width integers, with the values and signs of the
//! [expressions](crate::expr); results that may not fit have checked forms. Not constant time.

mod signed;

use limbforge_limb::{DivisionByZero, FixedInt};

use super::perfect_power::is_square;
use super::{jacobi::EvenModulus, modinv::ModInvError, primality::is_prime, scratch::with_scratch};
use signed::{Magnitude, Signed};
pub use signed::{RootError, Xgcd};

/// The lines as an example, after the imports that all examples here begin with.
macro_rules! example {
    ($($line:literal)+) => {
        concat!(
            "\n```\nuse limbforge_algos::{NumberTheory, RootError, Xgcd, integer::modinv::ModInvError};\n",
            "use limbforge_limb::{I256, U256, U2048};\n\n",
            $($line, "\n",)+
            "# Ok::<(), Box<dyn core::error::Error>>(())\n```"
        )
    };
}

/// Number theory on [`Uint`](limbforge_limb::Uint) and [`Int`](limbforge_limb::Int), as methods. Code that is
/// generic over both and all widths has the bound `T: NumberTheory`.
///
/// ```
/// use limbforge_algos::NumberTheory;
/// use limbforge_limb::{I256, U256};
///
/// fn coprime<T: NumberTheory>(a: &T, b: &T) -> bool {
///     a.gcd(b) == T::from_sign_and_magnitude(false, 1_u8.into())
/// }
///
/// let (a, m) = (U256::from(240_u8), U256::from(46_u8));
/// assert_eq!((a.gcd(&m), a.isqrt(), m.is_prime()), (U256::from(2_u8), U256::from(15_u8), false));
/// assert!(coprime(&I256::from(-8), &I256::from(15)));
/// ```
pub trait NumberTheory: FixedInt {
    /// The greatest common divisor of `|self|` and `|other|`; that of 0 and 0 is 0. The one that does not
    /// fit, `2^(BITS-1)` of a signed type, wraps to the smallest number.
    #[doc = example!("assert_eq!(I256::from(-12).gcd(&I256::from(18)), 6);")]
    #[must_use]
    fn gcd(&self, other: &Self) -> Self {
        Self::from_sign_and_magnitude(false, signed::gcd_of(self, other))
    }

    /// The least common multiple of `|self|` and `|other|`, mod `2^BITS`; 0 if one is 0.
    #[doc = example!("assert_eq!(U256::from(12_u8).lcm(&U256::from(18_u8)), 36);")]
    #[must_use]
    fn lcm(&self, other: &Self) -> Self {
        let multiple = signed::cofactor(self, other).wrapping_mul(&other.unsigned_abs());
        Self::from_sign_and_magnitude(false, multiple)
    }

    /// The least common multiple of `|self|` and `|other|`, or `None` if it does not fit.
    #[doc = example!(
        "assert_eq!(U256::from(12_u8).checked_lcm(&U256::from(18_u8)), Some(U256::from(36_u8)));"
        "assert_eq!(U256::MAX.checked_lcm(&U256::from(2_u8)), None);"
    )]
    #[must_use]
    fn checked_lcm(&self, other: &Self) -> Option<Self> {
        let multiple = signed::cofactor(self, other).checked_mul(&other.unsigned_abs())?;
        Some(Self::from_sign_and_magnitude(false, multiple)).filter(|multiple| !multiple.is_negative())
    }

    /// The greatest common divisor, and the smallest x and y with `x self + y other = gcd`, which always fit
    /// the signed type.
    #[doc = example!(
        "let Xgcd { gcd, x, y } = U256::from(240_u8).xgcd(&U256::from(46_u8));"
        "assert!(gcd == 2 && x == -9 && y == 47);"
    )]
    #[must_use]
    fn xgcd(&self, other: &Self) -> Xgcd<Self, Signed<Self>> {
        signed::xgcd_of(self, other)
    }

    /// `1 / self mod |modulus|`, in `0..|modulus|`. Modulo 1 it is 0.
    #[doc = example!(
        "let inverse = |a: u8| U256::from(a).mod_inverse(&U256::from(10_u8));"
        "assert_eq!([inverse(7), inverse(5)], [Ok(U256::from(3_u8)), Err(ModInvError::NotCoprime)]);"
    )]
    /// # Errors
    /// [`ModInvError`] if the modulus is 0, or has a common divisor with the number.
    fn mod_inverse(&self, modulus: &Self) -> Result<Self, ModInvError> {
        signed::inverse(self, modulus)
    }

    /// `self^exponent mod |modulus|`, in `0..|modulus|`; `0^0` is 1 mod the modulus. Successive calls with
    /// one modulus prepare it once. For a negative exponent take the [inverse](NumberTheory::mod_inverse).
    #[doc = example!(
        "let p = (U2048::ONE << 607) - 1; // a Mersenne prime"
        "assert_eq!(U2048::from(3_u8).pow_mod(&(p - 1), &p)?, 1); // Fermat"
    )]
    /// # Errors
    /// [`DivisionByZero`] if the modulus is 0.
    fn pow_mod(&self, exponent: &Magnitude<Self>, modulus: &Self) -> Result<Self, DivisionByZero> {
        signed::power(self, exponent, modulus)
    }

    /// `self + other mod |modulus|` of the exact sum, in `0..|modulus|`. For many operations modulo one
    /// number there is [`Modulus`](crate::integer::modulus::Modulus).
    #[doc = example!("assert_eq!(U256::MAX.add_mod(&U256::ONE, &U256::from(10_u8))?, 6);")]
    /// # Errors
    /// [`DivisionByZero`] if the modulus is 0.
    fn add_mod(&self, other: &Self, modulus: &Self) -> Result<Self, DivisionByZero> {
        signed::sum(self, other, other.is_negative(), modulus)
    }

    /// `self - other mod |modulus|` of the exact difference, in `0..|modulus|`.
    #[doc = example!("assert_eq!(U256::ONE.sub_mod(&U256::from(2_u8), &U256::from(10_u8))?, 9);")]
    /// # Errors
    /// [`DivisionByZero`] if the modulus is 0.
    fn sub_mod(&self, other: &Self, modulus: &Self) -> Result<Self, DivisionByZero> {
        signed::sum(self, other, !other.is_negative(), modulus)
    }

    /// `self * other mod |modulus|` of the exact product, in `0..|modulus|`.
    #[doc = example!("assert_eq!(U256::MAX.mul_mod(&U256::MAX, &U256::from(10_u8))?, 5);")]
    /// # Errors
    /// [`DivisionByZero`] if the modulus is 0.
    fn mul_mod(&self, other: &Self, modulus: &Self) -> Result<Self, DivisionByZero> {
        signed::product(self, other, modulus)
    }

    /// The square root rounded down.
    #[doc = example!("assert_eq!(U256::from(99_u8).isqrt(), 9);")]
    /// # Panics
    /// If the number is negative; [`checked_isqrt`](NumberTheory::checked_isqrt) does not.
    #[must_use]
    #[track_caller]
    fn isqrt(&self) -> Self {
        let Some(root) = self.checked_isqrt() else {
            panic!("square root of a negative number: expected 0 or more")
        };
        root
    }

    /// The square root rounded down, or `None` if the number is negative.
    #[doc = example!("assert_eq!([99, -1].map(|a| I256::from(a).checked_isqrt()), [Some(I256::from(9)), None]);")]
    #[must_use]
    fn checked_isqrt(&self) -> Option<Self> {
        signed::square_root_of(self)
    }

    /// The root of this degree, rounded down.
    #[doc = example!(
        "assert_eq!((I256::from(1000).root(3)?, I256::from(-9).root(3)?), (10.into(), (-3).into()));"
        "assert_eq!(I256::from(-9).root(2), Err(RootError::Negative));"
    )]
    /// # Errors
    /// [`RootError`] if the degree is 0, or even for a negative number.
    fn root(&self, degree: u32) -> Result<Self, RootError> {
        signed::root_of(self, degree)
    }

    /// Whether the number is a square, as 0 is.
    #[doc = example!("assert!(U256::from(144_u8).is_square() && !U256::from(143_u8).is_square());")]
    #[must_use]
    fn is_square(&self) -> bool {
        !self.is_negative() && with_scratch(|scratch| is_square(self.as_limbs(), scratch))
    }

    /// Whether the number is `x^k` with `k >= 2`, as 0, 1 and -1 are.
    #[doc = example!("assert!(I256::from(-27).is_perfect_power() && !I256::from(-4).is_perfect_power());")]
    #[must_use]
    fn is_perfect_power(&self) -> bool {
        signed::is_power(self)
    }

    /// Whether the number is prime: certain below `2^64`; above, no composite number is known that passes
    /// ([`primality`](mod@crate::integer::primality)). Numbers below 2 are not.
    #[doc = example!("assert!(((U256::ONE << 127) - 1).is_prime() && !((U256::ONE << 128) + 1).is_prime());")]
    #[must_use]
    fn is_prime(&self) -> bool {
        !self.is_negative() && with_scratch(|scratch| is_prime(self.as_limbs(), scratch))
    }

    /// Whether the number is a strong probable prime to this base, as all primes are, and every odd number to
    /// its multiples. Numbers below 2 are not.
    #[doc = example!(
        "let n = U256::from(2047_u16); // 23 * 89"
        "assert!(n.is_strong_probable_prime(&2_u8.into()) && !n.is_strong_probable_prime(&3_u8.into()));"
    )]
    #[must_use]
    fn is_strong_probable_prime(&self, base: &Self) -> bool {
        signed::is_strong_probable_prime_to(self, base)
    }

    /// The Jacobi symbol `(self / |n|)`: -1, 0 or 1.
    #[doc = example!("assert_eq!(U256::from(1001_u16).jacobi(&U256::from(9907_u16))?, -1);")]
    /// # Errors
    /// [`EvenModulus`] if n is even.
    fn jacobi(&self, n: &Self) -> Result<i8, EvenModulus> {
        signed::symbol(self, n)
    }
}

impl<T: FixedInt> NumberTheory for T {}
