//! Loops whose instances make different numbers of rounds: finished ones leave their places.

use std::sync::Mutex;

use limbforge_needs::needs;
use limbforge_testing::program::{seeded, types};

use super::open::Warps;
use super::*;

/// Steps of Collatz's sequences, with failures, rows, and a second loop of counts.
const COLLATZ: &str = "in n, t\nlist odd: (u64, u64) at most 10000\nvar (x, steps) = (n, 0)\n\
                       while x != 1 limit 100 {\nx = if x % 2 == 0 { x / 2 } else { 3*x + 1 }\nsteps = steps + 1\n\
                       emit odd(instance, u64(steps)) where x % 4 == 3 }\nlet y = x + steps\nvar z = y\n\
                       repeat t { z = sqr(z) + 1\nrequire z % 1000 != 677 }\nout steps, y, z";

fn collatz(ty: &str, instances: i64) -> [(&'static str, Batch<u64>); 2] {
    let n: Vec<i64> = (1..=instances).collect();
    let t: Vec<i64> = (1..=instances).map(|i| i * 7 % 6).collect();
    [("n", batch(ty, &n)), ("t", batch("u8", &t))]
}

/// What a run of two devices finds, the launches over lists, and the threads of all rounds.
fn run(ty: &str, compacts: bool, chunk: usize) -> (Results, (usize, usize)) {
    let named = collatz(ty, 48);
    let types: Vec<(&str, IntType)> = named.iter().map(|(name, batch)| (*name, batch.ty())).collect();
    let program = Program::parse(COLLATZ).unwrap().typed(&types).unwrap();
    let inputs: Vec<Batch<u64>> = named.iter().map(|(_, batch)| batch.clone()).collect();
    let noted = Arc::<Mutex<(usize, usize)>>::default();
    let device = |_| -> Box<dyn Launches> {
        let mut device = OnEmulator::new(&program, &inputs, 48);
        device.warps = Warps { at_once: 1, instances: 4 };
        device.lists_and_threads = Arc::clone(&noted);
        Box::new(device)
    };
    let devices = (0..if chunk < 48 { 2 } else { 1 }).map(device).collect();
    let mut run = on_devices(devices, chunk, &program, &inputs, 48).unwrap();
    run.set_compaction(compacts);
    run.begin().unwrap();
    while !run.is_done() {
        // Whatever time a launch takes.
        let to = run.round + 12;
        run.run_rounds(to).unwrap();
    }
    let results = Box::new(run).finish().unwrap();
    let expected = Box::new(OnCpu::start(&program, &inputs, 48).unwrap()).finish().unwrap();
    assert!(results == expected, "{compacts}, chunks of {chunk}");
    let noted = *noted.lock().unwrap();
    (results, noted)
}

/// A straight kernel and a tape, all at once and in chunks that leave the devices between slices: there a chunk has few
/// warps.
#[needs(cxx)]
#[test]
fn compacted_runs_are_the_same_with_fewer_threads() {
    for (ty, chunk) in [("u64", 48), ("u300", 12)] {
        let (without, (no_lists, all)) = run(ty, false, chunk);
        let (with, (lists, fewer)) = run(ty, true, chunk);
        assert!(with == without && without.1.len() > 3 && without.2[0].len() > 50);
        assert_eq!(no_lists, 0);
        let saves = chunk < 48 || 4 * fewer < 3 * all;
        assert!(lists > 3 && saves, "{ty} in chunks of {chunk}: {lists} lists, {fewer} of {all}");
    }
}

/// Lists of rows, states and resumed runs of compacted chunks.
#[needs(cxx)]
#[test]
fn compacted_runs_go_on_anywhere() {
    check(COLLATZ, &collatz("u64", 5), 5, true);
}

/// Random programs that have loops whose instances may make different numbers of rounds; with `LIMBFORGE_LONG`, ten times as
/// many.
const PROGRAMS: usize = 4;

/// Random programs in slices of a round, with compaction and without, at once and in chunks.
#[needs(cxx)]
#[test]
fn random_programs_are_the_same_compacted() {
    const INSTANCES: usize = 12;
    let long = if std::env::var_os("LIMBFORGE_LONG").is_some() { 10 } else { 1 };
    let (mut ran, mut listed) = (0, 0);
    for seed in 40_000.. {
        if ran >= long * PROGRAMS && listed > 0 {
            break;
        }
        assert!(ran < 10 * long * PROGRAMS, "no list was made");
        let case = seeded(seed, INSTANCES);
        let program = Program::parse(&case.text).unwrap().typed(&types(&case.inputs)).unwrap();
        let batch = |input: &limbforge_testing::program::Input| {
            Batch::<u64>::from_bigints(input.ty, Layout::InstanceMajor, &input.values).unwrap()
        };
        let inputs: Vec<_> = case.inputs.iter().map(batch).collect();
        let Ok(kernel) = OnEmulator::kernel(&program, &inputs, INSTANCES) else { continue };
        if !kernel.differing.contains(&true) {
            continue;
        }
        println!("random program {seed}\n{}", case.text);
        ran += 1;
        let expected = Box::new(OnCpu::start(&program, &inputs, INSTANCES).unwrap()).finish().unwrap();
        for (compacts, chunk) in [(true, INSTANCES), (true, 7), (false, INSTANCES)] {
            let device = OnEmulator::of(kernel.clone(), &program, inputs.len());
            let noted = Arc::clone(&device.lists_and_threads);
            let mut run = on_devices(vec![Box::new(device)], chunk, &program, &inputs, INSTANCES).unwrap();
            run.set_compaction(compacts);
            for _ in 0..40 {
                run.advance(1).unwrap();
            }
            assert!(Box::new(run).finish().unwrap() == expected, "{compacts}, chunks of {chunk}");
            listed += noted.lock().unwrap().0;
        }
    }
}
