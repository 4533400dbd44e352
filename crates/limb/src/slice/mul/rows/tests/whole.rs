//! Products in one function against their passes in Rust, and against products by columns.

use super::super::order::Order;
use super::super::{MOST, Pass, Shape, adx, by_passes, portable};
use super::limbs;
use crate::slice::mul::{Factors, schoolbook};

/// Whether the processor has the instructions, also where the portable code is forced.
pub(super) fn is_here() -> bool {
    std::is_x86_feature_detected!("bmi2") && std::is_x86_feature_detected!("adx")
}

/// All lengths up to those of Mulders' products, with pairs of all kinds of limbs.
#[test]
fn low_products_equal_their_passes() {
    if !is_here() {
        return;
    }
    for (len, kind) in (9..=130).flat_map(|len| (0..25).map(move |kind| (len, kind))) {
        let (a, b) = (limbs(len, kind % 5), limbs(len, kind / 5));
        // Limbs that are in the result before must not be in it afterwards.
        let mut expected = limbs(len, kind % 3);
        by_passes(&mut expected, &a, &b, portable::pass);
        for order in Order::ALL {
            let mut found = limbs(len, 4);
            // SAFETY: the processor has the instructions, and the three have one length.
            #[allow(unsafe_code)]
            unsafe {
                adx::low::product(order, &mut found, &a, &b);
            }
            assert_eq!(found, expected, "{order:?}: {a:x?} by {b:x?}");
        }
        if kind % 6 == 3 {
            let found = expected.clone();
            schoolbook::columns(&mut expected, Factors::Pair(&a, &b));
            assert_eq!(found, expected, "{a:x?} by {b:x?}, by columns");
        }
    }
}

/// Full products of all lengths of the second factor, with pairs of all kinds of limbs.
#[test]
fn full_products_equal_those_by_columns() {
    if !is_here() {
        return;
    }
    for (passes, len, kind) in (1..=3)
        .flat_map(|passes| (1..=40).map(move |len| (passes, len)))
        .flat_map(|(passes, len)| (0..25).map(move |kind| (passes, len, kind)))
    {
        let (a, b) = (limbs(passes * MOST, kind % 5), limbs(len, kind / 5));
        let mut expected = vec![0; a.len() + len];
        schoolbook::window(&mut expected, &a, &b, 0);
        for order in Order::ALL {
            let mut found = limbs(expected.len(), kind % 3);
            // SAFETY: the processor has the instructions, and the lengths are those of a product.
            #[allow(unsafe_code)]
            unsafe {
                adx::full::product(order, &mut found, &a, &b);
            }
            assert_eq!(found, expected, "{order:?}: {a:x?} by {b:x?}");
        }
    }
}

/// The products of different limbs of squares, by passes in Rust. Limb 0 stays as it is.
#[test]
fn cross_products_equal_their_passes() {
    if !is_here() {
        return;
    }
    for (passes, kind) in (1..=9).flat_map(|passes| (0..25).map(move |kind| (passes, kind))) {
        let a = limbs(passes * MOST, kind % 5);
        let before = limbs(2 * a.len(), kind / 5);
        let mut expected = before.clone();
        for done in (0..a.len()).step_by(MOST) {
            let (sum, top) = expected[2 * done..].split_at_mut(a.len() - done);
            let pass = Pass { shape: Shape::Square, add: done > 0 };
            portable::pass(pass, sum, &mut top[..MOST], &a[done..done + MOST], &a[done..]);
        }
        for order in Order::ALL {
            let mut found = before.clone();
            // SAFETY: the processor has the instructions, and the lengths are those of a square.
            #[allow(unsafe_code)]
            unsafe {
                adx::cross::products(order, &mut found, &a);
            }
            assert_eq!(found, expected, "{order:?}: {a:x?}");
        }
    }
}

/// Sums and differences with multiples, against those in Rust.
#[test]
fn multiples_in_both_orders_equal_those_in_rust() {
    use super::super::multiple::portable;
    if !is_here() {
        return;
    }
    for (len, kind) in (0..40).flat_map(|len| (0..24).map(move |kind| (len, kind))) {
        let (acc, b) = (limbs(len, kind % 4), limbs(len, kind / 4));
        for digit in [0, 1, u64::MAX, 1 << 63, limbs(1, kind + 3)[0]] {
            let [mut sum, mut difference] = [acc.clone(), acc.clone()];
            let above = portable::<_, false>(&mut sum, &b, digit);
            let below = portable::<_, true>(&mut difference, &b, digit);
            for order in Order::ALL {
                let [mut found_sum, mut found] = [acc.clone(), acc.clone()];
                // SAFETY: the processor has the instructions, and both have one length.
                #[allow(unsafe_code)]
                let ends = unsafe {
                    let above = adx::multiple::add(order, &mut found_sum, &b, digit);
                    (above, adx::multiple::sub(order, &mut found, &b, digit))
                };
                assert_eq!((&found_sum, ends.0), (&sum, above), "{order:?}: {acc:x?} + {digit:x} {b:x?}");
                assert_eq!((&found, ends.1), (&difference, below), "{order:?}: {acc:x?} - {digit:x} {b:x?}");
            }
        }
    }
}
