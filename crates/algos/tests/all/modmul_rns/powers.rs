//! Powers against `powmod`, with structured operands.

use limbforge_algos::integer::Scratch;
use limbforge_algos::integer::powmod::powmod;
use limbforge_algos::modmul_rns::{Modulus, Plan, Refused, Windows};
use num_bigint::BigUint;

use super::{power_of_two, random, structured_moduli};

fn expected(x: &BigUint, e: &BigUint, n: &BigUint, scratch: &mut Scratch) -> BigUint {
    let len = [x, e, n].into_iter().map(|number| number.bits().div_ceil(64)).max().unwrap_or(0) as usize;
    let [x, e, n] = [x, e, n].map(|number| {
        let mut words = number.to_u64_digits();
        words.resize(len, 0);
        words
    });
    let mut out = vec![0_u64; len];
    powmod(&mut out, &x, &e, &n, scratch).unwrap();
    BigUint::new(out.into_iter().flat_map(|word| [word as u32, (word >> 32) as u32]).collect())
}

fn check(modulus: &Modulus<'_>, bits: u32, exponent_bits: u32, scratch: &mut Scratch) {
    let n = modulus.value();
    let top = power_of_two(exponent_bits);
    let exponents =
        [BigUint::ZERO, BigUint::from(1_u32), &top >> 1_u32, &top - 1_u32, random(exponent_bits, n.bits())];
    let bases = [BigUint::ZERO, n - 1_u32, power_of_two(bits) - 1_u32, random(bits, n.bits() + 1)];
    for (index, e) in exponents.iter().enumerate() {
        for x in bases.iter().skip(index % 2) {
            let found = modulus.power(x, e).unwrap();
            assert_eq!(found, expected(x, e, n, scratch), "{bits} bits: {x}^{e} mod {n}");
        }
    }
}

/// Each structured modulus that the plan serves, as one of many and as the only one.
fn check_width(bits: u32, exponent_bits: u32) {
    let mut scratch = Scratch::default();
    let each = Plan::each(bits).unwrap();
    let mut served = 0;
    for n in structured_moduli(&each) {
        match each.modulus(&n) {
            Ok(modulus) => check(&modulus, bits, exponent_bits, &mut scratch),
            Err(Refused::SharedFactor { prime }) => {
                assert_eq!(&n % prime, BigUint::ZERO);
                continue;
            }
            Err(other) => panic!("{n}: {other}"),
        }
        served += 1;
        let one = Plan::one(bits, &n).unwrap();
        let largest = each.row_limits().largest_sums();
        for matrix in [&one.to_second, &one.to_first] {
            let mut sums =
                (0..matrix.rows()).flat_map(|row| matrix.largest_sums(row).into_iter().zip(largest));
            assert!(sums.all(|(sum, limit)| sum <= limit), "{bits} bits: rows of {n}");
        }
        check(&one.modulus(&n).unwrap(), bits, exponent_bits.min(9), &mut scratch);
    }
    assert!(served >= 10, "{bits} bits: {served} moduli");
}

#[test]
fn narrow_numbers_with_long_exponents() {
    for (bits, exponent_bits) in [(32, 70), (33, 33), (64, 64), (100, 100), (160, 200)] {
        check_width(bits, exponent_bits);
    }
}

#[test]
fn numbers_of_256_bits() {
    check_width(256, 256);
}

#[test]
fn numbers_of_512_bits() {
    check_width(512, 40);
}

#[test]
fn numbers_of_1000_bits() {
    check_width(1000, 9);
}

#[test]
fn numbers_of_1537_bits() {
    check_width(1537, 5);
}

/// A power with an exponent of full length.
#[test]
fn a_whole_power_of_1024_bits() {
    let plan = Plan::each(1024).unwrap();
    let (n, x, e) = (random(1024, 1), random(1024, 2), random(1024, 3));
    let found = plan.modulus(&n).unwrap().power(&x, &e).unwrap();
    assert_eq!(found, expected(&x, &e, &n, &mut Scratch::default()));
}

#[test]
fn all_small_numbers() {
    let plan = Plan::each(32).unwrap();
    for n in 1..14_u32 {
        let modulus = plan.modulus(&n.into()).unwrap();
        for x in 0..16_u32 {
            for e in 0..8_u32 {
                let expected = u64::from(x).pow(e) % u64::from(n);
                assert_eq!(modulus.power(&x.into(), &e.into()).unwrap(), expected.into(), "{x}^{e} mod {n}");
            }
        }
    }
}

/// The digits of windows are the digits of the exponent, and no other window takes fewer products.
#[test]
fn windows_cover_the_exponent() {
    for bits in [0, 1, 2, 7, 40, 512, 1000, 2048, 8192] {
        let windows = Windows::of_bits(bits);
        let e = power_of_two(bits as u32) - 1_u32;
        let digits = (0..windows.digits)
            .fold(BigUint::ZERO, |sum, index| (sum << windows.width) + windows.digit(&e, index));
        assert_eq!(digits, e, "{bits}");
        for width in 1..=6 {
            let digits = bits.div_ceil(width.into()).max(1) as u32;
            assert!(Windows { width, digits }.products() >= windows.products(), "{bits}");
        }
    }
}
