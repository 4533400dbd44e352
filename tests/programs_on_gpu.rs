//! Programs on a GPU: the CPU's results and failures, whole, in slices, in chunks, and handed over.
#![cfg(feature = "gpu")]
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::time::Duration;

use limbforge::algos::program::ProgramFailure;
use limbforge::gpu::GpuError;
use limbforge::prelude::*;
use limbforge_kernels_gen::SpecError;
use limbforge_limb::num_bigint::BigInt;
use limbforge_needs::needs;
use limbforge_reference::samples::SAMPLES;
use limbforge_testing::program::seeded;

type Named = Vec<(&'static str, Batch<u64>)>;

/// Random programs that are run, with operands for several blocks.
const RANDOM: u32 = 30;

/// The result batches as integers, the failures, and the lists: instances of rows, and columns.
type Found = (Vec<Vec<BigInt>>, Vec<ProgramFailure>, Vec<(Vec<u64>, Vec<Vec<BigInt>>)>);

fn batch(ty: &str, values: impl IntoIterator<Item = BigInt>) -> Batch<u64> {
    let values: Vec<BigInt> = values.into_iter().collect();
    Batch::from_bigints(ty.parse().unwrap(), Layout::InstanceMajor, &values).unwrap()
}

fn big(values: impl IntoIterator<Item = u64>) -> Vec<BigInt> {
    values.into_iter().map(BigInt::from).collect()
}

/// lcm(1, ..., n).
fn lcm(n: u64) -> BigInt {
    (2..=n).fold(BigInt::from(1), |lcm, i| {
        let gcd = (1..=i).rev().find(|d| i % d == 0 && &lcm % d == BigInt::from(0)).unwrap();
        lcm * (i / gcd)
    })
}

/// The samples of `examples/programs`, over more instances than a block has.
fn samples() -> Vec<(&'static str, Named)> {
    let power = |base: u32, e: u32| BigInt::from(base).pow(e);
    let spread = |count: u32| (0..count).map(move |i| power(7, 3 * (i % 40)) + i);
    let odd = |bits: u32, count: u32| (0..count).map(move |i| (BigInt::from(1) << bits) - 1 - 2 * i);
    let (n, s, sigma) = (odd(349, 1), [lcm(587)], big(279..779));
    vec![
        ("ecm", vec![("N", batch("u384", n)), ("s", batch("u900", s)), ("sigma", batch("u32", sigma))]),
        (
            "vdf",
            vec![
                ("N", batch("u512", odd(512, 1))),
                ("x", batch("u512", spread(300))),
                ("t", batch("u64", big((0..300).map(|i| i % 150)))),
            ],
        ),
        // As many rounds for all.
        (
            "vdf",
            vec![
                ("N", batch("u640", odd(640, 300))),
                ("x", batch("u640", spread(300))),
                ("t", batch("u64", big([2000]))),
            ],
        ),
        (
            "modexp",
            vec![
                ("b", batch("u1024", spread(300))),
                ("e", batch("u1024", (0..300).map(|i| power(5, i)))),
                ("n", batch("u1024", odd(1000, 300))),
            ],
        ),
        ("rho", vec![("N", batch("u128", odd(40, 200))), ("c", batch("u32", big([1])))]),
        ("isqrt", vec![("a", batch("u720", spread(300)))]),
        ("prp", vec![("n", batch("u256", odd(127, 300)))]),
        ("cfrac", vec![("D", batch("i192", big(2..302)))]),
        (
            "pm1",
            vec![
                ("N", batch("u256", odd(80, 200))),
                ("s", batch("u200", [lcm(100)])),
                ("first", batch("u64", big([101]))),
                ("gaps", batch("u32", big((0..1000).map(|i| i * 7 % 100)))),
            ],
        ),
    ]
}

fn sample(name: &str) -> Program {
    let sample = SAMPLES.iter().find(|sample| sample.name == name).unwrap();
    Program::parse(sample.text).unwrap()
}

fn named(inputs: &Named) -> Vec<(&str, &Batch<u64>)> {
    inputs.iter().map(|(name, batch)| (*name, batch)).collect()
}

fn found(run: &limbforge::ProgramRun<u64>) -> Found {
    let rows = |list: &limbforge::ProgramList<u64>| {
        (list.instances().to_vec(), list.columns().iter().map(Batch::to_bigints).collect())
    };
    let results = run.results().map(|(_, batch)| batch.to_bigints());
    let lists = run.lists().map(|(_, list)| rows(list));
    (results.collect(), run.failures().to_vec(), lists.collect())
}

fn whole(engine: &Engine, program: &Program, inputs: &Named) -> Found {
    found(&engine.run(program, &named(inputs)).unwrap())
}

/// Slices as short as can be on the first engine; after a few of them the second one goes on.
fn handed_over(from: &Engine, to: &Engine, program: &Program, inputs: &Named, slices: usize) -> Found {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    let mut session = from.start(program, &named(inputs)).unwrap();
    for _ in 0..slices {
        session.advance(Duration::ZERO).unwrap();
    }
    session.checkpoint(&path).unwrap();
    drop(session);
    let mut session = to.resume::<u64>(&path).unwrap();
    session.advance(Duration::ZERO).unwrap();
    session.checkpoint(&path).unwrap();
    found(&session.finish().unwrap())
}

fn check(what: &str, program: &Program, inputs: &Named) {
    let (gpu, cpu) = (Engine::gpu(0).unwrap(), Engine::cpu());
    let expected = whole(&cpu, program, inputs);
    let compare = |found: Found, how: &str| {
        assert_eq!(found.1, expected.1, "failures of {what} {how}");
        assert!(found.0 == expected.0, "results of {what} {how}");
        assert!(found.2 == expected.2, "lists of {what} {how}");
    };
    compare(whole(&gpu, program, inputs), "on the GPU");
    for slices in [0, 1, 3, 1000] {
        compare(handed_over(&gpu, &gpu, program, inputs, slices), &format!("after {slices} slices"));
    }
    compare(handed_over(&gpu, &cpu, program, inputs, 2), "from the GPU to the CPU");
    compare(handed_over(&cpu, &gpu, program, inputs, 2), "from the CPU to the GPU");
    let residues = gpu.with_residue_loops();
    compare(whole(&residues, program, inputs), "with loops in residue number systems");
    compare(handed_over(&residues, &cpu, program, inputs, 2), "from a residue number system to the CPU");
    compare(handed_over(&cpu, &residues, program, inputs, 2), "from the CPU to a residue number system");
}

#[needs(gpu)]
#[test]
fn the_samples() {
    for (name, inputs) in samples() {
        check(name, &sample(name), &inputs);
    }
}

#[needs(gpu)]
#[test]
fn random_programs() {
    let mut run = 0;
    for seed in 0.. {
        if run == RANDOM {
            break;
        }
        let case = seeded(seed, 150);
        let program = Program::parse(&case.text).unwrap();
        let batch = |values: &[BigInt], ty| Batch::from_bigints(ty, Layout::InstanceMajor, values).unwrap();
        let inputs = case.inputs.iter().map(|input| (input.name, batch(&input.values, input.ty)));
        let inputs: Named = inputs.collect();
        match Engine::gpu(0).unwrap().run(&program, &named(&inputs)) {
            // Most programs have one of the operations that kernels take in types of their own width only.
            Err(EngineError::Spec(SpecError::ProgramOperation { .. })) => {}
            Err(error) => panic!("random program {seed}: {error}\n{}", case.text),
            Ok(_) => {
                run += 1;
                check(&format!("random program {seed}\n{}\n", case.text), &program, &inputs);
            }
        }
    }
}

/// Rows of many instances, in one launch and in slices; and with memory for so few rows that launches are repeated in
/// halves.
#[needs(gpu)]
#[test]
fn lists() {
    let text = "in n, x\nlist seen: (u64, mod n, u32, i9) at most 10000000\nlist ends: u64 at most 100000\n\
                var y = [x, x + 1, 3 * x] mod n\nfor i in 0 .. 400 { y = sqr(y) + i\n\
                emit seen(u64(i), y, element, -7) where int(y) % 5 < 2 }\nrequire x % 3 != 1\nemit ends(instance)\nout y";
    let program = Program::parse(text).unwrap();
    let power = |base: u32, e: u32| BigInt::from(base).pow(e);
    for bits in [200, 500, 1000] {
        let n = (0..3000).map(|i| power(2, bits) - 1 - 2 * i);
        let x = (0..3000).map(|i| power(7, i % 60) + i);
        let ty = format!("u{bits}");
        let inputs = vec![("n", batch(&ty, n)), ("x", batch(&ty, x))];
        check(&format!("lists of {bits} bits"), &program, &inputs);
        let little = Engine::gpu(0).unwrap().with_device_memory(8 << 20);
        assert!(whole(&little, &program, &inputs) == whole(&Engine::cpu(), &program, &inputs), "{bits}");
    }
}

/// More warps than the GPU computes at once, of which most instances finish early: with compaction and without, in one
/// run and in chunks, straight and by a tape.
#[needs(gpu)]
#[test]
fn compacted_loops() {
    let text = "in n, t\nlist odd: (u64, u64) at most 2**30\nvar (x, steps) = (n, 0)\nwhile x != 1 limit 5000 {\n\
                x = if x % 2 == 0 { x / 2 } else { 3*x + 1 }\nsteps = steps + 1\n\
                emit odd(u64(steps), u64(x)) where x % 512 == 511 }\nvar z = n mod 2**61 - 1\n\
                repeat t { z = sqr(z) + 1\nrequire int(z) % 40000 != 677 }\nout steps, z";
    let program = Program::parse(text).unwrap();
    for (ty, count) in [("u64", 400_000_u64), ("u300", 150_000)] {
        let t = (0..count).map(|i| if i % 50 == 7 { 4000 } else { i * i % 97 });
        let inputs = vec![("n", batch(ty, big(1..=count))), ("t", batch("u16", big(t)))];
        let expected = whole(&Engine::cpu(), &program, &inputs);
        let gpu = Engine::gpu(0).unwrap();
        for engine in [gpu.clone(), gpu.with_device_memory(64 << 20)] {
            for compacts in [true, false] {
                let mut session = engine.start(&program, &named(&inputs)).unwrap();
                session.set_compaction(compacts);
                while !session.progress().is_done {
                    session.advance(Duration::from_millis(2)).unwrap();
                }
                assert!(found(&session.finish().unwrap()) == expected, "{ty}, {compacts}");
            }
        }
    }
}

#[needs(gpu)]
#[test]
fn chunks_of_little_memory() {
    let little = Engine::gpu(0).unwrap().with_device_memory(100 << 10);
    for (name, inputs) in samples() {
        let program = sample(name);
        let expected = whole(&Engine::cpu(), &program, &inputs);
        assert!(whole(&little, &program, &inputs) == expected, "{name} in chunks");
        assert!(handed_over(&little, &little, &program, &inputs, 2) == expected, "{name} in chunks, resumed");
    }
}

#[needs(gpu)]
#[test]
fn what_does_not_fit_is_an_error_or_runs_on_the_cpu() {
    let inputs = vec![("a", batch("u70000", big([1, 2, 3])))];
    let program = Program::parse("in a\nout b = a + 1").unwrap();
    let refused = Engine::gpu(0).unwrap().run(&program, &named(&inputs)).unwrap_err();
    assert!(matches!(&refused, EngineError::Spec(_)), "{refused}");
    assert!(refused.to_string().contains("at most 65536 bits"), "{refused}");
    let auto = Engine::auto();
    assert!(whole(&auto, &program, &inputs) == whole(&Engine::cpu(), &program, &inputs));
    assert_eq!(auto.fallback().map(|why| why.to_string()), Some(refused.to_string()));

    let inputs = vec![("a", batch("u512", big([1, 2, 3])))];
    let none = Engine::gpu(0).unwrap().with_device_memory(100);
    let refused = none.run(&program, &named(&inputs)).unwrap_err();
    let is_allowance = |error: &GpuError| matches!(error, GpuError::Allowance { .. });
    assert!(matches!(&refused, EngineError::Gpu(error) if is_allowance(error)), "{refused}");
}

/// Spaces and comments move places, which failures name.
#[needs(gpu)]
#[test]
fn places_are_those_of_the_text() {
    let engine = Engine::gpu(0).unwrap();
    let inputs = vec![("a", batch("u64", big([1, 2]))), ("b", batch("u64", big([1, 0])))];
    for text in ["in a, b\nout q = a / b", "in a, b  # x\n\nout   q = a / b", "in a, b # x\nout q = a / b"] {
        let program = Program::parse(text).unwrap();
        assert_eq!(whole(&engine, &program, &inputs), whole(&Engine::cpu(), &program, &inputs), "{text}");
    }
}
