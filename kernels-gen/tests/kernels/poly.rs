//! Kernels of polynomials: emulated against schoolbook code on residues, and compiled.

use std::collections::BTreeMap;

use crate::common::nvrtc;
use crate::harness::Device;
use limbforge_algos::model::machine::Figures;
use limbforge_emulate::Schedule;
use limbforge_field::DynField;
use limbforge_gpu::{Arch, Target};
use limbforge_kernels_gen::poly::{
    PolyDivSpec, PolyGcdSpec, PolyMulSpec, PolyNewtonSpec, PolyNttSpec, PolyOperation, PolyShape,
};
use limbforge_kernels_gen::sort::SortSpec;
use limbforge_kernels_gen::{Limits, Program, SpecError};
use limbforge_needs::needs;
use limbforge_testing::poly::schoolbook;

/// Without a spare bit, with one, tiny, of 33 bits, special and general of 64 bits.
const PRIMES: [u64; 7] =
    [4_294_967_291, 2_013_265_921, 3, 97, 4_295_688_193, 0xffff_ffff_0000_0001, 18_446_744_073_709_551_557];

fn residues(len: usize, p: u64, seed: u64) -> Vec<u64> {
    let mut state = seed.wrapping_add(p);
    let next = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.rotate_right(21) % p
    };
    (0..len).map(next).collect()
}

fn to_words(values: &[u64], p: u64) -> Vec<u32> {
    let words = if p >> 32 == 0 { 1 } else { 2 };
    values.iter().flat_map(|&value| [value as u32, (value >> 32) as u32].into_iter().take(words)).collect()
}

fn from_words(words: &[u32], p: u64) -> Vec<u64> {
    if p >> 32 == 0 {
        return words.iter().copied().map(u64::from).collect();
    }
    words.chunks(2).map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32).collect()
}

/// A program's result, kernels running in different orders of their threads.
fn run(program: &Program, inputs: &[&[u32]], instances: usize) -> Vec<u32> {
    let sizes: Vec<usize> = inputs.iter().map(|input| input.len() / instances).collect();
    assert_eq!(sizes, program.input_words.iter().map(|&words| words as usize).collect::<Vec<_>>());
    let inputs: Vec<Vec<u32>> = inputs.iter().map(|input| input.to_vec()).collect();
    Device::new(program.clone()).unwrap().run(&inputs, &[instances], in_turns(instances)).result
}

fn in_turns(turn: usize) -> Schedule {
    [Schedule::Ascending, Schedule::Descending, Schedule::Random(turn as u64)][turn % 3]
}

/// Instances of n terms: random, all p - 1, 0, and with zeros at the end.
fn polynomials(instances: usize, n: usize, p: u64, seed: u64) -> Vec<u64> {
    (0..instances)
        .flat_map(|i| match i % 4 {
            1 => vec![p - 1; n],
            2 if seed == 2 => vec![0; n],
            3 => [residues(n - n / 3, p, seed), vec![0; n / 3]].concat(),
            _ => residues(n, p, seed + i as u64),
        })
        .collect()
}

fn check_product(p: u64, (n, m, s, threads): (u32, u32, u32, u32), instances: usize) {
    let spec = PolyMulSpec::new(&DynField::new(p).unwrap(), n, m, s, threads).unwrap();
    let (a, b) = (polynomials(instances, n as usize, p, 1), polynomials(instances, m as usize, p, 2));
    let program = spec.program(&Limits::SM_90).unwrap();
    let words = run(&program, &[&to_words(&a, p), &to_words(&b, p)], instances);
    let found = from_words(&words, p);
    assert_eq!(found.len(), instances * spec.terms() as usize);
    for (i, found) in found.chunks(spec.terms() as usize).enumerate() {
        let of = |all: &[u64], len: u32| all[i * len as usize..][..len as usize].to_vec();
        let expected = schoolbook::product(&of(&a, n), &of(&b, m), p);
        assert_eq!(schoolbook::trimmed(found.to_vec()), expected, "instance {i} of {spec}");
    }
}

