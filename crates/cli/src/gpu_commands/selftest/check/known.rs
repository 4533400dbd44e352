//! Divisions that implementations have failed on, for every kernel that divides one operand by another.

use std::collections::HashSet;

use limbforge::algos::expr::{Dag, NodeId, Op};
use limbforge::{algos::integer::div::known, limb::convert, prelude::*};
use num_bigint::BigUint;

/// A dividend and a divisor of M limbs each.
pub(super) type Pair<B> = [Vec<B>; 2];

/// Whether the expression divides its first operand by its second one.
pub(super) fn divides(dag: &Dag) -> bool {
    let operands: Vec<&str> = dag.inputs().take(2).collect();
    let name = |id: &NodeId| match &dag.nodes()[id.index()].op {
        Op::Input(name) => Some(&**name),
        _ => None,
    };
    let divided = |args: &[NodeId]| args.iter().map(name).eq(operands.iter().copied().map(Some));
    operands.len() == 2 && dag.nodes().iter().any(|node| node.op.is_division() && divided(&node.args))
}

/// The pairs that fit this type as unsigned numbers, with those of the 32-bit words by which kernels divide.
/// Without `all`, only the pairs with a name.
pub(super) fn pairs<B: Base>(ty: IntType, all: bool) -> Vec<Pair<B>> {
    let bits = u64::from(ty.bits());
    let mut pairs = known::counterexamples::<B>(bits);
    pairs.extend(known::counterexamples::<u32>(bits));
    if all {
        pairs.extend(known::known::<B>(bits));
    }
    let mut seen = HashSet::new();
    pairs.retain(|pair| seen.insert(pair.clone()));
    let limbs = |number: &BigUint| {
        let mut limbs = vec![B::ZERO; ty.limbs::<B>()];
        // What fits the bits fits the limbs.
        let _ = convert::from_biguint(number, &mut limbs);
        limbs
    };
    pairs.iter().map(|(u, v)| [limbs(u), limbs(v)]).collect()
}

/// Makes the first two operands these pairs. A shared divisor is that of the first pair.
pub(super) fn put<B: Base>(batches: &mut [Batch<B>], pairs: &[Pair<B>]) {
    for (k, batch) in batches.iter_mut().take(2).enumerate() {
        let n = batch.instances();
        pairs.iter().take(n).enumerate().for_each(|(i, pair)| batch.set_instance(i, &pair[k]));
    }
}

#[cfg(test)]
mod tests {
    use limbforge::algos::expr::Expr;

    use super::*;
    use limbforge_cli::gpu::operands::{Operands, Places};

    fn all<B: Base>(bits: u64, all: bool) -> HashSet<(BigUint, BigUint)> {
        let pairs = pairs::<B>(IntType::signed(bits).unwrap(), all);
        pairs.iter().map(|[u, v]| (convert::to_biguint(u), convert::to_biguint(v))).collect()
    }

    fn every_pair_that_fits<B: Base>(bits: u64) {
        let (found, named) = (all::<B>(bits, true), all::<B>(bits, false));
        assert!(known::known::<B>(bits).iter().all(|pair| found.contains(pair)), "{bits} bits");
        for pair in known::counterexamples::<B>(bits).iter().chain(&known::counterexamples::<u32>(bits)) {
            assert!(named.contains(pair) && found.contains(pair), "{bits} bits: {pair:x?}");
        }
        assert!(found.iter().all(|(u, v)| u.bits() <= bits && v.bits() <= bits));
    }

    #[test]
    fn every_limb_and_width_has_all_pairs_that_fit() {
        for bits in [32, 64, 131, 1000, 1 << 15] {
            every_pair_that_fits::<u32>(bits);
            every_pair_that_fits::<u64>(bits);
            every_pair_that_fits::<u128>(bits);
        }
    }

    /// Those of the specification, by their limbs.
    #[test]
    fn the_named_ones_are_there() {
        let has = |u: BigUint, v: &[u32]| {
            let named = all::<u64>(192, false);
            assert!(named.contains(&(u, convert::to_biguint(v))), "{v:x?}");
        };
        let ones = || known::power::<u32>(6) - 1_u32;
        has(ones(), &[1, 0, 1 << 31]);
        has(ones(), &[1 << 14, 1 << 20, 1 << 26, 0, 1]);
        has(convert::to_biguint(&[u32::MAX - 1, 0, 0, u32::MAX]), &[1, 0, 0, 1]);
        has(ones(), &[2]);
        has(ones(), &[u32::MAX, u32::MAX]);
        has(ones(), &[1, 0, 1]);
    }

    #[test]
    fn pairs_are_the_first_two_operands() {
        let ty = IntType::signed(1000).unwrap();
        let pairs = pairs::<u64>(ty, false);
        for (broadcast_last, count) in [(false, 2), (false, 3), (true, 3)] {
            let places =
                Places { inputs: Layout::Interleaved, output: Layout::InstanceMajor, broadcast_last };
            let mut batches: Vec<Batch<u64>> =
                Operands::new(1).batches(ty, count, pairs.len(), places).unwrap();
            put(&mut batches, &pairs);
            let found = (0..pairs.len()).map(|i| [batches[0].instance(i), batches[1].instance(i)]);
            assert_eq!(found.collect::<Vec<_>>(), pairs);
        }
        // One divisor for all: one instance of each.
        let places = Places { broadcast_last: true, ..Places::default() };
        let mut batches: Vec<Batch<u64>> = Operands::new(1).batches(ty, 2, 1, places).unwrap();
        put(&mut batches, &pairs[3..4]);
        assert_eq!([batches[0].instance(0), batches[1].instance(0)], pairs[3]);
    }

    #[test]
    fn expressions_that_divide_their_operands() {
        for (text, expected) in [
            ("a / b - a % b", true),
            ("divisible(a, b)", true),
            ("(a * b) % (a + 77) + div_exact(a, a)", false),
            ("a ^ b / a", false),
            ("gcd(a, b)", false),
            ("-a", false),
        ] {
            let dag = Expr::parse(text).unwrap().to_dag();
            assert_eq!(divides(&dag), expected, "{text}");
        }
    }
}
