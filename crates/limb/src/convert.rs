//! Limb slices to and from num-bigint and bytes.

use num_bigint::{BigInt, BigUint, Sign};

use crate::slice::{bits, cmp, sub, words};
use crate::{base::Base, error::RangeError, int_type::IntType, width::whole_bits};

/// The value of the limbs.
#[must_use]
pub fn to_biguint<B: Base>(limbs: &[B]) -> BigUint {
    let mut packed = vec![0; words::words_for::<B>(limbs.len())];
    words::pack(&mut packed, limbs);
    BigUint::new(packed.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect())
}

/// `out = value mod B^M`; returns whether the value fits the limbs of `out`.
#[must_use]
pub fn from_biguint<B: Base>(value: &BigUint, out: &mut [B]) -> bool {
    let mut packed: Vec<u64> = value.iter_u64_digits().collect();
    packed.resize(packed.len().max(words::words_for::<B>(out.len())), 0);
    words::unpack(out, &packed);
    value.bits() <= out.len() as u64 * u64::from(B::BITS)
}

/// The value of limbs that hold a number of type `ty`. Bits above its width are ignored.
///
/// ```
/// use limbforge_limb::{IntType, convert};
/// let ty: IntType = "i5".parse()?;
/// assert_eq!(convert::to_bigint(&[0b11110_u32], ty), (-2).into());
/// # Ok::<(), limbforge_limb::ParseIntTypeError>(())
/// ```
#[must_use]
pub fn to_bigint<B: Base>(limbs: &[B], ty: IntType) -> BigInt {
    let mut number = limbs.to_vec();
    number.resize(ty.limbs::<B>(), B::ZERO);
    let negative = ty.is_signed() && cmp::is_negative(&number, ty.bits());
    if negative {
        sub::neg_assign(&mut number);
    }
    bits::truncate(&mut number, ty.bits());
    BigInt::from_biguint(if negative { Sign::Minus } else { Sign::Plus }, to_biguint(&number))
}

/// `out = value`, a number of type `ty`; bits above its width become zero.
///
/// # Errors
/// [`RangeError`] if the value does not fit the type; `out` is then the value mod `2^bits`.
///
/// # Panics
/// Unless `out` has the limbs of `ty`.
pub fn from_bigint<B: Base>(value: &BigInt, ty: IntType, out: &mut [B]) -> Result<(), RangeError> {
    assert_eq!(out.len(), ty.limbs::<B>(), "limbs of the type");
    // The bit count below decides whether the value fits.
    let _ = from_biguint(value.magnitude(), out);
    let negative = value.sign() == Sign::Minus;
    if negative {
        sub::neg_assign(out);
    }
    bits::truncate(out, ty.bits());
    let needed = needed_bits(value, ty.is_signed());
    let fits = needed <= u64::from(ty.bits()) && (ty.is_signed() || !negative);
    if fits { Ok(()) } else { Err(RangeError { ty, needed }) }
}

/// Width of the narrowest type of this signedness (signed for a negative value) that holds the value.
pub(crate) fn needed_bits(value: &BigInt, signed: bool) -> u64 {
    match value.sign() {
        // -2^(n-1) fits n bits.
        Sign::Minus => (value.magnitude() - 1_u32).bits() + 1,
        _ => value.bits() + u64::from(signed),
    }
}

/// `out =` the number with these little-endian bytes, mod `B^M`; returns whether it fits the limbs of `out`.
#[must_use]
pub fn from_le_bytes<B: Base>(bytes: &[u8], out: &mut [B]) -> bool {
    const { whole_bits::<B>() };
    let (used, above) = bytes.split_at(bytes.len().min(out.len() * B::BYTES));
    let fits = above.iter().all(|&byte| byte == 0);
    if let Some(image) = as_le_bytes_mut(out) {
        let (low, high) = image.split_at_mut(used.len());
        low.copy_from_slice(used);
        high.fill(0);
        return fits;
    }
    let mut images = used.chunks(B::BYTES);
    for limb in out {
        *limb = images.next().map_or(B::ZERO, B::from_le_bytes);
    }
    fits
}

