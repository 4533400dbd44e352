//! One kernel against the CPU backend.

use limbforge::algos::cpu;
use limbforge::limb::slice;
use limbforge::prelude::*;
use limbforge_gpu::{GpuError, LoadedKernel, NvrtcError, Word};
use limbforge_kernels_gen::KernelSpec;

use super::cases::Case;
use super::report::Outcome;
use crate::args::LimbArgument;
use crate::error::CliError;
use crate::kernels::Gpu;
use crate::operands::Operands;

/// What the result's buffer holds before a kernel runs: a value that no kernel leaves there by itself.
const POISON: u8 = 0xa5;

/// Bytes behind the result that a kernel must not touch.
const MARGIN: u64 = 256;

/// Bits of the largest batch, and of the largest one with products, which take the CPU longer.
const BATCH_BITS: usize = 1 << 22;
const PRODUCT_BITS: usize = 1 << 20;

/// Instances of the largest batch.
const MAX_INSTANCES: usize = 5003;

/// Compiles the case's kernel, runs it on several batches and compares every instance.
///
/// # Errors
/// For a failure that leaves the GPU or the machine in no state to go on.
pub(super) fn check(gpu: &Gpu, case: &Case, seed: u64, small: bool) -> Result<Outcome, CliError> {
    let made = case.spec().and_then(|spec| Ok((gpu.load(&spec)?, spec)));
    let (kernel, spec) = match made {
        Ok(made) => made,
        Err(error) if case.may_refuse(&error) => return Ok(Outcome::Refused),
        Err(error) if is_about_kernel(&error) => return Ok(Outcome::Failed(error.to_string())),
        Err(error) => return Err(error),
    };
    match case.limb {
        LimbArgument::U32 => compare::<u32>(gpu, &kernel, &spec, case, seed, small),
        LimbArgument::U64 => compare::<u64>(gpu, &kernel, &spec, case, seed, small),
        LimbArgument::U128 => compare::<u128>(gpu, &kernel, &spec, case, seed, small),
    }
}

/// Whether another kernel may well run.
const fn is_about_kernel(error: &CliError) -> bool {
    matches!(
        error,
        CliError::Spec(_)
            | CliError::Gpu(
                GpuError::Nvrtc(NvrtcError::Compile(_))
                    | GpuError::Refused { .. }
                    | GpuError::Entry { .. }
                    | GpuError::SharedMemory { .. }
                    | GpuError::Threads { .. }
            )
    )
}

