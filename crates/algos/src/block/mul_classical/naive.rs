//! The product row by row: the second oracle.

use limbforge_limb::Base;

/// `a * b` of one instance, all 2M limbs: row i adds `a[i] * b * B^i`.
#[must_use]
pub fn naive<B: Base>(a: &[B], b: &[B]) -> Vec<B> {
    let mut product = vec![B::ZERO; a.len() + b.len()];
    for (i, &a) in a.iter().enumerate() {
        let mut carry = B::ZERO;
        for (limb, &b) in product[i..].iter_mut().zip(b) {
            (*limb, carry) = a.carrying_mul_add(b, *limb, carry);
        }
        product[i + b.len()] = carry;
    }
    product
}
