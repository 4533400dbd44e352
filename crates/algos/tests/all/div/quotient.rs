//! Quotients from the top limbs, without remainders.

use limbforge_algos::integer::Scratch;
use limbforge_algos::integer::div::{div_rem, quotient::quotient};
use limbforge_limb::slice::bits::significant;
use limbforge_limb::slice::div::{digit, quotient as on_limbs, recursive::Thresholds};
use limbforge_limb::{Base, DivisionByZero};
use limbforge_reference::toy::Toy;
use limbforge_testing::operands::{integer, samples};
use limbforge_testing::oracle::{self, value};
use num_bigint::BigUint;

use crate::div::limbs;

/// All pairs of numbers of so many limbs: a digit is right, and those of exact quotients are left open.
fn all_digits<B: Base>(len: usize) {
    let count = 1_u32 << (len as u32 * B::BITS);
    let top = count >> B::BITS;
    let (mut found, mut open) = (0, 0);
    for v in top..count {
        for u in 0..count {
            let [a, b] = [u, v].map(|x| oracle::limbs::<B>(&BigUint::from(x), len));
            match digit::quotient(&a, &b) {
                Some(digit) => {
                    assert_eq!(value(&[digit]), BigUint::from(u / v), "{u} by {v}");
                    found += 1;
                }
                None => open += 1,
            }
            assert!(u < v || u % v != 0 || digit::quotient(&a, &b).is_none(), "{u} by {v} is exact");
        }
    }
    assert!(found > open, "{found} of {} in base 2^{}", found + open, B::BITS);
}

#[test]
fn digits_of_all_short_numbers() {
    all_digits::<Toy<2>>(2);
    all_digits::<Toy<2>>(3);
    all_digits::<Toy<3>>(2);
    all_digits::<Toy<4>>(2);
}

/// The quotient, beside zeros and what the memory had before.
fn check<B: Base>(u: &BigUint, v: &BigUint, scratch: &mut Scratch) {
    let (mut u_limbs, mut v_limbs) = (limbs::<B>(u), limbs::<B>(v));
    for zeros in [0, 1, 3] {
        u_limbs.resize(u_limbs.len() + zeros, B::ZERO);
        v_limbs.resize(v_limbs.len() + zeros, B::ZERO);
        let mut out = vec![B::HIGHEST; u_limbs.len()];
        let mut room = vec![B::HIGHEST; zeros];
        quotient(&mut out, &u_limbs, &v_limbs, &mut room, scratch).unwrap();
        assert_eq!(value(&out), u / v, "{u:#x} by {v:#x}");
    }
    estimates(&limbs::<B>(u), &limbs::<B>(v));
}

/// Estimates digit by digit, and as halves from the fewest digits on.
fn estimates<B: Base>(u: &[B], v: &[B]) {
    let (u, v) = (significant(u), significant(v));
    if v.len() < on_limbs::MIN_LEN || u.len() < v.len() {
        return;
    }
    let expected = value(u) / value(v);
    for (block, short) in [(usize::MAX, usize::MAX), (0, 0), (5, 7), (4, 50)] {
        let mut out = vec![B::HIGHEST; u.len()];
        let mut scratch = vec![B::HIGHEST; on_limbs::scratch_len(u.len(), v.len())];
        on_limbs::quotient(&mut out, u, v, Thresholds { block, short }, &mut scratch);
        assert_eq!(value(&out), expected, "from {block} and {short}: {u:x?} by {v:x?}");
    }
}

/// Limbs of 8 and 16 bits, where estimates are rarely certain.
#[test]
fn estimates_of_narrow_limbs() {
    for (k, n) in
        [(1, 2), (2, 2), (1, 9), (5, 3), (9, 12), (12, 9), (20, 20), (21, 40), (40, 21), (60, 60), (60, 12)]
    {
        lengths::<Toy<8>>(k, n, 30);
        lengths::<Toy<16>>(k, n, 10);
    }
}

