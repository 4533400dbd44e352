//! Signed words without vector instructions.

use core::array::from_fn;

use super::super::lanes::WIDTH;
use super::super::portable::Portable;
use super::Signed;

type Word = [u64; WIDTH];
type Mask = [bool; WIDTH];

impl Signed for Portable {
    type Mask = Mask;

    fn is_odd(self, a: Word) -> Mask {
        a.map(|a| a & 1 == 1)
    }

    fn is_negative(self, a: Word) -> Mask {
        a.map(|a| (a as i64) < 0)
    }

    fn is_equal(self, a: Word, b: Word) -> Mask {
        from_fn(|i| a[i] == b[i])
    }

    fn only(self, a: Mask, b: Mask) -> Mask {
        from_fn(|i| a[i] && !b[i])
    }

    fn either(self, a: Mask, b: Mask) -> Mask {
        from_fn(|i| a[i] || b[i])
    }

    fn add_where(self, mask: Mask, a: Word, b: Word) -> Word {
        from_fn(|i| if mask[i] { a[i].wrapping_add(b[i]) } else { a[i] })
    }

    fn sub_where(self, mask: Mask, a: Word, b: Word) -> Word {
        from_fn(|i| if mask[i] { a[i].wrapping_sub(b[i]) } else { a[i] })
    }

    fn negate_where(self, mask: Mask, a: Word, b: Word) -> Word {
        from_fn(|i| if mask[i] { a[i].wrapping_neg() } else { b[i] })
    }

    fn choose(self, mask: Mask, a: Word, b: Word) -> Word {
        from_fn(|i| if mask[i] { a[i] } else { b[i] })
    }

    fn sar(self, a: Word, bits: u32) -> Word {
        a.map(|a| (a as i64 >> bits) as u64)
    }

    fn mul_halves(self, a: Word, b: Word) -> Word {
        from_fn(|i| (i64::from(a[i] as i32) * i64::from(b[i] as i32)) as u64)
    }

    fn lanes_of(self, mask: Mask) -> u8 {
        (0..WIDTH).map(|i| u8::from(mask[i]) << i).sum()
    }
}