#[needs(cxx)]
#[test]
fn products() {
    let shapes =
        [(1, 1, 1, 32), (70, 50, 2, 32), (200, 37, 4, 32), (33, 90, 8, 64), (5, 3, 7, 32), (40, 64, 16, 32)];
    for (i, p) in PRIMES.into_iter().enumerate() {
        check_product(p, shapes[i % shapes.len()], 5);
        check_product(p, shapes[(i + 2) % shapes.len()], 4);
    }
}

/// By transforms, of one launch each.
#[needs(cxx)]
#[test]
fn products_by_transforms() {
    let shapes: [(u32, u32, u32); 4] = [(1, 1, 16), (40, 25, 64), (50, 47, 96), (200, 30, 256)];
    for (i, p) in [2_013_265_921, 3_221_225_473, 0xffff_ffff_0000_0001, 4_179_340_454_199_820_289]
        .into_iter()
        .enumerate()
    {
        let (n, m, points) = shapes[i];
        let field = DynField::new(p).unwrap();
        let spec = PolyNttSpec::new(&field, n, m).unwrap();
        let points = if (p - 1) % 3 == 0 { points } else { points.next_power_of_two() };
        assert_eq!((spec.points(), spec.terms()), (points, n + m - 1));
        let (a, b) = (polynomials(4, n as usize, p, 1), polynomials(4, m as usize, p, 2));
        let program = spec.program(&Limits::SM_90).unwrap();
        let words = run(&program, &[&to_words(&a, p), &to_words(&b, p)], 4);
        for (i, found) in from_words(&words, p).chunks(spec.terms() as usize).enumerate() {
            let of = |all: &[u64], len: u32| all[i * len as usize..][..len as usize].to_vec();
            let expected = schoolbook::product(&of(&a, n), &of(&b, m), p);
            assert_eq!(schoolbook::trimmed(found.to_vec()), expected, "instance {i} of {spec}");
        }
    }
    let field = DynField::new(97).unwrap();
    assert!(matches!(PolyNttSpec::new(&field, 100, 100), Err(SpecError::Points { .. })));
}

/// Seventeen rows: the last one has no partner in most steps.
#[needs(cxx)]
#[test]
fn products_of_rows_without_partner() {
    check_product(PRIMES[0], (20, 17, 1, 32), 4);
    check_product(PRIMES[6], (9, 33, 2, 32), 4);
}

fn check_division(p: u64, (n, m, s, threads): (u32, u32, u32, u32), instances: usize) {
    let spec = PolyDivSpec::new(&DynField::new(p).unwrap(), n, m, s, threads).unwrap();
    let program = spec.program(&Limits::SM_90).unwrap();
    let (n, m) = (n as usize, m as usize);
    let (a, mut b) = (polynomials(instances, n, p, 1), polynomials(instances, m, p, 2));
    // The third divisor is 0, the others have m terms.
    (0..instances).filter(|i| i % 4 != 2).for_each(|i| b[i * m + m - 1] = 1 + i as u64 % (p - 1));
    let state = run(&program, &[&to_words(&a, p), &to_words(&b, p)], instances);
    for (i, state) in from_words(&state, p).chunks(n + 2).enumerate() {
        let (a, b) = (&a[i * n..][..n], &b[i * m..][..m]);
        assert_eq!((state[0], state[1] == 0), (0, b[m - 1] == 0), "instance {i} of {spec}");
        let Some(expected) = schoolbook::div_rem(a, b, p) else { continue };
        let [remainder, quotient] =
            [&state[2..m + 1], &state[m + 1..]].map(|terms| schoolbook::trimmed(terms.to_vec()));
        assert_eq!((quotient, remainder), expected, "instance {i} of {spec}");
    }
}

#[needs(cxx)]
#[test]
fn quotients() {
    let shapes = [
        (1, 1, 1, 32),
        (90, 40, 8, 32),
        (50, 1, 16, 64),
        (64, 63, 5, 32),
        (99, 20, 64, 96),
        (37, 37, 2, 32),
        (70, 9, 32, 32),
    ];
    for (i, p) in PRIMES.into_iter().enumerate() {
        check_division(p, shapes[i], 5);
        check_division(p, shapes[(i + 4) % shapes.len()], 4);
    }
}

