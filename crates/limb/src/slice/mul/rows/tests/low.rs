//! Low products in one function against their passes in Rust, and against products by columns.

use super::super::order::Order;
use super::super::{adx, by_passes, portable};
use super::limbs;
use crate::slice::mul::{Factors, schoolbook};

/// All lengths up to those of Mulders' products, with pairs of all kinds of limbs.
#[test]
fn low_products_equal_their_passes() {
    if !(std::is_x86_feature_detected!("bmi2") && std::is_x86_feature_detected!("adx")) {
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
