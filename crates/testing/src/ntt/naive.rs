//! The definitions, in n^2 steps: what the transforms are tested against.

use limbforge_algos::transform::ntt::Wrap;
use limbforge_field::TwoAdicField;

/// `X_j = sum of x_i w^(ij)`, or `sum of x_i psi^(i(2j + 1))`; `None` if the field has no such root.
pub fn transform<F: TwoAdicField>(x: &[F], wrap: Wrap) -> Option<Vec<F>> {
    let n = x.len() as u64;
    let point = match wrap {
        Wrap::Cyclic => (F::root_of_unity(n)?, F::ONE),
        Wrap::Negacyclic => (F::root_of_unity(2 * n)?.square(), F::root_of_unity(2 * n)?),
    };
    let value = |at: F| x.iter().rev().fold(F::ZERO, |sum, &x| sum * at + x);
    Some((0..n).map(|j| value(point.0.pow(j) * point.1)).collect())
}

/// The product of two polynomials of n coefficients modulo `x^n - 1` or `x^n + 1`.
pub fn convolution<F: TwoAdicField>(a: &[F], b: &[F], wrap: Wrap) -> Vec<F> {
    let mut product = vec![F::ZERO; a.len()];
    for (i, &a_i) in a.iter().enumerate() {
        for (j, &b_j) in b.iter().enumerate() {
            let wraps = i + j >= a.len() && wrap == Wrap::Negacyclic;
            product[(i + j) % a.len()] += if wraps { -a_i * b_j } else { a_i * b_j };
        }
    }
    product
}
