//! Residues: powers by a table, moduli of each instance or one for all, moduli that are none.

use limbforge_limb::{Batch, Layout};
use num_bigint::BigUint;

use super::{COUNTS, run, ty, words};
use crate::cpu::Why;
use crate::program::sketch::Sketch;
use crate::program::{Kind, ResidueOp, Rounds, Ty, TypedProgram};

/// `b^e mod n` by windows of 2 bits, the inverse's power to e, and the Jacobi symbol of b.
fn modexp(bits: u64) -> TypedProgram {
    let (mut p, wide) = (Sketch::new(), ty(bits));
    let [b, e, n] = [(); 3].map(|()| p.input(wide, None));
    let modulus = p.modulus(n);
    let residue = Ty::residue(modulus);
    let of = |p: &mut Sketch, value| p.node(Kind::Residue(ResidueOp::Of), &[value], residue);
    let one = p.constant(1, Ty::int(wide));
    let base = of(&mut p, b);
    let one = of(&mut p, one);
    let square = p.node(Kind::Residue(ResidueOp::Sqr), &[base], residue);
    let cube = p.node(Kind::Residue(ResidueOp::Mul), &[square, base], residue);
    let array = Ty { length: Some(4), ..residue };
    let powers = p.node(Kind::Array, &[one, base, square, cube], array);
    let [digit, r] = p.begin([Ty::int(ty(2)), residue]);
    let mut power = r;
    for _ in 0..2 {
        power = p.node(Kind::Residue(ResidueOp::Sqr), &[power], residue);
    }
    let factor = p.node(Kind::Index, &[powers, digit], residue);
    let power = p.node(Kind::Residue(ResidueOp::Mul), &[power, factor], residue);
    let body = p.end(&[power]);
    let kind = Kind::For { over: Rounds::Digits(2), after: 0, body };
    let power = p.node(kind, &[e, one], residue);
    let number = p.node(Kind::Residue(ResidueOp::Int), &[power], Ty::int(wide));
    p.output(number);
    let inverses = p.node(Kind::Residue(ResidueOp::Inverse), &[powers], array);
    let [two] = [2].map(|k| p.constant(k, Ty::int(ty(8))));
    let inverse = p.node(Kind::Index, &[inverses, two], residue);
    let inverse = p.node(Kind::Residue(ResidueOp::Power), &[inverse, e], residue);
    let half = p.node(Kind::Residue(ResidueOp::DivPower2(70)), &[inverse], residue);
    let number = p.node(Kind::Residue(ResidueOp::Int), &[half], Ty::int(wide));
    p.output(number);
    p.finish()
}

fn number(limbs: &[u64]) -> BigUint {
    limbs.iter().rev().fold(BigUint::ZERO, |sum, &limb| (sum << 64) + limb)
}

fn check(bits: u64, b: &[BigUint], e: &[BigUint], n: &[BigUint], instances: usize) -> Vec<Why> {
    let program = modexp(bits);
    let inputs = [b, e, n].map(|values| {
        Batch::from_biguints(ty(bits), Layout::InstanceMajor, values)
            .unwrap_or_else(|error| panic!("{error}"))
    });
    let (results, failures) = run(&program, &inputs, instances, 1 + bits / 12);
    let results = results.iter().map(Batch::to_biguints).collect::<Vec<_>>();
    let mut failed = failures.iter();
    let mut reasons = vec![];
    for i in 0..instances {
        let [b, e, n] = [b, e, n].map(|values| &values[i % values.len()]);
        let found = (results[0][i].clone(), results[1][i].clone());
        let why = match () {
            () if n == &BigUint::ZERO => Some(Why::ZeroModulus),
            () if !n.bit(0) => Some(Why::EvenModulus),
            () if b.modinv(n).is_none() && n != &BigUint::from(1_u8) => Some(Why::NoInverse),
            () => None,
        };
        if let Some(why) = why {
            assert_eq!(found, (BigUint::ZERO, BigUint::ZERO));
            assert_eq!(failed.next().map(|failure| (failure.instance, failure.why)), Some((i, why)));
            reasons.push(why);
            continue;
        }
        assert_eq!(found.0, b.modpow(e, n), "{b}^{e} mod {n}");
        let back = (found.1 << 70_u32) * b.modpow(&(e * 2_u8), n) % n;
        assert_eq!(back, BigUint::from(1_u8) % n, "inverse of {b}^{e} mod {n}");
    }
    assert_eq!(failed.next(), None);
    reasons
}

#[test]
fn powers_are_those_of_big_integers() {
    // SplitMix64.
    let mut state = 17_u64;
    let mut random = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    };
    for bits in [1_u64, 2, 63, 64, 65, 131, 512, 1025, 1200] {
        let mut draw = |count: usize| {
            let words: Vec<Vec<u64>> =
                (0..count).map(|_| (0..bits.div_ceil(64)).map(|_| random()).collect()).collect();
            words.iter().map(|words| number(words) % (BigUint::from(1_u8) << bits)).collect::<Vec<_>>()
        };
        let (b, e) = (draw(20), draw(20));
        let e: Vec<BigUint> = e.iter().enumerate().map(|(i, e)| e >> (bits as usize * (i % 7) / 7)).collect();
        let mut n = draw(20);
        n[0] = (BigUint::from(1_u8) << bits) - 1_u8;
        n[1] = BigUint::from(1_u8);
        n[2] = BigUint::ZERO;
        n[5] = ((BigUint::from(1_u8) << (bits - 1)) + 1_u8) % (BigUint::from(1_u8) << bits);
        let reasons = check(bits, &b, &e, &n, 20);
        assert!(reasons.contains(&Why::ZeroModulus));
        check(bits, &b, &e[..1], &n[..1], 20);
        check(bits, &b[..1], &e[..1], &n[..1], 20);
        check(bits, &b, &e, &n[2..3], 20);
    }
}

#[test]
fn any_number_of_instances_runs() {
    let n: Vec<BigUint> = (0..1000_u32).map(|i| BigUint::from(3 * i + 1)).collect();
    let b = vec![BigUint::from(2_u8)];
    let mut reasons = vec![];
    for instances in COUNTS {
        reasons.extend(check(70, &b, &[BigUint::from(77_u8)], &n[..instances], instances));
    }
    assert!(reasons.contains(&Why::EvenModulus));
}

#[test]
fn places_of_failures_are_those_of_the_modulus_or_of_the_operation() {
    let inputs = [&[3, 3][..], &[5], &[8, 9]].map(|values| words(ty(20), values));
    let (_, failures) = run(&modexp(20), &inputs, 2, 1);
    let found: Vec<_> = failures.iter().map(|f| (f.instance, f.why.mark(), f.span.start)).collect();
    assert_eq!(found, [(0, "EVEN", 1000), (1, "NOINVERSE", 12)]);
}
