//! Powers modulo any number: sliding windows over the exponent, with Montgomery's reduction for odd moduli and
//! Barrett's for even ones ([`modulus`](mod@crate::integer::modulus)).

use limbforge_limb::{Base, DivisionByZero, slice::bits};

use super::packed::{packed, unpack};
use super::{Scratch, modulus::constants::Ring};

/// `out = base^exponent mod modulus`. 0^0 is 1; modulo 1 every power is 0. The constants of the last modulus
/// are kept.
///
/// ```
/// use limbforge_algos::integer::{Scratch, powmod::powmod};
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
    let is_trivial = is_trivial(base, exponent, modulus);
    let [base, modulus] = [base, modulus].map(packed);
    if modulus.is_empty() {
        return Err(DivisionByZero);
    }
    if is_trivial {
        unpack(out, trivial(base, exponent, &modulus));
        return Ok(());
    }
    let ring = match scratch.last_modulus.take_if(|last| last.modulus == modulus) {
        Some(last) => last,
        None => match Ring::montgomery(&modulus, scratch) {
            Some(odd) => odd,
            None => Ring::barrett(&modulus, scratch)?,
        },
    };
    unpack(out, ring.power_of(&base, exponent, scratch));
    scratch.last_modulus = Some(ring);
    Ok(())
}

/// Whether a power takes no product: that of a base 0 or 1, with an exponent 0, with an exponent 1 of a base
/// shorter than the modulus, and modulo 1.
pub(crate) fn is_trivial<B: Base>(base: &[B], exponent: &[B], modulus: &[B]) -> bool {
    let [base, exponent, modulus] = [base, exponent, modulus].map(bits::bit_len);
    base <= 1 || exponent == 0 || modulus == 1 || exponent == 1 && base < modulus
}

/// A power that is [trivial](is_trivial), trimmed as the base is.
fn trivial<B: Base>(base: Vec<u64>, exponent: &[B], modulus: &[u64]) -> Vec<u64> {
    match modulus {
        [1] => vec![],
        _ if bits::bit_len(exponent) == 0 => vec![1],
        _ => base,
    }
}
