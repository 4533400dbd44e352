//! Every path against num-bigint, and the instructions against their portable twin.

mod divisions;
mod divsteps;
#[cfg(target_arch = "x86_64")]
mod doubles;
mod euclid;
mod products;

use core::array::from_fn;

use limbforge_limb::slice::bits;
use num_bigint::BigUint;

use super::lanes::{DIGIT_BITS, HALVES, Lanes, MASK, WIDTH, Words};
use super::path::{Path, PathOfPowers, with_lanes};
use super::portable::Portable;
use super::power::Powers;
use super::rows;
use crate::integer::Scratch;

fn value(words: &[u64]) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |sum, &word| (sum << 64) + word)
}

/// `2^bits - 1`.
fn ones(bits: u32) -> BigUint {
    (BigUint::from(1_u32) << bits) - 1_u32
}

/// Numbers below `2^bits` at which carries are decided, and pseudo-random ones.
fn numbers(width: u32) -> Vec<BigUint> {
    let mut numbers: Vec<BigUint> = (0..4_u32).map(BigUint::from).collect();
    for k in [1, 51, 52, 53, 63, 64, 65, 103, 104, 105, 259, 260, 261, width - 2, width - 1, width] {
        let power = BigUint::from(1_u32) << k;
        numbers.extend([&power - 1_u32, power.clone(), power + 1_u32, ones(width) ^ ones(k.min(width))]);
    }
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    numbers.extend((0..30).map(|_| {
        (0..width.div_ceil(64)).fold(BigUint::ZERO, |sum, _| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (sum << 64) + seed
        }) & ones(width)
    }));
    numbers.retain(|number| number.bits() <= width.into());
    numbers
}

/// Compares so many powers at a time with num-bigint: bases, exponents and moduli drawn from the numbers with
/// three strides.
fn check_powers(path: PathOfPowers, width: u32, exponent_bits: u32, count: usize, groups: usize) {
    let (all, exponents) = (numbers(width), numbers(exponent_bits));
    let (mut powers, mut scratch) = (Powers::default(), Scratch::default());
    for group in 0..groups {
        let operands: Vec<[BigUint; 3]> = (0..count)
            .map(|lane| {
                let i = group * count + lane;
                let modulus = all[(i * 7 + 3) % all.len()].clone() | BigUint::from(1_u32);
                [all[(i * 5) % all.len()].clone(), exponents[(i * 3) % exponents.len()].clone(), modulus]
            })
            .collect();
        for [base, exponent, modulus] in operands.iter().map(|o| o.each_ref().map(BigUint::to_u64_digits)) {
            powers.push(&base, &exponent, &modulus);
        }
        let found: Vec<BigUint> = powers.compute(path, &mut scratch).map(|(power, _)| value(power)).collect();
        let expected: Vec<BigUint> = operands.iter().map(|[a, e, m]| a.modpow(e, m)).collect();
        assert_eq!(found, expected, "{} at {width} bits: {operands:?}", path.name());
    }
}

#[test]
fn powers_equal_num_bigint() {
    for path in PathOfPowers::all() {
        for (width, count, groups) in
            [(5, 8, 20), (52, 8, 20), (64, 7, 20), (129, 8, 20), (258, 8, 12), (259, 8, 12), (512, 8, 4)]
                .into_iter()
                // Two bits less than whole digits of 51 bits, and four lanes or fewer.
                .chain([(100, 8, 20), (202, 4, 20), (203, 3, 20), (406, 5, 8)])
        {
            check_powers(path, width, width, count, groups);
        }
    }
}

#[test]
fn powers_of_many_blocks_of_digits() {
    for path in PathOfPowers::all() {
        for (width, exponent_bits) in
            [(778, 70), (779, 9), (1040, 20), (1300, 8), (2100, 20), (4096, 9), (8192, 7), (16384, 3)]
        {
            check_powers(path, width, exponent_bits, 8, 4);
        }
    }
}

#[test]
fn one_modulus_again_and_again() {
    for path in PathOfPowers::all() {
        let (mut powers, mut scratch) = (Powers::default(), Scratch::default());
        for (moduli, bits) in
            [([1_u64; 8], 1), ([u64::MAX; 8], 64), ([3, 3, 1, 7, 7, 7, 3, 3], 3), ([3; 8], 2)]
        {
            for base in [0, 1, 2, u64::MAX] {
                for modulus in moduli {
                    assert!(bits::bit_len(&[modulus]) <= bits);
                    powers.push(&[base, base], &[65_537], &[modulus]);
                }
                let found: Vec<BigUint> =
                    powers.compute(path, &mut scratch).map(|(power, _)| value(power)).collect();
                let power = |m: u64| value(&[base, base]).modpow(&65_537_u32.into(), &m.into());
                assert_eq!(found, moduli.map(power), "{base}");
            }
        }
    }
}

/// Words at the edges of digits and of words, eight at a time.
fn words() -> Vec<Words> {
    let edges =
        [0, 1, 2, MASK - 1, MASK, MASK + 1, 1 << 51, 1 << 63, u64::MAX - 1, u64::MAX, 0x9e37_79b9_7f4a_7c15];
    (0..edges.len()).map(|i| Words(from_fn(|lane| edges[(i + lane * (1 + i % 3)) % edges.len()]))).collect()
}

