//! Each kind of node, instances that go different ways, and failures.

use limbforge_algos::op::Why;
use limbforge_limb::num_bigint::BigInt;

use super::{Run, ints};

const INSTANCES: usize = 7;

/// Numbers of up to `bits` bits that look random, and small ones.
fn numbers(seed: u64, bits: u32) -> Vec<BigInt> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut word = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let number = |i: usize| -> BigInt {
        let mut x = BigInt::from(word());
        while x.bits() < u64::from(bits) && i > 1 {
            x = (x << 64) + word();
        }
        x % (BigInt::from(1) << if i < 2 { 5 } else { bits })
    };
    (0..INSTANCES).map(number).collect()
}

fn odd(numbers: Vec<BigInt>) -> Vec<BigInt> {
    numbers.into_iter().map(|x| x.clone() + 1 - x % 2).collect()
}

/// Runs a program over random numbers a, b, c of these types, whole and in slices.
pub(super) fn check(text: &str, types: [&str; 3]) -> Vec<Option<(Why, u32)>> {
    let bits = |ty: &str| ty[1..].parse::<u32>().unwrap() - u32::from(ty.starts_with('i'));
    let names = ["a", "b", "c"];
    let declared = |name: &str| text.lines().any(|line| line.starts_with("in ") && line[3..].contains(name));
    let batches: Vec<(&str, &str, Vec<BigInt>)> = (0..3)
        .filter(|&i| declared(names[i]))
        .map(|i| (names[i], types[i], numbers(i as u64 + 3, bits(types[i]))))
        .map(|(name, ty, x)| (name, ty, if name == "c" { odd(x) } else { x }))
        .collect();
    Run::new(text, INSTANCES, &batches).check(&[3]).failures
}

#[test]
fn integers_of_all_widths() {
    let text = "in a, b\nlet c = a + b\nlet d = (a - b)*c ^ (a & b | ~b)\nlet e = a / (b | 1) + a % (b | 1)
let s = u32(a) * u32(b) - u32(d)\nlet t = i64(a) / (i64(b) | 1) + i64(s)
out c, d, e, s, t, less = a < b, least = min(a, b), greatest = max(c, d), h = (a >> 7) + (b << 9), g = gcd(a, b)
out wide = u64(s) << 40, n = bit_length(a), m = bit_length(t), w = u256(s) + u256(d), bit3 = bit(a, 3), root = isqrt(a)";
    for ty in ["u100", "u500", "u64", "u33"] {
        check(text, [ty, ty, ty]);
    }
}

#[test]
fn signed_integers() {
    let text = "in a, b\nlet d = a - b\nlet e = d / (b | 1) + d % (b | 1)\nlet f = -a * b
let x = i32(d)
out d, e, f, less = d < f, s = d >> 5, h = min(d, -d), n = bit_length(d), g = gcd(d, f), x, y = u300(d), z = i400(x)";
    for ty in ["i100", "i512", "i64", "i20"] {
        check(text, [ty, ty, ty]);
    }
}

/// Constants of type `bool`: in the top region, in a loop, in an array and as a variable.
#[test]
fn truth_values() {
    let text = "in a, b, c\nvar found = false\nvar n = u32(0)\nlet t = [true, a < b, false]
while not found limit 9 {\n    n = n + 1\n    found = if n == bit_length(a) { true } else { n >= 7 }\n}
out n, found, t, x = (true mod c) + a, y = select(false or t[1], a, b)";
    for ty in ["u100", "u33"] {
        check(text, [ty, ty, ty]);
    }
}

#[test]
fn residues() {
    let text = "in a, b, c
let x = a mod c\nlet y = b mod c\nlet z = x*y - 3*x + y / 2**5 - 7
let p = x ** 77 + y ** 0 - (a ** b mod c) * (2 ** b mod c)
out z = int(z), key = key(z), p = int(p), q = x == y, r = int(-z), j = jacobi(x), w = int(y * (5 / 2**32 mod c)), neg = int(x * (-3))";
    for ty in ["u200", "u512", "u1100", "u40"] {
        check(text, [ty, ty, ty]);
    }
}

