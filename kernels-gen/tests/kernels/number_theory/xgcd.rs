//! Coefficients of greatest common divisors, Jacobi symbols and inverses modulo powers of two.

use limbforge_limb::IntType;
use limbforge_needs::needs;
use num_bigint::BigUint;

use super::{check_operands, numbers, some_shapes};

/// Types and words to a lane: one limb of 30 bits, one lane and several, words that are full and that are
/// not.
const SHAPES: [(&str, u32); 7] =
    [("u7", 4), ("i25", 4), ("u131", 4), ("i160", 8), ("u512", 8), ("i1000", 8), ("u1024", 32)];

/// All lanes of a warp, the last of which has one word only.
const WHOLE_WARP: (&str, u32) = ("i3001", 3);

/// All pairs of numbers, and pairs with a common factor that is as long as what it is a factor of; each below
/// 2^bits.
fn pairs(bits: u64) -> Vec<[BigUint; 2]> {
    let wide = numbers(bits);
    let mut pairs: Vec<[BigUint; 2]> =
        wide.iter().flat_map(|a| wide.iter().map(|b| [a.clone(), b.clone()])).collect();
    let half = numbers(bits / 2);
    for (i, factor) in half.iter().enumerate() {
        let with_factor = |k: usize| &half[k % half.len()] * factor;
        pairs.extend([1, 2, 5].map(|step| [with_factor(i + step), with_factor(3 * i + step)]));
        // Twice the other one, and the other one itself.
        pairs.extend([[with_factor(i), with_factor(i) >> 1_u32], [with_factor(1), with_factor(2)]]);
    }
    pairs
}

fn check_pairs(text: &str, (ty, q): (&str, u32), step: usize) {
    let ty: IntType = ty.parse().unwrap();
    let pairs = pairs(ty.bits().into());
    let operands: Vec<[&BigUint; 3]> = pairs.iter().step_by(step).map(|[a, b]| [a, b, a]).collect();
    check_operands(text, ty, q, &operands);
}

fn check_shapes(text: &str) {
    for (shape, step) in some_shapes(text, &SHAPES, WHOLE_WARP) {
        check_pairs(text, shape, step);
    }
}

#[needs(cxx)]
#[test]
fn xgcd() {
    check_shapes("xgcd_x(a, b) ^ (xgcd_y(a, b) << 1)");
}

/// One coefficient alone.
#[needs(cxx)]
#[test]
fn xgcd_x() {
    check_pairs("xgcd_x(a, b)", ("u1000", 8), 1);
}

#[needs(cxx)]
#[test]
fn xgcd_y() {
    check_pairs("xgcd_y(a, b)", ("i512", 16), 1);
}

#[needs(cxx)]
#[test]
fn jacobi() {
    check_shapes("jacobi(a, b)");
}

#[needs(cxx)]
#[test]
fn modinv2k() {
    check_shapes("modinv2k(a)");
}