/// By Newton's inverse: without a step and with several, with one more term than the start has, sparse and dense operands, divisors that end
/// with zeros at both ends of the lengths, and a divisor 0.
#[needs(cxx)]
#[test]
fn quotients_by_newton() {
    let primes = [2_013_265_921, 3_221_225_473, 0xffff_ffff_0000_0001, 4_179_340_454_199_820_289];
    let shapes = [(2, 2), (40, 30), (99, 2), (300, 110), (200, 199), (150, 54), (400, 17), (230, 101)];
    for (i, (n, m)) in shapes.into_iter().enumerate() {
        let p = primes[i % primes.len()];
        let spec = PolyNewtonSpec::new(&DynField::new(p).unwrap(), n, m).unwrap();
        let (n, m) = (n as usize, m as usize);
        let (a, mut b) = (polynomials(6, n, p, 1), polynomials(6, m, p, 2));
        (0..6).filter(|i| i % 4 != 2).for_each(|i| b[i * m + m - 1] = 1 + i as u64);
        // x^(m - 1) + 1.
        b[4 * m..5 * m - 1].fill(0);
        b[4 * m] = 1;
        let program = spec.program(&Limits::SM_90).unwrap();
        let state = run(&program, &[&to_words(&a, p), &to_words(&b, p)], 6);
        for (i, state) in from_words(&state, p).chunks(n + 2).enumerate() {
            let (a, b) = (&a[i * n..][..n], &b[i * m..][..m]);
            assert_eq!((state[0], state[1]), (0, b[m - 1]), "instance {i} of {spec}");
            let Some(expected) = schoolbook::div_rem(a, b, p) else { continue };
            let [remainder, quotient] =
                [&state[2..m + 1], &state[m + 1..]].map(|terms| schoolbook::trimmed(terms.to_vec()));
            assert_eq!((quotient, remainder), expected, "instance {i} of {spec}");
        }
    }
    let field = DynField::new(97).unwrap();
    assert!(matches!(PolyNewtonSpec::new(&field, 200, 100), Err(SpecError::Points { .. })));
    let field = DynField::new(2_013_265_921).unwrap();
    let refused = |n, m| matches!(PolyNewtonSpec::new(&field, n, m), Err(SpecError::Mapping { .. }));
    assert!(refused(5, 1) && refused(5, 6) && !refused(5, 5));
}

/// The gcds of instances, by the kernels.
fn kernel_gcds(spec: PolyGcdSpec, a: &[u64], b: &[u64], instances: usize) -> Vec<Vec<u64>> {
    let p = spec.modulus();
    let program = spec.program(&Limits::SM_90).unwrap();
    let words = run(&program, &[&to_words(a, p), &to_words(b, p)], instances);
    let found = from_words(&words, p);
    found.chunks(spec.terms() as usize).map(|found| schoolbook::trimmed(found.to_vec())).collect()
}

fn check_gcd(p: u64, (n, m, s, threads): (u32, u32, u32, u32)) {
    let spec = PolyGcdSpec::new(&DynField::new(p).unwrap(), n, m, s, threads).unwrap();
    let (n, m) = (n as usize, m as usize);
    let padded = |mut a: Vec<u64>, len: usize| {
        assert!(a.len() <= len);
        a.resize(len, 0);
        a
    };
    let short = n.min(m);
    let common = residues(short / 3 + 1, p, 5);
    let factor = |len: usize, seed| residues(len - short / 3, p, seed);
    let sparse = |len: usize| (0..len).map(|i| u64::from(i == 0 || i + 1 == len || i == len / 2)).collect();
    let pairs: Vec<(Vec<u64>, Vec<u64>)> = vec![
        (residues(n, p, 1), residues(m, p, 2)),
        (schoolbook::product(&factor(n, 3), &common, p), schoolbook::product(&factor(m, 4), &common, p)),
        (vec![0; n], vec![0; m]),
        (vec![0; n], padded(residues(m / 2, p, 7), m)),
        (padded(residues(n / 2, p, 8), n), vec![0; m]),
        (vec![p - 1; n], vec![p - 1; m]),
        (sparse(n), sparse(m)),
        (padded(vec![1], n), residues(m, p, 9)),
    ];
    let pairs: Vec<_> = pairs.into_iter().map(|(a, b)| (padded(a, n), padded(b, m))).collect();
    let a: Vec<u64> = pairs.iter().flat_map(|pair| pair.0.clone()).collect();
    let b: Vec<u64> = pairs.iter().flat_map(|pair| pair.1.clone()).collect();
    let found = kernel_gcds(spec, &a, &b, pairs.len());
    for (i, ((a, b), found)) in pairs.iter().zip(found).enumerate() {
        assert_eq!(found, schoolbook::gcd(a, b, p), "pair {i} of {spec}");
    }
}

