//! The kernel of sequences of products of sums: loops of programs over residues.

use limbforge_algos::sequence::{Sequence, Step, Term, Variable};
use minijinja::context;

use super::render::{joining, kernel};
use super::{Shape, System};
use crate::invariant::broken_invariant;
use crate::kernel::Kernel;
use crate::spec::{Limits, SpecError, Target};

pub(super) const SEQUENCE: &str = include_str!("../../../templates/modmul_rns_sequence.cu.j2");

/// The residues in base 2 of the results of a sequence; the last result are its variables. `has_bits` if
/// terms depend on the bits of rounds.
pub(crate) fn sequence(
    system: &System,
    shape: &Shape,
    (sequence, has_bits): (&Sequence, bool),
    (target, limits): (Target, &Limits),
) -> Result<Kernel, SpecError> {
    let Shape { residues, tiles, team_warps, teams, stages, .. } = *shape;
    if shape.warpgroups {
        broken_invariant("a sequence of products is by warps");
    }
    let (numbers, variables, results) = (sequence.inputs(), sequence.variables(), sequence.outputs().len());
    let values = context! {
        spec => format!(
            "modmul_rns sequence bits={} numbers={numbers} variables={variables} results={results} \
             round-bits={has_bits} tiles={tiles} team={team_warps} teams={teams} stages={stages} target={target}",
            system.plan().bits
        ),
        residues,
        joining => joining(shape),
        tiles,
        team_warps,
        teams,
        stages,
        numbers,
        variables,
        results,
        bits => u32::from(has_bits),
    };
    let states: Vec<String> = (0..numbers).map(|i| format!("state{i}")).collect();
    let others = ["moduli", "bits", "rounds", "steps", "constants", "rows"];
    let operands: Vec<&str> = states.iter().map(String::as_str).chain(others).collect();
    Ok(kernel(SEQUENCE, values, &operands, shape.geometry(), target, limits)?.with_outputs(results + 1))
}

/// Words of 32 bits of an instance's variables, with those of P^2 mod N, 1 and the results.
pub(crate) fn variable_words(sequence: &Sequence, shape: &Shape) -> u64 {
    let all = u64::from(sequence.variables()) + 2 + sequence.outputs().len() as u64;
    all * 2 * u64::from(shape.padded())
}

/// The steps as `templates/modmul_rns_walk.cuh` reads them: with those that bring the given numbers and 1
/// into Montgomery's form before the rounds, and those that bring the results out of it behind them.
pub(crate) fn step_words(sequence: &Sequence) -> Vec<u32> {
    let one = Sequence::one(sequence.inputs());
    let [square_of_p, plain_one] = [sequence.variables(), sequence.variables() + 1];
    let product =
        |to, [a, b]: [Variable; 2]| Step::Product { to, factors: [a, b].map(|v| vec![Term::of(v)]) };
    let mut words = vec![0; 4];
    for number in 0..sequence.inputs() {
        put_step(&mut words, &product(number, [number, square_of_p]));
    }
    put_step(&mut words, &product(one, [plain_one, square_of_p]));
    words[0] = words.len() as u32;
    sequence.steps().iter().for_each(|step| put_step(&mut words, step));
    words[1] = words.len() as u32;
    for (result, &output) in (plain_one + 1..).zip(sequence.outputs()) {
        put_step(&mut words, &product(result, [output, plain_one]));
    }
    words[2] = words.len() as u32;
    words
}

/// Adds a step: a head and its terms.
pub(crate) fn put_step(words: &mut Vec<u32>, step: &Step) {
    let of = |terms: &[Term]| terms.iter().map(term).collect::<Vec<u32>>();
    let head = |kind: u32, first: &[u32], second: &[u32]| {
        kind | u32::from(step.to()) << 2 | (first.len() as u32) << 14 | (second.len() as u32) << 19
    };
    match step {
        Step::Product { factors: [a, b], .. } if a == b => {
            let terms = of(a);
            words.push(head(3, &terms, &[]));
            words.extend(terms);
        }
        Step::Product { factors: [a, b], .. } => {
            let [a, b] = [of(a), of(b)];
            words.push(head(1, &a, &b));
            words.extend([a, b].concat());
        }
        Step::Sum { terms, .. } => {
            let terms = of(terms);
            words.push(head(0, &terms, &[]));
            words.extend(terms);
        }
    }
}

fn term(term: &Term) -> u32 {
    let [zero, one] = term.variables.map(u32::from);
    u32::from(term.coefficient.cast_unsigned()) | zero << 8 | one << 20
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_words_between_those_of_the_numbers() {
        let (x, y) = (Term::of(0), Term { coefficient: -3, variables: [0, 3] });
        let steps = vec![
            Step::Product { to: 3, factors: [vec![x], vec![x]] },
            Step::Product { to: 4, factors: [vec![x, y], vec![y]] },
            Step::Sum { to: 0, terms: vec![] },
        ];
        let sequence = Sequence::new(2, steps, vec![1]).unwrap();
        let plain = |v: u32| 1 | v << 8 | v << 20;
        // Numbers 0 and 1 and the one, variable 2, by P^2, variable 5; 6 is the number 1, and 7 the result.
        let entering =
            [0, 1, 2].map(|to| [1 | to << 2 | 1 << 14 | 1 << 19, plain([0, 1, 6][to as usize]), plain(5)]);
        let three = 253 | 3 << 20;
        let round =
            [3 | 3 << 2 | 1 << 14, plain(0), 1 | 4 << 2 | 2 << 14 | 1 << 19, plain(0), three, three, 0];
        let leaving = [1 | 7 << 2 | 1 << 14 | 1 << 19, plain(1), plain(6)];
        let all = [&[13, 20, 23, 0], entering.as_flattened(), &round, &leaving].concat();
        assert_eq!(step_words(&sequence), all);
    }
}
