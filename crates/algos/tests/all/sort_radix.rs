//! Radix sort against the standard library's sort.

use limbforge_algos::block::sort_radix::{Key, SortError, sort};
use proptest::collection::vec;
use proptest::prelude::*;

fn is_sorted_as<K: Key + Ord>(keys: &[K], s: u32, threads: usize) -> Result<(), TestCaseError> {
    let (mut found, mut expected) = (keys.to_vec(), keys.to_vec());
    expected.sort_unstable();
    prop_assert_eq!(sort(&mut found, s, threads), Ok(()));
    prop_assert_eq!(found, expected);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn words_of_32_bits(keys in vec(prop_oneof![any::<u32>(), 0_u32..9], 0..300), s in 1_u32..=16, threads in 1_usize..20) {
        is_sorted_as(&keys, s, threads)?;
    }

    #[test]
    fn words_of_64_bits(
        keys in vec(prop_oneof![any::<u64>(), Just(u64::MAX), 0_u64..9], 0..300),
        s in 1_u32..=16,
        threads in 1_usize..20,
    ) {
        is_sorted_as(&keys, s, threads)?;
    }
}

#[test]
fn many_keys() {
    let keys: Vec<u64> = (0..200_000_u64).map(|i| (i * i).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let short: Vec<u32> = keys.iter().map(|&key| (key >> 40) as u32).collect();
    let reversed: Vec<u32> = (0..100_000).rev().collect();
    for (s, threads) in [(8, 4), (11, 3), (16, 1)] {
        is_sorted_as(&keys, s, threads).unwrap();
        is_sorted_as(&short, s, threads).unwrap();
        is_sorted_as(&reversed, s, threads).unwrap();
    }
}

#[test]
fn refusals() {
    let mut keys = [2_u32, 1];
    assert_eq!(sort(&mut keys, 0, 1), Err(SortError::DigitBits { found: 0, most: 16 }));
    assert_eq!(sort(&mut keys, 17, 1), Err(SortError::DigitBits { found: 17, most: 16 }));
    assert_eq!(sort(&mut keys, 8, 0), Err(SortError::Threads { found: 0 }));
    assert_eq!(keys, [2, 1]);
}
