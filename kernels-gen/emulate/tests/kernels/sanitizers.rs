//! `Check::Memory`: exact bounds and undefined behaviour.

use limbforge_emulate::{Check, Emulated, Fault, Schedule};
use limbforge_needs::needs;

use crate::{build_with, contains, fault, kernel};

fn checked(body: &str) -> Emulated {
    build_with(&kernel(&["a"], 64, 256, body), Check::Memory)
}

fn expect(body: &str, kind: Fault, part: &str) {
    let emulated = checked(body);
    let (found, report) = fault(emulated.run_limbs::<u32>(&[&[1; 63]], 64, 64, Schedule::Random(1)));
    assert_eq!(found, kind, "{report}");
    contains(&report, part);
    contains(&report, "block 0, thread");
}

#[needs(cxx)]
#[test]
fn a_clean_kernel_passes() {
    let body = "unsigned* s = reinterpret_cast<unsigned*>(limbforge_shared);
  __shared__ unsigned t[64];
  const unsigned j = threadIdx.x;
  s[j] = j < 63 ? a[j] : 0;
  __syncthreads();
  t[j] = s[63 - j] + __shfl_down_sync(~0u, j, 1);
  __syncthreads();
  out[i] = t[63 - j] + __popc(__ballot_sync(~0u, j & 1));";
    let clean = checked(body);
    let a: Vec<u32> = (0..63).collect();
    let expected: Vec<u32> = (0..64)
        .map(|j| {
            let mirror = 63 - j;
            let next = if mirror % 32 == 31 { mirror } else { mirror + 1 };
            if j < 63 { j + next + 16 } else { next + 16 }
        })
        .collect();
    let found = clean.run_limbs(&[&a], 128, 128, Schedule::Random(4)).unwrap();
    assert_eq!(found, [expected.clone(), expected].concat());
}

#[needs(cxx)]
#[test]
fn reads_one_word_past_an_input() {
    // Guards let it pass: the next 16 bytes may be read.
    expect("out[i] = a[i];", Fault::Memory, "AddressSanitizer");
}

#[needs(cxx)]
#[test]
fn reads_one_word_past_dynamic_shared_memory() {
    expect("out[i] = ((unsigned*)limbforge_shared)[threadIdx.x + 1];", Fault::Memory, "AddressSanitizer");
}

#[needs(cxx)]
#[test]
fn indices_past_a_shared_array() {
    expect(
        "__shared__ unsigned s[8];\n  s[threadIdx.x % 9] = 1;\n  out[i] = s[0];",
        Fault::Undefined,
        "out of bounds",
    );
}

#[needs(cxx)]
#[test]
fn indices_past_a_local_array() {
    let body =
        "volatile unsigned s[8];\n  volatile unsigned* p = s;\n  p[threadIdx.x % 9] = 1;\n  out[i] = p[0];";
    expect(body, Fault::Memory, "AddressSanitizer");
}

#[needs(cxx)]
#[test]
fn shifts_by_the_width() {
    expect("out[i] = 1u << (threadIdx.x % 33);", Fault::Undefined, "shift exponent 32");
}

#[needs(cxx)]
#[test]
fn misaligned_vectors() {
    let body = "*reinterpret_cast<uint2*>(out + 2 * (i / 4) + 1) = make_uint2(1, 2);";
    expect(body, Fault::Undefined, "misaligned");
}
