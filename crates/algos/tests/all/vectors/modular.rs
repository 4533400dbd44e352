//! Products modulo an operand.

use limbforge_algos::cpu::{Why, eval_checked};
use limbforge_algos::expr::Expr;
use limbforge_limb::{Base, Batch, IntType, Layout};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use super::divisions::floor;
use super::numbers;

/// Compares products modulo the operands with num-bigint.
fn check_modular_products<B: Base>(text: &str, ty: &str, count: usize) {
    let ty: IntType = ty.parse().unwrap();
    let all = numbers(ty);
    let column = |first: usize, stride: usize| -> Vec<BigInt> {
        (0..count).map(|i| all[(first + i * stride) % all.len()].clone()).collect()
    };
    let [a, b, m] = [column(count, 7), column(3, 5), column(2 * count + 1, 3)];
    let [x, y, z] =
        [&a, &b, &m].map(|column| Batch::<B>::from_bigints(ty, Layout::InstanceMajor, column).unwrap());
    let dag = Expr::parse(text).unwrap().to_dag();
    let found = eval_checked(&dag, &[("a", &x), ("b", &y), ("m", &z)]).unwrap();
    let mut failed = vec![];
    for (i, value) in found.values.to_bigints().iter().enumerate() {
        let expected = if m[i].is_zero() {
            failed.push((i, Why::ZeroModulus));
            BigInt::zero()
        } else {
            floor(&(&a[i] * &b[i]), &m[i].abs()).unwrap().1
        };
        assert_eq!(value, &expected, "{ty}, instance {i} of {count}: {} {} {}", a[i], b[i], m[i]);
    }
    let reported: Vec<_> = found.failures.iter().map(|failure| (failure.instance, failure.why)).collect();
    assert_eq!(reported, failed, "{ty}");
}

#[test]
fn modular_products_of_any_count_limb_and_type() {
    for ty in ["u64", "u96", "i128", "u192", "u256", "i333", "u448", "u512", "u576", "u1024", "i2049"] {
        for count in [1, 3, 8, 13, 60] {
            check_modular_products::<u64>("mulmod(a, b, m)", ty, count);
        }
        check_modular_products::<u32>("mulmod(a, b, m)", ty, 41);
        check_modular_products::<u128>("mulmod(a, b, m)", ty, 41);
    }
}
