//! Residues that stay where an engine computes, on every engine of this machine: chains against the values of
//! the host's methods.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use limbforge::ResidueError;
use limbforge::algos::transform::ntt::{Direction, NttError, NttPlan, Wrap};
use limbforge::field::DynField;
use limbforge::prelude::*;
#[cfg(feature = "gpu")]
use limbforge_needs::needs;

/// Of 31 and of 32 bits, of 33 bits, special and general of 64 bits.
const PRIMES: [u64; 5] =
    [2_013_265_921, 3_221_225_473, 4_295_688_193, 18_446_744_069_414_584_321, 18_446_742_974_197_923_841];

fn field(p: u64) -> DynField {
    DynField::new(p).unwrap()
}

/// The ends of the field first, then values that look random.
fn values(p: u64, count: usize, seed: u64) -> Vec<u64> {
    let mut state = seed;
    let next = |i| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if i < 8 { [p - 1, 0, 1, p / 2][i % 4] } else { state.rotate_left(23) % p }
    };
    (0..count).map(next).collect()
}

/// (x y + z) in the field of transforms and back: products modulo x^n - 1 or x^n + 1.
fn chain(engine: &Engine, p: u64, points: usize, count: usize, wrap: Wrap) {
    let (field, plan) = (field(p), NttPlan::new(points, wrap).unwrap());
    if field.root_of_unity(points as u64 * if wrap == Wrap::Negacyclic { 2 } else { 1 }).is_none() {
        return;
    }
    let host = [values(p, points * count, 1), values(p, points, 2), values(p, points * count, 3)];
    let [x, y, z] = host.each_ref().map(|values| {
        let values = engine.upload_residues(&field, values).unwrap();
        engine.transform_residues(&plan, Direction::Forward, &values).unwrap()
    });
    // One y for all.
    let product = engine.mul_residues(&x, &y).unwrap();
    let sum = engine.add_residues(&product, &z).unwrap();
    let found = engine.transform_residues(&plan, Direction::Inverse, &sum).unwrap();
    let back = engine.transform_residues(&plan, Direction::Inverse, &x).unwrap();
    assert_eq!(back.download::<u64>().unwrap(), host[0]);

    let cpu = Engine::cpu();
    let [x, y, z] = host.map(|mut values| {
        cpu.transform(&field, &plan, Direction::Forward, &mut values).unwrap();
        values
    });
    let element = |value: u64| field.element(value);
    let point = |i: usize| {
        let product = field.mul(element(x[i]), element(y[i % points]));
        field.value(field.add(product, element(z[i])))
    };
    let mut expected: Vec<u64> = (0..x.len()).map(point).collect();
    cpu.transform(&field, &plan, Direction::Inverse, &mut expected).unwrap();
    assert!(found.download::<u64>().unwrap() == expected, "{p} {points} {wrap:?} {}", engine.device_name());
    if p >> 32 == 0 {
        let narrow: Vec<u64> = found.download::<u32>().unwrap().into_iter().map(u64::from).collect();
        assert_eq!(narrow, expected);
    }
    assert_eq!((found.count(), found.field().modulus()), (points * count, p));
}

fn products(engine: &Engine, p: u64, [n, m]: [usize; 2], count: usize) {
    let field = field(p);
    let (a, b) = (values(p, n * count, 5), values(p, m * count, 6));
    let upload = |values: &[u64]| engine.upload_residues(&field, values).unwrap();
    let found = engine.poly_mul_residues((&upload(&a), n), (&upload(&b), m)).unwrap();
    let ring = PolyRing::new(field);
    let mut expected = vec![];
    for (a, b) in a.chunks(n).zip(b.chunks(m)) {
        let product = ring.mul(&ring.from_integers(a), &ring.from_integers(b));
        let mut product = ring.to_integers(&product);
        product.resize(n + m - 1, 0);
        expected.extend(product);
    }
    assert!(found.download::<u64>().unwrap() == expected, "{p} {n} x {m} {}", engine.device_name());
    // The product is an operand where it lies.
    let square = engine.poly_mul_residues((&found, n + m - 1), (&found, n + m - 1)).unwrap();
    assert_eq!(square.count(), count * (2 * (n + m) - 3));
    let difference = engine.sub_residues(&square, &square).unwrap();
    assert!(difference.download::<u64>().unwrap().iter().all(|&value| value == 0));
}

