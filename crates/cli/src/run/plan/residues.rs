//! Loops over residues of one modulus, as a residue number system computes them, or why it does not.

use limbforge::algos::modmul_rns::Step;
use limbforge::algos::program::{Element, Stage, TypedProgram, residue_loop, stages};
use limbforge_kernels_gen::SequenceSpec;

/// A line for each loop of the top level that carries residues.
pub(super) fn lines(program: &TypedProgram) -> Vec<String> {
    stages(program).iter().enumerate().filter_map(|(i, stage)| line(program, i + 1, stage)).collect()
}

fn line(program: &TypedProgram, number: usize, stage: &Stage) -> Option<String> {
    let node = stage.cut_loop(program)?;
    let is_residue = |value| matches!(program.ty(value).element, Element::Residue(_));
    if !node.results.iter().copied().any(is_residue) {
        return None;
    }
    Some(match residue_loop(program, node) {
        Err(why) => format!("loop {number} in no residue number system: {why}"),
        Ok(found) if !SequenceSpec::exists(program.modulus(found.modulus).ty) => return None,
        Ok(found) => {
            let steps = found.sequence.steps();
            let is_square = |step: &&Step| matches!(step, Step::Product { factors: [a, b], .. } if a == b);
            let squares = steps.iter().filter(is_square).count();
            let sums = steps.iter().filter(|step| matches!(step, Step::Sum { .. })).count();
            format!(
                "loop {number} in a residue number system, which engines do not choose yet: a round has products: {}, \
                 of them squares: {squares}, sums: {sums}, variables: {}",
                steps.len() - sums,
                found.sequence.variables()
            )
        }
    })
}

#[cfg(test)]
mod tests {
    use limbforge::prelude::*;

    use super::*;

    fn lines_of(text: &str) -> Vec<String> {
        let ty = "u1024".parse().unwrap();
        lines(&Program::parse(text).unwrap().typed(&[("n", ty), ("x", ty)]).unwrap())
    }

    #[test]
    fn loops_say_what_a_round_has_or_why_they_are_none() {
        let text = "in n, x\nin t: u32\nvar i: u32 = t\nvar y = x mod n\nrepeat t { y = sqr(y) + 1 }\n\
                    repeat t { i = i + 1 }\nrepeat t { y = 1/y }\nout y, i";
        let found = lines_of(text);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("loop 1 in a residue number system"), "{found:?}");
        assert!(
            found[0].ends_with("a round has products: 1, of them squares: 1, sums: 1, variables: 3"),
            "{found:?}"
        );
        assert!(
            found[1].starts_with("loop 3 in no residue number system: its rounds have `residue Inverse`")
        );
    }
}
