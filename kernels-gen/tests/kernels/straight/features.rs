//! Each kind of node.

use limbforge_algos::op::Why;
use limbforge_limb::num_bigint::BigInt;

use super::Run;

#[test]
fn squarings() {
    let text = "in N, x\nin t: u64\nvar y = x mod N\nrepeat t { y = sqr(y) }\nout y";
    let ints = |values: &[u64]| values.iter().map(|&x| BigInt::from(x)).collect::<Vec<_>>();
    let n = ints(&[1_000_003, 1, 6, 999_999_999_999_999_989, 0]);
    let (x, t) = (ints(&[5, 7, 9, 123_456_789, 3]), ints(&[10, 3, 2, 100, 1]));
    let run = Run::straight(text, 5, &[("N", "u131", n), ("x", "u131", x), ("t", "u64", t)]).unwrap();
    let found = run.check(&[7, 100]);
    run.check_handed_over(5);
    assert_eq!(found.results[0][0], BigInt::from(5).modpow(&BigInt::from(1024), &BigInt::from(1_000_003)));
    let failures = [None, None, Some((Why::EvenModulus, 3)), None, Some((Why::ZeroModulus, 3))];
    assert_eq!(found.failures, failures);
}

fn sample(name: &str) -> String {
    let path = format!("{}/../examples/programs/{name}.lf", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

fn numbers(values: &[u64]) -> Vec<BigInt> {
    values.iter().map(|&x| BigInt::from(x)).collect()
}

/// 2^k - 1.
fn ones(k: u32) -> BigInt {
    (BigInt::from(1) << k) - 1
}

#[test]
fn ladders_of_ecm() {
    let scalar = (1..60_u64).fold(BigInt::from(1), |product, i| product * i);
    let n = BigInt::from(1_000_001_900_000_u64) * 1_000_000_000_000_u64 + 390_000_741_u64;
    for ty in ["u96", "u131", "u256"] {
        let batches = [
            ("N", ty, vec![n.clone()]),
            ("s", "u300", vec![scalar.clone()]),
            ("sigma", "u32", numbers(&[7, 8, 10, 15])),
        ];
        let run = Run::both(&sample("ecm"), 4, &batches);
        run.check(&[100]);
        run.check_handed_over(70);
    }
}

#[test]
fn powers_by_windows() {
    let b: Vec<BigInt> = (1..=5).map(|i| BigInt::from(7).pow(10 * i)).collect();
    let e: Vec<BigInt> = (0..5).map(|i| BigInt::from(5).pow(20 * i) - 1).collect();
    let n: Vec<BigInt> = (1..=5).map(|i| BigInt::from(3).pow(30 * i)).collect();
    let run = Run::both(&sample("modexp"), 5, &[("b", "u250", b), ("e", "u224", e), ("n", "u250", n)]);
    run.check(&[13]);
    run.check_handed_over(20);
}

#[test]
fn pollards_rho() {
    let n = numbers(&[1_000_003 * 1_000_033, 10_403, 8_051]);
    let run = Run::both(&sample("rho"), 3, &[("N", "u128", n), ("c", "u32", numbers(&[1, 1, 3]))]);
    run.check(&[3]);
    run.check_handed_over(1);
}

/// Inverses of residues next to 0 and to n, of moduli with and without common divisors.
#[test]
fn inverses() {
    let text = "in a, n\nlet x = a mod n\nlet y = 1 / x\nout y, z = y ** -3, one = x*y == 1, w = a / (x + 1)";
    for bits in [96, 131, 160, 255, 256] {
        let (mut a, mut n) = (vec![], vec![]);
        let odd = [1_u64, 3, 9, 97, 1_000_003, 0xffff_ffff].map(BigInt::from);
        let top = BigInt::from(1) << bits;
        for n_of in odd.into_iter().chain([1, 3, 5, 159, 189].map(|c: u32| &top - c)) {
            for x in [BigInt::from(1), BigInt::from(2), BigInt::from(6), &n_of - 1, &n_of / 3, &n_of / 2 + 1]
            {
                a.push(x.max(BigInt::from(0)));
                n.push(n_of.clone());
            }
        }
        let ty = format!("u{bits}");
        let found =
            Run::straight(text, a.len(), &[("a", &ty, a.clone()), ("n", &ty, n)]).unwrap().check(&[1]);
        assert!(found.failures.contains(&None) && found.failures.contains(&Some((Why::NoInverse, 3))));
    }
}

/// Shifts by amounts of each size and sign, and digits at places that are known when the program runs.
#[test]
fn shifts_and_bits() {
    let text = "in a, n\nin k\nlet m = a >> k\nlet s = TY(0) - a\nvar d = 0\nfor x in digits(a, 7) { d = d * 3 + u64(x) }
out l = a << k, m, s = s >> k, t = s << k, d, b = bit(a, u16(k)), h = bit_length(s), q = a << (n & 255), g = gcd(a, n)
out least = min(a, s), greatest = max(n, s), less = s < a, less_or = n <= s, other = a != n";
    let k: Vec<BigInt> =
        [0, 1, 31, 32, 33, 64, 95, 99, 130, 191, 255, 256, -1, -32, -77, -300, 32_767, -32_768]
            .map(BigInt::from)
            .to_vec();
    for ty in ["u100", "i100", "u192", "i160", "u256", "i256"] {
        let bits: u32 = ty[1..].parse().unwrap();
        let most = ones(bits - u32::from(ty.starts_with('i')));
        let a: Vec<BigInt> = (0..k.len() as u32).map(|i| &most >> (i * 9 % bits)).collect();
        let n: Vec<BigInt> = (0..k.len() as u64).map(|i| BigInt::from(i * 37)).collect();
        let text = text.replace("TY", ty);
        let amount = format!("{}16", &ty[..1]);
        let k: Vec<BigInt> = k
            .iter()
            .map(|k| if ty.starts_with('u') { k.magnitude().clone().into() } else { k.clone() })
            .collect();
        let batches = [("a", ty, a), ("n", ty, n), ("k", &*amount, k)];
        Run::straight(&text, batches[0].2.len(), &batches).unwrap().check(&[2]);
    }
}
