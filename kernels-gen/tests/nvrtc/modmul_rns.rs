//! Powers in residue number systems.

use std::time::Duration;

use limbforge_algos::sequence::{Sequence, Step, Term};
use limbforge_kernels_gen::{
    InputSpec, Limits, Product, Program, ProgramKernel, ProgramSpec, SequenceSpec, Target,
};
use limbforge_limb::{IntType, Layout};
use limbforge_needs::needs;
use limbforge_reference::sample::sample;

use crate::common::{self, LIMBS, nvrtc};
use crate::measured::check_all;
use crate::rendered::Rendered;

/// What a user waits at most for the kernels of a width, which are compiled side by side.
const LONGEST_POWERS: Duration = Duration::from_millis(2500);

/// Bytes that a thread of powers may spill: columns, digit sums and constants of 68 residues take the registers of
/// 384 threads. It stores none of them in the loops over units, and those of squares load up to three words.
const MOST_SPILLED_POWERS: u32 = 320;

/// The same of chains of products of tests of primality.
const MOST_SPILLED_CHAINS: u32 = 320;

/// The same of rounds of sequences, whose sums have words of their own.
const MOST_SPILLED_SEQUENCES: u32 = 320;

/// The kernels of powers but those of expressions, which are those of others.
fn kernels(bits: u32, limits: &Limits, broadcast: &[&str]) -> Vec<Rendered> {
    // One modulus has constants and rows of its own, and enters once more.
    kernels_of("powmod(a, b, c)", if broadcast.is_empty() { 3 } else { 6 }, (bits, broadcast), limits)
}

/// So many kernels of an expression but those of expressions.
fn kernels_of(text: &str, count: usize, case: (u32, &[&str]), limits: &Limits) -> Vec<Rendered> {
    kernels_by(Product::Rns, text, count, case, limits)
}

/// The same by a product.
pub(crate) fn kernels_by(
    product: Product,
    text: &str,
    count: usize,
    (bits, broadcast): (u32, &[&str]),
    limits: &Limits,
) -> Vec<Rendered> {
    let dag = common::dag(text);
    let (ty, limb, output) = (IntType::unsigned(bits.into()).unwrap(), LIMBS[0], Layout::InstanceMajor);
    let inputs =
        dag.inputs().map(|name| InputSpec::integers(name, output, broadcast.contains(&name))).collect();
    let target = Target::Cuda;
    let spec = ProgramSpec { dag, ty, limb, inputs, output, product, target };
    let program = Program::new(&spec, limits).unwrap();
    let is_own = |kernel: &&ProgramKernel| matches!(kernel, ProgramKernel::Rendered(_));
    let own: Vec<&ProgramKernel> = program.kernels.iter().filter(is_own).collect();
    assert_eq!(own.len(), count, "{bits}");
    own.into_iter().map(|kernel| rendered(kernel, limits)).collect()
}

pub(crate) fn rendered(kernel: &ProgramKernel, limits: &Limits) -> Rendered {
    Rendered {
        name: kernel.to_string(),
        source: kernel.render(limits).unwrap().source,
        longest: LONGEST_POWERS,
        most_spilled: match kernel.to_string() {
            name if name.contains(" power ") => MOST_SPILLED_POWERS,
            name if name.contains(" chain ") => MOST_SPILLED_CHAINS,
            name if name.contains(" sequence ") => MOST_SPILLED_SEQUENCES,
            _ => 0,
        },
        table: 0,
    }
}

#[needs(nvrtc)]
#[test]
fn powers_compile_and_spill_little() {
    const WIDTHS: [u32; 10] = [32, 131, 512, 1024, 1537, 2048, 3072, 4096, 6000, 8192];
    let widths = sample("powers in residue number systems", WIDTHS, 4).into_iter();
    let all: Vec<_> =
        widths.flat_map(|bits| kernels(bits, &Limits::SM_90, &[])).map(|one| (one, "sm_90")).collect();
    check_all(&nvrtc(), &all);
}

#[needs(nvrtc)]
#[test]
fn powers_by_warpgroups_compile_and_spill_little() {
    let widths = sample("powers by warpgroups", [1800, 2048, 2500, 3072, 4096], 2).into_iter();
    let both = widths.flat_map(|bits| [(bits, [].as_slice()), (bits, ["c"].as_slice())]);
    let all: Vec<_> = both
        .flat_map(|(bits, broadcast)| kernels(bits, &Limits::SM_90A, broadcast))
        .map(|one| (one, "sm_90a"))
        .collect();
    check_all(&nvrtc(), &all);
}

#[needs(nvrtc)]
#[test]
fn powers_of_one_modulus_compile_and_spill_little() {
    let widths =
        sample("powers of one modulus", [32, 512, 1024, 1537, 2048, 3072, 4096, 8192], 3).into_iter();
    let all: Vec<_> =
        widths.flat_map(|bits| kernels(bits, &Limits::SM_90, &["c"])).map(|one| (one, "sm_90")).collect();
    check_all(&nvrtc(), &all);
}

#[needs(nvrtc)]
#[test]
fn powers_compile_for_other_architectures() {
    let others = [("sm_80", Limits::SM_80), ("sm_89", Limits::SM_89), ("sm_100", Limits::SM_100)];
    let mut all = vec![];
    for (arch, limits) in others {
        for bits in sample(arch, [512, 1024, 2048, 4096], 1) {
            all.extend(kernels(bits, &limits, &[]).into_iter().map(|kernel| (kernel, arch)));
            all.extend(kernels(bits, &limits, &["c"]).into_iter().map(|kernel| (kernel, arch)));
        }
    }
    check_all(&nvrtc(), &all);
}

#[needs(nvrtc)]
#[test]
fn tests_of_primality_compile_and_spill_little() {
    let widths = sample(
        "tests of primality in residue number systems",
        [100, 512, 1024, 1537, 2048, 3072, 4096, 8192],
        3,
    );
    let kernels =
        widths.into_iter().flat_map(|bits| kernels_of("is_prime(a)", 10, (bits, &[]), &Limits::SM_90));
    let all: Vec<_> = kernels.map(|one| (one, "sm_90")).collect();
    check_all(&nvrtc(), &all);
}

#[needs(nvrtc)]
#[test]
fn sequences_compile_and_spill_little() {
    let [x, y] = [Term { coefficient: 1, variables: [0, 1] }, Term { coefficient: -3, variables: [1, 0] }];
    let steps = vec![
        Step::Product { to: 3, factors: [vec![x, y], vec![x]] },
        Step::Sum { to: 0, terms: vec![Term::of(3)] },
    ];
    let sequence = Sequence::new(2, steps, vec![0, 1]).unwrap();
    let widths =
        sample("rounds in residue number systems", [100_u64, 512, 1024, 1537, 2048, 3072, 4096, 8192], 3);
    let kernels = widths.into_iter().flat_map(|bits| {
        let ty = IntType::unsigned(bits).unwrap();
        let (sequence, broadcast, target) = (&sequence, (true, vec![false; 2]), Target::Cuda);
        let program = SequenceSpec { sequence, ty, broadcast, product: Product::Rns, target }
            .program(&Limits::SM_90)
            .unwrap();
        let own = program.kernels.iter().filter(|kernel| matches!(kernel, ProgramKernel::Rendered(_)));
        own.map(|kernel| rendered(kernel, &Limits::SM_90)).collect::<Vec<_>>()
    });
    let all: Vec<_> = kernels.map(|one| (one, "sm_90")).collect();
    check_all(&nvrtc(), &all);
}
