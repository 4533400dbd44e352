//! Division steps: a round against single ones, and the instructions against their portable twin.

use core::array::from_fn;

use num_bigint::BigInt;

use super::super::divsteps::divide_steps;
use super::super::lanes::{DIGIT_BITS, MASK, WIDTH, Words};
use super::super::path::{Path, with_lanes};
use super::super::portable::Portable;
use super::super::signed::Signed;
use super::words;

/// One step of one pair, by its definition.
fn naive_step(delta: &mut i64, [f, g]: &mut [BigInt; 2], rows: &mut [[i64; 2]; 2]) {
    let [[u, v], [q, r]] = *rows;
    let is_odd = g.bit(0);
    if *delta >= 0 && is_odd {
        (*f, *g) = (g.clone(), (&*g - &*f) / 2);
        (*delta, *rows) = (-*delta, [[2 * q, 2 * r], [q - u, r - v]]);
    } else {
        *g = (&*g + i32::from(is_odd) * &*f) / 2;
        let odd = i64::from(is_odd);
        (*delta, *rows) = (*delta + 1, [[2 * u, 2 * v], [q + odd * u, r + odd * v]]);
    }
}

fn check_steps<L: Signed>(lanes: L) {
    let digits = [
        0,
        1,
        2,
        3,
        4,
        MASK,
        MASK - 1,
        1 << 51,
        1 << 26,
        (1 << 26) - 1,
        0x9_e377_9b97_f4a7,
        0x7_f4a7_c15f_39cc,
    ];
    for (i, &first) in digits.iter().enumerate() {
        for delta in [0, 1, -1, 7, -30, 200, -200] {
            let f = Words(from_fn(|lane| first & !1 | 1 & MASK | digits[(i + lane) % 8] << 1 & MASK));
            let g = Words(from_fn(|lane| digits[(i * lane + lane) % digits.len()]));
            // As if of a pair that is equal.
            let g = Words(from_fn(|lane| if lane == 3 { f.0[3] } else { g.0[lane] }));
            let mut deltas = [Words([delta as u64; WIDTH]); 1];
            let found = lanes.run(|| {
                let [matrix] = divide_steps(lanes, [[f, g]], &mut deltas);
                matrix.rows.map(|row| row.map(|entry| lanes.store(entry)))
            });
            for lane in 0..WIDTH {
                let mut numbers = [f, g].map(|digit| BigInt::from(digit.0[lane]));
                let (mut delta, mut rows) = (delta, [[1, 0], [0, 1]]);
                for _ in 0..DIGIT_BITS {
                    naive_step(&mut delta, &mut numbers, &mut rows);
                }
                let matrix = found.map(|row| row.map(|entry| entry.0[lane] as i64));
                let negated = rows.map(|row| row.map(|entry| -entry));
                let is_most = rows[0].contains(&(1 << DIGIT_BITS));
                assert_eq!(matrix, if is_most { negated } else { rows }, "{f:?} {g:?} {delta}");
                assert_eq!(deltas[0].0[lane] as i64, delta);
                assert!(
                    matrix.iter().flatten().all(|entry| (-1 << DIGIT_BITS..1 << DIGIT_BITS).contains(entry))
                );
            }
        }
    }
}

#[test]
fn rounds_of_steps_equal_single_ones() {
    for path in Path::all() {
        with_lanes!(path, lanes => check_steps(lanes));
    }
}

fn check_signed<L: Signed>(lanes: L) {
    let (all, twin) = (words(), Portable);
    for (i, a) in all.iter().enumerate() {
        for (j, b) in all.iter().enumerate() {
            let mask = all[(i + 3 * j) % all.len()];
            let (x, y, m) = (lanes.load(a), lanes.load(b), lanes.is_odd(lanes.load(&mask)));
            let (u, v, n) = (a.0, b.0, twin.is_odd(mask.0));
            assert_eq!(lanes.lanes_of(m), twin.lanes_of(n));
            let negative = lanes.is_negative(x);
            assert_eq!(lanes.lanes_of(negative), twin.lanes_of(twin.is_negative(u)));
            assert_eq!(lanes.lanes_of(lanes.is_equal(x, y)), twin.lanes_of(twin.is_equal(u, v)));
            assert_eq!(
                lanes.lanes_of(lanes.only(m, negative)),
                twin.lanes_of(twin.only(n, twin.is_negative(u)))
            );
            assert_eq!(
                lanes.lanes_of(lanes.either(m, negative)),
                twin.lanes_of(twin.either(n, twin.is_negative(u)))
            );
            assert_eq!(lanes.store(lanes.add_where(m, x, y)).0, twin.add_where(n, u, v));
            assert_eq!(lanes.store(lanes.sub_where(m, x, y)).0, twin.sub_where(n, u, v));
            assert_eq!(lanes.store(lanes.negate_where(m, x, y)).0, twin.negate_where(n, u, v));
            assert_eq!(lanes.store(lanes.choose(m, x, y)).0, twin.choose(n, u, v));
            assert_eq!(lanes.store(lanes.mul_halves(x, y)).0, twin.mul_halves(u, v));
        }
        for bits in [0, 1, 12, 52, 63] {
            assert_eq!(lanes.store(lanes.sar(lanes.load(a), bits)).0, Portable.sar(a.0, bits));
        }
    }
}

#[test]
fn signed_lanes_are_equal() {
    for path in Path::all() {
        with_lanes!(path, lanes => check_signed(lanes));
    }
}
