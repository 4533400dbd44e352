//! Jacobi symbols against the product of Legendre symbols by Euler's criterion, and the textbook's algorithm.

use limbforge_algos::integer::Scratch;
use limbforge_algos::integer::jacobi::{EvenModulus, jacobi};
use limbforge_limb::Base;
use limbforge_testing::expr::number_theory;
use limbforge_testing::operands::{integer, integer_pair};
use limbforge_testing::oracle::value;
use proptest::prelude::*;

fn check<B: Base>(a: &[B], n: &[B], scratch: &mut Scratch) -> Result<(), TestCaseError> {
    let found = jacobi(a, n, scratch);
    if !value(n).bit(0) {
        prop_assert_eq!(found, Err(EvenModulus));
        return Ok(());
    }
    prop_assert_eq!(found, Ok(number_theory::jacobi(&value(a).into(), &value(n))));
    Ok(())
}

fn check_both<B: Base>((a, mut n): (Vec<B>, Vec<B>), other: &[B]) -> Result<(), TestCaseError> {
    let mut scratch = Scratch::default();
    check(&a, &n, &mut scratch)?;
    n[0] = n[0] | B::ONE;
    check(&a, &n, &mut scratch)?;
    check(other, &n, &mut scratch)
}

fn operands<B: Base>() -> impl Strategy<Value = ((Vec<B>, Vec<B>), Vec<B>)> {
    (1..20_usize, 0..20_usize).prop_flat_map(|(m, n)| (integer_pair(m), integer(n)))
}

proptest! {
    #[test]
    fn u32_symbols((pair, other) in operands::<u32>()) {
        check_both(pair, &other)?;
    }

    #[test]
    fn u64_symbols((pair, other) in operands::<u64>()) {
        check_both(pair, &other)?;
    }

    #[test]
    fn u128_symbols((pair, other) in operands::<u128>()) {
        check_both(pair, &other)?;
    }
}

/// `(a / p) = a^((p - 1) / 2) mod p` for odd primes, and the symbol of a product is the product of the symbols.
#[test]
fn symbols_by_their_definition() {
    let mut scratch = Scratch::default();
    let legendre = |a: u64, p: u64| match (0..(p - 1) / 2).fold(1, |power, _| power * a % p) {
        power if power == p - 1 => -1,
        power => power as i8,
    };
    for n in (1..400_u64).step_by(2) {
        for a in 0..n + 30 {
            let (mut rest, mut expected) = (n, 1);
            for p in 3..=n {
                while rest % p == 0 {
                    rest /= p;
                    expected *= legendre(a, p);
                }
            }
            assert_eq!(jacobi(&[a], &[n], &mut scratch), Ok(expected), "({a} / {n})");
        }
    }
}
