//! Runs on emulated kernels: in one launch, in slices, in chunks, on several devices, and handed over from and
//! to the CPU.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use limbforge_algos::program::Program;
use limbforge_limb::{IntType, Layout};
use limbforge_needs::needs;

use super::*;

mod compaction;
mod emulator;
mod lists;
mod loops;
mod side_by_side;

use self::emulator::OnEmulator;

/// A run on devices, without loops in residue number systems.
fn on_devices(
    devices: Vec<Box<dyn Launches>>,
    chunk: usize,
    program: &TypedProgram,
    inputs: &[Batch<u64>],
    instances: usize,
) -> Result<OnGpu, EngineError> {
    OnGpu::of_run(devices, chunk, Run::new(program, inputs, instances)?)
}

fn batch(ty: &str, values: &[i64]) -> Batch<u64> {
    let values: Vec<_> = values.iter().map(|&value| value.into()).collect();
    Batch::from_bigints(ty.parse().unwrap(), Layout::InstanceMajor, &values).unwrap()
}

/// Every way of running a program in chunks of each size, with compaction or without, has the CPU's results.
fn check(text: &str, named: &[(&str, Batch<u64>)], instances: usize, is_short: bool) {
    let types: Vec<(&str, IntType)> = named.iter().map(|(name, batch)| (*name, batch.ty())).collect();
    let program = Program::parse(text).unwrap().typed(&types).unwrap();
    let inputs: Vec<Batch<u64>> = named.iter().map(|(_, batch)| batch.clone()).collect();
    let on_cpu = || Box::new(OnCpu::start(&program, &inputs, instances).unwrap());
    let expected = on_cpu().finish().unwrap();
    let compare = |run: Box<dyn Slices>, how: &str| {
        let (results, failures, lists) = run.finish().unwrap();
        assert_eq!(failures, expected.1, "{how}");
        assert_eq!(lists, expected.2, "{how}");
        assert!(results == expected.0, "{how}: {results:?}");
    };
    for (devices, chunk) in [(1, instances), (1, 3), (2, 2)] {
        let new = || {
            let device = |_| -> Box<dyn Launches> { Box::new(OnEmulator::new(&program, &inputs, instances)) };
            let devices = (0..devices).map(device).collect();
            Box::new(on_devices(devices, chunk, &program, &inputs, instances).unwrap())
        };
        let how = |what: &str| format!("{what}, chunks of {chunk} on {devices}");
        assert_eq!(new().is_short(), is_short, "{}", how("short"));
        compare(new(), &how("in one launch"));
        for rounds in [1, 7] {
            let (mut run, mut cpu) = (new(), on_cpu());
            assert_eq!((run.position().stage, run.position().round), (0, 0));
            run.advance(rounds).unwrap();
            cpu.advance(rounds).unwrap();
            if !run.is_done() {
                assert_eq!(run.position(), cpu.position(), "{}", how("position"));
            }
            let (left, of_cpu) = (run.state().unwrap(), cpu.state().unwrap());
            assert_eq!(left.failures, of_cpu.failures, "{}", how("failures of a state"));
            if !run.is_done() {
                assert_eq!(left.lists, of_cpu.lists, "{}", how("lists of a state"));
            }
            let resumed = OnCpu::resume(&program, &inputs, instances, &left).unwrap();
            compare(Box::new(resumed), &how("from the kernel to the CPU"));
            run.set_compaction(rounds == 1);
            while !run.is_done() {
                run.advance(rounds).unwrap();
            }
            compare(run, &how("in slices"));
            if of_cpu.stage + 1 < stages(&program).len() {
                let mut resumed = new();
                resumed.enter(&of_cpu).unwrap();
                assert_eq!(resumed.position(), cpu.position(), "{}", how("position from the CPU"));
                compare(resumed, &how("from the CPU to the kernel"));
            }
        }
    }
}

#[needs(cxx)]
#[test]
fn two_loops_and_failures_in_each_stage() {
    let text = "in n, x, t\nlet q = x / t\nvar y = x mod n\nrepeat t + 1 { y = sqr(y) }\nlet inverse = 1 / y\n\
                var s = q\nfor i in 0 .. 9 { s = s * 3 + i\nrequire s != 53 }\nout y, inverse, s";
    let n = batch("u100", &[101, 1_000_003, 8, 9, (1 << 40) | 1, 15, 77]);
    let (x, t) = (batch("i70", &[-3, 5, 7, 3, 12, 1, 2]), batch("i70", &[10, 1, 5, 12, 0, 3, 7]));
    check(text, &[("n", n), ("x", x), ("t", t)], 7, false);
}

/// Instances have the numbers of the whole batch in every chunk, also where the CPU finds the reason of a failure.
#[needs(cxx)]
#[test]
fn random_integers_and_numbers_of_instances() {
    let text = "in n, seed\nlet k = random(u131, seed, 32 * instance)\nvar y = k mod n\nvar z = instance\n\
                repeat 9 { y = sqr(y) + instance; z = z * random(u64, 5, z + instance) }\n\
                let q = k / ((instance + 1) % 3 - 1)\nout y, z, q, r = div_exact(12, (instance + 5) % 7)";
    let n = batch("u100", &[101, 1_000_003, 9, (1 << 40) | 1, 15, 77, 1]);
    check(text, &[("n", n), ("seed", batch("u64", &[77]))], 7, true);
}

#[needs(cxx)]
#[test]
fn a_while_loop_with_one_for_all() {
    let text = "in a, b\nvar (x, y, rounds) = (a, b, 0)\nwhile y != 0 limit 6 {\n(x, y) = (y, x % y)\n\
                rounds = rounds + 1\n}\nout x, rounds";
    check(text, &[("a", batch("u90", &[144, 100, 7, 0, 89])), ("b", batch("u90", &[55]))], 5, true);
}

#[needs(cxx)]
#[test]
fn no_loop_at_all() {
    let text = "in a, b\nout q = a / b, pair = (a, b)";
    check(text, &[("a", batch("i60", &[7, -8, 9, 4])), ("b", batch("i60", &[2, 0, -3, 0]))], 4, true);
}
