//! The code of the shipped kernels and what the planner chooses, compared with a kept record: a change of
//! structure alters neither.

mod common;

use std::path::Path;

use common::{LIMBS, NUMBER_THEORY, OTHERS, PRODUCTS, SUMS, shipped, shipped_programs, shipped_transforms};
use limbforge_kernels_gen::ntt::render_transform;
use limbforge_kernels_gen::{
    Estimate, Geometry, Kernel, Launch, Limits, Planner, Product, Program, ProgramSpec, Sink, Source,
    SpecError, Target, render,
};
use limbforge_limb::{IntType, Layout};
use limbforge_reference::guard::Guard;

const DEVICES: [(u32, Limits); 7] = [
    (75, Limits::SM_75),
    (80, Limits::SM_80),
    (86, Limits::SM_86),
    (89, Limits::SM_89),
    (90, Limits::SM_90),
    (90, Limits::SM_90A),
    (100, Limits::SM_100),
];

/// Each kernel with how it is launched. The text has no names of types, which may change.
fn sources(kernels: &Result<Vec<Kernel>, SpecError>) -> impl Iterator<Item = (String, &str)> {
    kernels.iter().flatten().map(|Kernel { source, entry, inputs, geometry, marks, .. }| {
        let Geometry { threads, instances, planes, shared_bytes } = geometry;
        (format!("{entry} {inputs:?} {threads} {instances} {planes} {shared_bytes} {marks}"), &**source)
    })
}

/// The kernel of each launch.
fn launched(program: &Program, limits: &Limits) -> Result<Vec<Kernel>, SpecError> {
    program.launched().map(|kernel| kernel.render(limits)).collect()
}

/// What a program's launches read and write.
fn wiring(program: &Program) -> String {
    let source = |source: &Source| match source {
        Source::Input(i) => format!("input {i}"),
        Source::Buffer(i) => format!("buffer {i}"),
        Source::Plane { buffer, first, words } => format!("buffer {buffer} {first}+{words}"),
        Source::Uniform { buffer, first, words } => format!("single {buffer} {first}+{words}"),
        Source::Table(i) => format!("table {i}"),
    };
    let launch = |launch: &Launch| {
        let [output] = launch.outputs[..] else { panic!("a shipped launch has one result") };
        let output = match output {
            Sink::Result(0) => "result".to_owned(),
            Sink::Result(i) => panic!("a shipped program has one result, not {}", i + 1),
            Sink::Buffer(i) => format!("buffer {i}"),
            Sink::Uniform(i) => format!("single {i}"),
        };
        format!("{:?} -> {output}", launch.inputs.iter().map(source).collect::<Vec<_>>())
    };
    let Program { launches, buffers, uniforms, tables, chunk, input_words, result_words, .. } = program;
    let [result_words] = result_words[..] else { panic!("a shipped program has one result") };
    let launches: Vec<String> = launches.iter().map(launch).collect();
    format!("{launches:?} {buffers:?} {uniforms:?} {} {chunk} {input_words:?} {result_words}", tables.len())
}

fn device((number, limits): (u32, Limits)) -> String {
    format!("sm_{number}{}", if limits.warpgroups { "a" } else { "" })
}

#[test]
fn shipped_kernels_are_as_kept() {
    let mut guard = Guard::default();
    let (programs, transforms) = (shipped_programs(), shipped_transforms());
    for (number, limits) in DEVICES {
        let device = device((number, limits));
        for (i, spec) in shipped().iter().enumerate() {
            let kernels = render(spec, &limits).map(|kernel| vec![kernel]);
            guard.add(&format!("{device} kernel"), &format!("{device} kernel {i}"), sources(&kernels));
        }
        for (i, program) in programs.iter().enumerate() {
            let kernels = launched(program, &limits);
            let case = format!("{device} program {i} {}", wiring(program));
            guard.add(&format!("{device} program"), &case, sources(&kernels));
        }
        for plan in &transforms {
            let (p, points) = (plan.spec.modulus(), plan.spec.points());
            let kernels = render_transform(plan, &limits);
            let kernels = kernels.map(|kernels| kernels.into_iter().map(|kernel| kernel.kernel).collect());
            guard.add(&format!("{device} transform"), &format!("{device} {p} {points}"), sources(&kernels));
        }
    }
    guard.compare(Path::new("tests/guard/shipped.txt"));
}

/// Of every shipped expression and operation the kernels of each candidate, which of them is chosen, and its
/// estimated time.
#[test]
fn plans_are_as_kept() {
    let mut guard = Guard::default();
    let expressions = [&SUMS[..3], &OTHERS[..3], &PRODUCTS, &NUMBER_THEORY, &["a / b", "a % b", "a*b + c*d"]];
    for (number, limits) in DEVICES {
        let (device, planner) = (device((number, limits)), Planner::new(number));
        for text in expressions.into_iter().flatten() {
            for (i, bits) in [131, 512, 2048, 5000, 1 << 14, 1 << 16, 1 << 18].into_iter().enumerate() {
                let (dag, output) = (common::dag(text), Layout::InstanceMajor);
                let spec = ProgramSpec {
                    inputs: common::inputs(&dag, output),
                    dag,
                    ty: IntType::unsigned(bits).unwrap(),
                    limb: LIMBS[i % 3],
                    output,
                    product: Product::Auto,
                    target: Target::Cuda,
                };
                for candidate in Program::candidates(&spec, &limits, &planner).into_iter().flatten() {
                    let kernels = candidate.program.as_ref().map_err(Clone::clone);
                    let kernels = kernels.and_then(|program| launched(program, &limits));
                    let wiring = candidate.program.as_ref().map_or_else(|_| String::new(), wiring);
                    let mapping = candidate.mapping.map_or_else(String::new, |mapping| mapping.to_string());
                    let time =
                        candidate.estimate.map_or_else(String::new, |Estimate { milliseconds, basis }| {
                            format!("{milliseconds:.6} ms {basis}")
                        });
                    let (product, chosen) = (candidate.product, candidate.is_chosen);
                    let case =
                        format!("{device} {text} u{bits} {product} {mapping} {chosen} {time} {wiring}");
                    guard.add(&format!("{device} plan"), &case, sources(&kernels));
                }
            }
        }
    }
    guard.compare(Path::new("tests/guard/plans.txt"));
}