#[needs(cxx)]
#[test]
fn divisors() {
    let shapes = [
        (1, 1, 1, 32),
        (40, 30, 8, 32),
        (90, 90, 16, 64),
        (23, 50, 5, 32),
        (70, 20, 64, 192),
        (33, 32, 3, 32),
        (12, 9, 1, 32),
    ];
    for (i, p) in PRIMES.into_iter().enumerate() {
        check_gcd(p, shapes[i]);
        check_gcd(p, shapes[(i + 2) % shapes.len()]);
    }
}

/// Several blocks of many threads, and lengths that are no multiples of anything.
#[needs(cxx)]
#[test]
fn usual_sizes() {
    check_product(PRIMES[1], (1100, 301, 4, 128), 2);
    check_division(PRIMES[6], (700, 233, 64, 192), 2);
    check_gcd(PRIMES[1], (400, 301, 64, 192));
}

/// Few tiles and many, digits that do not divide the bits, chunks of counts that are not full, and all keys equal.
#[needs(cxx)]
#[test]
fn sorts() {
    let sorted = |key_bits: u32, (n, s, threads): (u32, u32, u32), below: u64| {
        let spec = SortSpec::new(n, key_bits, s, threads).unwrap();
        // As residues modulo a number of 32 or 64 bits.
        let p = if key_bits == 32 { 1 } else { 1 << 32 };
        let mut keys = residues(3 * n as usize, below, 1);
        keys[0] = below - 1;
        let program = spec.program(&Limits::SM_90).unwrap();
        let found = from_words(&run(&program, &[&to_words(&keys, p)], 3), p);
        for (keys, found) in keys.chunks_mut(n as usize).zip(found.chunks(n as usize)) {
            keys.sort_unstable();
            assert_eq!(found, keys, "{spec}");
        }
    };
    sorted(32, (1000, 8, 32), 1 << 32);
    sorted(32, (1, 4, 32), 1 << 32);
    sorted(32, (777, 5, 64), 1 << 32);
    sorted(32, (300, 12, 32), 1);
    sorted(64, (500, 11, 32), u64::MAX);
    sorted(64, (129, 1, 32), u64::MAX);
    for (n, bits, s, threads) in
        [(0, 32, 8, 32), (1, 31, 8, 32), (1, 32, 13, 32), (1, 64, 8, 100), (1 << 30, 32, 12, 32)]
    {
        assert!(
            matches!(SortSpec::new(n, bits, s, threads), Err(SpecError::Mapping { .. })),
            "{n} {bits} {s}"
        );
    }
    let little = Limits { shared_bytes: 4 * (8192 + 8192) - 1, ..Limits::SM_75 };
    let refused = SortSpec::new(1 << 20, 64, 12, 1024).unwrap().program(&little);
    let expected = SpecError::SharedMemory { needed: 4 * (8192 + 8192), limit: little.shared_bytes };
    assert_eq!(refused, Err(expected));
}

