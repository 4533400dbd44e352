//! Quotients, step by step and by Newton's inverse.

use limbforge_field::DynField;
use limbforge_kernels_gen::poly::{PolyDivSpec, PolyNewtonSpec};
use limbforge_kernels_gen::{Limits, SpecError};
use limbforge_needs::needs;
use limbforge_reference::sample::sample;
use limbforge_testing::poly::schoolbook;

use super::{from_words, polynomials, run, some, to_words};

pub(super) fn check_division(p: u64, (n, m, s, threads): (u32, u32, u32, u32), instances: usize) {
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
    for (p, first, second) in some("quotients of polynomials", &shapes, 4) {
        check_division(p, first, 5);
        check_division(p, second, 4);
    }
}

/// By Newton's inverse: without a step and with several, with one more term than the start has, sparse and
/// dense operands, divisors that end with zeros at both ends of the lengths, and a divisor 0.
#[needs(cxx)]
#[test]
fn quotients_by_newton() {
    let primes = [2_013_265_921, 3_221_225_473, 0xffff_ffff_0000_0001, 4_179_340_454_199_820_289];
    let shapes = [(2, 2), (40, 30), (99, 2), (300, 110), (200, 199), (150, 54), (400, 17), (230, 101)];
    for (i, (n, m)) in sample("quotients by Newton", shapes.into_iter().enumerate(), 3) {
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
