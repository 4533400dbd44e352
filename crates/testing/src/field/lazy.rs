//! Reductions on raw words, strict and lazy, against `%`.

use limbforge_field::word::Base;
use limbforge_field::{PrimeField, Reduction, ShoupConstant};
use proptest::prelude::*;

use super::{check_residues, plus, times};

/// One more than the largest lazy word: `min(2p, 2^BITS)`.
fn lazy_end<W: Base>(p: u64) -> u128 {
    (2 * u128::from(p)).min(1 << W::BITS)
}

fn word<W: Base>(value: u64) -> W {
    W::from_word(value)
}

/// The reduction of the field.
pub fn reductions<F: PrimeField>() {
    assert_eq!(F::REDUCTION.modulus().low_word(), F::MODULUS);
    assert_eq!(F::REDUCTION.one(), F::ONE.raw());
    check_reduction(F::REDUCTION);
}

/// Any reduction: strict results, and lazy ones on strict and on lazy operands.
pub fn check_reduction<R: Reduction>(reduction: R) {
    let p = reduction.modulus().low_word();
    let end = lazy_end::<R::Word>(p);
    let highest = R::Word::HIGHEST.low_word();
    check_residues(p, &|[a, b, c]| {
        for raw in [a, word::<R::Word>(c.wrapping_mul(3)).low_word(), highest, highest - a % highest] {
            let encoded = reduction.encode(word(raw));
            prop_assert!(encoded.low_word() < p);
            prop_assert_eq!(reduction.decode(encoded).low_word(), raw % p);
        }
        let (x, y) = (reduction.encode(word(a)), reduction.encode(word(b)));
        let decode = |raw: R::Word| reduction.decode(raw).low_word();
        prop_assert_eq!(decode(reduction.mul(x, y)), times(a, b, p));
        prop_assert_eq!(decode(reduction.square(x)), times(a, a, p));
        prop_assert_eq!(decode(reduction.add(x, y)), plus(a, b, p));
        prop_assert_eq!(decode(reduction.sub(x, y)), plus(a, p - b, p));
        prop_assert_eq!(reduction.sub(x, reduction.modulus()), x);
        prop_assert_eq!(decode(reduction.neg(x)), plus(0, p - a, p));
        prop_assert_eq!(reduction.double(reduction.halve(x)), x);

        // Every representative below the end, of both operands, as far as the product's bound allows.
        for lazy_x in (0..4).map(|i| u128::from(x.low_word()) + i * u128::from(p)) {
            for lazy_y in [u128::from(y.low_word()), u128::from(y.low_word()) + u128::from(p)] {
                let fits = lazy_x.max(lazy_y) <= u128::from(highest)
                    && lazy_x.checked_mul(lazy_y).is_some_and(|product| product >> R::Word::BITS < p.into());
                if !fits {
                    continue;
                }
                let product = reduction.mul_lazy(word(lazy_x as u64), word(lazy_y as u64));
                prop_assert!(u128::from(product.low_word()) < end, "{} * {}", lazy_x, lazy_y);
                prop_assert_eq!(decode(reduction.reduce_2p(product)), times(a, b, p));
            }
        }
        for lazy in [c, c.saturating_add(p)].into_iter().filter(|&lazy| u128::from(lazy) < end) {
            prop_assert_eq!(reduction.reduce_2p(word(lazy)).low_word(), lazy % p);
        }
        Ok(())
    });
}

/// Products with constants, of any word and of any raw form.
pub fn constants_times<F: PrimeField>() {
    let p = F::MODULUS;
    let highest = F::Word::HIGHEST.low_word();
    check_residues(p, &|[w, a, b]| {
        let constant = ShoupConstant::<F::Word>::new(word(w), word(p));
        prop_assert_eq!(constant.value().low_word(), w);
        let quotient = ((u128::from(w) << F::Word::BITS) / u128::from(p)) as u64;
        prop_assert_eq!(constant.quotient().low_word(), quotient);
        for x in [a, highest - a % highest, b.wrapping_mul(a) & highest, highest, 0] {
            let lazy = constant.mul_lazy(word(x), word(p)).low_word();
            let end = if u128::from(p) * 2 <= 1 << F::Word::BITS { 2 * p } else { p };
            prop_assert!(lazy < end, "{} * {} left {}", w, x, lazy);
            prop_assert_eq!(lazy % p, times(w, x, p));
            prop_assert_eq!(constant.mul(word(x), word(p)).low_word(), times(w, x, p));
        }
        let (w, a) = (F::from(w), F::from(a));
        let constant = F::REDUCTION.shoup(w.raw());
        prop_assert_eq!(F::from_raw(constant.mul(a.raw(), word(p))), w * a);
        Ok(())
    });
}
