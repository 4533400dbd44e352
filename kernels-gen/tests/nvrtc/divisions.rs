//! Divisions by an inverse, and wide products of operations within a warp.

use std::collections::HashSet;

use limbforge_kernels_gen::{Limits, Product, Program, ProgramSpec, Target};
use limbforge_limb::Layout;
use limbforge_needs::needs;
use limbforge_reference::sample::sample;

use crate::common::{self, LIMBS, nvrtc, unsigned};
use crate::measured::{ALONE, check_all};
use crate::rendered::{LONGEST, MOST_SPILLED, MOST_SPILLED_WITHIN_WARP, Rendered};

/// Divisions by an inverse, of every form and of the widths that they are meant for; for other architectures
/// the narrowest.
#[needs(nvrtc)]
#[test]
fn divisions_by_an_inverse_compile_and_spill_nothing() {
    let nvrtc = nvrtc();
    let mut seen = HashSet::new();
    let mut kernels = vec![];
    let mut add = |text: &str, ty: &str, layout, limits: &Limits, arch| {
        let dag = common::dag(text);
        let inputs = common::inputs(&dag, layout);
        let (ty, target) = (ty.parse().unwrap(), Target::Cuda);
        let (limb, product) = (LIMBS[1], Product::Classical);
        let spec = ProgramSpec { dag, ty, limb, inputs, output: layout, product, target };
        let program = Program::new(&spec, limits).unwrap();
        let rendered =
            Rendered::program(&program, limits).filter(|kernel| seen.insert((kernel.name.clone(), arch)));
        kernels.extend(rendered.map(|kernel| {
            // What products spill is their plans' matter; those for sm_75 have four instructions to a matrix
            // product.
            let of_product = kernel.name.starts_with("mul_") || kernel.name.contains("residues");
            let is_seed = kernel.name.contains("= div ");
            let most_spilled = match (of_product, is_seed) {
                (true, _) => MOST_SPILLED,
                (_, true) => MOST_SPILLED_WITHIN_WARP,
                _ => 0,
            };
            let longest = if arch == "sm_75" { 2 * LONGEST } else { kernel.longest };
            (Rendered { most_spilled, longest, ..kernel }, arch)
        }));
    };
    let (major, interleaved) = (Layout::InstanceMajor, Layout::Interleaved);
    for ty in ["u36864", "u262144"] {
        add("a / b + a % b", ty, major, &Limits::SM_90, "sm_90");
    }
    let all = "(a / b ^ a % b) + (div_euclid(a, b) ^ rem_euclid(a, b)) + (div_exact(a, b) ^ divisible(a, b)) + (div_floor(a, b) ^ rem_floor(a, b))";
    add(all, "i40000", major, &Limits::SM_90, "sm_90");
    add("a / b", "i40000", interleaved, &Limits::SM_90, "sm_90");
    for (arch, limits) in [("sm_75", Limits::SM_75), ("sm_80", Limits::SM_80), ("sm_100", Limits::SM_100)] {
        add("a / b", "u36864", major, &limits, arch);
    }
    check_all(&nvrtc, &sample("divisions by an inverse", kernels, 16));
}

/// Wide products of what runs within a warp did not: a result of twice the words went out as one of once.
#[needs(nvrtc)]
#[test]
fn wide_products_of_operations_within_a_warp_compile() {
    let nvrtc = nvrtc();
    let _alone = ALONE.lock();
    let texts = ["mul_wide(gcd(a, b), c)", "sqr_wide(isqrt(a))", "mul_wide(jacobi(mulhi(9, c), c | 1), c)"];
    let (major, interleaved) = (Layout::InstanceMajor, Layout::Interleaved);
    for text in texts {
        let batches = [(131, major), (512, major), (512, interleaved)]
            .into_iter()
            .flat_map(|(bits, layout)| [(bits, layout, false), (bits, layout, true)]);
        for (bits, layout, broadcast) in sample(text, batches, 2) {
            let mut spec = unsigned(text, bits, LIMBS[1], layout);
            if let Some(last) = spec.inputs.last_mut() {
                last.broadcast = broadcast;
            }
            Rendered::expression(&spec, &Limits::SM_90).compile(&nvrtc, "sm_90");
        }
    }
}
