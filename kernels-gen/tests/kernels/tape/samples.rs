//! The sample programs of `examples/programs`.

use limbforge_limb::num_bigint::BigInt;

use super::{Run, ints};

/// lcm(1, ..., n).
fn lcm(n: u64) -> BigInt {
    (1..=n).fold(BigInt::from(1), |lcm, i| {
        let gcd = (1..=i).rev().find(|d| i % d == 0 && &lcm % d == BigInt::from(0)).unwrap();
        lcm * (i / gcd)
    })
}

fn two_to(power: u32) -> BigInt {
    BigInt::from(1) << power
}

fn sample(name: &str) -> String {
    let path = format!("{}/../examples/programs/{name}.lf", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn ecm() {
    // GMP-ECM's test.gpuecm: sigma 3:279 finds a factor of 2^349 - 1 at B1 = 587.
    let n: BigInt = two_to(349) - 1;
    let sigma = ints(&[279, 227, 5, 4_294_967_295]);
    let batches = [("N", "u384", vec![n.clone()]), ("s", "u900", vec![lcm(587)]), ("sigma", "u32", sigma)];
    let run = Run::new(&sample("ecm"), 4, &batches);
    let found = run.check(&[300]);
    run.check_handed_over(200);
    let factor = &found.results[2][0];
    assert!(*factor > BigInt::from(1) && *factor < n, "{factor}");
}

#[test]
fn vdf() {
    let n = vec![two_to(512) - 569];
    let run = Run::new(
        &sample("vdf"),
        3,
        &[("N", "u512", n), ("x", "u512", ints(&[2, 3, 4])), ("t", "u64", ints(&[5, 100, 7]))],
    );
    run.check(&[30]);
}

#[test]
fn modexp() {
    let b: Vec<BigInt> = (1..=5).map(|i| BigInt::from(7).pow(40 * i)).collect();
    let e: Vec<BigInt> = (0..5).map(|i| BigInt::from(5).pow(30 * i) - 1).collect();
    let n: Vec<BigInt> = (1..=5).map(|i| BigInt::from(3).pow(100 * i)).collect();
    let run = Run::new(&sample("modexp"), 5, &[("b", "u1024", b), ("e", "u1024", e), ("n", "u1024", n)]);
    run.check(&[13]);
    run.check_handed_over(50);
}

#[test]
fn rho() {
    let n: Vec<BigInt> =
        vec![BigInt::from(1_000_003_u64 * 1_000_033), BigInt::from(10_403), BigInt::from(8_051)];
    let run = Run::new(&sample("rho"), 3, &[("N", "u128", n), ("c", "u32", ints(&[1, 1, 3]))]);
    run.check(&[3]);
    run.check_handed_over(1);
}

#[test]
fn isqrt() {
    let a: Vec<BigInt> = (0..6).map(|i| BigInt::from(7).pow(50 * i) - 1).collect();
    let run = Run::new(&sample("isqrt"), 6, &[("a", "u720", a)]);
    run.check(&[1000]);
}

#[test]
fn prp() {
    let n: Vec<BigInt> =
        vec![BigInt::from(5777), BigInt::from(341), BigInt::from(1_000_003), two_to(127) - 1];
    let run = Run::new(&sample("prp"), 4, &[("n", "u256", n)]);
    run.check(&[1000]);
}

#[test]
fn cfrac() {
    let d: Vec<BigInt> = vec![BigInt::from(61), BigInt::from(7), BigInt::from(1_000_099), BigInt::from(16)];
    let run = Run::new(&sample("cfrac"), 4, &[("D", "i192", d)]);
    run.check(&[1000]);
}

#[test]
fn pm1() {
    let n: Vec<BigInt> = vec![BigInt::from(1_000_003_u64) * 1_000_033_u64, BigInt::from(999_999_000_001_u64)];
    let gaps: Vec<u64> = (0..1000).map(|i| i * 7 % 100).collect();
    let run = Run::new(
        &sample("pm1"),
        2,
        &[
            ("N", "u256", n),
            ("s", "u200", vec![lcm(100)]),
            ("first", "u64", ints(&[101])),
            ("gaps", "u32", ints(&gaps)),
        ],
    );
    run.check(&[1000]);
}
