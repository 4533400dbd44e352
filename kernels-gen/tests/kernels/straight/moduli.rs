//! Conformance of residues: moduli at the ends of their words, even ones and 1, residues at the ends of their range.

use limbforge_algos::op::Why;
use limbforge_limb::num_bigint::BigInt;

use super::Run;

fn two_to(power: u32) -> BigInt {
    BigInt::from(1) << power
}

/// All operations of the ring.
const RING: &str = "in n, a, b
let (x, y) = (a, b) mod n
var z = x*y + sqr(x) - y*x*y
repeat 3 { z = sqr(z) - x + 3*z*y }
out sum = x + y, less = x - y, minus = -x, product = x*y, square = sqr(x), z, halves = z / 2**35
out word = z * (5 / 2**32 mod n), p = x ** 77, e = x == y, plain = int(x), key = key(z)";

/// The greatest odd number of so many bits less an even c, numbers close to powers of the word, small ones.
fn moduli(bits: u32) -> Vec<BigInt> {
    let top = two_to(bits);
    let mut moduli: Vec<BigInt> = [1, 3, 19, 189, 977, 0xffff_ffff_u64].iter().map(|c| &top - c).collect();
    moduli.push(two_to(bits - 1) + 1);
    moduli.push(two_to(bits / 32 * 32 - 32) + 1);
    moduli.push(two_to(bits - 1) - 1);
    // Words of zeros and of ones in turn.
    let mixed: BigInt =
        (0..bits.div_ceil(32)).filter(|word| word % 2 == 0).map(|word| (two_to(32) - 1) << (32 * word)).sum();
    moduli.push((mixed % &top) | BigInt::from(1));
    moduli.extend([1, 3, 5, 0xffff_fffb, 0xffff_ffff].map(|n: u64| BigInt::from(n)));
    moduli
}

#[test]
fn full_words() {
    for bits in [65, 96, 127, 128, 131, 160, 192, 224, 255, 256] {
        let moduli = moduli(bits);
        // Beside each modulus residues next to 0 and to n, in the middle, and integers beyond n.
        let residues = |n: &BigInt| -> Vec<BigInt> {
            vec![n - 1, BigInt::from(0), n / 2, two_to(bits) - 1, BigInt::from(1), n - 1 - n / 3]
        };
        let (mut n, mut a, mut b) = (vec![], vec![], vec![]);
        for modulus in &moduli {
            let some = residues(modulus);
            for i in 0..some.len() {
                n.push(modulus.clone());
                a.push(some[i].clone());
                b.push(some[(2 * i + 1) % some.len()].clone());
            }
        }
        let ty = format!("u{bits}");
        let count = n.len();
        let positive = |x: Vec<BigInt>| x.into_iter().map(|x| x.max(BigInt::from(0))).collect();
        let run =
            Run::straight(RING, count, &[("n", &ty, n), ("a", &ty, positive(a)), ("b", &ty, positive(b))]);
        run.unwrap().check(&[2]);
    }
}

#[test]
fn moduli_that_are_none() {
    let n = [6_u64, 0, 9, 1, 2].map(BigInt::from).to_vec();
    let n = n.into_iter().chain([two_to(256) - 2, two_to(255)]).collect();
    let a: Vec<BigInt> = (0..7).map(|i| two_to(30 * i)).collect();
    let run =
        Run::straight(RING, 7, &[("n", "u256", n), ("a", "u256", a.clone()), ("b", "u256", a)]).unwrap();
    let found = run.check(&[1]).failures;
    let (even, zero) = (Some((Why::EvenModulus, 2)), Some((Why::ZeroModulus, 2)));
    assert_eq!(found, [even, zero, None, None, even, even, even]);
}

/// One modulus for all, and a constant: the compiler knows its words.
#[test]
fn one_for_all() {
    let p = "0x048E1D43F293469E33194C43186B3ABC0B";
    let prime = BigInt::parse_bytes(&p.as_bytes()[2..], 16).unwrap();
    let a: Vec<BigInt> = (1..6).map(|i| BigInt::from(7).pow(8 * i)).collect();
    let b: Vec<BigInt> = (1..6).map(|i| BigInt::from(11).pow(7 * i)).collect();
    let batches = |n: Vec<BigInt>| [("n", "u131", n), ("a", "u131", a.clone()), ("b", "u131", b.clone())];
    Run::straight(RING, 5, &batches(vec![prime])).unwrap().check(&[1]);
    let constant = RING.replace("in n, a, b", &format!("const n = {p}\nin a, b"));
    Run::straight(&constant, 5, &batches(vec![])[1..]).unwrap().check(&[1]);
}

