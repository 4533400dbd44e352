use num_bigint::BigUint;
use num_traits::{One, Zero};
use proptest::prelude::*;

use super::*;
use crate::search::Search;

fn set(primes: &[u64]) -> PrimeSet {
    PrimeSet::new("test", primes).unwrap()
}

fn check_number(set: &PrimeSet, number: &BigUint) {
    let residues = residues(set, number);
    assert_eq!(&Crt::new(set).recombine(&residues).unwrap(), number);
}

#[test]
fn all_numbers_of_small_sets() {
    for primes in [&[3][..], &[3, 5, 7], &[11, 3, 2_147_483_647]] {
        let set = set(primes);
        (0_u32..1000)
            .map(BigUint::from)
            .filter(|number| number < set.product())
            .for_each(|n| check_number(&set, &n));
    }
}

#[test]
fn ends_of_the_range_of_known_sets() {
    for set in PrimeSet::known() {
        for number in [BigUint::zero(), BigUint::one(), set.product() - 1_u32, set.product() >> 1] {
            check_number(&set, &number);
        }
    }
}

#[test]
fn constants_are_what_they_say() {
    for set in PrimeSet::known() {
        let crt = Crt::new(&set);
        for (i, &p) in set.primes().iter().enumerate() {
            assert_eq!(&crt.cofactors()[i] * p, *set.product());
            assert!((&crt.cofactors()[i] * crt.inverses()[i] % p).is_one());
        }
    }
}

#[test]
fn wrong_residues_are_refused() {
    let set = set(&[3, 5]);
    let crt = Crt::new(&set);
    for (residues, error) in [
        (&[1][..], ResidueError::Count { expected: 2, found: 1 }),
        (&[2, 5], ResidueError::Range { index: 1, prime: 5, found: 5 }),
    ] {
        assert_eq!(crt.recombine(residues).unwrap_err(), error);
    }
}

proptest! {
    /// Any residues of any primes: the number is below their product and has these residues.
    #[test]
    fn any_residues(picks in prop::collection::btree_set(0_usize..1000, 1..9), seeds in prop::array::uniform9(any::<u64>())) {
        let all = Search::new(55..=64, 48).unwrap().primes();
        let primes: Vec<u64> = picks.iter().map(|pick| all[pick % all.len()].p()).collect();
        let distinct: std::collections::BTreeSet<_> = primes.iter().collect();
        prop_assume!(distinct.len() == primes.len());
        let set = set(&primes);
        let given: Vec<u64> = primes.iter().zip(seeds).map(|(p, seed)| seed % p).collect();
        let number = Crt::new(&set).recombine(&given).unwrap();
        prop_assert!(&number < set.product());
        prop_assert_eq!(residues(&set, &number), given);
    }
}
