//! Sequences of products of sums by folds, against the same steps over num-bigint.

use limbforge_algos::modmul_fold::{Constant, Fold, FoldedSequence, NotRun, TooWide};
use limbforge_algos::sequence::{Sequence, Step, Term};
use limbforge_testing::sequence::{ladder, naive, steps};
use num_bigint::BigUint;
use proptest::prelude::*;

use super::power_of_two;

fn folded(words: u32, sequence: &Sequence) -> FoldedSequence {
    FoldedSequence::new(Fold::for_sequences(words).unwrap(), sequence).unwrap()
}

/// Moduli of all lengths: even, short, powers of two and beside them, 0.
fn moduli(words: u32) -> Vec<BigUint> {
    let bits = 32 * u64::from(words);
    let top = power_of_two(bits);
    let mut moduli = vec![&top - 1_u32, &top - 2_u32, power_of_two(bits - 1), power_of_two(bits - 1) + 1_u32];
    moduli.extend([0_u32, 1, 2, 3, 6, u32::MAX].map(BigUint::from));
    moduli.push(&top / 3_u32);
    moduli
}

#[test]
fn a_ladder_of_structured_moduli() {
    let sequence = ladder();
    for words in [1, 2, 7, 16, 33, 62] {
        let folded = folded(words, &sequence);
        for (i, n) in moduli(words).into_iter().enumerate() {
            let largest = power_of_two(32 * u64::from(words)) - 1_u32;
            let numbers = [&largest / 5_u32, 2_u32.into(), 1_u32.into(), largest.clone(), largest / 7_u32];
            let rounds: Vec<bool> = (0..9).map(|round| (round * i) % 3 == 1).collect();
            let expected = naive(&sequence, &n, &numbers, &rounds);
            assert_eq!(folded.run(&n, &numbers, &rounds), Ok(expected), "{words} words: {n}");
        }
    }
}

/// Negative numbers that are left are multiplied by 1 where they would grow from round to round.
#[test]
fn sums_that_grow_are_products() {
    let [x, y] = [0, 1].map(Term::of);
    let negated = |to, of: Term| Step::Sum { to, terms: vec![of.times(-1)] };
    let square = Step::Product { to: 3, factors: [vec![x], vec![y]] };
    let sequence = Sequence::new(2, vec![square, negated(0, x), negated(1, y)], vec![0, 1]).unwrap();
    let folded = folded(2, &sequence);
    let products = folded.steps().iter().filter(|step| matches!(step, Step::Product { .. })).count();
    assert_eq!((products, folded.constants()), (3, &[Constant { multiples: 1, ones: 1 }][..]));
    let numbers = [7_u32, 9].map(BigUint::from);
    for rounds in 0..12 {
        let (n, bits) = (BigUint::from(u64::MAX), vec![false; rounds]);
        assert_eq!(folded.run(&n, &numbers, &bits).unwrap(), naive(&sequence, &n, &numbers, &bits));
    }
}

/// The largest coefficients of both signs, and of variables that are sums themselves.
#[test]
fn sums_at_their_bounds() {
    let [x, y, s] = [0, 1, 3].map(Term::of);
    for [a, b] in [[16, 16], [-16, 16], [-16, -16]] {
        let steps = vec![
            Step::Sum { to: 3, terms: vec![x.times(a / 8), y.times(-2)] },
            Step::Product { to: 0, factors: [vec![x.times(a)], vec![y.times(b)]] },
            Step::Product { to: 1, factors: [vec![s.times(-4)], vec![s.times(3), x.times(-4)]] },
        ];
        let sequence = Sequence::new(2, steps, vec![0, 1]).unwrap();
        for words in [1, 2, 16, 62] {
            let folded = folded(words, &sequence);
            for n in moduli(words) {
                let largest = power_of_two(32 * u64::from(words)) - 1_u32;
                let numbers = [largest.clone(), largest];
                let expected = naive(&sequence, &n, &numbers, &[false; 4]);
                assert_eq!(folded.run(&n, &numbers, &[false; 4]), Ok(expected), "{words} words: {n}");
            }
        }
    }
}

#[test]
fn refused_numbers() {
    let folded = folded(2, &ladder());
    let numbers = [5_u32; 5].map(BigUint::from);
    let wide = TooWide { words: 2, found: 65 };
    let n = BigUint::from(7_u32);
    assert_eq!(folded.run(&n, &numbers[1..], &[]), Err(NotRun::Numbers { expected: 5, found: 4 }));
    assert_eq!(folded.run(&power_of_two(64), &numbers, &[]), Err(NotRun::TooWide(wide)));
    let mut last = numbers.clone();
    last[4] = power_of_two(64);
    assert_eq!(folded.run(&n, &last, &[]), Err(NotRun::TooWide(wide)));
    assert_eq!(folded.run(&n, &numbers, &[]), Ok(vec![5_u32.into(); 2]), "no round changes nothing");
}

proptest! {
    #[test]
    fn drawn_sequences(
        steps in steps(),
        words in 1_u32..=62,
        digits in prop::array::uniform4(prop::collection::vec(any::<u32>(), 62)),
        kept in 0_u64..1984,
        rounds: [bool; 4],
    ) {
        if let Ok(sequence) = Sequence::new(3, steps, vec![0, 1, 2]) {
            let [n, numbers @ ..] = digits.map(|digits| BigUint::new(digits[..words as usize].to_vec()));
            let n = n >> (kept % (32 * u64::from(words)));
            let expected = naive(&sequence, &n, &numbers, &rounds);
            prop_assert_eq!(folded(words, &sequence).run(&n, &numbers, &rounds), Ok(expected));
        }
    }
}
