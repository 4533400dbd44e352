//! The instances that operations compute together.

use crate::expr::Op;
use crate::op::class::{Gcd, Modular, Root};
use crate::op::{Class, division::short::SORTED, products::kept};
use crate::vector::{
    GROUPS, WIDTH, path_of_divisions, path_of_divisors, path_of_inverses, path_of_modular_products,
    path_of_neighbours, path_of_products, path_of_roots,
};

/// The instances that an operation computes together: 1 unless in vectors.
pub(super) fn width_in_vectors(op: &Op, bits: u32) -> usize {
    let (path, width) = match op.class() {
        Class::Product(product) if path_of_neighbours(kept(product), bits).is_some() => return WIDTH,
        Class::Product(product) => (path_of_products(kept(product), bits), WIDTH),
        Class::Division(_) => (path_of_divisions(bits), WIDTH),
        Class::Root(Root::Isqrt) => (path_of_roots(bits), WIDTH),
        Class::Modular(Modular::MulMod) => (path_of_modular_products(bits), WIDTH),
        Class::Modular(Modular::ModInv) => (path_of_inverses(bits), GROUPS * WIDTH),
        Class::Gcd(Gcd::Gcd | Gcd::Lcm) => (path_of_divisors(bits), GROUPS * WIDTH),
        _ => (None, 1),
    };
    if path.is_some() { width } else { 1 }
}

/// Instances of a tile whose lengths an operation sorts, at most: in vectors, and divisions one by one, too, which
/// take the same branches where many have the same lengths.
pub(super) fn sorted_by_length(op: &Op, bits: u32) -> Option<usize> {
    match op.class() {
        Class::Division(_) if bits <= SORTED => Some(SORTED_DIVISIONS),
        Class::Division(_) | Class::Gcd(_) | Class::Modular(Modular::ModInv) | Class::Root(Root::Isqrt) => {
            (width_in_vectors(op, bits) > 1).then_some(8 * WIDTH)
        }
        _ => None,
    }
}

/// Measured: 64 take 2 to 6 % longer at 2^8 to 2^11 bits.
const SORTED_DIVISIONS: usize = 512;
