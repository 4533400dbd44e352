//! Blocks, N, buffers and the way from Rust and back.

use limbforge_emulate::{Compiler, EmulateError, Emulated, Schedule};
use limbforge_needs::needs;
use proptest::prelude::*;

use crate::{build, kernel};

const ADD: &str = "if (i < instances) out[i] = a[i] + b[i];";

#[needs(cxx)]
#[test]
fn add_for_any_number_of_instances() {
    let add = build(&kernel(&["a", "b"], 64, 0, ADD));
    // 64 instances a block: less than one, exactly one, one more, several, not a multiple.
    for n in [1u32, 63, 64, 65, 128, 1000] {
        let a: Vec<u32> = (0..n).map(|i| i.wrapping_mul(0x0101_0101)).collect();
        let b: Vec<u32> = (0..n).map(|i| u32::MAX - i).collect();
        let sums: Vec<u32> = a.iter().zip(&b).map(|(a, b)| a.wrapping_add(*b)).collect();
        assert_eq!(add.run_all_limbs(&[&a, &b], n as usize, n.into()).unwrap(), sums, "N = {n}");
    }
}

#[needs(cxx)]
#[test]
fn block_and_grid_have_their_dimensions() {
    let body = "out[i] = blockIdx.x << 24 | gridDim.x << 16 | blockDim.x << 8 | threadIdx.x | threadIdx.y | blockIdx.z;";
    let dimensions = build(&kernel(&[], 32, 0, body));
    let found = dimensions.run_limbs::<u32>(&[], 96, 70, Schedule::Random(3)).unwrap();
    assert_eq!(found, (0..96).map(|i| (i / 32) << 24 | 0x3_2000 | (i % 32)).collect::<Vec<u32>>());
}

#[needs(cxx)]
#[test]
fn a_block_may_hold_several_instances() {
    // Four instances of eight words; the grid covers 2 of 4 in the last block.
    let mut quarter = kernel(&["a"], 32, 0, "if (i < 8 * instances) out[i] = a[i] + (unsigned)(i / 8);");
    quarter.geometry.instances = 4;
    let quarter = build(&quarter);
    let a: Vec<u32> = (0..80).collect();
    let expected: Vec<u32> = (0..80).map(|i| i + i / 8).collect();
    assert_eq!(quarter.run_limbs(&[&a], 80, 10, Schedule::Descending).unwrap(), expected);
}

#[needs(cxx)]
#[test]
fn bytes_that_were_not_written_are_poison() {
    let even = build(&kernel(&[], 32, 0, "if (i % 2 == 0) out[i] = 0;"));
    assert_eq!(
        even.run_limbs::<u32>(&[], 4, 4, Schedule::Ascending).err().map(|e| e.to_string().lines().count()),
        Some(2)
    );
    let found = even.run_limbs::<u32>(&[], 32, 32, Schedule::Ascending).unwrap();
    assert!(found.iter().enumerate().all(|(i, &word)| word == if i % 2 == 0 { 0 } else { 0xa5a5_a5a5 }));
}

#[needs(cxx)]
#[test]
fn calls_that_do_not_fit_the_kernel_are_refused() {
    let add = build(&kernel(&["a", "b"], 64, 0, ADD));
    let one: &[u32] = &[1];
    let count = add.run_limbs(&[one], 1, 1, Schedule::Ascending);
    assert!(matches!(count, Err(EmulateError::Inputs { expected: 2, found: 1, .. })), "{count:?}");
    let none = add.run_limbs(&[one, one], 1, 0, Schedule::Ascending);
    assert!(matches!(none, Err(EmulateError::Limit { what: "N", found: 0, .. })), "{none:?}");
}

#[needs(cxx)]
#[test]
fn kernels_that_no_gpu_launches_are_refused() {
    let compiler = Compiler::find().unwrap();
    for threads in [0, 48, 1056] {
        let refused = Emulated::build(&compiler, &kernel(&[], threads, 0, ""));
        assert!(
            matches!(refused, Err(EmulateError::Limit { what: "threads of a block", .. })),
            "{refused:?}"
        );
    }
    let mut unnamed = kernel(&[], 32, 0, "");
    unnamed.entry = "k()".into();
    assert!(matches!(Emulated::build(&compiler, &unnamed), Err(EmulateError::Entry { .. })));
}

#[needs(cxx)]
#[test]
fn equal_kernels_are_compiled_once() {
    let compiler = Compiler::find().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let compiler = compiler.with_cache(folder.path());
    let files = || std::fs::read_dir(folder.path()).unwrap().count();
    let add = kernel(&["a", "b"], 64, 0, ADD);
    Emulated::build(&compiler, &add).unwrap();
    assert_eq!(files(), 2, "the harness and the kernel, nothing left over");
    Emulated::build(&compiler, &add).unwrap();
    assert_eq!(files(), 2);
    let mut wider = add;
    wider.geometry.shared_bytes = 64;
    Emulated::build(&compiler, &wider).unwrap();
    assert_eq!(files(), 3);
}

#[needs(cxx)]
#[test]
fn compile_errors_name_the_line() {
    let compiler = Compiler::find().unwrap();
    let broken = kernel(&[], 32, 0, "\n  out[i] = unknown_name;");
    let Err(EmulateError::Compile { output, source_text, .. }) = Emulated::build(&compiler, &broken) else {
        panic!("compiled")
    };
    crate::contains(&output, &format!("kernel.cu:{}:", crate::BODY + 1));
    crate::contains(&output, "unknown_name");
    assert_eq!(source_text, broken.source);
}

#[needs(cxx)]
#[test]
fn unrolling_is_no_warning_and_warp_size_is_known() {
    let body =
        "unsigned sum = 0;\n#pragma unroll\nfor (int j = 0; j < warpSize; j++) sum += j;\n#pragma unroll 4
for (int j = 0; j < 4; j++) sum += j;\nout[i] = sum;";
    let sum = build(&kernel(&[], 32, 0, &format!("#pragma GCC diagnostic error \"-Wall\"\n{body}")));
    assert_eq!(sum.run_limbs::<u32>(&[], 32, 32, Schedule::Ascending).unwrap(), [502; 32]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[needs(cxx)]
    #[test]
    fn limbs_of_every_width_arrive(a in prop::collection::vec(any::<u128>(), 1..40)) {
        let mut copy = kernel(&["a"], 32, 0, "for (int j = 0; j < 4; j++) if (i < instances) out[4 * i + j] = __ldg(a + 4 * i + j);");
        copy.inputs = vec!["strange \"name\"".into()];
        let copy = build(&copy);
        prop_assert_eq!(&copy.run_limbs::<u128>(&[&a], a.len(), a.len() as u64, Schedule::Ascending).unwrap(), &a);
        let words: Vec<u64> = a.iter().flat_map(|&a| [a as u64, (a >> 64) as u64]).collect();
        prop_assert_eq!(copy.run_limbs::<u64>(&[&words], words.len(), a.len() as u64, Schedule::Ascending).unwrap(), words);
    }
}
