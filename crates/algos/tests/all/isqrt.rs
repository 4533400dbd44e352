//! The square root against its definition, `s^2 <= a < (s + 1)^2`.

use limbforge_algos::integer::Scratch;
use limbforge_algos::integer::isqrt::{isqrt, isqrt_rem};
use limbforge_limb::Base;
use limbforge_testing::operands::integer;
use limbforge_testing::oracle::{limbs, value};
use num_bigint::BigUint;
use proptest::prelude::*;

fn check<B: Base>(a: &[B], scratch: &mut Scratch) -> Result<(), TestCaseError> {
    let (mut root, mut rest) = (vec![B::HIGHEST; a.len()], vec![B::HIGHEST; a.len()]);
    isqrt_rem(&mut root, &mut rest, a, scratch);
    let mut alone = vec![B::HIGHEST; a.len()];
    isqrt(&mut alone, a, scratch);
    prop_assert_eq!(&alone, &root, "the root alone of {:x}", value(a));
    let (root, rest) = (value(&root), value(&rest));
    prop_assert_eq!(&root * &root + &rest, value(a));
    prop_assert!(rest <= root * 2_u32);
    Ok(())
}

/// A number, and the squares around it.
fn check_squares<B: Base>(a: &[B]) -> Result<(), TestCaseError> {
    let mut scratch = Scratch::default();
    check(a, &mut scratch)?;
    let square = value(a) * value(a);
    let len = 2 * a.len() + 1;
    check(&limbs::<B>(&square, len), &mut scratch)?;
    check(&limbs::<B>(&(&square + 1_u32), len), &mut scratch)?;
    check(&limbs::<B>(&(&square + value(a) * 2_u32), len), &mut scratch)?;
    if square > BigUint::ZERO {
        check(&limbs::<B>(&(square - 1_u32), len), &mut scratch)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn u32_roots((a, long) in (0..40_usize, 0..400_usize).prop_flat_map(|(n, m)| (integer::<u32>(n), integer::<u32>(m)))) {
        check_squares(&a)?;
        check_squares(&long)?;
    }

    #[test]
    fn u64_roots((a, long) in (0..20_usize, 0..400_usize).prop_flat_map(|(n, m)| (integer::<u64>(n), integer::<u64>(m)))) {
        check_squares(&a)?;
        check_squares(&long)?;
    }

    #[test]
    fn u128_roots(a in (0..20_usize).prop_flat_map(integer::<u128>)) {
        check_squares(&a)?;
    }
}

#[test]
fn all_small_numbers() {
    let mut scratch = Scratch::default();
    for a in 0..70_000_u32 {
        check(&[a], &mut scratch).expect("a root");
    }
}

/// Roots around the bounds of words and halves: powers of two, all ones, ones above zeros, zeros above ones.
fn edge_roots(words: usize) -> impl Iterator<Item = BigUint> {
    let one = || BigUint::from(1_u32);
    let bits = 64 * words as u64;
    let cuts =
        [0, 1, 2, 31, 32, 33, 63, 64, bits / 2 - 1, bits / 2, bits / 2 + 1, bits - 64, bits - 2, bits - 1];
    cuts.into_iter().filter(move |&cut| cut < bits).flat_map(move |cut| {
        let (full, power) = ((one() << bits) - 1_u32, one() << cut);
        let top = one() << (bits - 1);
        [full.clone() - &power + 1_u32, &full - &power, &top + &power, &top + &power - 1_u32, power]
    })
}

/// Squares and their neighbours, and numbers just below the next square, of all lengths around those where the
/// method changes.
#[test]
fn squares_of_edges() {
    let mut scratch = Scratch::default();
    let lengths = (1..24).chain([31, 32, 33, 47, 48, 79, 80, 81, 82, 83, 160, 161, 162, 163, 325, 326]);
    for words in lengths {
        for root in edge_roots(words) {
            let square = &root * &root;
            for a in [
                square.clone() - 1_u32,
                square.clone(),
                &square + 1_u32,
                &square + &root,
                &square + &root * 2_u32,
            ] {
                for odd in [0, 1] {
                    check(&limbs::<u64>(&a, 2 * words + odd), &mut scratch).expect("a root");
                }
            }
        }
    }
}

/// As above, around the lengths from which remainders come from squares modulo `B^N - 1` and quotients in halves.
#[test]
fn long_squares_of_edges() {
    let mut scratch = Scratch::default();
    for words in [319, 320, 321, 576, 577, 578, 640, 797, 1025] {
        for root in edge_roots(words).step_by(3) {
            let square = &root * &root;
            let around = [&square + &root, &square + &root * 2_u32, &square - 1_u32, &square + 1_u32, square];
            for a in around {
                check(&limbs::<u64>(&a, 2 * words + 1), &mut scratch).expect("a root");
            }
        }
    }
}

/// A quotient that is longer than the lower half of the root: the upper half leaves twice its root.
#[test]
fn quotients_of_all_bits() {
    let mut scratch = Scratch::default();
    for words in [2_usize, 3, 4, 5, 8, 9, 19, 20, 21, 40, 170, 321, 578] {
        for upper in (1..2 * words).step_by(words.div_ceil(170)) {
            for below in [0, 1, u64::MAX] {
                let mut a = vec![below; 2 * words];
                a[2 * words - upper..].fill(u64::MAX);
                check(&a, &mut scratch).expect("a root");
                a[2 * words - 1] >>= 1;
                check(&a, &mut scratch).expect("a root");
            }
        }
    }
}

/// Roots of one and two words, in floating point, against those of the standard library.
#[test]
fn roots_of_words() {
    let mut scratch = Scratch::default();
    let mut state = 1_u128;
    let random = (0..100_000).map(|_| {
        state = state.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(0x9e37_79b9);
        (state ^ state >> 61).rotate_left(29) >> (state as u32 & 63)
    });
    let powers =
        (0..128).flat_map(|bit| (0..64).map(move |i| (1_u128 << bit).wrapping_add(i).wrapping_sub(32)));
    let roots = random.chain(powers).chain((0..200).map(|i| u128::MAX - i));
    let around = |root: u128| {
        let s = root as u64;
        let square = u128::from(s) * u128::from(s);
        let last = square.wrapping_add(2 * u128::from(s));
        [root, square, square.wrapping_sub(1), last, last.wrapping_sub(1), last.wrapping_add(1)]
    };
    for a in roots.flat_map(around) {
        let mut root = [7; 2];
        isqrt(&mut root, &[a as u64, (a >> 64) as u64], &mut scratch);
        assert_eq!(root, [a.isqrt() as u64, 0], "{a:#x}");
        let mut rest = [7; 2];
        isqrt_rem(&mut root, &mut rest, &[a as u64, (a >> 64) as u64], &mut scratch);
        let left = a - a.isqrt() * a.isqrt();
        assert_eq!((root, rest), ([a.isqrt() as u64, 0], [left as u64, (left >> 64) as u64]), "{a:#x}");
    }
}
