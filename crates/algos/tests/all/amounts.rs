//! Amounts of shifts, rotations and fields: a written amount is that number in any type, of any magnitude and
//! sign.

use std::collections::HashMap;

use limbforge_algos::cpu::eval;
use limbforge_algos::expr::{Amount, Dag, Expr, Op};
use limbforge_limb::{Base, Batch, IntType, Layout, limb_newtype};
use limbforge_testing::expr::evaluate;
use num_bigint::{BigInt, Sign};
use proptest::prelude::*;

limb_newtype! {
    /// The narrowest limb: counts and amounts take several.
    struct Byte(u8);
}

/// The value of the expression for these variables, by the CPU backend.
fn value<B: Base>(dag: &Dag, ty: IntType, variables: &[(&str, &BigInt)]) -> BigInt {
    let batches: Vec<Batch<B>> = variables
        .iter()
        .map(|(_, value)| {
            Batch::from_bigints(ty, Layout::InstanceMajor, std::slice::from_ref(*value)).unwrap()
        })
        .collect();
    let names = variables.iter().map(|(name, _)| *name);
    let inputs: Vec<(&str, &Batch<B>)> = names.zip(&batches).collect();
    eval(dag, &inputs).unwrap().to_bigints()[0].clone()
}

/// (text, type, value) for a = 5 and b = 0x5a.
fn check(cases: &[(&str, &str, i128)]) {
    for (text, ty, expected) in cases {
        let dag = Expr::parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).to_dag();
        let ty: IntType = ty.parse().unwrap();
        let variables = [("a", &BigInt::from(5)), ("b", &BigInt::from(0x5a))];
        assert_eq!(value::<u64>(&dag, ty, &variables), BigInt::from(*expected), "{text} of {ty}");
        assert_eq!(
            value::<Byte>(&dag, ty, &variables),
            BigInt::from(*expected),
            "{text} of {ty}, limbs of 8 bits"
        );
        let oracle = evaluate(&dag, &variables.map(|(name, value)| (name, value.clone())).into(), ty);
        let modulus = BigInt::from(1) << ty.bits();
        assert_eq!(
            BigInt::from(oracle),
            (expected % &modulus + &modulus) % &modulus,
            "{text} of {ty}, oracle"
        );
    }
}

#[test]
fn a_shift_by_minus_2_to_the_64th_moves_all_bits_out() {
    check(&[
        ("a << -18446744073709551615", "u64", 0),
        ("a >> -18446744073709551615", "u64", 0),
        ("a << 18446744073709551615", "u64", 0),
        ("a << (-18446744073709551615)", "u64", 0),
        ("shl(a, -18446744073709551615)", "u64", 0),
        ("(-a) << -18446744073709551615", "i64", -1),
        ("(-a) >> 18446744073709551617", "i64", -1),
        ("a << -340282366920938463463374607431768211455", "u8", 0),
        ("a << -9223372036854775808", "u64", 0),
        ("a << --1", "u64", 10),
    ]);
}

#[test]
fn a_shift_by_2_to_the_32nd_is_no_syntax_error() {
    check(&[
        ("a << 4294967296", "u64", 0),
        ("a << (4294967296)", "u64", 0),
        ("a >> 4294967297", "u64", 0),
        ("(-a) >> 4294967296", "i64", -1),
        ("a << 0x100000000000000000000000000000001", "u8", 0),
    ]);
}

#[test]
fn a_rotation_is_by_the_number_modulo_the_width() {
    check(&[
        // 2^64 - 1 = 7 mod 8.
        ("rotl(b, 0xffffffffffffffff)", "u8", 0x2d),
        ("rotr(b, -0xffffffffffffffff)", "u8", 0x2d),
        ("rotr(b, 0xffffffffffffffff)", "u8", 0xb4),
        ("rotl(b, -18446744073709551615)", "u8", 0xb4),
        ("rotl(b, 300)", "u8", 0xa5),
        // 10^30 = 1 mod 9.
        ("rotl(b, 1000000000000000000000000000000)", "u9", 0xb4),
        ("rotl(b, -1000000000000000000000000000000)", "u9", 0x2d),
        ("rotl(b, -9223372036854775808)", "u9", 0xb4),
    ]);
}

