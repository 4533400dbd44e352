//! What the CPU benchmarks share: a batch of random operands of each width in every library that is compared, the
//! check that all agree, and the timing, on one thread. `peers` takes operands and the thread from here.

mod text;

pub use text::compare_text;

use std::hint::black_box;
use std::ops::RangeInclusive;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput};
use limbforge::prelude::*;
use num_bigint::BigUint;

/// Bits of a batch's operand, all instances together, as an exponent of two: it stays in the second-level cache.
pub const BATCH_BITS: u32 = 21;

/// The widths that products are measured at, as exponents of two.
pub const WIDTHS: RangeInclusive<u32> = 9..=20;

/// Why a comparison cannot be timed.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// An operation of two integers modulo `2^bits`, in every library.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The benchmark's name.
    pub name: &'static str,
    /// The operation as an expression in the operands a and b.
    pub expression: &'static str,
    /// Bits of b, for those of a.
    pub b_bits: fn(u32) -> u32,
    /// The widths that are measured, as exponents of two.
    pub widths: RangeInclusive<u32>,
    /// Bits of a batch's operand, all instances together, as an exponent of two.
    pub batch_bits: u32,
    /// The same in num-bigint, without reduction.
    pub num_bigint: fn(&BigUint, &BigUint) -> BigUint,
    /// The same in GMP, without reduction, into a result that keeps its memory.
    #[cfg(feature = "gmp")]
    pub gmp: fn(&mut rug::Integer, &rug::Integer, &rug::Integer),
}

/// Makes the calling thread the only one that limbforge computes on.
///
/// # Errors
/// If threads have been started before.
pub fn use_one_thread() -> Result<(), Failure> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global()?)
}

/// Times the operation at every width: limbforge with each limb, num-bigint, and GMP if it is there.
///
/// # Errors
/// If a library disagrees with another.
pub fn compare(criterion: &mut Criterion, operation: &Operation) -> Result<(), Failure> {
    for width in operation.widths.clone() {
        let instances = 1_usize << (operation.batch_bits - width);
        let (a, b) = (random(instances, 1 << width, 1), random(instances, (operation.b_bits)(1 << width), 2));
        let mut group = criterion.benchmark_group(format!("{}/{width}", operation.name));
        group.throughput(Throughput::Elements(instances as u64));
        time_limbforge::<u32>(&mut group, operation, width, &a, &b)?;
        time_limbforge::<u64>(&mut group, operation, width, &a, &b)?;
        time_limbforge::<u128>(&mut group, operation, width, &a, &b)?;
        group.bench_function(BenchmarkId::from_parameter("num-bigint"), |bencher| {
            bencher.iter(|| {
                for (a, b) in a.iter().zip(&b) {
                    black_box((operation.num_bigint)(a, b));
                }
            });
        });
        #[cfg(feature = "gmp")]
        time_gmp(&mut group, operation, &a, &b);
        group.finish();
    }
    Ok(())
}

fn time_limbforge<B: Base>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    operation: &Operation,
    width: u32,
    a: &[BigUint],
    b: &[BigUint],
) -> Result<(), Failure> {
    let ty = IntType::unsigned(1 << width)?;
    let (engine, expr) = (Engine::cpu(), Expr::parse(operation.expression)?);
    let batch_a = Batch::<B>::from_biguints(ty, Layout::InstanceMajor, a)?;
    let batch_b = Batch::<B>::from_biguints(ty, Layout::InstanceMajor, b)?;

    let expected =
        a.iter().zip(b).map(|(a, b)| (operation.num_bigint)(a, b) % (BigUint::from(1_u32) << ty.bits()));
    let mut result = engine.eval(&expr, &[("a", &batch_a), ("b", &batch_b)])?;
    if !expected.eq(result.to_biguints()) {
        return Err(
            format!("{} of {ty} with limb {} differs from num-bigint", operation.name, B::NAME).into()
        );
    }
    group.bench_function(BenchmarkId::from_parameter(B::NAME), |bencher| {
        bencher.iter(|| {
            engine.eval_into(
                &expr,
                &[("a", black_box(&batch_a)), ("b", black_box(&batch_b))],
                black_box(&mut result),
            )
        });
    });
    Ok(())
}

#[cfg(feature = "gmp")]
fn time_gmp(group: &mut BenchmarkGroup<'_, WallTime>, operation: &Operation, a: &[BigUint], b: &[BigUint]) {
    let integers = |values: &[BigUint]| -> Vec<rug::Integer> {
        values
            .iter()
            .map(|value| rug::Integer::from_digits(&value.to_u64_digits(), rug::integer::Order::Lsf))
            .collect()
    };
    let (a, b) = (integers(a), integers(b));
    let mut result = rug::Integer::new();
    group.bench_function(BenchmarkId::from_parameter("gmp"), |bencher| {
        bencher.iter(|| {
            for (a, b) in a.iter().zip(&b) {
                (operation.gmp)(&mut result, a, b);
                black_box(&result);
            }
        });
    });
}

/// Integers of `bits` bits, a multiple of 32, by xorshift: the same on every run.
#[must_use]
pub fn random(count: usize, bits: u32, seed: u64) -> Vec<BigUint> {
    let mut state = 0x9e37_79b9_7f4a_7c15 ^ seed;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u32
    };
    (0..count).map(|_| BigUint::new((0..bits / 32).map(|_| next()).collect())).collect()
}
