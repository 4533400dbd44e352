//! Kernels of the sample programs: without spills, in the time that a user waits.

use std::time::Duration;

use limbforge_algos::program::Program;
use limbforge_kernels_gen::program::{TapeInput, TapeKernel, TapeSpec, render};
use limbforge_kernels_gen::{LimbKind, Limits, Target};
use limbforge_limb::{IntType, Layout};
use limbforge_needs::needs;

use crate::common::nvrtc;
use crate::measured::check_all;
use crate::rendered::Rendered;

/// What a user waits at most for a program's kernel, beside others that compile at the same time.
const LONGEST: Duration = Duration::from_secs(5);

/// Samples, the width of their numbers, and the inputs that are one for all.
const SAMPLES: [(&str, u64, &[&str]); 15] = [
    ("ecm", 512, &["N", "s"]),
    ("ecm", 1024, &["N", "s"]),
    ("modexp", 512, &[]),
    ("modexp", 1024, &[]),
    ("vdf", 512, &[]),
    ("vdf", 1024, &[]),
    ("prp", 640, &[]),
    ("pm1", 512, &["s", "first", "gaps"]),
    ("rho", 256, &[]),
    ("isqrt", 512, &[]),
    ("cfrac", 256, &[]),
    ("vdf", 768, &[]),
    ("ecm", 768, &["N", "s"]),
    ("modexp", 640, &[]),
    ("modexp", 768, &[]),
];

/// What no sample has.
const TEXTS: [(&str, &str); 3] = [
    (
        "quotients of arrays",
        "in a, b, n\nlet x = [a, b, a + b, 1] mod n\nvar y = [b, 5, a, 2] mod n\nrepeat 3 { y = x / y + 1 }\nout y",
    ),
    (
        "lists",
        "in x, n\nlist found: (u64, mod n, u32) at most 2**40\nvar y = [x, x + 1] mod n\nfor i in 0 .. 99 { y = sqr(y) + 1\n\
         emit found(u64(i), y, element) where int(y) % 65536 == 0 }\nout y",
    ),
    (
        "random",
        "in seed, n\nvar y = random(u131, seed, 32*instance) mod n\nvar s = 0\n\
         for i in 0 .. 9 { s = s + random(u64, seed, i); y = sqr(y) + s }\nout y, s, z = random(i300, 5, s)",
    ),
];

fn kernel(&(name, bits, one_for_all): &(&str, u64, &[&str]), limits: &Limits) -> TapeKernel {
    let path = format!("{}/../examples/programs/{name}.lf", env!("CARGO_MANIFEST_DIR"));
    let text = TEXTS.iter().find(|(known, _)| *known == name);
    let text = text.map_or_else(|| std::fs::read_to_string(path).unwrap(), |(_, text)| (*text).to_owned());
    let program = Program::parse(&text).unwrap();
    let number = |name: &str| IntType::unsigned(if name == "s" { 1 << 18 } else { bits }).unwrap();
    let open = program.inputs().filter(|(_, ty)| ty.is_none());
    let types: Vec<(&str, IntType)> = open.map(|(name, _)| (name, number(name))).collect();
    let typed = program.typed(&types).unwrap();
    let input = |name: &str| TapeInput {
        limb: LimbKind::of::<u64>(),
        layout: Layout::InstanceMajor,
        one_for_all: one_for_all.contains(&name),
    };
    let spec = TapeSpec {
        program: &typed,
        inputs: typed.inputs().iter().map(|i| input(&i.name)).collect(),
        limb: LimbKind::of::<u64>(),
        output: Layout::InstanceMajor,
        instances: None,
        target: Target::Cuda,
        emission: None,
    };
    render(&spec, limits).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Scalars and arrays lie in local memory, which is a part of the stack.
fn rendered(sample: &(&str, u64, &[&str]), limits: &Limits) -> Rendered {
    let kernel = kernel(sample, limits);
    Rendered {
        name: format!("{} at {} bits", sample.0, sample.1),
        source: kernel.kernel.source,
        longest: LONGEST,
        most_spilled: 0,
        table: kernel.local_bytes,
    }
}

#[needs(nvrtc)]
#[test]
fn the_samples_compile_without_spills() {
    let nvrtc = nvrtc();
    let architectures = [
        ("sm_75", Limits::SM_75),
        ("sm_80", Limits::SM_80),
        ("sm_90", Limits::SM_90),
        ("sm_100", Limits::SM_100),
    ];
    let mut kernels = vec![];
    for (i, sample) in SAMPLES.iter().enumerate() {
        // All architectures for the first two, one in turn for others.
        let some = architectures.iter().enumerate().filter(|(k, _)| i < 2 || i % 4 == *k);
        kernels.extend(some.map(|(_, (arch, limits))| (rendered(sample, limits), *arch)));
    }
    kernels.extend(TEXTS.iter().map(|(name, _)| (rendered(&(name, 512, &[]), &Limits::SM_90), "sm_90")));
    check_all(&nvrtc, &kernels);
}

/// The ladder of ECM is 18 operations in 6 slots; four blocks of 128 threads share a multiprocessor.
#[test]
fn the_ladder_is_as_short_as_by_hand() {
    let kernel = kernel(&SAMPLES[0], &Limits::SM_90);
    assert_eq!(kernel.slots, 6);
    // A block has 1 KiB of its own.
    assert!(4 * (kernel.kernel.geometry.shared_bytes + 1024) <= 228 << 10);
    let source = &kernel.kernel.source;
    let tape = &source[source.find("TAPE[] = {").unwrap()..];
    let of = |arm: &str| ["{MUL,", "{WORD,", "{ADD,", "{SUB,", "{COPY,"].map(|op| arm.matches(op).count());
    // Both arms of the bit in the loop of the whole program.
    let arms = tape.split("{BRANCH,").nth(1).unwrap();
    let (first, second) = arms.split_once("{GO_TO,").unwrap();
    let second = second.split("{NEXT,").next().unwrap();
    assert_eq!((of(first), of(second)), ([8, 1, 5, 4, 0], [8, 1, 5, 4, 0]));
}
