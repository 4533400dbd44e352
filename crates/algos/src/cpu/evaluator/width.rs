//! The instances that operations compute together.

use crate::expr::Op;
use crate::op::class::{Gcd, Modular};
use crate::op::{Class, division::short::SORTED, products::kept};
use crate::vector::{
    GROUPS, WIDTH, path_of_divisions, path_of_divisors, path_of_inverses, path_of_modular_products,
    path_of_neighbours, path_of_products,
};

/// The instances that an operation computes together: 1 unless in vectors.
pub(super) fn width_in_vectors(op: &Op, bits: u32) -> usize {
    let (path, width) = match op.class() {
        Class::Product(product) if path_of_neighbours(kept(product), bits).is_some() => return WIDTH,
        Class::Product(product) => (path_of_products(kept(product), bits), WIDTH),
        Class::Division(_) => (path_of_divisions(bits), WIDTH),
        Class::Modular(Modular::MulMod) => (path_of_modular_products(bits), WIDTH),
        Class::Modular(Modular::ModInv) => (path_of_inverses(bits), GROUPS * WIDTH),
        Class::Gcd(Gcd::Gcd | Gcd::Lcm) => (path_of_divisors(bits), GROUPS * WIDTH),
        _ => (None, 1),
    };
    if path.is_some() { width } else { 1 }
}

/// Whether an operation sorts the instances of a tile by their lengths: in vectors, and divisions one by one, too.
pub(super) fn sorts_by_length(op: &Op, bits: u32) -> bool {
    let sorts = match op.class() {
        Class::Division(_) => return bits <= SORTED || width_in_vectors(op, bits) > 1,
        Class::Gcd(_) => true,
        Class::Modular(op) => op == Modular::ModInv,
        _ => false,
    };
    sorts && width_in_vectors(op, bits) > 1
}
