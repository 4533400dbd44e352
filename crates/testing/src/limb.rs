//! Everything that a limb has to pass, in one line.

/// Tests a limb type with every suite that a limb needs: `conformance_limb!(my::Limb);`, or in a module of a
/// name, `conformance_limb!(name: my::Limb);`, so that one file can test several.
///
/// | module | suites |
/// | --- | --- |
/// | `base` | the laws of the trait and of its double-width word |
/// | `slice` | the kernels on limb slices |
/// | `uint_4`, `uint_5`, `int_4`, `int_7` | [`Uint`](limbforge_limb::Uint) and [`Int`](limbforge_limb::Int) of so many limbs |
/// | `block` | the block algorithms, for shapes that are awkward for them |
/// | `batch` | layouts, conversions, bytes and text |
/// | `evaluation` | random expressions of all operations on the CPU, against num-bigint |
///
/// The limb has 8, 16, 32, 64 or 128 bits: `Base` says what else a limb must satisfy. For a narrower one, as
/// in `crates/reference/src/toy.rs`, use `conformance_slice!`.
///
/// ```
/// limbforge_limb::limb_newtype! {
///     /// A 32-bit register of our machine.
///     pub struct Register(u32);
/// }
///
/// # #[cfg(test)]
/// limbforge_testing::conformance_limb!(register: Register);
/// ```
#[macro_export]
macro_rules! conformance_limb {
    ($name:ident: $B:ty) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            $crate::conformance_limb!($B);
        }
    };
    ($B:ty) => {
        $crate::conformance_base!(base: $B);
        $crate::conformance_slice!(slice: $B);
        $crate::conformance_uint!(uint_4: $B, $crate::typenum::U4);
        $crate::conformance_uint!(uint_5: $B, $crate::typenum::U5);
        $crate::conformance_int!(int_4: $B, $crate::typenum::U4);
        $crate::conformance_int!(int_7: $B, $crate::typenum::U7);
        mod block {
            #[allow(unused_imports)]
            use super::*;
            $crate::conformance_block!($B: (1, 4, 9), (7, 3, 5), (33, 1, 2), (64, 2, 3));
        }
        $crate::conformance_batch!(batch: $B);
        $crate::conformance_evaluation!(evaluation: $B);
    };
}
