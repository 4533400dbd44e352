//! Rows of lists and random integers, of every class of columns, cut and handed over.

use limbforge_algos::op::Why;
use limbforge_limb::num_bigint::BigInt;

use super::Run;

const INSTANCES: usize = 6;

fn numbers(values: &[u64]) -> Vec<BigInt> {
    values.iter().map(|&x| BigInt::from(x)).collect()
}

/// Rows before, in and behind loops, in arms, of arrays in registers and in local memory, and before failures.
#[test]
fn rows_of_each_class() {
    let text = "in n, x, t
list small: (u64, i9, bool, u33) at most 100000
list residues: (mod n, i77, u32) at most 2**40
let y0 = x mod n
var (y, k) = ([y0 + j for j in 0 .. 9], u32(0))
emit residues([y0, 2*y0, 3] mod n, i77(x), element + 7) where [true, x % 2 == 0, false]
for i in 0 .. t {
    y[i % 9] = sqr(y[(i + 1) % 9]) + k
    emit small(instance, i9(k), k == 2, random(u33, i, instance)) where u64(int(y[i % 9])) % 2 == 0
    emit residues(y, -5, element) where i == 3
    emit small(u64(i), -1, y == y[0], element) where y != y0
    if k > 2 { for j in 0 .. k % 4 { emit small(u64(j), -9, true, 1) } } else { emit small(u64(i), 3, false, 2**33 - 1) }
    k = k + 1
    require k != 6 or x % 3 != 0
}
emit residues([y[0], y[8] * y[1]], 3, k)
out last = y[8], k";
    let (x, t) = ([1, 2, 3, 10_000_000_000_000_000_000, 9, 0], [0, 9, 7, 5, 12, 6]);
    for (bits, c) in [(65, 49), (100, 15), (131, 69), (256, 189)] {
        let top = BigInt::from(1) << bits;
        let n = [top - c, 1.into(), 101.into(), 4.into(), 1_000_003.into(), BigInt::from(u64::MAX)].to_vec();
        let ty = format!("u{bits}");
        let batches = [("n", &*ty, n), ("x", "u64", numbers(&x)), ("t", "u8", numbers(&t))];
        let run = Run::both(text, INSTANCES, &batches);
        let found = run.check(&[1, 4, 100]);
        run.check_handed_over(3);
        let whys: Vec<Option<Why>> =
            found.failures.iter().map(|failure| failure.map(|(why, _)| why)).collect();
        assert_eq!(whys[3..5], [Some(Why::EvenModulus), Some(Why::Require)], "{:?}", found.failures);
        assert!(found.lists.iter().all(|rows| rows.len() > 20));
    }
}

/// Random integers of every number of words, which are those of the CPU behind states, too.
#[test]
fn random_integers() {
    for bits in [65, 96, 97, 128, 131, 160, 193, 224, 255, 256] {
        let text = format!(
            "in seed: u64\nin count: u8\nlet k = random(u{bits}, seed, 32*instance + 7)
let signed = random(i{bits}, 3, [instance, 2**64 - 1])\nlet few = random(i7, seed, [3, -1, 5])
var (sum, short) = (k, u64(0))
for i in 0 .. count {{ sum = sum ^ random(u{bits}, instance, i)\n short = short + random(u64, short, i) }}
out k, signed, few, sum, short, instance"
        );
        let counts = numbers(&[0, 1, 5, 3, 2, 9]);
        let run = Run::both(
            &text,
            INSTANCES,
            &[("seed", "u64", numbers(&[u64::MAX - 2])), ("count", "u8", counts)],
        );
        run.check(&[2]);
        run.check_handed_over(2);
    }
}
