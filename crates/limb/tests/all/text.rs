//! Text on limb slices: every radix and length against num-bigint, and what is refused.

use limbforge_limb::text::{
    ParseError, parse_dec, parse_hex, parse_radix, write_dec, write_hex, write_radix,
};
use limbforge_limb::typenum::U2;
use limbforge_limb::{Base, Int, RangeError, U256, Uint};
use limbforge_testing::check::check;
use limbforge_testing::operands::integer;
use limbforge_testing::oracle::value;
use num_bigint::BigUint;
use num_traits::One;
use proptest::prelude::*;

fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut text = b"before".to_vec();
    write(&mut text);
    String::from_utf8(text).unwrap().split_off("before".len())
}

fn round_trips<B: Base>() {
    check(((0..40_usize).prop_flat_map(integer::<B>), 2..=36_u32, 0..3_usize), |(a, radix, zeros)| {
        let expected = value(&a);
        prop_assert_eq!(written(|text| write_hex(&a, text)), expected.to_str_radix(16));
        prop_assert_eq!(written(|text| write_dec(&a, text)), expected.to_str_radix(10));
        let text = written(|text| write_radix(&a, radix, text).unwrap());
        prop_assert_eq!(&text, &expected.to_str_radix(radix));
        let text = "0".repeat(zeros) + &text;
        for text in [text.to_uppercase(), text] {
            let mut back = vec![B::HIGHEST; a.len()];
            prop_assert_eq!(parse_radix(text.as_bytes(), radix, &mut back), Ok(()));
            prop_assert_eq!(&back, &a);
        }
        let mut back = vec![B::HIGHEST; a.len() + zeros];
        prop_assert_eq!(parse_hex(expected.to_str_radix(16).as_bytes(), &mut back), Ok(()));
        prop_assert_eq!(value(&back), expected.clone());
        prop_assert_eq!(parse_dec(expected.to_str_radix(10).as_bytes(), &mut back), Ok(()));
        prop_assert_eq!(value(&back), expected);
        Ok(())
    });
}

#[test]
fn round_trips_on_every_limb() {
    round_trips::<u32>();
    round_trips::<u64>();
    round_trips::<u128>();
}

#[test]
fn what_does_not_fit_says_how_much_is_needed() {
    check(((1..6_usize).prop_flat_map(integer::<u32>), 2..=36_u32, any::<u64>()), |(a, radix, more)| {
        let (bits, room) = (32 * a.len() as u64, BigUint::one() << (32 * a.len()));
        for wide in [value(&a) + &room, room + more] {
            let mut out = vec![0_u32; a.len()];
            let error = parse_radix(wide.to_str_radix(radix).as_bytes(), radix, &mut out);
            prop_assert_eq!(error, Err(ParseError::TooWide { needed: wide.bits(), bits }));
        }
        Ok(())
    });
}

#[test]
fn stray_bytes_are_named() {
    let radix_and_text =
        (2..=36_u32).prop_flat_map(|radix| (Just(radix), proptest::collection::vec(0..radix, 1..80)));
    check((radix_and_text, any::<proptest::sample::Index>(), any::<u8>()), |((radix, digits), at, stray)| {
        let mut text: Vec<u8> =
            digits.iter().filter_map(|&d| char::from_digit(d, radix)).map(|c| c as u8).collect();
        let position = at.index(text.len());
        text[position] = stray;
        // Also where the number is too wide.
        for room in [20, 1] {
            let result = parse_radix(&text, radix, &mut vec![0_u32; room]);
            if char::from(stray).is_digit(radix) {
                let digits_only = matches!(result, Ok(()) | Err(ParseError::TooWide { .. }));
                prop_assert!(digits_only);
            } else {
                prop_assert_eq!(result, Err(ParseError::Digit { position, found: stray, radix }));
            }
        }
        Ok(())
    });
}