#[test]
fn what_is_not_there_is_refused() {
    let field = DynField::new(97).unwrap();
    let mul = |n, m, s, threads| PolyMulSpec::new(&field, n, m, s, threads);
    let gcd = |n, m, s, threads| PolyGcdSpec::new(&field, n, m, s, threads);
    for (n, m, s, threads, what, found) in [
        (0, 1, 1, 32, "terms of a", 0),
        (1, (1 << 26) + 1, 1, 32, "terms of b", (1 << 26) + 1),
        (1, 1, 0, 32, "s", 0),
        (1, 1, 1 << 14, 32, "s", 1 << 14),
        (1, 1, 1, 2048, "threads", 2048),
        (1, 1, 1, 48, "threads mod 32", 16),
    ] {
        let wrong =
            |error| matches!(error, SpecError::Mapping { what: w, found: f, .. } if (w, f) == (what, found));
        assert!(mul(n, m, s, threads).is_err_and(wrong), "{what}");
        assert!(gcd(n, m, s, threads).is_err_and(wrong), "{what}");
    }
    let div = |n, m, s, threads| PolyDivSpec::new(&field, n, m, s, threads);
    assert!(matches!(div(4, 5, 1, 32), Err(SpecError::Mapping { what: "terms of a", found: 4, .. })));
    assert!(div(5, 5, 0, 32).is_err() && div(5, 5, 1, 33).is_err() && div(5, 0, 1, 32).is_err());
    let steps = div(100, 100, 8192, 1024).unwrap().program(&Limits::SM_75);
    assert_eq!(steps, Err(SpecError::SharedMemory { needed: 4 * (6 * 8192 - 1), limit: 64 << 10 }));
    let long = mul(1 << 26, 1 << 26, 1, 32).unwrap().program(&Limits::SM_90);
    assert!(matches!(long, Err(SpecError::Mapping { what: "blocks of an instance", .. })));
    let wide = mul(100, 100, 64, 1024).unwrap();
    let refused = SpecError::SharedMemory { needed: 4 * (64 * 1024 + 127), limit: 227 << 10 };
    assert_eq!(wide.program(&Limits::SM_90), Err(refused));
    let steps = gcd(100, 100, 8192, 1024).unwrap().program(&Limits::SM_75);
    assert_eq!(steps, Err(SpecError::SharedMemory { needed: 24 * 8192, limit: 64 << 10 }));
}

/// Pairs of any lengths, padded to shapes and computed by the programs that the model chooses.
fn check_batch(p: u64, operation: PolyOperation, lengths: &[(usize, usize)]) {
    let field = DynField::new(p).unwrap();
    let polynomial = |len: usize, seed| {
        let mut a = residues(len, p, seed);
        if let Some(last) = a.last_mut() {
            *last = p - 1;
        }
        a
    };
    let common = polynomial(3, 77);
    let mut shapes: BTreeMap<PolyShape, Vec<[Vec<u64>; 2]>> = BTreeMap::new();
    for (i, &(n, m)) in lengths.iter().enumerate() {
        let mut pair = [polynomial(n, i as u64), polynomial(m, 100 + i as u64)];
        if i % 2 == 0 && operation == PolyOperation::Gcd {
            pair = pair.map(|a| schoolbook::product(&a, &common, p));
        }
        let shape = PolyShape::of(operation, pair[0].len(), pair[1].len()).unwrap();
        shapes.entry(shape.unwrap()).or_default().push(pair);
    }
    for (shape, pairs) in shapes {
        let program = shape.program(&field, Figures::H200, &Limits::SM_90).unwrap();
        let mut operands = [vec![], vec![]];
        pairs.iter().for_each(|[a, b]| shape.pack(&field, [a, b], &mut operands));
        let words = run(&program, &[&operands[0], &operands[1]], pairs.len());
        for ([a, b], words) in pairs.iter().zip(words.chunks(program.result_words as usize)) {
            let found = shape.unpack(&field, b.len(), words);
            let expected = match operation {
                PolyOperation::Mul => [schoolbook::product(a, b, p), vec![]],
                PolyOperation::Gcd => [schoolbook::gcd(a, b, p), vec![]],
                PolyOperation::DivRem => schoolbook::div_rem(a, b, p).unwrap().into(),
            };
            assert_eq!(found, expected, "{shape:?}, {} and {} terms modulo {p}", a.len(), b.len());
        }
    }
}

