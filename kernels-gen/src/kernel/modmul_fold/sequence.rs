//! The kernel of sequences of products of sums: loops of programs over residues modulo one number.

use limbforge_algos::modmul_fold::FoldedSequence;
use minijinja::context;

use super::{Shape, instructions};
use crate::kernel::Kernel;
use crate::kernel::modmul_rns::put_step;
use crate::pipeline::rendered;
use crate::spec::{Limits, SpecError, Target};
use crate::template::{Template, Templates, render_source};

const SEQUENCE: &str = include_str!("../../../templates/modmul_fold_sequence.cu.j2");

/// From the given numbers, of which some may be one for all, to numbers that are the results modulo N. `has_bits` if
/// terms depend on the bits of rounds.
pub(crate) fn sequence(
    shape: &Shape,
    (sequence, has_bits): (&FoldedSequence, bool),
    broadcast: &[bool],
    (target, limits): (Target, &Limits),
) -> Result<Kernel, SpecError> {
    if !limits.matrices {
        return Err(SpecError::Matrices);
    }
    let Shape { words, warps, .. } = *shape;
    let strides: Vec<u32> = broadcast.iter().map(|&one| if one { 0 } else { words }).collect();
    let (numbers, variables, outputs) = (strides.len(), sequence.variables(), sequence.outputs().to_vec());
    let (constants, results) = (sequence.constants().len(), outputs.len());
    let step_words = step_words(sequence).len();
    let values = context! {
        spec => format!(
            "modmul_fold sequence words={words} strides={strides:?} variables={variables} constants={constants} \
             steps={step_words} results={outputs:?} round-bits={has_bits} warps={warps} target={target}"
        ),
        words,
        warps,
        variables,
        constants,
        step_words,
        numbers,
        strides,
        results,
        outputs,
        bits => has_bits,
        instructions => instructions(words, target)?,
        templates => Templates::of([Template::ModmulFoldSequence]).texts(),
    };
    let given: Vec<String> = (0..numbers).map(|i| format!("x{i}")).collect();
    let others = ["rows", "bits", "rounds", "steps", "constants"];
    let operands: Vec<&str> = given.iter().map(String::as_str).chain(others).collect();
    let kernel = rendered(render_source(SEQUENCE, values)?, &operands, shape.geometry(), limits)?;
    Ok(kernel.with_outputs(results))
}

/// The steps of a round as `templates/modmul_fold_sequence.cuh` reads them, behind the place of their end.
pub(crate) fn step_words(sequence: &FoldedSequence) -> Vec<u32> {
    let mut words = vec![0];
    sequence.steps().iter().for_each(|step| put_step(&mut words, step));
    words[0] = words.len() as u32;
    words
}

/// For each constant of sums how often it has the multiple of N, and its ones; one of zeros if there is none.
pub(crate) fn constant_words(sequence: &FoldedSequence) -> Vec<u32> {
    let words: Vec<u32> = sequence.constants().iter().flat_map(|c| [c.multiples, c.ones]).collect();
    if words.is_empty() { vec![0; 2] } else { words }
}

#[cfg(test)]
mod tests {
    use limbforge_algos::modmul_fold::Fold;
    use limbforge_algos::sequence::{Sequence, Step, Term};

    use super::*;

    #[test]
    fn steps_are_heads_and_terms() {
        let (x, y) = (Term::of(0), Term { coefficient: -3, variables: [0, 3] });
        let steps = vec![
            Step::Product { to: 3, factors: [vec![x], vec![x]] },
            Step::Product { to: 4, factors: [vec![x, y], vec![y]] },
            Step::Sum { to: 0, terms: vec![] },
        ];
        let sequence = Sequence::new(2, steps, vec![1]).unwrap();
        let folded = FoldedSequence::new(Fold::for_sequences(4).unwrap(), &sequence).unwrap();
        let plain = |v: u32| 1 | v << 8 | v << 20;
        let three = 253 | 3 << 20;
        // Variable 5 is the constant of both factors.
        let square = [3 | 3 << 2 | 1 << 14, plain(0)];
        let product = [1 | 4 << 2 | 3 << 14 | 2 << 19, plain(0), three, plain(5), three, plain(5)];
        let expected = [&[10], &square[..], &product, &[0]].concat();
        assert_eq!((step_words(&folded), constant_words(&folded)), (expected, vec![3, 3]));
    }
}