fn check_lanes<L: Lanes>(lanes: L) {
    let (words, twin) = (words(), Portable);
    let run = |of: &dyn Fn(L::Word, L::Word, L::Word) -> L::Word, [a, b, c]: [&Words; 3]| {
        lanes.run(|| lanes.store(of(lanes.load(a), lanes.load(b), lanes.load(c))))
    };
    for (i, a) in words.iter().enumerate() {
        for (j, b) in words.iter().enumerate() {
            let c = &words[(i + 2 * j) % words.len()];
            let all = [a, b, c];
            assert_eq!(run(&|a, b, _| lanes.add(a, b), all).0, twin.add(a.0, b.0));
            assert_eq!(run(&|a, b, _| lanes.sub(a, b), all).0, twin.sub(a.0, b.0));
            assert_eq!(run(&|a, b, _| lanes.and(a, b), all).0, twin.and(a.0, b.0));
            assert_eq!(run(&|a, b, _| lanes.or(a, b), all).0, twin.or(a.0, b.0));
            assert_eq!(run(&|a, b, c| lanes.add_low(c, a, b), all).0, twin.add_low(c.0, a.0, b.0));
            assert_eq!(run(&|a, b, c| lanes.add_high(c, a, b), all).0, twin.add_high(c.0, a.0, b.0));
        }
        for bits in [0, 1, 12, DIGIT_BITS, 63, 64, 65, 104] {
            assert_eq!(run(&|a, _, _| lanes.shr(a, bits), [a; 3]).0, twin.shr(a.0, bits));
            assert_eq!(run(&|a, _, _| lanes.shl(a, bits), [a; 3]).0, twin.shl(a.0, bits));
            let above = &words[bits as usize % words.len()];
            let found = run(&|a, b, _| lanes.funnel(a, b, bits % 64), [a, above, a]);
            assert_eq!(found.0, twin.funnel(a.0, above.0, bits % 64));
        }
    }
    let bits = Words([0, 1, 12, 47, 48, 63, 64, u64::MAX]);
    for a in &words {
        assert_eq!(run(&|a, b, _| lanes.shr_each(a, b), [a, &bits, a]).0, twin.shr_each(a.0, bits.0));
        assert_eq!(run(&|a, b, _| lanes.shl_each(a, b), [a, &bits, a]).0, twin.shl_each(a.0, bits.0));
        assert_eq!(lanes.store(lanes.load_row(&a.0)), *a);
        for len in 0..=WIDTH {
            let part = lanes.run(|| lanes.store(rows::part(lanes, &a.0[..len])));
            assert_eq!(part, Words(from_fn(|i| if i < len { a.0[i] } else { 0 })));
            let mut words = [7; WIDTH + 1];
            rows::put(&mut words[..len], a);
            assert_eq!((&words[..len], words[len]), (&a.0[..len], 7));
        }
    }
    check_estimates(lanes);
    let rows: [Words; WIDTH] = from_fn(|i| Words(from_fn(|j| (8 * i + j) as u64)));
    let turned = lanes.run(|| lanes.transpose(rows.map(|row| lanes.load(&row))).map(|row| lanes.store(row)));
    assert_eq!(turned, from_fn(|i| Words(from_fn(|j| (8 * j + i) as u64))));
    check_halves(lanes);
    assert_eq!(lanes.store(lanes.splat(u64::MAX - 5)), Words([u64::MAX - 5; WIDTH]));
}

/// Rows of four words to words side by side, and back.
fn check_halves<L: Lanes>(lanes: L) {
    let pairs: [Words; WIDTH / 2] = from_fn(|i| Words(from_fn(|j| (8 * i + j) as u64)));
    let load = |words: &[Words; WIDTH / 2]| words.each_ref().map(|words| lanes.load(words));
    let turned = lanes.run(|| lanes.transpose_halves(load(&pairs)).map(|words| lanes.store(words)));
    assert_eq!(turned, from_fn(|i| Words(HALVES.map(|row| (4 * row + i) as u64))));
    let back = lanes.run(|| lanes.transpose_to_halves(load(&turned)).map(|words| lanes.store(words)));
    assert_eq!(back, pairs);
}

fn check_estimates<L: Lanes>(lanes: L) {
    let (small, unit) = (1_u64 << 48, 1.0 / (1_u64 << 48) as f64);
    let highs =
        [0, 1, 2, 3_u64.wrapping_neg(), small / 2, small - 1, small + small / 2 + 1, 0x9e37_79b9_7f4a];
    for (i, low) in [0, 1, small - 1, small - 2, small / 2, 0x7f4a_7c15_9e37].into_iter().enumerate() {
        for inverse in [unit, 2.0 * unit, 1.3 * unit, (1.0 - f64::EPSILON) * unit] {
            let (high, low) = (Words(highs), Words(from_fn(|lane| if lane == i { low ^ 1 } else { low })));
            let inverse = Words([inverse.to_bits(); WIDTH]);
            let found = lanes.run(|| {
                lanes.store(lanes.estimate(lanes.load(&high), lanes.load(&low), lanes.load(&inverse)))
            });
            assert_eq!(found.0, Portable.estimate(high.0, low.0, inverse.0));
        }
    }
}

#[test]
fn all_lanes_are_equal() {
    for path in Path::all() {
        with_lanes!(path, lanes => check_lanes(lanes));
    }
}
