//! Quotients without their remainders: the lower limbs of a long divisor hardly matter.
//!
//! Of a quotient of k limbs, the top k + 2 limbs v' of the divisor and what is above the other limbs, s of
//! them, of the dividend, `u = u' B^s + x` and `v = v' B^s + y`, give `u' = q v' + r`. The quotient is at most
//! q, as `u / v < (u' + 1) / v'`. It is at least q - 1, as q y is below `q B^s`, which is below v. It is q if
//! `r >= q`, and otherwise if `r B^s + x >= q y`, which takes a product.

use limbforge_limb::slice::{bits, div::digit, sub};
use limbforge_limb::{Base, DivisionByZero};

use super::super::packed::{as_words, compare};
use super::super::{Scratch, products::Products};
use super::div_rem;

/// Limbs of the divisor beside those of the quotient.
const GUARD: usize = 2;

/// Fewer limbs of the divisor are not left out.
const LEAST_DROPPED: usize = 2;

/// `quotient = floor(dividend / divisor)`, as by [`div_rem`]. `room` is for remainders.
///
/// ```
/// use limbforge_algos::integer::{Scratch, div::quotient::quotient};
/// let mut out = [0; 3];
/// quotient(&mut out, &[1_u64, 0, 1], &[2, 1], &mut vec![], &mut Scratch::default())?;
/// assert_eq!(out, [u64::MAX - 1, 0, 0]);
/// # Ok::<(), limbforge_limb::DivisionByZero>(())
/// ```
///
/// # Errors
/// [`DivisionByZero`] if the divisor is zero; the result is then untouched.
///
/// # Panics
/// Unless `quotient` has the dividend's length.
pub fn quotient<B: Base>(
    quotient: &mut [B],
    dividend: &[B],
    divisor: &[B],
    room: &mut Vec<B>,
    scratch: &mut Scratch,
) -> Result<(), DivisionByZero> {
    assert_eq!(quotient.len(), dividend.len(), "a quotient sized as the dividend");
    let (u, v) = (bits::significant(dividend), bits::significant(divisor));
    if v.is_empty() {
        return Err(DivisionByZero);
    }
    let (quotient, above) = quotient.split_at_mut(u.len());
    above.fill(B::ZERO);
    if u.len() < v.len() {
        quotient.fill(B::ZERO);
        return Ok(());
    }
    if u.len() == v.len()
        && v.len() > 1
        && let Some(digit) = digit::quotient(u, v)
    {
        quotient.fill(B::ZERO);
        quotient[0] = digit;
        return Ok(());
    }
    let kept = u.len() - v.len() + 1 + GUARD;
    room.resize(v.len().max(room.len()), B::ZERO);
    if v.len() < kept + LEAST_DROPPED {
        return div_rem(quotient, &mut room[..v.len()], u, v, scratch);
    }
    by_top_limbs(quotient, u, v, &mut room[..kept], scratch)
}

/// The quotient from as many limbs of the divisor as `rest` has.
fn by_top_limbs<B: Base>(
    quotient: &mut [B],
    u: &[B],
    v: &[B],
    rest: &mut [B],
    scratch: &mut Scratch,
) -> Result<(), DivisionByZero> {
    let dropped = v.len() - rest.len();
    let (quotient, above) = quotient.split_at_mut(u.len() - dropped);
    above.fill(B::ZERO);
    div_rem(quotient, rest, &u[dropped..], &v[dropped..], scratch)?;
    let digits = bits::significant(quotient);
    if compare(bits::significant(rest), digits).is_lt() {
        let [digits, below] = [digits, &v[..dropped]].map(as_words);
        let mut product = vec![0; digits.len() + below.len()];
        scratch.low(&mut product, &digits, &below);
        let left = [&u[..dropped], rest].concat();
        if compare(bits::significant(&product), bits::significant(&as_words(&left))).is_gt() {
            sub::decrement(quotient, true);
        }
    }
    Ok(())
}
