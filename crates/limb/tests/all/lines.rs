//! Lines of text against an independent parser: the same numbers, and the same errors in the same columns.

use limbforge_limb::io::{NumberFormat, RecordError, Splitter};
use limbforge_limb::{Base, IntType, RangeError, convert};
use limbforge_testing::check::check;
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, Zero};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::records::any_type;

/// The number on a line or its error, digit by digit. `room` is the width of the limbs in bits.
fn reference(line: &[u8], format: NumberFormat, ty: IntType, room: u64) -> Result<BigInt, RecordError> {
    let radix = if format == NumberFormat::Dec { 10 } else { 16 };
    let blank = |byte: &u8| b" \t\r\n\x0c".contains(byte);
    let Some(mut at) = line.iter().position(|byte| !blank(byte)) else { return Err(RecordError::Empty) };
    let end = line.iter().rposition(|byte| !blank(byte)).unwrap() + 1;
    let negative = line[at] == b'-';
    at += usize::from(negative);
    if radix == 16 && at + 2 <= end && line[at] == b'0' && line[at + 1].eq_ignore_ascii_case(&b'x') {
        at += 2;
    }
    if at == end {
        return Err(RecordError::NoDigits { column: at + 1, radix });
    }
    let mut value = BigUint::zero();
    for (column, &found) in (1..).zip(line).take(end).skip(at) {
        match char::from(found).to_digit(radix) {
            Some(digit) if found.is_ascii() => value = value * radix + digit,
            _ => return Err(RecordError::Digit { column, found, radix }),
        }
    }
    let signed = u64::from(ty.is_signed());
    let needed = value.bits() + signed;
    let error = |needed| Err(RecordError::Range(RangeError { ty, needed }));
    if value.bits() > room {
        return error(needed);
    }
    if negative && signed == 0 && !value.is_zero() {
        return Err(RecordError::Negative { ty });
    }
    let smallest = negative && value == BigUint::one() << (ty.bits() - 1);
    if needed > ty.bits().into() && !value.is_zero() && !smallest {
        return error(needed);
    }
    Ok(BigInt::from_biguint(if negative { Sign::Minus } else { Sign::Plus }, value))
}

/// Lines of numbers about as wide as the type, written in every accepted way, some of them broken.
fn lines(ty: IntType, format: NumberFormat) -> impl Strategy<Value = Vec<Vec<u8>>> {
    let bits = (ty.bits() as usize).div_ceil(32);
    let number = (vec(any::<u32>(), bits), 0..40_u32, any::<[bool; 4]>(), 0..4_usize);
    let line = number.prop_map(move |(words, shift, [negative, prefix, upper, blank], zeros)| {
        let value = (BigUint::new(words) >> shift) << (shift / 2);
        let mut digits = value.to_str_radix(if format == NumberFormat::Dec { 10 } else { 16 });
        digits.insert_str(0, &"0".repeat(zeros));
        let prefix = if prefix && format == NumberFormat::Hex { "0x" } else { "" };
        let blank = if blank { " \t" } else { "" };
        let line = format!("{blank}{}{prefix}{digits}{blank}", if negative { "-" } else { "" });
        (if upper { line.to_uppercase() } else { line }).into_bytes()
    });
    let broken = (line, any::<Index>(), any::<u8>(), 0..3_u8).prop_map(|(mut line, at, byte, kind)| {
        let at = at.index(line.len());
        match kind {
            0 if byte != b'\n' => line[at] = byte,
            1 => line.truncate(at),
            _ => {}
        }
        line
    });
    vec(broken, 0..12)
}

fn lines_are_numbers_or_errors<B: Base>() {
    let case = (any_type(), select(vec![NumberFormat::Hex, NumberFormat::Dec]))
        .prop_flat_map(|(ty, format)| (Just(ty), Just(format), lines(ty, format)));
    check(case, |(ty, format, lines)| {
        let (m, block) = (ty.limbs::<B>(), lines.join(&b'\n'));
        let records = Splitter::new(format, ty).split(&block[..]);
        // An empty last line without an end is no line.
        let lines = &lines[..lines.len() - usize::from(lines.last().is_some_and(Vec::is_empty))];
        prop_assert_eq!(records.len(), lines.len());
        let mut limbs = vec![B::HIGHEST; records.len() * m];
        let mut failed = records.parse_range(0..records.len(), &mut limbs).into_iter().peekable();
        for (i, line) in lines.iter().enumerate() {
            let found = match failed.next_if(|&(at, _)| at == i) {
                Some((_, error)) => Err(error),
                None => Ok(convert::to_bigint(&limbs[i * m..][..m], ty)),
            };
            let room = m as u64 * u64::from(B::BITS);
            prop_assert_eq!(found, reference(line, format, ty, room), "{} {:?}", ty, line);
            let is_zero = limbs[i * m..][..m].iter().all(|&limb| limb == B::ZERO);
            prop_assert!(is_zero || reference(line, format, ty, room).is_ok());
            let mut one = vec![B::HIGHEST; m];
            prop_assert_eq!(records.parse(i, &mut one).err(), reference(line, format, ty, room).err());
        }
        Ok(())
    });
}

#[test]
fn lines_are_numbers_or_errors_of_every_limb() {
    lines_are_numbers_or_errors::<u32>();
    lines_are_numbers_or_errors::<u64>();
    lines_are_numbers_or_errors::<u128>();
}
