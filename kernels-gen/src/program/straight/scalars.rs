//! Operations whose results are integers of up to 64 bits.

use super::text::{Text, word};
use crate::program::lower::FIRST_INSTANCE;
use crate::program::tape::code::{Instr, What};

impl Text<'_> {
    /// The value of an operation on scalars; `None` for others, and for those that may fail.
    pub(super) fn scalar(&self, instr: &Instr) -> Option<String> {
        let (low, high) = (word(instr.low), word(instr.high));
        let (bits, signed) = (high & 0xff, high & 0x100 != 0);
        let value = match instr.what {
            What::ScalarCopy => return Some(self.x(instr)),
            What::ScalarStateRead => {
                format!("from.scalar({}, {})", self.plane(instr, high >> 16), high >> 16)
            }
            _ => self.scalar_value(instr, low, (bits, signed))?,
        };
        Some(if bits >= 64 { value } else { format!("wrapped({value}, {bits}, {signed})") })
    }

    fn scalar_value(&self, instr: &Instr, low: u32, (bits, signed): (u32, bool)) -> Option<String> {
        let (x, y) = (self.x(instr), self.y(instr));
        let infix = |sign: &str| format!("{x} {sign} {y}");
        let truth = |sign: &str| format!("(unsigned long long)({x} {sign} {y})");
        let (input, element) = (low & 0xffff, low >> 16);
        Some(match instr.what {
            What::ScalarSelect => format!("{} != 0 ? {x} : {y}", self.third(instr)),
            What::ScalarAdd => infix("+"),
            What::ScalarSub => infix("-"),
            What::ScalarMul => infix("*"),
            What::ScalarAnd => infix("&"),
            What::ScalarOr => infix("|"),
            What::ScalarXor => infix("^"),
            What::ScalarEq => truth("=="),
            What::ScalarLess => truth("<"),
            What::ScalarLessSigned => {
                format!("(unsigned long long)((long long){x} < (long long){y})")
            }
            What::ScalarShl => format!("shifted({x}, (long long){y}, {signed})"),
            What::ScalarShr => {
                let least = "-0x7fffffffffffffffll - 1";
                format!("shifted({x}, (long long){y} == {least} ? 64 : -(long long){y}, {signed})")
            }
            What::ScalarLength => format!("(unsigned long long)length_of({x}, {signed})"),
            What::ScalarDigit => {
                let mask = (1_u64 << low) - 1;
                format!("({y} * {low} < 64 ? {x} >> {y} * {low} & {mask:#x}ull : 0ull)")
            }
            What::ScalarLow => format!("low_words({x})"),
            What::ScalarLoad => {
                let plus = if instr.y.is_some() { format!(" + (unsigned){y}") } else { String::new() };
                format!("inputs.bits({input}, {element}{plus}, 0)")
            }
            What::InputLength => format!("(unsigned long long)inputs.length({input}, {element})"),
            What::InputDigit => {
                let mask = (1_u128 << bits) - 1;
                format!("(inputs.bits({input}, {element}, {y} * {bits}) & {mask:#x}ull)")
            }
            What::NumberLength => {
                let length = format!("(unsigned long long)bit_length({x})");
                if signed { format!("(is_negative({x}) ? 0ull : {length})") } else { length }
            }
            What::NumberDigit => {
                let mask = (1_u64 << low) - 1;
                format!("(bits_from({x}, {y} * {low}, 0) & {mask:#x}ull)")
            }
            What::ScalarRandom => format!("random_scalar({x}, {y})"),
            What::Instance => "inputs.instance".to_owned(),
            What::Control => match low {
                FIRST_INSTANCE => format!("(unsigned long long)control[{}] << 32 | control[{low}]", low + 1),
                1 => "first_round".to_owned(),
                _ => "last_round".to_owned(),
            },
            _ => return None,
        })
    }
}
