//! The inverse modulo any number: the steps of [`gcd`](mod@crate::integer::gcd) with the cofactors of one
//! operand.
//!
//! The steps keep `(a, m) = M (x, y)` with a matrix of determinant 1 without negative entries. With its lower
//! row (u, v), `x = v a mod m` and `y = -u a mod m`: only magnitudes are computed, and they only grow. They
//! stay at most m. Modulo short odd numbers, `odd` takes halvings.

use limbforge_limb::slice::{bits, sub};
use limbforge_limb::{Base, DivisionByZero};

use super::Scratch;
use super::gcd::Thresholds;
use super::packed::{as_words, unpack};
use cofactor::{Cofactor, cofactor};

pub(crate) mod cofactor;
mod odd;

/// Below those of gcd, as without half-gcds each step also multiplies cofactors. Measured on AMD's Zen 4: 130 to 250
/// and 200 to 300 words make 2 % of difference from 256 to 4096 words; 350 and 300 take 2 to 6 % longer.
pub(crate) const THRESHOLDS: Thresholds = Thresholds { half: 150, whole: 250 };

/// There is no inverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModInvError {
    /// The modulus is zero.
    #[error(transparent)]
    Zero(#[from] DivisionByZero),
    /// The number and the modulus have a common divisor.
    #[error("no inverse: the number and the modulus have a common divisor")]
    NotCoprime,
}

/// `out = 1/a mod m`, in `0..m`. Modulo 1 it is 0.
///
/// ```
/// use limbforge_algos::integer::{Scratch, modinv::modinv};
/// let mut out = [0; 2];
/// modinv(&mut out, &[3_u64, 0], &[1, 1], &mut Scratch::default())?;
/// assert_eq!(out, [0x5555_5555_5555_5556, 0]); // 3 * out = 2^64 + 2
/// # Ok::<(), limbforge_algos::integer::modinv::ModInvError>(())
/// ```
///
/// # Errors
/// [`ModInvError`] if m is 0 or not coprime to a; `out` is then unspecified.
///
/// # Panics
/// Unless all have one length.
pub fn modinv<B: Base>(out: &mut [B], a: &[B], m: &[B], scratch: &mut Scratch) -> Result<(), ModInvError> {
    modinv_with(out, a, m, THRESHOLDS, scratch)
}

/// [`modinv`] with other thresholds, which change the time only.
///
/// # Errors
/// As [`modinv`].
///
/// # Panics
/// Unless all have one length.
pub fn modinv_with<B: Base>(
    out: &mut [B],
    a: &[B],
    m: &[B],
    thresholds: Thresholds,
    scratch: &mut Scratch,
) -> Result<(), ModInvError> {
    assert!(out.len() == a.len() && out.len() == m.len(), "operands of one length");
    let (number, modulus) = (as_words(a), as_words(m));
    let (number, modulus) = (bits::significant(&number), bits::significant(&modulus));
    let is_one = match (number, modulus) {
        (_, []) => return Err(DivisionByZero.into()),
        (_, [1]) => Some(false),
        ([1], _) => Some(true),
        _ => None,
    };
    if let Some(is_one) = is_one {
        out.fill(B::ZERO);
        if let (Some(lowest), true) = (out.first_mut(), is_one) {
            *lowest = B::ONE;
        }
        return Ok(());
    }
    if odd::has(modulus) {
        let mut inverse =
            odd::inverse(number, modulus, thresholds, scratch).ok_or(ModInvError::NotCoprime)?;
        unpack(out, &mut inverse);
        scratch.cofactors[0] = inverse;
        return Ok(());
    }
    let Cofactor { divisor, magnitude: mut inverse, negative } =
        cofactor(number, modulus, thresholds, scratch);
    let is_unit = divisor == [1];
    if is_unit {
        if negative {
            inverse.resize(modulus.len(), 0);
            sub::sub_from(&mut inverse, modulus);
        }
        unpack(out, &mut inverse);
    }
    scratch.cofactors[..2].swap_with_slice(&mut [divisor, inverse]);
    if is_unit { Ok(()) } else { Err(ModInvError::NotCoprime) }
}
