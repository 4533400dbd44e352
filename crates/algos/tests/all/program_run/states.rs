//! States: plain integers, and those that do not fit.

use limbforge_algos::cpu::program::{RunError, Runner};
use limbforge_algos::program::{Program, State, TypedProgram};
use limbforge_limb::{Batch, Layout};
use num_bigint::BigInt;

use super::ty;

const TEXT: &str = "in n: u100, t: u32, k: u16
let d = 3 mod n
var (y, c) = (2 mod n, 0)
repeat t { (y, c) = (sqr(y) + d, c + 1) }
require k != 2
out y, c";

fn program() -> TypedProgram {
    Program::parse(TEXT).unwrap().typed(&[]).unwrap()
}

fn batch(of: &str, values: &[u64]) -> Batch<u64> {
    Batch::from_u64s(ty(of), Layout::InstanceMajor, values).unwrap()
}

fn inputs() -> Vec<Batch<u64>> {
    vec![batch("u100", &[1_000_003]), batch("u32", &[10, 3, 0]), batch("u16", &[1, 2, 3])]
}

#[test]
fn a_state_holds_plain_integers() {
    let mut run = Runner::new(&program(), inputs(), 3).unwrap();
    assert!(!run.is_done());
    run.advance(4);
    let progress = run.progress();
    assert_eq!((progress.stage, progress.stages, progress.round, progress.rounds), (0, 2, 4, 10));
    let state = run.state();
    assert_eq!((state.stage, state.round, &state.failures[..]), (0, 4, &[][..]));
    let found: Vec<Vec<BigInt>> = state.values.iter().map(|(_, batch)| batch.to_bigints()).collect();
    let y = |rounds: u32| (0..rounds).fold(2_u64, |y, _| (y * y + 3) % 1_000_003);
    let ys = [4, 3, 0].map(|rounds| BigInt::from(y(rounds))).to_vec();
    assert!(found.contains(&ys) && found.contains(&[4, 3, 0].map(BigInt::from).to_vec()), "{found:?}");
    // 3 mod n is one for all.
    assert!(found.contains(&vec![BigInt::from(3)]), "{found:?}");
    run.advance(6);
    // The loop is found to be at its end when it is to go on.
    assert!(run.is_done());
    assert_eq!(run.state().failures.len(), 1);
    let (results, failures) = run.finish();
    assert_eq!(results[1].to_u64s().unwrap(), [10, 0, 0]);
    assert_eq!((failures[0].instance, failures[0].why.mark()), (1, "REQUIRE"));
    assert_eq!(&TEXT[failures[0].span.start as usize..failures[0].span.end as usize], "require k != 2");
}

#[test]
fn values_that_are_one_for_all_may_come_for_each_instance() {
    let mut run = Runner::new(&program(), inputs(), 3).unwrap();
    run.advance(2);
    let mut state = run.state();
    for (_, values) in &mut state.values {
        if values.instances() == 1 {
            *values = values.take(&[0, 0, 0]).unwrap().into_layout(Layout::Interleaved);
        }
    }
    let again = Runner::from_state(&program(), inputs(), 3, &state).unwrap();
    assert_eq!(again.finish(), run.finish());
}

fn error(state: &State) -> String {
    Runner::from_state(&program(), inputs(), 3, state).unwrap_err().to_string()
}

#[test]
fn states_of_other_programs_are_refused() {
    let mut run = Runner::new(&program(), inputs(), 3).unwrap();
    run.start();
    let state = run.state();
    assert!(error(&State { stage: 7, ..state.clone() }).contains("stage 7; expected one from 0 to 1"));
    let values = state.values[1..].to_vec();
    assert!(error(&State { values, ..state.clone() }).contains("values; expected"));
    let mut other = state.clone();
    other.values[0].1 = batch("u7", &[1, 2, 3]);
    assert!(error(&other).contains("3 integers of u7"), "{}", error(&other));
    let mut other = state;
    other.values[1].1 = Batch::zeros(other.values[1].1.ty(), Layout::InstanceMajor, 2).unwrap();
    assert!(error(&other).contains("the state has 2 integers"), "{}", error(&other));
}

#[test]
fn a_damaged_modulus_is_refused() {
    let text = "in a: u64\nlet n = 2 * a + 1\nvar x = 3 mod n\nrepeat 5 { x = sqr(x) }\nout x";
    let program = Program::parse(text).unwrap().typed(&[]).unwrap();
    let inputs = || vec![batch("u64", &[5, 6, 7])];
    let mut run = Runner::new(&program, inputs(), 3).unwrap();
    let mut state = run.state();
    let modulus = state.values.iter_mut().find(|(_, values)| values.to_u64s().unwrap() == [11, 13, 15]);
    modulus.unwrap().1 = batch("u64", &[11, 12, 15]);
    let error = Runner::from_state(&program, inputs(), 3, &state).unwrap_err();
    assert_eq!(error, RunError::StateModulus { instance: 1 });
}

#[test]
fn inputs_are_checked() {
    let new = |inputs: Vec<Batch<u64>>| Runner::new(&program(), inputs, 3).unwrap_err().to_string();
    assert!(new(inputs()[..2].to_vec()).contains("expected 3 inputs, found 2"));
    let mut other = inputs();
    other[1] = batch("u33", &[1, 2, 3]);
    assert_eq!(new(other), "input `t`: expected integers of u32, found u33");
    let mut other = inputs();
    other[2] = batch("u16", &[1, 2]);
    assert!(new(other).contains("input `k`: expected 3 integers (1 for each of 3 instances)"));
    assert!(Runner::new(&program(), inputs(), usize::MAX / 4).is_err());
}
