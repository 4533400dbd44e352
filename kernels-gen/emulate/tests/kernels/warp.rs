//! Ballots and shuffles.

use limbforge_emulate::{Emulated, Schedule};
use limbforge_needs::needs;
use proptest::prelude::*;

use crate::{build, kernel};

/// Adds integers of 32 words, a word per lane: the carries are one integer addition on two ballots.
const CARRIES: &str = "const unsigned sum = a[i] + b[i], lane = threadIdx.x % 32;
  const unsigned overflowed = __ballot_sync(0xffffffffu, sum < a[i]);
  const unsigned full = __ballot_sync(0xffffffffu, sum == 0xffffffffu);
  const unsigned into = ((overflowed | full) + overflowed) ^ full;
  out[i] = sum + (into >> lane & 1);";

fn sums(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut out = Vec::new();
    for (a, b) in a.chunks(32).zip(b.chunks(32)) {
        let mut carry = 0;
        for (&a, &b) in a.iter().zip(b) {
            carry += u64::from(a) + u64::from(b);
            out.push(carry as u32);
            carry >>= 32;
        }
    }
    out
}

fn words() -> impl Strategy<Value = Vec<u32>> {
    // Zeros and ones in long runs, so that carries ripple.
    prop::collection::vec(
        prop_oneof![2 => Just(u32::MAX), 1 => Just(0), 1 => Just(1), 1 => any::<u32>()],
        256,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[needs(cxx)]
    #[test]
    fn carries_ripple_through_the_lanes_of_each_warp(a in words(), b in words(), seed in any::<u64>()) {
        let mut add = kernel(&["a", "b"], 128, 0, CARRIES);
        add.geometry.instances = 4;
        let add = build(&add);
        for schedule in [Schedule::Random(seed), Schedule::Descending] {
            prop_assert_eq!(add.run_limbs(&[&a, &b], 256, 8, schedule).unwrap(), sums(&a, &b));
        }
    }
}

/// One shuffle of 32 and 64 bits: `form` is the call without its value.
fn shuffle(form: &str, arguments: &str) -> Emulated {
    let body = format!(
        "const unsigned lane = threadIdx.x % 32;
  const unsigned value = 1000 * (threadIdx.x / 32) + lane;
  const unsigned narrow = {form}(0xffffffffu, value, {arguments});
  const unsigned long long wide = {form}(0xffffffffu, (unsigned long long)value << 32 | ~value, {arguments});
  const int negative = {form}(0xffffffffu, -(int)value, {arguments});
  out[i] = wide == ((unsigned long long)narrow << 32 | (unsigned)~narrow) && negative == -(int)narrow ? narrow : ~0u;"
    );
    build(&kernel(&[], 64, 0, &body))
}

fn check_shuffle(form: &str, arguments: &str, source: impl Fn(u32) -> u32) {
    let shuffle = shuffle(form, arguments);
    let expected: Vec<u32> = (0..64).map(|i| 1000 * (i / 32) + source(i % 32)).collect();
    assert_eq!(shuffle.run_all_limbs::<u32>(&[], 64, 64).unwrap(), expected, "{form} {arguments}");
}

#[needs(cxx)]
#[test]
fn shuffles_read_the_lane_that_they_name() {
    check_shuffle("__shfl_sync", "5", |_| 5);
    check_shuffle("__shfl_sync", "lane * 7 + 3", |lane| (lane * 7 + 3) % 32);
    check_shuffle("__shfl_sync", "lane + 1, 8", |lane| lane / 8 * 8 + (lane + 1) % 8);
    check_shuffle("__shfl_sync", "-1", |_| 31);
}

#[needs(cxx)]
#[test]
fn shuffles_up_and_down_stay_in_their_segment() {
    check_shuffle("__shfl_up_sync", "1", |lane| lane.saturating_sub(1));
    check_shuffle("__shfl_up_sync", "3", |lane| if lane < 3 { lane } else { lane - 3 });
    check_shuffle("__shfl_up_sync", "2, 8", |lane| if lane % 8 < 2 { lane } else { lane - 2 });
    check_shuffle("__shfl_down_sync", "1", |lane| (lane + 1).min(31));
    check_shuffle("__shfl_down_sync", "3, 16", |lane| if lane % 16 > 12 { lane } else { lane + 3 });
    check_shuffle(
        "__shfl_down_sync",
        "lane % 4",
        |lane| if lane + lane % 4 > 31 { lane } else { lane + lane % 4 },
    );
}

#[needs(cxx)]
#[test]
fn shuffles_by_xor_read_no_later_segment() {
    check_shuffle("__shfl_xor_sync", "1", |lane| lane ^ 1);
    check_shuffle("__shfl_xor_sync", "31", |lane| lane ^ 31);
    check_shuffle("__shfl_xor_sync", "5, 8", |lane| lane ^ 5);
    check_shuffle("__shfl_xor_sync", "8, 8", |lane| if lane & 8 == 0 { lane } else { lane ^ 8 });
}

#[needs(cxx)]
#[test]
fn votes_see_the_lanes_of_their_mask() {
    let body = "const unsigned lane = threadIdx.x % 32, half = lane < 16 ? 0xffffu : 0xffff0000u;
  unsigned found = 0;
  if (lane < 16) found = __ballot_sync(half, lane & 1);
  else found = __ballot_sync(half, lane & 2);
  found ^= __any_sync(half, lane == 3) << 4 ^ __all_sync(half, lane > 15) << 5;
  __syncwarp();
  out[i] = found;";
    let votes = build(&kernel(&[], 64, 0, body));
    let expected: Vec<u32> =
        (0..64).map(|i| if i % 32 < 16 { 0xaaaa ^ 1 << 4 } else { 0xcccc_0000 ^ 1 << 5 }).collect();
    assert_eq!(votes.run_all_limbs::<u32>(&[], 64, 64).unwrap(), expected);
}

#[needs(cxx)]
#[test]
fn warps_run_at_their_own_pace_between_barriers() {
    // Warp w votes w times; then all exchange the counts.
    let body = "__shared__ unsigned counts[4];
  const unsigned warp = threadIdx.x / 32;
  unsigned count = 0;
  for (unsigned j = 0; j < warp; j++) count += __popc(__ballot_sync(0xffffffffu, threadIdx.x % 2));
  if (threadIdx.x % 32 == 0) counts[warp] = count;
  __syncthreads();
  out[i] = counts[0] + counts[1] + counts[2] + counts[3];";
    let paces = build(&kernel(&[], 128, 0, body));
    assert_eq!(paces.run_all_limbs::<u32>(&[], 128, 128).unwrap(), [16 * 6; 128]);
}

#[needs(cxx)]
#[test]
fn groups_of_warps_wait_at_barriers_of_their_own() {
    // Two groups of two warps: group 0 waits twice, group 1 five times, each for words of its other warp.
    let body = "__shared__ unsigned words[128];
  const unsigned group = threadIdx.x / 64, other = threadIdx.x ^ 32;
  unsigned sum = threadIdx.x;
  for (unsigned j = 0; j < (group ? 5 : 2); j++) {
    words[threadIdx.x] = sum;
    limbforge_emulate::meet_group(\"bar.sync\", __LINE__, 1 + group, 64);
    sum += words[other];
    limbforge_emulate::meet_group(\"bar.sync\", __LINE__, 1 + group, 64);
  }
  out[i] = sum;";
    let groups = build(&kernel(&[], 128, 0, body));
    // Both warps have the sum of both words after a round, which then doubles.
    let expected: Vec<u32> = (0..128).map(|i: u32| (i + (i ^ 32)) << if i < 64 { 1 } else { 4 }).collect();
    assert_eq!(groups.run_all_limbs::<u32>(&[], 128, 128).unwrap(), expected);
}

#[needs(cxx)]
#[test]
fn the_largest_block_runs() {
    let body = "unsigned sum = threadIdx.x;
  for (int delta = 16; delta > 0; delta /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, delta);
  __shared__ unsigned sums[32];
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = sums[threadIdx.x % 32];
  for (int delta = 16; delta > 0; delta /= 2) sum += __shfl_down_sync(0xffffffffu, sum, delta);
  out[i] = __shfl_sync(0xffffffffu, sum, 0);";
    let sum = build(&kernel(&[], 1024, 0, body));
    assert_eq!(sum.run_all_limbs::<u32>(&[], 3072, 3072).unwrap(), vec![1023 * 512; 3072]);
}
