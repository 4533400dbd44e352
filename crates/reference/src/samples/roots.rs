//! Square roots, their continued fractions, and powers.

use limbforge_algos::expr::random::SplitMix64;
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

use super::{Case, mersenne, number};

/// Uniform bits.
fn random(seed: &mut SplitMix64, bits: u32) -> BigInt {
    let words = (0..bits.div_ceil(32)).map(|_| seed.next_u64() as u32).collect();
    BigInt::from(BigUint::new(words)) & mersenne(bits)
}

pub(super) fn square_roots() -> Vec<Case> {
    let mut seed = SplitMix64::new(1);
    let mut case = |ty: &str, bits: u32| {
        let mut numbers: Vec<BigInt> = [0, 1, 2, 3, 4, 15, 16, 17].map(BigInt::from).to_vec();
        numbers.extend([mersenne(bits), BigInt::one() << (bits - 1)]);
        numbers.extend((1..bits).map(|bits| random(&mut seed, bits)));
        let roots: Vec<BigInt> = numbers.iter().map(BigInt::sqrt).collect();
        let rests = numbers.iter().zip(&roots).map(|(a, root)| a - root * root).collect::<Vec<_>>();
        Case::new("num-bigint's square roots", numbers.len())
            .input("a", ty, numbers)
            .result("x", roots)
            .result("rest", rests)
    };
    vec![case("u64", 64), case("u299", 299)]
}

/// Of sqrt(7), sqrt(61) and sqrt(991): tables of Pell's equation, OEIS A003285, A002350 and A002349.
pub(super) fn continued_fractions() -> Vec<Case> {
    let solutions = [
        (2, 1, "1", "1"),
        (7, 4, "8", "3"),
        (61, 11, "29718", "3805"),
        (991, 60, "379516400906811930638014896080", "12055735790331359447442538767"),
    ];
    let norm = |period: u32| if period.is_multiple_of(2) { BigInt::one() } else { mersenne(256) };
    let mut case = Case::new("Pell's equation, and a square", 5)
        .input("D", "u256", [2_u32, 7, 61, 991, 9])
        .result("r", [1, 2, 7, 31, 0])
        .result("period", solutions.map(|(_, period, ..)| period).into_iter().chain([0]))
        .result("p", solutions.map(|(_, _, p, _)| number(p)).into_iter().chain([BigInt::ZERO]))
        .result("q", solutions.map(|(_, _, _, q)| number(q)).into_iter().chain([BigInt::ZERO]))
        .result("norm", solutions.map(|(_, period, ..)| norm(period)).into_iter().chain([BigInt::ZERO]));
    case.failures = vec![(4, "REQUIRE")];
    let partial = Case::new("the partial quotients of sqrt(61) are 1, 4, 3, 1, 2, 2, 1, 3, 4, 1, 14", 1)
        .input("D", "u32", [61_u32])
        .result("quotients", [1, 4, 3, 1, 2, 2, 1, 3, 4, 1, 14].into_iter().chain([0; 21]));
    vec![case, partial]
}

pub(super) fn powers() -> Vec<Case> {
    let mut seed = SplitMix64::new(2);
    let mut numbers = |odd: bool| {
        let random = |_| random(&mut seed, 200) | BigInt::from(u8::from(odd));
        (0..20).map(random).collect::<Vec<_>>()
    };
    let (mut b, mut e, mut n) = (numbers(false), numbers(false), numbers(true));
    // The modulus 1, exponents 0 and 1, an even modulus and the modulus 0.
    let edges = [(7, 5, 1), (0, 0, 9), (5, 1, 3), (7, 5, 8), (7, 5, 0)];
    for (base, exponent, modulus) in edges {
        b.push(base.into());
        e.push(exponent.into());
        n.push(modulus.into());
    }
    let power =
        |((b, e), n): ((&BigInt, &BigInt), &BigInt)| if n.bit(0) { b.modpow(e, n) } else { BigInt::ZERO };
    let r: Vec<BigInt> = b.iter().zip(&e).zip(&n).map(power).collect();
    let mut case = Case::new("num-bigint's powers", b.len())
        .input("b", "u200", b)
        .input("e", "u200", e)
        .input("n", "u200", n)
        .result("r", r);
    case.failures = vec![(23, "EVEN"), (24, "DIV0")];
    vec![case]
}

pub(super) fn delays() -> Vec<Case> {
    let rounds = [1000_u32, 0, 1, 77];
    let (n, x) = (mersenne(61), BigInt::from(5));
    let y = rounds.map(|t| x.modpow(&(BigInt::one() << t), &n));
    let mut seed = SplitMix64::new(3);
    let (large, base) = (random(&mut seed, 512) | BigInt::one(), random(&mut seed, 512));
    let power = base.modpow(&(BigInt::one() << 300_u32), &large);
    assert!(!power.is_zero(), "a power that says something");
    vec![
        Case::new("num-bigint's powers", 4)
            .input("N", "u61", [n])
            .input("x", "u61", [x])
            .input("t", "u64", rounds)
            .result("y", y),
        Case::new("num-bigint's powers", 1)
            .input("N", "u512", [large])
            .input("x", "u512", [base])
            .input("t", "u64", [300_u32])
            .result("y", [power]),
    ]
}
