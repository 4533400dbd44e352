//! Residues: moduli of each instance or one for all, of 1 to 5000 bits, and numbers that are no moduli.

use limbforge_algos::expr::random::SplitMix64;
use num_bigint::BigInt;

use super::{COUNTS, check, given, random};

/// All operations of residues.
const TEXT: &str = "
in a, b, n
in e: i8
let (x, y) = (a, b) mod n
let table = [x ** k for k in 0 .. 4]
var r = x * y + x - sqr(y)
for digit in digits(b, 2) { repeat 2 { r = sqr(r) }
    r = r * table[digit] - y / 2 ** 3 }
let h = -r / 2 ** 70
let v = if bit(b, 0) { table * y } else { table + h }
out i = int(h), key = key(h), v, same = h == r, symbol = jacobi(r)
let p = (y + 1) ** e
let inverses = 1 / ([x, p, y] mod n)
out p, inverses, q = a / (b mod n)
";

fn moduli(seed: &mut SplitMix64, bits: u32, count: usize) -> Vec<BigInt> {
    let power = BigInt::from(1) << bits;
    let mut all: Vec<BigInt> = (0..count).map(|_| random(seed, bits) | BigInt::from(1)).collect();
    all[0] = &power - 1;
    all[1] = BigInt::from(1);
    all[2] = (BigInt::from(1) << (bits - 1)) | BigInt::from(1);
    all[3] = BigInt::ZERO;
    all[4] = (&power - 2) & (power - 1);
    all
}

#[test]
fn residues_are_those_of_the_oracle() {
    let mut seed = SplitMix64::new(11);
    let mut marks = vec![];
    for bits in [1, 2, 3, 8, 31, 64, 65, 128, 512, 1000, 1024, 1025, 1090] {
        let of = format!("u{bits}");
        let n = moduli(&mut seed, bits, 24);
        let mut draw = || (0..24).map(|_| random(&mut seed, bits)).collect::<Vec<_>>();
        let (a, b, e) = (draw(), draw(), given("e", "i8", (0..24).map(|i| 17 * i % 40 - 20)));
        let all = |values: &[BigInt], name| given(name, &of, values.to_vec());
        let slice = 1 + u64::from(bits) / 20;
        marks.extend(check(TEXT, &[all(&a, "a"), all(&b, "b"), all(&n, "n"), e.clone()], 24, slice));
        for modulus in [0, 2, 3, 4, 9] {
            let one = all(&n[modulus..=modulus], "n");
            marks.extend(check(TEXT, &[all(&a, "a"), all(&b[..1], "b"), one, e.clone()], 24, slice + 1));
        }
        let e = given("e", "i8", [-3]);
        marks.extend(check(TEXT, &[all(&a[..1], "a"), all(&b[..1], "b"), all(&n[..1], "n"), e], 24, slice));
    }
    for mark in ["DIV0", "EVEN", "NOINVERSE"] {
        assert!(marks.contains(&mark), "no instance fails with {mark}");
    }
}

#[test]
fn wide_residues_are_those_of_the_oracle() {
    let text = "in a, n\nvar x = a mod n\nfor i in 0 .. 3 { x = sqr(x) - i }\nout x, y = 1 / (2 * x + 1), z = x ** 11";
    let mut seed = SplitMix64::new(12);
    for bits in [2048, 3001, 4999, 5000] {
        let (of, n) = (format!("u{bits}"), moduli(&mut seed, bits, 6));
        let a: Vec<BigInt> = (0..6).map(|_| random(&mut seed, bits)).collect();
        check(text, &[given("a", &of, a.clone()), given("n", &of, n.clone())], 6, 1);
        check(text, &[given("a", &of, a), given("n", &of, n[..1].to_vec())], 6, 2);
    }
}

#[test]
fn signed_moduli_and_numbers_are_reduced() {
    let text = "in a: i65, n: i65\nlet x = a mod n\nout x, y = x ** 3 - 5, z = -7 * x, s = jacobi(x)";
    let a = (-30..30).map(|i| BigInt::from(i) << (i + 30));
    let n = (-30..30).map(|i| BigInt::from(3 * i + 1));
    let marks = check(text, &[given("a", "i65", a), given("n", "i65", n)], 60, 1);
    assert!(marks.contains(&"DIV0") && marks.contains(&"EVEN"));
}

#[test]
fn any_number_of_instances_runs() {
    let text = "in b, e, n\nvar x = 1 mod n\nfor bit in bits(e) { x = sqr(x)\nif bit { x = x * b } }\nout x";
    for instances in COUNTS {
        let n = given("n", "u70", (0..instances).map(|i| 3 * i + 1));
        let one = |name| given(name, "u70", [77]);
        check(text, &[one("b"), given("e", "u70", (0..instances).map(|i| i % 90)), n.clone()], instances, 2);
        check(text, &[one("b"), one("e"), n], instances, 3);
        check(text, &[given("b", "u70", 0..instances), one("e"), one("n")], instances, 1);
    }
}

#[test]
fn moduli_fail_where_they_are_met_first() {
    // Only where k > 1, and then before the division by zero.
    let text = "in a, n\nin k: u8\nvar s = 0\nfor i in 0 .. 4 { if i < k and k > 1 { s = int(a mod n) + s } }\nout s, q = s / (k - 3)";
    let n = [0_u32, 4, 5, 0, 8, 7, 9];
    let inputs = [given("a", "u32", 1..8), given("n", "u32", n), given("k", "u8", [0, 1, 2, 3, 4, 3, 2])];
    let marks = check(text, &inputs, 7, 1);
    assert_eq!(marks, ["DIV0", "EVEN", "DIV0"]);
}
