//! Straight kernels of programs: without spills, in the time that a user waits.

use std::time::Duration;

use limbforge_algos::program::Program;
use limbforge_kernels_gen::program::{Emission, TapeInput, TapeKernel, TapeSpec, render};
use limbforge_kernels_gen::{LimbKind, Limits, Target};
use limbforge_limb::{IntType, Layout};
use limbforge_needs::needs;

use crate::common::nvrtc;
use crate::measured::check_all;
use crate::rendered::Rendered;

/// What a user waits at most for a straight kernel.
const LONGEST: Duration = Duration::from_millis(2500);

/// Bytes that walks spill at most: their blocks have more threads with fewer registers, as they wait for arrays. On an H200 80
/// registers with spills make 16.1 G steps a second of 131 bits, 95 without 15.7.
const SPILLED_BY_WALKS: u32 = 1400;

/// Programs that are walks.
const WALKS: usize = 5;

/// Bytes that the compiler keeps on the stack beside arrays and states, for calls.
const CALLS: u32 = 256;

/// The walk modulo the prime of secp256k1 as a constant.
const SPECIAL: &str = "secp256k1";

/// The walk, whose points with an x of 0 modulo 2^20 are rows of a list, from random multiples.
const FOUND: &str = "found";

/// Programs, the width of their numbers, and the inputs that are one for all.
const PROGRAMS: [(&str, u64, &[&str]); 16] = [
    ("../walks/walk", 131, &["p", "u", "v", "steps"]),
    ("../walks/walk", 256, &["p", "u", "v", "steps"]),
    (SPECIAL, 256, &["u", "v", "steps"]),
    (FOUND, 131, &["p", "u", "v", "steps", "seed"]),
    (FOUND, 256, &["p", "u", "v", "steps", "seed"]),
    ("vdf", 256, &["N", "t"]),
    ("vdf", 131, &["N", "t"]),
    ("rho", 128, &[]),
    ("rho", 256, &[]),
    ("modexp", 160, &[]),
    ("modexp", 256, &[]),
    ("ecm", 192, &["N", "s"]),
    ("ecm", 256, &["N", "s"]),
    ("isqrt", 256, &[]),
    ("cfrac", 128, &[]),
    ("cfrac", 256, &[]),
];

fn kernel(&(name, bits, one_for_all): &(&str, u64, &[&str]), limits: &Limits) -> TapeKernel {
    let file = if name == SPECIAL || name == FOUND { PROGRAMS[0].0 } else { name };
    let path = format!("{}/../examples/programs/{file}.lf", env!("CARGO_MANIFEST_DIR"));
    let mut text = std::fs::read_to_string(path).unwrap().replace("u131", &format!("u{bits}"));
    if name == SPECIAL {
        text = text.replace("in p ", "const p = 2**256 - 2**32 - 977 #");
    }
    if name == FOUND {
        text = text.replace(
            "in steps",
            "list points: (u64, u32, u32, mod p, mod p) at most 2**30\nin seed: u64\nin steps",
        );
        let emit = "emit points(instance, i, element, x, y) where u64(int(x)) % 2**20 == 0";
        text = text.replace("out x, y", &format!("out x, y, k = random(u{bits}, seed, instance)"));
        text = text.replace("    var inverse", &format!("    {emit}\n    var inverse"));
    }
    let program = Program::parse(&text).unwrap();
    let open = program.inputs().filter(|(_, ty)| ty.is_none());
    let number = |name: &str| IntType::unsigned(if name == "s" { 1 << 18 } else { bits }).unwrap();
    let types: Vec<(&str, IntType)> = open.map(|(name, _)| (name, number(name))).collect();
    let typed = program.typed(&types).unwrap();
    let (limb, layout) = (LimbKind::of::<u64>(), Layout::InstanceMajor);
    let input = |name: &str| TapeInput { limb, layout, one_for_all: one_for_all.contains(&name) };
    let inputs = typed.inputs().iter().map(|i| input(&i.name)).collect();
    let target = Target::Cuda;
    let spec =
        TapeSpec { program: &typed, inputs, limb, output: layout, instances: None, target, emission: None };
    let kernel = render(&spec, limits).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(kernel.emission, Emission::Straight, "{name}: {:?}", kernel.not_straight);
    kernel
}

#[needs(nvrtc)]
#[test]
fn straight_programs_compile_and_only_walks_spill() {
    let nvrtc = nvrtc();
    let architectures = [("sm_80", Limits::SM_80), ("sm_90", Limits::SM_90), ("sm_100", Limits::SM_100)];
    let mut kernels = vec![];
    for (i, program) in PROGRAMS.iter().enumerate() {
        // All architectures for walks, one in turn for others.
        let some = architectures.iter().enumerate().filter(|(k, _)| i < 3 || i % 3 == *k);
        for (_, (arch, limits)) in some {
            let kernel = kernel(program, limits);
            let rendered = Rendered {
                name: format!("{} at {} bits", program.0, program.1),
                source: kernel.kernel.source,
                longest: LONGEST,
                most_spilled: if i < WALKS { SPILLED_BY_WALKS } else { 0 },
                table: kernel.local_bytes + CALLS,
            };
            kernels.push((rendered, *arch));
        }
    }
    check_all(&nvrtc, &kernels);
}
