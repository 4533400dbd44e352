//! Every template, from the oldest architecture to the newest.

use limbforge_kernels_gen::Limits;
use limbforge_limb::Layout;
use limbforge_needs::needs;
use limbforge_reference::sample::sample;

use crate::common::{self, CYCLIC_FORWARD, LIMBS, NEGACYCLIC_INVERSE, POLY, nvrtc, unsigned};
use crate::measured::{ALONE, in_parallel};
use crate::rendered::{Rendered, faults};

/// Together these use every template, each in its variants for lanes, warps, runs, staging and interleaving,
/// and for each class of primes.
fn of_every_template(limits: &Limits) -> Vec<Rendered> {
    let all = "select(a < b, mulhi(a, b) - (a*b >> 9), min(a, b) + (a << 40)) ^ ~b";
    let (major, interleaved) = (Layout::InstanceMajor, Layout::Interleaved);
    let bits = "insert(a << b, rotl(a, b), clz(a), popcount(b)) ^ mask(ctz(b))";
    let far = "insert(insert(a, b, a, b), a, -1099511627776, b) ^ insert(a, b, a, 9223372036854775812)";
    let specs = [
        unsigned(bits, 131, LIMBS[0], major),
        unsigned(far, 131, LIMBS[0], major),
        common::planned(far, "i64".parse().unwrap(), LIMBS[1], interleaved),
        common::planned("insert(a, b, a, b)", "i5000".parse().unwrap(), LIMBS[1], major),
        common::planned(bits, "i5000".parse().unwrap(), LIMBS[1], major),
        unsigned(all, 131, LIMBS[0], major),
        unsigned(all, 512, LIMBS[1], interleaved),
        unsigned(all, 5000, LIMBS[2], major),
        unsigned(common::SUMS[7], 1 << 18, LIMBS[0], major),
        unsigned(POLY, 2048, LIMBS[1], major),
        unsigned("mul_wide(a, b)", 4096, LIMBS[1], major),
        common::planned("mul_wide(a + b, b)", "i1000".parse().unwrap(), LIMBS[0], major),
        unsigned("a / b - a % b", 16_384, LIMBS[0], major),
        common::planned("rem_euclid(a, b)", "i131".parse().unwrap(), LIMBS[0], interleaved),
        common::planned("rem_floor(a, b)", "i131".parse().unwrap(), LIMBS[1], major),
        common::planned("sqr_wide(a)", "i5000".parse().unwrap(), LIMBS[2], interleaved),
        unsigned("mul_wide(gcd(a, b), b)", 250, LIMBS[0], major),
    ];
    let within_warp = common::NUMBER_THEORY.map(|text| unsigned(text, 250, LIMBS[0], major));
    let program = common::program("mulhi(a, b)", 1 << 14);
    let several = common::program_of_several(&["a / b", "a % b", "a + b"], 250);
    let transforms = common::TRANSFORM_PRIMES.map(|(p, _)| common::transform(p, 1 << 10, NEGACYCLIC_INVERSE));
    let tiles = common::transform(common::TRANSFORM_PRIMES[0].0, 1 << 16, CYCLIC_FORWARD);
    // 3 * 2^30 + 1.
    let three = common::transform(3_221_225_473, 3 << 10, CYCLIC_FORWARD);
    let mut kernels: Vec<_> =
        specs.iter().chain(&within_warp).map(|spec| Rendered::expression(spec, limits)).collect();
    kernels.extend([&program, &several].into_iter().flat_map(|program| Rendered::program(program, limits)));
    kernels
        .extend(transforms.iter().chain([&tiles, &three]).flat_map(|plan| Rendered::transform(plan, limits)));
    kernels
}

/// A third of the kernels for the oldest architecture, the usual and the newest; all of them in a long run.
#[needs(nvrtc)]
#[test]
fn every_template_compiles_from_the_oldest_to_the_newest_architecture() {
    let nvrtc = nvrtc();
    let _alone = ALONE.lock();
    // sm_80 differs from sm_90 in the space of a block alone, which products and divisions by an inverse ask
    // for; theirs are apart.
    let archs = [("sm_75", Limits::SM_75), ("sm_90", Limits::SM_90), ("sm_100", Limits::SM_100)];
    let of_arch = |(arch, limits)| of_every_template(&limits).into_iter().map(move |kernel| (kernel, arch));
    let all: Vec<_> = archs.into_iter().flat_map(of_arch).collect();
    check_that_all_are_used(&all);
    let third = all.len() / 3;
    let kernels = sample("templates", all, third);
    let faults = in_parallel(&kernels, |(kernel, arch)| faults(kernel, arch, &kernel.compile(&nvrtc, arch)));
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

fn check_that_all_are_used(kernels: &[(Rendered, &str)]) {
    for template in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/templates")).unwrap() {
        let name = template.unwrap().file_name().into_string().unwrap();
        let used = |kernel: &Rendered| kernel.source.contains(&format!("// {name}: "));
        // The kernel's own template has no name in it, the twin of ptx.cuh is for C++ compilers, and kernels
        // of tensor cores, of divisions by an inverse, of powers by matrices, of polynomials, of
        // sorting, of fills and of programs have tests of their own.
        let apart = [
            "mul_tensor",
            "ptx_wgmma",
            "div_newton",
            "unless",
            "modmul_rns",
            "modmul_fold",
            "digit_",
            "ptx_rns",
            "poly",
            "sort",
            "scan",
            "fill",
            "tape",
            "program",
            "thread",
            "residue_special",
            "residue_sums",
            "primality_after",
            "primality_parts",
        ];
        // Those of straight programs are of one thread.
        let is_apart = apart.iter().any(|prefix| name.starts_with(prefix)) || name.contains("_thread");
        let other = name.ends_with(".j2") || name.ends_with("_twin.cuh") || is_apart;
        assert!(
            other || kernels.iter().any(|(kernel, _)| used(kernel)),
            "{name} is compiled by no kernel of this test"
        );
    }
}
