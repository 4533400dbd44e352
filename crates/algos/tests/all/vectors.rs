//! Operations that run eight instances side by side: all counts, limbs and types against the numbers one by
//! one, on every path.

mod divisions;
mod euclid;
mod modular;
mod primality;
mod products;
mod roots;

use std::process::Command;

use limbforge_algos::cpu::{Why, eval_checked};
use limbforge_algos::expr::Expr;
use limbforge_limb::{Base, Batch, IntType, Layout};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// Numbers of the type at which carries and failures are decided, and others.
fn numbers(ty: IntType) -> Vec<BigInt> {
    let (bits, signed) = (ty.bits(), ty.is_signed());
    let mut numbers: Vec<BigInt> = (0..4).map(BigInt::from).collect();
    for k in [1, 51, 52, 53, 64, 104, 260, bits - 2, bits - 1] {
        let power = BigInt::one() << k;
        numbers.extend([&power - 1, power.clone(), &power + 1, (BigInt::one() << bits) - &power]);
    }
    let mut seed = 88_172_645_463_325_252_u64;
    numbers.extend((0..40).map(|_| {
        (0..bits.div_ceil(64)).fold(BigInt::zero(), |sum, _| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (sum << 64) + seed
        })
    }));
    let modulus = BigInt::one() << bits;
    let half = &modulus >> 1;
    for number in &mut numbers {
        *number = (&*number % &modulus + &modulus) % &modulus;
        if signed && *number >= half {
            *number -= &modulus;
        }
    }
    numbers
}

fn power(a: &BigInt, e: &BigInt, m: &BigInt) -> Result<BigInt, Why> {
    if e.is_negative() {
        return Err(Why::NegativeExponent);
    }
    if m.is_zero() {
        return Err(Why::ZeroModulus);
    }
    Ok(a.modpow(e, &m.abs()))
}

fn check_powers<B: Base>(text: &str, count: usize, short_exponents: bool) {
    let ty: IntType = text.parse().unwrap();
    let all = numbers(ty);
    let column = |first: usize, stride: usize| -> Vec<BigInt> {
        (0..count).map(|i| all[(first + i * stride) % all.len()].clone()).collect()
    };
    let (a, mut e, m) = (column(count, 7), column(3, 5), column(2 * count + 1, 3));
    if short_exponents {
        e.iter_mut().for_each(|e| *e %= 65_537);
    }
    let [x, y, z] =
        [&a, &e, &m].map(|column| Batch::<B>::from_bigints(ty, Layout::InstanceMajor, column).unwrap());
    let dag = Expr::parse("powmod(a, e, m)").unwrap().to_dag();
    let found = eval_checked(&dag, &[("a", &x), ("e", &y), ("m", &z)]).unwrap();
    let mut failures = vec![];
    for (i, value) in found.values.to_bigints().iter().enumerate() {
        let expected = power(&a[i], &e[i], &m[i]).unwrap_or_else(|why| {
            failures.push((i, why));
            BigInt::zero()
        });
        assert_eq!(value, &expected, "{text}, instance {i} of {count}: {} {} {}", a[i], e[i], m[i]);
    }
    let reported: Vec<_> = found.failures.iter().map(|failure| (failure.instance, failure.why)).collect();
    assert_eq!(reported, failures, "{text}");
}

#[test]
fn powers_of_any_count_limb_and_type() {
    for count in [1, 2, 7, 8, 9, 17, 100] {
        check_powers::<u32>("u96", count, false);
        check_powers::<u64>("u129", count, false);
        check_powers::<u128>("i256", count, false);
        check_powers::<u32>("i333", count, true);
    }
    for (ty, count) in [("u512", 17), ("i521", 9), ("u1024", 9), ("u1025", 8), ("u2048", 11), ("i4096", 8)] {
        check_powers::<u64>(ty, count, true);
        check_powers::<u32>(ty, count, true);
        check_powers::<u128>(ty, count, true);
    }
}

/// Compares an expression of two operands, or one, with its value for each instance.
fn check<B: Base>(text: &str, ty: &str, count: usize, of: impl Fn(&BigInt, &BigInt) -> Result<BigInt, Why>) {
    let ty: IntType = ty.parse().unwrap();
    let all = numbers(ty);
    let column = |first: usize, stride: usize| -> Vec<BigInt> {
        (0..count).map(|i| all[(first + i * stride) % all.len()].clone()).collect()
    };
    // Divisors of half the bits, too.
    let half = BigInt::one() << (ty.bits() / 2);
    let (a, mut b) = (column(count, 7), column(3, 5));
    b.iter_mut().skip(1).step_by(3).for_each(|b| *b %= &half);
    let [x, y] = [&a, &b].map(|column| Batch::<B>::from_bigints(ty, Layout::InstanceMajor, column).unwrap());
    let dag = Expr::parse(text).unwrap().to_dag();
    let found = eval_checked(&dag, &[("a", &x), ("b", &y)]).unwrap();
    let result = found.values.ty();
    let mut failures = vec![];
    for (i, value) in found.values.to_bigints().iter().enumerate() {
        let expected = of(&a[i], &b[i]).unwrap_or_else(|why| {
            failures.push((i, why));
            BigInt::zero()
        });
        assert_eq!(
            value,
            &wrapped(expected, result),
            "{text} of {ty}, {i} of {count}: {:x} {:x}",
            a[i],
            b[i]
        );
    }
    let mut reported: Vec<_> = found.failures.iter().map(|failure| (failure.instance, failure.why)).collect();
    // Both operations of an instance fail.
    reported.dedup();
    assert_eq!(reported, failures, "{text} of {ty}");
}

/// The number of the type that is congruent.
fn wrapped(number: BigInt, ty: IntType) -> BigInt {
    let modulus = BigInt::one() << ty.bits();
    let residue = ((number % &modulus) + &modulus) % &modulus;
    if ty.is_signed() && residue >= &modulus >> 1 { residue - modulus } else { residue }
}

/// This program again, with the path that the variable names.
#[test]
fn all_paths_give_the_same() {
    let program = std::env::current_exe().unwrap();
    for path in ["none", "portable", "doubles", "ifma"] {
        for test in [
            "powers_of_any_count_limb_and_type",
            "products::products_of_any_count_limb_and_type",
            "divisions::divisions_of_any_count_limb_and_type",
            "divisions::exact_divisions",
            "divisions::divisions_of_long_neighbours",
            "euclid::divisors_and_inverses_of_any_count_limb_and_type",
            "euclid::long_common_divisors",
            "euclid::inverses_modulo_even_numbers",
            "modular::modular_products_of_any_count_limb_and_type",
            "primality::tests_of_primality_of_any_limb_and_type",
        ] {
            let mut run = Command::new(&program);
            run.arg(format!("vectors::{test}")).arg("--exact").env("LIMBFORGE_VECTORS", path);
            let output = run.output().unwrap();
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success() && text.contains("1 passed"), "{path}: {text}");
        }
    }
}