#[test]
fn fields_and_masks_by_numbers_of_any_size() {
    check(&[
        ("extract(b, 0, 18446744073709551616)", "u8", 0x5a),
        ("extract(b, 18446744073709551616, 4)", "u8", 0),
        ("extract(b, -18446744073709551616, 4)", "u8", 0),
        ("extract(-a, 18446744073709551616, 4)", "i8", 15),
        ("extract(b, 0, -18446744073709551615)", "u64", 0),
        // The field ends at bit 4, and the bits of b that reach it are zeros.
        ("insert(b, a, -18446744073709551616, 18446744073709551620)", "u8", 0x50),
        ("insert(b, -a, -18446744073709551616, 18446744073709551620)", "i8", 0x5f),
        ("insert(b, a, -18446744073709551616, 18446744073709551616)", "u8", 0x5a),
        ("insert(b, a, 4, 18446744073709551616)", "u8", 0x5a),
        ("insert(b, a, 18446744073709551616, 4)", "u8", 0x5a),
        ("mask(18446744073709551616)", "u8", 0xff),
        ("mask(-18446744073709551615)", "u64", u64::MAX.into()),
        ("mask_high(9223372036854775808)", "u8", 0xff),
        ("mask_high(-9223372036854775808)", "u8", 0xff),
    ]);
}

/// One end is written and does not fit the type, the other is computed.
#[test]
fn fields_that_begin_far_below_bit_0_end_where_they_end() {
    let far = 1_i64 << 40;
    for (start, length, n, m) in [
        (&*format!("-{far}"), "n", far + 4, 0),
        ("n", &format!("{}", far + 4), -far, 0),
        ("n", "m", -far, far + 4),
        ("n", "9223372036854775812", i64::MIN, 0),
        ("-9223372036854775803", "n", i64::MAX, 0),
    ] {
        let text = format!("insert(b, a, {start}, {length})");
        let dag = Expr::parse(&text).unwrap().to_dag();
        let values =
            [("a", 5), ("b", 0x5a), ("n", n), ("m", m)].map(|(name, value)| (name, BigInt::from(value)));
        let all: Vec<(&str, &BigInt)> = values.iter().map(|(name, value)| (*name, value)).collect();
        let found = value::<u32>(&dag, IntType::signed(64).unwrap(), &all);
        assert_eq!(found, 0x50.into(), "{text} for n = {n}, m = {m}");
    }
    let dag = Expr::parse("insert(b, a, -18446744073709551611, n)").unwrap().to_dag();
    let ty = IntType::unsigned(64).unwrap();
    let of = |n: u64| value::<u32>(&dag, ty, &[("a", &5.into()), ("b", &0x5a.into()), ("n", &n.into())]);
    assert_eq!(
        [of(u64::MAX), of(u64::MAX - 4), of(7)].map(|x| i64::try_from(x).unwrap()),
        [0x50, 0x5a, 0x5a]
    );
}

#[test]
fn constants_given_as_amounts_are_exact_too() {
    let a = Expr::input("a");
    let n = BigInt::from(i64::MIN);
    let of = |op: Op| Expr::operation(op, vec![a.clone()]).to_dag();
    let ty = IntType::unsigned(9).unwrap();
    let five = BigInt::from(5);
    let found = value::<u64>(&of(Op::Rotr(Amount::Constant(n.clone()))), ty, &[("a", &five)]);
    assert_eq!(found, value::<u64>(&of(Op::Rotl(Amount::Constant(-&n))), ty, &[("a", &five)]));
    // 2^63 = 8 mod 9.
    assert_eq!(found, 0b1_0000_0010.into());
}