/// Batches of one instance, of less than a block, of several blocks of which the last is not full, and a large one.
fn batch_sizes(per_block: u32, ty: IntType, products: bool, small: bool) -> Vec<usize> {
    let block = per_block as usize;
    let mut sizes = vec![1, 2 * block + block.div_ceil(2)];
    if !small {
        let bits = if products { PRODUCT_BITS } else { BATCH_BITS };
        let large = (bits / ty.bits() as usize).min(MAX_INSTANCES).max(3 * block) + 1;
        // One more if it would fill its last block.
        sizes
            .extend([block.saturating_sub(1), large + usize::from(block > 1 && large.is_multiple_of(block))]);
    }
    sizes.retain(|&size| size > 0);
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

fn compare<B: Base + Word>(
    gpu: &Gpu,
    kernel: &LoadedKernel,
    spec: &KernelSpec,
    case: &Case,
    seed: u64,
    small: bool,
) -> Result<Outcome, CliError> {
    let result_type = spec.dag.result_type(case.ty).map_err(EvalError::from)?;
    let mut operands = Operands::new(seed);
    let mut compared = 0;
    for instances in batch_sizes(spec.mapping.instances, case.ty, case.multiplies(), small) {
        let batches: Vec<Batch<B>> =
            operands.batches(case.ty, spec.inputs.len(), instances, case.places).map_err(EvalError::from)?;
        let named: Vec<(&str, &Batch<B>)> =
            spec.inputs.iter().map(|input| input.name.as_str()).zip(&batches).collect();
        let mut expected =
            Batch::zeros(result_type, Layout::InstanceMajor, instances).map_err(EvalError::from)?;
        cpu::eval_into(&spec.dag, &named, &mut expected)?;
        let expected = expected.into_layout(case.places.output);
        let found = run::<B>(gpu, kernel, &batches, instances)?;
        if let Some(why) = difference(&expected, &found, &named) {
            return Ok(Outcome::Failed(format!("{spec}: N={instances}, {why}")));
        }
        compared += instances as u64;
    }
    Ok(Outcome::Equal { instances: compared })
}

/// The result's limbs, and those of the margin behind them.
fn run<B: Base + Word>(
    gpu: &Gpu,
    kernel: &LoadedKernel,
    batches: &[Batch<B>],
    instances: usize,
) -> Result<Vec<B>, GpuError> {
    let inputs =
        batches.iter().map(|batch| gpu.device.upload(batch.limbs())).collect::<Result<Vec<_>, _>>()?;
    let bytes = kernel.footprint().output * instances as u64 + MARGIN;
    let mut output = gpu.device.alloc(bytes)?;
    output.fill(POISON)?;
    gpu.device.run(kernel, &inputs.iter().collect::<Vec<_>>(), &mut output, instances as u64)?;
    let mut found = vec![B::ZERO; bytes as usize / B::BYTES];
    output.copy_to(&mut found)?;
    Ok(found)
}

/// What is wrong with the result, whose margin must still be poison.
fn difference<B: Base>(expected: &Batch<B>, found: &[B], named: &[(&str, &Batch<B>)]) -> Option<String> {
    let (result, margin) = found.split_at_checked(expected.limbs().len())?;
    let poison = B::from_le_bytes(&[POISON; 16]);
    if margin.iter().any(|&limb| limb != poison) {
        return Some("the kernel has written behind its result".to_owned());
    }
    if result == expected.limbs() {
        return None;
    }
    let (instances, m) = (expected.instances(), expected.limbs_per_instance());
    let at = |i: usize, j: usize| result[expected.layout().index(instances, m, i, j)];
    let differs = |&i: &usize| (0..m).any(|j| at(i, j) != expected.limb(i, j));
    let wrong: Vec<usize> = (0..instances).filter(differs).collect();
    let &first = wrong.first()?;
    let limbs: Vec<B> = (0..m).map(|j| at(first, j)).collect();
    let mut text = format!(
        "{} of {instances} instances differ, the first is {first}: expected {}, found {}",
        wrong.len(),
        hex(&expected.instance(first)),
        hex(&limbs)
    );
    for (name, batch) in named {
        text += &format!(", {name} = {}", hex(&batch.instance(first.min(batch.instances() - 1))));
    }
    Some(text)
}

/// In hexadecimal, shortened in the middle if it is long.
fn hex<B: Base>(limbs: &[B]) -> String {
    let digits = B::BYTES * 2;
    let significant = slice::bits::significant(limbs);
    let text: String = significant.iter().rev().map(|limb| format!("{limb:0digits$x}")).collect();
    let text = text.trim_start_matches('0');
    match text.len() {
        0 => "0x0".to_owned(),
        1..=72 => format!("0x{text}"),
        len => format!("0x{}...{} ({len} digits)", &text[..32], &text[len - 32..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_leave_the_last_block_open() {
        let ty = IntType::unsigned(131).unwrap();
        assert_eq!(batch_sizes(16, ty, false, false), [1, 15, 40, 5004]);
        assert_eq!(batch_sizes(1, ty, false, true), [1, 3]);
        assert_eq!(batch_sizes(128, IntType::unsigned(1 << 18).unwrap(), true, false), [1, 127, 320, 385]);
    }

    #[test]
    fn differences_are_named() {
        let ty = IntType::unsigned(60).unwrap();
        let poison = u32::from_le_bytes([POISON; 4]);
        for layout in [Layout::InstanceMajor, Layout::Interleaved] {
            let mut expected = Batch::<u32>::zeros(ty, layout, 3).unwrap();
            expected.set_instance(1, &[5, 0x17]);
            let mut found = expected.limbs().to_vec();
            found.extend([poison; 4]);
            let named = [("a", &expected)];
            assert_eq!(difference(&expected, &found, &named), None);
            found[layout.index(3, 2, 1, 0)] = 6;
            let text = "1 of 3 instances differ, the first is 1: expected 0x1700000005, found 0x1700000006, \
                        a = 0x1700000005";
            assert_eq!(difference(&expected, &found, &named).as_deref(), Some(text));
            found[8] = 0;
            let text = "the kernel has written behind its result";
            assert_eq!(difference(&expected, &found, &named).as_deref(), Some(text));
        }
        assert_eq!(hex(&[u64::MAX; 8]), format!("0x{0}...{0} (128 digits)", "f".repeat(32)));
        assert_eq!(hex(&[0_u64; 2]), "0x0");
    }
}
