//! Short products in assembly, and the sum of three products, against products by columns.

use super::super::batch::{Kind, Numbers, has, products};
use super::limbs;
use crate::slice::mul::{Factors, Scratch, schoolbook};

fn by_columns(kind: Kind, a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut out = vec![7; kind.result_limbs(a.len())];
    let factors = if kind.is_square() { Factors::Square(a) } else { Factors::Pair(a, b) };
    schoolbook::columns(&mut out, factors);
    out
}

/// Of kernels without loops, of passes of unequal widths, and on both sides of each threshold.
const LENGTHS: [usize; 22] =
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 19, 24, 27, 28, 47, 48, 111, 112, 208];

/// Batches of three and of none, with a factor for each product and with one for all.
#[test]
fn batches_equal_products_by_columns() {
    for (len, pattern) in LENGTHS.into_iter().flat_map(|len| {
        let each = if len < 20 { 1 } else { 9 };
        (0..64).step_by(each).map(move |pattern| (len, pattern))
    }) {
        let (a, b) = (limbs(3 * len, pattern % 8), limbs(3 * len, pattern / 8));
        for (kind, a_step, b_step) in
            Kind::ALL.into_iter().flat_map(|kind| [(kind, len, len), (kind, 0, len), (kind, len, 0)])
        {
            let number = |limbs: &[u64], step: usize, i: usize| limbs[i * step..][..len].to_vec();
            let expected: Vec<u64> = (0..3)
                .flat_map(|i| by_columns(kind, &number(&a, a_step, i), &number(&b, b_step, i)))
                .collect();
            let mut found = vec![9; expected.len()];
            let [a, b] = [(&a, a_step), (&b, b_step)].map(|(limbs, step)| Numbers { limbs, step });
            let is_computed = products(kind, len, &mut found, a, b);
            assert_eq!(is_computed, has(kind, len), "{len} limbs");
            if is_computed {
                assert_eq!(found, expected, "{kind:?} of {a:x?} by {b:x?}");
            }
            products(kind, len, &mut [], a, b);
        }
    }
}

/// Lengths are checked before a kernel runs.
#[test]
fn a_missing_factor_is_refused() {
    let [a, b] = [&[1, 2][..], &[3]].map(|limbs| Numbers { limbs, step: 1 });
    let refused = std::panic::catch_unwind(|| products(Kind::Low, 1, &mut [0; 2], a, b));
    assert_eq!(refused.ok(), if has(Kind::Low, 1) { None } else { Some(false) });
}

/// All lengths, through the ladder.
#[test]
fn products_of_the_ladder_equal_those_by_columns() {
    let mut scratch = Scratch::new();
    for (len, pattern) in (1..140).flat_map(|len| (0..6).map(move |pattern| (len, pattern))) {
        let (a, b) = (limbs(len, pattern), limbs(len, pattern / 2 + 1));
        for kind in Kind::ALL {
            let expected = by_columns(kind, &a, &b);
            let mut found = vec![9; expected.len()];
            match kind {
                Kind::Wide => crate::slice::mul::wide(&mut found, Factors::Pair(&a, &b), &mut scratch),
                Kind::Low => crate::slice::mul::low(&mut found, Factors::Pair(&a, &b), &mut scratch),
                Kind::Square => crate::slice::mul::wide(&mut found, Factors::Square(&a), &mut scratch),
                Kind::LowSquare => crate::slice::mul::low(&mut found, Factors::Square(&a), &mut scratch),
            }
            assert_eq!(found, expected, "{kind:?} of {a:x?} by {b:x?}");
        }
    }
}
