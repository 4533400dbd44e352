//! Products of digits in doubles, against those of integers.

use core::array::from_fn;

use fearless_simd::prelude::*;
use fearless_simd::{Avx2, Level, u64x4};

use crate::vector::doubles::{COLUMNS, Sums, low_product};
use crate::vector::lanes::Words;

const BITS: u32 = 51;
const MASK: u64 = (1 << BITS) - 1;

/// Digits at which halves are rounded up and down, and others.
fn digits() -> Vec<u64> {
    let mut digits: Vec<u64> = vec![0, 1, 2, 3, MASK, MASK - 1, MASK - 2];
    for k in [25, 26, 49, 50] {
        digits.extend([(1 << k) - 1, 1 << k, (1 << k) + 1]);
    }
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    digits.extend((0..40).map(|_| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed & MASK
    }));
    digits
}

fn words(digits: [u64; 8]) -> Words {
    Words(digits.map(|digit| (digit as f64).to_bits()))
}

fn is_here() -> Option<Avx2> {
    Level::new().as_avx2()
}

#[test]
fn halves_of_products_are_those_of_integers() {
    let (Some(avx2), digits) = (is_here(), digits()) else { return };
    for (i, &x) in digits.iter().enumerate() {
        for from in (0..digits.len()).step_by(4) {
            let y: [u64; 4] = from_fn(|lane| digits[(from + lane + i) % digits.len()]);
            let check = |low: [u64; 4], high: [u64; 4], modular: [f64; 4]| {
                for lane in 0..4 {
                    let product = u128::from(x) * u128::from(y[lane]);
                    let high = i128::from(high[lane] as i64);
                    assert_eq!(i128::from(low[lane]) + (high << BITS), product as i128, "{x} {}", y[lane]);
                    assert!(2 * low[lane] <= 3 << BITS, "{x} {}: {}", y[lane], low[lane]);
                    assert_eq!(modular[lane] as u128, product & u128::from(MASK), "{x} {}", y[lane]);
                }
            };
            let [x, y] = [[x; 4], y].map(|digits| digits.map(|digit| digit as f64).simd_into(avx2));
            let mut sums = Sums::new(avx2);
            sums.add(1, x, y);
            let (low, high) = sums.settle(1, 1);
            check(low.into(), high.into(), low_product(avx2, x, y).into());
        }
    }
}

/// The lower four lanes, and the upper ones.
#[test]
fn runs_are_the_sums_of_their_products() {
    let (Some(avx2), digits) = (is_here(), digits()) else { return };
    let number = |first: usize| -> Vec<[u64; 8]> {
        (0..24).map(|i| from_fn(|lane| digits[(first + 8 * i + 3 * lane) % digits.len()])).collect()
    };
    let (x, y) = (number(0), number(5));
    let [a, b] = [&x, &y].map(|number| number.iter().copied().map(words).collect::<Vec<_>>());
    for (first, from, to) in [(0, 0, 1), (4, 0, 4), (4, 2, 3), (9, 3, 3), (22, 0, 23), (30, 9, 24)] {
        for half in 0..2 {
            let mut sums = Sums::new(avx2);
            match half {
                0 => sums.add_run::<0>(&a, &b, first, from, to),
                _ => sums.add_run::<1>(&a, &b, first, from, to),
            }
            for column in 0..COLUMNS {
                let (low, high): (u64x4<Avx2>, u64x4<Avx2>) = sums.settle(column, to - from);
                let (low, high): ([u64; 4], [u64; 4]) = (low.into(), high.into());
                for lane in 0..4 {
                    let of = |digit: &[u64; 8]| u128::from(digit[4 * half + lane]);
                    let expected: u128 = (from..to).map(|i| of(&x[i]) * of(&y[first + column - i])).sum();
                    let found = i128::from(low[lane]) + (i128::from(high[lane] as i64) << BITS);
                    assert_eq!(found, expected as i128, "columns from {first}, digits {from} to {to}");
                }
            }
        }
    }
}
