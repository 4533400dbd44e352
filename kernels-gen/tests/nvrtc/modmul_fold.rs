//! Powers and sequences of products modulo one number for all instances, by folds.

use std::time::Duration;

use limbforge_kernels_gen::{Limits, Product, ProgramKernel, SequenceSpec, Target};
use limbforge_limb::IntType;
use limbforge_needs::needs;
use limbforge_reference::sample::sample;
use limbforge_testing::sequence::ladder;

use crate::common::nvrtc;
use crate::measured::check_all;
use crate::modmul_rns::{kernels_by, rendered};
use crate::rendered::Rendered;

/// What a user waits at most: 1536 bits take 2.5 s on two busy cores, 1024 bits 1.3.
const LONGEST: Duration = Duration::from_secs(5);

/// Bytes that a thread may spill outside of the loop of squares, or as it makes rows of more than 32 words.
const MOST_SPILLED: u32 = 160;

fn kernels(bits: u32, limits: &Limits) -> Vec<Rendered> {
    let kernels = kernels_by(Product::Fold, "powmod(a, b, c)", 2, (bits, &["c"]), limits);
    kernels.into_iter().map(|one| Rendered { longest: LONGEST, most_spilled: MOST_SPILLED, ..one }).collect()
}

#[needs(nvrtc)]
#[test]
fn powers_by_folds_compile_and_spill_little() {
    let widths = sample("powers by folds", [32, 131, 256, 512, 768, 1000, 1024, 1280, 1536], 4).into_iter();
    let all: Vec<_> =
        widths.flat_map(|bits| kernels(bits, &Limits::SM_90)).map(|one| (one, "sm_90")).collect();
    check_all(&nvrtc(), &all);
}

#[needs(nvrtc)]
#[test]
fn powers_by_folds_compile_for_other_architectures() {
    let others = [("sm_75", Limits::SM_75), ("sm_80", Limits::SM_80), ("sm_100", Limits::SM_100)];
    let mut all = vec![];
    for (arch, limits) in others {
        let widths = sample(arch, [256, 512, 768, 1024], 1);
        all.extend(widths.into_iter().flat_map(|bits| kernels(bits, &limits)).map(|kernel| (kernel, arch)));
    }
    check_all(&nvrtc(), &all);
}

/// Variables lie in memory of the thread on purpose.
const MOST_LOCAL: u32 = 4 * 4096 + MOST_SPILLED;

fn kernels_of_sequences(bits: u64, limits: &Limits) -> Vec<Rendered> {
    let (sequence, ty, target) = (&ladder(), IntType::unsigned(bits).unwrap(), Target::Cuda);
    let (broadcast, product) = ((true, vec![false; 5]), Product::Fold);
    let program = SequenceSpec { sequence, ty, broadcast, product, target }.program(limits).unwrap();
    let own = program.kernels.iter().filter(|kernel| matches!(kernel, ProgramKernel::Rendered(_)));
    own.map(|kernel| Rendered { longest: LONGEST, most_spilled: MOST_LOCAL, ..rendered(kernel, limits) })
        .collect()
}

#[needs(nvrtc)]
#[test]
fn sequences_by_folds_compile() {
    let widths =
        sample("sequences by folds", [32, 131, 256, 512, 768, 1000, 1024, 1280, 1536], 3).into_iter();
    let all: Vec<_> = widths
        .flat_map(|bits| kernels_of_sequences(bits, &Limits::SM_90))
        .map(|one| (one, "sm_90"))
        .chain(kernels_of_sequences(512, &Limits::SM_80).into_iter().map(|one| (one, "sm_80")))
        .collect();
    check_all(&nvrtc(), &all);
}
