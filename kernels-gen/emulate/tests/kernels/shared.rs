//! Shared memory and barriers.

use limbforge_emulate::{EmulateError, Fault, Schedule};
use limbforge_kernels_gen::Kernel;
use limbforge_needs::needs;

use crate::{build, contains, fault, kernel};

/// The sum of each block's inputs, in every thread.
fn reduction(barrier: &str) -> Kernel {
    let body = format!(
        "unsigned* s = reinterpret_cast<unsigned*>(limbforge_shared);
  s[threadIdx.x] = i < instances ? a[i] : 0;
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {{
    if (threadIdx.x < step) s[threadIdx.x] += s[threadIdx.x + step];
    {barrier}
  }}
  if (i < instances) out[i] = s[0];"
    );
    kernel(&["a"], 256, 1024, &body)
}

#[needs(cxx)]
#[test]
fn reduction_over_the_block() {
    let sum = build(&reduction("__syncthreads();"));
    let a: Vec<u32> = (0..600).map(|i| i * i + 1).collect();
    let expected: Vec<u32> = a.chunks(256).flat_map(|block| vec![block.iter().sum(); block.len()]).collect();
    assert_eq!(sum.run_all_limbs(&[&a], 600, 600).unwrap(), expected);
}

#[needs(cxx)]
#[test]
fn a_missing_barrier_shows_between_schedules() {
    let sum = build(&reduction(""));
    let a: Vec<u32> = (0..256).map(|i| i * i + 1).collect();
    let results: Vec<Vec<u32>> =
        Schedule::SAMPLE.iter().map(|&schedule| sum.run_limbs(&[&a], 256, 256, schedule).unwrap()).collect();
    assert!(results.iter().any(|result| *result != results[0]));
    let race = sum.run_all_limbs(&[&a], 256, 256);
    assert!(matches!(race, Err(EmulateError::Race { .. })), "{race:?}");
}

#[needs(cxx)]
#[test]
fn a_missing_warp_barrier_shows_too() {
    let exchange = |barrier: &str| {
        let body = format!(
            "__shared__ unsigned s[32];\n  s[threadIdx.x] = a[i];\n  {barrier}\n  out[i] = s[(threadIdx.x + 1) % 32];"
        );
        build(&kernel(&["a"], 32, 0, &body))
    };
    let (with, without) = (exchange("__syncwarp();"), exchange(""));
    let a: Vec<u32> = (0..32).collect();
    assert_eq!(
        with.run_all_limbs(&[&a], 32, 32).unwrap(),
        (0..32).map(|i| (i + 1) % 32).collect::<Vec<u32>>()
    );
    assert!(matches!(without.run_all_limbs(&[&a], 32, 32), Err(EmulateError::Race { .. })));
}

#[needs(cxx)]
#[test]
fn schedules_run_threads_in_their_order() {
    // The counter starts as poison.
    let body = "__shared__ unsigned turn;\n  __syncwarp();\n  out[i] = atomicAdd(&turn, 1u) - 0xa5a5a5a5u;";
    let turns = build(&kernel(&[], 64, 0, body));
    let run = |schedule| turns.run_limbs::<u32>(&[], 64, 64, schedule).unwrap();
    assert_eq!(run(Schedule::Ascending), (0..64).collect::<Vec<u32>>());
    assert_eq!(run(Schedule::Descending), (0..64).rev().collect::<Vec<u32>>());
    let mut random = run(Schedule::Random(1));
    assert_ne!(random, run(Schedule::Random(2)));
    random.sort_unstable();
    assert_eq!(random, (0..64).collect::<Vec<u32>>());
}

#[needs(cxx)]
#[test]
fn a_schedule_repeats_itself() {
    let sum = build(&reduction(""));
    let a: Vec<u32> = (0..256).map(|i| i * i + 1).collect();
    let run = |seed| sum.run_limbs(&[&a], 256, 256, Schedule::Random(seed)).unwrap();
    assert_eq!(run(7), run(7));
    assert_ne!(run(7), run(8));
}

