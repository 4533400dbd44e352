//! The passes in assembly against those in Rust, and those against products by columns.

#[cfg(all(target_os = "linux", target_arch = "x86_64", not(feature = "portable"), not(miri)))]
mod guarded;
mod matrix;
mod short;
#[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
mod whole;

use super::super::{Factors, schoolbook};
use super::{MOST, Pass, Shape, low, portable, wide};

const SHAPES: [Shape; 4] = [Shape::Wide, Shape::Low, Shape::Square, Shape::SquareLow];

/// Limbs of a kind: all ones, a single bit in each, a mix of extremes, and pseudorandom ones.
fn limbs(len: usize, kind: u64) -> Vec<u64> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(kind + 1);
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let limb = |_| match (kind, next()) {
        (0, _) => u64::MAX,
        (1, x) => 1 << (x % 64),
        (2, x) => [0, 1, u64::MAX, u64::MAX - 1, 1 << 63][(x % 5) as usize],
        (_, x) => x,
    };
    (0..len).map(limb).collect()
}

/// Differences with multiples, with a borrow through all limbs and without, against a product by columns.
#[test]
fn differences_equal_those_of_products() {
    for (len, kind) in (0..40).flat_map(|len| (0..24).map(move |kind| (len, kind))) {
        let (acc, b) = (limbs(len, kind % 4), limbs(len, kind / 4));
        for digit in [0, 1, u64::MAX, 1 << 63, limbs(1, kind + 3)[0]] {
            let [mut found, mut portable] = [acc.clone(), acc.clone()];
            let borrow = super::multiple::sub(&mut found, &b, digit);
            let below = super::multiple::portable::<_, true>(&mut portable, &b, digit);
            assert_eq!(below, borrow, "{acc:x?} {b:x?} {digit:x}");
            assert_eq!(found, portable, "{acc:x?} - {digit:x} {b:x?}");
            // found + digit b = acc + borrow B^n.
            let (mut factor, mut product) = (vec![0; len], vec![0; 2 * len]);
            factor.iter_mut().take(1).for_each(|limb| *limb = digit);
            schoolbook::columns(&mut product, Factors::Pair(&b, &factor));
            found.resize(2 * len, 0);
            assert!(!crate::slice::add::add_assign(&mut found, &product, false));
            let mut sum = acc.clone();
            sum.resize(2 * len, 0);
            if let Some(above) = sum.get_mut(len) {
                *above = borrow;
            }
            assert_eq!(found, sum, "{acc:x?} - {digit:x} {b:x?}");
        }
    }
}

/// Sums with multiples, with a carry through all limbs and without, against a product by columns.
#[test]
fn multiples_equal_those_of_products() {
    for (len, kind) in (0..40).flat_map(|len| (0..24).map(move |kind| (len, kind))) {
        let (acc, b) = (limbs(len, kind % 4), limbs(len, kind / 4));
        for digit in [0, 1, u64::MAX, 1 << 63, limbs(1, kind + 3)[0]] {
            let [mut found, mut portable] = [acc.clone(), acc.clone()];
            let above = super::multiple::add(&mut found, &b, digit);
            let beyond = super::multiple::portable::<_, false>(&mut portable, &b, digit);
            assert_eq!(beyond, above, "{acc:x?} {b:x?} {digit:x}");
            assert_eq!(found, portable, "{acc:x?} + {digit:x} {b:x?}");
            let (mut factor, mut sum) = (vec![0; len], vec![0; 2 * len]);
            factor.iter_mut().take(1).for_each(|limb| *limb = digit);
            schoolbook::columns(&mut sum, Factors::Pair(&b, &factor));
            assert!(!crate::slice::add::add_assign(&mut sum, &acc, false));
            assert_eq!((&sum[..len], sum.get(len)), (&found[..], Some(&above).filter(|_| len > 0)));
        }
    }
}

