//! Sequences of products of sums: an oracle, and sequences to test with.

use limbforge_algos::sequence::{Sequence, Step, Term, Variable};
use num_bigint::{BigInt, BigUint};
use proptest::prelude::*;

/// The results of rounds, by the steps themselves modulo n over num-bigint; 0 is taken for 1.
///
/// ```
/// use limbforge_testing::sequence::{naive, ladder};
/// let numbers = [0_u32, 2, 1, 5, 3].map(Into::into);
/// assert_eq!(naive(&ladder(), &7_u32.into(), &numbers, &[]), [2_u32.into(), 1_u32.into()]);
/// ```
///
/// # Panics
/// If the sequence takes more numbers.
#[must_use]
pub fn naive(sequence: &Sequence, n: &BigUint, numbers: &[BigUint], bits: &[bool]) -> Vec<BigUint> {
    assert_eq!(numbers.len(), usize::from(sequence.inputs()));
    let n = BigInt::from(n.clone().max(1_u32.into()));
    let mut variables: Vec<BigInt> = numbers.iter().cloned().map(BigInt::from).collect();
    variables.push(BigInt::from(1));
    variables.resize(sequence.variables().into(), BigInt::ZERO);
    for &bit in bits {
        for step in sequence.steps() {
            let sum = |terms: &[Term]| {
                let of = |term: &Term| {
                    &variables[usize::from(term.variables[usize::from(bit)])] * term.coefficient
                };
                terms.iter().map(of).sum::<BigInt>()
            };
            let value = match step {
                Step::Product { factors: [a, b], .. } => sum(a) * sum(b),
                Step::Sum { terms, .. } => sum(terms),
            };
            variables[usize::from(step.to())] = value % &n;
        }
    }
    let result = |&output: &Variable| (&variables[usize::from(output)] % &n + &n) % &n;
    sequence.outputs().iter().map(result).map(|value| value.magnitude().clone()).collect()
}

/// A round of a Montgomery ladder of a curve `b y^2 = x^3 + a x^2 + x`, from the point (2 : 1): given are d, and X and
/// Z of P and Q, and the results are X and Z of P.
///
/// # Panics
/// If these steps are no sequence.
#[must_use]
pub fn ladder() -> Sequence {
    let d = Term::of(0);
    let swapped = |a, b| Term { coefficient: 1, variables: [a, b] };
    let ([x, u], [z, w]) = ([swapped(1, 3), swapped(3, 1)], [swapped(2, 4), swapped(4, 2)]);
    let plus = |a: Term, b: Term| vec![a, b];
    let minus = |a: Term, b: Term| vec![a, b.times(-1)];
    let product = |to, a: Vec<Term>, b: Vec<Term>| Step::Product { to, factors: [a, b] };
    let [p, m, s, f, g] = [6, 7, 8, 9, 10].map(Term::of);
    let copy = |to, a: Variable, b: Variable| Step::Sum { to, terms: vec![swapped(a, b)] };
    let steps = vec![
        product(6, plus(x, z), plus(x, z)),
        product(7, minus(x, z), minus(x, z)),
        product(8, vec![d], minus(p, m)),
        product(9, minus(x, z), plus(u, w)),
        product(10, plus(x, z), minus(u, w)),
        product(11, vec![p], vec![m]),
        product(12, minus(p, m), plus(m, s)),
        product(13, plus(f, g), plus(f, g)),
        product(14, minus(f, g).iter().map(|term| term.times(2 * term.coefficient)).collect(), minus(f, g)),
        copy(1, 11, 13),
        copy(2, 12, 14),
        copy(3, 13, 11),
        copy(4, 14, 12),
    ];
    Sequence::new(5, steps, vec![1, 2]).unwrap_or_else(|error| panic!("{error}"))
}

/// Steps over 3 inputs, 1, and 4 more variables, of which each is set before it is read; those with which sums do not
/// stay below their bound are no sequences.
pub fn steps() -> impl Strategy<Value = Vec<Step>> {
    let term = |most: Variable| {
        (prop_oneof![-4_i8..=-1, 1_i8..=4], 0..most, 0..most)
            .prop_map(|(coefficient, a, b)| Term { coefficient, variables: [a, b] })
    };
    let sum = move |most| proptest::collection::vec(term(most), 0..4);
    let step = move |to: Variable, most| {
        let product = (sum(most), sum(most)).prop_map(move |(a, b)| Step::Product { to, factors: [a, b] });
        prop_oneof![3 => product, 1 => sum(most).prop_map(move |terms| Step::Sum { to, terms })]
    };
    let new = (step(4, 4), step(5, 5), step(6, 6), step(7, 7));
    let old = (step(0, 8), step(1, 8), step(2, 8));
    (new, old).prop_map(|((a, b, c, d), (e, f, g))| vec![a, b, c, d, e, f, g])
}
