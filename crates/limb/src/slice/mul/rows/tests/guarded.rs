//! The passes in assembly, with operands that begin or end at pages that nobody may touch: a limb too far ends
//! the program.

use limbforge_testing::guarded::{At, Guarded};

use super::super::order::Order;
use super::super::{MOST, adx};
use super::whole::is_here;
use super::{for_all_passes, limbs};

fn guarded(limbs: &[u64], at: At) -> Guarded<u64> {
    Guarded::new(limbs, at).unwrap()
}

#[test]
fn assembly_stays_within_its_operands() {
    if !is_here() {
        return;
    }
    for at in At::ALL {
        for_all_passes(|pass, before, a, b| {
            let [mut out, a, b] = [before, a, b].map(|limbs| guarded(limbs, at));
            let mut top = guarded(&vec![7; if pass.shape.ends_low() { 0 } else { a.as_ref().len() }], at);
            // SAFETY: the processor has the instructions, and the lengths are those of a pass.
            #[allow(unsafe_code)]
            unsafe {
                adx::pass(pass, out.as_mut(), top.as_mut(), a.as_ref(), b.as_ref());
            }
        });
        batches(at);
        products_in_one_function(at);
        matrices(at);
        for len in 1..40 {
            let (mut out, a) = (guarded(&limbs(2 * len, 0), at), guarded(&limbs(len, 3), at));
            // SAFETY: as above; `out` has two limbs for each of a.
            #[allow(unsafe_code)]
            unsafe {
                adx::doubling::double_and_add_squares(out.as_mut(), a.as_ref());
            }
        }
    }
}

/// All numbers of rows beside the blocks, in all places of the passes.
fn products_in_one_function(at: At) {
    for len in 9..=130 {
        let mut out = guarded(&limbs(len, 0), at);
        let (a, b) = (guarded(&limbs(len, 2), at), guarded(&limbs(len, 3), at));
        for order in Order::ALL {
            // SAFETY: the processor has the instructions, and the three have one length.
            #[allow(unsafe_code)]
            unsafe {
                adx::low::product(order, out.as_mut(), a.as_ref(), b.as_ref());
            }
            let long = &a.as_ref()[..len / MOST * MOST];
            let mut out = guarded(&limbs(long.len() + len, 0), at);
            let mut square = guarded(&limbs(2 * long.len(), 0), at);
            // SAFETY: as above; a whole number of passes, and the limbs of their products.
            #[allow(unsafe_code)]
            unsafe {
                adx::full::product(order, out.as_mut(), long, b.as_ref());
                adx::cross::products(order, square.as_mut(), long);
            }
        }
    }
}

fn matrices(at: At) {
    use super::super::matrix::{differences, sums};
    for len in 0..20 {
        let (mut a, mut b) = (guarded(&limbs(len, 2), at), guarded(&limbs(len, 3), at));
        let matrix = [[1 << 62, 5], [7, 1 << 63]];
        sums(a.as_mut(), b.as_mut(), &matrix);
        differences(a.as_mut(), b.as_mut(), &matrix);
    }
}

fn batches(at: At) {
    use super::super::batch::{Kind, Numbers, products};
    for (len, count) in (1..30).flat_map(|len| [(len, 1), (len, 3)]) {
        for kind in Kind::ALL {
            let mut out = guarded(&limbs(count * kind.result_limbs(len), 0), at);
            let (a, b) = (guarded(&limbs(count * len, 2), at), guarded(&limbs(len, 3), at));
            let a = Numbers { limbs: a.as_ref(), step: len };
            let b = Numbers { limbs: b.as_ref(), step: 0 };
            assert_eq!(products(kind, len, out.as_mut(), a, b), super::super::are_fast(), "{len} limbs");
        }
    }
}
