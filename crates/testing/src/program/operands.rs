//! Operands of random programs.

use limbforge_limb::IntType;
use num_bigint::BigInt;
use num_traits::One;
use proptest::collection::vec;
use proptest::prelude::*;

use super::writer::{Declared, Kind, Program};
use super::{Case, Input};
use crate::expr::in_type;
use crate::operands::integer;
use crate::oracle::value;

/// A program with operands for so many instances.
pub(super) fn case(program: Program, instances: usize) -> impl Strategy<Value = Case> {
    let Program { text, inputs } = program;
    let operands: Vec<BoxedStrategy<Vec<BigInt>>> =
        inputs.iter().map(|input| column(input, instances)).collect();
    operands.prop_map(move |columns| {
        let input = |(declared, values): (&Declared, Vec<BigInt>)| Input {
            name: declared.name,
            ty: declared.ty,
            elements: declared.elements,
            values,
        };
        Case { text: text.clone(), instances, inputs: inputs.iter().zip(columns).map(input).collect() }
    })
}

/// The integers of a batch.
fn column(input: &Declared, instances: usize) -> BoxedStrategy<Vec<BigInt>> {
    let count = if input.one_for_all { input.elements } else { input.elements * instances };
    match input.kind {
        Kind::Number => vec(number(input.ty), count).boxed(),
        Kind::Modulus => vec(modulus(input.ty), count).boxed(),
    }
}

fn number(ty: IntType) -> BoxedStrategy<BigInt> {
    let any = integer::<u32>(ty.limbs::<u32>()).prop_map(move |limbs| in_type(&value(&limbs).into(), ty));
    prop_oneof![2 => (0..20_u32).prop_map(move |small| in_type(&small.into(), ty)), 3 => any].boxed()
}

/// Odd numbers, many next to powers of two, and some that are none: even ones, 0 and negative ones.
fn modulus(ty: IntType) -> BoxedStrategy<BigInt> {
    let bits = ty.bits() - u32::from(ty.is_signed());
    let odd = number(ty).prop_map(move |n| positive(&n, bits) | BigInt::one());
    let near = (1..=bits, 0..9_u32)
        .prop_map(move |(k, d)| positive(&((BigInt::one() << k) - 2 * d - 1), bits) | BigInt::one());
    let small = (0..60_u32).prop_map(move |n| positive(&(2 * n + 1).into(), bits) | BigInt::one());
    prop_oneof![6 => odd, 5 => near, 3 => small, 2 => Just(BigInt::one()), 1 => number(ty)].boxed()
}

/// The number modulo 2^bits.
fn positive(n: &BigInt, bits: u32) -> BigInt {
    let mask = (BigInt::one() << bits) - 1;
    n & mask
}
