//! Products and powers by folds, against num-bigint.

mod sequences;

use limbforge_algos::modmul_fold::{Fold, LARGEST_WORDS};
use num_bigint::BigUint;
use proptest::prelude::*;

fn power_of_two(bits: u64) -> BigUint {
    BigUint::from(1_u32) << bits
}

/// The largest number that the proof admits, and a modulus whose residues have large bytes.
#[test]
fn products_of_the_largest_numbers_stay_in_range() {
    for words in 1..=LARGEST_WORDS {
        let fold = Fold::new(words).unwrap();
        let bits = 32 * u64::from(words);
        let bound = power_of_two(bits) * (1 + 255 * 4 * (words + 1));
        let largest = &bound - 1_u32;
        for n in [
            power_of_two(bits) - 1_u32,
            power_of_two(bits) - 3_u32,
            power_of_two(bits - 1) + 1_u32,
            0_u32.into(),
        ] {
            let modulus = fold.modulus(&n).unwrap();
            let product = modulus.product(&largest, &largest);
            assert!(product < bound && product.bits() <= bits + 32, "{words}");
            let n = n.max(1_u32.into());
            assert_eq!(product % &n, &largest * &largest % &n, "{words}");
        }
    }
}

proptest! {
    #[test]
    fn powers_are_those_of_num_bigint(
        words in 1..=LARGEST_WORDS,
        operands in prop::array::uniform2(prop::collection::vec(any::<u32>(), 1..64)),
        exponent in any::<u64>(),
        kept in 0_u64..2048,
    ) {
        let [base, n] = operands.map(|words| BigUint::new(words) >> (2048 - kept));
        let cut = |x: BigUint| x % power_of_two(32 * u64::from(words));
        let (base, n, exponent) = (cut(base), cut(n).max(1_u32.into()), BigUint::from(exponent));
        let found = Fold::new(words).unwrap().modulus(&n).unwrap().power(&base, &exponent).unwrap();
        prop_assert_eq!(found, base.modpow(&exponent, &n));
    }
}
