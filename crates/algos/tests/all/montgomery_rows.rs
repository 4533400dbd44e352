//! Montgomery's reduction by rows, and its kernels in assembly, against that word by word.

use limbforge_algos::integer::Schoolbook;
use limbforge_algos::integer::modinv2k;
use limbforge_algos::integer::montgomery::{
    fused_mul, negated_inverse, reduce, reduce_by_kernel, reduce_by_rows,
};
use limbforge_limb::slice::mul::rows::{MOST, are_fast, montgomery::Short};
use limbforge_limb::slice::sub;
use limbforge_testing::operands::integer;
use limbforge_testing::oracle::{limbs, value};
use num_bigint::BigUint;
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
    let short = Short::new(modulus, negated_inverse(modulus[0]));
    prop_assert_eq!(short.is_some(), are_fast() && n <= 8, "{} words", n);
    let Some(short) = short else { return Ok(()) };
    let [a, b] = [value(x) / &m, value(x)].map(|x| limbs::<u64>(&(x % &m), n));
    let (most, highest) = (limbs::<u64>(&(&m - 1_u32), n), vec![u64::MAX; n]);
    let small = limbs::<u64>(&(value(&[1_u64]) % &m), n);
    // The second factor may be above m.
    for (a, b) in
        [(&a, &b), (&b, &b), (&most, &most), (&a, &most), (&most, &b), (&most, &small), (&most, &highest)]
    {
        let [mut expected, mut found] = [vec![9; n], vec![9; n]];
        prop_assert!(fused_mul(&mut expected, a, b, modulus, negated_inverse(modulus[0])));
        short.product(&mut found, a, b);
        prop_assert_eq!(&found, &expected, "{:x?} times {:x?} modulo {:x?}", a, b, modulus);
        found.clone_from(a);
        short.mul(&mut found, b);
        prop_assert_eq!(&found, &expected, "{:x?} times {:x?} modulo {:x?}, in place", a, b, modulus);
        let [mut power, mut room] = [a.clone(), a.clone()];
        short.squares(&mut power, 0);
        prop_assert_eq!(&power, &room);
        short.squares(&mut power, 3);
        for _ in 0..3 {
            fused_mul(&mut expected, &room, &room, modulus, negated_inverse(modulus[0]));
            room.clone_from(&expected);
        }
        prop_assert_eq!(power, room, "squares of {:x?} modulo {:x?}", a, modulus);
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

/// Residues whose sum holds two moduli: `m - 1` times `m - k (B - 1)` modulo `m = B^n - B + 1`, from four limbs on.
#[test]
fn a_second_subtraction() {
    for n in 4..=8 {
        let mut modulus = vec![u64::MAX; n];
        modulus[0] = 1;
        let Some(short) = Short::new(&modulus, u64::MAX) else { return };
        let m = value(&modulus);
        for k in [0_u64, 1, 2, 5, 1 << 40] {
            let [a, b] = [&m - 1_u32, &m - u64::MAX * BigUint::from(k)];
            let mut found = vec![9; n];
            short.product(&mut found, &limbs::<u64>(&a, n), &limbs::<u64>(&b, n));
            assert!(value(&found) < m, "{k}");
            assert_eq!((value(&found) << (64 * n)) % &m, a * b % &m, "{k}");
        }
    }
}

/// `(m - 3)^2 / R` modulo `m = 2^256 - 3` is 3: its sum `2m + 3` less m is above R.
#[test]
fn a_first_difference_of_five_limbs() {
    let mut modulus = [u64::MAX; 4];
    modulus[0] = u64::MAX - 2;
    let mut x = modulus;
    x[0] -= 3;
    if let Some(short) = Short::new(&modulus, negated_inverse(modulus[0])) {
        short.squares(&mut x, 255);
        assert_eq!(x, [3, 0, 0, 0]);
    }
}

/// Moduli whose top limbs are all ones, or nearly so, and whose `1/B mod m` is near m.
#[test]
fn sums_of_two_moduli() {
    for n in 1..=8 {
        for (low, middle) in [1, 3, u64::MAX, u64::MAX - 2, 1 << 63 | 1]
            .into_iter()
            .flat_map(|low| [0, 1, u64::MAX, u64::MAX - 1, 1 << 63].map(|middle| (low, middle)))
        {
            for top in [u64::MAX, u64::MAX - 1, 1 << 63, 1] {
                let mut modulus = vec![middle; n];
                modulus[n - 1] = top;
                modulus[0] = low;
                for x in [vec![u64::MAX; 2 * n], vec![1 << 63; 2 * n], vec![0x9e37_79b9_7f4a_7c15; 2 * n]] {
                    check_product(&modulus, &x).unwrap();
                }
            }
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