/// An amount of up to 200 bits, small ones and neighbours of powers of two as likely as any.
fn amount() -> impl Strategy<Value = BigInt> {
    let magnitude = prop_oneof![
        3 => (0..600_i64).prop_map(BigInt::from),
        2 => (0..=200_u32, -3..=3_i64).prop_map(|(bits, delta)| (BigInt::from(1) << bits) + delta),
        2 => (proptest::collection::vec(any::<u8>(), 0..=25)).prop_map(|bytes| BigInt::from_bytes_le(Sign::Plus, &bytes)),
    ];
    (magnitude, any::<bool>()).prop_map(|(n, negative)| if negative { -n } else { n })
}

/// The operation by text, and by Rust's operators and methods.
fn by_two_roads(which: usize, n: &BigInt, m: &BigInt) -> (String, Expr) {
    let (a, b, c) = (Expr::input("a"), Expr::input("b"), Expr::input("c"));
    let [x, y] = [n, m].map(|n| Expr::literal(n.clone()));
    match which {
        0 => (format!("a << {n}"), &a << &x),
        1 => (format!("a >> ({n})"), a >> x),
        2 => (format!("shl(a, {n})"), &a << &x),
        3 => (format!("shr(a, {n})"), &a >> &x),
        4 => (format!("rotl(a, {n})"), a.rotl(&x)),
        5 => (format!("rotr(a, {n})"), a.rotr(&x)),
        6 => (format!("extract(a, {n}, {m})"), a.extract(&x, &y)),
        7 => (format!("insert(a, b, {n}, {m})"), a.insert(&b, &x, &y)),
        8 => (format!("insert(a, b, {n}, c)"), a.insert(&b, &x, &c)),
        9 => (format!("insert(a, b, c, {m})"), a.insert(&b, &c, &y)),
        10 => (format!("mask({n}) ^ a"), x.mask() ^ a),
        11 => (format!("mask_high({n}) ^ a"), x.mask_high() ^ a),
        12 => (format!("extract(a, {n}, c)"), a.extract(&x, &c)),
        _ => (format!("insert(a, b, c, c + {})", 3), a.insert(&b, &c, &(&c + 3))),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// Parser, operators and the round trip by text give one graph, whose value is the oracle's.
    #[test]
    fn amounts_of_200_bits_equal_the_oracle(
        which in 0..14_usize,
        (n, m) in (amount(), amount()),
        bits in prop_oneof![2 => 1..=70_u64, 1 => 1..=300_u64],
        signed: bool,
        seeds in proptest::array::uniform3(proptest::collection::vec(any::<u8>(), 40)),
    ) {
        let ty = IntType::new(bits, signed).unwrap();
        let (text, built) = by_two_roads(which, &n, &m);
        prop_assume!(which != 13 || bits > 3);
        let dag = Expr::parse(&text).unwrap().to_dag();
        prop_assert_eq!(&dag, &built.to_dag(), "{}", text);
        let described = dag.describe(dag.ids().next_back().unwrap());
        // A long text leaves operands out.
        if !described.contains("...") {
            prop_assert_eq!(&dag, &Expr::parse(&described).unwrap().to_dag(), "{} is called {}", text, described);
        }

        let values = seeds.map(|bytes| {
            let value = BigInt::from_bytes_le(Sign::Plus, &bytes) >> (320 - bits);
            if signed { value - (BigInt::from(1) << (bits - 1)) } else { value }
        });
        let variables: Vec<(&str, &BigInt)> = ["a", "b", "c"].into_iter().zip(&values).collect();
        let owned: HashMap<&str, BigInt> = variables.iter().map(|&(name, value)| (name, value.clone())).collect();
        let expected = evaluate(&dag, &owned, ty);
        let modulus = BigInt::from(1) << bits;
        let residue = |x: BigInt| ((x % &modulus) + &modulus) % &modulus;
        prop_assert_eq!(residue(value::<u64>(&dag, ty, &variables)), BigInt::from(expected.clone()), "{} of {}", text, ty);
        prop_assert_eq!(residue(value::<Byte>(&dag, ty, &variables)), BigInt::from(expected), "{} of {}", text, ty);
    }
}
