//! Tests of primality: eight at a time in vectors, else one by one.

mod strong;

use core::mem::take;

use limbforge_limb::Base;
use limbforge_limb::slice::bits::{bit, bit_len, significant};

use super::memory::{Memory, is_negative, write_bool};
use super::{class::Primality, instances::Instances};
use crate::integer::packed::as_words;
use crate::integer::primality::lucas::parameter;
use crate::integer::primality::{
    by_small_primes, is_prime, is_strong_lucas_probable_prime, is_strong_probable_prime,
};
use crate::integer::{Scratch, div::divide};
use crate::vector::{LucasTests, Path, WIDTH, path_of_tests};
use strong::StrongTests;

/// Numbers that are tested together, with their memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct PrimalityTests {
    strong: StrongTests,
    lucas: LucasTests,
    /// The instances of the Lucas tests, and their numbers.
    survivors: Vec<(usize, Vec<u64>)>,
}

/// Shorter numbers, in bits, are tested one by one.
const LEAST_BITS: u32 = 65;

pub(super) fn tests<B: Base>(op: Primality, mut instances: Instances<'_, B>, memory: &mut Memory<B>) {
    if let Some((path, fewest)) = path_of_tests(instances.ty.bits())
        && instances.len() >= fewest
    {
        let mut tests = take(&mut memory.tests);
        match op {
            Primality::IsPrime => tests.primes(path, fewest, &mut instances, &mut memory.scratch),
            Primality::IsStrongProbablePrime => tests.strong(path, fewest, &mut instances, memory),
        }
        memory.tests = tests;
        return;
    }
    let (ty, Memory { scratch, magnitudes, .. }) = (instances.ty, memory);
    match op {
        Primality::IsPrime => {
            instances.each(|out, [n]| write_bool(out, !is_negative(n, ty) && is_prime(n, scratch)));
        }
        Primality::IsStrongProbablePrime => instances.each(|out, operands| {
            let [(n, negative), (base, _)] = magnitudes.of(ty, operands);
            // A base passes if and only if its negative does: d is odd.
            write_bool(out, !negative && is_strong_probable_prime(n, base, scratch));
        }),
    }
}

impl PrimalityTests {
    /// `is_prime` of every instance: small factors one by one, then strong tests to the base 2 of eight
    /// numbers, then Lucas tests of eight that have passed.
    fn primes<B: Base>(
        &mut self,
        path: Path,
        fewest: usize,
        instances: &mut Instances<'_, B>,
        scratch: &mut Scratch,
    ) {
        for i in 0..instances.len() {
            let [n] = instances.operands(i);
            let (negative, n) = (is_negative(n, instances.ty), as_words(n));
            let n = significant(&n);
            let known = if negative { Some(false) } else { by_small_primes(n) };
            if known.is_some() || bit_len(n) < LEAST_BITS {
                let prime = known.unwrap_or_else(|| is_prime(n, scratch));
                write_bool(instances.result(i), prime);
                continue;
            }
            self.strong.push(i, n, &[2]);
            if self.strong.len() == WIDTH {
                self.sift(path, fewest, instances, scratch);
            }
        }
        self.sift(path, fewest, instances, scratch);
        self.decide(path, fewest, instances, scratch);
    }

    /// Tests the numbers that were gathered to the base 2, and gathers those that pass for Lucas tests.
    fn sift<B: Base>(
        &mut self,
        path: Path,
        fewest: usize,
        instances: &mut Instances<'_, B>,
        scratch: &mut Scratch,
    ) {
        for (i, n, passed) in self.strong.run(path, fewest, scratch) {
            let parameter = passed.then(|| parameter(&n, scratch)).flatten();
            if parameter.is_none_or(|d| !self.lucas.push(&n, d)) {
                write_bool(instances.result(i), false);
                continue;
            }
            self.survivors.push((i, n));
            if self.survivors.len() == WIDTH {
                self.decide(path, fewest, instances, scratch);
            }
        }
    }

    /// Lucas tests of the numbers that are left.
    fn decide<B: Base>(
        &mut self,
        path: Path,
        fewest: usize,
        instances: &mut Instances<'_, B>,
        scratch: &mut Scratch,
    ) {
        let survivors = take(&mut self.survivors);
        let passed = if survivors.len() >= fewest {
            Some(self.lucas.run(path, scratch))
        } else {
            self.lucas.clear();
            None
        };
        for (lane, (i, n)) in survivors.into_iter().enumerate() {
            let prime =
                passed.map_or_else(|| is_strong_lucas_probable_prime(&n, scratch), |passed| passed[lane]);
            write_bool(instances.result(i), prime);
        }
    }

    /// `is_strong_probable_prime` of every instance.
    fn strong<B: Base>(
        &mut self,
        path: Path,
        fewest: usize,
        instances: &mut Instances<'_, B>,
        memory: &mut Memory<B>,
    ) {
        for i in 0..instances.len() {
            let Memory { magnitudes, scratch, .. } = memory;
            let [(n, negative), (base, _)] = magnitudes.of(instances.ty, instances.operands(i));
            if negative || bit_len(n) < LEAST_BITS || !bit(n, 0) {
                let passed = !negative && is_strong_probable_prime(n, base, scratch);
                write_bool(instances.result(i), passed);
                continue;
            }
            let (n, base) = (as_words(n), as_words(base));
            let (n, base) = (significant(&n), significant(&base));
            let reduced = if bit_len(base) < bit_len(n) { base.to_vec() } else { divide(base, n, scratch).1 };
            if significant(&reduced).is_empty() {
                write_bool(instances.result(i), true);
                continue;
            }
            self.strong.push(i, n, &reduced);
            if self.strong.len() == WIDTH {
                self.verdicts(path, fewest, instances, scratch);
            }
        }
        self.verdicts(path, fewest, instances, &mut memory.scratch);
    }

    /// Writes the results of the strong tests that were gathered.
    fn verdicts<B: Base>(
        &mut self,
        path: Path,
        fewest: usize,
        instances: &mut Instances<'_, B>,
        scratch: &mut Scratch,
    ) {
        for (i, _, passed) in self.strong.run(path, fewest, scratch) {
            write_bool(instances.result(i), passed);
        }
    }
}
