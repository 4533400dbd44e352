//! Lists: rows in order, at once and in slices; lists that are full; states with lists.

use limbforge_algos::cpu::program::{RunError, Runner};
use limbforge_algos::program::{Program, State};
use num_bigint::BigInt;

use super::{COUNTS, SplitMix64, at_once, batches, check, given, random, ty, typed};

/// In loops of different counts, arms, functions and inner loops, of every type, of arrays and before failures.
const TEXT: &str = "in n: u100, x: i70, t: u8
list small: (u64, u8, bool) at most 100000
list residues: (mod n, i80, u32) at most 2**40
list one: u64 at most 10**6
fn note(y) { emit one(instance * 1000 + y) where y % 3 == 1
 y + 1 }
var y = x mod n
var k = 0
let many = [x, x + 1, x * 3] mod n
emit residues(many, x, element + 7) where [true, t > 9, false]
repeat t % 7 {
    y = sqr(y) + k
    emit small(instance, t, k == 2) where int(y) % 2 == 0
    emit residues(y + many, x - 1, element)
    if k > 2 { for i in 0 .. t % 4 { emit small(i, 9, true) } } else { emit one(u64(t)) }
    k = note(k)
    require k != 5 or t % 2 == 0
}
emit residues([y, y * y], 3, u32(k))
out y, k";

#[test]
fn rows_are_those_of_the_oracle() {
    let mut seed = SplitMix64::new(3);
    let mut failed = 0;
    for instances in COUNTS.into_iter().take(5) {
        let mut some =
            |bits: u32| -> Vec<BigInt> { (0..instances).map(|_| random(&mut seed, bits)).collect() };
        let n = some(90).into_iter().map(|n| n * 2 + 1).collect();
        let x = some(69).into_iter().map(|x| 5 - x).collect();
        let inputs = [("n", ty("u100"), n), ("x", ty("i70"), x), ("t", ty("u8"), some(8))];
        failed += check(TEXT, &inputs, instances, 2).len();
    }
    assert!(failed > 0);
}

#[test]
fn a_list_has_room_for_its_most_rows() {
    let text = |most: usize| {
        format!("in a: u8\nlist all: u8 at most {most}\nfor i in 0 .. a {{ emit all(i) }}\nout a")
    };
    let inputs = [given("a", "u8", [5, 0, 4])];
    let program = |most| typed(&Program::parse(&text(most)).unwrap(), &inputs);
    assert_eq!(at_once(&program(9), &inputs, 3).2[0].len(), 9);
    let program = program(8);
    let error = Runner::new(&program, batches(&program, &inputs), 3).unwrap().complete().unwrap_err();
    assert!(matches!(error, RunError::ListFull { most: 8, .. }), "{error}");
    let mut run = Runner::new(&program, batches(&program, &inputs), 3).unwrap();
    run.advance(4);
    assert_eq!(run.check_lists(), Ok(()));
    let state = run.state();
    assert_eq!(state.lists[0].instances(), [0, 0, 0, 0, 2, 2, 2, 2]);
    run.advance(1);
    assert!(run.check_lists().is_err());
    let resumed = Runner::from_state(&program, batches(&program, &inputs), 3, &state).unwrap();
    assert!(resumed.complete().is_err());
    let other = State { lists: vec![], ..state };
    let refused = Runner::from_state(&program, batches(&program, &inputs), 3, &other).unwrap_err();
    assert!(matches!(refused, RunError::StateLists { expected: 1, found: 0 }), "{refused}");
}

#[test]
fn a_program_may_have_lists_alone() {
    let text = "in a: u8\nlist odd: u8 at most 10\nemit odd(a) where a % 2 == 1";
    check(text, &[given("a", "u8", [5, 6, 7])], 3, 1);
}
