//! Loops by products of matrices, by their specifications in place of their kernels.

use std::sync::Mutex;

use limbforge_algos::modmul_fold::{Fold, FoldedSequence};
use limbforge_algos::modmul_rns::Plan;
use limbforge_algos::program::{ResidueLoop, residue_loop, stages};
use limbforge_limb::num_bigint::BigUint;

use super::*;

/// The operands of a loop's launches.
struct Rounds<'r> {
    found: &'r ResidueLoop,
    bits: u32,
    moduli: &'r [u32],
    numbers: &'r [Vec<u32>],
    rounds: &'r [bool],
}

impl Rounds<'_> {
    /// A number of an instance. One that failed leaves any words.
    fn number(&self, words: &[u32], i: usize) -> BigUint {
        let each = self.bits.div_ceil(32) as usize;
        let i = if words.len() == each { 0 } else { i };
        BigUint::from_slice(&words[i * each..(i + 1) * each]) % (BigUint::from(1_u32) << self.bits)
    }

    fn of_instance(&self, i: usize) -> (BigUint, Vec<BigUint>) {
        let numbers = self.numbers.iter().map(|words| self.number(words, i)).collect();
        (self.number(self.moduli, i), numbers)
    }

    /// The results of an instance by folds.
    fn folded(&self, i: usize) -> Vec<BigUint> {
        let (n, numbers) = self.of_instance(i);
        let fold = Fold::for_sequences(self.bits.div_ceil(32)).unwrap();
        FoldedSequence::new(fold, &self.found.sequence).unwrap().run(&n, &numbers, self.rounds).unwrap()
    }

    /// The same in a residue number system, if it has the modulus.
    fn in_residues(&self, i: usize) -> Option<Vec<BigUint>> {
        let (n, numbers) = self.of_instance(i);
        let plan = Plan::for_sequences(self.bits).unwrap();
        let modulus = plan.modulus(&n).ok()?;
        Some(modulus.run(&self.found.sequence, &numbers, self.rounds).unwrap())
    }
}

impl OnEmulator {
    /// What the launches of a loop would leave: by folds if it has one modulus for several instances.
    pub(super) fn rounds_of_sequence(
        &self,
        stage: usize,
        operands: &[Vec<u32>],
        instances: usize,
    ) -> Option<Vec<Vec<u32>>> {
        let node = stages(&self.program)[stage].cut_loop(&self.program)?;
        let found = &residue_loop(&self.program, node).ok()?;
        let bits = self.program.modulus(found.modulus).ty.bits();
        let [moduli, numbers @ .., of_rounds, control] = operands else { return None };
        let [rounds, top, ..] = control[..] else { return None };
        let bit = |round: u32| {
            found.has_bits && {
                let place = top - round;
                of_rounds[place as usize / 32] >> (place % 32) & 1 == 1
            }
        };
        let rounds: &[bool] = &(0..rounds).map(bit).collect::<Vec<_>>();
        let each = bits.div_ceil(32) as usize;
        let is_folded = instances > 1 && moduli.len() == each;
        let all = Rounds { found, bits, moduli, numbers, rounds };
        let mut results = vec![vec![]; found.sequence.outputs().len() + usize::from(!is_folded)];
        let mut all_served = true;
        for i in 0..instances {
            let left = if is_folded { Some(all.folded(i)) } else { all.in_residues(i) };
            all_served &= left.is_some();
            if let Some(flags) = results.last_mut().filter(|_| !is_folded) {
                flags.extend([0, u32::from(left.is_some()), 0, 0]);
            }
            for (j, result) in results.iter_mut().take(found.sequence.outputs().len()).enumerate() {
                let mut words = left.as_ref().map_or_else(Vec::new, |left| left[j].to_u32_digits());
                words.resize(each, 0);
                result.extend(words);
            }
        }
        let mut asked = self.asked.lock().unwrap();
        asked[0] += 1;
        asked[1] += usize::from(all_served);
        asked[2] += usize::from(is_folded);
        drop(asked);
        Some(results)
    }
}

/// Slices of a program with loops by products of matrices have the CPU's states and results; returns how often devices
/// were asked for rounds, how often they computed them, and how often by folds.
fn check_loops(text: &str, named: &[(&str, Batch<u64>)], instances: usize) -> [usize; 3] {
    let types: Vec<(&str, IntType)> = named.iter().map(|(name, batch)| (*name, batch.ty())).collect();
    let program = Program::parse(text).unwrap().typed(&types).unwrap();
    let inputs: Vec<Batch<u64>> = named.iter().map(|(_, batch)| batch.clone()).collect();
    let asked = Arc::<Mutex<[usize; 3]>>::default();
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
                assert_eq!(found.failures, expected.failures);
                assert_eq!(found.values.len(), expected.values.len());
                for ((value, found), (of, expected)) in found.values.iter().zip(&expected.values) {
                    // The CPU keeps one integer of what is the same for all instances.
                    let expected = |i| expected.instance(i % expected.instances());
                    let is_equal = |i| found.instance(i) == expected(i);
                    assert!(value == of && (0..instances).all(is_equal), "{value:?}: {found:?}");
                }
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
    let [asked, computed, folded] = check_loops(LADDER, &named(&moduli), 7);
    assert!(asked > 8 && computed == asked && folded == 0, "{asked} {computed}");
}

/// Moduli of all instances are folded: of an input, and a constant.
#[needs(cxx)]
#[test]
fn rounds_modulo_one_number_are_folded() {
    for n in [101, 1, (1 << 40) | 1, i64::MAX] {
        let mut inputs = named(&[n; 7]);
        inputs[0].1 = batch("u100", &[n]);
        let [asked, computed, folded] = check_loops(LADDER, &inputs, 7);
        assert!(asked > 8 && computed == asked && folded > 0, "{asked} {computed} {folded}");
    }
    let text = LADDER.replace("in n, x", "in x\nconst n = 1000000000039");
    let [asked, computed, folded] = check_loops(&text, &named(&[7; 5])[1..], 5);
    assert!(asked > 8 && computed == asked && folded > 0, "{asked} {computed} {folded}");
}

#[needs(cxx)]
#[test]
fn chunks_with_a_modulus_that_has_no_system_are_left_to_the_kernel() {
    let prime = i64::from(Plan::for_sequences(100).unwrap().bases.first.primes[3].value);
    // The even modulus fails before the loop.
    let [asked, computed, _] = check_loops(LADDER, &named(&[101, 3 * prime, 8, 9, 11]), 5);
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
