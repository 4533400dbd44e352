//! Walks of the programs are those of the group law.

use ecdlp::combination::Combination;
use ecdlp::curve::Curve;
use ecdlp::order::{curve_over, prime, random_curve};
use ecdlp::replay::{Table, Walker, replay};
use ecdlp::row::{Origin, to_bytes};
use ecdlp::setting::{Setting, Sizes};
use ecdlp::store::Store;
use ecdlp::walks::Walks;
use limbforge::num_bigint::BigUint;
use limbforge::prelude::Engine;

/// A curve over p whose points have an unknown order: combinations of its points mean nothing.
fn of_unknown_order(p: BigUint, seed: u64) -> Curve {
    let curve = curve_over(&p, seed, 0);
    Curve { n: p, ..curve }
}

/// Primes of 20 to 256 bits, and of full words.
fn curves() -> Vec<Curve> {
    let bits = [31, 33, 47, 63, 65, 79, 96, 97, 127, 131, 160, 191, 224, 255];
    let random = bits.map(|bits| of_unknown_order(prime(bits, 5), 5));
    let full = [(32, 5_u32), (64, 59), (96, 17), (128, 159), (192, 237), (256, 189)];
    let full = full.map(|(bits, c)| of_unknown_order((BigUint::from(1_u32) << bits) - c, 6));
    let small = [20, 24].map(|bits| random_curve(bits, 7).unwrap());
    random.into_iter().chain(full).chain(small).collect()
}

/// Compares the walks of an instance of two points after so many segments, and all their distinguished points.
fn compare(curve: &Curve, setting: &Setting, rounds: u32, segments: u64) -> Vec<Walker> {
    let sizes = Sizes { points: 2, instances: 1, rounds, life: 1000 };
    let walks = Walks::new(curve, setting, sizes, 9).unwrap();
    let (engine, epoch) = (Engine::cpu(), 4);
    let (mut at, mut rows) = (walks.starts(&engine, epoch).unwrap(), vec![]);
    for i in 0..segments {
        let (next, found) = walks.advance(&engine, &at, (epoch, i * sizes.segment(setting)), rounds).unwrap();
        (at, rows) = (next, [rows, found].concat());
    }
    let (x, y) = (at.x.to_biguints(), at.y.to_biguints());
    let (mut expected, mut walkers) = (vec![], vec![]);
    for walk in 0..2 {
        let mut origin = Origin { worker: 9, epoch, walk, steps: 0 };
        let mut walker = walks.table().start_of(curve, setting, origin);
        for steps in 1..=segments * sizes.segment(setting) {
            let met = walker.step(curve, setting, walks.table());
            if setting.is_distinguished(curve, &met) {
                origin.steps = steps;
                let x = to_bytes(&met, (curve.bits() as usize).div_ceil(8)).unwrap();
                expected.push(ecdlp::row::Row { x, origin });
            }
        }
        let found = (x[walk as usize].clone(), y[walk as usize].clone());
        assert_eq!(found, walker.point, "walk {walk} on {} with {setting:?}", curve.name);
        walkers.push(walker);
    }
    let order = |row: &ecdlp::row::Row| row.origin;
    rows.sort_by_key(order);
    assert_eq!(rows, expected, "{}", curve.name);
    walkers
}

#[test]
fn walks_of_1000_steps_on_22_curves_are_those_of_the_group_law() {
    for curve in curves() {
        let plain = Setting { distinguished_bits: 4, table_bits: 5, ..Setting::new(&curve, 3, false, None) };
        compare(&curve, &plain, 250, 4);
        compare(&curve, &Setting { negation: true, ..plain }, 7, 3);
    }
}

#[test]
fn walks_leave_short_cycles() {
    // A table of two or eight points leads to a cycle at once, and in each round again.
    for (table_bits, bits) in [(1, 61), (3, 131)] {
        let curve = of_unknown_order(prime(bits, 8), 8);
        let setting = Setting {
            table_bits,
            distinguished_bits: 2,
            negation: true,
            ..Setting::new(&curve, 3, true, None)
        };
        let walkers = compare(&curve, &setting, 5, 4);
        let cycles: u64 = walkers.iter().map(|walker| walker.cycles).sum();
        assert!(cycles >= 10, "{cycles} cycles");
    }
}

#[test]
fn combinations_are_those_of_the_points() {
    let curve = random_curve(40, 2).unwrap();
    for negation in [false, true] {
        let setting = Setting { table_bits: 3, ..Setting::new(&curve, 1, negation, None) };
        let table = Table::new(&curve, &setting);
        for steps in [0, 1, 24, 35, 36, 37, 500, 996] {
            let walker = replay(&curve, &setting, &table, Origin { worker: 1, epoch: 2, walk: 3, steps });
            assert_eq!(walker.combination.point(&curve), Some(walker.point), "{steps} steps");
        }
    }
}

#[test]
fn two_combinations_of_a_point_give_the_logarithm() {
    let curve = random_curve(32, 4).unwrap();
    let number = |value: u32| BigUint::from(value);
    let k = (0..).map(|seed| ecdlp::combination::derived(&curve.n, seed, "k")).next().unwrap();
    let (b, d) = (number(77), number(123_456));
    // a + b k = c + d k.
    let a = number(5);
    let c = (&a + &b * &k + &curve.n * &d - &d * &k) % &curve.n;
    let (left, right) = (Combination { a, b }, Combination { a: c, b: d });
    assert_eq!(left.logarithm(&right, &curve.n), Some(k));
    assert_eq!(left.logarithm(&left, &curve.n), None);
}

#[test]
fn a_walk_in_a_cycle_makes_no_pairs() {
    // Each short cycle that has a distinguished point made pairs, which took minutes to walk again at 79 bits.
    let curve = random_curve(60, 1).unwrap();
    let setting = Setting { table_bits: 6, ..Setting::new(&curve, 1, true, Some(1)) };
    let sizes = Sizes { points: 4, instances: 8, rounds: 20, life: 1000 };
    let walks = Walks::new(&curve, &setting, sizes, 0).unwrap();
    let engine = Engine::cpu();
    let at = walks.starts(&engine, 0).unwrap();
    let (_, rows) = walks.advance(&engine, &at, (0, 0), sizes.rounds).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(&folder.path().join("cycles.store"), &curve, setting).unwrap();
    let new = store.add(&rows, None).unwrap();
    assert!(new < rows.len() as u64 - 100, "{new} of {} rows", rows.len());
    assert_eq!(store.summary().unwrap().pairs, 0);
    // Another walk at the same point is a pair.
    let mut other = rows[0].clone();
    other.origin.walk += 1000;
    store.add(&[other], None).unwrap();
    assert_eq!(store.summary().unwrap().pairs, 1);
}
