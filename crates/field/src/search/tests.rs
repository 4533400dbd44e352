use core::ops::ControlFlow;

use proptest::prelude::*;

use super::*;
use crate::primality::is_prime;

/// The same primes by testing every odd k of every n.
fn naive(bits: RangeInclusive<u32>, min_adicity: u32) -> Vec<u64> {
    let mut primes = vec![];
    for n in min_adicity..64 {
        let most = (u64::MAX >> (64 - bits.end())) - 1;
        for k in (1..=most >> n).step_by(2) {
            let p = (k << n) + 1;
            if bits.contains(&(64 - p.leading_zeros())) && is_prime(p) {
                primes.push(p);
            }
        }
    }
    primes.sort_unstable();
    primes
}

fn found(bits: RangeInclusive<u32>, min_adicity: u32) -> Vec<u64> {
    Search::new(bits, min_adicity).unwrap().primes().into_iter().map(NttPrime::p).collect()
}

/// The complete list, by a method that shares nothing but the definition.
#[test]
fn all_primes_with_adicity_44_and_more() {
    let primes = found(2..=64, 44);
    assert_eq!(primes, naive(2..=64, 44));
    assert!(primes.contains(&4_179_340_454_199_820_289));
}

#[test]
fn all_small_primes() {
    // 3 has adicity 1: also the primes of the sieve itself are found.
    for min_adicity in 1..=8 {
        assert_eq!(found(2..=18, min_adicity), naive(2..=18, min_adicity), "{min_adicity}");
    }
    assert_eq!(found(2..=2, 1), [3]);
    assert_eq!(found(3..=3, 3), [] as [u64; 0]);
}

#[test]
fn primes_without_proths_theorem() {
    // k is above 2^n for most of these.
    assert_eq!(found(36..=36, 18), naive(36..=36, 18));
    assert_eq!(found(64..=64, 48), naive(64..=64, 48));
}

#[test]
fn long_searches_cross_segments_and_blocks() {
    let search = Search::new(2..=40, 18).unwrap();
    assert!(search.candidates() > 4 * BLOCK / 64);
    let primes = search.primes();
    assert_eq!(primes.iter().map(|prime| prime.p()).collect::<Vec<_>>(), naive(2..=40, 18));
    assert!(primes.iter().all(|prime| prime.k() % 2 == 1 && (prime.k() << prime.adicity()) + 1 == prime.p()));
}

#[test]
fn a_visitor_stops_the_search_and_progress_ends_at_all() {
    let search = Search::new(64..=64, 20).unwrap();
    let mut primes = vec![];
    search.for_each(
        |_| (),
        |prime| {
            primes.push(prime);
            if primes.len() == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    assert_eq!(primes.len(), 5);
    assert!(primes.iter().all(|prime| is_prime(prime.p()) && prime.p() > 1 << 63));
    let search = Search::new(60..=62, 40).unwrap();
    let mut done = 0;
    search.for_each(|now| done = now, |_| ControlFlow::Continue(()));
    assert_eq!(done, search.candidates());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn any_range(min_adicity in 1_u32..64, width in 1_u32..14, length in 0_u32..4) {
        let end = (min_adicity + width).clamp(2, 64);
        let start = end.saturating_sub(length).max(2);
        prop_assert_eq!(found(start..=end, min_adicity), naive(start..=end, min_adicity));
    }
}

#[test]
#[expect(clippy::reversed_empty_ranges, reason = "what a user may ask for")]
fn impossible_searches_are_refused() {
    for bits in [1..=5, 60..=65, 5..=4] {
        assert_eq!(Search::new(bits.clone(), 8), Err(SearchError::Bits { found: bits }));
    }
    for found in [0, 64] {
        assert_eq!(Search::new(60..=62, found), Err(SearchError::Adicity { found }));
    }
    assert_eq!(
        Search::new(60..=65, 8).unwrap_err().to_string(),
        "primes of 60..65 bits: expected a range within 2..64"
    );
}

#[test]
fn a_fourier_prime_is_an_odd_prime() {
    assert_eq!((NttPrime::new(2), NttPrime::new(9), NttPrime::new(1)), (None, None, None));
    let prime = NttPrime::new(3_221_225_473).unwrap();
    assert_eq!((prime.k(), prime.adicity(), prime.to_string().as_str()), (3, 30, "3*2^30 + 1"));
}
