//! Hexadecimal: the bytes of the number, by the vector instructions of the crate const-hex.
//!
//! A number in memory begins with its least significant byte, its digits with those of the most significant:
//! bytes are reversed after the digits are decoded, and before they are encoded.

use super::{DIGITS, ParseError, VALUES, check_digits, significant};
use crate::{base::Base, convert, invariant::broken_invariant, slice::bits, width::whole_bits};

/// Bytes that are reversed and encoded at a time; they stay in registers and the first-level cache.
const BLOCK: usize = 256;
/// Bytes that are converted one by one, faster than by vectors. Measured.
const SHORT: usize = 8;

/// `out =` the number with these hexadecimal digits, most significant first, without sign or prefix.
///
/// # Errors
/// As [`parse_radix`](super::parse_radix).
///
/// ```
/// use limbforge_limb::text;
/// let mut limbs = [0_u32; 2];
/// text::parse_hex(b"1c0ffee00", &mut limbs)?;
/// assert_eq!(limbs, [0xc0ff_ee00, 1]);
/// # Ok::<(), limbforge_limb::text::ParseError>(())
/// ```
pub fn parse_hex<B: Base>(digits: &[u8], out: &mut [B]) -> Result<(), ParseError> {
    const { whole_bits::<B>() };
    let number = significant(digits);
    let room = out.len() * 2 * B::BYTES;
    if digits.is_empty() || number.len() > room {
        check_digits(digits, 16)?;
        return Err(too_wide(number, room));
    }
    let is_valid = match convert::as_le_bytes_mut(out) {
        Some(image) => decode(number, image),
        None => {
            let mut image = vec![0; number.len().div_ceil(2)];
            let is_valid = decode(number, &mut image);
            is_valid && convert::from_le_bytes(&image, out)
        }
    };
    if is_valid {
        return Ok(());
    }
    check_digits(digits, 16)?;
    broken_invariant("digits in base 16 that fit are decoded")
}

fn too_wide(number: &[u8], room: usize) -> ParseError {
    let top = number.first().map_or(0, |&top| VALUES[usize::from(top)]);
    let needed = 4 * number.len() as u64 - u64::from(top.leading_zeros() - 4);
    ParseError::TooWide { needed, bits: 4 * room as u64 }
}

/// Writes the number to a little-endian image with room for it; returns whether all digits are hexadecimal.
fn decode(number: &[u8], image: &mut [u8]) -> bool {
    let (top, pairs) = number.split_at(number.len() % 2);
    let (whole, above) = image.split_at_mut(pairs.len() / 2);
    above.fill(0);
    let mut is_valid = if whole.len() <= SHORT {
        let mut seen = 0;
        for (byte, pair) in whole.iter_mut().zip(pairs.as_chunks::<2>().0.iter().rev()) {
            let [high, low] = pair.map(|digit| VALUES[usize::from(digit)]);
            (*byte, seen) = (high << 4 | low, seen | high | low);
        }
        seen < 16
    } else {
        // A prefix 0x within the digits would be skipped: the length is then wrong, which is an error, too.
        let is_valid = const_hex::decode_to_slice(pairs, &mut *whole).is_ok();
        whole.reverse();
        is_valid
    };
    if let (&[digit], Some(above)) = (top, above.first_mut()) {
        *above = VALUES[usize::from(digit)];
        is_valid &= *above < 16;
    }
    is_valid
}

/// Appends the number's hexadecimal digits in lower case, without prefix or leading zeros; `0` for zero.
pub fn write_hex<B: Base>(limbs: &[B], text: &mut Vec<u8>) {
    const { whole_bits::<B>() };
    let digits = bits::bit_len(limbs).div_ceil(4).max(1) as usize;
    let start = text.len();
    text.resize(start + digits, b'0');
    let digits = &mut text[start..];
    match convert::as_le_bytes(limbs) {
        Some(image) => encode(image, digits),
        None => {
            let mut image = vec![0; limbs.len() * B::BYTES];
            convert::to_le_bytes(limbs, &mut image);
            encode(&image, digits);
        }
    }
}

/// Writes the low digits of the number with this little-endian image, as many as there is room for.
fn encode(image: &[u8], digits: &mut [u8]) {
    let (top, pairs) = digits.split_at_mut(digits.len() % 2);
    // Zero may have no limbs, and has one digit.
    let (whole, above) = image.split_at(pairs.len() / 2);
    if let (Some(digit), Some(&byte)) = (top.first_mut(), above.first()) {
        *digit = DIGITS[usize::from(byte & 15)];
    }
    if whole.len() <= SHORT {
        for (pair, byte) in pairs.as_chunks_mut::<2>().0.iter_mut().zip(whole.iter().rev()) {
            *pair = [byte >> 4, byte & 15].map(|digit| DIGITS[usize::from(digit)]);
        }
        return;
    }
    let mut block = [0; BLOCK];
    for (bytes, digits) in whole.rchunks(BLOCK).zip(pairs.chunks_mut(2 * BLOCK)) {
        let block = &mut block[..bytes.len()];
        block.copy_from_slice(bytes);
        block.reverse();
        if const_hex::encode_to_slice(&*block, digits).is_err() {
            broken_invariant("a byte is two digits");
        }
    }
}