#[needs(cxx)]
#[test]
fn batches_of_any_lengths() {
    for (i, p) in [2_013_265_921, 18_446_744_073_709_551_557, 3].into_iter().enumerate() {
        check_batch(p, PolyOperation::Mul, &[(1, 1), (70, 67 - 20 * i), (20, 90), (3, 19)]);
        check_batch(p, PolyOperation::DivRem, &[(1, 1), (50, 17), (33, 33), (60, 1), (18, 17)]);
        check_batch(p, PolyOperation::Gcd, &[(1, 1), (20, 45), (30, 17), (2, 40)]);
    }
}

/// Instances in chunks of a few have the results of all at once, with as many kernels as are different.
fn check_chunks(program: &Program, inputs: &[Vec<u32>], instances: usize) {
    let device = Device::new(program.clone()).unwrap();
    let whole = device.run(inputs, &[instances], Schedule::Ascending).result;
    assert_eq!(whole.len(), instances * program.result_words as usize);
    for chunk in [1, 2, 4] {
        let chunks: Vec<usize> =
            (0..instances).step_by(chunk).map(|first| chunk.min(instances - first)).collect();
        let found = device.run(inputs, &chunks, in_turns(chunk)).result;
        assert_eq!(found, whole, "{chunk} of {instances}");
    }
    assert!(program.chunk.is_multiple_of(4) && program.chunk >= 4);
    let mut launched: Vec<usize> = program.launches.iter().map(|launch| launch.kernel).collect();
    launched.sort_unstable();
    launched.dedup();
    assert_eq!(launched, (0..program.kernels.len()).collect::<Vec<_>>());
}

#[needs(cxx)]
#[test]
fn chunks_have_the_results_of_all_instances() {
    let (p, instances) = (2_013_265_921, 7);
    let field = DynField::new(p).unwrap();
    // Odd numbers of words, so that instances do not begin at multiples of 16 bytes.
    let programs = [
        PolyMulSpec::new(&field, 37, 21, 4, 32).unwrap().program(&Limits::SM_90),
        PolyNttSpec::new(&field, 37, 21).unwrap().program(&Limits::SM_90),
        PolyDivSpec::new(&field, 37, 21, 4, 32).unwrap().program(&Limits::SM_90),
        PolyNewtonSpec::new(&field, 37, 21).unwrap().program(&Limits::SM_90),
        PolyGcdSpec::new(&field, 37, 21, 4, 32).unwrap().program(&Limits::SM_90),
    ];
    for program in programs {
        let operand = |len, seed| to_words(&residues(len * instances, p, seed), p);
        check_chunks(&program.unwrap(), &[operand(37, 1), operand(21, 2)], instances);
    }
    let sort = SortSpec::new(131, 32, 8, 32).unwrap().program(&Limits::SM_90).unwrap();
    check_chunks(&sort, &[to_words(&residues(131 * instances, 1 << 32, 3), 1 << 31)], instances);
}

/// A transform of several instances at once is launched as so many repeats, and long polynomials fill the largest grid sooner than
/// the memory.
#[test]
fn repeats_and_grids() {
    let field = DynField::new(2_013_265_921).unwrap();
    let product = PolyNttSpec::new(&field, 40_000, 30_000).unwrap().program(&Limits::SM_90).unwrap();
    let repeats: Vec<u32> = product.launches.iter().map(|launch| launch.repeats).collect();
    assert_eq!(repeats, [1, 2, 2, 1, 1, 1, 1]);
    assert_eq!((product.kernels.len(), product.tables.len()), (7, 4));
    let naive = PolyMulSpec::new(&field, 1 << 20, 1, 1, 32).unwrap().program(&Limits::SM_90).unwrap();
    assert_eq!((naive.launches.len(), naive.chunk), (1, (1 << 31) / (1 << 15) - 4));
}

