//! All operations on plain integers that a thread computes, over structured operands.

use limbforge_algos::op::Why;
use limbforge_limb::num_bigint::BigInt;
use limbforge_testing::operands::{integer_pair, samples};

use super::Run;

const INSTANCES: usize = 60;

/// Operations that never fail, as d is odd.
const HEAD: &str = "in a, b, c, n
in k: OTHER
let d = b | 1
";

/// Programs of few results each, as these are in registers until the end.
const ALL: [&str; 4] = [
    "let rest = a % d
out q = a / d, rest, qe = div_euclid(a, d), re = rem_euclid(a, d), qf = div_floor(a, d), rf = rem_floor(a, d)
out exact = div_exact(a - rest, d), divides = divisible(a, b), always = divisible(a - rest, d), small = a / ((b & 7) | 1)
",
    "out high = mulhi(a, b), square = mulhi(c, c), ones = popcount(a), above = clz(b), below = ctz(c)
out left = rotl(a, n), right = rotr(b, n), left3 = rotl(a, 3), right70 = rotr(c, -70), turned = rotl(a, 12345678901234567890123)
out field = extract(a, n, c & 63), from5 = extract(a, 5, n), before = extract(a, -4, 77), rests = extract(b, 33, 1000)
",
    "out put = insert(a, b, n, c & 127), put_before = insert(a, b, -9, 40), put12 = insert(a, b, n, 12), put3 = insert(a, b, 3, n)
out mask = mask(n), mask_high = mask_high(n)
out sum = addmod(a, b, d), difference = submod(a, b, d), product = mulmod(a, b, d)
",
    "let p = max(a, ~a)
let root = isqrt(p)
out less = submod(b, a, d), wide = div_wide(rem_wide(0, c, d), b, d), rest_wide = rem_wide(a, b, d), inverse = modinv2k(d)
out root, root_rest = isqrt_rem(p), is_square = is_square(b), always_square = is_square((root & 65535) * (root & 65535))
out multiple = lcm(a, b), few = lcm(a & 255, b & 15), left7 = a << 7, right9 = a >> 9, far = b >> 300, none = b << 300
out shifted = a << k, back = a >> k, by_own = c >> n, own_left = b << n",
];

/// Each operation that may fail, by the number `c`.
const FAILING: &str = "in a, b, c
let e = b & ~1
var x = a
if c == 0 { x = a / e } else { if c == 1 { x = a % e } else { if c == 2 { x = div_exact(a, e) } else {
if c == 3 { x = addmod(a, c, e) } else { if c == 4 { x = mulmod(a, a, e) } else { if c == 5 { x = div_wide(a, c, e) } else {
if c == 6 { x = rem_wide(a, c, e) } else { if c == 7 { x = modinv2k(a) } else { if c == 8 { x = isqrt(a) } else {
if c == 9 { x = rem_floor(a, e) } else { if c == 10 { x = div_euclid(a, e) } else { x = submod(c, a, e) } } } } } } } } } } }
out x";

/// Integers of two's complement or without a sign.
fn of_type(ty: &str, limbs: &[u64]) -> BigInt {
    let bits: u32 = ty[1..].parse().unwrap();
    let whole = limbs.iter().rev().fold(BigInt::from(0), |x, &limb| (x << 64) + limb);
    let low = whole % (BigInt::from(1) << bits);
    if ty.starts_with('i') && low.bit(u64::from(bits) - 1) { low - (BigInt::from(1) << bits) } else { low }
}

/// Structured operands of three inputs. Some are short, so that quotients are long.
fn operands(ty: &str) -> [Vec<BigInt>; 3] {
    let limbs = ty[1..].parse::<usize>().unwrap().div_ceil(64);
    let mut all = [vec![], vec![], vec![]];
    let pairs = samples(integer_pair::<u64>(limbs), 2 * INSTANCES);
    let pairs: Vec<(Vec<u64>, Vec<u64>)> = pairs.collect();
    for (i, ((a, b), (c, _))) in pairs.iter().zip(&pairs[INSTANCES..]).enumerate() {
        let (a, b, c) = (of_type(ty, a), of_type(ty, b), of_type(ty, c));
        all[0].push(if i % 7 == 5 { a >> 50 } else { a });
        all[1].push(if i % 3 == 0 { b >> (i % 256) } else { b });
        all[2].push(c);
    }
    all
}

/// Amounts around the words and the width, and far ones.
fn amounts(ty: &str) -> Vec<BigInt> {
    let (bits, signed) = (ty[1..].parse::<i64>().unwrap(), ty.starts_with('i'));
    let most: BigInt = (BigInt::from(1) << (bits - i64::from(signed))) - 1;
    let near = [0, 1, 5, 31, 32, 33, 63, 64, 65, bits - 1, bits, bits + 1, 2 * bits].map(BigInt::from);
    let all = near.iter().chain([&most]).cycle().take(INSTANCES).enumerate();
    let turned = |(i, n): (usize, &BigInt)| if signed && i % 2 == 1 { -n - i % 4 / 3 } else { n.clone() };
    all.map(turned).map(|n| of_type(ty, &limbs(&n))).collect()
}

/// The words of a number of up to 320 bits modulo 2^320.
fn limbs(n: &BigInt) -> Vec<u64> {
    let wrapped: BigInt =
        ((n % (BigInt::from(1) << 320)) + (BigInt::from(1) << 320)) % (BigInt::from(1) << 320);
    wrapped.magnitude().to_u64_digits()
}

fn check_all(ty: &str) {
    let [a, b, c] = operands(ty);
    let other = if ty.starts_with('i') { ty.replace('i', "u") } else { ty.replace('u', "i") };
    let batches =
        [("a", ty, a), ("b", ty, b), ("c", ty, c), ("n", ty, amounts(ty)), ("k", &*other, amounts(&other))];
    for part in ALL {
        let text = format!("{}{part}", HEAD.replace("OTHER", &other));
        let run = Run::straight(&text, INSTANCES, &batches).unwrap_or_else(|error| panic!("{error:?}"));
        assert!(run.check(&[]).failures.iter().all(Option::is_none));
    }
}

fn check_failing(ty: &str) {
    let [a, b, _] = operands(ty);
    let b = b.into_iter().enumerate().map(|(i, b)| if i / 12 % 2 == 0 { BigInt::from(0) } else { b });
    let c = (0..INSTANCES).map(|i| BigInt::from(i % 12)).collect();
    let batches = [("a", ty, a), ("b", ty, b.collect()), ("c", ty, c)];
    let failures = Run::straight(FAILING, INSTANCES, &batches).unwrap().check(&[]).failures;
    let found = |why: Why| failures.iter().flatten().any(|(found, _)| *found == why);
    assert!(
        [Why::DivisionByZero, Why::ZeroModulus, Why::NotDivisible, Why::LongQuotient].into_iter().all(found)
    );
    assert_eq!(found(Why::Negative), ty.starts_with('i'));
    assert!(failures.contains(&None));
}

#[test]
fn integers_of_few_words() {
    ["u64", "i64", "u33"].into_iter().for_each(check_all);
    check_failing("i64");
}

#[test]
fn integers_of_part_of_a_word() {
    ["u100", "i131"].into_iter().for_each(check_all);
    check_failing("u100");
}

#[test]
fn integers_of_eight_words() {
    ["u256", "i256"].into_iter().for_each(check_all);
    ["u256", "i256"].into_iter().for_each(check_failing);
}
