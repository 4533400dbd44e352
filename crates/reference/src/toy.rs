//! Limbs of a few bits, with which algorithms are tested on all operands there are, and of widths that
//! machines lack.
//!
//! Arithmetic on limb slices runs on them as on any limb. They fill no bytes, so that no
//! [`Batch`](limbforge_limb::Batch), [`Uint`](limbforge_limb::Uint) or [`Int`](limbforge_limb::Int) of them
//! compiles:
//!
//! ```compile_fail,E0080
//! use limbforge_limb::UintM;
//! use limbforge_reference::toy::Toy;
//!
//! let number = UintM::<Toy<24>, 3>::from_limbs([Toy::default(); 3]);
//! ```

use core::fmt;
use core::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Not, Rem, Shl, Shr, Sub};

use limbforge_limb::{Base, Wide};
use num_traits::{
    Bounded, CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, ConstOne, ConstZero, Num, One, PrimInt,
    Saturating, ToPrimitive, Unsigned, Zero,
};

/// A limb of `BITS` bits, 1 to 31: `B = 2^BITS`. The operators wrap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Toy<const BITS: u32>(u32);

/// Two of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToyWide<const BITS: u32>(u64);

// SAFETY: a word, of which all bit patterns are values; arithmetic masks what is above BITS.
#[expect(unsafe_code, reason = "what Base asks of a limb cannot be said otherwise")]
unsafe impl<const BITS: u32> bytemuck::Zeroable for Toy<BITS> {}
// SAFETY: as above; the struct is transparent, without padding.
#[expect(unsafe_code, reason = "what Base asks of a limb cannot be said otherwise")]
unsafe impl<const BITS: u32> bytemuck::Pod for Toy<BITS> {}

impl<const BITS: u32> Toy<BITS> {
    const MASK: u32 = u32::MAX >> (u32::BITS - BITS);
    /// Bytes of an image, the last of which may be filled in part.
    const IMAGE: usize = BITS.div_ceil(8) as usize;

    const fn cut(value: u64) -> Self {
        Self(value as u32 & Self::MASK)
    }

    const fn wide(self) -> u64 {
        self.0 as u64
    }
}

macro_rules! wrapping_operators {
    ($($Op:ident $op:ident |$a:ident, $b:ident: $Rhs:ty| $value:expr;)*) => {$(
        impl<const BITS: u32> $Op<$Rhs> for Toy<BITS> {
            type Output = Self;

            fn $op(self, rhs: $Rhs) -> Self {
                let ($a, $b) = (self.wide(), rhs);
                Self::cut($value)
            }
        }
    )*};
}

wrapping_operators! {
    Add add |a, b: Self| a + b.wide();
    Sub sub |a, b: Self| a.wrapping_sub(b.wide());
    Mul mul |a, b: Self| a * b.wide();
    Div div |a, b: Self| a / b.wide();
    Rem rem |a, b: Self| a % b.wide();
    BitAnd bitand |a, b: Self| a & b.wide();
    BitOr bitor |a, b: Self| a | b.wide();
    BitXor bitxor |a, b: Self| a ^ b.wide();
    Shl shl |a, n: usize| a << n;
    Shr shr |a, n: usize| a >> n;
}

impl<const BITS: u32> Not for Toy<BITS> {
    type Output = Self;

    fn not(self) -> Self {
        Self::cut(!self.wide())
    }
}

macro_rules! checked_operators {
    ($($Op:ident $op:ident |$a:ident, $b:ident| $value:expr;)*) => {$(
        impl<const BITS: u32> $Op for Toy<BITS> {
            fn $op(&self, rhs: &Self) -> Option<Self> {
                let ($a, $b) = (self.wide(), rhs.wide());
                $value.filter(|&value| value <= Self::MASK.into()).map(Self::cut)
            }
        }
    )*};
}

checked_operators! {
    CheckedAdd checked_add |a, b| Some(a + b);
    CheckedSub checked_sub |a, b| a.checked_sub(b);
    CheckedMul checked_mul |a, b| Some(a * b);
    CheckedDiv checked_div |a, b| a.checked_div(b);
}

impl<const BITS: u32> Saturating for Toy<BITS> {
    fn saturating_add(self, rhs: Self) -> Self {
        self.checked_add(&rhs).unwrap_or(Self(Self::MASK))
    }

    fn saturating_sub(self, rhs: Self) -> Self {
        self.checked_sub(&rhs).unwrap_or_default()
    }
}

impl<const BITS: u32> Zero for Toy<BITS> {
    fn zero() -> Self {
        Self(0)
    }

    fn is_zero(&self) -> bool {
        self.0 == 0
    }
}

impl<const BITS: u32> One for Toy<BITS> {
    fn one() -> Self {
        Self(1)
    }
}

impl<const BITS: u32> ConstZero for Toy<BITS> {
    const ZERO: Self = Self(0);
}

impl<const BITS: u32> ConstOne for Toy<BITS> {
    const ONE: Self = Self(1);
}

impl<const BITS: u32> Bounded for Toy<BITS> {
    fn min_value() -> Self {
        Self(0)
    }

    fn max_value() -> Self {
        Self(Self::MASK)
    }
}

impl<const BITS: u32> Num for Toy<BITS> {
    type FromStrRadixErr = core::num::ParseIntError;

    fn from_str_radix(text: &str, radix: u32) -> Result<Self, Self::FromStrRadixErr> {
        u32::from_str_radix(text, radix).map(|value| Self::cut(value.into()))
    }
}

impl<const BITS: u32> Unsigned for Toy<BITS> {}

