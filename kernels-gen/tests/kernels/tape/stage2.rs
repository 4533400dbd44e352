//! The programs of `examples/ecm`: points and products of stage 2.

use limbforge_limb::num_bigint::BigInt;

use super::{Run, ints};

fn program(name: &str) -> String {
    let path = format!("{}/../examples/ecm/programs/{name}.lf", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

/// 10000019 * 100000190000000000039 and, of which some points are neutral elements modulo 61, 61 * (2^127 - 1).
fn numbers() -> Vec<BigInt> {
    let other: BigInt = (BigInt::from(1) << 127) - 1;
    vec![BigInt::from(10_000_019_u64) * BigInt::from(100_000_190_000_000_000_039_u128), other * 61]
}

/// A row for each baby step, and where the giant steps start.
#[test]
fn points() {
    for ty in ["u192", "u320"] {
        let (sigma, x) = (ints(&[5, 77]), ints(&[2, 9]));
        let keep: Vec<u64> =
            (0..53).map(|i| u64::from(![3, 5, 7].iter().any(|q| (2 * i + 1) % q == 0))).collect();
        let curves = [("N", ty, numbers()), ("sigma", "u32", sigma), ("x", ty, x)];
        let mut baby = curves.to_vec();
        baby.push(("keep", "u32", ints(&keep)));
        Run::new(&program("baby"), 2, &baby).check(&[20]);
        let mut start = curves.to_vec();
        start.extend([("step", "u32", ints(&[210])), ("first", "u32", ints(&[3]))]);
        Run::new(&program("start"), 2, &start).check(&[3]);
    }
}

/// A program may have a list and no result.
#[test]
fn rows_alone() {
    let text = "in a, n\nlist found: mod n at most 1000\nvar x = a mod n\n\
                for i in 0 .. 20 { x = sqr(x) + 1; emit found(x) where i % 3 == 0 }";
    let batches = [("a", "u320", ints(&[2, 9])), ("n", "u320", numbers())];
    Run::new(text, 2, &batches).check(&[7]);
}

/// Both programs of the pairs. Giant steps of the second number meet the neutral element modulo 61, so that one has failures.
#[test]
fn products_of_pairs() {
    for name in ["stage2", "stage2_cpu"] {
        let text = program(name).replace("K = 240", "K = 5");
        for ty in ["u192", "u320"] {
            let text = text.replace("u512", ty);
            let points = |k: u64| ints(&(0..2 * k).map(|i| i * i * 0x9e37_79b9 + k).collect::<Vec<_>>());
            let batches = [
                ("N", ty, numbers()),
                ("start", ty, points(6)),
                ("giants", "u32", ints(&[8])),
                ("baby", ty, points(5)),
            ];
            Run::new(&text, 2, &batches).check(&[2]);
        }
    }
}

#[test]
fn quotients() {
    let points = |first: u64| ints(&(first..first + 8).collect::<Vec<_>>());
    for ty in ["u192", "u320"] {
        // 61 and 60 + 1 have no inverse modulo the second number.
        let batches = [("N", ty, numbers()), ("x", ty, points(3)), ("z", ty, points(55))];
        Run::new(&program("normal"), 2, &batches).check(&[1]);
    }
}