/// Constants 2^k - c, whose residues are not in Montgomery form: at the ends of words and within them, with operands
/// of all bits.
#[test]
fn next_to_powers_of_two() {
    let moduli = [
        (65, "49", 65),
        (96, "17", 96),
        (127, "1", 127),
        (131, "69", 131),
        (131, "69", 160),
        (160, "47", 160),
        (192, "2**32 - 237", 192),
        (200, "75", 200),
        (224, "63", 224),
        (255, "19", 255),
        (255, "19", 256),
        (256, "2**32 - 977", 256),
        (256, "2**39 - 1", 256),
    ];
    for (bits, less, width) in moduli {
        let text = RING.replace("in n, a, b", &format!("const n = 2**{bits} - {less}\nin a, b"));
        let text =
            text.replace("(a, b) mod n", "(a, b) mod n\nlet q = 1 / (x*x + y + 1)\nvar r = 2 ** a mod n");
        let text = format!("{text}, q, r");
        let top = two_to(width);
        let ends = [0, 1, 2, 18, 19, 68, 69, 70, 976, 977, 978].map(|c: u64| c);
        let a: Vec<BigInt> =
            ends.iter().map(|c| &top - 1 - c).chain(ends.iter().map(|&c| BigInt::from(c))).collect();
        let b: Vec<BigInt> =
            a.iter().rev().map(|a| if a.bit(0) { a.clone() } else { &top - 1 - (a >> 3) }).collect();
        let ty = format!("u{width}");
        let run = Run::straight(&text, a.len(), &[("a", &ty, a.clone()), ("b", &ty, b)]).unwrap();
        assert!(run.source().contains("Special ring"), "{bits}");
        run.check(&[2]);
    }
}

/// Lazy residues: carried by loops, in arrays in local memory, compared, chosen, negated, inverted, in rows and as
/// integers, where 2 n and 4 n come close to all words.
const LAZY: &str = "in n, a, b
list rows: (mod n, bool, u32) at most 100000
let (x, y) = (a, b) mod n
var (z, w, s) = (x*y, y, x)
var t: [mod n; 9] = x - y
var equal = 0
var last = key(x)
for i in 0 .. 5 {
    for k in 0 .. 8 {
        let e = t[k] - z
        t[k] = (t[k] + w) * (t[k + 1] - s) * (s + z)
        s = e*e - s - (t[k] + t[k])
        if t[k] == e or z == s { equal = equal + 1 }
        z = select(i % 2 == 0, s*(z - w), -z)
        if k % 3 == 0 { w = w*w - z } else { w = -(w + z) }
        emit rows(w - s, z == w, k) where u32(int(z)) % 32 == 0 or u32(key(w - s)) % 16 == 0
        last = key(z)
        equal = equal + u32(int(w*s - w*s + x) == int(x))
    }
    let q = z - w
    z = if q == 0 { z } else { q / (q*q) - z / 2**33 }
}
out z, w, s, t, equal, last, sum = z + w, minus = -s, plain = int(s - z), same = z*w == w*z, p = (z - w) ** 5";

#[test]
fn lazy_residues() {
    for bits in [124, 131, 252] {
        let top = two_to(bits);
        let near = [1_u32, 3, 5, 19, 189].map(|c| &top - c);
        let others = [1_u32, 3, 101, 0xffff_fffb].map(BigInt::from);
        let moduli = near.into_iter().chain(others).chain([two_to(bits - 1) + 1]);
        let (mut n, mut a, mut b) = (vec![], vec![], vec![]);
        for modulus in moduli {
            for (x, y) in [
                (BigInt::from(0), &modulus - 1),
                (&modulus - 1, &modulus - 1),
                (&modulus / 2, BigInt::from(1)),
                (&top - 1, &modulus - &modulus / 3),
            ] {
                n.push(modulus.clone());
                a.push(x);
                b.push(y);
            }
        }
        let (ty, count) = (format!("u{bits}"), n.len());
        let run = Run::straight(LAZY, count, &[("n", &ty, n), ("a", &ty, a), ("b", &ty, b)]).unwrap();
        let found = run.check(&[2]);
        run.check_handed_over(3);
        assert!(
            found.failures.iter().filter(|failure| failure.is_none()).count() > 20,
            "{:?}",
            found.failures
        );
        assert!(found.lists[0].len() > 100);
    }
}