/// A pair with a common factor, the gcd of 0 and 0, and polynomials that end with zeros.
fn divisors(engine: &Engine, p: u64, [n, m]: [usize; 2]) {
    let (field, ring) = (field(p), PolyRing::new(field(p)));
    let padded = |mut values: Vec<u64>, terms: usize| {
        values.resize(terms, 0);
        values
    };
    let common = ring.from_integers(&values(p, n.min(m).div_ceil(3), 9));
    let multiple = |terms: usize, seed| {
        let cofactor = ring.from_integers(&values(p, terms + 1 - common.len(), seed));
        padded(ring.to_integers(&ring.mul(&cofactor, &common)), terms)
    };
    let a = [multiple(n, 1), vec![0; n], values(p, n, 2), padded(values(p, n.div_ceil(2), 3), n)].concat();
    let b = [multiple(m, 4), vec![0; m], values(p, m, 5), padded(values(p, m.div_ceil(3), 6), m)].concat();
    let upload = |values: &[u64]| engine.upload_residues(&field, values).unwrap();
    let found = engine.poly_gcd_residues((&upload(&a), n), (&upload(&b), m)).unwrap();
    let gcd = |(a, b): (&[u64], &[u64])| {
        let gcd = ring.gcd(&ring.from_integers(a), &ring.from_integers(b));
        padded(ring.to_integers(&gcd), n.max(m))
    };
    let expected: Vec<u64> = a.chunks(n).zip(b.chunks(m)).flat_map(gcd).collect();
    let found: Vec<u64> = found.download().unwrap();
    assert!(found == expected, "gcd {p} {n} {m} {}", engine.device_name());
}

/// a = q b + r.
fn quotients(engine: &Engine, p: u64, [n, m]: [usize; 2], count: usize) {
    let (field, ring) = (field(p), PolyRing::new(field(p)));
    let (a, mut b) = (values(p, n * count, 7), values(p, m * count, 8));
    b.chunks_mut(m).for_each(|b| b[m - 1] = b[m - 1].max(1));
    let upload = |values: &[u64]| engine.upload_residues(&field, values).unwrap();
    let (quotient, remainder) = engine.poly_div_rem_residues((&upload(&a), n), (&upload(&b), m)).unwrap();
    let [quotient, remainder] = [quotient, remainder].map(|found| found.download::<u64>().unwrap());
    assert_eq!((quotient.len(), remainder.len()), (count * (n - m + 1), count * (m - 1)));
    for i in 0..count {
        let row = |values: &[u64], terms: usize| ring.from_integers(&values[i * terms..][..terms]);
        let (q, r) = ring.div_rem(&row(&a, n), &row(&b, m)).unwrap();
        let same = ring.to_integers(&row(&quotient, n - m + 1)) == ring.to_integers(&q)
            && ring.to_integers(&row(&remainder, m - 1)) == ring.to_integers(&r);
        assert!(same, "{p} {n} / {m} {}", engine.device_name());
    }
    let mut zero = b.clone();
    zero[m * count - 1] = 0;
    let error = engine.poly_div_rem_residues((&upload(&a), n), (&upload(&zero), m)).unwrap_err();
    let expected = ResidueError::LeadingCoefficient { pair: count - 1, m };
    assert!(matches!(&error, EngineError::Residues(found) if *found == expected), "{error}");
}

fn all(engine: &Engine) {
    for p in PRIMES {
        for (points, count) in [(16, 5), (48, 3), (1024, 2), (4096, 3)] {
            for wrap in [Wrap::Cyclic, Wrap::Negacyclic] {
                chain(engine, p, points, count, wrap);
            }
        }
        for (terms, count) in [([1, 1], 5), ([20, 7], 4), ([3, 100], 3), ([300, 200], 2)] {
            products(engine, p, terms, count);
            divisors(engine, p, terms);
        }
        for (terms, count) in [([1, 1], 3), ([70, 31], 3), ([40, 40], 2), ([900, 400], 2)] {
            quotients(engine, p, terms, count);
        }
    }
    // No roots of unity but for two points.
    products(engine, 4_294_967_291, [300, 200], 2);
    let none = engine.upload_residues::<u32>(&field(97), &[]).unwrap();
    let plan = NttPlan::new(16, Wrap::Cyclic).unwrap();
    assert_eq!(engine.transform_residues(&plan, Direction::Forward, &none).unwrap().count(), 0);
    assert_eq!(engine.mul_residues(&none, &none).unwrap().download::<u32>().unwrap(), [0; 0]);
}