/// Quotients of k limbs by n, exact, one below, and others.
fn lengths<B: Base>(k: usize, n: usize, count: usize) {
    let scratch = &mut Scratch::default();
    for (q, v, rest) in samples((integer::<B>(k), integer::<B>(n), integer::<B>(n)), count) {
        let (q, mut v, rest) = (value(&q), value(&v), value(&rest));
        // Divisors with a long top limb, and as they are.
        for top in [BigUint::ZERO, BigUint::from(1_u32) << (n as u32 * B::BITS - 1)] {
            v |= top;
            if v == BigUint::ZERO {
                continue;
            }
            let exact = &q * &v;
            let below = if exact == BigUint::ZERO { exact.clone() } else { &exact - 1_u32 };
            for u in [&exact + &rest % &v, &exact + &v - 1_u32, below, exact] {
                check::<B>(&u, &v, scratch);
            }
        }
    }
}

#[test]
fn quotients_of_a_few_limbs() {
    for k in 1..6 {
        for n in 1..16 {
            lengths::<u32>(k, n, 2);
            lengths::<u64>(k, n, 4);
            lengths::<u128>(k, n, 1);
        }
    }
}

/// Around the lengths from which quotients, and those with remainders, come in halves, and the longest ones.
#[test]
fn quotients_in_halves() {
    let scratch = &mut Scratch::default();
    let lengths =
        [(287, 287), (288, 288), (289, 281), (296, 700), (400, 400), (401, 393), (575, 580), (1100, 1099)];
    for (k, n) in lengths {
        for (q, v, rest) in samples((integer::<u64>(k), integer::<u64>(n), integer::<u64>(n)), 3) {
            let v = value(&v) | BigUint::from(1_u32) << (64 * n as u64 - 1 - n as u64 % 64);
            // Quotients of all words, some with a guard of 0 or of ones.
            let q = value(&q) | BigUint::from(1_u32) << (64 * k as u64 - 1);
            let exact = &q * &v;
            for u in [&exact + value(&rest) % &v, &exact + &v - 1_u32, &exact - 1_u32, &exact + 1_u32, exact]
            {
                let (u_limbs, v_limbs) = (limbs::<u64>(&u), limbs::<u64>(&v));
                let mut out = vec![u64::MAX; u_limbs.len()];
                let mut left = vec![u64::MAX; v_limbs.len()];
                quotient(&mut out, &u_limbs, &v_limbs, &mut vec![], scratch).unwrap();
                assert_eq!(value(&out), &u / &v, "{u:#x} by {v:#x}");
                // The second time by the same divisor, too.
                for _ in 0..2 {
                    div_rem(&mut out, &mut left, &u_limbs, &v_limbs, scratch).unwrap();
                    assert_eq!((value(&out), value(&left)), (&u / &v, &u % &v), "{u:#x} by {v:#x}");
                }
            }
        }
    }
}

#[test]
fn long_quotients() {
    for (k, n) in
        [(1, 300), (20, 23), (20, 24), (40, 100), (70, 75), (70, 300), (130, 140), (170, 170), (300, 420)]
    {
        lengths::<u64>(k, n, 3);
    }
    lengths::<u32>(90, 301, 2);
}

#[test]
fn quotients_by_inverses() {
    for (k, n) in [(701, 700), (702, 703), (710, 1500), (1500, 720), (2100, 300)] {
        lengths::<u64>(k, n, 1);
    }
    lengths::<u32>(1410, 1402, 1);
}

#[test]
fn no_quotient_by_zero() {
    let (mut out, scratch) = ([7_u64; 3], &mut Scratch::default());
    assert_eq!(quotient(&mut out, &[1, 2, 3], &[0, 0], &mut vec![], scratch), Err(DivisionByZero));
    assert_eq!(out, [7; 3]);
    assert_eq!(quotient(&mut [], &[], &[0_u64], &mut vec![], scratch), Err(DivisionByZero));
}
