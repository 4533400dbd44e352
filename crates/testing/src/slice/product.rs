//! Every rung of the multiplication ladder, for pairs and squares.

use limbforge_limb::Base;
use limbforge_limb::slice::add;
use limbforge_limb::slice::mul::{
    self, Factors, Scratch, karatsuba as karatsuba_rung, schoolbook as schoolbook_rung, short as short_rung,
};
use proptest::prelude::*;

use super::modulus;
use crate::check::check;
use crate::operands::integer_pair;
use crate::oracle::value;

/// Lengths up to 200 limbs, mostly short ones and the neighbours of powers of two, where recursions split
/// unevenly.
fn lengths(min: usize, max: usize) -> impl Strategy<Value = usize> {
    prop_oneof![
        4 => min..=max.min(12),
        3 => min..=max,
        2 => (2..8_u32, 0..3_usize).prop_map(move |(k, delta)| ((1 << k) + delta - 1).clamp(min, max)),
    ]
}

fn pair<B: Base>(min: usize, max: usize) -> impl Strategy<Value = (Vec<B>, Vec<B>)> {
    lengths(min, max).prop_flat_map(integer_pair)
}

/// Tests a product of pair and square, given what computes it from the factors into room for `lengths` of
/// them.
fn compare<B: Base>(
    (a, b): &(Vec<B>, Vec<B>),
    lengths: usize,
    mut product: impl FnMut(&mut [B], Factors<'_, B>),
) -> Result<(), TestCaseError> {
    let mut out = vec![B::HIGHEST; a.len() * lengths];
    product(&mut out, Factors::Pair(a, b));
    prop_assert_eq!(value(&out), value(a) * value(b) % modulus::<B>(out.len()));
    product(&mut out, Factors::Square(a));
    prop_assert_eq!(value(&out), value(a) * value(a) % modulus::<B>(out.len()));
    Ok(())
}

/// `low` and `wide` as everything else calls them, with one scratch for all lengths.
pub fn dispatched<B: Base>() {
    check((pair::<B>(0, 200), pair::<B>(0, 40)), |(long, short)| {
        let mut scratch = Scratch::new();
        for factors in [&long, &short, &long] {
            compare(factors, 1, |out, factors| mul::low(out, factors, &mut scratch))?;
            compare(factors, 2, |out, factors| mul::wide(out, factors, &mut scratch))?;
        }
        Ok(())
    });
}

/// The products by columns.
pub fn schoolbook<B: Base>() {
    check(pair::<B>(0, 40), |factors| {
        compare(&factors, 1, |out, factors| schoolbook_rung::low(out, factors))?;
        compare(&factors, 2, |out, factors| schoolbook_rung::wide(out, factors))
    });
}

/// Karatsuba's product from its shortest factors up, on scratch that is not zero.
pub fn karatsuba<B: Base>() {
    check(pair::<B>(karatsuba_rung::MIN_LEN, 200), |factors| {
        let mut scratch = vec![B::HIGHEST; karatsuba_rung::scratch_len(factors.0.len())];
        compare(&factors, 2, |out, factors| karatsuba_rung::wide(out, factors, &mut scratch))
    });
}

/// The recursive low product from its shortest factors up, on scratch that is not zero.
pub fn short<B: Base>() {
    check(pair::<B>(short_rung::MIN_LEN, 200), |factors| {
        let mut scratch = vec![B::HIGHEST; short_rung::scratch_len(factors.0.len())];
        compare(&factors, 1, |out, factors| short_rung::low(out, factors, &mut scratch))
    });
}

/// `(a + b)^2 = a^2 + 2ab + b^2` and `ab = ba` mod `B^M`.
pub fn ring<B: Base>() {
    check(pair::<B>(1, 200), |(a, b)| {
        let mut scratch = Scratch::new();
        let mut low = |factors: Factors<'_, B>| {
            let mut out = vec![B::ZERO; factors.len()];
            mul::low(&mut out, factors, &mut scratch);
            out
        };
        let product = low(Factors::Pair(&a, &b));
        prop_assert_eq!(&product, &low(Factors::Pair(&b, &a)));
        prop_assert_eq!(low(Factors::Pair(&a, &a)), low(Factors::Square(&a)));
        let mut sum = a.clone();
        add::add_assign(&mut sum, &b, false);
        let mut expected = low(Factors::Square(&a));
        for term in [&product, &product, &low(Factors::Square(&b))] {
            add::add_assign(&mut expected, term, false);
        }
        prop_assert_eq!(low(Factors::Square(&sum)), expected);
        Ok(())
    });
}