#[needs(cxx)]
#[test]
fn shared_memory_is_poison_in_every_block() {
    // Each block leaves zeros behind, which the next one must not find.
    let body = "__shared__ unsigned mine[32];
  unsigned* dynamic = reinterpret_cast<unsigned*>(limbforge_shared);
  out[2 * i] = mine[threadIdx.x];
  out[2 * i + 1] = dynamic[threadIdx.x];
  mine[threadIdx.x] = dynamic[threadIdx.x] = 0;";
    let poison = build(&kernel(&[], 32, 128, body));
    assert_eq!(poison.run_all_limbs::<u32>(&[], 192, 96).unwrap(), [0xa5a5_a5a5; 192]);
}

#[needs(cxx)]
#[test]
fn static_arrays_of_functions_and_templates_are_shared() {
    let mut two = kernel(&["a"], 64, 0, "out[i] = reversed(a[i]) + moved<3>(a[i]) + moved<5>(a[i]);");
    two.source.insert_str(
        0,
        "__device__ __forceinline__ unsigned reversed(unsigned x) {
  __shared__ unsigned s[64];
  s[threadIdx.x] = x;
  __syncthreads();
  return s[63 - threadIdx.x];
}
template <int BY> __device__ unsigned moved(unsigned x) {
  __shared__ uint2 s[64];
  s[threadIdx.x] = make_uint2(x, 0);
  __syncthreads();
  return BY * s[(threadIdx.x + BY) % 64].x;
}
",
    );
    let two = build(&two);
    let a: Vec<u32> = (0..64).map(|i| i * i).collect();
    let expected: Vec<u32> = (0..64).map(|i| a[63 - i] + 3 * a[(i + 3) % 64] + 5 * a[(i + 5) % 64]).collect();
    assert_eq!(two.run_all_limbs(&[&a], 64, 64).unwrap(), expected);
}

#[needs(cxx)]
#[test]
fn barriers_count_predicates() {
    let body = "const int third = threadIdx.x % 3 == 0;
  out[i] = __syncthreads_count(third) << 8 | __syncthreads_or(threadIdx.x == 95) << 4 |
           __syncthreads_or(threadIdx.x == 96) << 3 | __syncthreads_and(threadIdx.x < 96) << 2 | __syncthreads_and(third);";
    let count = build(&kernel(&[], 96, 0, body));
    assert_eq!(count.run_all_limbs::<u32>(&[], 96, 96).unwrap(), [32 << 8 | 1 << 4 | 1 << 2; 96]);
}

#[needs(cxx)]
#[test]
fn atomics_return_the_old_word() {
    let body = "unsigned* s = reinterpret_cast<unsigned*>(limbforge_shared);
  if (threadIdx.x == 0) s[0] = s[1] = 0;
  __syncthreads();
  out[64 + i] = atomicAdd(s, 2u);
  atomicMax(s + 1, threadIdx.x);
  __syncthreads();
  out[i] = s[0] + s[1];";
    let atomics = build(&kernel(&[], 64, 16, body));
    let mut found = atomics.run_limbs::<u32>(&[], 128, 64, Schedule::Random(5)).unwrap();
    assert_eq!(found[..64], [128 + 63; 64]);
    found[64..].sort_unstable();
    assert_eq!(found[64..], (0..64).map(|i| 2 * i).collect::<Vec<u32>>());
}

#[needs(cxx)]
#[test]
fn writes_behind_dynamic_shared_memory_are_found() {
    let body = "reinterpret_cast<unsigned*>(limbforge_shared)[threadIdx.x + 1] = 0;\n  out[i] = 0;";
    let beyond = build(&kernel(&[], 32, 128, body));
    let (kind, report) = fault(beyond.run_limbs::<u32>(&[], 32, 32, Schedule::Ascending));
    assert_eq!(kind, Fault::Memory);
    contains(&report, "byte 128 of the dynamic shared memory, which has 128 bytes");
}
