//! Kernels of your own: choose the limb, M, Q and IPB, or a prime; the library renders, compiles and runs
//! exactly these.
//!
//! The types below are checked while this program is compiled. For each it prints the head of the kernel's
//! source and the sizes, compiles it if nvrtc is installed, runs it if there is a GPU, and compares the
//! results with those of the block on the CPU and of the CPU backend:
//!
//! ```sh
//! cargo run --release --example own_kernel
//! ```

use std::error::Error;

use limbforge::RunBlock;
use limbforge::algos::block::{Add, Div, MulClassical, MulNtt};
use limbforge::gpu::{Arch, Compiler, Device};
use limbforge::kernels_gen::{Kernel, Limits};
use limbforge::prelude::*;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

limbforge::field::prime_field! {
    /// The prime of the transforms: 62 bits, with roots of order 2^57.
    type Prime: u64 = 29 * 2^57 + 1;
}

limbforge::algos::block_algorithm! {
    /// 4096-bit sums: 64 limbs of 64 bits, 4 to a thread, 8 instances to a block of 128 threads.
    type Sum = Add<u64, 64, 4, 8>;
    /// Products mod 2^4096.
    type Product = MulClassical<u64, 64, 4, 8>;
    /// Quotients of 2048-bit numbers of u32 limbs; the model's numbers have 4 limbs more.
    type Quotient = Div<u32, 64, 68, 8, 4>;
    /// Products of 8192 bits by transforms over the field.
    type FieldProduct = MulNtt<Prime, u64, 64>;
}

/// Instances of a batch.
const INSTANCES: usize = 20;

fn main() -> Result<()> {
    check::<Sum>("sum", "a + b")?;
    check::<Product>("product", "a * b")?;
    check::<Quotient>("quotient", "a / b")?;
    check::<FieldProduct>("product over a field", "mul_wide(a, b)")
}

/// Renders, compiles and runs the kernels of a type as far as this machine can, and compares the results.
fn check<A: RunBlock>(name: &str, expression: &str) -> Result<()> {
    let ty = IntType::unsigned(A::LIMBS as u64 * u64::from(A::Limb::BITS))?;
    println!("{name}: {} limbs {}", A::LIMBS, A::Limb::NAME);
    let (compiler, device) = (Compiler::from_environment(), Device::open(0));
    let limits = device.as_ref().map_or(Limits::SM_90, |device| device.info().limits());
    A::render(&limits)?.iter().for_each(describe);
    match &compiler {
        Ok(compiler) => {
            let arch = device.as_ref().map_or_else(|_| Arch::new(9, 0), |device| device.info().arch);
            let bytes: usize = A::compile(compiler, arch, &limits)?.iter().map(Vec::len).sum();
            println!("  {bytes} bytes of machine code for {arch}");
        }
        Err(why) => println!("  not compiled: {why}"),
    }

    let [a, b] = [1, 2].map(operand::<A>);
    let on_cpu = A::on_cpu(&a, &b)?;
    let batches = [a.clone(), b.clone()].map(|limbs| Batch::from_limbs(ty, Layout::InstanceMajor, limbs));
    let [x, y] = batches;
    let values = Engine::cpu().eval(&Expr::parse(expression)?, &[("a", &x?), ("b", &y?)])?;
    assert_eq!(on_cpu, values.limbs(), "the block and the CPU backend disagree");
    match (&device, &compiler) {
        (Ok(device), Ok(compiler)) => {
            assert_eq!(A::on_gpu(device, compiler, &a, &b)?, on_cpu, "the kernel and the block disagree");
            println!(
                "  {INSTANCES} results of the kernel, the block on the CPU and the CPU backend are equal"
            );
        }
        (Err(why), _) => println!("  block on the CPU alone, equal to the CPU backend: {why}"),
        (_, Err(_)) => println!("  block on the CPU alone, equal to the CPU backend: there is no compiler"),
    }
    Ok(())
}

/// The first line of the source, and the sizes.
fn describe(kernel: &Kernel) {
    let geometry = &kernel.geometry;
    println!("  {}", kernel.source.lines().next().unwrap_or_default());
    println!(
        "  {} bytes of source; a block has {} threads, {} instances and {} bytes of shared memory",
        kernel.source.len(),
        geometry.threads,
        geometry.instances,
        geometry.shared_bytes
    );
}

/// Limbs without a pattern, no instance 0.
fn operand<A: RunBlock>(seed: u64) -> Vec<A::Limb> {
    let mut state = seed;
    let limb = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        A::Limb::from_word(state >> 32 | 1)
    };
    (0..INSTANCES * A::LIMBS).map(limb).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kernels_equal_the_block() -> Result<()> {
        main()
    }
}
