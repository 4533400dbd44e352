//! Powers modulo any number: sliding windows over the exponent, with Montgomery's reduction for odd moduli and
//! Barrett's for even ones ([`modulus`](mod@crate::integer::modulus)).

use limbforge_limb::{Base, DivisionByZero, slice::bits};

use super::packed::{compare, packed, unpack};
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
    let [base, modulus] = [base, modulus].map(packed);
    if modulus.is_empty() {
        return Err(DivisionByZero);
    }
    if let Some(power) = trivial(&base, exponent, &modulus) {
        unpack(out, power);
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

/// The power if it takes no product: 0, 1 or a base below the modulus. All are trimmed, but the exponent.
fn trivial<B: Base>(base: &[u64], exponent: &[B], modulus: &[u64]) -> Option<Vec<u64>> {
    match (base, bits::bit_len(exponent), modulus) {
        (_, _, [1]) => Some(vec![]),
        (_, 0, _) | ([1], _, _) => Some(vec![1]),
        ([], _, _) => Some(vec![]),
        (_, 1, _) if compare(base, modulus).is_lt() => Some(base.to_vec()),
        _ => None,
    }
}
