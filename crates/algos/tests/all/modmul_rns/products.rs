//! Products: their range, their value, and their residues in both bases.

use limbforge_algos::modmul_rns::{Joining, Modulus, Plan, Prime, Residues};
use num_bigint::{BigInt, BigUint};

use super::{power_of_two, random};

/// Each word as large as its class and the proved bounds let it be.
fn largest_words(plan: &Plan, z: &BigInt) -> Residues {
    let class = |prime: Prime, scale: u32, bound: u64| {
        let p = BigInt::from(prime.value);
        let rest: BigInt = ((z * scale) % &p + &p) % &p;
        let rest = u64::try_from(rest).unwrap();
        (rest + (bound - rest) / u64::from(prime.value) * u64::from(prime.value)) as u32
    };
    // The joined sum and alpha times a word, reduced.
    let most = |prime: Prime, row: usize| {
        let alpha = u64::from(plan.bounds.largest_alpha) * u64::from(prime.value - 1);
        ((plan.to_first.largest(row) + alpha) >> 32) + u64::from(prime.value)
    };
    let first = plan.first.iter().enumerate();
    let first = first.map(|(i, c)| class(c.prime, c.scale, most(c.prime, i))).collect();
    let second = plan.second.iter().map(|c| class(c.prime, c.scale, (1 << 31) - 1)).collect();
    Residues { first, second }
}

/// The product is in range, congruent to `a b / P`, and the same number in both bases.
fn check_product(plan: &Plan, modulus: &Modulus<'_>, a: &Residues, b: &Residues) -> Residues {
    let product = modulus.product(a, b);
    let n = BigInt::from(modulus.value().clone());
    let [x, y, z] = [a, b, &product].map(|residues| plan.value(residues));
    assert!(z.magnitude() <= &(modulus.value() * plan.bounds.lambda), "{} bits: {z} for {n}", plan.bits);
    let radix = BigInt::from(plan.bases.first.product.clone());
    assert_eq!((&z * radix - x * y) % n, BigInt::ZERO, "{} bits", plan.bits);
    for (constants, &residue) in plan.first.iter().zip(&product.first) {
        let difference = &z * constants.scale - residue;
        assert_eq!(difference % constants.prime.value, BigInt::ZERO, "{} bits", plan.bits);
    }
    product
}

/// Products of numbers at both ends of the range, with the largest words, and chains of squares.
fn check_modulus(plan: &Plan, n: &BigUint, squares: u32) {
    let modulus = plan.modulus(n).unwrap();
    let end = BigInt::from(n * plan.bounds.lambda);
    let ends = [end.clone(), -end, BigInt::from(n.clone()), BigInt::ZERO];
    let ends = ends.map(|z| largest_words(plan, &z));
    for (a, b) in [(0, 0), (0, 1), (1, 1), (2, 1), (3, 0)] {
        check_product(plan, &modulus, &ends[a], &ends[b]);
    }
    let mut z = modulus.enter(&(power_of_two(plan.bits) - 1_u32)).unwrap();
    for _ in 0..squares {
        z = check_product(plan, &modulus, &z, &z);
    }
}

/// Both forms of a width, for the largest modulus, an even one and a short one.
fn check_width(bits: u32, squares: u32) {
    let each = Plan::each(bits).unwrap();
    assert!(each.residues().is_multiple_of(4) && 31 * each.residues() as u32 > bits);
    let moduli = [power_of_two(bits) - 1_u32, random(bits - 1, 7) * 2_u32, random(bits / 3, 9)];
    for n in moduli.iter().filter(|n| **n != BigUint::ZERO) {
        check_modulus(&each, n, squares);
    }
    let n = &moduli[bits as usize / 32 % 2];
    let one = Plan::one(bits, n).unwrap();
    assert_eq!(one.residues(), each.residues());
    check_modulus(&one, n, squares);
}

#[test]
fn every_multiple_of_32_to_1024() {
    (32..=1024).step_by(32).for_each(|bits| check_width(bits, 3));
}

#[test]
fn every_multiple_of_32_to_2048() {
    (1056..=2048).step_by(32).for_each(|bits| check_width(bits, 1));
}

#[test]
fn odd_widths() {
    for bits in [33, 47, 63, 65, 100, 123, 124, 125, 255, 257, 1000, 1537, 3000] {
        check_width(bits, 2);
    }
}

#[test]
fn wide_widths() {
    [3072, 4096, 8192].into_iter().for_each(|bits| check_width(bits, 1));
}

/// The widest plan, with the one modulus that has the most bits set.
#[test]
fn the_widest_width() {
    let n = power_of_two(16_384) - 1_u32;
    let plan = Plan::one(16_384, &n).unwrap();
    assert_eq!((plan.residues(), plan.bounds.joining), (532, Joining::Separate));
    check_modulus(&plan, &n, 0);
}

/// Words that no number of the range has, all at their bounds: no step leaves its word.
#[test]
fn words_at_their_bounds() {
    for bits in [32, 160, 500, 1024] {
        let n = power_of_two(bits) - 1_u32;
        for plan in [Plan::each(bits).unwrap(), Plan::one(bits, &n).unwrap()] {
            let modulus = plan.modulus(&n).unwrap();
            let first = plan.first.iter().map(|c| c.prime.value + (1 << 18)).collect();
            let largest = Residues { first, second: vec![u32::MAX >> 1; plan.residues()] };
            let product = modulus.product(&largest, &largest);
            assert!(product.second.iter().all(|&x| x >> 31 == 0));
        }
    }
}

/// Numbers go into the system and out of it unchanged.
#[test]
fn numbers_come_back() {
    for bits in [32, 61, 128, 1000, 2048] {
        let plan = Plan::each(bits).unwrap();
        let top = power_of_two(bits);
        for number in [BigUint::ZERO, BigUint::from(1_u32), &top - 1_u32, &top >> 1_u32, random(bits, 5)] {
            assert_eq!(plan.value(&plan.enter(&number).unwrap()), BigInt::from(number));
        }
    }
}

/// The known numbers of residues, and how digit sums are joined.
#[test]
fn residues_of_known_widths() {
    let known = [(512, 20), (1024, 36), (2048, 68), (3072, 100), (4096, 136), (8192, 268)];
    for (bits, residues) in known {
        let plan = Plan::each(bits).unwrap();
        assert_eq!(plan.residues(), residues, "{bits}");
        let joining = match bits {
            8192 => Joining::Separate,
            4096 => Joining::Carried,
            _ => Joining::Halves,
        };
        assert_eq!(plan.bounds.joining, joining, "{bits}: {:?}", plan.bounds);
    }
}
