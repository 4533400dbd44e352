//! Hand-written kernels under the emulator: what CUDA promises holds, and what CUDA forbids is found.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod bits;
mod faults;
mod grid;
mod mma;
mod sanitizers;
mod shared;
mod warp;

use limbforge_emulate::{Check, Compiler, EmulateError, Emulated, Fault};
use limbforge_kernels_gen::{Geometry, Kernel};

/// A kernel `k` with these inputs, one thread per instance, and the body `body`, in which `i` is the
/// instance.
fn kernel(inputs: &[&str], threads: u32, shared_bytes: u32, body: &str) -> Kernel {
    let parameters: String =
        inputs.iter().map(|name| format!("const unsigned* __restrict__ {name}, ")).collect();
    Kernel {
        source: format!(
            "extern __shared__ uint4 limbforge_shared[];
extern \"C\" __global__ void __launch_bounds__({threads})
k({parameters}unsigned* __restrict__ out, unsigned long long instances) {{
  const unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
{body}
}}
"
        ),
        entry: "k".into(),
        inputs: inputs.iter().map(|&name| name.to_owned()).collect(),
        geometry: Geometry { threads, instances: threads, planes: 1, shared_bytes },
        marks: false,
        outputs: 1,
        zeroed: 0,
    }
}

/// First line of the body in the source of [`kernel`].
const BODY: usize = 5;

/// The kernel's program.
fn build_with(kernel: &Kernel, check: Check) -> Emulated {
    let compiler = Compiler::find().unwrap();
    Emulated::build_with(&compiler, kernel, check).unwrap()
}

fn build(kernel: &Kernel) -> Emulated {
    build_with(kernel, Check::Guards)
}

/// The fault of a run and its report.
fn fault<T: core::fmt::Debug>(result: Result<T, EmulateError>) -> (Fault, String) {
    match result {
        Err(EmulateError::Fault { fault, report, .. }) => (fault, report),
        other => panic!("expected a fault, found {other:?}"),
    }
}

fn contains(report: &str, part: &str) {
    assert!(report.contains(part), "expected `{part}` in:\n{report}");
}
