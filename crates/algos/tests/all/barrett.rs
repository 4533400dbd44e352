//! Barrett's reduction against its definition and num-bigint.

use limbforge_algos::integer::barrett::{reciprocal, reduce};
use limbforge_algos::integer::{Products, Schoolbook, Scratch};
use limbforge_limb::Base;
use limbforge_limb::slice::bits;
use limbforge_reference::reduction;
use limbforge_reference::sample::thinned;
use limbforge_reference::toy::Toy;
use limbforge_testing::operands::integer;
use limbforge_testing::oracle::{limbs, value};
use num_bigint::BigUint;
use proptest::prelude::*;

fn check_with<B: Base, P: Products<B>>(
    modulus: &[B],
    reciprocal: &[B],
    x: &[B],
    products: &mut P,
) -> Result<(), TestCaseError> {
    let n = modulus.len();
    let mut out = vec![B::HIGHEST; n];
    reduce(&mut out, x, modulus, reciprocal, &mut vec![B::HIGHEST; 4 * n + 5], products);
    prop_assert_eq!(value(&out), value(x) % value(modulus));
    prop_assert_eq!(reduction::remainder(x, modulus), out);
    Ok(())
}

/// x as it comes, shorter ones, and the neighbours of multiples of the modulus.
fn check<B: Base>(modulus: &[B], x: &[B], products: &mut impl Products<B>) -> Result<(), TestCaseError> {
    let modulus = bits::significant(modulus);
    if modulus.is_empty() {
        return Ok(());
    }
    let (n, m) = (modulus.len(), value(modulus));
    let b2n = BigUint::from(1_u32) << (2 * n as u32 * B::BITS);
    let mut mu = limbs::<B>(&(&b2n / &m), n + 2);
    mu.truncate(bits::significant(&mu).len());
    // Divisions look at machine words, which short limbs do not fill.
    if B::BITS >= 32 {
        prop_assert_eq!(&reciprocal(modulus, &mut Scratch::default()), &Ok(mu.clone()));
    }
    let x = &x[..x.len().min(2 * n)];
    for len in [x.len(), n, n - 1, 0] {
        check_with(modulus, &mu, &x[..len.min(x.len())], products)?;
    }
    let multiple = value(x) / &m * &m;
    for x in [multiple.clone(), &multiple + &m - 1_u32, &b2n - 1_u32] {
        if x < b2n {
            check_with(modulus, &mu, &limbs(&x, 2 * n), products)?;
        }
    }
    Ok(())
}

fn operands<B: Base>(longest: usize) -> impl Strategy<Value = (Vec<B>, Vec<B>)> {
    (1..longest).prop_flat_map(|n| (integer(n), integer(2 * n)))
}

proptest! {
    #[test]
    fn toy_reductions((m, x) in operands::<Toy<16>>(20)) {
        check(&m, &x, &mut Schoolbook)?;
    }

    #[test]
    fn u32_reductions((m, x) in operands::<u32>(20)) {
        check(&m, &x, &mut Schoolbook)?;
    }

    #[test]
    fn u64_reductions((m, x) in operands::<u64>(20)) {
        check(&m, &x, &mut Scratch::default())?;
    }

    #[test]
    fn u128_reductions((m, x) in operands::<u128>(10)) {
        check(&m, &x, &mut Schoolbook)?;
    }
}

/// Limbs so short that columns that are left out would show; all moduli and numbers of up to two limbs, and longer moduli.
#[test]
fn limbs_of_a_few_bits() {
    for n in [1, 2] {
        for m in 1..1_u32 << (2 * n) {
            for x in 0..1_u32 << (4 * n) {
                let (m, x) = (limbs::<Toy<2>>(&m.into(), n), limbs::<Toy<2>>(&x.into(), 2 * n));
                if x.len() <= 2 * bits::significant(&m).len() {
                    check(&m, &x, &mut Schoolbook).expect("a residue");
                }
            }
        }
    }
    let number = |len: usize, seed: u32| -> Vec<Toy<3>> {
        let low = |i: usize| (i as u32 + seed).wrapping_mul(0x9e37_79b9).rotate_left(9) % 8;
        (0..len).flat_map(|i| limbs::<Toy<3>>(&low(i).into(), 1)).collect()
    };
    for n in 1..24 {
        for seed in 0..40 {
            check(&number(n, seed), &number(2 * n, 7 * seed), &mut Schoolbook).expect("a residue");
        }
    }
}

/// All moduli of up to two limbs, and all numbers of twice as many limbs.
#[test]
fn all_numbers_of_limbs_of_3_bits() {
    for m in thinned(1..64_u32, 4) {
        let m = limbs::<Toy<3>>(&m.into(), 2);
        let (m, mu) = with_reciprocal(bits::significant(&m));
        for x in 0..1_u32 << (6 * m.len()) {
            let x = limbs::<Toy<3>>(&x.into(), 2 * m.len());
            check_with(&m, &mu, &x, &mut Schoolbook).expect("a residue");
        }
    }
}

/// A modulus of n limbs and `floor(B^(2n) / m)`.
fn with_reciprocal<B: Base>(m: &[B]) -> (Vec<B>, Vec<B>) {
    let b2n = BigUint::from(1_u32) << (2 * m.len() as u32 * B::BITS);
    let mu = limbs::<B>(&(b2n / value(m)), m.len() + 2);
    (m.to_vec(), bits::significant(&mu).to_vec())
}

/// All moduli of up to eight bits, and both ends of each quotient's interval: of the numbers of up to twice as many limbs, or of twice
/// as many bits.
fn all_quotients<B: Base>() {
    for modulus in thinned(1..256_u32, 4) {
        let m = limbs::<B>(&modulus.into(), 8_u32.div_ceil(B::BITS) as usize);
        let (m, mu) = with_reciprocal(bits::significant(&m));
        let wide = 2 * m.len() as u32 * B::BITS;
        let limit = 1_u32 << if wide <= 16 { wide } else { 2 * (u32::BITS - modulus.leading_zeros()) };
        let ends = (0..limit).step_by(modulus as usize).flat_map(|x| [x, x + modulus - 1]);
        for x in ends.filter(|&x| x < limit) {
            check_with(&m, &mu, &limbs::<B>(&x.into(), 2 * m.len()), &mut Schoolbook).expect("a residue");
        }
    }
}

#[test]
fn all_quotients_of_moduli_of_limbs_of_2_bits() {
    all_quotients::<Toy<2>>();
}

#[test]
fn all_quotients_of_moduli_of_limbs_of_4_bits() {
    all_quotients::<Toy<4>>();
}

#[test]
fn all_quotients_of_moduli_of_limbs_of_6_bits() {
    all_quotients::<Toy<6>>();
}

#[test]
fn all_quotients_of_moduli_of_u32() {
    all_quotients::<u32>();
}
