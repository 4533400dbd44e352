//! Arrays in local memory: updates in place and of copies, carried by loops, in arms, in states and results.

use limbforge_algos::op::Why;
use limbforge_limb::num_bigint::BigInt;

use super::Run;

const INSTANCES: u64 = 5;

/// So many integers of each instance, of up to `bits` bits.
fn integers(seed: u64, each: u64, bits: u32) -> Vec<BigInt> {
    let mut state = seed | 1;
    let mut word = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        state >> 20
    };
    let number = |_| (0..6).fold(BigInt::from(word()), |x, _| (x << 44) + word()) % (BigInt::from(1) << bits);
    (0..INSTANCES * each).map(number).collect()
}

fn odd(numbers: Vec<BigInt>) -> Vec<BigInt> {
    numbers.into_iter().map(|x| x | BigInt::from(1)).collect()
}

fn check(text: &str, batches: &[(&str, &str, Vec<BigInt>)]) -> Vec<Option<(Why, u32)>> {
    let run = Run::straight(text, INSTANCES as usize, batches).unwrap();
    run.check_handed_over(2);
    run.check(&[1, 3]).failures
}

/// An array that something needs later is not changed by an update of it, nor by a loop that carries it.
#[test]
fn updates_of_copies_and_in_place() {
    let text = "in a: [u100; 9]
in k: u8
var b = a
b[k % 9] = 7
let c = b
for i in 0 .. 9 { b[i] = b[(i + k) % 9] + a[i] }
var (d, e) = (b, b)
for i in 0 .. 5 { d[i] = e[i + 1]\n (d, e) = (e, d) }
var f = c
if k % 2 == 0 { f[3] = 5\n f[k % 4] = 6 } else { f = d }
let g = select(k < 100, f, e)
out a2 = a, b, c, d, e, f, g, last = g[8] + f[k % 9]";
    check(text, &[("a", "u100", integers(5, 9, 100)), ("k", "u8", integers(6, 1, 8))]);
}

#[test]
fn nested_loops_that_carry_arrays() {
    let text = "in a: [i120; 10]
in b: [u31; 10]
in n
var (x, y, z) = (a, b, a mod n)
var t: [bool; 10] = false
for i in 0 .. 4 {
    var sums = z
    for k in 0 .. 10 {
        let e = 9 - k
        sums[e] = z[k] * sums[(k + i) % 10] + 1
        y[k] = y[e] ^ u31(x[k])
        x[e] = x[e] * 3 - i120(u64(y[k]))
        t[k] = x[e] < x[k]
    }
    z = sums
    repeat 2 { z[3] = z[4] + z[i]\n z[i] = sqr(z[i]) }
}
var q = 0
for v in x { q = q + u64(v & 255) }
while y[0] > 5 limit 40 { y[0] = y[0] / 2\n x[1] = x[1] + 1 }
out x, y, z, t, q, minus = -x, plain = int(z)";
    let n = odd(integers(9, 1, 131));
    check(text, &[("a", "i120", integers(7, 10, 119)), ("b", "u31", integers(8, 10, 31)), ("n", "u131", n)]);
}

/// Elements that the next round reads, which this one may change, and indices that wrap around.
#[test]
fn reads_of_loops() {
    let text = "in a: [u100; 20]
in k: u8
in n
var (x, y, z) = (a mod n, a, [u32(0) for j in 0 .. 20])
for i in 0 .. 20 { x[i] = x[i] * x[19 - i] + 1\n z[i] = z[i] + u32(y[19 - i]) }
for i in 0 .. k % 21 { y[19 - i] = y[19 - i] + y[i]\n z[i] = u32(i) ^ z[i] }
for i in 0 .. 20 { if i % 3 == 0 { x[k % 20] = x[i] } else { x[i] = x[i] + x[(i + 1) % 20] } }
for i in 0 .. 19 { x[i + 1] = x[i] * x[i + 1]\n y[i] = y[i + 1] + 1 }
var (s, e, f) = (0 mod n, u4(9), u8(250))
for i in 0 .. 18 { s = 3*s + x[e] + x[f % 20]\n e = e - 1\n f = f + 1 }
var r = u32(0)
while z[r] < 2**31 limit 19 { r = r + 1\n s = s + x[r] }
for i in 0 .. 3 { for j in 0 .. k % 7 { x[j] = x[j] - x[i]\n s = s * x[19 - j] } }
out x, y, z, s, r";
    let n = odd(integers(9, 1, 131));
    check(text, &[("a", "u100", integers(7, 20, 100)), ("k", "u8", integers(8, 1, 8)), ("n", "u131", n)]);
}

