//! The classical product: the conformance suite on every limb.

mod on_u32 {
    limbforge_testing::conformance_block!(mul_classical, u32);
}
mod on_u64 {
    limbforge_testing::conformance_block!(mul_classical, u64);
}
mod on_u128 {
    limbforge_testing::conformance_block!(mul_classical, u128);
}

use limbforge_algos::block::mul_classical::{chunks, mul_low, mul_wide};

/// Terms of column k in a product of `len` by `len` limbs.
fn terms(k: usize, len: usize) -> usize {
    (k + 1).min(2 * len - 1 - k.min(2 * len - 1))
}

#[test]
fn every_column_has_one_thread_and_even_q_gives_equal_work() {
    fn check<const Q: usize>(threads: usize, strides: usize) {
        let len = threads * Q;
        let of = |rank| chunks::<Q>(rank, len, strides).flatten().collect::<Vec<usize>>();
        let mut columns: Vec<usize> = (0..threads).flat_map(of).collect();
        columns.sort_unstable();
        assert_eq!(columns, (0..strides * len).collect::<Vec<_>>());

        let work: Vec<usize> =
            (0..threads).map(|rank| of(rank).iter().map(|&k| terms(k, len)).sum()).collect();
        let (least, most) = (work.iter().min().unwrap(), work.iter().max().unwrap());
        assert!(
            most - least <= if Q.is_multiple_of(2) || strides == 2 { 0 } else { len },
            "Q = {Q}: {work:?}"
        );
    }
    for threads in [1, 2, 7, 32] {
        for strides in [1, 2] {
            check::<1>(threads, strides);
            check::<2>(threads, strides);
            check::<3>(threads, strides);
            check::<4>(threads, strides);
            check::<7>(threads, strides);
        }
    }
}

#[test]
fn chunks_of_one_column_do_not_overlap() {
    // With one column a chunk, the carry of a chunk and the high limb of the next one have the same place in H.
    let a = [u64::MAX; 12];
    // (B^12 - 1)^2 = B^24 - 2 B^12 + 1.
    let mut wide = vec![u64::MAX; 24];
    wide[..12].fill(0);
    (wide[0], wide[12]) = (1, u64::MAX - 1);
    assert_eq!(mul_wide::<u64, 12, 1, 1>(1, &a, &a), Ok(wide.clone()));
    assert_eq!(mul_wide::<u64, 12, 2, 1>(1, &a, &a), Ok(wide.clone()));
    assert_eq!(mul_low::<u64, 12, 3, 1>(1, &a, &a), Ok(wide[..12].to_vec()));
}
