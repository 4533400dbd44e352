//! Tests of primality.

use limbforge_algos::cpu::eval_checked;
use limbforge_algos::expr::Expr;
use limbforge_algos::integer::Scratch;
use limbforge_algos::integer::primality::{is_prime, is_strong_probable_prime};
use limbforge_limb::{Base, Batch, IntType, Layout};
use num_bigint::BigInt;
use num_traits::{One, Signed};

use super::numbers;

/// Numbers of the type whose primality is decided late or early: primes, products of two primes, strong
/// pseudoprimes to the base 2 with many twos in n - 1, squares, multiples of small primes.
fn candidates(ty: IntType, every: usize) -> Vec<BigInt> {
    let power = |k: u32| -> BigInt { BigInt::one() << k };
    let mut candidates: Vec<BigInt> = numbers(ty).into_iter().step_by(every).collect();
    candidates.iter_mut().take(40).for_each(|number| number.set_bit(0, true));
    let [m61, m89, m107, m127]: [BigInt; 4] = [61, 89, 107, 127].map(|k| power(k) - 1_u32);
    // Fermat's and Mersenne's numbers with a prime exponent pass to the base 2.
    candidates.extend([64, 128].map(|k| power(k) + 1));
    candidates.extend([67, 101, 103, 109, 113, 131, 137, 139].map(|k| power(k) - 1));
    candidates.extend([
        m89.clone(),
        m107.clone(),
        m127.clone(),
        &m61 * &m89,
        &m61 * &m61,
        &m89 * &m89,
        &m107 * &m127,
    ]);
    for k in [65, 66, 80, 96, 100, 127, 130, 200, 255] {
        // The largest primes below powers of two are among these.
        candidates.extend((1..60).step_by(2).map(|below| power(k) - below));
    }
    let fits = |number: &BigInt| number.bits() <= u64::from(ty.bits() - u32::from(ty.is_signed()));
    candidates.retain(fits);
    candidates
}

fn check_primality<B: Base>(ty: &str, every: usize) {
    let ty: IntType = ty.parse().unwrap();
    let n: Vec<BigInt> = candidates(ty, every);
    let bases: Vec<BigInt> = (0..n.len()).map(|i| [2, 3, 5, 7, 0, 1_000_003][i % 6].into()).collect();
    let [x, y] =
        [&n, &bases].map(|column| Batch::<B>::from_bigints(ty, Layout::InstanceMajor, column).unwrap());
    let inputs = [("n", &x), ("base", &y)];
    let eval = |text: &str| {
        let dag = Expr::parse(text).unwrap().to_dag();
        let found = eval_checked(&dag, &inputs).unwrap().values.to_bigints();
        found.into_iter().map(|value| value == BigInt::one()).collect::<Vec<_>>()
    };
    let (primes, strong) = (eval("is_prime(n)"), eval("is_strong_probable_prime(n, base)"));
    let mut scratch = Scratch::default();
    for (i, number) in n.iter().enumerate() {
        let words = number.magnitude().to_u64_digits();
        let base = bases[i].magnitude().to_u64_digits();
        let expected = !number.is_negative() && is_prime(&words, &mut scratch);
        assert_eq!(primes[i], expected, "{ty}: {number}");
        let expected = !number.is_negative() && is_strong_probable_prime(&words, &base, &mut scratch);
        assert_eq!(strong[i], expected, "{ty}: {number} to the base {}", bases[i]);
    }
    assert!(primes.iter().filter(|&&prime| prime).count() >= 8, "some are prime");
}

#[test]
fn tests_of_primality_of_any_limb_and_type() {
    check_primality::<u64>("u128", 1);
    check_primality::<u32>("i129", 1);
    check_primality::<u64>("u256", 1);
    check_primality::<u64>("i300", 3);
    check_primality::<u128>("u512", 3);
}

/// As many survivors as a group of Lucas tests has lanes, and one more; and all are the same number.
#[test]
fn tests_of_primality_of_primes_alone() {
    let ty: IntType = "u192".parse().unwrap();
    let primes = [(89, 1), (107, 1), (127, 1), (80, 65), (128, 159), (190, 11)];
    for count in [1, 2, 7, 8, 9, 16, 23] {
        for same in [false, true] {
            let n: Vec<BigInt> = (0..count)
                .map(|i| primes[if same { 0 } else { i % primes.len() }])
                .map(|(k, below)| (BigInt::one() << k) - below)
                .collect();
            let batch = Batch::<u64>::from_bigints(ty, Layout::InstanceMajor, &n).unwrap();
            let dag = Expr::parse("is_prime(n)").unwrap().to_dag();
            let found = eval_checked(&dag, &[("n", &batch)]).unwrap().values.to_bigints();
            assert_eq!(found, vec![BigInt::one(); count]);
        }
    }
}