/// Equal specifications render equal text, and every kernel compiles without a warning.
fn check_kernels(p: u64, arch: &str) {
    let nvrtc = nvrtc();
    let arch: Arch = arch.parse().unwrap();
    let field = DynField::new(p).unwrap();
    let limits = &Limits::SM_75;
    let mut kernels = vec![];
    let mut add = |program: Result<Program, SpecError>, most: usize| {
        kernels.extend(program.unwrap().render(limits).unwrap().into_iter().take(most));
    };
    if let Ok(spec) = PolyNttSpec::new(&field, 8000, 8000) {
        add(spec.program(limits), usize::MAX);
    }
    if let Ok(spec) = PolyNewtonSpec::new(&field, 8000, 3000) {
        add(spec.program(limits), usize::MAX);
    }
    for s in [1, 2, 4, 8, 16] {
        let spec = PolyMulSpec::new(&field, 8000, 8000, s, 256).unwrap();
        assert_eq!(spec.program(limits), spec.program(limits));
        add(spec.program(limits), 2);
    }
    add(PolyGcdSpec::new(&field, 10_000, 9000, 256, 768).unwrap().program(limits), 3);
    let key_bits = if p >> 32 == 0 { 32 } else { 64 };
    add(SortSpec::new(1 << 27, key_bits, 8, 256).unwrap().program(limits), 4);
    add(PolyDivSpec::new(&field, 10_000, 5000, 256, 512).unwrap().program(limits), 2);
    for kernel in kernels {
        let source = &kernel.source;
        let compiled = nvrtc
            .compile(source, Target::Cubin(arch), &[])
            .unwrap_or_else(|error| panic!("{error}\n{source}"));
        assert!(compiled.log.trim().is_empty(), "{}\n{source}", compiled.log);
    }
}

macro_rules! kernels_compile {
    ($($name:ident: modulo $p:literal for $arch:literal;)*) => {$(
        #[needs(nvrtc)]
        #[test]
        fn $name() {
            check_kernels($p, $arch);
        }
    )*};
}

kernels_compile! {
    kernels_of_31_bits_compile_for_sm_75: modulo 2_013_265_921 for "sm_75";
    kernels_of_31_bits_compile_for_sm_90: modulo 2_013_265_921 for "sm_90";
    kernels_of_31_bits_compile_for_sm_100: modulo 2_013_265_921 for "sm_100";
    kernels_of_64_bits_compile_for_sm_75: modulo 18_446_744_073_709_551_557 for "sm_75";
    kernels_of_64_bits_compile_for_sm_90: modulo 18_446_744_073_709_551_557 for "sm_90";
    kernels_of_64_bits_compile_for_sm_100: modulo 18_446_744_073_709_551_557 for "sm_100";
}

/// nvrtc 13.0 did not end on a power of a constant modulo 3.
#[needs(nvrtc)]
#[test]
fn kernels_of_small_primes_compile() {
    let nvrtc = std::sync::Arc::new(nvrtc());
    for p in [3, 5, 7, 17, 257, 65_537] {
        let field = DynField::new(p).unwrap();
        let programs = [
            PolyDivSpec::new(&field, 70, 31, 4, 32).unwrap().program(&Limits::SM_75),
            PolyGcdSpec::new(&field, 70, 31, 4, 32).unwrap().program(&Limits::SM_75),
            PolyMulSpec::new(&field, 70, 31, 4, 32).unwrap().program(&Limits::SM_75),
        ];
        let rendered = programs.into_iter().map(|program| program.unwrap().render(&Limits::SM_75).unwrap());
        for kernel in rendered.flatten() {
            let (send, receive) = std::sync::mpsc::channel();
            let (nvrtc, source) = (nvrtc.clone(), kernel.source.clone());
            let target = Target::Cubin("sm_90".parse::<Arch>().unwrap());
            // A compiler that does not end cannot be stopped, but the test can.
            std::thread::spawn(move || {
                send.send(nvrtc.compile(&source, target, &[]).map(|compiled| compiled.log))
            });
            let compiled = receive.recv_timeout(std::time::Duration::from_secs(60));
            let log = compiled.unwrap_or_else(|error| panic!("p = {p}: {error}\n{}", kernel.source)).unwrap();
            assert!(log.trim().is_empty(), "{log}");
        }
    }
}
