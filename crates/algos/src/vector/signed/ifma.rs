//! Signed words and masks of AVX-512.

use core::arch::x86_64::{
    __m512i, __mmask8, _mm512_cmpeq_epi64_mask, _mm512_mask_add_epi64, _mm512_mask_blend_epi64,
    _mm512_mask_sub_epi64, _mm512_movepi64_mask, _mm512_mul_epi32, _mm512_set1_epi64, _mm512_setzero_si512,
    _mm512_srav_epi64, _mm512_test_epi64_mask,
};

use fearless_simd::{Avx512, kernel};

use super::Signed;

/// Functions of registers; the token of AVX-512 makes them safe.
macro_rules! instructions {
    ($($name:ident($($a:ident: $Type:ty),+) -> $Result:ty = $run:expr;)*) => {$(
        kernel!(
            #[inline(always)]
            fn $name(_avx512: Avx512, $($a: $Type),+) -> $Result {
                $run
            }
        );
    )*};
}

instructions! {
    is_odd(a: __m512i) -> __mmask8 = _mm512_test_epi64_mask(a, _mm512_set1_epi64(1));
    is_negative(a: __m512i) -> __mmask8 = _mm512_movepi64_mask(a);
    is_equal(a: __m512i, b: __m512i) -> __mmask8 = _mm512_cmpeq_epi64_mask(a, b);
    add_where(mask: __mmask8, a: __m512i, b: __m512i) -> __m512i = _mm512_mask_add_epi64(a, mask, a, b);
    sub_where(mask: __mmask8, a: __m512i, b: __m512i) -> __m512i = _mm512_mask_sub_epi64(a, mask, a, b);
    negate_where(mask: __mmask8, a: __m512i, b: __m512i) -> __m512i =
        _mm512_mask_sub_epi64(b, mask, _mm512_setzero_si512(), a);
    choose(mask: __mmask8, a: __m512i, b: __m512i) -> __m512i = _mm512_mask_blend_epi64(mask, b, a);
    sar(a: __m512i, bits: u32) -> __m512i = _mm512_srav_epi64(a, _mm512_set1_epi64(bits.into()));
    mul_halves(a: __m512i, b: __m512i) -> __m512i = _mm512_mul_epi32(a, b);
}

impl Signed for Avx512 {
    type Mask = __mmask8;

    #[inline(always)]
    fn is_odd(self, a: __m512i) -> __mmask8 {
        is_odd(self, a)
    }

    #[inline(always)]
    fn is_negative(self, a: __m512i) -> __mmask8 {
        is_negative(self, a)
    }

    #[inline(always)]
    fn is_equal(self, a: __m512i, b: __m512i) -> __mmask8 {
        is_equal(self, a, b)
    }

    #[inline(always)]
    fn only(self, a: __mmask8, b: __mmask8) -> __mmask8 {
        a & !b
    }

    #[inline(always)]
    fn either(self, a: __mmask8, b: __mmask8) -> __mmask8 {
        a | b
    }

    #[inline(always)]
    fn add_where(self, mask: __mmask8, a: __m512i, b: __m512i) -> __m512i {
        add_where(self, mask, a, b)
    }

    #[inline(always)]
    fn sub_where(self, mask: __mmask8, a: __m512i, b: __m512i) -> __m512i {
        sub_where(self, mask, a, b)
    }

    #[inline(always)]
    fn negate_where(self, mask: __mmask8, a: __m512i, b: __m512i) -> __m512i {
        negate_where(self, mask, a, b)
    }

    #[inline(always)]
    fn choose(self, mask: __mmask8, a: __m512i, b: __m512i) -> __m512i {
        choose(self, mask, a, b)
    }

    #[inline(always)]
    fn sar(self, a: __m512i, bits: u32) -> __m512i {
        sar(self, a, bits)
    }

    #[inline(always)]
    fn mul_halves(self, a: __m512i, b: __m512i) -> __m512i {
        mul_halves(self, a, b)
    }

    #[inline(always)]
    fn lanes_of(self, mask: __mmask8) -> u8 {
        mask
    }
}
