//! Products on tensor cores.

use limbforge_kernels_gen::ntt::ProductForm;
use limbforge_kernels_gen::tensor::{MulTensorSpec, Phases, TensorPlan, render_mul_tensor};
use limbforge_kernels_gen::{InputSpec, Limits, Product, Target};
use limbforge_limb::{IntType, Layout};
use limbforge_needs::needs;
use limbforge_reference::sample::sample;

use crate::common::{self, LIMBS, POLY, nvrtc};
use crate::measured::check_all;
use crate::rendered::{LONGEST, Rendered};

/// Bytes that a product on tensor cores may spill: addresses, read once for several instances. As many
/// registers as the warps that were measured fastest leave.
const MOST_SPILLED_TENSOR: u32 = 64;

/// Bytes that squares on tensor cores may spill and keep on the stack: the fewest registers for three blocks
/// of a multiprocessor were measured faster than two blocks without.
const MOST_SPILLED_SQUARES: u32 = 256;

/// The product on tensor cores at powers of two, between them, and with loads of one and two words.
const TENSOR_BITS: [u32; 12] =
    [131, 512, 1000, 2048, 4096, 5000, 8192, 16_384, 24_000, 32_768, 65_536, 131_072];

fn tensor_kernel(bits: u32, form: ProductForm, square: bool, limits: &Limits) -> Rendered {
    tensor_kernel_to(if form == ProductForm::Low { bits } else { 2 * bits }, bits, form, square, limits)
}

/// With a result of so many bits.
fn tensor_kernel_to(to: u32, bits: u32, form: ProductForm, square: bool, limits: &Limits) -> Rendered {
    let ty = IntType::unsigned(bits.into()).unwrap();
    let limb = LIMBS[0];
    let plan = TensorPlan::new(limb.instance_words(ty), form, limits).unwrap();
    let names: &[&str] = if square { &["a"] } else { &["a", "b"] };
    let input = |name: &&str| InputSpec::integers(name, Layout::InstanceMajor, false);
    let inputs: Vec<InputSpec> = names.iter().map(input).collect();
    let phases = Phases::product(inputs.len());
    let result = IntType::unsigned(to.into()).unwrap();
    let spec = MulTensorSpec { ty, result, limb, inputs, phases, plan, unless: None, target: Target::Cuda };
    let source = render_mul_tensor(&spec, limits).unwrap().source;
    Rendered { name: spec.to_string(), source, longest: LONGEST, most_spilled: MOST_SPILLED_TENSOR, table: 0 }
}

#[needs(nvrtc)]
#[test]
fn products_on_tensor_cores_compile_and_spill_little() {
    let cases = TENSOR_BITS.into_iter().flat_map(|bits| {
        [ProductForm::Low, ProductForm::Wide]
            .into_iter()
            .flat_map(move |form| [false, true].map(|square| (bits, form, square)))
    });
    let mut kernels = vec![];
    for (bits, form, square) in sample("products on tensor cores", cases, 10) {
        // Wide ones take nearly the whole time that others do when the machine has nothing else to do.
        let kernel = tensor_kernel(bits, form, square, &Limits::SM_90);
        let longest = if bits >= 1 << 15 { 2 * LONGEST } else { LONGEST };
        kernels.push((Rendered { longest, ..kernel }, "sm_90"));
    }
    for bits in sample("high products", [512, 2048, 3072, 8192, 16_384, 32_768], 2) {
        kernels.push((tensor_kernel_to(bits, bits, ProductForm::Wide, false, &Limits::SM_90), "sm_90"));
    }
    for bits in sample("products by warpgroups", [49_152, 61_568, 65_536], 1) {
        let kernel = tensor_kernel(bits, ProductForm::Low, false, &Limits::SM_90A);
        assert!(kernel.source.contains("wgmma.mma_async"), "{}", kernel.name);
        kernels.push((kernel, "sm_90a"));
    }
    check_all(&nvrtc(), &kernels);
}

#[needs(nvrtc)]
#[test]
fn products_on_tensor_cores_of_other_architectures_compile() {
    let others = [
        ("sm_75", Limits::SM_75),
        ("sm_80", Limits::SM_80),
        ("sm_89", Limits::SM_89),
        ("sm_100", Limits::SM_100),
    ];
    let mut kernels = vec![];
    for (arch, limits) in others {
        // Four instructions to a matrix product take the compiler long, where transforms are faster anyway.
        let widths =
            [131, 3000, 10_000, 65_536].into_iter().filter(|&bits| arch != "sm_75" || bits <= 1 << 15);
        for bits in sample(arch, widths, 1) {
            let kernel = tensor_kernel(bits, ProductForm::Low, false, &limits);
            // Sixteen tiles together were measured on sm_90; the compiler takes longer for older ones.
            kernels.push((Rendered { longest: 2 * LONGEST, ..kernel }, arch));
        }
    }
    check_all(&nvrtc(), &kernels);
}

/// Squares and sums of products, in one kernel each. Where every phase has instructions of its own, they take
/// longer.
#[needs(nvrtc)]
#[test]
fn sums_of_products_on_tensor_cores_compile() {
    const SUMS: [&str; 4] = ["a*a", POLY, "a*b + c*d + e*f", "((((a*b + c)*b + c)*b + c)*b - 3*c)*b + c"];
    let nvrtc = nvrtc();
    let program = |text, bits| common::program_of(Product::Tensor, text, bits);
    let mut kernels = vec![];
    let cases =
        SUMS.into_iter().flat_map(|text| [131, 3000, 8192, 24_576, 32_768, 65_536].map(|bits| (text, bits)));
    for (text, bits) in sample("sums of products", cases, 6) {
        let program = program(text, bits);
        assert_eq!(program.launches.len(), 1, "{text} {bits}");
        let rendered = Rendered::program(&program, &Limits::SM_90);
        kernels.extend(rendered.map(|kernel| {
            (Rendered { most_spilled: MOST_SPILLED_SQUARES, longest: 2 * LONGEST, ..kernel }, "sm_90")
        }));
    }
    check_all(&nvrtc, &kernels);
}
