//! Powers modulo any number: a fixed window over the exponent, with Montgomery's reduction for odd moduli and
//! Barrett's for even ones ([`modulus`](mod@crate::integer::modulus)).

use limbforge_limb::{Base, DivisionByZero};

use crate::integer::modulus::{self, Barrett, Montgomery};
use crate::integer::packed::{packed, unpack};

/// Memory that powers are computed in; reused, one per thread. It keeps the last modulus with its constants,
/// so that a modulus for many powers is prepared once.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    residues: modulus::Scratch,
    last: Option<Prepared>,
}

/// A modulus without zeros at the top, with its constants.
#[derive(Clone, Debug)]
enum Prepared {
    Odd(Montgomery<u64>),
    Even(Barrett<u64>),
}

impl Prepared {
    fn new(modulus: &[u64], scratch: &mut modulus::Scratch) -> Result<Self, DivisionByZero> {
        match Montgomery::with(modulus, scratch) {
            Ok(odd) => Ok(Self::Odd(odd)),
            Err(_) => Barrett::new(modulus).map(Self::Even),
        }
    }

    fn is_of(&self, modulus: &[u64]) -> bool {
        match self {
            Self::Odd(odd) => modulus::Ring::words(odd) == modulus,
            Self::Even(even) => modulus::Ring::words(even) == modulus,
        }
    }
}

/// `out = base^exponent mod modulus`. 0^0 is 1; modulo 1 every power is 0.
///
/// ```
/// use limbforge_algos::integer::powmod::{Scratch, powmod};
/// let mut out = [0_u64];
/// powmod(&mut out, &[3], &[u64::MAX], &[1_000_003], &mut Scratch::default())?;
/// assert_eq!(out, [(0..u64::MAX % 1_000_002).fold(1, |power, _| power * 3 % 1_000_003)]);
/// # Ok::<(), limbforge_limb::DivisionByZero>(())
/// ```
///
/// # Errors
/// [`DivisionByZero`] if the modulus is zero; `out` is then untouched.
///
/// # Panics
/// Unless all have one length.
pub fn powmod<B: Base>(
    out: &mut [B],
    base: &[B],
    exponent: &[B],
    modulus: &[B],
    scratch: &mut Scratch,
) -> Result<(), DivisionByZero> {
    assert!([base, exponent, modulus].iter().all(|x| x.len() == out.len()), "operands of one length");
    let [base, modulus] = [base, modulus].map(packed);
    if modulus.is_empty() {
        return Err(DivisionByZero);
    }
    let Scratch { residues, last } = scratch;
    let prepared = match last.take_if(|last| last.is_of(&modulus)) {
        Some(last) => last,
        None => Prepared::new(&modulus, residues)?,
    };
    let power = match &prepared {
        Prepared::Odd(odd) => {
            let base = odd.residue(&base, residues);
            let power = odd.power(&base, exponent, residues);
            odd.number(&power, residues)
        }
        Prepared::Even(even) => {
            let base = even.residue(&base, residues);
            even.power(&base, exponent, residues)
        }
    };
    *last = Some(prepared);
    unpack(out, power);
    Ok(())
}
