//! Kernels with what they may take, and what is wrong with compiled ones.

use std::time::Duration;

use limbforge_gpu::{Compiled, Image, Nvrtc, Target};
use limbforge_kernels_gen::ntt::{TransformPlan, render_transform};
use limbforge_kernels_gen::{KernelSpec, Limits, Program, ProgramKernel, render};

/// What a user waits at most for a kernel that was never compiled.
pub(crate) const LONGEST: Duration = Duration::from_secs(2);

/// The same of a kernel of transforms, which is as many as there are primes.
pub(crate) const LONGEST_TRANSFORMS: Duration = Duration::from_secs(10);

/// Bytes that a thread of a kernel of transforms, or of one that puts residues together, may spill: it has as
/// many registers as leave room for the blocks that were measured to be fastest. Most spill nothing or up to
/// 24 bytes, a cyclic one of 2048 points 164; the second kernel of Poly at 2^18 bits, with three blocks of
/// 256 threads, the most: it reads a spectrum beside two operands. Its outer pass backward written out took
/// what it reads from 168 bytes to 324, and Poly from 13.99 to 14.14 ms.
pub(crate) const MOST_SPILLED: u32 = 324;

/// The same of operations within a warp, outside of the loops of their steps: so many registers leave room
/// for the blocks that hide what the steps wait for.
pub(crate) const MOST_SPILLED_WITHIN_WARP: u32 = 160;

/// The same of powers: modulo even numbers there are more numbers at once than registers for four blocks, or
/// for three with 24 words to a lane, the most (docs/powmod.md): 220 bytes stored and 420 loaded at 768 bits.
pub(crate) const MOST_SPILLED_POWERS: u32 = 424;

/// The same of tests of primality, whose one loop for both tests keeps more numbers than one loop each did: at
/// 2^9 bits 556 bytes in place of 92 and 8.15 ms in place of 8.03 for 2^16 numbers on an H200, at 2^11 bits 92.9
/// in place of 95.8 for 2^14, with two thirds of the machine code. The most have 24 words to a lane.
pub(crate) const MOST_SPILLED_PRIMALITY: u32 = 640;

/// What a user waits at most for a kernel of operations within a warp.
pub(crate) const LONGEST_WITHIN_WARP: Duration = Duration::from_secs(5);

pub(crate) fn within_warp(spec: &KernelSpec) -> bool {
    spec.dag.nodes().iter().any(|node| node.op.is_within_warp())
}

/// A kernel's source, what it is called here, and what it takes at most.
pub(crate) struct Rendered {
    pub(crate) name: String,
    pub(crate) source: String,
    /// To compile.
    pub(crate) longest: Duration,
    /// Bytes of a thread.
    pub(crate) most_spilled: u32,
    /// Bytes of a table that a thread keeps in local memory.
    pub(crate) table: u32,
}

impl Rendered {
    pub(crate) fn expression(spec: &KernelSpec, limits: &Limits) -> Self {
        let kernel = render(spec, limits).unwrap_or_else(|error| panic!("{spec}: {error}"));
        let has = |op: &str| spec.dag.nodes().iter().any(|node| node.op.to_string() == op);
        // Powers of the base: templates/powmod.cuh.
        let window = (1..6).find(|w| spec.ty.bits() <= (w * (w + 1)) << w).unwrap_or(6);
        Self {
            name: spec.to_string(),
            source: kernel.source,
            longest: if within_warp(spec) { LONGEST_WITHIN_WARP } else { LONGEST },
            most_spilled: match within_warp(spec) {
                true if has("is_prime") => MOST_SPILLED_PRIMALITY,
                true if has("powmod") || has("is_strong_probable_prime") => MOST_SPILLED_POWERS,
                true => MOST_SPILLED_WITHIN_WARP,
                false => 0,
            },
            table: if has("powmod") || has("is_strong_probable_prime") {
                (4 * spec.mapping.run_words) << window
            } else {
                0
            },
        }
    }

    pub(crate) fn program(program: &Program, limits: &Limits) -> impl Iterator<Item = Self> {
        program.kernels.iter().map(|spec| {
            let kernel = spec.render(limits).unwrap();
            let longest = if matches!(spec, ProgramKernel::MulNtt(_)) { LONGEST_TRANSFORMS } else { LONGEST };
            let name = spec.to_string();
            Self { name, source: kernel.source, longest, most_spilled: MOST_SPILLED, table: 0 }
        })
    }

    pub(crate) fn transform(plan: &TransformPlan, limits: &Limits) -> impl Iterator<Item = Self> {
        render_transform(plan, limits).unwrap().into_iter().zip(&plan.launches).map(|(rendered, launch)| {
            Self {
                name: format!("{:?} {launch:?}", plan.spec),
                source: rendered.kernel.source,
                longest: LONGEST,
                most_spilled: 0,
                table: 0,
            }
        })
    }

    pub(crate) fn compile(&self, nvrtc: &Nvrtc, arch: &str) -> Compiled {
        let target = Target::Cubin(arch.parse().unwrap());
        let options = ["--ptxas-options=-v".to_owned()];
        nvrtc
            .compile(&self.source, target, &options)
            .unwrap_or_else(|error| panic!("{} for {arch}: {error}", self.name))
    }
}

/// The largest number in front of `what` in what ptxas says of the kernel and of the functions that it calls.
fn number_before(log: &str, what: &str) -> u32 {
    let numbers = log.match_indices(what).map(|(at, _)| {
        let before = log[..at].trim_end();
        before.rsplit(|c: char| !c.is_ascii_digit()).next().and_then(|digits| digits.parse().ok()).unwrap()
    });
    numbers.max().unwrap_or_else(|| panic!("expected `{what}` in the compiler's log:\n{log}"))
}

/// What is wrong with a compiled kernel.
pub(crate) fn faults(kernel: &Rendered, arch: &str, compiled: &Compiled) -> Option<String> {
    let log = &compiled.log;
    // Of products by warpgroups the compiler says so if it lets none run beside other instructions.
    let clean = !log.to_lowercase().contains("warning")
        && !log.contains("serialized")
        && number_before(log, " bytes stack frame") <= kernel.most_spilled + kernel.table
        && [" bytes spill stores", " bytes spill loads"]
            .iter()
            .all(|what| number_before(log, what) <= kernel.most_spilled)
        && log.matches("Compiling entry function").count() == 1
        && matches!(&compiled.image, Image::Cubin(bytes) if bytes.starts_with(b"\x7fELF"));
    (!clean).then(|| {
        format!(
            "{} for {arch}: expected one kernel, no warning, no more than {} bytes of stack and spilled; found:\n{log}",
            kernel.name, kernel.most_spilled
        )
    })
}
