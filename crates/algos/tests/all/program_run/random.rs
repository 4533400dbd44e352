//! Random integers, and the number of the instance.

use super::{COUNTS, at_once, check, given, typed};
use limbforge_algos::program::Program;
use num_bigint::BigInt;

/// Arrays, widths around words and blocks, seeds and counters of other types, negative ones too.
#[test]
fn random_integers_are_those_of_the_oracle() {
    let text = "in seed: i70, k: i9
let own = random(u131, seed, 32*instance + 7)
let many = [random(u64, seed, 4*instance + j) for j in 0 .. 4]
let few = random(i7, seed, [k, 1, -1])
var sum = u300(0)
for i in 0 .. 5 { sum = sum + random(u300, instance, i) }
fn coin(seed) = bit(random(u1, seed, instance), 0)
out own, many, few, sum, heads = coin(seed), wide = random(i257, 5, k), w = random(u128, k, 3), instance";
    for instances in COUNTS {
        let mut values = super::SplitMix64::new(5);
        let mut some =
            |bits: u32| -> Vec<BigInt> { (0..instances).map(|_| super::random(&mut values, bits)).collect() };
        let seeds: Vec<BigInt> = some(69).into_iter().map(|x| x - 1).collect();
        check(text, &[("seed", super::ty("i70"), seeds), ("k", super::ty("i9"), some(8))], instances, 2);
    }
}

/// Random123's known answers: the key and the counter of all ones have a counter of 64 bits here.
#[test]
fn random_integers_are_those_of_philox() {
    let text = "in seed: u64\nout x = random(u128, seed, 0), y = random(u32, seed, 0)";
    let inputs = [given("seed", "u64", [0])];
    let program = typed(&Program::parse(text).unwrap(), &inputs);
    let (results, ..) = at_once(&program, &inputs, 1);
    let answer = "9b00dbd8bc57ac4ce169c58d6627e8d5";
    assert_eq!(results[0].to_bigints()[0], BigInt::parse_bytes(answer.as_bytes(), 16).unwrap());
    assert_eq!(results[1].to_u64s().unwrap(), [0x6627_e8d5]);
}

/// A name of the program hides the number of the instance.
#[test]
fn a_variable_may_be_called_instance() {
    let text = "in a: u8\nvar instance = a\nrepeat 2 { instance = instance + 1 }\nout instance";
    check(text, &[given("a", "u8", [5, 6, 7])], 3, 1);
}
