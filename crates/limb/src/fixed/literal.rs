//! Numbers from text in constants: [`FromStr`](core::str::FromStr), evaluated by the compiler.

/// Limbs of the widest constant.
pub(super) const MAX_LIMBS: usize = 1024;
/// Digits to the base 2^32 of the longest constant.
const MAX_DIGITS: usize = MAX_LIMBS * 4;

/// The `len` digits to the base 2^32 of a number, least significant first, in two's complement. The text is
/// decimal, or hexadecimal after `0x`, with `_` between digits; `-` may precede a signed number.
///
/// # Panics
/// On any other text, and on numbers that do not fit. In a constant, that is a compile error.
pub(super) const fn parse(text: &str, signed: bool, len: usize) -> [u32; MAX_DIGITS] {
    let text = text.as_bytes();
    let mut at = 0;
    let negative = signed && !text.is_empty() && text[0] == b'-';
    if negative || !text.is_empty() && text[0] == b'+' {
        at = 1;
    }
    let is_hex = at + 1 < text.len() && text[at] == b'0' && matches!(text[at + 1], b'x' | b'X');
    if is_hex {
        at += 2;
    }
    assert!(at < text.len(), "expected a number, found no digits");
    let radix = if is_hex { 16 } else { 10 };
    let mut digits = [0; MAX_DIGITS];
    let mut used = 0;
    // As many digits as fit 32 bits are gathered before they are added to the number.
    let (mut gathered, mut scale, mut found) = (0, 1, false);
    while at < text.len() {
        if text[at] == b'_' {
            assert!(found && text[at - 1] != b'_' && at + 1 < text.len(), "expected `_` between digits");
        } else {
            gathered = gathered * radix + digit(text[at], radix);
            scale *= radix;
            found = true;
        }
        at += 1;
        if scale * radix > u32::MAX as u64 || at == text.len() {
            used = multiply_add(&mut digits, used, scale, gathered, len);
            (gathered, scale) = (0, 1);
        }
    }
    let (mut i, mut carry) = (0, negative);
    while negative && i < len {
        (digits[i], carry) = (!digits[i]).overflowing_add(carry as u32);
        i += 1;
    }
    // The carry leaves the top only if the magnitude is 0.
    assert!(!signed || carry || digits[len - 1] >> 31 == negative as u32, "the number does not fit its type");
    digits
}

/// The value of a digit.
const fn digit(byte: u8, radix: u64) -> u64 {
    let value = match byte {
        b'0'..=b'9' => byte - b'0',
        b'a'..=b'f' => byte - b'a' + 10,
        b'A'..=b'F' => byte - b'A' + 10,
        _ => u8::MAX,
    } as u64;
    assert!(value < radix, "expected a decimal number, or a hexadecimal one after `0x`");
    value
}

/// `digits = digits * scale + addend`; takes and returns the number of digits in use.
const fn multiply_add(digits: &mut [u32], mut used: usize, scale: u64, addend: u64, len: usize) -> usize {
    let (mut carry, mut i) = (addend, 0);
    while i < used {
        let sum = digits[i] as u64 * scale + carry;
        digits[i] = sum as u32;
        carry = sum >> 32;
        i += 1;
    }
    while carry != 0 {
        assert!(used < len, "the number does not fit its type");
        digits[used] = carry as u32;
        carry >>= 32;
        used += 1;
    }
    used
}
