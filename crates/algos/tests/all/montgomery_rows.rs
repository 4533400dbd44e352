//! Montgomery's reduction by rows against that word by word.

use limbforge_algos::integer::Schoolbook;
use limbforge_algos::integer::modinv2k;
use limbforge_algos::integer::montgomery::{negated_inverse, reduce, reduce_by_rows};
use limbforge_limb::slice::{mul::rows::MOST, sub};
use limbforge_testing::operands::integer;
use limbforge_testing::oracle::{limbs, value};
use proptest::prelude::*;

fn check(modulus: &[u64], x: &[u64]) -> Result<(), TestCaseError> {
    let n = modulus.len();
    let x = limbs::<u64>(&(value(x) % (value(modulus) << (64 * n))), 2 * n);
    let mut negated = vec![0; n.min(MOST)];
    modinv2k::lift(&mut negated, &modulus[..n.min(MOST)], &mut Schoolbook).expect("odd");
    sub::neg_assign(&mut negated);
    let [mut expected, mut found] = [vec![7; n], vec![9; n]];
    reduce(&mut expected, &mut x.clone(), modulus, negated_inverse(modulus[0]));
    reduce_by_rows(&mut found, &mut x.clone(), modulus, &negated);
    prop_assert_eq!(found, expected);
    Ok(())
}

proptest! {
    #[test]
    fn rows_equal_words((mut modulus, x) in (1_usize..70).prop_flat_map(|n| (integer(n), integer(2 * n)))) {
        modulus[0] |= 1;
        check(&modulus, &x)?;
    }
}

/// The largest numbers below m B^n, modulo the largest moduli.
#[test]
fn extremes_by_rows() {
    for n in 1..40 {
        let mut modulus = vec![u64::MAX; n];
        check(&modulus, &vec![u64::MAX; 2 * n]).unwrap();
        modulus[0] = 1;
        check(&modulus, &vec![u64::MAX; 2 * n]).unwrap();
        check(&modulus, &vec![0; 2 * n]).unwrap();
    }
}
