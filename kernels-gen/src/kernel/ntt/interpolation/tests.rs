//! The programs against evaluations of random polynomials, with every value's range.

use limbforge_field::modular::{inv_mod_prime, mul_mod};
use proptest::prelude::*;

use super::super::bounds::Bounds;
use super::super::table::Roots;
use super::{Interpolation, Operation};

/// The largest prime of five for 2^12 digits.
const P: u32 = 268_861_441;

/// The residue in [0, p).
fn canonical(x: i64) -> u64 {
    x.rem_euclid(i64::from(P)) as u64
}

/// Runs the program on the points in exact arithmetic as the kernel's words would have it, and checks that
/// they are words.
fn run(program: &Interpolation, roots: &Roots, points: &[i64]) -> Vec<i64> {
    let p = i64::from(P);
    let times = |x: i64, factor: usize| {
        let [w, f] = roots.node_factor(program.factors[factor]).map(i64::from);
        x * w - ((x * f) >> 32) * p
    };
    let mut values: Vec<i64> = vec![];
    for operation in &program.operations {
        let value = match *operation {
            Operation::Point { row } => points[row as usize],
            Operation::Add { x, y } => values[x] + values[y],
            Operation::Sub { x, y } => values[x] - values[y],
            Operation::Times { x, factor } => times(values[x], factor),
            Operation::AddTimes { x, y, factor } => values[x] + times(values[y], factor),
            Operation::Half { x } => (values[x] + (values[x] & 1) * p) >> 1,
            Operation::Reduce { x } => values[x] - (values[x] >> 28) * p,
        };
        assert!(i32::try_from(value).is_ok(), "{operation:?} gives {value}");
        values.push(value);
    }
    program.coefficients.iter().map(|&value| values[value]).collect()
}

/// Points of the first rows of a column, with the factors of their blocks.
fn evaluate(coefficients: &[u64], roots: &Roots, program: &Interpolation) -> Vec<u64> {
    let p = u64::from(P);
    let at = |(row, &block): (usize, &u32)| {
        let root = roots.powers[row.reverse_bits() >> (usize::BITS - roots.powers.len().ilog2())];
        let value = coefficients.iter().rev().fold(0, |sum, a| (mul_mod(sum, root, p) + a) % p);
        mul_mod(value, inv_mod_prime(1 << block, p), p)
    };
    program.blocks.iter().enumerate().map(at).collect()
}

proptest! {
    /// Points anywhere in the range that the program was proved for, of every number of rows.
    #[test]
    fn coefficients_come_back(
        log in 2u32..=5,
        rows in 1u32..32,
        coefficients in prop::collection::vec(0..u64::from(P), 32),
        multiples in prop::collection::vec(-1i64..=0, 32),
    ) {
        let outer = 1 << log;
        let rows = 1 + rows % outer;
        let roots = Roots::new(P, outer);
        let bound = Bounds { p: P.into() }.product(1 << 31);
        for wanted in [rows, rows.div_ceil(2)] {
            let program = Interpolation::new(P, [outer, rows, wanted], (1 << 31) - 1).expect("proved");
            prop_assert_eq!(program.blocks.len(), rows as usize);
            let values = evaluate(&coefficients[..rows as usize], &roots, &program);
            let points: Vec<i64> =
                values.iter().zip(&multiples).map(|(&x, k)| x as i64 + k * i64::from(P)).collect();
            prop_assert!(points.iter().all(|x| x.unsigned_abs() <= bound));
            let found = run(&program, &roots, &points);
            prop_assert!(found.iter().all(|&x| -i64::from(P) < x && x < 2 * i64::from(P)));
            let found: Vec<u64> = found.into_iter().map(canonical).collect();
            prop_assert_eq!(&found[..], &coefficients[..wanted as usize], "{} of {}", rows, outer);
        }
    }
}

/// Products take most of a pass's time. A pass of butterflies would take 96 products for 32 rows: 5 * 16, and
/// one for each of the 16 coefficients of a low product.
#[test]
fn products_of_a_column() {
    let products = |rows: u32| {
        let program = Interpolation::new(P, [32, rows, rows.div_ceil(2)], 1 << 30).expect("proved");
        let is_product = |operation: &&Operation| {
            use Operation::{AddTimes, Point, Times};
            matches!(operation, Point { .. } | Times { .. } | AddTimes { .. })
        };
        program.operations.iter().filter(is_product).count()
    };
    assert_eq!([17, 24, 25, 32].map(products), [49, 61, 76, 81]);
    assert!((1..=32).all(|rows| products(rows) <= 83));
}
