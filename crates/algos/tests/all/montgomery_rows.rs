//! Montgomery's reduction by rows, and its kernels in assembly, against that word by word.

use limbforge_algos::integer::Schoolbook;
use limbforge_algos::integer::modinv2k;
use limbforge_algos::integer::montgomery::{
    fused_mul, negated_inverse, reduce, reduce_by_kernel, reduce_by_rows,
};
use limbforge_limb::slice::mul::rows::{MOST, are_fast, montgomery};
use limbforge_limb::slice::sub;
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
    prop_assert_eq!(&found, &expected);
    found.fill(9);
    let is_done = reduce_by_kernel(&mut found, &mut x.clone(), modulus, negated_inverse(modulus[0]));
    prop_assert_eq!(is_done, are_fast() && (9..=24).contains(&n), "{} words", n);
    prop_assert_eq!(&found, if is_done { &expected } else { &vec![9; n] });
    check_product(modulus, &x)
}

/// The kernels of products against the same in Rust, for residues that x is made of.
fn check_product(modulus: &[u64], x: &[u64]) -> Result<(), TestCaseError> {
    let (n, m) = (modulus.len(), value(modulus));
    let [a, b] = [value(x) / &m, value(x)].map(|x| limbs::<u64>(&(x % &m), n));
    let most = limbs::<u64>(&(&m - 1_u32), n);
    for (a, b) in [(&a, &b), (&b, &b), (&most, &most), (&a, &most), (&most, &b)] {
        let [mut expected, mut found] = [vec![9; n], vec![9; n]];
        let is_done = montgomery::product(&mut found, a, b, modulus, negated_inverse(modulus[0]));
        prop_assert_eq!(is_done, are_fast() && n <= 8 && modulus[n - 1] != u64::MAX, "{} words", n);
        if is_done {
            prop_assert!(fused_mul(&mut expected, a, b, modulus, negated_inverse(modulus[0])));
        }
        prop_assert_eq!(&found, &expected, "{:x?} times {:x?} modulo {:x?}", a, b, modulus);
        let [mut power, mut room] = [b.clone(), b.clone()];
        if montgomery::squares(&mut power, 3, modulus, negated_inverse(modulus[0])) {
            for _ in 0..3 {
                fused_mul(&mut expected, &room, &room, modulus, negated_inverse(modulus[0]));
                room.clone_from(&expected);
            }
        }
        prop_assert_eq!(power, room, "squares of {:x?} modulo {:x?}", b, modulus);
    }
    Ok(())
}

proptest! {
    #[test]
    fn rows_equal_words((mut modulus, x) in (1_usize..70).prop_flat_map(|n| (integer(n), integer(2 * n)))) {
        modulus[0] |= 1;
        check(&modulus, &x)?;
    }

    #[test]
    fn kernels_equal_words((mut modulus, x) in (1_usize..26).prop_flat_map(|n| (integer(n), integer(2 * n)))) {
        modulus[0] |= 1;
        check(&modulus, &x)?;
        if let [_, .., top] = &mut modulus[..] {
            *top = u64::MAX - 1;
            check(&modulus, &x)?;
        }
    }
}

/// The largest numbers below m B^n, modulo the largest moduli.
#[test]
fn extremes_by_rows() {
    for n in 2..40 {
        let mut modulus = vec![u64::MAX; n];
        check(&modulus, &vec![u64::MAX; 2 * n]).unwrap();
        modulus[0] = 1;
        check(&modulus, &vec![u64::MAX; 2 * n]).unwrap();
        check(&modulus, &vec![0; 2 * n]).unwrap();
        // The longest moduli of products in registers.
        modulus[0] = u64::MAX;
        modulus[n - 1] = u64::MAX - 1;
        check(&modulus, &vec![u64::MAX; 2 * n]).unwrap();
    }
}
