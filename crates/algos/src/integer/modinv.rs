//! The inverse modulo any number: Euclid's algorithm by Lehmer's steps ([`gcd`](mod@crate::integer::gcd)),
//! with the cofactor of one operand.
//!
//! With `r0 = m`, `r1 = a mod m` and cofactors `t0 = 0`, `t1 = 1`, each step keeps `r_i = (+-) t_i a mod m`
//! with signs that alternate, so that only magnitudes are computed, and they only grow: `t_(i+1) = t_(i-1) +
//! q t_i`. They stay at most m.

use core::mem;

use limbforge_limb::slice::{add, bits, sub};
use limbforge_limb::{Base, DivisionByZero};

use super::gcd::{Steps, combine, euclid, simulate};
use super::packed::{packed, trim, unpack};
use super::{Scratch, div::divide, products::Products};

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
    assert!(out.len() == a.len() && out.len() == m.len(), "operands of one length");
    let [number, modulus] = [a, m].map(packed);
    if modulus.is_empty() {
        return Err(DivisionByZero.into());
    }
    let Cofactor { divisor, magnitude: mut inverse, negative } = cofactor(&number, &modulus, scratch);
    if divisor != [1] {
        return Err(ModInvError::NotCoprime);
    }
    if modulus == [1] {
        inverse.clear();
    } else if negative {
        inverse.resize(modulus.len(), 0);
        sub::sub_from(&mut inverse, &modulus);
    }
    unpack(out, inverse);
    Ok(())
}

/// `gcd(a, m) = t a mod m`, with `|t| <= m / (2 gcd)`. Trimmed words.
pub(crate) struct Cofactor {
    pub(crate) divisor: Vec<u64>,
    /// |t|.
    pub(crate) magnitude: Vec<u64>,
    pub(crate) negative: bool,
}

/// The greatest common divisor of a and m, and the cofactor of a, for trimmed words, m not zero.
pub(crate) fn cofactor(a: &[u64], m: &[u64], scratch: &mut Scratch) -> Cofactor {
    let mut r1 = divide(a, m, scratch).1;
    trim(&mut r1);
    let mut pair = Pair { r0: m.to_vec(), r1, t0: vec![], t1: vec![1], negative: true };
    while !pair.r1.is_empty() {
        match (pair.r1.len() >= 2).then(|| simulate(&pair.r0, &pair.r1)).flatten() {
            Some(steps) => pair.combine(steps),
            None => pair.euclid(scratch),
        }
    }
    let negative = pair.negative && !pair.t0.is_empty();
    Cofactor { divisor: pair.r0, magnitude: pair.t0, negative }
}

/// Two consecutive remainders with the magnitudes of their cofactors.
struct Pair {
    r0: Vec<u64>,
    r1: Vec<u64>,
    t0: Vec<u64>,
    t1: Vec<u64>,
    /// Whether the cofactor of `r0` is negative; that of `r1` has the other sign.
    negative: bool,
}

impl Pair {
    /// Many steps with factors of a word.
    fn combine(&mut self, steps: Steps) {
        combine(&mut self.r0, &mut self.r1, steps);
        let len = self.t0.len().max(self.t1.len()) + 1;
        self.t0.resize(len, 0);
        self.t1.resize(len, 0);
        let (mut x, mut y) = (0_u128, 0_u128);
        for (t0, t1) in self.t0.iter_mut().zip(&mut self.t1) {
            // Factors are at most 2^32: sums stay below 2^98.
            let sum = |f: u64, g: u64| u128::from(f) * u128::from(*t0) + u128::from(g) * u128::from(*t1);
            x += sum(steps.u0, steps.v0);
            y += sum(steps.u1, steps.v1);
            (*t0, *t1) = (x as u64, y as u64);
            x >>= 64;
            y >>= 64;
        }
        trim(&mut self.t0);
        trim(&mut self.t1);
        self.negative ^= !steps.even;
    }

    /// One step by division.
    fn euclid(&mut self, scratch: &mut Scratch) {
        let quotient = euclid(&mut self.r0, &mut self.r1, scratch);
        let quotient = bits::significant(&quotient);
        let mut next = vec![0; (quotient.len() + self.t1.len()).max(self.t0.len()) + 1];
        scratch.low(&mut next, quotient, &self.t1);
        add::add_assign(&mut next, &self.t0, false);
        trim(&mut next);
        self.t0 = mem::replace(&mut self.t1, next);
        self.negative = !self.negative;
    }
}
