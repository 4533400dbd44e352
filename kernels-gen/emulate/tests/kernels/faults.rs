//! What a kernel must not do, and what is said about it.

use std::time::Duration;

use limbforge_emulate::{EmulateError, Fault, Schedule};
use limbforge_needs::needs;

use crate::{BODY, build, contains, fault, kernel};

/// Runs a body with 64 threads, one input `a` and a result of 64 words each; expects the fault and the parts
/// of its report.
fn expect(body: &str, kind: Fault, parts: &[&str]) {
    let emulated = build(&kernel(&["a"], 64, 0, body));
    for schedule in Schedule::SAMPLE {
        let (found, report) = fault(emulated.run_limbs::<u32>(&[&[1; 64]], 64, 64, schedule));
        assert_eq!(found, kind, "{schedule}: {report}");
        for part in parts {
            contains(&report, part);
        }
    }
}

#[needs(cxx)]
#[test]
fn a_barrier_that_some_threads_do_not_reach() {
    let line = format!("at __syncthreads, line {BODY}");
    expect(
        "if (threadIdx.x < 40) __syncthreads();",
        Fault::Divergence,
        &[
            &format!("block 0, warp 0: lanes 0-31 {line}"),
            &format!("block 0, warp 1: lanes 0-7 {line}; lanes 8-31 exited"),
        ],
    );
}

#[needs(cxx)]
#[test]
fn barriers_at_different_lines() {
    expect(
        "if (threadIdx.x < 32) __syncthreads();\nelse __syncthreads();",
        Fault::Divergence,
        &[
            &format!("warp 0: lanes 0-31 at __syncthreads, line {BODY}"),
            &format!("warp 1: lanes 0-31 at __syncthreads, line {}", BODY + 1),
        ],
    );
}

#[needs(cxx)]
#[test]
fn a_barrier_of_a_group_that_one_of_its_warps_does_not_reach() {
    let body = r#"if (threadIdx.x < 32) limbforge_emulate::meet_group("bar.sync", __LINE__, 3, 64);"#;
    let line = format!("warp 0: lanes 0-31 at bar.sync, line {BODY}");
    expect(body, Fault::Divergence, &[&line, "warp 1: lanes 0-31 exited"]);
}

