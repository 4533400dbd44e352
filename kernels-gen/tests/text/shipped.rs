//! The text of the shipped kernels: equal specifications give equal text, different ones do not, all fit the
//! device, and a few are kept word for word.

use std::collections::{HashMap, HashSet};

use crate::common::{POLY, shipped, unsigned};
use limbforge_kernels_gen::{
    Kernel, KernelSpec, LimbKind, Limits, Mapping, Product, Program, ProgramSpec, Target, render,
};
use limbforge_limb::Layout;

const MAJOR: Layout = Layout::InstanceMajor;

#[test]
fn equal_specifications_alone_render_equal_source() {
    let specs = shipped();
    let distinct: HashSet<&KernelSpec> = specs.iter().collect();
    assert_eq!(distinct.len(), specs.len(), "a specification is shipped twice");
    let mut texts = HashSet::new();
    let mut sources: HashMap<String, String> = HashMap::new();
    for (spec, again) in specs.iter().zip(shipped()) {
        assert!(texts.insert(spec.to_string()), "{spec}: another specification has this text");
        let kernel = render(spec, &Limits::SM_90).unwrap_or_else(|error| panic!("{spec}: {error}"));
        assert_eq!(render(&again, &Limits::SM_90).unwrap(), kernel, "{spec}: rendered twice");
        if let Some(other) = sources.insert(kernel.source, spec.to_string()) {
            panic!("{spec} and {other} have the same source");
        }
    }
}

/// Every part of a specification shows in its text and in its source.
#[test]
fn each_part_of_a_specification_counts() {
    let base = unsigned("a + b", 1000, LimbKind::of::<u32>(), MAJOR);
    let change = |change: fn(&mut KernelSpec)| {
        let mut spec = base.clone();
        change(&mut spec);
        spec
    };
    let variants = [
        base.clone(),
        change(|spec| spec.dag = crate::common::dag("b + a")),
        change(|spec| spec.dag = crate::common::dag("a - b")),
        change(|spec| spec.ty = "i1000".parse().unwrap()),
        change(|spec| spec.ty = "u999".parse().unwrap()),
        change(|spec| spec.limb = LimbKind::of::<u64>()),
        change(|spec| spec.inputs.reverse()),
        change(|spec| spec.inputs[0].broadcast = true),
        change(|spec| spec.inputs[1].broadcast = true),
        change(|spec| spec.inputs[0].layout = Layout::Interleaved),
        change(|spec| spec.output = Layout::Interleaved),
        change(|spec| spec.mapping.instances += 1),
        change(|spec| spec.mapping.run_words += 1),
        change(|spec| spec.target = Target::Emulator),
    ];
    let texts: HashSet<String> = variants.iter().map(ToString::to_string).collect();
    assert_eq!(texts.len(), variants.len());
    let sources: HashSet<String> =
        variants.iter().map(|spec| render(spec, &Limits::SM_90).unwrap().source).collect();
    assert_eq!(sources.len(), variants.len());
}

#[test]
fn shipped_kernels_fit_the_device() {
    let limits = Limits::SM_90;
    for spec in shipped() {
        let kernel = render(&spec, &limits).unwrap_or_else(|error| panic!("{spec}: {error}"));
        let geometry = kernel.geometry;
        assert!(
            geometry.threads.is_multiple_of(32) && (32..=1024).contains(&geometry.threads),
            "{spec}: {geometry:?}"
        );
        assert_eq!(geometry.threads, spec.mapping.threads(), "{spec}");
        assert_eq!(geometry.instances, spec.mapping.instances, "{spec}");
        assert!(u64::from(geometry.shared_bytes) <= limits.shared_bytes, "{spec}: {geometry:?}");
        assert!(spec.mapping.padded_words() >= spec.words(), "{spec}");
        assert_eq!(kernel.inputs, spec.dag.inputs().collect::<Vec<_>>(), "{spec}");
        assert_eq!(kernel.source.matches("__global__").count(), 1, "{spec}: one launch computes it all");
    }
}

#[test]
fn geometry_covers_every_instance() {
    for spec in shipped() {
        let geometry = render(&spec, &Limits::SM_90).unwrap().geometry;
        let ipb = u64::from(geometry.instances);
        for instances in [1, ipb, ipb + 1, 1_000_003] {
            let held = geometry.blocks(instances) * ipb;
            assert!((instances..instances + ipb).contains(&held), "{spec}: {instances} instances");
        }
    }
}