/// What is refused, by its message.
fn refusals(engine: &Engine) {
    let upload = |p, count| engine.upload_residues(&field(p), &vec![1_u32; count]).unwrap();
    let (a, b) = (upload(97, 32), upload(193, 32));
    let refused = |found: Result<DeviceResidues, EngineError>| match found.unwrap_err() {
        EngineError::Residues(error) => error,
        other => panic!("{other}"),
    };
    let other = ResidueError::OtherField { expected: 97, found: 193 };
    assert_eq!(refused(engine.mul_residues(&a, &b)), other);
    assert_eq!(refused(engine.poly_mul_residues((&a, 4), (&b, 4))), other);
    assert_eq!(refused(engine.add_residues(&a, &upload(97, 5))), ResidueError::Counts { a: 32, b: 5 });
    assert_eq!(refused(engine.sub_residues(&a, &upload(97, 0))), ResidueError::Counts { a: 32, b: 0 });
    for (n, m) in [(5, 4), (0, 4), (8, 4)] {
        let expected = ResidueError::Polynomials { a: 32, a_terms: n, b: 32, b_terms: m };
        assert_eq!(refused(engine.poly_mul_residues((&a, n), (&a, m))), expected);
    }
    match engine.poly_div_rem_residues((&a, 2), (&upload(97, 64), 4)).unwrap_err() {
        EngineError::Residues(error) => assert_eq!(error, ResidueError::ShortDividends { n: 2, m: 4 }),
        other => panic!("{other}"),
    }
    let transform = |points, values: &DeviceResidues| {
        let plan = NttPlan::new(points, Wrap::Negacyclic).unwrap();
        match engine.transform_residues(&plan, Direction::Forward, values).unwrap_err() {
            EngineError::Ntt(error) => error,
            other => panic!("{other}"),
        }
    };
    assert_eq!(transform(32, &a), NttError::NoRoot { order: 64, modulus: 97, adicity: 5 });
    assert_eq!(transform(16, &upload(97, 17)), NttError::Values { points: 16, found: 17 });
    let error = engine.upload_residues(&field(97), &[1_u32, 97]).unwrap_err().to_string();
    assert!(error.contains("97"), "{error}");
    let wide = engine.upload_residues(&field(PRIMES[3]), &[5_u64]).unwrap();
    let error = wide.download::<u32>().unwrap_err().to_string();
    assert!(error.ends_with("in words of 32 bits; expected words of 64 bits"), "{error}");
}

#[test]
fn engines_of_this_machine() {
    for engine in [Engine::cpu(), Engine::auto()] {
        all(&engine);
        refusals(&engine);
    }
}

#[cfg(feature = "gpu")]
#[needs(gpu, nvrtc)]
#[test]
fn residues_on_a_gpu() {
    let engine = Engine::gpu(0).unwrap();
    all(&engine);
    refusals(&engine);
    assert!(engine.fallback().is_none());
    // No kernel has 8 points; an engine that may choose computes them on the CPU, beside the others.
    let (plan, values) = (NttPlan::new(8, Wrap::Cyclic).unwrap(), [1_u32; 8]);
    let transform = |engine: &Engine| {
        let values = engine.upload_residues(&field(97), &values).unwrap();
        engine.transform_residues(&plan, Direction::Forward, &values)
    };
    assert!(matches!(transform(&engine), Err(EngineError::Spec(_))));
    let auto = Engine::auto();
    let found = transform(&auto).unwrap();
    assert_eq!(found.download::<u32>().unwrap(), [8, 0, 0, 0, 0, 0, 0, 0]);
    assert!(found.device_name().starts_with("GPU") && auto.fallback().is_some());
}

#[cfg(feature = "gpu")]
#[needs(gpu, nvrtc)]
#[test]
fn residues_apart_are_refused() {
    let upload = |engine: &Engine| engine.upload_residues(&field(97), &[1_u32; 16]).unwrap();
    let (engine, other, cpu) = (Engine::gpu(0).unwrap(), Engine::gpu(0).unwrap(), Engine::cpu());
    let here = upload(&engine);
    for there in [upload(&other), upload(&cpu)] {
        let error = engine.mul_residues(&here, &there).unwrap_err().to_string();
        assert!(error.starts_with("operand `b` lies on"), "{error}");
    }
    let error = cpu.mul_residues(&here, &here).unwrap_err().to_string();
    assert!(error.contains("operand `a` lies on GPU") && error.contains("expected CPU"), "{error}");
}
