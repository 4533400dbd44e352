//! Batches larger than the memory that a GPU may use: in chunks they have the CPU's results.
#![cfg(feature = "gpu")]

use limbforge::algos::transform::ntt::{Direction, NttPlan, Wrap};
use limbforge::field::DynField;
use limbforge::gpu::GpuError;
use limbforge::prelude::*;
use limbforge_needs::needs;
use limbforge_testing::poly::schoolbook;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Memory of a few chunks.
const LITTLE: u64 = 24 << 20;

/// With transforms and without, of words of 32 and 64 bits.
const PRIMES: [u64; 3] = [2_013_265_921, 0xffff_ffff_0000_0001, 18_446_744_073_709_551_557];

fn residues(len: usize, p: u64, seed: u64) -> Vec<u64> {
    let mut state = seed;
    let next = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.rotate_right(21) % p
    };
    (0..len).map(next).collect()
}

#[needs(gpu)]
#[test]
fn polynomials() -> Outcome {
    let (gpu, cpu) = (Engine::gpu(0)?.with_device_memory(LITTLE), Engine::cpu());
    for p in PRIMES {
        let ring = PolyRing::new(DynField::new(p)?);
        let operand = |longest: usize, seed: u64| -> Vec<_> {
            let length = |i: usize| 1 + (i * 31 + seed as usize) % longest;
            let terms =
                |i| schoolbook::trimmed([residues(length(i) - 1, p, seed + i as u64), vec![1]].concat());
            (0..2000).map(|i| ring.from_integers(&terms(i))).collect()
        };
        let (a, b) = (operand(700, 5), operand(300, 9));
        assert!(gpu.poly_mul(&ring, &a, &b)? == cpu.poly_mul(&ring, &a, &b)?, "products modulo {p}");
        assert!(gpu.poly_div_rem(&ring, &a, &b)? == cpu.poly_div_rem(&ring, &a, &b)?, "quotients modulo {p}");
        assert!(gpu.poly_gcd(&ring, &a, &b)? == cpu.poly_gcd(&ring, &a, &b)?, "divisors modulo {p}");
    }
    Ok(())
}

#[needs(gpu)]
#[test]
fn transforms() -> Outcome {
    let (gpu, cpu) = (Engine::gpu(0)?.with_device_memory(LITTLE), Engine::cpu());
    let field = DynField::new(PRIMES[1])?;
    for points in [1 << 10, 1 << 17] {
        let plan = NttPlan::new(points, Wrap::Negacyclic)?;
        let values = residues(41 * points, PRIMES[1], 3);
        let (mut found, mut expected) = (values.clone(), values);
        gpu.transform(&field, &plan, Direction::Forward, &mut found)?;
        cpu.transform(&field, &plan, Direction::Forward, &mut expected)?;
        assert!(found == expected, "{points} points");
    }
    Ok(())
}

/// One divisor for all instances is inverted once, whatever the chunks.
#[needs(gpu)]
#[test]
fn one_divisor_for_all() -> Outcome {
    let ty = IntType::unsigned(1 << 16)?;
    let words = |count: usize, seed| residues(count * 1024, u64::MAX, seed);
    let batch = |count: usize, seed| Batch::<u64>::from_limbs(ty, Layout::InstanceMajor, words(count, seed));
    let (a, m) = (batch(1500, 1)?, batch(1, 2)?);
    let expr = Expr::parse("(a % m) ^ (a / m)")?;
    let (gpu, cpu) = (Engine::gpu(0)?.with_device_memory(16 * LITTLE), Engine::cpu());
    let inputs = [("a", &a), ("m", &m)];
    assert!(gpu.eval(&expr, &inputs)? == cpu.eval(&expr, &inputs)?);
    Ok(())
}

#[needs(gpu)]
#[test]
fn too_little_is_an_error() -> Outcome {
    let gpu = Engine::gpu(0)?.with_device_memory(1 << 10);
    let ring = PolyRing::new(DynField::new(PRIMES[0])?);
    let a = [ring.from_integers(&residues(1000, PRIMES[0], 1))];
    let refused = gpu.poly_mul(&ring, &a, &a);
    let is_allowance = |error: &GpuError| matches!(error, GpuError::Allowance { .. });
    assert!(matches!(&refused, Err(EngineError::Gpu(error)) if is_allowance(error)), "{refused:?}");
    Ok(())
}
