//! Operands of transforms, and what they must become.

use limbforge::algos::transform::ntt::{Direction, Wrap};
use limbforge::field::DynField;

use crate::bench::arguments::Kind;

/// The largest values first, which are the worst for lazy residues; then sequences that look random.
pub(super) fn operand(field: &DynField, index: usize, points: usize) -> Vec<u64> {
    let p = field.modulus();
    let mut state = index as u64;
    let random = |state: &mut u64| {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state ^ *state >> 29) % p
    };
    (0..points)
        .map(|i| if index == 0 || index == 1 && i % 3 == 0 { p - 1 } else { random(&mut state) })
        .collect()
}

/// What a kind of transform makes of the values, by that of `transform`: negacyclic, `x_i` is multiplied with psi^i before, or
/// with psi^-i after the inverse, and w is psi^2; the inverse has the inverse root, and the factor 1/n.
pub(super) fn expected(field: &DynField, kind: Kind, root: u64, values: &[u64]) -> Vec<u64> {
    let (negacyclic, forward) = (kind.wrap() == Wrap::Negacyclic, kind.direction() == Direction::Forward);
    let one = field.element(1);
    let inverse = |element| field.inverse(element).unwrap_or(one);
    let root = if forward { field.element(root) } else { inverse(field.element(root)) };
    let (w, psi) = if negacyclic { (field.square(root), root) } else { (root, one) };
    let twisted = |values: Vec<u64>, mut factor| -> Vec<u64> {
        let times = |value| {
            let product = field.mul(field.element(value), factor);
            factor = field.mul(factor, psi);
            field.value(product)
        };
        values.into_iter().map(times).collect()
    };
    if forward {
        transform(field, field.value(w), &twisted(values.to_vec(), one))
    } else {
        let scale = inverse(field.element(values.len() as u64));
        twisted(transform(field, field.value(w), values), scale)
    }
}

/// `X_j = sum of x_i root^(ij)`, by the textbook: thirds first if there are any, then halves, then even and odd results.
fn transform(field: &DynField, root: u64, values: &[u64]) -> Vec<u64> {
    let n = values.len();
    let root = field.element(root);
    let powers: Vec<_> = std::iter::successors(Some(field.element(1)), |&power| Some(field.mul(power, root)))
        .take(n)
        .collect();
    let mut x: Vec<_> = values.iter().map(|&value| field.element(value)).collect();
    let two_adic = 1 << n.trailing_zeros();
    if n > two_adic {
        let term = |i: usize, third: usize, a: usize| {
            let exponent = a * (i + third * two_adic);
            field.mul(x[i + third * two_adic], powers[exponent % n])
        };
        let sum = |(a, i): (usize, usize)| field.sum((0..3).map(|third| term(i, third, a)));
        x = (0..3).flat_map(|a| (0..two_adic).map(move |i| (a, i))).map(sum).collect();
    }
    let mut half = two_adic / 2;
    while half > 0 {
        for block in x.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for (i, (a, b)) in low.iter_mut().zip(high).enumerate() {
                let difference = field.sub(*a, *b);
                *a = field.add(*a, *b);
                *b = field.mul(difference, powers[i * (n / (2 * half))]);
            }
        }
        half /= 2;
    }
    let (tops, shift) = (n / two_adic, usize::BITS - two_adic.ilog2());
    (0..n).map(|j| field.value(x[j % tops * two_adic + ((j / tops).reverse_bits() >> shift)])).collect()
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;
    use limbforge::algos::transform::ntt::{DynNtt, NttPlan};

    use super::*;

    #[test]
    fn the_textbook_transform_is_the_definition() {
        let field = DynField::new(97).unwrap();
        for n in [8, 24] {
            let root = field.root_of_unity(n).unwrap();
            let x: Vec<u64> = (0..n).map(|i| (i * i + 5) % 97).collect();
            let definition = |j: u64| {
                let term =
                    |(i, &x): (usize, &u64)| field.mul(field.element(x), field.pow(root, i as u64 * j));
                field.value(field.sum(x.iter().enumerate().map(term)))
            };
            assert_eq!(transform(&field, field.value(root), &x), (0..n).map(definition).collect::<Vec<_>>());
        }
    }

    /// By the CPU's transforms, which the conformance suite compares with the definition.
    #[test]
    fn every_kind() {
        let field = DynField::new(97).unwrap();
        for kind in Kind::value_variants() {
            for n in [8, 12] {
                let ntt = DynNtt::new(field, NttPlan::new(n, kind.wrap()).unwrap()).unwrap();
                let root = field.root_of_unity(ntt.plan().order()).unwrap();
                let x: Vec<u64> = (0..n as u64).map(|i| (i * i + 5) % 97).collect();
                let mut y = x.clone();
                ntt.run_residues(kind.direction(), &mut y).unwrap();
                assert_eq!(expected(&field, *kind, field.value(root), &x), y, "{kind:?} {n}");
            }
        }
    }
}
