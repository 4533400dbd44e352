//! Powers by digits, short loops, and digits as indices.

use limbforge_algos::op::Why;
use limbforge_limb::num_bigint::BigInt;

use super::{Run, ints};

/// Exponents that begin and end digits, and odd moduli.
fn exponents() -> Vec<BigInt> {
    let mut exponents = ints(&[0, 1, 15, 16, 17, 255, 256, 4095]);
    exponents.push((BigInt::from(1) << 60) - 1);
    exponents
}

fn moduli() -> Vec<BigInt> {
    let mut moduli = ints(&[3, 1, 5, 7, 1_000_003, (1 << 32) - 1, (1 << 32) + 1, u64::MAX]);
    moduli.push((BigInt::from(1) << 90) - 33);
    moduli
}

/// 2^e of an input, of a computed number, of a scalar, of signed exponents.
#[test]
fn powers_of_two() {
    let text = "in e, n\nin s\nlet m = e + 1
out a = int(2 ** e mod n), b = int(2 ** m mod n), c = int(2 ** u64(e) mod n), d = int((2 mod n) ** s)
out f = int(3 ** e mod n), g = int((5 mod n) ** e)";
    let (e, n) = (exponents(), moduli());
    let s: Vec<BigInt> = e.iter().enumerate().map(|(i, e)| if i % 2 == 0 { -e } else { e.clone() }).collect();
    for (unsigned, signed) in [("u90", "i91"), ("u512", "i512"), ("u640", "i65"), ("u61", "i62")] {
        let run = Run::new(
            text,
            9,
            &[("e", unsigned, e.clone()), ("n", "u500", n.clone()), ("s", signed, s.clone())],
        );
        let found = run.check(&[2]);
        let expected = |i: usize| BigInt::from(2).modpow(&e[i], &n[i]);
        for i in 0..9 {
            assert_eq!(found.results[0][i], expected(i), "{unsigned}, instance {i}");
        }
    }
}

/// Rounds that are written out: in a loop, none, with constants that are different in each, with a swap.
#[test]
fn short_loops() {
    let text = "in a, c
var (x, y, k) = (a mod c, 7 mod c, 1)
repeat 3 { x = x * (k mod c) + 1\n k = 5*k }
repeat 0 { x = x + 5 }
repeat 4 { (x, y) = (y, x + y) }
for i in 0 .. a % 5 {
    repeat 4 { y = sqr(y) }
    repeat 2 { x = x * (i mod c) / 2**32\n y = y / 2**32 }
}
var t = [a, c, a + c]
repeat 2 { t[u32(a % 3)] = t[1] + k\n k = k + 1 }
out x, y, t, k";
    let a = ints(&[0, 1, 2, 3, 4, 5, 6, 1 << 40, u64::MAX]);
    Run::new(text, 9, &[("a", "u300", a), ("c", "u300", moduli())]).check(&[1]);
}

/// An index that is a digit needs no check where the array has an element for each; else instances fail.
#[test]
fn digits_as_indices() {
    let text = "in e, n\nlet t = [3 ** k mod n for k in 0 .. COUNT]\nvar r = 1 mod n
for d in digits(e, 3) {
    repeat 3 { r = sqr(r) }
    r = r * t[d]
}
out r = int(r)";
    for (count, fails) in [("8", false), ("9", false), ("7", true)] {
        let text = text.replace("COUNT", count);
        let inputs = [("e", "u70", exponents()), ("n", "u500", moduli())];
        let failures = Run::new(&text, 9, &inputs).check(&[4]).failures;
        assert_eq!(failures.contains(&Some((Why::Index, 6))), fails, "{failures:?}");
    }
}