#[needs(cxx)]
#[test]
fn barriers_of_groups_have_numbers_and_whole_warps() {
    let body = |number: u32, count: u32| {
        format!(r#"limbforge_emulate::meet_group("bar.sync", __LINE__, {number}, {count});"#)
    };
    expect(&body(16, 64), Fault::Misuse, &["bar.sync", "a number that is not from 1 to 15"]);
    expect(&body(1, 40), Fault::Misuse, &["bar.sync", "no whole warps"]);
}

#[needs(cxx)]
#[test]
fn a_lane_that_exits_before_a_collective() {
    expect(
        "if (threadIdx.x % 32 == 5) return;\nout[i] = __ballot_sync(0xffffffffu, 1);",
        Fault::Divergence,
        &[&format!(
            "warp 1: lanes 0-4,6-31 at __ballot_sync, line {}, mask 0xffffffff; lane 5 exited",
            BODY + 1
        )],
    );
}

#[needs(cxx)]
#[test]
fn lanes_at_different_collectives() {
    let body = "if (threadIdx.x % 2) out[i] = __ballot_sync(0xffffffffu, 1);
else out[i] = __shfl_sync(0xffffffffu, 7u, 0);";
    expect(body, Fault::Divergence, &["__ballot_sync, line 5", "lanes 0,2,4,6", "__shfl_sync, line 6"]);
}

#[needs(cxx)]
#[test]
fn lanes_with_different_masks() {
    let body = "out[i] = __ballot_sync(threadIdx.x % 32 < 8 ? 0xffu : 0xffffffffu, 1);";
    expect(
        body,
        Fault::Divergence,
        &["lanes 8-31 at __ballot_sync, line 5, mask 0xffffffff", "lanes 0-7 exited"],
    );
}

#[needs(cxx)]
#[test]
fn a_collective_across_a_barrier() {
    let body = "if (threadIdx.x % 32 < 4) __syncthreads();\nelse __syncwarp();";
    expect(
        body,
        Fault::Divergence,
        &["lanes 0-3 at __syncthreads, line 5", "lanes 4-31 at __syncwarp, line 6"],
    );
}

#[needs(cxx)]
#[test]
fn collectives_that_cuda_leaves_undefined() {
    expect(
        "out[i] = __ballot_sync(0xfffffffeu, 1);",
        Fault::Misuse,
        &["block 0, thread", "mask does not name"],
    );
    expect(
        "if (threadIdx.x % 32 < 16) out[i] = __shfl_sync(0xffffu, 1u, 20);",
        Fault::Misuse,
        &["__shfl_sync at line 5 reads a lane outside its mask"],
    );
    expect("out[i] = __shfl_sync(~0u, 1u, 0, 12);", Fault::Misuse, &["no power of two"]);
    expect("out[i] = __shfl_up_sync(~0u, 1u, 32);", Fault::Misuse, &["more than 31 lanes"]);
    expect("if (threadIdx.x == 63) __trap();", Fault::Misuse, &["block 0, thread 63: __trap at line 5"]);
    expect("__builtin_assume(threadIdx.x < 60);", Fault::Misuse, &["does not hold: threadIdx.x < 60"]);
}

#[needs(cxx)]
#[test]
fn writes_around_the_result() {
    let found = "`out`, which has 256 bytes";
    expect("out[i + 1] = 0;", Fault::Memory, &["byte 256 of", found]);
    expect("out[(long long)i - 1] = 0;", Fault::Memory, &["byte -4 of", found]);
    // Further away than the guard bytes reach.
    expect(
        "if (threadIdx.x == 9) out[100000] = 0;",
        Fault::Memory,
        &["block 0, thread 9: ", "byte 400000 of", found],
    );
}

#[needs(cxx)]
#[test]
fn a_result_that_ends_within_a_vector_is_guarded_to_the_byte() {
    let fifth = build(&kernel(&[], 32, 0, "if (threadIdx.x < 6) out[i] = 0;"));
    assert_eq!(fifth.run_limbs::<u32>(&[], 6, 1, Schedule::Ascending).unwrap(), [0; 6]);
    let (kind, report) = fault(fifth.run_limbs::<u32>(&[], 5, 1, Schedule::Ascending));
    assert_eq!(kind, Fault::Memory);
    contains(&report, "block 0 wrote to byte 20 of `out`, which has 20 bytes");
}

#[needs(cxx)]
#[test]
fn accesses_to_inputs() {
    expect("const_cast<unsigned*>(a)[i] = 0;", Fault::Memory, &["write to the read-only byte", "of `a`"]);
    expect("out[i] = a[i + 32];", Fault::Memory, &["access to byte", "of `a`, which has 256 bytes"]);
    expect(
        "out[i] = *reinterpret_cast<const volatile unsigned*>(8ull * i);",
        Fault::Memory,
        &["in no buffer"],
    );
}

#[needs(cxx)]
#[test]
fn a_stack_that_overflows() {
    let mut deep = kernel(&["a"], 32, 0, "out[i] = deep(a[i]);");
    deep.source.insert_str(
        0,
        "__device__ __noinline__ unsigned deep(unsigned n) {
  volatile unsigned space[1000];
  space[n % 1000] = n;
  return n == 0 ? 0 : deep(n - 1) + space[n % 1000];
}
",
    );
    let deep = build(&deep);
    let run = |depth| deep.run_limbs::<u32>(&[&[depth; 32]], 32, 32, Schedule::Ascending);
    assert_eq!(run(10).unwrap(), [55; 32]);
    let (kind, report) = fault(run(1000));
    assert_eq!(kind, Fault::Memory);
    contains(&report, "block 0, thread 0: ");
}

#[needs(cxx)]
#[test]
fn a_kernel_that_does_not_end() {
    let body = "if (threadIdx.x == 3) while (*(const volatile unsigned*)a == 1) {}\n  out[i] = 0;";
    let endless = build(&kernel(&["a"], 32, 0, body));
    let endless = endless.with_time_limit(Duration::from_millis(300));
    let (kind, report) = fault(endless.run_limbs::<u32>(&[&[1]], 32, 32, Schedule::Ascending));
    assert_eq!(kind, Fault::Time);
    contains(&report, "block 0, thread 3: the time limit passed");
    assert_eq!(endless.run_limbs::<u32>(&[&[0]], 32, 32, Schedule::Ascending).unwrap(), [0; 32]);
}

#[needs(cxx)]
#[test]
fn a_division_by_zero() {
    expect("out[i] = 5 / (a[i] - 1);", Fault::Undefined, &["block 0, thread", "division by zero"]);
}

#[needs(cxx)]
#[test]
fn later_blocks_are_named() {
    let third = build(&kernel(&[], 32, 0, "if (blockIdx.x == 2 && threadIdx.x == 1) __trap();"));
    let result = third.run_limbs::<u32>(&[], 96, 96, Schedule::Descending);
    let Err(error @ EmulateError::Fault { .. }) = &result else { panic!("{result:?}") };
    contains(
        &error.to_string(),
        "kernel `k`, schedule descending: misuse of an intrinsic\nblock 2, thread 1: __trap",
    );
}
