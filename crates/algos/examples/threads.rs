//! How well operations use all threads: `cargo run --release -p limbforge-algos --example threads`.
//!
//! For each case a line of JSON. `speedup` is how many times as fast all threads are as one, `of_threads` and
//! `of_cores` are its ratios to their number and to that of the cores they run on, of which each may have two
//! threads. `of_machine` is the ratio to the threads where each evaluates a batch of its own, which nothing but the
//! machine limits: its clock, its memory, and its threads that share a core. Least times of several runs. An
//! argument is the number of threads.

use std::collections::HashSet;
use std::error::Error;
use std::time::Instant;
use std::{fs, thread};

use limbforge_algos::cpu::Evaluator;
use limbforge_algos::expr::Expr;
use limbforge_limb::{Batch, IntType, Layout};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Expressions, and bits of their types.
const CASES: [(&str, &[u32]); 3] = [
    ("a * b", &[512, 2048, 8192, 65536, 262_144]),
    ("a / (b >> 1024)", &[2048]),
    ("powmod(a, b, b | 1)", &[512, 2048]),
];

/// Bits of an operand's batch for each thread; fewer of powers.
const BITS: u32 = 1 << 25;
const BITS_OF_POWERS: u32 = 1 << 17;

const RUNS: usize = 7;

/// An expression with its operands.
struct Case {
    evaluator: Evaluator<u64>,
    operands: [Batch<u64>; 2],
    instances: usize,
}

impl Case {
    fn new(expression: &str, bits: u32, instances: usize) -> Result<Self, Box<dyn Error>> {
        let ty = IntType::unsigned(u64::from(bits))?;
        let evaluator = Evaluator::new(&Expr::parse(expression)?.to_dag(), ty)?;
        let operand = |seed| {
            let limbs = words(instances * bits as usize / 64, seed);
            Batch::from_limbs(ty, Layout::InstanceMajor, limbs)
        };
        Ok(Self { evaluator, operands: [operand(1)?, operand(2)?], instances })
    }

    /// The least time of several runs in seconds.
    fn seconds(&self) -> Result<f64, Box<dyn Error + Send + Sync>> {
        let ty = self.evaluator.result_type();
        let mut out = Batch::zeros(ty, Layout::InstanceMajor, self.instances)?;
        let mut least = f64::MAX;
        for _ in 0..RUNS {
            let start = Instant::now();
            self.evaluator.run(&self.operands.each_ref(), self.instances, &mut out)?;
            least = least.min(start.elapsed().as_secs_f64());
        }
        Ok(least)
    }
}

/// Pseudorandom words.
fn words(count: usize, seed: u64) -> Vec<u64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..count).map(|_| next()).collect()
}

fn pool(threads: usize) -> Result<ThreadPool, Box<dyn Error>> {
    Ok(ThreadPoolBuilder::new().num_threads(threads).build()?)
}

/// The longest time of the threads, each with a pool of its own.
fn apart(expression: &str, bits: u32, each: usize, threads: usize) -> Result<f64, Box<dyn Error>> {
    let parts: Vec<_> = (0..threads)
        .map(|_| Ok((Case::new(expression, bits, each)?, pool(1)?)))
        .collect::<Result<_, Box<dyn Error>>>()?;
    let times = thread::scope(|scope| {
        let runs: Vec<_> =
            parts.iter().map(|(case, pool)| scope.spawn(move || pool.install(|| case.seconds()))).collect();
        runs.into_iter().map(|run| run.join().map_err(|_| "a thread panicked")).collect::<Result<Vec<_>, _>>()
    })?;
    let mut longest = 0.0_f64;
    for time in times {
        longest = longest.max(time.map_err(|error| error.to_string())?);
    }
    Ok(longest)
}

/// The cores that so many threads of this program run on, where Linux tells which of its processors share one.
fn cores(threads: usize) -> usize {
    let read = |path: String| fs::read_to_string(path).unwrap_or_default();
    let status = read("/proc/self/status".to_owned());
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap_or_default();
    // "0-3,8" are five processors.
    let range = |text: &str| {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        Some(first.parse::<u32>().ok()?..=last.parse().ok()?)
    };
    let processors = allowed.trim().split(',').filter_map(range).flatten();
    let siblings =
        |processor| read(format!("/sys/devices/system/cpu/cpu{processor}/topology/thread_siblings_list"));
    let cores: HashSet<String> = processors.map(siblings).filter(|list| !list.is_empty()).collect();
    if cores.is_empty() { threads } else { cores.len().min(threads) }
}

fn main() -> Result<(), Box<dyn Error>> {
    let threads = match std::env::args().nth(1) {
        Some(number) => number.parse()?,
        None => thread::available_parallelism()?.get(),
    };
    let cores = cores(threads);
    let (alone, all) = (pool(1)?, pool(threads)?);
    for (expression, widths) in CASES {
        for &bits in widths {
            let batch = if expression.starts_with("powmod") { BITS_OF_POWERS } else { BITS };
            let each = (batch / bits).max(1) as usize;
            let run = |pool: &ThreadPool, instances| {
                let case = Case::new(expression, bits, instances)?;
                pool.install(|| case.seconds()).map_err(|error| -> Box<dyn Error> { error })
            };
            let (one, together) = (run(&alone, each)?, run(&all, each * threads)?);
            let machine = one / apart(expression, bits, each, threads)?;
            let speedup = threads as f64 * one / together;
            let (of_threads, of_cores) = (speedup / threads as f64, speedup / cores as f64);
            println!(
                r#"{{"expression": "{expression}", "bits": {bits}, "threads": {threads}, "cores": {cores}, "speedup": {speedup:.3}, "of_threads": {of_threads:.3}, "of_cores": {of_cores:.3}, "of_machine": {machine:.3}}}"#
            );
        }
    }
    Ok(())
}