#[test]
fn indices_outside() {
    let text = "in a: [u100; 8]\nin k: u32\nvar x = a\nx[k % 9] = 1\nout x, y = x[(k + 1) % 10]";
    let k = [7, 8, 17, 3, 0].map(BigInt::from).to_vec();
    let failures = check(text, &[("a", "u100", integers(3, 8, 100)), ("k", "u32", k)]);
    let fails = |line| Some((Why::Index, line));
    assert_eq!(failures, [fails(5), fails(4), fails(4), None, None].map(|found| found));
}

/// One inversion for all elements; an instance fails where one element has no inverse.
#[test]
fn quotients_of_arrays() {
    let text = "in a: [u131; 9]
in b: [u131; 9]
in n
let (x, y) = (a mod n, b mod n)
let q = x / y
out q, back = q * y == x, inverses = int(1 / (x * x + 1))";
    let mut n = odd(integers(9, 1, 131));
    n[2] = (BigInt::from(1) << 131) - 69;
    n[4] = BigInt::from(1_000_003);
    let b = odd(integers(8, 9, 131));
    let failures = check(text, &[("a", "u131", integers(7, 9, 131)), ("b", "u131", b), ("n", "u131", n)]);
    assert!(failures.contains(&None) && failures.iter().any(Option::is_some), "{failures:?}");
}

/// An instance that fails has zeros in all its results, and its mark, where inputs are results and carried as they are.
#[test]
fn failures_beside_arrays_of_inputs() {
    let text = "in a: [u100; 8]
in b: [u100; 9]
in k: u32
var (x, y, s) = (a, b, u32(1))
require k < 12
repeat 3 { s = s * k\n x[3] = x[s % 9] }
require k > 1
out s, a2 = a, t = s + 1, b2 = b, x, y";
    let k = [7, 20, 1, 9, 11].map(BigInt::from).to_vec();
    let (a, b) = (integers(3, 8, 100), integers(4, 9, 100));
    let failures = check(text, &[("a", "u100", a), ("b", "u100", b), ("k", "u32", k)]);
    let whys: Vec<Option<Why>> = failures.iter().map(|failure| failure.map(|(why, _)| why)).collect();
    assert_eq!(whys[1..3], [Some(Why::Require), Some(Why::Require)], "{failures:?}");
    assert!(whys.contains(&None) || whys.contains(&Some(Why::Index)), "{failures:?}");
}

/// The additive walk of `examples/walks/walk.lf`, modulo numbers of the curve's width and of full words. From 64
/// points on the table is in shared memory.
#[test]
fn walks() {
    let path = format!("{}/../examples/walks/walk.lf", env!("CARGO_MANIFEST_DIR"));
    let sample = std::fs::read_to_string(path).unwrap().replace("const K = 32", "const K = 8");
    let one = |seed, each, bits| integers(seed, each, bits)[..each as usize].to_vec();
    for (bits, c, table) in [(131_u32, 69, 16_u64), (131, 69, 100), (256, 189, 64), (190, 11, 64)] {
        let ty = &*format!("u{bits}");
        let text = sample.replace("const R = 1024", &format!("const R = {table}")).replace("u131", ty);
        let batches = [
            ("p", ty, vec![(BigInt::from(1) << bits) - c]),
            ("x0", ty, integers(1, 8, bits - 1)),
            ("y0", ty, integers(2, 8, bits - 1)),
            ("u", ty, one(3, table, bits - 1)),
            ("v", ty, one(4, table, bits - 1)),
            ("steps", "u32", vec![BigInt::from(4)]),
        ];
        assert_eq!(check(&text, &batches), [None; 5]);
    }
}
