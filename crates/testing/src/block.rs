//! Conformance suites for the block algorithms of `limbforge_algos`: any limb, any M, Q and IPB.
//!
//! Each suite draws N from 0 to 2 * IPB + 1 and the operands from [`operands`], runs every algorithm of
//! one operation, and compares with num-bigint and with the naive reference beside the algorithm.

use core::any::type_name;

use limbforge_limb::Base;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestCaseResult, TestRunner};

use crate::operands;

pub mod suites;

/// A batch of operand pairs: N instances of M limbs each, and a number of bits for shifts.
#[derive(Clone, Debug)]
pub struct Case<B> {
    /// N.
    pub n: usize,
    /// M.
    pub m: usize,
    /// The first operands, N * M limbs.
    pub a: Vec<B>,
    /// The second operands, N * M limbs.
    pub b: Vec<B>,
    /// 0 to a little more than the width.
    pub shift: u32,
}

/// What is computed from the operands of one instance.
pub type Each<'f, B, T> = &'f dyn Fn(&[B], &[B]) -> Vec<T>;

impl<B: Base> Case<B> {
    /// The operands of each instance.
    pub fn pairs(&self) -> impl Iterator<Item = (&[B], &[B])> {
        self.a.chunks(self.m).zip(self.b.chunks(self.m))
    }

    /// What `f` gives for each instance, one after the other.
    pub fn each<T>(&self, f: Each<'_, B, T>) -> Vec<T> {
        self.pairs().flat_map(|(a, b)| f(a, b)).collect()
    }
}

/// Batches of 0 to 2 * IPB + 1 pairs of M limbs.
pub fn case<B: Base>(m: usize, ipb: usize) -> BoxedStrategy<Case<B>> {
    let bits = m as u32 * B::BITS;
    let limbs = 0..=m as u32 + 1;
    let shift = prop_oneof![3 => 0..bits + 2, 1 => limbs.prop_map(|limbs| limbs * B::BITS), 1 => 0..B::BITS];
    (proptest::collection::vec(operands::integer_pair::<B>(m), 0..=2 * ipb + 1), shift)
        .prop_map(move |(pairs, shift)| {
            let n = pairs.len();
            let (a, b): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
            Case { n, m, a: a.concat(), b: b.concat(), shift }
        })
        .boxed()
}

/// One suite stamped for one (M, Q, IPB).
#[derive(Clone, Copy, Debug)]
pub struct Stamped<B> {
    /// M, Q, IPB.
    pub shape: (usize, usize, usize),
    /// The suite.
    pub suite: fn(&Case<B>) -> TestCaseResult,
}

/// Runs a suite for each of its shapes on `cases` batches.
///
/// # Panics
/// If a batch fails, with the smallest one found: this is a test.
pub fn run<B: Base>(cases: u32, stamped: &[Stamped<B>]) {
    for Stamped { shape: shape @ (m, _, ipb), suite } in stamped {
        let config = Config { cases, failure_persistence: None, ..Config::default() };
        let outcome = TestRunner::new(config).run(&case::<B>(*m, *ipb), |case| suite(&case));
        if let Err(error) = outcome {
            panic!("{} with (M, Q, IPB) = {shape:?}: {error}", type_name::<B>());
        }
    }
}

/// A failure that says which algorithm differs from which reference.
///
/// # Errors
/// [`TestCaseError`] if the two differ.
pub fn same<T: PartialEq + core::fmt::Debug>(what: &str, found: &T, expected: &T) -> TestCaseResult {
    if found == expected {
        Ok(())
    } else {
        Err(TestCaseError::fail(format!("{what}: found {found:?}, expected {expected:?}")))
    }
}

/// Stamps the suites of the block algorithms onto a limb type, for a list of (M, Q, IPB).
///
/// `conformance_block!(u64: (1, 1, 1), (7, 3, 5))` stamps them all, one test each; `conformance_block!(add,
/// u64: (7, 3, 5))` stamps one of `add`, `sub`, `cmp`, `shift`, `bits`, `mul_classical`. Without a list,
/// shapes that are awkward for the algorithms are used: M < Q, M not a multiple of Q, instances of a part of
/// a warp, of exactly one, of several, and instances that start within a warp.
#[macro_export]
macro_rules! conformance_block {
    ($suite:ident, $base:ty) => {
        $crate::conformance_block!(
            $suite,
            $base: (1, 1, 1), (1, 4, 9), (3, 5, 2), (7, 3, 5), (13, 2, 6), (32, 1, 1), (64, 2, 3), (33, 1, 2),
            (45, 2, 3), (100, 3, 4), (256, 1, 3), (300, 4, 2), (129, 5, 8)
        );
    };
    ($suite:ident, $base:ty: $(($m:literal, $q:literal, $ipb:literal)),+ $(,)?) => {
        #[test]
        fn $suite() {
            $crate::block::run::<$base>(
                $crate::block::suites::cases::$suite,
                &[$($crate::block::Stamped {
                    shape: ($m, $q, $ipb),
                    suite: $crate::block::suites::$suite::<$base, $m, $q, $ipb>,
                }),+],
            );
        }
    };
    ($base:ty: $($shape:tt),+ $(,)?) => {
        $crate::conformance_block!(add, $base: $($shape),+);
        $crate::conformance_block!(sub, $base: $($shape),+);
        $crate::conformance_block!(cmp, $base: $($shape),+);
        $crate::conformance_block!(shift, $base: $($shape),+);
        $crate::conformance_block!(bits, $base: $($shape),+);
        $crate::conformance_block!(mul_classical, $base: $($shape),+);
    };
}