impl<const BITS: u32> ToPrimitive for Toy<BITS> {
    fn to_i64(&self) -> Option<i64> {
        Some(self.0.into())
    }

    fn to_u64(&self) -> Option<u64> {
        Some(self.0.into())
    }
}

impl<const BITS: u32> num_traits::NumCast for Toy<BITS> {
    fn from<T: ToPrimitive>(value: T) -> Option<Self> {
        value.to_u32().filter(|&value| value <= Self::MASK).map(Self)
    }
}

impl<const BITS: u32> PrimInt for Toy<BITS> {
    fn count_ones(self) -> u32 {
        self.0.count_ones()
    }

    fn count_zeros(self) -> u32 {
        BITS - self.0.count_ones()
    }

    fn leading_zeros(self) -> u32 {
        self.0.leading_zeros() - (u32::BITS - BITS)
    }

    fn trailing_zeros(self) -> u32 {
        self.0.trailing_zeros().min(BITS)
    }

    fn rotate_left(self, n: u32) -> Self {
        let n = n % BITS;
        Self::cut(self.wide() << n | self.wide() >> (BITS - n))
    }

    fn rotate_right(self, n: u32) -> Self {
        self.rotate_left(BITS - n % BITS)
    }

    fn signed_shl(self, n: u32) -> Self {
        self << n as usize
    }

    fn signed_shr(self, n: u32) -> Self {
        let sign = if self.leading_zeros() == 0 { !u64::from(Self::MASK) } else { 0 };
        Self::cut(((self.wide() | sign) as i64 >> n) as u64)
    }

    fn unsigned_shl(self, n: u32) -> Self {
        self << n as usize
    }

    fn unsigned_shr(self, n: u32) -> Self {
        self >> n as usize
    }

    fn swap_bytes(self) -> Self {
        self
    }

    fn from_be(x: Self) -> Self {
        x
    }

    fn from_le(x: Self) -> Self {
        x
    }

    fn to_be(self) -> Self {
        self
    }

    fn to_le(self) -> Self {
        self
    }

    fn pow(self, exponent: u32) -> Self {
        (0..exponent).fold(Self(1), |power, _| power * self)
    }
}

impl<const BITS: u32> fmt::Display for Toy<BITS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl<const BITS: u32> fmt::LowerHex for Toy<BITS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(&self.0, f)
    }
}

impl<const BITS: u32> Wide<Toy<BITS>> for ToyWide<BITS> {
    fn from_parts(low: Toy<BITS>, high: Toy<BITS>) -> Self {
        Self(high.wide() << BITS | low.wide())
    }

    fn low(self) -> Toy<BITS> {
        Toy::cut(self.0)
    }

    fn high(self) -> Toy<BITS> {
        Toy::cut(self.0 >> BITS)
    }

    fn overflowing_add(self, rhs: Self) -> (Self, bool) {
        let (sum, limit) = (self.0 + rhs.0, 1 << (2 * BITS));
        (Self(sum % limit), sum >= limit)
    }

    fn div_rem_limb(self, divisor: Toy<BITS>) -> (Toy<BITS>, Toy<BITS>) {
        let divisor = divisor.wide();
        (Toy::cut(self.0 / divisor), Toy::cut(self.0 % divisor))
    }
}

impl<const BITS: u32> Base for Toy<BITS> {
    /// No narrower word: halves of a limb are kept in limbs.
    type Half = Self;
    type Wide = ToyWide<BITS>;

    const BITS: u32 = BITS;
    const HIGHEST: Self = Self(Self::MASK);
    const NAME: &'static str = "toy";

    fn carrying_add(self, rhs: Self, carry: bool) -> (Self, bool) {
        let sum = self.wide() + rhs.wide() + u64::from(carry);
        (Self::cut(sum), sum > Self::MASK.into())
    }

    fn borrowing_sub(self, rhs: Self, borrow: bool) -> (Self, bool) {
        let taken = rhs.wide() + u64::from(borrow);
        (Self::cut(self.wide().wrapping_sub(taken)), self.wide() < taken)
    }

    fn widening_mul(self, rhs: Self) -> ToyWide<BITS> {
        ToyWide(self.wide() * rhs.wide())
    }

    fn carrying_mul_add(self, rhs: Self, addend: Self, carry: Self) -> (Self, Self) {
        let sum = self.wide() * rhs.wide() + addend.wide() + carry.wide();
        (Self::cut(sum), Self::cut(sum >> BITS))
    }

    fn checked_div_rem_wide(self, lo: Self, hi: Self) -> Option<(Self, Self)> {
        (hi < self).then(|| ToyWide::from_parts(lo, hi).div_rem_limb(self))
    }

    fn split(self) -> (Self, Self) {
        let half = BITS / 2;
        (Self(self.0 & ((1 << half) - 1)), Self(self.0 >> half))
    }

    fn join(low: Self, high: Self) -> Self {
        Self(high.0 << (BITS / 2) | low.0)
    }

    fn from_word(word: u64) -> Self {
        Self::cut(word)
    }

    fn low_word(self) -> u64 {
        self.wide()
    }

    fn from_le_bytes(bytes: &[u8]) -> Self {
        let mut image = [0; 4];
        let kept = bytes.len().min(Self::IMAGE);
        image[..kept].copy_from_slice(&bytes[..kept]);
        Self::cut(u32::from_le_bytes(image).into())
    }

    fn write_le_bytes(self, out: &mut [u8]) {
        let kept = out.len().min(Self::IMAGE);
        out[..kept].copy_from_slice(&self.0.to_le_bytes()[..kept]);
    }
}
