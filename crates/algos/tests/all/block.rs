//! The model of a block: loading, storing, padding, warps, and what it says to slices of a wrong length.

use limbforge_algos::block::add::add_ballot;
use limbforge_algos::block::mul_classical::mul_wide;
use limbforge_algos::block::sub::sub_ballot;
use limbforge_algos::block::{Block, LengthError, map_batch, warp};

fn load_and_store<const M: usize, const Q: usize, const IPB: usize>() -> Result<(), LengthError> {
    for n in 0..=2 * IPB + 1 {
        let batch: Vec<u32> = (1..).take(n * M).collect();
        let mut seen = 0;
        let (copy, _) = map_batch::<u32, (), 1, M, Q, IPB>(n, [&batch], |block, [limbs]| {
            assert_eq!(limbs.len(), Block::<M, Q, IPB>::LANES);
            for thread in block.threads() {
                for (q, &limb) in limbs[thread.lane].iter().enumerate() {
                    let i = thread.rank * Q + q;
                    let at = (block.first_instance() + thread.instance) * M + i;
                    assert_eq!(limb, if thread.active && i < M { batch[at] } else { 0 });
                }
            }
            seen += block.instances();
            (limbs, Vec::new())
        })?;
        assert_eq!((copy, seen), (batch, n));
    }
    Ok(())
}

#[test]
fn batches_are_read_and_written_whole_and_padding_is_zero() -> Result<(), LengthError> {
    load_and_store::<1, 1, 1>()?;
    load_and_store::<3, 5, 4>()?;
    load_and_store::<7, 3, 5>()?;
    load_and_store::<33, 1, 2>()?;
    load_and_store::<100, 3, 3>()
}

#[test]
fn warp_primitives() {
    let lanes: Vec<usize> = (0..64).collect();
    assert_eq!(warp::ballot(lanes.iter().map(|lane| lane % 3 == 0)), [0x4924_9249, 0x9249_2492]);
    assert_eq!(warp::shuffle_up(&lanes, 4)[30..38], [26, 27, 32, 33, 34, 35, 32, 33]);
    assert_eq!(warp::from_below(&lanes, 99)[..2], [99, 0]);
    assert_eq!(warp::from_below(&lanes, 99)[31..33], [30, 31]);
}

#[test]
fn wrong_lengths_are_errors() {
    let error =
        |instances, expected, found| LengthError { expected, instances, limbs_per_instance: 3, found };
    assert_eq!(add_ballot::<u32, 3, 2, 1>(2, &[0; 6], &[0; 5]), Err(error(2, 6, 5)));
    assert_eq!(add_ballot::<u32, 3, 2, 1>(0, &[], &[0]), Err(error(0, 0, 1)));
    assert_eq!(mul_wide::<u32, 3, 2, 1>(usize::MAX, &[0], &[0]), Err(error(usize::MAX, usize::MAX, 1)));
    assert_eq!(sub_ballot::<u32, 3, 2, 1>(1, &[0; 2], &[0; 3]), Err(error(1, 3, 2)));
    assert_eq!(sub_ballot::<u32, 3, 2, 1>(1, &[0; 3], &[0; 4]), Err(error(1, 3, 4)));
    assert_eq!(error(2, 6, 5).to_string(), "expected 6 limbs (2 instances of 3), found 5");
}
