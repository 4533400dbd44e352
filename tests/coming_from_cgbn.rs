//! The page for those who come from CGBN: what it says computes what CGBN's function computes.

use core::cmp::Ordering;
use std::collections::BTreeSet;

use limbforge::num_bigint::BigUint;
use limbforge::prelude::*;

const PAGE: &str = include_str!("../docs/coming-from-cgbn.md");

/// The code in a cell of a table.
fn code(cell: &str) -> impl Iterator<Item = String> {
    cell.split('`').skip(1).step_by(2).map(|code| code.replace("\\|", "|"))
}

/// (the functions of CGBN, the expressions) of each row.
fn rows() -> Vec<(Vec<String>, Vec<String>)> {
    let lines = PAGE.lines().take_while(|line| !line.starts_with("## Memory"));
    let rows = lines.filter(|line| line.starts_with("| `cgbn_")).map(|line| {
        let line = line.replace("\\|", "\u{1}");
        let cells: Vec<String> = line.split('|').map(|cell| cell.replace('\u{1}', "\\|")).collect();
        (code(&cells[1]).collect(), code(&cells[2]).collect())
    });
    rows.collect()
}

#[test]
fn every_expression_of_the_page_parses() {
    let rows = rows();
    let expressions: Vec<&String> = rows.iter().flat_map(|(_, expressions)| expressions).collect();
    assert!(expressions.len() > 60, "{}", expressions.len());
    for text in expressions {
        Expr::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

#[test]
fn no_function_has_two_rows() {
    let names: Vec<String> = rows().into_iter().flat_map(|(functions, _)| functions).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
}

/// The values of the expressions that the page has for a function of CGBN, for numbers of so many bits.
fn values(
    function: &str,
    bits: u64,
    variables: &[(&str, BigUint)],
) -> Result<Vec<BigUint>, Box<dyn std::error::Error>> {
    let found =
        rows().into_iter().find(|(functions, _)| functions.iter().any(|call| call.starts_with(function)));
    let (_, expressions) = found.ok_or_else(|| format!("no row of {function}"))?;
    let ty = IntType::unsigned(bits)?;
    let batches: Vec<(&str, Batch<u32>)> = variables
        .iter()
        .map(|(name, value)| {
            Ok((*name, Batch::from_biguints(ty, Layout::InstanceMajor, std::slice::from_ref(value))?))
        })
        .collect::<Result<_, BatchError>>()?;
    let inputs: Vec<(&str, &Batch<u32>)> = batches.iter().map(|(name, batch)| (*name, batch)).collect();
    let value =
        |text: &String| Ok(Engine::cpu().eval(&Expr::parse(text)?, &inputs)?.to_biguints().swap_remove(0));
    expressions.iter().map(value).collect()
}

/// The value of the first one, for numbers of 96 bits.
fn value(function: &str, variables: &[(&str, u128)]) -> Result<u128, Box<dyn std::error::Error>> {
    let variables: Vec<(&str, BigUint)> =
        variables.iter().map(|&(name, value)| (name, value.into())).collect();
    Ok(u128::try_from(&values(function, 96, &variables)?[0])?)
}

/// Numbers of 96 bits at the ends and between, in pairs: the first below, equal to and above the second.
const PAIRS: [(u128, u128); 7] = [
    ((1 << 96) - 1, (1 << 96) - 1),
    (0x8123_4567_89ab_cdef_0fed_cba9, 0x7fff_0001_8000_0000),
    (5, (1 << 96) - 2),
    (0, 1),
    (1 << 95, 1),
    (0xffff_ffff, 0xffff_ffff),
    (0x7fff_ffff_0000_0001_8000_0000, 6),
];

/// What CGBN's documentation says of its functions on bits, on one number by the operations of u128.
#[test]
fn functions_on_bits_are_those_of_cgbn() -> Result<(), Box<dyn std::error::Error>> {
    let ones = (1_u128 << 96) - 1;
    let (a, b) = (0x8123_4567_89ab_cdef_0fed_cba9_u128, 0x7fff_ffff_0000_0001_8000_0000_u128);
    let choose = 0xff00_ff00_ff00_ff00_ff00_ff00_u128;
    let at = |name, values: &[(&str, u128)]| value(name, values);
    for n in [0, 1, 31, 32, 33, 64, 95] {
        let an = [("a", a), ("n", n)];
        assert_eq!(at("cgbn_shift_left(", &an)?, a << n & ones);
        assert_eq!(at("cgbn_shift_right(", &an)?, a >> n);
        assert_eq!(at("cgbn_rotate_left(", &an)?, (a << n | a >> (96 - n)) & ones);
        assert_eq!(at("cgbn_rotate_right(", &an)?, (a >> n | a << (96 - n)) & ones);
        let mask = (1 << n) - 1;
        assert_eq!(at("cgbn_bitwise_mask_copy(", &[("n", n)])?, mask);
        assert_eq!(at("cgbn_bitwise_mask_and(", &an)?, a & mask);
        assert_eq!(at("cgbn_bitwise_mask_ior(", &an)?, a | mask);
        assert_eq!(at("cgbn_bitwise_mask_xor(", &an)?, a ^ mask);
        let choice = [("clear", a), ("set", b), ("n", n)];
        assert_eq!(at("cgbn_bitwise_mask_select(", &choice)?, a & !mask | b & mask);
        let field = [("a", a), ("b", b), ("k", b), ("start", n), ("len", 13)];
        let without = |names: &[&str]| -> Vec<(&str, u128)> {
            field.into_iter().filter(|(name, _)| !names.contains(name)).collect()
        };
        assert_eq!(at("cgbn_extract_bits(", &without(&["b", "k"]))?, a >> n & 0x1fff);
        assert_eq!(at("cgbn_extract_bits_ui32(", &without(&["b", "k"]))?, a >> n & 0x1fff);
        let replaced = (a & !(0x1fff << n) | (b & 0x1fff) << n) & ones;
        assert_eq!(at("cgbn_insert_bits(", &without(&["k"]))?, replaced);
        assert_eq!(at("cgbn_insert_bits_ui32(", &without(&["b"]))?, replaced);
    }
    let choice = [("clear", a), ("set", b), ("choose", choose)];
    assert_eq!(at("cgbn_bitwise_select(", &choice)?, a & !choose | b & choose);
    for (a, ones, above, below) in [(0, 0, 96, 96), (a, a.count_ones(), 0, 0), (b, b.count_ones(), 1, 31)] {
        assert_eq!(at("cgbn_pop_count(", &[("a", a)])?, ones.into());
        assert_eq!(at("cgbn_clz(", &[("a", a)])?, above);
        assert_eq!(at("cgbn_ctz(", &[("a", a)])?, below);
    }
    Ok(())
}

/// What CGBN's documentation says of arithmetic, on one number by the operations of u128 and num-bigint.
#[test]
fn arithmetic_is_that_of_cgbn() -> Result<(), Box<dyn std::error::Error>> {
    let ones = (1_u128 << 96) - 1;
    let at = |name, values: &[(&str, u128)]| value(name, values);
    let wide = |a: u128, b: u128| BigUint::from(a) * BigUint::from(b);
    let low = |x: &BigUint| u128::try_from(x & BigUint::from(ones));
    for (a, b) in [(ones, ones), (0x8123_4567_89ab_cdef_0fed_cba9, 0x7fff_0001_8000_0000), (5, ones - 1)] {
        let (ab, aa, k) = ([("a", a), ("b", b)], [("a", a)], b & 0xffff_ffff | 1);
        let ak = [("a", a), ("k", k)];
        assert_eq!(at("cgbn_set(r", &aa)?, a);
        assert_eq!(at("cgbn_add(r", &ab)?, (a + b) & ones);
        assert_eq!(at("cgbn_sub(r", &ab)?, a.wrapping_sub(b) & ones);
        assert_eq!(at("cgbn_negate(", &aa)?, a.wrapping_neg() & ones);
        assert_eq!(at("cgbn_mul(", &ab)?, low(&wide(a, b))?);
        assert_eq!(at("cgbn_mul_high(", &ab)?, low(&(wide(a, b) >> 96))?);
        assert_eq!(at("cgbn_sqr(", &aa)?, low(&wide(a, a))?);
        assert_eq!(at("cgbn_sqr_high(", &aa)?, low(&(wide(a, a) >> 96))?);
        assert_eq!(at("cgbn_div(", &ab)?, a / b);
        assert_eq!(at("cgbn_rem(", &ab)?, a % b);
        assert_eq!(at("cgbn_sqrt(", &aa)?, a.isqrt());
        assert_eq!(at("cgbn_equals(", &ab)?, u128::from(a == b));
        assert_eq!(at("cgbn_compare(", &ab)?, if a < b { ones } else { u128::from(a > b) });
        assert_eq!(at("cgbn_get_ui32(", &aa)?, a & 0xffff_ffff);
        assert_eq!(at("cgbn_add_ui32(r", &ak)?, (a + k) & ones);
        assert_eq!(at("cgbn_sub_ui32(r", &ak)?, a.wrapping_sub(k) & ones);
        assert_eq!(at("cgbn_mul_ui32(", &ak)?, low(&wide(a, k))?);
        assert_eq!(at("cgbn_div_ui32(", &ak)?, a / k);
        assert_eq!(at("cgbn_rem_ui32(", &ak)?, a % k);
        assert_eq!(at("cgbn_bitwise_and(", &ab)?, a & b);
        assert_eq!(at("cgbn_bitwise_ior(", &ab)?, a | b);
        assert_eq!(at("cgbn_bitwise_xor(", &ab)?, a ^ b);
        assert_eq!(at("cgbn_bitwise_complement(", &aa)?, !a & ones);
    }
    let (a, b) = ((1 << 63) + 5, (1 << 64) - 1);
    assert_eq!(at("cgbn_mul_wide(", &[("a", a), ("b", b)])?, a * b);
    assert_eq!(at("cgbn_sqr_wide(", &[("a", a)])?, a * a);
    Ok(())
}

/// The same of number theory, whose functions CGBN has for operands below an odd modulus.
#[test]
fn number_theory_is_that_of_cgbn() -> Result<(), Box<dyn std::error::Error>> {
    let at = |name, values: &[(&str, u128)]| value(name, values);
    let big = BigUint::from;
    let modulo = |x: BigUint, m: u128| u128::try_from(x % big(m));
    // R mod m, whose inverse is (m + 1) / 2 to the 96.
    let m = 0x8123_4567_89ab_cdef_0fed_cba9_u128;
    let inverse_of_r = big(m.div_ceil(2)).modpow(&big(96), &big(m));
    for (a, b) in [(m - 1, m - 2), (3, 0x7fff_ffff_0000_0001_8000_0000)] {
        let (am, abm) = ([("a", a), ("m", m)], [("a", a), ("b", b), ("m", m)]);
        let inverse = at("cgbn_modular_inverse(", &am)?;
        assert!(inverse < m && modulo(big(a) * big(inverse), m)? == 1);
        let power = at("cgbn_modular_power(", &[("a", a), ("e", b), ("m", m)])?;
        assert_eq!(big(power), big(a).modpow(&big(b), &big(m)));
        assert_eq!(at("cgbn_bn2mont(", &am)?, modulo(big(a) << 96, m)?);
        assert_eq!(at("cgbn_mont2bn(", &am)?, modulo(big(a) * &inverse_of_r, m)?);
        assert_eq!(at("cgbn_mont_mul(", &abm)?, modulo(big(a) * big(b) * &inverse_of_r, m)?);
        assert_eq!(at("cgbn_mont_sqr(", &am)?, modulo(big(a) * big(a) * &inverse_of_r, m)?);
        let halves = [("high", a), ("low", b), ("m", m)];
        let whole = (big(a) << 96_u32) + big(b);
        assert_eq!(at("cgbn_mont_reduce_wide(", &halves)?, modulo(&whole * &inverse_of_r, m)?);
        let halves = [("high", a), ("low", b), ("b", m)];
        assert_eq!(big(at("cgbn_div_wide(", &halves)?), &whole / big(m));
        assert_eq!(at("cgbn_rem_wide(", &halves)?, modulo(whole, m)?);
        let odd = a | 1;
        let binary = at("cgbn_binary_inverse(", &[("a", odd)])?;
        assert_eq!(odd.wrapping_mul(binary) % (1 << 96), 1);
    }
    assert_eq!(at("cgbn_gcd(", &[("a", 6 << 90), ("b", 9 << 40)])?, 3 << 40);
    Ok(())
}

/// Functions with two results, each of which has an expression.
#[test]
fn quotients_and_roots_with_what_they_leave_are_those_of_cgbn() -> Result<(), Box<dyn std::error::Error>> {
    for (a, b) in PAIRS.map(|(a, b)| (BigUint::from(a), BigUint::from(b))) {
        let ab = [("a", a.clone()), ("b", b.clone())];
        for function in ["cgbn_div_rem(", "cgbn_barrett_div_rem("] {
            assert_eq!(values(function, 96, &ab)?, [&a / &b, &a % &b], "{function}: {a}, {b}");
        }
        assert_eq!(values("cgbn_barrett_div(", 96, &ab)?, [&a / &b]);
        assert_eq!(values("cgbn_barrett_rem(", 96, &ab)?, [&a % &b]);
        let rest = |x: &BigUint| x - x.sqrt().pow(2);
        assert_eq!(values("cgbn_sqrt_rem(", 96, &ab[..1])?, [a.sqrt(), rest(&a)]);

        // 2N bits: in halves, of which the upper one is below the divisor; and in the type.
        let high = &a % &b;
        let whole = (&high << 96_u32) + &a;
        let halves = [("high", high), ("low", a), ("b", b.clone())];
        for function in ["cgbn_div_rem_wide(", "cgbn_barrett_div_rem_wide("] {
            assert_eq!(
                values(function, 96, &halves)?,
                [&whole / &b, &whole % &b],
                "{function}: {whole}, {b}"
            );
        }
        assert_eq!(values("cgbn_barrett_div_wide(", 96, &halves)?, [&whole / &b]);
        assert_eq!(values("cgbn_barrett_rem_wide(", 96, &halves)?, [&whole % &b]);
        for w in [whole, BigUint::from(2_u32).pow(192) - 1_u32, BigUint::from(u64::MAX).pow(2)] {
            let roots = values("cgbn_sqrt_rem_wide(", 192, &[("w", w.clone())])?;
            assert_eq!(roots, [w.sqrt(), rest(&w)]);
            assert_eq!(values("cgbn_sqrt_wide(", 192, &[("w", w)])?, roots[..1]);
        }
    }
    Ok(())
}

/// Functions on numbers of 32 bits, for each instance another one.
#[test]
fn words_are_those_of_cgbn() -> Result<(), Box<dyn std::error::Error>> {
    let ones = BigUint::from(2_u32).pow(96) - 1_u32;
    for (a, b) in PAIRS {
        for k in [b & 0xffff_ffff, 0, 1, 0xffff_ffff] {
            let (a, k) = (BigUint::from(a), BigUint::from(k));
            let ak = [("a", a.clone()), ("k", k.clone())];
            assert_eq!(values("cgbn_set_ui32(r", 96, &ak[1..])?, std::slice::from_ref(&k));
            assert_eq!(values("cgbn_equals_ui32(", 96, &ak)?, [BigUint::from(a == k)]);
            let order = match a.cmp(&k) {
                Ordering::Less => ones.clone(),
                Ordering::Equal => 0_u32.into(),
                Ordering::Greater => 1_u32.into(),
            };
            assert_eq!(values("cgbn_compare_ui32(", 96, &ak)?, [order], "{a}, {k}");
            // As the page says, a for k = 0.
            let (mut x, mut y) = (a, k);
            while y != BigUint::ZERO {
                (x, y) = (y.clone(), x % y);
            }
            assert_eq!(values("cgbn_gcd_ui32(", 96, &ak)?, [x]);
        }
        let radix = BigUint::from(1_u64 << 32);
        let odd = BigUint::from(a | 1);
        let inverse = values("cgbn_binary_inverse_ui32(", 96, &[("a", odd.clone())])?.swap_remove(0);
        assert_eq!(Some(inverse), odd.modinv(&radix));
    }
    Ok(())
}

/// Sums that carry once, at the end.
#[test]
fn accumulators_are_those_of_cgbn() -> Result<(), Box<dyn std::error::Error>> {
    let radix = BigUint::from(2_u32).pow(96);
    for (a, b) in PAIRS {
        let k = b & 0xffff_ffff;
        let abk = [a, b, k].map(BigUint::from);
        let named: Vec<_> = ["a", "b", "k"].into_iter().zip(abk.clone()).collect();
        let [a, b, k] = abk;
        for set in ["cgbn_set(acc", "cgbn_set_ui32(acc"] {
            assert_eq!(values(set, 96, &named)?, std::slice::from_ref(&a));
        }
        for add in ["cgbn_add(acc", "cgbn_add_ui32(acc"] {
            assert_eq!(values(add, 96, &named)?, [(&a + &b + &k) % &radix]);
        }
        for sub in ["cgbn_sub(acc", "cgbn_sub_ui32(acc"] {
            assert_eq!(values(sub, 96, &named)?, [(&a + &radix + &radix - &b - &k) % &radix]);
        }
    }
    Ok(())
}

/// Every function that `cgbn.h` declares, of CGBN at e8b9d26, and none besides.
#[test]
fn every_function_of_cgbn_has_a_row() {
    let arithmetic =
        "set swap add sub negate mul mul_high sqr sqr_high div rem div_rem sqrt sqrt_rem equals compare";
    let words = "get_ui32 set_ui32 add_ui32 sub_ui32 mul_ui32 div_ui32 rem_ui32 equals_ui32 compare_ui32 extract_bits_ui32 \
                 insert_bits_ui32 gcd_ui32 binary_inverse_ui32";
    let wide = "mul_wide sqr_wide div_wide rem_wide div_rem_wide sqrt_wide sqrt_rem_wide";
    let bits = "bitwise_and bitwise_ior bitwise_xor bitwise_complement bitwise_select bitwise_mask_copy bitwise_mask_and \
                bitwise_mask_ior bitwise_mask_xor bitwise_mask_select shift_left shift_right rotate_left rotate_right \
                extract_bits insert_bits pop_count clz ctz";
    let theory = "resolve gcd modular_inverse modular_power binary_inverse bn2mont mont2bn mont_mul mont_sqr mont_reduce_wide \
                  barrett_approximation barrett_div barrett_rem barrett_div_rem barrett_div_wide barrett_rem_wide \
                  barrett_div_rem_wide";
    let memory = "load store mem_t context_t env_t error_report_t error_report_alloc error_string no_checks";
    let lists = [arithmetic, words, wide, bits, theory, memory];
    let rows: String = PAGE.lines().filter(|line| line.starts_with("| `cgbn_")).collect();
    for name in lists.iter().flat_map(|list| list.split_whitespace()) {
        let is_there = ["(", "`", "<"].iter().any(|end| rows.contains(&format!("`cgbn_{name}{end}")));
        assert!(is_there, "cgbn_{name}");
    }
}
