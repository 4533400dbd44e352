//! The product by matrices of bytes against num-bigint, and the maps that a kernel relies on.

use limbforge_algos::block::mul_tensor::{
    COLUMNS, MAX_DIGITS, STEP_DIGITS, TILE_DIGITS, TILE_WORDS, TooManyDigits, check, data_digit, half_steps,
    matrix_products, matrix_products_by_half, mu, mul_low, mul_wide, phi, psi, sqr_low, sqr_low_by_half,
    square_steps, steps, toeplitz_digit, wide_steps,
};
use limbforge_limb::Base;
use limbforge_reference::sample::sample;
use limbforge_testing::operands::integer;
use limbforge_testing::oracle::value;
use num_bigint::BigUint;
use proptest::prelude::*;

fn same<B: Base>(a: &[B], b: &[B], bits: u32) -> Result<(), TestCaseError> {
    let found = mul_low(a, b, bits).unwrap();
    prop_assert_eq!(found.len(), bits.div_ceil(B::BITS) as usize);
    prop_assert_eq!(value(&found), value(a) * value(b) % (BigUint::from(1_u32) << bits));
    for found in [sqr_low(a, bits).unwrap(), sqr_low_by_half(a, bits).unwrap()] {
        prop_assert_eq!(
            (found.len(), &found),
            (bits.div_ceil(B::BITS) as usize, &mul_low(a, a, bits).unwrap())
        );
        prop_assert_eq!(value(&found), value(a) * value(a) % (BigUint::from(1_u32) << bits));
    }
    let found = mul_wide(a, b).unwrap();
    prop_assert_eq!((found.len(), value(&found)), (a.len() + b.len(), value(a) * value(b)));
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

/// At the largest width of all, as 33024 digits are whole words.
const WIDEST: usize = MAX_DIGITS / 4;

/// All ones have the largest digit sums: `(B^n - 1)^2 = B^n (B^n - 2) + 1`.
#[test]
fn the_largest_sums_are_exact() {
    let (ones, bits) = (vec![u32::MAX; WIDEST], 32 * WIDEST as u32);
    type Product = fn(&[u32], u32) -> Vec<u32>;
    let product: Product = |a, bits| mul_low(a, a, bits).unwrap();
    let square: Product = |a, bits| sqr_low(a, bits).unwrap();
    // Each takes seconds.
    for multiply in sample("largest sums", [product, square], 1) {
        let product = multiply(&ones, bits);
        assert_eq!((product[0], product[1..].iter().all(|&word| word == 0)), (1, true));
    }
}

#[test]
fn long_carries_of_wide_products_are_exact() {
    let ones = [u32::MAX; 1000];
    let product = mul_wide(&ones, &ones).unwrap();
    assert_eq!((product[1000], product[1001..].iter().all(|&word| word == u32::MAX)), (u32::MAX - 1, true));
}

#[test]
fn wider_products_are_refused() {
    assert_eq!((MAX_DIGITS * 255 * 255) >> 31, 0);
    assert_eq!(((MAX_DIGITS + 1) * 255 * 255) >> 31, 1);
    assert_eq!((check(MAX_DIGITS), check(33_026)), (Ok(()), Err(TooManyDigits { found: 33_026 })));
    assert_eq!(mul_wide::<u32>(&[1; 8257], &[1]), Err(TooManyDigits { found: 33_028 }));
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

/// Steps that are left out have no digit of one of the factors.
#[test]
fn steps_of_wide_products_cover_every_pair() {
    for tiles in 1..4 {
        let inside = |digit: isize| digit >= 0 && digit < (TILE_DIGITS * tiles) as isize;
        for tile in 0..2 * tiles {
            let range = wide_steps(tile, tiles);
            for tau in (0..4 * (tile + 1)).filter(|tau| !range.contains(tau)) {
                let data = (0..16).any(|row| (0..32).any(|k| inside(data_digit(mu(tile, tau), row, k))));
                let toeplitz = (0..8).any(|column| (0..32).any(|k| inside(toeplitz_digit(tau, column, k))));
                assert!(!(data && toeplitz), "tile {tile} of {tiles}, step {tau}");
            }
        }
    }
}

#[test]
fn squares_take_half_the_steps() {
    for tiles in [1, 2, 8, 64] {
        let total: usize = (0..tiles).map(square_steps).sum();
        assert_eq!(total, tiles * tiles + 4 * tiles - 1, "{tiles} tiles");
        assert!(tiles < 8 || 3 * total < 2 * matrix_products(TILE_WORDS * tiles), "{tiles} tiles");
    }
}

/// The steps that are left out have no digit of the lower half; the last one that is not has.
#[test]
fn steps_of_a_lower_half_cover_its_digits() {
    for digits in (4..600).step_by(4) {
        let takes_part = |tau| {
            (0..COLUMNS).any(|column| {
                (0..STEP_DIGITS).any(|k| (0..digits as isize).contains(&toeplitz_digit(tau, column, k)))
            })
        };
        let steps = half_steps(digits);
        assert!(takes_part(steps - 1) && (steps..steps + 8).all(|tau| !takes_part(tau)), "{digits} digits");
    }
}

/// Squares of few tiles by the lower half, of many with doubled sums.
#[test]
fn squares_take_fewer_matrix_products() {
    assert_eq!([32, 64, 128, 256].map(matrix_products_by_half), [3, 9, 30, 108]);
    assert_eq!([24, 33, 94].map(matrix_products_by_half), [2, 6, 18]);
    let doubled = |tiles: usize| (0..tiles).map(square_steps).sum::<usize>();
    let [all, by_half] = [matrix_products, matrix_products_by_half]
        .map(|products| move |tiles: usize| products(TILE_WORDS * tiles));
    for tiles in 1..=64 {
        assert!(by_half(tiles) < all(tiles));
        assert_eq!(doubled(tiles) < by_half(tiles), tiles > 4, "{tiles} tiles");
    }
    assert_eq!([all(16), by_half(16), doubled(16)], [544, 408, 319]);
}

#[test]
fn matrix_products_are_counted() {
    assert_eq!([16, 32, 64, 128, 256].map(matrix_products), [2, 4, 12, 40, 144]);
    assert_eq!([5, 31, 33, 157].map(matrix_products), [1, 4, 9, 60]);
}
