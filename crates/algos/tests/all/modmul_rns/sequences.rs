//! Sequences of products of sums, against the same steps over num-bigint.

use limbforge_algos::modmul_rns::{Plan, Refused, Sequence, Step, Term, Variable};
use num_bigint::{BigInt, BigUint};
use proptest::prelude::*;

use super::{power_of_two, random, structured_moduli};

/// The steps themselves, modulo n.
fn naive(sequence: &Sequence, n: &BigUint, numbers: &[BigUint], bits: &[bool]) -> Vec<BigUint> {
    let n = BigInt::from(n.clone());
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
    let results = sequence.outputs().iter().map(|&output| &variables[usize::from(output)] % &n);
    results.map(|value| ((value + &n) % &n).try_into().unwrap()).collect()
}

/// A round of a Montgomery ladder of a curve `b y^2 = x^3 + a x^2 + x`, from the point (2 : 1): the inputs
/// are d, and X and Z of P and Q.
fn ladder() -> Sequence {
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
    Sequence::new(5, steps, vec![1, 2]).unwrap()
}

#[test]
fn a_ladder_of_structured_moduli() {
    let sequence = ladder();
    for bits in [32, 61, 124, 1000] {
        let plan = Plan::for_sequences(bits).unwrap();
        for (i, n) in structured_moduli(&plan).into_iter().enumerate() {
            let Ok(modulus) = plan.modulus(&n) else { continue };
            let numbers =
                [random(bits, 3), 2_u32.into(), 1_u32.into(), &n - 1_u32, power_of_two(bits) - 1_u32];
            let rounds: Vec<bool> = (0..9).map(|round| (round * i) % 3 == 1).collect();
            let expected = naive(&sequence, &n, &numbers, &rounds);
            assert_eq!(modulus.run(&sequence, &numbers, &rounds), Ok(expected), "{bits} bits: {n}");
        }
    }
}

/// `x = (c x)(c x)` with c = 16, and sums of 16 numbers of both signs that are left.
#[test]
fn sums_at_their_bounds() {
    let x = Term::of(0);
    let products = [[16, 16], [-16, 16], [16, -16]].map(|[a, b]| {
        let factors = [vec![x.times(a)], vec![x.times(b)]];
        let steps = vec![Step::Product { to: 0, factors }, Step::Sum { to: 2, terms: vec![x.times(a)] }];
        Sequence::new(1, steps, vec![0]).unwrap()
    });
    for bits in [32, 33, 92, 93, 124, 155, 2048] {
        let plan = Plan::for_sequences(bits).unwrap();
        for n in [power_of_two(bits) - 1_u32, power_of_two(bits) - 3_u32] {
            let modulus = plan.modulus(&n).unwrap();
            for (sequence, number) in products.iter().flat_map(|s| [(s, &n - 1_u32), (s, random(bits, 7))]) {
                let rounds = [false; 3];
                let expected = naive(sequence, &n, core::slice::from_ref(&number), &rounds);
                assert_eq!(modulus.run(sequence, &[number], &rounds), Ok(expected), "{bits} bits: {n}");
            }
        }
    }
}

#[test]
fn refused_plans_and_numbers() {
    let sequence = ladder();
    let numbers = [5_u32; 5].map(BigUint::from);
    let plans = [Plan::each(64).unwrap(), Plan::for_tests(64).unwrap()];
    for plan in plans {
        let modulus = plan.modulus(&7_u32.into()).unwrap();
        assert_eq!(modulus.run(&sequence, &numbers, &[true]), Err(Refused::NoSlack));
    }
    let plan = Plan::for_sequences(64).unwrap();
    let modulus = plan.modulus(&7_u32.into()).unwrap();
    assert_eq!(modulus.run(&sequence, &numbers[1..], &[]), Err(Refused::Numbers { expected: 5, found: 4 }));
    let wide = [power_of_two(64), 1_u32.into(), 1_u32.into(), 1_u32.into(), 1_u32.into()];
    assert_eq!(modulus.run(&sequence, &wide, &[]), Err(Refused::Number { bits: 64, found: 65 }));
    assert_eq!(modulus.run(&sequence, &numbers, &[]), Ok(vec![5_u32.into(); 2]), "no round changes nothing");
}

/// Steps over 3 inputs, 1, and 4 more variables, of which each is set before it is read.
fn steps() -> impl Strategy<Value = Vec<Step>> {
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn drawn_sequences(steps in steps(), bits in 32_u32..160, seed: u64, rounds: [bool; 4]) {
        if let Ok(sequence) = Sequence::new(3, steps, vec![0, 1, 2]) {
            let plan = Plan::for_sequences(bits).unwrap();
            let n = random(bits, seed) + 1_u32;
            let numbers = [1, 2, 3].map(|i| random(bits, seed.wrapping_add(i)));
            if let Ok(modulus) = plan.modulus(&n) {
                let expected = naive(&sequence, &n, &numbers, &rounds);
                prop_assert_eq!(modulus.run(&sequence, &numbers, &rounds), Ok(expected));
            }
        }
    }
}
