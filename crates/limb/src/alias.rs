//! Names of the usual widths.

use generic_array::{ConstArrayLength, typenum};

use crate::int::Int;
use crate::uint::Uint;

/// [`Uint`] of M limbs, M a number: `UintM<u64, 7>`.
pub type UintM<B, const M: usize> = Uint<B, ConstArrayLength<M>>;

/// [`Int`] of M limbs, M a number: `IntM<u64, 7>`.
pub type IntM<B, const M: usize> = Int<B, ConstArrayLength<M>>;

macro_rules! aliases {
    ($($Unsigned:ident $Signed:ident = $Limbs:ident, $bits:literal, $top:literal;)*) => {$(
        #[doc = concat!("0 to `2^", $bits, " - 1`.")]
        pub type $Unsigned = Uint<u64, typenum::$Limbs>;
        #[doc = concat!("`-2^", $top, "` to `2^", $top, " - 1`.")]
        pub type $Signed = Int<u64, typenum::$Limbs>;
    )*};
}

aliases! {
    U128 I128 = U2, "128", "127";
    U256 I256 = U4, "256", "255";
    U384 I384 = U6, "384", "383";
    U512 I512 = U8, "512", "511";
    U1024 I1024 = U16, "1024", "1023";
    U2048 I2048 = U32, "2048", "2047";
    U3072 I3072 = U48, "3072", "3071";
    U4096 I4096 = U64, "4096", "4095";
    U8192 I8192 = U128, "8192", "8191";
}
