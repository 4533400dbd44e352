//! Residue number systems: the bounds of plans, products at the bounds, and powers against `powmod`.

mod chains;
mod powers;
mod products;
mod refused;
mod sequences;

use limbforge_algos::modmul_rns::Plan;
use num_bigint::BigUint;

/// A number of up to so many bits, of 64-bit words that a seed determines.
fn random(bits: u32, seed: u64) -> BigUint {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(bits);
    let digits = (0..bits.div_ceil(32)).map(|_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 32) as u32
    });
    BigUint::new(digits.collect()) >> (bits.div_ceil(32) * 32 - bits)
}

fn power_of_two(bits: u32) -> BigUint {
    BigUint::from(1_u32) << bits
}

/// Moduli at the ends of the range and around multiples of the plan's primes.
fn structured_moduli(plan: &Plan) -> Vec<BigUint> {
    let (bits, one) = (plan.bits, BigUint::from(1_u32));
    let top = power_of_two(bits);
    let mut moduli =
        vec![one.clone(), &one + 1_u32, &one + 2_u32, power_of_two(bits - 1), power_of_two(bits / 2)];
    moduli.extend((0..3_u32).map(|c| &top - 1_u32 - 2 * c));
    moduli.extend([&top - 2_u32, random(bits, 1) | power_of_two(bits - 1), random(bits / 2, 2) | &one]);
    // Multiples of primes of base 2, and numbers beside multiples of primes of base 1.
    let largest = |value: u32| (&top - 1_u32) / value * value;
    let [first, second] = [&plan.bases.first, &plan.bases.second].map(|base| base.primes[0].value);
    moduli.extend([largest(second), largest(first) - 1_u32]);
    moduli.extend([second, first - 1, first + 1].map(BigUint::from));
    let mut product = one;
    for prime in &plan.bases.second.primes {
        if (&product * prime.value).bits() <= bits.into() {
            product *= prime.value;
        }
    }
    moduli.push(product);
    moduli.retain(|modulus| modulus.bits() <= bits.into() && *modulus != BigUint::ZERO);
    moduli
}
