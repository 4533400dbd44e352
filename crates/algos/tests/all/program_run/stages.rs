//! Stages, what is alive in them, and what is one for all instances.

use limbforge_algos::program::{Program, Stage, TypedProgram, Uniform, stages};

fn typed(text: &str) -> TypedProgram {
    let program = Program::parse(text).unwrap_or_else(|error| panic!("{}", error.report(text)));
    program.typed(&[]).unwrap_or_else(|error| panic!("{}", error.report(text)))
}

/// The texts of the nodes that compute the alive values of each stage.
fn alive<'t>(program: &TypedProgram, stage: &Stage, text: &'t str) -> Vec<&'t str> {
    let node = |value| program.body().nodes.iter().find(|node| node.results.contains(value)).unwrap().span;
    stage.alive.iter().map(node).map(|span| &text[span.start as usize..span.end as usize]).collect()
}

#[test]
fn values_are_alive_until_their_last_use() {
    let text = "in a: u64, n: u64
let (b, c, d) = (a * 2, a * 3, a * 5)
let x = (a mod n) * 7
var (s, t) = (b, 0)
repeat a { s = s + c }
let u = s * d
var y = x
for i in 0 .. u { y = sqr(y)
    t = t + 1 }
out y, t";
    let program = typed(text);
    let stages = stages(&program);
    assert_eq!(stages.len(), 3);
    let alive: Vec<_> = stages.iter().map(|stage| alive(&program, stage, text)).collect();
    // The first sum is carried; the modulus is an input; the constants are no values of a state.
    assert_eq!(alive[0], ["a * 3", "a * 5", "(a mod n) * 7"]);
    assert_eq!(alive[1], ["s * d"]);
    assert_eq!(alive[2].len(), 2, "the results");
    let held: Vec<usize> = stages.iter().map(|stage| stage.held(&program).len()).collect();
    assert_eq!(held, [4, 3, 2]);
    assert!(stages[2].cut.is_none() && stages[2].cut_loop(&program).is_none());
    let nodes: usize = stages.iter().map(|stage| stage.nodes.len() + usize::from(stage.cut.is_some())).sum();
    assert_eq!(nodes, program.body().nodes.len());
}

#[test]
fn a_computed_modulus_is_alive_as_long_as_its_residues() {
    let text = "in a: u64\nlet n = a * 2 + 1\nvar x = a mod n\nrepeat 3 { x = sqr(x) }\nout x";
    let program = typed(text);
    let stages = stages(&program);
    assert_eq!(alive(&program, &stages[0], text), ["a * 2 + 1"]);
    assert!(stages[1].alive.len() <= 3);
}

/// Whether each result is one for all, given which inputs are.
fn uniform(text: &str, inputs: &[bool]) -> Vec<bool> {
    let program = typed(text);
    let uniform = Uniform::new(&program, inputs);
    program.results().iter().map(|result| uniform.contains(result.parts[0].value)).collect()
}

#[test]
fn values_are_one_for_all_if_their_operands_are() {
    let text = "in a: u64, b: u64\nout x = a + 1, y = a + b, z = 7, w = a mod b, v = 3 mod a";
    assert_eq!(uniform(text, &[true, false]), [true, false, true, false, true]);
    assert_eq!(uniform(text, &[false, false]), [false, false, true, false, false]);
    assert_eq!(uniform(text, &[true, true]), [true; 5]);
}

#[test]
fn loops_and_branches_are_one_for_all_if_their_control_is() {
    let text = "in a: u64, b: u64
var (x, y, z) = (0, 0, 0)
repeat a { (x, y, z) = (x + 1, x, z + b) }
var w = 0
repeat b { w = w + 1 }
var (v, u) = (0, 0)
while v < a limit 9 { v = v + 1 }
while u < b limit 9 { u = u + 1 }
let t = if a > 3 { 1 } else { x }
let s = if b > 3 { 1 } else { x }
let r = if a > 3 { b } else { x }
out x, y, z, w, v, u, t, s, r";
    let expected = [true, true, false, false, true, false, true, false, false];
    assert_eq!(uniform(text, &[true, false]), expected);
    assert_eq!(uniform(text, &[true, true]), [true; 9]);
}

#[test]
fn what_a_loop_carries_late_is_followed_back() {
    // b comes to x after three rounds.
    let text =
        "in a: u64, b: u64\nvar (x, y, z) = (a, a, a)\nrepeat 5 { (x, y, z) = (y, z, b) }\nout x, y, z";
    assert_eq!(uniform(text, &[true, false]), [false; 3]);
    let text = "in a: u64, b: u64\nvar s = a\nfor i in a .. b { s = s + i }\nout s";
    assert_eq!(uniform(text, &[true, false]), [false]);
}
