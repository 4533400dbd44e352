//! Quotients of one word: the last kernel tells them from the upper words, and kernels before it leave them
//! out.

use limbforge_algos::cpu;
use limbforge_emulate::Schedule;
use limbforge_kernels_gen::newton::DivNewton;
use limbforge_limb::{IntType, Layout};
use limbforge_needs::needs;
use num_bigint::BigUint;

use super::short::written_between;
use super::structured::check_quotients;
use super::{CYCLIC, SHORT_SEED, TRANSFORMS, batch, check_pair, program, subject};
use crate::common;
use crate::harness::{Device, Left};

/// Quotients around the longest one that is told from the upper words, and such as have an inverse.
const QUOTIENTS: [u64; 11] = [
    0,
    1,
    2,
    3,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xffff_fffe,
    0xffff_ffff,
    0x1_0000_0000,
    0x1_0000_0001,
];

/// Divisors of so many bits: powers of two, ones, and such whose two upper words say least about the others.
fn divisors(bits: u64) -> Vec<BigUint> {
    let one = BigUint::from(1_u32);
    let power = &one << (bits - 1);
    let ones = (&one << bits) - 1_u32;
    let below = &ones >> 64_u32;
    vec![
        power.clone(),
        &power + 1_u32,
        &power + &below,
        &ones - &below,
        &ones - &below - 1_u32,
        &ones - (&one << (bits - 64)),
        &ones / 3_u32,
        ones,
    ]
}

/// Dividends of up to so many bits around multiples of divisors of all lengths from three words on.
fn pairs(bits: u64) -> Vec<(BigUint, BigUint)> {
    let half = bits / 2;
    let lengths =
        [65, 66, 96, 97, half - 31, half, half + 1, half + 32, bits - 33, bits - 31, bits - 1, bits];
    let of = |(v, q): (BigUint, u64)| {
        let multiple = &v * q;
        let below = (multiple > BigUint::ZERO).then(|| &multiple - 1_u32);
        let dividends = [multiple.clone(), &multiple + (&v >> 1), multiple + (&v - 1_u32)];
        dividends.into_iter().chain(below).map(move |u| (u, v.clone()))
    };
    let divisors = lengths.into_iter().flat_map(divisors);
    let with_quotients = divisors.flat_map(|v| QUOTIENTS.map(|q| (v.clone(), q)));
    with_quotients.flat_map(of).filter(|(u, _)| u.bits() <= bits).collect()
}

/// Every `step`-th of the pairs.
fn check_some(bits: u64, newton: DivNewton, step: usize) {
    let some: Vec<_> = pairs(bits).into_iter().step_by(step).collect();
    check_quotients(bits, newton, &some);
}

#[needs(cxx)]
#[test]
fn multiples_and_their_neighbours() {
    check_some(300, SHORT_SEED, 1);
}

#[needs(cxx)]
#[test]
fn multiples_of_whole_words() {
    check_some(512, SHORT_SEED, 3);
}

#[needs(cxx)]
#[test]
fn multiples_of_1000_bits() {
    check_some(1000, SHORT_SEED, 5);
}

#[needs(cxx)]
#[test]
fn cyclic_products() {
    check_some(2048, CYCLIC, 19);
}

#[needs(cxx)]
#[test]
fn wide_operands() {
    check_some(40_000, DivNewton { seed_words: 66, ..SHORT_SEED }, 61);
}

/// By a divisor for all, dividends of all lengths: some quotients have one word, some a block, some two.
#[needs(cxx)]
#[test]
fn a_divisor_for_all() {
    let ty = IntType::signed(1024).unwrap();
    let text = "div_euclid(a, b) ^ rem_euclid(a, b)";
    let dag = common::dag(text);
    let (_, program) = program::<u32>(text, ty, Layout::InstanceMajor, true, SHORT_SEED);
    let device = Device::new(program).unwrap();
    let instances = 40;
    for kept in [2, 3, 15, 16, 17, 31, 32] {
        let [mut a, mut b] = [instances, 1].map(|n| batch::<u32>(ty, Layout::InstanceMajor, n, kept));
        let mut limbs = b.instance(0);
        limbs[kept..].fill(0);
        limbs[kept - 1] = limbs[kept - 1] >> 3 | 1;
        b.set_instance(0, &limbs);
        for i in (0..instances).filter(|i| i % 4 != 0) {
            let mut limbs = a.instance(i);
            limbs[(kept + i % 3).min(32)..].fill(if i % 2 == 0 { 0 } else { u32::MAX });
            a.set_instance(i, &limbs);
        }
        let expected = cpu::eval(&dag, &[("a", &a), ("b", &b)]).unwrap();
        let inputs = [a.limbs().to_vec(), b.limbs().to_vec()];
        let Left { result, marked, .. } = device.run(&inputs, &[17, 17, 6], Schedule::Random(3));
        assert!(marked.is_empty(), "{marked:?}");
        assert_eq!(result, expected.limbs(), "a divisor of {kept} words");
    }
}

/// In blocks of several instances, beside quotients of one and two blocks.
#[needs(cxx)]
#[test]
fn mixed_batches() {
    let ty = IntType::unsigned(2048).unwrap();
    let shorts: [fn(usize) -> bool; 3] = [|i| i % 5 != 2, |i| i < 37, |i| i == 11];
    for (newton, is_short) in [SHORT_SEED, TRANSFORMS, CYCLIC].into_iter().zip(shorts) {
        let [mut a, mut b] = [0, 7].map(|seed| batch::<u32>(ty, Layout::InstanceMajor, 40, seed));
        for i in 0..40 {
            let (mut u, mut v) = (a.instance(i), b.instance(i));
            let kept = if i % 2 == 0 { 64 } else { 20 };
            v[kept..].fill(0);
            v[kept - 1] |= 1 << (i % 32);
            if is_short(i) {
                u[kept..].fill(0);
            }
            a.set_instance(i, &u);
            b.set_instance(i, &v);
        }
        check_pair(&subject("(a / b) ^ (a % b)", ty, newton), &a, &b);
    }
}

/// Where all quotients of a batch have one word, only the first and the last kernel write.
#[needs(cxx)]
#[test]
fn nothing_is_computed_between() {
    let ty = IntType::unsigned(2048).unwrap();
    let m = ty.limbs::<u32>();
    let ones = vec![u32::MAX; 40 * m];
    let mut halves = ones.clone();
    for (i, limbs) in halves.chunks_exact_mut(m).enumerate() {
        limbs[m - 1] = 1 << (i % 32);
    }
    assert!(written_between(&[ones, halves], 40).is_empty());
}
