//! Roots of numbers with signs.

use limbforge_limb::{FixedInt, Uint};

use super::results::RootError;
use super::scratch::with_scratch;
use crate::integer::{isqrt, perfect_power, root};

/// The root of this degree, rounded down.
pub(super) fn root_of<T: FixedInt>(a: &T, degree: u32) -> Result<T, RootError> {
    if a.is_negative() && degree != 0 && degree.is_multiple_of(2) {
        return Err(RootError::Negative);
    }
    let (magnitude, mut found) = (a.unsigned_abs(), Uint::zero());
    let exact = with_scratch(|scratch| {
        root::root(found.as_limbs_mut(), magnitude.as_limbs(), degree, &mut scratch.root)
    })?;
    // Rounded down, a negative root is further from 0.
    let found = if a.is_negative() && !exact { found + 1 } else { found };
    Ok(T::from_sign_and_magnitude(a.is_negative(), found))
}

/// The square root rounded down, of a number that is not negative.
pub(super) fn square_root_of<T: FixedInt>(a: &T) -> Option<T> {
    (!a.is_negative()).then(|| {
        let mut root = T::default();
        with_scratch(|scratch| isqrt::isqrt(root.as_limbs_mut(), a.as_limbs(), &mut scratch.isqrt));
        root
    })
}

/// Whether the number is a perfect power; one of a negative number has an odd exponent.
pub(super) fn is_power<T: FixedInt>(a: &T) -> bool {
    let is_power =
        if a.is_negative() { perfect_power::is_odd_perfect_power } else { perfect_power::is_perfect_power };
    with_scratch(|scratch| is_power(a.unsigned_abs().as_limbs(), &mut scratch.root))
}
