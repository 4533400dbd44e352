//! Roots, tests for powers and tests of primality: squares and their neighbours, pseudoprimes, primes of
//! every kind.

use limbforge_limb::IntType;
use limbforge_needs::needs;
use limbforge_reference::sample::sample;
use num_bigint::BigUint;

use super::{WHOLE_WARP, check_operands};

/// One lane and several, where words are full and where they are not.
const SHAPES: [(u64, u32); 5] = [(131, 4), (160, 8), (512, 16), (1000, 8), (1024, 32)];

fn two_to(exponent: u64) -> BigUint {
    BigUint::from(1_u32) << exponent
}

/// Below 2^bits: small ones, powers of small numbers and of numbers of half of the bits and fewer, powers of
/// two, all ones, and the neighbours of them all.
fn near_powers(bits: u64) -> Vec<BigUint> {
    let mut numbers: Vec<BigUint> = (0..20_u32).map(BigUint::from).collect();
    for k in [2_u32, 3, 5, 7, 11, 37] {
        let most = two_to(bits / u64::from(k));
        let bases =
            [most.clone() - 1_u32, (&most >> 1_u32) + 1_u32, BigUint::from(3_u32), &most / 3_u32, most];
        numbers.extend(bases.into_iter().map(|base| base.pow(k)));
    }
    numbers.extend([1, 2, 3, bits / 2, bits - 2, bits - 1, bits].map(two_to));
    let mut near: Vec<BigUint> = vec![];
    for number in numbers {
        near.extend([&number + 1_u32, &number + 2_u32, number.clone()]);
        near.extend(number.bits().ge(&1).then(|| number - 1_u32));
    }
    near.retain(|number| number.bits() <= bits);
    near.sort_unstable();
    near.dedup();
    near
}

/// Numbers as long as all lanes of a warp hold them, every so many: each instance is a warp.
fn check_whole_warp(text: &str) {
    let (bits, q) = WHOLE_WARP;
    let numbers = with_negatives(near_powers(bits), bits, true);
    let operands: Vec<[&BigUint; 3]> = numbers.iter().step_by(13).map(|number| [number; 3]).collect();
    check_operands(text, IntType::signed(bits).unwrap(), q, &operands);
}

/// For every shape; every other one is signed, and then with the numbers' negatives.
fn check_numbers(text: &str, numbers: impl Fn(u64) -> Vec<BigUint>) {
    for (i, (bits, q)) in sample(text, SHAPES.into_iter().enumerate(), 2) {
        let (numbers, signed) = (with_negatives(numbers(bits), bits, i % 2 == 0), i % 2 == 0);
        let operands: Vec<[&BigUint; 3]> = numbers.iter().map(|number| [number; 3]).collect();
        check_operands(text, IntType::new(bits, signed).unwrap(), q, &operands);
    }
}

fn with_negatives(mut numbers: Vec<BigUint>, bits: u64, signed: bool) -> Vec<BigUint> {
    if signed {
        let negatives: Vec<BigUint> = numbers[1..]
            .iter()
            .filter(|number| number.bits() < bits)
            .map(|number| two_to(bits) - number)
            .collect();
        numbers.extend(negatives);
    }
    numbers
}

#[needs(cxx)]
#[test]
fn isqrt_rem() {
    check_numbers("isqrt_rem(a) ^ isqrt(a) << 5", near_powers);
    check_whole_warp("isqrt_rem(a) ^ isqrt(a) << 5");
}

#[needs(cxx)]
#[test]
fn is_square() {
    check_numbers("is_square(a)", near_powers);
    check_whole_warp("is_square(a)");
}

#[needs(cxx)]
#[test]
fn is_perfect_power() {
    check_numbers("is_perfect_power(a)", near_powers);
    check_whole_warp("is_perfect_power(a)");
}

#[needs(cxx)]
#[test]
fn is_prime() {
    check_numbers("is_prime(a)", primes_and_pseudoprimes);
}

/// Numbers that tests of primality are known to fail for, or not.
pub(crate) fn primes_and_pseudoprimes(bits: u64) -> Vec<BigUint> {
    let parse = |text: &str| text.parse::<BigUint>().unwrap();
    let mut numbers: Vec<BigUint> = (0..300_u32).map(BigUint::from).collect();
    // Where trial division ends to know the answer, and the squares of the next primes and of Wieferich's,
    // which pass to the base 2.
    numbers.extend(
        (257 * 257 - 10..257 * 257 + 10_u32).chain([257 * 263, 1093 * 1093, 3511 * 3511]).map(BigUint::from),
    );
    // Strong pseudoprimes to the base 2, strong Lucas pseudoprimes, Carmichael numbers.
    numbers.extend([2047, 3277, 4033, 4681, 8321, 15841, 29341, 42799, 49141_u32].map(BigUint::from));
    numbers
        .extend([5459, 5777, 10877, 16109, 18971, 22499, 24569, 58519, 75077, 97439_u32].map(BigUint::from));
    numbers.extend([561, 1105, 1729, 2465, 2821, 6601, 8911, 63973, 75361_u32].map(BigUint::from));
    // The smallest strong pseudoprimes to the first 1, 2, 3 and more prime bases, and one to all below 100.
    numbers.extend(
        [
            "1373653",
            "25326001",
            "3215031751",
            "2152302898747",
            "3474749660383",
            "341550071728321",
            "3825123056546413051",
            "318665857834031151167461",
            "3317044064679887385961981",
            "68528663395046912244223605902738356719751082784386681071",
        ]
        .map(parse),
    );
    // Squares modulo all small primes (OEIS A002189): the search for Selfridge's D takes longest.
    numbers.extend(
        [
            10_310_263_441_u64,
            85_157_610_409,
            196_265_095_009,
            2_871_842_842_801,
            26_250_887_023_729,
            112_434_732_901_969,
            178_936_222_537_081,
            696_161_110_209_049,
        ]
        .map(BigUint::from),
    );
    numbers.extend(primes_and_their_products());
    numbers.retain(|number| number.bits() <= bits);
    numbers
}

