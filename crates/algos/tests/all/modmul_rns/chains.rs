//! Powers of 2 and Lucas sequences, against num-bigint and the recursion itself.

use limbforge_algos::modmul_rns::{Plan, Refused};
use num_bigint::{BigInt, BigUint};

use super::{power_of_two, random, structured_moduli};

/// `W_m` and `W_(m+1)` by the recursion `W_(k+1) = p W_k - W_(k-1)`.
fn sequence(p: &BigUint, m: u32, n: &BigUint) -> [BigUint; 2] {
    let [modulus, p] = [n, p].map(|number| BigInt::from(number.clone()));
    let (mut low, mut high) = (BigInt::from(2), p.clone());
    for _ in 0..m {
        let next = &p * &high - &low;
        (low, high) = (high, next % &modulus);
    }
    [low, high].map(|w| ((w % &modulus + &modulus) % &modulus).try_into().unwrap())
}

/// `W_m` by `A^m + A^-m` where p = A + 1 / A.
fn by_powers(a: &BigUint, m: &BigUint, n: &BigUint) -> BigUint {
    let inverse = a.modinv(n).unwrap();
    (a.modpow(m, n) + inverse.modpow(m, n)) % n
}

#[test]
fn powers_of_two_of_structured_moduli() {
    for bits in [32, 61, 124] {
        let plan = Plan::for_tests(bits).unwrap();
        let all = power_of_two(bits) - 1_u32;
        for n in structured_moduli(&plan) {
            let Ok(modulus) = plan.modulus(&n) else { continue };
            let exponents = [BigUint::ZERO, 1_u32.into(), 2_u32.into(), power_of_two(40), all.clone()];
            for exponent in exponents.iter().chain([&random(bits, 3), &(&n - 1_u32)]) {
                let expected = BigUint::from(2_u32).modpow(exponent, &n);
                assert_eq!(modulus.power_of_two(exponent), Ok(expected), "{bits} bits: {n}, {exponent}");
            }
        }
    }
}

#[test]
fn a_power_of_two_of_1024_bits() {
    let plan = Plan::for_tests(1024).unwrap();
    let n = power_of_two(1024) - 105_u32;
    assert_eq!(plan.modulus(&n).unwrap().power_of_two(&(&n - 1_u32)), Ok(1_u32.into()), "n is prime");
}

#[test]
fn lucas_sequences_of_structured_moduli() {
    for bits in [32, 61, 160] {
        let plan = Plan::for_tests(bits).unwrap();
        for n in structured_moduli(&plan) {
            let Ok(modulus) = plan.modulus(&n) else { continue };
            for p in [BigUint::ZERO, 1_u32.into(), 3_u32.into(), &n - 1_u32, random(bits, 5) % &n] {
                let p = p % &n;
                for m in [0, 1, 2, 3, 6, 64, 255] {
                    let expected = sequence(&p, m, &n);
                    assert_eq!(modulus.lucas(&p, &m.into()), Ok(expected), "{bits} bits: {n}, {p}, {m}");
                }
            }
        }
    }
}

#[test]
fn lucas_sequences_of_long_indices() {
    for bits in [64, 256, 512] {
        let plan = Plan::for_tests(bits).unwrap();
        let n = random(bits, 11) | BigUint::from(1_u32);
        let modulus = plan.modulus(&n).unwrap();
        let a = (2_u32..).map(BigUint::from).find(|a| a.modinv(&n).is_some()).unwrap();
        let p = (&a + a.modinv(&n).unwrap()) % &n;
        for m in [random(bits, 13), &n - 1_u32, power_of_two(bits - 1)] {
            let expected = [by_powers(&a, &m, &n), by_powers(&a, &(&m + 1_u32), &n)];
            assert_eq!(modulus.lucas(&p, &m), Ok(expected), "{bits}");
        }
    }
}

#[test]
fn plans_of_powers_refuse_them() {
    let plan = Plan::each(64).unwrap();
    let modulus = plan.modulus(&97_u32.into()).unwrap();
    assert_eq!(modulus.power_of_two(&5_u32.into()), Err(Refused::NoSlack));
    assert_eq!(modulus.lucas(&3_u32.into(), &5_u32.into()), Err(Refused::NoSlack));
}

/// The known widths take no more residues than powers do.
#[test]
fn residues_of_known_widths() {
    for bits in [512, 1024, 2048, 3072, 4096, 8192] {
        let [powers, tests] = [Plan::each(bits).unwrap(), Plan::for_tests(bits).unwrap()];
        assert_eq!(powers.residues(), tests.residues(), "{bits}");
        assert_eq!(powers.bounds.lambda + 1, tests.bounds.lambda, "{bits}");
    }
}
