//! Powers of batches that are large enough for residue number systems, beside the CPU's.
#![cfg(feature = "gpu")]
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::iter;

use limbforge::algos::expr::random::SplitMix64;
use limbforge::num_bigint::BigUint;
use limbforge::prelude::*;
use limbforge_needs::needs;

/// Random integers with so many bits at most; the first ones are `structured`.
fn batch(
    dice: &mut SplitMix64,
    ty: IntType,
    bits: u32,
    instances: usize,
    structured: &[BigUint],
) -> Batch<u64> {
    let random = || {
        let words = (0..bits.div_ceil(32)).map(|_| dice.below(u32::MAX)).collect();
        BigUint::new(words) >> (bits.next_multiple_of(32) - bits)
    };
    let values: Vec<BigUint> =
        structured.iter().cloned().chain(iter::repeat_with(random)).take(instances).collect();
    Batch::from_biguints(ty, Layout::InstanceMajor, &values).unwrap()
}

/// Operands a, e and n: a wave that is not full, with moduli 0, 1, even, powers of two and the largest.
fn operands(bits: u32, exponent_bits: u32, instances: usize) -> [Batch<u64>; 3] {
    let (ty, mut dice) = (IntType::unsigned(bits.into()).unwrap(), SplitMix64::new(bits.into()));
    let one = BigUint::from(1_u8);
    let most = (&one << bits) - &one;
    let moduli =
        [0_u8.into(), one.clone(), 2_u8.into(), one.clone() << (bits - 1), most.clone(), &most - 1_u8];
    let bases = [most.clone(), most.clone(), 3_u8.into(), &most - 2_u8, most.clone(), most];
    let exponents = [one.clone(), 0_u8.into(), one << (exponent_bits - 1)];
    [
        batch(&mut dice, ty, bits, instances, &bases),
        batch(&mut dice, ty, exponent_bits, instances, &exponents),
        batch(&mut dice, ty, bits, instances, &moduli),
    ]
}

/// The same results from host memory and from a GPU's, failures and all, as on the CPU.
fn check(text: &str, bits: u32, exponent_bits: u32, instances: usize) {
    let (gpu, expr) = (Engine::gpu(0).unwrap(), Expr::parse(text).unwrap());
    let [a, e, n] = operands(bits, exponent_bits, instances);
    let inputs = [("a", &a), ("e", &e), ("n", &n)];
    let expected = Engine::cpu().eval_checked(&expr, &inputs).unwrap();
    assert_eq!(expected.failures.len(), 1);
    assert_eq!(gpu.eval_checked(&expr, &inputs).unwrap(), expected, "{text} of {bits} bits");
    let prepared = gpu.prepare::<u64>(&expr, a.ty(), &Placement::default()).unwrap();
    let resident = [&a, &e, &n].map(|batch| gpu.upload(batch).unwrap());
    let inputs = [("a", &resident[0]), ("e", &resident[1]), ("n", &resident[2])];
    let (values, failed) = prepared.run(&inputs).unwrap().download_checked().unwrap();
    assert_eq!((values, failed), (expected.values, vec![0]), "{text} of {bits} bits");
    assert!(gpu.fallback().is_none());
}

#[needs(gpu, nvrtc)]
#[test]
fn powers_of_large_batches() {
    check("powmod(a, e, n)", 1024, 300, 30_000);
    check("powmod(a, e, n) + powmod(n, e, a | 1)", 1537, 400, 12_000);
    check("powmod(a, e, n)", 2048, 520, 20_000);
}

/// One modulus for all instances, by folds, with short exponents and full ones; modulo 0 all instances fail.
#[needs(gpu, nvrtc)]
#[test]
fn powers_modulo_one_number() {
    for (bits, exponent_bits) in [(256, 256), (512, 200), (1000, 300), (1024, 1024), (1536, 400)] {
        let (gpu, expr) =
            (Engine::gpu(0).unwrap(), Expr::parse("powmod(a, e, n) + powmod(e, a, n | 1)").unwrap());
        let [a, e, moduli] = operands(bits, exponent_bits, 70_000);
        let moduli = moduli.to_biguints();
        for modulus in [0, 2, 5, 6] {
            let n = Batch::from_biguints(a.ty(), Layout::InstanceMajor, &moduli[modulus..=modulus]).unwrap();
            let inputs = [("a", &a), ("e", &e), ("n", &n)];
            let expected = Engine::cpu().eval_checked(&expr, &inputs).unwrap();
            assert_eq!(expected.failures.len(), if modulus == 0 { a.instances() } else { 0 });
            assert_eq!(gpu.eval_checked(&expr, &inputs).unwrap(), expected, "{bits} bits, modulus {modulus}");
        }
        assert!(gpu.fallback().is_none());
    }
}

/// Exponents that are too short for it.
#[needs(gpu, nvrtc)]
#[test]
fn short_exponents_of_large_batches() {
    check("powmod(a, e, n)", 2048, 17, 20_000);
    check("powmod(a, 65537, n) ^ e", 2048, 300, 20_000);
}