#[test]
fn long_numbers_split() {
    for digits in [1999, 2000, 2001, 4000, 4001, 9000, 17_000, 90_000] {
        for text in
            ["9".repeat(digits), "1".to_owned() + &"0".repeat(digits - 1), "1234567".repeat(digits / 7)]
        {
            let expected = BigUint::parse_bytes(text.as_bytes(), 10).unwrap();
            let mut limbs = vec![0_u64; expected.bits().div_ceil(64) as usize];
            assert_eq!(parse_dec(text.as_bytes(), &mut limbs), Ok(()));
            assert_eq!(value(&limbs), expected);
            assert_eq!(written(|out| write_dec(&limbs, out)), text);
            let short = limbs.len() - 1;
            let error = ParseError::TooWide { needed: expected.bits(), bits: 64 * short as u64 };
            assert_eq!(parse_dec(text.as_bytes(), &mut limbs[..short]), Err(error));
        }
    }
    let far_too_long = parse_dec("7".repeat(1_000_000).as_bytes(), &mut [0_u64; 4]);
    assert!(matches!(far_too_long, Err(ParseError::TooWide { needed: 3_315_000..=3_321_929, bits: 256 })));
}

/// Around the powers at which long numbers are split: `C^(33 * 2^k)` for the largest power C that is a word.
#[test]
fn long_numbers_of_every_radix() {
    for radix in (2..=36).filter(|&radix| radix != 16) {
        let digits = (1..).take_while(|&digits| u64::from(radix).checked_pow(digits).is_some()).count();
        for chunks in [1, 2, 32, 33, 34, 66, 67, 131, 132, 133, 264, 600] {
            let power = BigUint::from(radix).pow((digits * chunks) as u32);
            let third = &power / 3_u32;
            for value in [&power - 1_u32, power.clone(), &power + 1_u32, &third * &third, third] {
                let expected = value.to_str_radix(radix);
                let mut limbs = value.to_u64_digits();
                assert_eq!(written(|text| write_radix(&limbs, radix, text).unwrap()), expected, "{radix}");
                limbs.fill(7);
                assert_eq!(parse_radix(expected.as_bytes(), radix, &mut limbs), Ok(()), "{radix}");
                assert_eq!(limbs, value.to_u64_digits(), "{radix}");
            }
        }
    }
}

/// Lengths at random, with long runs of the lowest and the highest digit.
#[test]
fn long_decimal_numbers() {
    let run = (0..3_u8, 1..900_usize).prop_map(|(kind, len)| match kind {
        0 => "0".repeat(len),
        1 => "9".repeat(len),
        _ => "31415926535897932384".repeat(len.div_ceil(20)),
    });
    check(proptest::collection::vec(run, 1..12), |runs| {
        let text = "1".to_owned() + &runs.concat();
        let value: BigUint = text.parse()?;
        let mut limbs = vec![0_u128; value.bits().div_ceil(128) as usize];
        prop_assert_eq!(parse_dec(text.as_bytes(), &mut limbs), Ok(()));
        prop_assert_eq!(limbforge_testing::oracle::value(&limbs), value);
        prop_assert_eq!(written(|out| write_dec(&limbs, out)), text);
        Ok(())
    });
}

#[test]
fn messages() {
    let error = |text: &str| text.parse::<U256>().unwrap_err().to_string();
    assert_eq!(error(""), "expected a number, found no digits");
    assert_eq!(error("0x"), error("+"));
    assert_eq!(error("12 3"), "byte 2: expected a digit in base 10, found byte 0x20");
    assert_eq!(error("+0xfg"), "byte 4: expected a digit in base 16, found `g`");
    assert_eq!(error("-1"), "byte 0: expected a digit in base 10, found `-`");
    assert_eq!(error(&"f".repeat(3)), "byte 0: expected a digit in base 10, found `f`");
    assert_eq!(
        error(&format!("0x{}", "f".repeat(65))),
        "the number does not fit u256: it needs 260 bits; expected 0 to 2^256 - 1"
    );
    assert_eq!(parse_radix::<u32>(b"1", 37, &mut []), Err(ParseError::Radix { radix: 37 }));
    assert_eq!(write_radix(&[1_u32], 1, &mut vec![]), Err(ParseError::Radix { radix: 1 }));
    assert_eq!(
        "-0x8000000000000001".parse::<Int<u32, U2>>(),
        Err(ParseError::Range(RangeError { ty: "i64".parse().unwrap(), needed: 65 }))
    );
    assert_eq!(
        "--1".parse::<Int<u32, U2>>().unwrap_err().to_string(),
        "byte 1: expected a digit in base 10, found `-`"
    );
    assert_eq!("-0".parse(), Ok(Int::<u32, U2>::zero()));
    assert_eq!("1é".parse::<Uint<u32, U2>>(), Err(ParseError::Digit { position: 1, found: 0xc3, radix: 10 }));
}
