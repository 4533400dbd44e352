//! The proof at compile time that no value leaves the range of exact arithmetic: the bounds of each step from
//! those of its operands, in units of p. The functions mirror the code line by line.

use super::lanes::{MOST_MULTIPLIED, MOST_REDUCED, REDUCED, multiplied};
use super::transform::{BACKWARD, FORWARD};

/// `lanes.reduce` of a value.
const fn reduce(x: f64) -> f64 {
    assert!(x <= MOST_REDUCED);
    REDUCED
}

/// `lanes.mul` of a value by a constant, which is at most 1/2.
const fn times(x: f64) -> f64 {
    mul(x, 0.5)
}

const fn mul(x: f64, y: f64) -> f64 {
    assert!(x * y <= MOST_MULTIPLIED);
    multiplied(x * y)
}

const fn larger(x: f64, y: f64) -> f64 {
    if x > y { x } else { y }
}

/// `transform::forward_block`. A reduction in place of a product gives no more.
const fn forward_block(x: f64) -> f64 {
    let (x0, x2, x3) = (reduce(x), times(x), times(x));
    let (y0, y1) = (x0 + x2, times(x + x3));
    y0 + y1
}

/// `transform::inverse_block`.
const fn inverse_block(y: f64) -> f64 {
    let (x0, x1) = (y + y, times(y + y));
    larger(reduce(x0 + x0), larger(reduce(x1 + x1), larger(times(x0 + x0), times(x1 + x1))))
}

/// `transform::add_and_subtract`.
const fn add_and_subtract(x: f64) -> f64 {
    reduce(x + x)
}

/// `digits::residues`: pieces below 2^48, p > 2^49.9.
const fn residues() -> f64 {
    let piece = 0.27;
    reduce(piece + 3.0 * times(piece))
}

/// `product::multiply_one` for polynomials of `degree` coefficients.
const fn multiply_one(x: f64, degree: f64) -> f64 {
    let product = mul(reduce(x), reduce(x));
    let folded = times((degree - 1.0) * product);
    reduce(degree * product + folded)
}

/// `product::square_one`: products of two coefficients are doubled before they are reduced.
const fn square_one(x: f64, degree: f64) -> f64 {
    let (product, square) = (mul(2.0 * reduce(x), reduce(x)), mul(reduce(x), reduce(x)));
    let column = larger(degree / 2.0 * product, (degree - 1.0) / 2.0 * product + square);
    reduce(column + times(column))
}

/// `lanes::add_reduced`.
const fn add_reduced() -> f64 {
    reduce(REDUCED + REDUCED)
}

const _: () = {
    assert!(
        residues() <= FORWARD && add_and_subtract(FORWARD) <= FORWARD && forward_block(FORWARD) <= FORWARD
    );
    assert!(multiply_one(FORWARD, 7.0) <= BACKWARD && square_one(FORWARD, 7.0) <= BACKWARD);
    assert!(add_reduced() <= BACKWARD);
    assert!(add_and_subtract(BACKWARD) <= BACKWARD && inverse_block(BACKWARD) <= BACKWARD);
    // The recombination starts from at most 2^49 after a product with a constant.
    assert!(reduce(times(BACKWARD)) * ((1_u64 << 50) as f64) * (1.0 - 3.6e-8) <= (1_u64 << 49) as f64);
};