/// `out =` the integer of the type with these little-endian bytes, of any number, as its residue modulo `2^bits`.
/// The bytes of a signed type are in two's complement.
///
/// ```
/// use limbforge_limb::convert::from_le_record;
/// let (ty, mut limbs) = ("i100".parse()?, [0_u64; 2]);
/// from_le_record(&[0xfe, 0xff], ty, &mut limbs)?;
/// assert_eq!(limbs, [u64::MAX - 1, (1 << 36) - 1]); // 2^100 - 2
/// assert!(from_le_record(&[0x80; 13], ty, &mut limbs).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`RangeError`] if the integer is not of the type; `out` is then unspecified.
pub fn from_le_record<B: Base>(bytes: &[u8], ty: IntType, out: &mut [B]) -> Result<(), RangeError> {
    // Bits above the limbs are above the width, too: this check covers them.
    let needed = width_of_bytes(bytes, ty.is_signed());
    if needed > ty.bits().into() {
        return Err(RangeError { ty, needed });
    }
    let _ = from_le_bytes(bytes, out);
    if ty.is_signed() && bytes.last().is_some_and(|&top| top >> 7 == 1) {
        let (limb, byte) = (bytes.len() / B::BYTES, bytes.len() % B::BYTES);
        for (j, limb) in out.iter_mut().skip(limb).enumerate() {
            *limb = *limb | B::HIGHEST << (if j == 0 { 8 * byte } else { 0 });
        }
    }
    bits::truncate(out, ty.bits());
    Ok(())
}

/// Writes the number to `bytes` in little-endian order, zeros above it; a shorter `bytes` gets the low bytes.
pub fn to_le_bytes<B: Base>(limbs: &[B], bytes: &mut [u8]) {
    const { whole_bits::<B>() };
    if let Some(image) = as_le_bytes(limbs) {
        let (low, high) = bytes.split_at_mut(bytes.len().min(image.len()));
        low.copy_from_slice(&image[..low.len()]);
        high.fill(0);
        return;
    }
    bytes.fill(0);
    for (image, limb) in bytes.chunks_mut(B::BYTES).zip(limbs) {
        limb.write_le_bytes(image);
    }
}

/// Whether limbs lie in memory as their little-endian bytes, as kernels read them.
///
/// ```
/// # #[cfg(target_endian = "little")]
/// assert!(limbforge_limb::convert::lies_as_bytes::<u128>());
/// ```
#[must_use]
pub fn lies_as_bytes<B: Base>() -> bool {
    const { whole_bits::<B>() };
    // Distinct bytes, as many as the widest limb has.
    let image: [u8; 16] = core::array::from_fn(|i| i as u8 + 1);
    let image = &image[..size_of::<B>()];
    bytemuck::bytes_of(&B::from_le_bytes(image)) == image
}

/// The memory of the limbs, if it is their little-endian bytes: [`lies_as_bytes`].
///
/// ```
/// # #[cfg(target_endian = "little")]
/// assert_eq!(limbforge_limb::convert::as_le_bytes(&[0x201_u32]), Some(&[1, 2, 0, 0][..]));
/// ```
#[inline]
#[must_use]
pub fn as_le_bytes<B: Base>(limbs: &[B]) -> Option<&[u8]> {
    lies_as_bytes::<B>().then(|| bytemuck::cast_slice(limbs))
}

/// As [`as_le_bytes`], for writing: a file of little-endian numbers is read into limbs without a copy.
///
/// ```
/// # #[cfg(target_endian = "little")] {
/// use limbforge_limb::{Batch, IntType, Layout, convert};
/// use std::io::Read;
///
/// let mut file = &b"\x01\0\0\0\0\0\0\0\xff\0\0\0\0\0\0\0"[..];
/// let mut batch = Batch::<u64>::zeros(IntType::unsigned(64)?, Layout::InstanceMajor, 2)?;
/// file.read_exact(convert::as_le_bytes_mut(batch.limbs_mut()).expect("little-endian limbs"))?;
/// assert_eq!(batch.to_u64s()?, [1, 255]);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
#[must_use]
pub fn as_le_bytes_mut<B: Base>(limbs: &mut [B]) -> Option<&mut [u8]> {
    lies_as_bytes::<B>().then(|| bytemuck::cast_slice_mut(limbs))
}

/// Width of the narrowest type of this signedness that holds the number with these little-endian bytes.
pub(crate) fn width_of_bytes(bytes: &[u8], signed: bool) -> u64 {
    let fill = if signed && bytes.last().is_some_and(|&top| top >> 7 == 1) { 0xff } else { 0 };
    let bits = bytes
        .iter()
        .rposition(|&byte| byte != fill)
        .map_or(0, |top| 8 * top as u64 + u64::from((bytes[top] ^ fill).ilog2()) + 1);
    bits + u64::from(signed)
}