/// Primes of Mersenne, the largest below powers of two, and so on; and products of two.
fn primes_and_their_products() -> Vec<BigUint> {
    let mersenne = [13, 17, 19, 31, 61, 89, 107, 127, 521, 607, 1279].map(|p| two_to(p) - 1_u32);
    let below = [
        (64, 59),
        (100, 15),
        (128, 159),
        (160, 47),
        (200, 75),
        (256, 189),
        (512, 569),
        (1000, 1245),
        (1024, 105),
    ];
    let below = below.map(|(n, c): (u64, u32)| two_to(n) - c);
    let above =
        [(16, 1), (64, 13), (96, 61), (128, 51), (192, 133), (256, 297_u32)].map(|(n, c)| two_to(n) + c);
    let products = mersenne.iter().zip(&below).map(|(p, q)| p * q);
    let mut numbers: Vec<BigUint> = products.chain(below.iter().map(|p| p * p)).collect();
    numbers.extend(mersenne.into_iter().chain(below).chain(above));
    numbers
}

#[needs(cxx)]
#[test]
fn is_strong_probable_prime() {
    for (bits, q, signed) in sample("strong", [(131, 4, true), (160, 8, false), (250, 8, true)], 1) {
        let numbers = primes_and_pseudoprimes(bits);
        let bases: Vec<BigUint> =
            [2_u32, 3, 0, 1, 5].map(BigUint::from).into_iter().chain([two_to(bits) - 1_u32]).collect();
        let base = |i: usize| if i % 7 == 6 { &numbers[i] } else { &bases[i % 7] };
        let operands: Vec<[&BigUint; 3]> =
            numbers.iter().enumerate().map(|(i, number)| [number, base(i), number]).collect();
        let ty = IntType::new(bits, signed).unwrap();
        check_operands("is_strong_probable_prime(a, b)", ty, q, &operands);
    }
}

#[needs(cxx)]
#[test]
fn root() {
    for (i, (bits, q)) in sample("root", SHAPES.into_iter().enumerate(), 2) {
        let numbers = with_negatives(near_powers(bits), bits, i % 2 == 0);
        let degrees = [2, 3, 0, 1, 5, 4, 7, 11, 37, bits / 2, bits - 1, bits, bits + 1].map(BigUint::from);
        let operands: Vec<[&BigUint; 3]> = (0..2 * numbers.len())
            .map(|i| [&numbers[i % numbers.len()], &degrees[i % degrees.len()], &numbers[0]])
            .collect();
        check_operands("root(a, b)", IntType::new(bits, i % 2 == 0).unwrap(), q, &operands);
    }
}

/// Short numbers in a type for which an instance has all lanes of a warp.
#[needs(cxx)]
#[test]
fn whole_warps() {
    let ty = IntType::unsigned(8192).unwrap();
    let mut numbers = primes_and_pseudoprimes(131);
    numbers.drain(..280);
    numbers.extend(near_powers(131).into_iter().step_by(7));
    let degrees = [2, 3, 5, 130_u32].map(BigUint::from);
    let operands: Vec<[&BigUint; 3]> =
        numbers.iter().enumerate().map(|(i, number)| [number, &degrees[i % 4], number]).collect();
    let texts = ["is_prime(a)", "is_perfect_power(a) ^ root(a, b) << 1", "isqrt_rem(a) ^ is_square(a)"];
    for text in sample("roots of whole warps", texts, 1) {
        check_operands(text, ty, 8, &operands);
    }
}

/// All numbers and degrees of narrow types.
#[needs(cxx)]
#[test]
fn all_narrow_numbers() {
    for (bits, signed) in [(1, true), (3, false), (5, true)] {
        let numbers: Vec<BigUint> = (0..1_u32 << bits).map(BigUint::from).collect();
        let pairs: Vec<[&BigUint; 3]> =
            numbers.iter().flat_map(|a| numbers.iter().map(move |b| [a, b, b])).collect();
        let ty = IntType::new(bits, signed).unwrap();
        check_operands("root(a, b)", ty, 1, &pairs);
        let tests = "is_strong_probable_prime(a, b) ^ is_square(a) << 1 ^ is_perfect_power(a) << 2 ^ is_prime(a) << 3";
        check_operands(tests, ty, 1, &pairs);
    }
}
