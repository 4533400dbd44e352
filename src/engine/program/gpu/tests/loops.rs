//! Loops in residue number systems, by their specification in place of its kernels.

use std::sync::Mutex;

use limbforge_algos::modmul_rns::Plan;
use limbforge_algos::program::{residue_loop, stages};
use limbforge_limb::num_bigint::BigUint;

use super::*;

impl OnEmulator {
    /// What the launches of a loop would leave.
    pub(super) fn rounds_of_sequence(
        &self,
        stage: usize,
        operands: &[Vec<u32>],
        instances: usize,
    ) -> Option<Vec<Vec<u32>>> {
        let node = stages(&self.program)[stage].cut_loop(&self.program)?;
        let found = residue_loop(&self.program, node).ok()?;
        let bits = self.program.modulus(found.modulus).ty.bits();
        let (plan, each) = (Plan::for_sequences(bits).unwrap(), bits.div_ceil(32) as usize);
        let [moduli, numbers @ .., of_rounds, control] = operands else { return None };
        let of = |words: &[u32], i: usize| {
            let i = if words.len() == each { 0 } else { i };
            // An instance that failed leaves any words.
            BigUint::from_slice(&words[i * each..(i + 1) * each]) % (BigUint::from(1_u32) << bits)
        };
        let [rounds, top, ..] = control[..] else { return None };
        let bit = |round: u32| {
            found.has_bits && {
                let place = top - round;
                of_rounds[place as usize / 32] >> (place % 32) & 1 == 1
            }
        };
        let rounds: Vec<bool> = (0..rounds).map(bit).collect();
        let mut results = vec![vec![]; found.sequence.outputs().len() + 1];
        for i in 0..instances {
            let n = of(moduli, i);
            let numbers: Vec<BigUint> = numbers.iter().map(|words| of(words, i)).collect();
            let left =
                plan.modulus(&n).ok().map(|modulus| modulus.run(&found.sequence, &numbers, &rounds).unwrap());
            let (flags, results) = results.split_last_mut().unwrap();
            flags.extend([0, u32::from(left.is_some()), 0, 0]);
            for (j, result) in results.iter_mut().enumerate() {
                let mut words = left.as_ref().map_or_else(Vec::new, |left| left[j].to_u32_digits());
                words.resize(each, 0);
                result.extend(words);
            }
        }
        let mut asked = self.asked.lock().unwrap();
        asked[0] += 1;
        asked[1] += usize::from(results.last()?.chunks(4).all(|flags| flags[1] == 1));
        drop(asked);
        Some(results)
    }
}

/// Slices of a program with loops in residue number systems have the CPU's states and results; returns how
/// often devices were asked for rounds, and how often they computed them.
fn check_loops(text: &str, named: &[(&str, Batch<u64>)], instances: usize) -> [usize; 2] {
    let types: Vec<(&str, IntType)> = named.iter().map(|(name, batch)| (*name, batch.ty())).collect();
    let program = Program::parse(text).unwrap().typed(&types).unwrap();
    let inputs: Vec<Batch<u64>> = named.iter().map(|(_, batch)| batch.clone()).collect();
    let asked = Arc::<Mutex<[usize; 2]>>::default();
    for (chunk, rounds) in [(instances, 3), (2, 5), (3, u64::MAX)] {
        let mut device = OnEmulator::new(&program, &inputs, instances);
        device.asked = Arc::clone(&asked);
        let mut run = Run::new(&program, &inputs, instances).unwrap();
        run.loops = run.residue_loops().unwrap();
        let mut run = Box::new(OnGpu::of_run(vec![Box::new(device)], chunk, run).unwrap());
        let mut cpu = Box::new(OnCpu::start(&program, &inputs, instances).unwrap());
        while !run.is_done() {
            run.advance(rounds).unwrap();
            cpu.advance(rounds).unwrap();
            if !run.is_done() {
                assert_eq!(run.position(), cpu.position());
                let (found, expected) = (run.state().unwrap(), cpu.state().unwrap());
                assert_eq!((found.values, found.failures), (expected.values, expected.failures));
            }
        }
        assert_eq!(run.finish().unwrap(), cpu.finish().unwrap(), "chunks of {chunk}, {rounds} rounds");
    }
    let asked = asked.lock().unwrap();
    *asked
}

const LADDER: &str = "in n, x\nin s\nin t: u32\nlet (m, c) = (n, x + 3 mod n)\nvar (a, b) = (1, x) mod m\n\
                      for bit in bits(s) after 1 { (a, b) = swap(bit, a, b)\n(a, b) = (sqr(a - b) + 2, a*b*c - 1)\n\
                      (a, b) = swap(bit, a, b) }\nvar y = a + b\nrepeat t { y = sqr(y) - 2 }\nout a, y";

fn named(moduli: &[i64]) -> Vec<(&'static str, Batch<u64>)> {
    let s = batch("u200", &[0b1_0110_1001_1010]);
    let x: Vec<i64> = (0..moduli.len() as i64).map(|i| 3 + 7 * i).collect();
    vec![("n", batch("u100", moduli)), ("x", batch("u100", &x)), ("s", s), ("t", batch("u32", &[9]))]
}

#[needs(cxx)]
#[test]
fn rounds_go_from_state_to_state() {
    let moduli = [101, 1_000_003, 1, (1 << 40) | 1, 15, 77, i64::MAX];
    let [asked, computed] = check_loops(LADDER, &named(&moduli), 7);
    assert!(asked > 8 && computed == asked, "{asked} {computed}");
}

#[needs(cxx)]
#[test]
fn chunks_with_a_modulus_that_has_no_system_are_left_to_the_kernel() {
    let prime = i64::from(Plan::for_sequences(100).unwrap().bases.first.primes[3].value);
    // The even modulus fails before the loop.
    let [asked, computed] = check_loops(LADDER, &named(&[101, 3 * prime, 8, 9, 11]), 5);
    assert!(0 < computed && computed < asked, "{asked} {computed}");
}

#[test]
fn counts_of_each_instance_are_left_to_the_kernel() {
    let program = Program::parse("in n, t\nvar y = 3 mod n\nrepeat t { y = sqr(y) }\nout y").unwrap();
    let ty: IntType = "u64".parse().unwrap();
    let program = program.typed(&[("n", ty), ("t", ty)]).unwrap();
    for (t, expected) in [(batch("u64", &[5, 6]), false), (batch("u64", &[5]), true)] {
        let run = Run::new(&program, &[batch("u64", &[7, 9]), t], 2).unwrap();
        let loops = run.residue_loops().unwrap();
        assert_eq!(loops.iter().map(Option::is_some).collect::<Vec<_>>(), [expected, false]);
    }
}