/// The part of a source that is written for the specification: head and kernel, without the templates in
/// between, which lie in the repository as they are.
fn written(spec: &KernelSpec) -> String {
    shortened(&render(spec, &Limits::SM_90).unwrap_or_else(|error| panic!("{spec}: {error}")))
}

fn shortened(kernel: &Kernel) -> String {
    let head = kernel.source.lines().take_while(|line| !line.starts_with("// ptx"));
    let entry = kernel.source.lines().skip_while(|line| !line.starts_with("extern \"C\""));
    let templates = kernel.source.lines().filter(|line| line.starts_with("// ") && line.contains(".cuh: "));
    let templates = templates.filter_map(|line| line.split_once(": ")).map(|(name, _)| format!("{name} ..."));
    let lines: Vec<String> =
        head.map(str::to_owned).chain(templates).chain(entry.map(str::to_owned)).collect();
    format!("{:?}\n\n{}\n", kernel.geometry, lines.join("\n"))
}

macro_rules! snapshots {
    ($($name:ident: $text:expr, $ty:literal, $limb:ty, $layout:expr;)*) => {$(
        #[test]
        fn $name() {
            let spec = crate::common::planned($text, $ty.parse().unwrap(), LimbKind::of::<$limb>(), $layout);
            insta::assert_snapshot!(stringify!($name), written(&spec));
        }
    )*};
}

snapshots! {
    add_512: "a + b", "u512", u32, MAJOR;
    add_131_interleaved: "a + b", "u131", u64, Layout::Interleaved;
    sub_1000_staged: "a - b", "u1000", u32, MAJOR;
    ten_sums_two_runs: crate::common::SUMS[7], "u262144", u128, MAJOR;
    choose_5000: "select(a < b, min(a, b), max(a, b))", "i5000", u64, MAJOR;
    compare_131: "(a <= b) + (a == b)", "i131", u32, MAJOR;
    shifts_100000: "(a << 13) + (a >> 77)", "i100000", u128, MAJOR;
    bits_and_literals: "(a & 0xffff) ^ (~a | b) + 12345678901234567890", "u131", u128, MAJOR;
    mul_4096: "a*b", "u4096", u32, MAJOR;
    mul_high_1000: "mulhi(a, b)", "i1000", u64, MAJOR;
    mul_wide_4096: "mul_wide(a, b)", "u4096", u32, MAJOR;
    mul_wide_100_staged: "mul_wide(a, b)", "i100", u32, MAJOR;
    sqr_wide_1000_interleaved: "sqr_wide(a)", "i1000", u64, Layout::Interleaved;
    poly_512: POLY, "u512", u64, MAJOR;
    poly_65536: POLY, "u65536", u32, MAJOR;
}

/// Products on tensor cores: two instances in a tile, loads of one word, wide, several warps to an instance.
#[test]
fn products_on_tensor_cores() {
    for (name, text, ty) in [
        ("mul_tensor_131", "a*b", "i131"),
        ("sqr_tensor_5000", "a*a", "u5000"),
        ("mul_wide_tensor_4096", "mul_wide(a, b)", "u4096"),
        ("mul_tensor_65536", "a*b", "u65536"),
    ] {
        let dag = crate::common::dag(text);
        let spec = ProgramSpec {
            inputs: crate::common::inputs(&dag, MAJOR),
            dag,
            ty: ty.parse().unwrap(),
            limb: crate::common::LIMBS[0],
            output: MAJOR,
            product: Product::Tensor,
            target: Target::Cuda,
        };
        let kernels = Program::new(&spec, &Limits::SM_90).unwrap().render(&Limits::SM_90).unwrap();
        assert_eq!(kernels.len(), 1, "{text} {ty}");
        insta::assert_snapshot!(name, shortened(&kernels[0]));
        if name == "mul_tensor_65536" {
            let kernels = Program::new(&spec, &Limits::SM_90A).unwrap().render(&Limits::SM_90A).unwrap();
            insta::assert_snapshot!("mul_tensor_65536_warpgroup", shortened(&kernels[0]));
        }
    }
}

/// One source word for word, templates included.
#[test]
fn whole_source() {
    let mut spec = unsigned("a + b", 2048, LimbKind::of::<u32>(), MAJOR);
    spec.mapping = Mapping { run_words: 4, runs: 1, lanes: 16, warps: 1, instances: 2 };
    insta::assert_snapshot!("whole_add_2048", render(&spec, &Limits::SM_90).unwrap().source);
}
