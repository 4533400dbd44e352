//! Integers: every kind of node, loops within loops, zero rounds, failures in the middle of loops.

use limbforge_algos::expr::random::SplitMix64;
use num_bigint::BigInt;

use super::{COUNTS, check, given, random};

/// Loops of different counts within each other; instances fail in each of them.
const WALK: &str = "
in x: u16, times: u16
var (a, b, steps) = (x, 1, 0)
repeat times {
    (a, b) = (b + 2, a)
    while a < 50 limit 2 { a = a * 3 + b
        steps = steps + 1 }
    if a & 1 == 1 {
        require a != 101
        a = a / (b & 7)
    }
}
out a, b, steps
";

#[test]
fn loops_end_for_each_instance_by_itself() {
    let mut marks = vec![];
    for instances in COUNTS {
        let x = given("x", "u16", (0..instances as u64).map(|i| i * i % 211));
        let times = given("times", "u16", (0..instances as u64).map(|i| i % 12));
        marks.extend(check(WALK, &[x.clone(), times], instances, 1 + instances as u64 % 3));
        for rounds in [0, 7] {
            check(WALK, &[x.clone(), given("times", "u16", [rounds])], instances, 2);
        }
    }
    for mark in ["LIMIT", "DIV0", "REQUIRE"] {
        assert!(marks.contains(&mark), "no instance fails with {mark}: {marks:?}");
    }
}

/// Programs of two integers a and b of one type and a small index k.
const TEXTS: &[&str] = &[
    "out s = a + b, d = a - b, p = a * b, w = mul_wide(a, b), v = sqr_wide(a)",
    "out q = a / b, r = a % b, g = gcd(a, b)",
    "out l = a << k, r = a >> k, n = a << -i64(k), f = a >> 100000, z = (a >> b) + (a << b)",
    "out l = bit_length(a), b0 = bit(a, k), far = bit(a, b), n = bit(a, -1)",
    "out x = (a < b) + (a == b), y = a < b and not (b < a) or a == 3, z = select(a < b, a, b), m = max(a, b)",
    "out n = u7(a), s = i9(a), w = i2000(a), u = u1500(b), t = u64(a < b), r = i64(a) + i64(b)",
    "out p = popcount(a), c = clz(a), r = rotl(a, 3), x = a ** 5, s = divisible(a, 3)",
    "var s = 0\nfor i in 0 .. k { s = s + a * i }\nfor i in k .. 9 after 2 { s = s * b + i }\nout s",
    "var (s, t) = (a, b)\nfor bit in bits(a) { if bit { (s, t) = (t, s + b) } else { s = s + 1 } }\nout s, t",
    "var s = b\nfor d in digits(a, 5) after 1 { s = s * 31 + d }\nfor d in digits(b, 7) { s = s - d }\nout s",
    "var (x, y, z) = (a, b, a ^ b)\nrepeat k { (x, y, z) = (y, z, x) }\nrepeat 2 { (x, y) = (y, x) }\nout x, y, z",
    "var v = [a, b, a + b]\nv[k] = v[(k + 1) % 3] * 2\nout v, w = v + v * a, last = v[k - 1]",
    "let t = [a * i for i in 0 .. 5]\nvar s = b\nfor x in t { s = s * 3 + x }\nout s, u = t[k]",
    "let c = k > 2\nlet v = if c { [a, b] } else { [b, b + 1] }\nlet w = select(c, v, [a, a])\nout v, w",
    "var n = 0\nvar x = a\nwhile x != b limit 9 { x = (x >> 1) + (b - (b >> 1))\nn = n + 1 }\nout n, x",
    "var n = 0\nrepeat k { repeat k { repeat 2 { n = n + b } }\nn = n * a }\nout n",
    "require a != b\nrequire k < 5\nlet q = a / k\nvar s = 0\nfor i in 0 .. 6 { if i != k { s = s + b / (k + 3 - i) } }\nout q, s",
    "var s = 0\nif k > 1 { while s < k limit 3 { s = s + 1 } } else { if k == 1 { s = 7 } }\nout s",
    "var found = false\nvar n = 0\nwhile not found limit 9 { n = n + 1\nfound = n * b == a or n == k + 3 }\nout n, found",
    "let t = [true, a < b, false]\nout t, x = if true { a } else { b }, y = a + true, z = select(false or t[1], a, b)",
    "var t: [i16; 4] = 0\nfor i in 0 .. 6 { t[i % 4] = t[(i + k) % 4] + i }\nif a < b { t[k] = 9 }\nout t",
];

#[test]
fn all_nodes_are_those_of_the_oracle() {
    let mut seed = SplitMix64::new(5);
    let mut marks = vec![];
    for (number, text) in TEXTS.iter().enumerate() {
        for of in ["u8", "i8", "u64", "i64", "u131", "i200", "u1024"] {
            let bits: u32 = of[1..].parse().unwrap();
            let least = if of.starts_with('i') { BigInt::from(1) << (bits - 1) } else { BigInt::ZERO };
            let mut draw = |zero: usize| {
                let mut all: Vec<_> = (0..19).map(|_| random(&mut seed, bits) - &least).collect();
                all[zero] = BigInt::ZERO;
                all
            };
            let (a, b, k) = (draw(3), draw(7), (0..19).map(|i| i % 6));
            let text = format!("in a, b\nin k: {}8\n{text}", &of[..1]);
            let small = format!("{}8", &of[..1]);
            let inputs = |a: &[BigInt], b: &[BigInt]| {
                [given("a", of, a.to_vec()), given("b", of, b.to_vec()), given("k", &small, k.clone())]
            };
            marks.extend(check(&text, &inputs(&a, &b), 19, 1 + number as u64 % 4));
            // Operands that are one for all, and then k too.
            marks.extend(check(&text, &inputs(&a[..1], &b), 19, 2));
            marks.extend(check(&text, &inputs(&a, &b[7..8]), 19, 3));
            let [_, _, k] = inputs(&a, &b);
            let k = (k.0, k.1, k.2[4..5].to_vec());
            let [a, b, _] = inputs(&a[2..3], &b[2..3]);
            marks.extend(check(&text, &[a, b, k], 19, 4));
        }
    }
    for mark in ["DIV0", "INDEX", "LIMIT", "REQUIRE"] {
        assert!(marks.contains(&mark), "no instance fails with {mark}");
    }
}

#[test]
fn arrays_and_tuples_are_read_and_written() {
    let text = "in v: [u40; 5], T: [(u64, i70); 3], i: u8\nlet (x, y) = T[i]\nout w = v * 2, x, y, t = T[2], u = v[i]";
    let integers = |count: i64| (0..count).map(|i| i * i);
    for (vs, ts) in [(5 * 70, 6 * 70), (5, 6 * 70), (5 * 70, 6), (5, 6)] {
        let inputs = [
            given("v", "u40", integers(vs)),
            given("T", "i70", integers(ts)),
            given("i", "u8", (0..70).map(|i| i % 5)),
        ];
        let text = text.replace("u64, i70", "i70, i70");
        assert!(check(&text, &inputs, 70, 1).contains(&"INDEX"));
    }
}
