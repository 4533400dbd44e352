//! Loops over residues of one modulus that products of matrices compute, or why they do not.

use limbforge::algos::program::{Element, Stage, TypedProgram, residue_loop, stages};
use limbforge::algos::sequence::Step;
use limbforge_kernels_gen::{Product, SequenceSpec};

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
    let found = match residue_loop(program, node) {
        Err(why) => return Some(format!("loop {number} not by products of matrices: {why}")),
        Ok(found) => found,
    };
    let ty = program.modulus(found.modulus).ty;
    let forms = [
        (Product::Rns, "in a residue number system"),
        (Product::Fold, "by folds if its modulus is one for all instances"),
    ];
    let forms: Vec<&str> =
        forms.iter().filter(|(product, _)| SequenceSpec::exists(*product, ty)).map(|(_, how)| *how).collect();
    if forms.is_empty() {
        return None;
    }
    let steps = found.sequence.steps();
    let is_square = |step: &&Step| matches!(step, Step::Product { factors: [a, b], .. } if a == b);
    let squares = steps.iter().filter(is_square).count();
    let sums = steps.iter().filter(|step| matches!(step, Step::Sum { .. })).count();
    Some(format!(
        "loop {number} by products of matrices where that was measured to be faster: {}; a round has products: {}, of \
         them squares: {squares}, sums: {sums}, variables: {}",
        forms.join(", or "),
        steps.len() - sums,
        found.sequence.variables()
    ))
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
        assert!(
            found[0].starts_with(
                "loop 1 by products of matrices where that was measured to be faster: in a residue number"
            ),
            "{found:?}"
        );
        assert!(
            found[0].ends_with("a round has products: 1, of them squares: 1, sums: 1, variables: 3"),
            "{found:?}"
        );
        assert!(
            found[1].starts_with("loop 3 not by products of matrices: its rounds have `residue Inverse`")
        );
    }
}
