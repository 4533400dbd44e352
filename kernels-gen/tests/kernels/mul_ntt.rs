//! Kernels of transforms, emulated: the residues of their digit sums against num-bigint.

#![allow(clippy::expect_used, reason = "helpers of tests fail as tests do")]

use limbforge_emulate::Schedule;
use limbforge_kernels_gen::ntt::{
    Destination, Factor, MulNttSpec, NttInput, NttStep, Pointwise, ProductForm, ProductPlan, product_tables,
    render_mul_ntt,
};
use limbforge_kernels_gen::{InputSpec, LimbKind, Limits, Target};
use limbforge_limb::Layout;
use limbforge_needs::needs;
use limbforge_reference::sample::sample;
use num_bigint::BigUint;

use crate::harness::built;

fn integers(name: &str) -> NttInput {
    NttInput::Integers(InputSpec::integers(name, Layout::InstanceMajor, false))
}

fn product(right: Factor) -> Pointwise {
    Pointwise { left: 0, right, addends: vec![], to: Destination::Residues }
}

/// Digit sums of x * y, the first `count`, modulo p, times the inverse of the other primes' product. Cyclic
/// ones have those from `count` on added.
fn expected(x: &[u32], y: &[u32], count: usize, cyclic: bool, primes: &[u32], p: u32) -> Vec<u32> {
    let digits = |words: &[u32]| -> Vec<BigUint> { words.chunks(2).map(BigUint::from_slice).collect() };
    let (x, y, p) = (digits(x), digits(y), BigUint::from(p));
    let others: BigUint = primes.iter().map(|&q| BigUint::from(q)).filter(|q| *q != p).product();
    let inverse = others.modinv(&p).expect("primes");
    (0..count)
        .map(|k| {
            let of = |k: usize| (0..x.len()).filter_map(move |i| Some((i, k.checked_sub(i)?)));
            let wrapped = of(k + count).filter(|_| cyclic);
            let terms = of(k).chain(wrapped).filter(|&(_, j)| j < y.len());
            let sum: BigUint = terms.map(|(i, j)| &x[i] * &y[j]).sum();
            (sum * &inverse % &p).iter_u32_digits().next().unwrap_or(0)
        })
        .collect()
}

fn operand(instances: usize, words: usize, seed: u64) -> Vec<u32> {
    let mut state = seed;
    (0..instances * words)
        .map(|i| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            if i < words { u32::MAX } else { (state >> 32) as u32 }
        })
        .collect()
}

#[needs(cxx)]
#[test]
fn residues_of_low_products() {
    check_residues(ProductForm::Low, &[16, 128, 300, 1200]);
}

#[needs(cxx)]
#[test]
fn residues_of_wide_products() {
    check_residues(ProductForm::Wide, &[33, 64, 600, 1024]);
}

#[needs(cxx)]
#[test]
fn residues_of_cyclic_products() {
    check_residues(ProductForm::Cyclic, &[32, 300, 512, 4096]);
}

fn check_residues(form: ProductForm, of_words: &[u32]) {
    for words in sample(&format!("{form:?}"), of_words.iter().copied(), 2) {
        let plan = ProductPlan::new(words, form, 1).unwrap();
        let spec = MulNttSpec {
            words,
            limb: LimbKind::of::<u32>(),
            inputs: vec![integers("a"), integers("b")],
            steps: vec![NttStep { operands: vec![0, 1], results: vec![product(Factor::Operand(1))] }],
            plan: plan.clone(),
            unless: None,
            target: Target::Emulator,
        };
        let kernel = render_mul_ntt(&spec, &Limits::SM_90).unwrap();
        let emulated = built(&kernel);
        let instances = 3;
        let (a, b) = (operand(instances, words as usize, 1), operand(instances, words as usize, 2));
        let out = instances * spec.out_words() as usize;
        let tables = product_tables(&plan);
        let residues = emulated
            .run_limbs::<u32>(&[&a, &b, &tables], out, instances as u64, Schedule::Ascending)
            .unwrap();
        let count = plan.out_digits as usize;
        let rows = a.chunks(words as usize).zip(b.chunks(words as usize));
        for (i, (x, y)) in rows.enumerate() {
            for (j, &p) in plan.primes.primes().iter().enumerate() {
                let first = (j * instances + i) * count.next_multiple_of(4);
                let want = expected(x, y, count, plan.cyclic, plan.primes.primes(), p);
                assert_eq!(residues[first..first + count], want, "{words} words, instance {i}, prime {p}");
            }
        }
    }
}
