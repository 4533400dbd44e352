//! The kernels of a program in words.

use core::fmt;

use crate::pipeline::{Program, ProgramKernel};
use crate::spec::{KernelSpec, Limits};

/// Writes each kernel in words and with its specification, and the buffers between.
pub(super) fn write(f: &mut fmt::Formatter<'_>, program: &Program, limits: &Limits) -> fmt::Result {
    for (number, kernel) in (1..).zip(program.launched()) {
        write!(f, "  {number}. {}; ", layout(kernel))?;
        match kernel.render(limits).map(|kernel| kernel.geometry) {
            Ok(block) => writeln!(
                f,
                "IPB = {} instances a block of {} threads, {} bytes of shared memory",
                block.instances, block.threads, block.shared_bytes
            )?,
            Err(error) => writeln!(f, "no kernel: {error}")?,
        }
        writeln!(f, "     {kernel}")?;
    }
    if program.buffer_words() > 0 {
        let (bytes, chunk) = (4 * program.buffer_words(), program.chunk);
        let chunk = if chunk == u64::MAX { "all".to_owned() } else { chunk.to_string() };
        writeln!(f, "  buffers between kernels: {bytes} bytes an instance, {chunk} instances at once")?;
    }
    Ok(())
}

/// The share of an instance that a thread holds.
fn layout(kernel: &ProgramKernel) -> String {
    match kernel {
        ProgramKernel::Expression(spec) => {
            let KernelSpec { mapping, limb, .. } = &**spec;
            let (limbs, held) = (spec.words().div_ceil(limb.words()), mapping.run_words * mapping.runs);
            format!("expression: M = {limbs} limbs, {held} words of 32 bits a thread")
        }
        ProgramKernel::MulNtt(spec) => {
            let plan = &spec.plan;
            let (digits, points, threads) = (plan.digits, plan.points(), plan.threads);
            let primes = plan.primes.primes().len();
            format!(
                "transforms: {digits} digits of 64 bits, {points} points, {primes} primes, {threads} threads a transform"
            )
        }
        ProgramKernel::DivNewton(spec) => {
            format!("division, {}: blocks of {} words of the quotient", spec.stage.name(), spec.half)
        }
        ProgramKernel::Rendered(kernel) => format!("{} blocks an instance", kernel.geometry.planes),
        ProgramKernel::MulTensor(spec) => {
            let plan = &spec.plan;
            let shared = if plan.tiling.paired { ", two instances to one" } else { "" };
            let by = if plan.warpgroup { " by warpgroups" } else { "" };
            let (tiles, tiles_per_pass, warps_per_instance) =
                (plan.tiling.tiles, plan.schedule.tiles_per_pass, plan.schedule.warps_per_instance);
            format!(
                "tensor cores{by}: {tiles} tiles of 128 digits of 8 bits{shared}, {tiles_per_pass} together, warps an instance: {warps_per_instance}"
            )
        }
    }
}
