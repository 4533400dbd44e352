//! Compile-time checks of limb widths: an unsupported width does not compile where the limb is used.

use super::Base;

/// Checks that limbs of `B` can be repacked into machine words, as the slice functions require.
pub(crate) const fn packed<B: Base>() {
    assert!(
        (B::BITS >= 1 && B::BITS <= 64) || B::BITS.is_multiple_of(64),
        "a limb has 1 to 64 bits, or a multiple of 64: see the documentation of limbforge_limb::Base"
    );
}

/// The width of a limb whose bits fill its memory. Storage, text and GPUs require such limbs.
pub(crate) const fn whole_bits<B: Base>() -> u32 {
    assert!(
        matches!(B::BITS, 8 | 16 | 32 | 64 | 128),
        "a limb of a batch, a Uint or an Int has 8, 16, 32, 64 or 128 bits: \
         see the documentation of limbforge_limb::Base"
    );
    assert!(
        size_of::<B>() * 8 == B::BITS as usize && B::BYTES == size_of::<B>(),
        "a limb of a batch, a Uint or an Int has BITS = 8 * size_of and BYTES = size_of: \
         see the documentation of limbforge_limb::Base"
    );
    assert!(
        2 * size_of::<B::Half>() >= size_of::<B>() && size_of::<B::Wide>() >= 2 * size_of::<B>(),
        "Half has at least half of the limb's bytes, Wide at least twice as many: \
         see the documentation of limbforge_limb::Base"
    );
    B::BITS
}