#[test]
fn inverses_fail_where_there_is_none() {
    let text = "in a, b, c\nlet x = a mod c\nlet y = 1 / x\nlet z = y ** -3\nout y, z, v = x*y == 1";
    let failures = check(text, ["u300", "u300", "u300"]);
    assert!(failures.contains(&None));
    let text = "in a, c\nlet x = 3*a mod 3*c\nout y = 1 / x";
    let failures = check(text, ["u300", "u300", "u300"]);
    assert!(failures.contains(&Some((Why::NoInverse, 3))));
}

#[test]
fn loops_and_branches_that_differ() {
    let text = "in a, b, c
var x = a
var count = 0
while x > 1 limit 200 {
    if x % 2 == 0 { x = x / 2 } else { x = x - 1 }
    count = count + 1
}
var y = b mod c
repeat a % 5 {
    if int(y) % 3 == 0 { y = sqr(y) + 1 } else {
        for i in 1 .. count % 4 { y = y * i + 2 }
    }
}
out count, y";
    for ty in ["u100", "u96"] {
        check(text, [ty, ty, ty]);
    }
    let text = text.replace("limit 200", "limit 30");
    assert!(check(&text, ["u100", "u100", "u100"]).contains(&Some((Why::Limit, 4))));
}

#[test]
fn failures_stop_instances_where_they_are() {
    let text = "in a, b, c
let q = a / (b % 3)
require a % 4 != 1
let t = [a, b, c, a + b]
let e = t[u32(a % 6)]
let r = e mod c
out q, e, r = int(r)";
    let failures = check(text, ["u90", "u90", "u90"]);
    let marks: Vec<Why> = failures.iter().flatten().map(|(why, _)| *why).collect();
    assert!(marks.contains(&Why::DivisionByZero), "{failures:?}");
}

#[test]
fn arrays() {
    let text = "in a, b, c
var t: [u64; 5] = 7
var v = [a, b, c]
for i in 0 .. 5 {
    t[i] = t[(i + 2) % 5] + u64(v[i % 3])
    v[(i + 1) % 3] = v[i % 3] * 3 + i
}
let sums = v + [b, c, a]
var best = 0
for x in t { best = max(best, x) }
let powers = [(a mod c) ** k for k in 0 .. 8]
var p = 1 mod c
for d in digits(b, 3) { p = p ** 8 * powers[d] }
out t, v, sums, best, p = int(p)";
    check(text, ["u120", "u120", "u120"]);
}

#[test]
fn several_moduli() {
    let text = "in a, b, c
let n = b | 1
var x = a mod c
var y = a mod n
repeat 5 { (x, y) = (sqr(x) + int(y), sqr(y) + int(x)) }
out x, y";
    check(text, ["u150", "u150", "u150"]);
}

#[test]
fn exponents_one_for_all() {
    let text = "in a, c\nin e\nvar (x, y) = (1, a) mod c
for bit in bits(e) { (x, y) = swap(bit, x, y)\n (x, y) = (sqr(x), x*y)\n (x, y) = swap(bit, x, y) }
var z = 1 mod c
for bit in bits(e) after 2 { z = sqr(z)\n if bit { z = z * 3 } }
out x, y, z";
    let (a, c) = (numbers(1, 180), odd(numbers(2, 180)));
    let e = vec![BigInt::from(3).pow(200)];
    Run::new(text, INSTANCES, &[("a", "u190", a), ("c", "u190", c), ("e", "u2000", e)]).check(&[100]);
}

#[test]
fn ranges_of_signed_numbers_and_bits() {
    let text = "in a: i16\nin b: u16\nvar s = 0\nfor i in -3 .. i64(a % 9) { s = s + i*i }
var k = 0\nfor bit in bits(a) { k = 2*k + select(bit, 1, 0) }
var d = 0\nfor x in digits(b, 5) { d = 32*d + u64(x) }
out s, k, d, t = bit(a, 15), u = bit(b, 40)";
    let a = ints(&[0, 5, 77, 32767]).into_iter().chain([-1, -32768, -5].map(BigInt::from)).collect();
    Run::new(text, INSTANCES, &[("a", "i16", a), ("b", "u16", ints(&[0, 1, 65535, 99, 32, 31, 1024]))])
        .check(&[4]);
}