/// Runs `test` on every pass: its shape, and the two results before it, a and b.
fn for_all_passes(test: impl Fn(Pass, &[u64], &[u64], &[u64])) {
    for (shape, width, extra, kind) in SHAPES.iter().flat_map(|&shape| {
        (1..=MOST).flat_map(move |w| (0..20).flat_map(move |e| (0..8).map(move |kind| (shape, w, e, kind))))
    }) {
        let b = limbs((shape.fewest_rows(width) + extra).max(1), kind);
        let a = if shape.starts_below() { b[..width].to_vec() } else { limbs(width, kind / 2) };
        for add in [false, true] {
            test(Pass { shape, add }, &limbs(b.len(), kind % 3), &a, &b);
        }
    }
}

#[test]
#[cfg(all(target_arch = "x86_64", not(feature = "portable"), not(miri)))]
fn assembly_equals_rust() {
    if !(std::is_x86_feature_detected!("bmi2") && std::is_x86_feature_detected!("adx")) {
        return;
    }
    for_all_passes(|pass, before, a, b| {
        let top = if pass.shape.ends_low() { 0 } else { a.len() };
        let [mut expected, mut found] = [(before.to_vec(), vec![7; top]), (before.to_vec(), vec![9; top])];
        portable::pass(pass, &mut expected.0, &mut expected.1, a, b);
        // SAFETY: the processor has the instructions, and the lengths are those of a pass.
        #[allow(unsafe_code)]
        unsafe {
            super::adx::pass(pass, &mut found.0, &mut found.1, a, b);
        }
        assert_eq!(found, expected, "{pass:?} of {a:x?} by {b:x?}");
    });
    for (len, kind) in (1..40).flat_map(|len| (0..8).map(move |kind| (len, kind))) {
        let (a, sum) = (limbs(len, kind), limbs(2 * len, kind % 3));
        let [mut expected, mut found] = [sum.clone(), sum];
        let carry = portable::double_and_add_squares(&mut expected, &a);
        // SAFETY: as above.
        #[allow(unsafe_code)]
        let found_carry = unsafe { super::adx::doubling::double_and_add_squares(&mut found, &a) };
        assert_eq!((found, found_carry), (expected, carry), "{a:x?}");
    }
}

/// The result of a pass is that of single products.
#[test]
fn rust_equals_single_products() {
    for_all_passes(|pass, before, a, b| {
        let ends_low = pass.shape.ends_low();
        let top = if ends_low { 0 } else { a.len() };
        let mut found = [before, &vec![7; top]].concat();
        let (out, above) = found.split_at_mut(b.len());
        portable::pass(pass, out, above, a, b);
        let mut expected = vec![0; b.len() + top];
        if pass.add {
            expected[..b.len()].copy_from_slice(before);
        }
        for (i, j) in (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| (i, j))) {
            if i + j < expected.len() && !(pass.shape.starts_below() && i >= j) {
                let (low, high) = a[i].carrying_mul(b[j], 0);
                crate::slice::add::add_assign(
                    &mut expected[i + j..],
                    &[low, high][..2.min(top + b.len() - i - j)],
                    false,
                );
            }
        }
        if pass.shape.starts_below() {
            expected[0] = before[0];
        }
        assert_eq!(found, expected, "{pass:?} of {a:x?} by {b:x?}");
    });
}

#[test]
fn products_equal_those_by_columns() {
    for (len, kind) in (0..70).flat_map(|len| (0..6).map(move |kind| (len, kind))) {
        let (a, b) = (limbs(len, kind), limbs(len, kind + 1));
        for factors in [Factors::Pair(&a, &b), Factors::Square(&a)] {
            let [mut expected, mut found] = [vec![3; len], vec![5; len]];
            schoolbook::columns(&mut expected, factors);
            low(&mut found, factors);
            assert_eq!(found, expected, "low: {factors:x?}");
            let [mut expected, mut found] = [vec![3; 2 * len], vec![5; 2 * len]];
            schoolbook::columns(&mut expected, factors);
            wide(&mut found, factors);
            assert_eq!(found, expected, "wide: {factors:x?}");
        }
    }
}
