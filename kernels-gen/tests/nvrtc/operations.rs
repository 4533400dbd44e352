//! The kernels of each operation alone, as a user's first evaluation compiles them.

use std::env;
use std::fs;
use std::path::Path;
use std::time::Duration;

use limbforge_algos::op::{Operation, operations};
use limbforge_gpu::{Image, Nvrtc, Target};
use limbforge_kernels_gen::{Kernel, Limits, Planner, Product, Program, ProgramSpec};
use limbforge_limb::{IntType, Layout};
use limbforge_needs::needs;
use limbforge_reference::sample::sample;

use crate::common::{LIMBS, dag, inputs, nvrtc};
use crate::measured::{ALONE, slower_than_reference, timed, too_slow};
use crate::rendered::Rendered;

/// The width at which compilation is bounded.
const BITS: u64 = 2048;

/// What the slowest kernel of an operation takes of the core on which the limits of `measured.rs` were set.
const LONGEST: Duration = Duration::from_millis(3200);

/// Bytes of the largest machine code of such a kernel: what compilation takes grows with it, on any machine.
const MOST_CODE: usize = 300_000;

/// The kernels of an expression on an H200.
fn kernels(text: &str, bits: u64) -> Option<Vec<Kernel>> {
    let dag = dag(text);
    let spec = ProgramSpec {
        inputs: inputs(&dag, Layout::InstanceMajor),
        dag,
        ty: IntType::unsigned(bits).unwrap(),
        limb: LIMBS[1],
        output: Layout::InstanceMajor,
        product: Product::Auto,
        target: limbforge_kernels_gen::Target::Cuda,
    };
    Program::with_kernels(&spec, &Limits::SM_90A, &Planner::new(90)).ok().map(|(_, kernels)| kernels)
}

fn rendered(name: String, kernel: Kernel) -> Rendered {
    Rendered { name, source: kernel.source, longest: LONGEST, most_spilled: 0, table: 0 }
}

/// A kernel waits for no other one: as many cores as an operation has kernels compile it in the time of its
/// slowest.
#[needs(nvrtc)]
#[test]
fn the_first_kernel_of_an_operation_comes_soon() {
    let nvrtc = nvrtc();
    let _alone = ALONE.lock();
    let slower = slower_than_reference(&nvrtc);
    for text in sample("operations", operations().map(Operation::of_variables), 8) {
        for (i, kernel) in kernels(&text, BITS).unwrap().into_iter().enumerate() {
            let kernel = rendered(format!("{text}, kernel {i}"), kernel);
            let (compiled, first) = timed(|| kernel.compile(&nvrtc, "sm_90a"));
            let Image::Cubin(code) = compiled.image else { panic!("expected machine code") };
            assert!(code.len() <= MOST_CODE, "{}: {} bytes of code", kernel.name, code.len());
            let seems_slow = first > kernel.longest.mul_f64(slower);
            let fault = seems_slow.then(|| too_slow(&nvrtc, &kernel, "sm_90a")).flatten();
            assert!(fault.is_none(), "{fault:?}");
        }
    }
}

/// Prints what the kernels of each operation take to compile.
#[needs(nvrtc)]
#[test]
#[ignore = "a measurement of minutes: LIMBFORGE_START=512,2048,8192,65536 has the widths, LIMBFORGE_START_ONLY operations"]
fn what_operations_take() {
    let nvrtc = nvrtc();
    let text = |name: &str, usual: &str| env::var(name).unwrap_or_else(|_| usual.to_owned());
    let only = text("LIMBFORGE_START_ONLY", "");
    for bits in text("LIMBFORGE_START", "512,2048,8192,65536").split(',') {
        let is_wanted = |name: &str| only.is_empty() || only.split(',').any(|one| one == name);
        for row in operations().filter(|row| is_wanted(row.name)) {
            let expression = row.of_variables();
            let (kernels, rendering) = timed(|| kernels(&expression, bits.parse().unwrap()));
            let Some(kernels) = kernels else {
                println!("{bits:>6} {expression:36} refused");
                continue;
            };
            let of = kernels.len();
            println!("{bits:>6} {expression:36} {of} kernels, rendered in {rendering:.1?}");
            for (i, kernel) in (1..).zip(kernels) {
                println!("{bits:>6} {expression:36} {i}/{of} {}", measured(&nvrtc, &kernel));
            }
        }
    }
}

/// Milliseconds of the compiling thread and of nvrtc's phases, and bytes of source and code.
fn measured(nvrtc: &Nvrtc, kernel: &Kernel) -> String {
    let name = format!("limbforge-phases-{}", std::process::id());
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let options = [format!("--time={}", file.display())];
    let target = Target::Cubin("sm_90a".parse().unwrap());
    let (compiled, taken) = timed(|| nvrtc.compile(&kernel.source, target, &options).unwrap());
    let Image::Cubin(code) = compiled.image else { panic!("expected machine code") };
    let text = fs::read_to_string(&file).unwrap_or_default();
    drop(fs::remove_file(&file));
    // Lines of a file, a phase, a number and a unit.
    let phase = |line: &str| -> Option<String> {
        let [_, name, time, _] = line.split(',').map(str::trim).collect::<Vec<_>>().try_into().ok()?;
        time.parse::<f64>().ok().map(|ms| format!("{name} {ms}"))
    };
    let phases: Vec<String> = text.lines().filter_map(phase).collect();
    let (source, code, taken) = (kernel.source.len(), code.len(), taken.as_millis());
    format!("{taken:6} ms, {source:6} bytes of source, {code:6} of code; wall ms: {}", phases.join(", "))
}
