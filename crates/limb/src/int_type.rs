//! The type of the numbers in a batch: a width in bits and a signedness.

use core::{fmt, str::FromStr};

use crate::{base::Base, slice::bits, width::whole_bits};

/// A fixed-width integer type, such as `u4096` (unsigned) or `i131` (two's complement).
///
/// The width is any number of bits from 1 to [`MAX_BITS`](IntType::MAX_BITS). Arithmetic is exact modulo
/// `2^bits`. The signedness matters to comparisons, right shifts, quotients, high products and text.
///
/// ```
/// use limbforge_limb::IntType;
/// let ty: IntType = "i131".parse()?;
/// assert_eq!((ty.bits(), ty.is_signed(), ty.limbs::<u32>()), (131, true, 5));
/// # Ok::<(), limbforge_limb::ParseIntTypeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntType {
    bits: u32,
    signed: bool,
}

impl IntType {
    /// The largest width in bits: 2^24.
    pub const MAX_BITS: u32 = 1 << 24;

    /// Integers from 0 to `2^bits - 1`.
    ///
    /// # Errors
    /// [`WidthError`] unless `1 <= bits <= MAX_BITS`.
    pub const fn unsigned(bits: u64) -> Result<Self, WidthError> {
        Self::new(bits, false)
    }

    /// Two's complement integers from `-2^(bits-1)` to `2^(bits-1) - 1`.
    ///
    /// # Errors
    /// [`WidthError`] unless `1 <= bits <= MAX_BITS`.
    pub const fn signed(bits: u64) -> Result<Self, WidthError> {
        Self::new(bits, true)
    }

    /// The type of this width and signedness.
    ///
    /// # Errors
    /// [`WidthError`] unless `1 <= bits <= MAX_BITS`.
    pub const fn new(bits: u64, signed: bool) -> Result<Self, WidthError> {
        if bits == 0 || bits > Self::MAX_BITS as u64 {
            return Err(WidthError { bits });
        }
        Ok(Self { bits: bits as u32, signed })
    }

    /// Width in bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.bits
    }

    /// Whether the numbers are two's complement.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        self.signed
    }

    /// M: limbs of `B` that hold one number.
    #[must_use]
    pub const fn limbs<B: Base>(self) -> usize {
        const { whole_bits::<B>() };
        bits::limbs_for::<B>(self.bits)
    }

    /// Bytes of one binary record, `ceil(bits / 8)`.
    #[must_use]
    pub const fn bytes(self) -> usize {
        self.bits.div_ceil(8) as usize
    }

    /// The smallest number as text: `-2^7` for `i8`.
    #[must_use]
    pub fn min_text(self) -> String {
        if self.signed { format!("-2^{}", self.bits - 1) } else { "0".to_owned() }
    }

    /// The largest number as text: `2^7 - 1` for `i8`.
    #[must_use]
    pub fn max_text(self) -> String {
        format!("2^{} - 1", self.bits - u32::from(self.signed))
    }
}

/// The width is 0 or above [`IntType::MAX_BITS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("width of {bits} bits: expected 1 to {} bits", IntType::MAX_BITS)]
pub struct WidthError {
    /// The width found.
    pub bits: u64,
}

/// The text is not an [`IntType`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is not an integer type: expected `u` or `i` and a width from 1 to {} bits, as in u131 or i4096",
    IntType::MAX_BITS
)]
pub struct ParseIntTypeError {
    /// The text.
    pub text: String,
}

impl fmt::Display for IntType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.signed { 'i' } else { 'u' }, self.bits)
    }
}

impl FromStr for IntType {
    type Err = ParseIntTypeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let signed = text.starts_with('i');
        text.strip_prefix(['i', 'u'])
            .and_then(|bits| bits.parse().ok())
            .and_then(|bits| Self::new(bits, signed).ok())
            .ok_or_else(|| ParseIntTypeError { text: text.to_owned() })
    }
}
