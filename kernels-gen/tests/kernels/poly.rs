//! Kernels of polynomials and of sorting, against schoolbook code on residues.

mod batches;
mod chunks;
mod divisors;
mod elementwise;
mod parts;
mod products;
mod quotients;
mod refused;
mod sorts;

use limbforge_emulate::Schedule;
use limbforge_kernels_gen::Program;
use limbforge_needs::needs;
use limbforge_reference::sample::sample;

use crate::harness::Device;

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

/// Primes with one of so many shapes each, and another one: a sample of them.
fn some<S: Copy>(name: &str, shapes: &[S], second: usize) -> Vec<(u64, S, S)> {
    let pairs = PRIMES
        .into_iter()
        .enumerate()
        .map(|(i, p)| (p, shapes[i % shapes.len()], shapes[(i + second) % shapes.len()]));
    sample(name, pairs, 3)
}

/// Several blocks of many threads, and lengths that are no multiples of anything.
#[needs(cxx)]
#[test]
fn usual_sizes() {
    products::check_product(PRIMES[1], (1100, 301, 4, 128), 2);
    quotients::check_division(PRIMES[6], (700, 233, 64, 192), 2);
    divisors::check_gcd(PRIMES[1], (400, 301, 64, 192));
}
