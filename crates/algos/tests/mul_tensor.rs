//! The product by matrices of bytes against num-bigint, and the maps that a kernel relies on.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use limbforge_algos::mul_tensor::{
    MAX_DIGITS, STEP_DIGITS, TILE_DIGITS, TILE_WORDS, TooManyDigits, check, data_digit, matrix_products, mu,
    mul_low, phi, psi, steps, toeplitz_digit,
};
use limbforge_limb::Base;
use limbforge_testing::operands::integer;
use limbforge_testing::oracle::value;
use num_bigint::BigUint;
use proptest::prelude::*;

fn same<B: Base>(a: &[B], b: &[B], bits: u32) -> Result<(), TestCaseError> {
    let found = mul_low(a, b, bits).unwrap();
    prop_assert_eq!(found.len(), bits.div_ceil(B::BITS) as usize);
    prop_assert_eq!(value(&found), value(a) * value(b) % (BigUint::from(1_u32) << bits));
    Ok(())
}

/// Two factors and a width: the limbs' own, or any other.
fn factors<B: Base>() -> impl Strategy<Value = (Vec<B>, Vec<B>, u32)> {
    (0..90_usize, 0..90_usize, 1..3000_u32, any::<bool>()).prop_flat_map(|(m, n, bits, own)| {
        let bits = if own { (m as u32 * B::BITS).clamp(1, 6000) } else { bits };
        (integer(m), integer(n), Just(bits))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn u32_equals_num_bigint((a, b, bits) in factors::<u32>()) {
        same(&a, &b, bits)?;
    }

    #[test]
    fn u64_equals_num_bigint((a, b, bits) in factors::<u64>()) {
        same(&a, &b, bits)?;
    }

    #[test]
    fn u128_equals_num_bigint((a, b, bits) in factors::<u128>()) {
        same(&a, &b, bits)?;
    }
}

/// All ones, whose digit sums are the largest, at the largest width of all: 33024 digits are whole words.
#[test]
fn the_largest_sums_are_exact() {
    let words = MAX_DIGITS / 4;
    let ones = vec![u32::MAX; words];
    // (B^n - 1)^2 = B^n (B^n - 2) + 1.
    let product = mul_low(&ones, &ones, 32 * words as u32).unwrap();
    assert_eq!((product[0], product[1..].iter().all(|&word| word == 0)), (1, true));
}

#[test]
fn wider_products_are_refused() {
    assert_eq!((MAX_DIGITS * 255 * 255) >> 31, 0);
    assert_eq!(((MAX_DIGITS + 1) * 255 * 255) >> 31, 1);
    assert_eq!((check(MAX_DIGITS), check(33_026)), (Ok(()), Err(TooManyDigits { found: 33_026 })));
    let refused = mul_low::<u64>(&[1], &[1], 264_201).unwrap_err();
    assert_eq!(refused, TooManyDigits { found: 33_028 });
    assert!(refused.to_string().contains("at most 33025 digits"), "{refused}");
}

/// Rows and columns are the digits of a tile, each once, and a lane of a warp holds a word.
#[test]
fn a_tile_is_128_digits() {
    let mut digits: Vec<usize> =
        (0..16).flat_map(|row| (0..8).map(move |column| phi(row) + psi(column))).collect();
    for lane in 0..TILE_WORDS {
        let (row, column) = (lane / 4, 2 * (lane % 4));
        let held = [(row, column), (row, column + 1), (row + 8, column), (row + 8, column + 1)];
        assert_eq!(held.map(|(row, column)| phi(row) + psi(column)), [0, 1, 2, 3].map(|i| 4 * lane + i));
    }
    digits.sort_unstable();
    assert_eq!(digits, (0..TILE_DIGITS).collect::<Vec<_>>());
}

/// Over the steps of a tile every pair of digits that belongs to an output digit comes once, and no other one.
#[test]
fn steps_cover_every_pair_once() {
    for tile in 0..3 {
        for words in 1..=TILE_WORDS {
            for (row, column) in (0..16).flat_map(|row| (0..8).map(move |column| (row, column))) {
                let digit = phi(row) + psi(column);
                if digit >= 4 * words {
                    continue;
                }
                let output = TILE_DIGITS * tile + digit;
                let mut seen = vec![0; output + 1];
                for tau in 0..steps(tile, words) {
                    for k in 0..STEP_DIGITS {
                        let (x, y) = (toeplitz_digit(tau, column, k), data_digit(mu(tile, tau), row, k));
                        assert_eq!(x + y, output as isize);
                        if x >= 0 && y >= 0 {
                            seen[x as usize] += 1;
                        }
                    }
                }
                assert!(seen.iter().all(|&times| times == 1), "tile {tile}, {words} words, digit {digit}");
            }
        }
    }
}

#[test]
fn matrix_products_are_counted() {
    assert_eq!([16, 32, 64, 128, 256].map(matrix_products), [2, 4, 12, 40, 144]);
    assert_eq!([5, 31, 33, 157].map(matrix_products), [1, 4, 9, 60]);
}
