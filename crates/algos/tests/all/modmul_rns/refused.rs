//! Widths without a plan, and moduli that a plan does not serve.

use limbforge_algos::modmul_rns::{LARGEST_BITS, LEAST_BITS, Plan, PlanError, Refused, TooWide};
use num_bigint::BigUint;

use super::power_of_two;

#[test]
fn widths_out_of_range() {
    for found in [0, 1, LEAST_BITS - 1, LARGEST_BITS + 1, u32::MAX] {
        assert_eq!(Plan::each(found), Err(PlanError::Width { found }));
        assert_eq!(Plan::one(found, &BigUint::from(3_u32)), Err(PlanError::Width { found }));
    }
    let error = Plan::each(31).unwrap_err().to_string();
    assert_eq!(error, "no residue number system of 31 bits: expected 32 to 16384; use powmod instead");
}

/// Every prime of base 1 and its multiples, also where the factor is not the first prime.
#[test]
fn multiples_of_base_1() {
    let plan = Plan::each(200).unwrap();
    for prime in plan.bases.first.primes.iter().map(|prime| prime.value) {
        let multiples = [1, 2, 3_u32].map(|factor| BigUint::from(prime) * factor);
        let large = (power_of_two(200) - 1_u32) / prime * prime;
        for n in multiples.into_iter().chain([large]) {
            let refused = plan.modulus(&n).unwrap_err();
            assert_eq!(refused, Refused::SharedFactor { prime });
            assert_eq!(Plan::one(200, &n), Err(PlanError::Refused(refused)));
        }
    }
    for prime in plan.bases.second.primes.iter().map(|prime| prime.value) {
        assert!(plan.modulus(&prime.into()).is_ok());
    }
}

#[test]
fn moduli_and_bases_out_of_range() {
    let plan = Plan::each(40).unwrap();
    assert_eq!(plan.modulus(&BigUint::ZERO).err(), Some(Refused::Zero));
    assert_eq!(plan.modulus(&power_of_two(40)).err(), Some(Refused::Wide { bits: 40, found: 41 }));
    let modulus = plan.modulus(&(power_of_two(40) - 1_u32)).unwrap();
    let wide = modulus.power(&power_of_two(40), &BigUint::from(2_u32));
    assert_eq!(wide, Err(TooWide { bits: 40, found: 41 }));

    let one = Plan::one(40, &BigUint::from(77_u32)).unwrap();
    assert_eq!(one.modulus(&BigUint::from(78_u32)).err(), Some(Refused::Other));
}
